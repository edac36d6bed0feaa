//! Which requests of the agent are pending, and whom do they belong to? (sections 7 and 8)

use super::Session;
use crate::answers::{BelongsTo, PendingRequest, RequestKind};
use crate::state::{self, Request, Terminal, ToolCall};
use alloc::vec::Vec;

impl Session<'_> {
    /// The pending requests of the session and, when `deep`, of its descendants, in the order of
    /// arrival.
    #[must_use]
    pub fn requests(&self, deep: bool) -> Vec<PendingRequest> {
        let arrivals = if deep {
            self.deep_requests()
        } else {
            self.session.requests.keys().collect()
        };
        let requests = arrivals.into_iter();
        requests
            .filter_map(|arrival| self.pending_request(arrival))
            .collect()
    }

    /// The requests of the session and its descendants. Walks from the requests up, as there are few
    /// of them: finished descendants cost nothing.
    pub(super) fn deep_requests(&self) -> Vec<u64> {
        let requests = self.client.requests.iter();
        requests
            .filter(|(_, _, request)| {
                let mut line = self.client.line(request.session);
                line.any(|no| Some(no) == self.no)
            })
            .map(|(arrival, _, _)| arrival)
            .collect()
    }

    fn pending_request(&self, arrival: u64) -> Option<PendingRequest> {
        let (id, request) = self.client.requests.get(arrival)?;
        let session = self.client.sessions.get(request.session)?;
        Some(PendingRequest {
            request_id: id.clone(),
            session_id: session.id.as_ref().into(),
            kind: if request.is_elicitation {
                RequestKind::Elicitation
            } else {
                RequestKind::Permission
            },
            belongs_to: session.belongs_to(request),
            answer_due: request.is_due,
            tool_call_id: request.tool_call_id.as_deref().map(Into::into),
            terminal_id: request.terminal_id.as_deref().map(Into::into),
            since: request.since,
        })
    }
}

impl state::Session {
    /// Whom a permission request belongs to, as of now (rules C3, C4, P3); `None` for an elicitation.
    pub(crate) fn belongs_to(&self, request: &Request) -> Option<BelongsTo> {
        if request.is_elicitation {
            return None;
        }
        let call = request
            .tool_call_id
            .as_deref()
            .and_then(|id| self.calls.get(self.calls.find(id)?));
        let terminal = request
            .terminal_id
            .as_deref()
            .and_then(|id| self.terminals.get(self.terminals.find(id)?));
        let is_live = call.is_some_and(|call| self.is_call_live(call))
            || terminal.is_some_and(|terminal| self.is_terminal_listed(terminal));
        let is_known = call.is_some_and(ToolCall::is_announced)
            || terminal.is_some_and(Terminal::is_announced);
        Some(if self.list.is_reported() && is_live {
            BelongsTo::Background
        } else if self.list.is_reported() && is_known {
            BelongsTo::Foreground
        } else {
            BelongsTo::Unattributed
        })
    }
}
