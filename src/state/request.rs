//! Requests of the agent and prompts of the client (section 8).

use super::client::ClientState;
use super::effects::Effects;
use super::session::{EndOfTurn, SessionNo};
use crate::answers::BelongsTo;
use crate::event::{RequestId, RpcError, Subject};
use crate::saved::saved_struct;
use alloc::{boxed::Box, vec::Vec};

/// The error code that says that the agent does not have the session (rules P6, X4; schema).
pub(crate) const SESSION_NOT_FOUND: i64 = -32002;

/// A pending request of the agent.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Request {
    pub(crate) session: SessionNo,
    pub(crate) is_elicitation: bool,
    pub(crate) tool_call_id: Option<Box<str>>,
    pub(crate) terminal_id: Option<Box<str>>,
    pub(crate) is_due: bool,
    pub(crate) since: f64,
}

/// An unanswered prompt.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Prompt {
    pub(crate) session: SessionNo,
}

impl ClientState {
    /// A permission is asked for (rules P1, P5).
    pub(crate) fn permission_requested(
        &mut self,
        id: RequestId,
        session_id: &str,
        subject: &Subject<&str>,
        effects: &mut Effects,
    ) {
        let no = self.open(session_id);
        let call = match subject {
            Subject::ToolCall(call) => Some(call),
            Subject::Untyped(call) if self.protocol.is_v1 => Some(call),
            Subject::Untyped(_) | Subject::Command { .. } | Subject::None => None,
        };
        if let Some(call) = call
            && let Some(session) = self.session_mut(no)
            && !session.closed
        {
            session.update_call(call, effects.at);
        }
        let (tool_call_id, terminal_id) = match *subject {
            Subject::Command {
                tool_call_id,
                terminal_id,
            } => (tool_call_id, terminal_id),
            _ => (call.map(|call| call.tool_call_id), None),
        };
        self.add_request(
            id,
            Request {
                session: no,
                is_elicitation: false,
                tool_call_id: tool_call_id.map(Into::into),
                terminal_id: terminal_id.map(Into::into),
                is_due: false,
                since: effects.at,
            },
            effects,
        );
    }

    /// Something else is asked (rule P4).
    pub(crate) fn elicitation_requested(
        &mut self,
        id: RequestId,
        session_id: &str,
        effects: &mut Effects,
    ) {
        let session = self.open(session_id);
        self.add_request(
            id,
            Request {
                session,
                is_elicitation: true,
                tool_call_id: None,
                terminal_id: None,
                is_due: false,
                since: effects.at,
            },
            effects,
        );
    }

    fn add_request(&mut self, id: RequestId, request: Request, effects: &mut Effects) {
        let no = request.session;
        if self.requests.last() == Some((&id, &request)) {
            // Sent again at the same time, it takes the place that it has.
            return;
        }
        self.remove_request(&id);
        let arrival = self.requests.insert(id, request);
        if let Some(session) = self.session_mut(no) {
            session.requests.add(arrival);
            session.open_requests += 1;
            session.touch_requests();
            if session.closed {
                self.make_due(&[arrival], effects);
            }
        }
    }

    /// The client answered a request (rule P2).
    pub(crate) fn remove_request(&mut self, id: &RequestId) {
        if let Some((arrival, request)) = self.requests.remove(id) {
            self.forget_request(arrival, &request);
        }
    }

    pub(crate) fn forget_request(&mut self, arrival: u64, request: &Request) {
        if let Some(session) = self.session_mut(request.session) {
            session.requests.remove(arrival);
            if !request.is_due {
                session.open_requests = session.open_requests.saturating_sub(1);
            }
            session.touch_requests();
        }
    }

    /// `$/cancel_request` (rule P2).
    pub(crate) fn request_cancelled(&mut self, id: &RequestId, effects: &mut Effects) {
        if let Some(arrival) = self.requests.arrival(id) {
            self.make_due(&[arrival], effects);
        }
    }

    /// Makes requests due for `cancelled`; those that are already stay as they are.
    pub(crate) fn make_due(&mut self, arrivals: &[u64], effects: &mut Effects) {
        for arrival in arrivals {
            let Some((id, request)) = self.requests.get_mut(*arrival) else {
                continue;
            };
            if core::mem::replace(&mut request.is_due, true) {
                continue;
            }
            effects.due.add(*arrival, id.clone());
            let no = request.session;
            if let Some(session) = self.session_mut(no) {
                session.open_requests = session.open_requests.saturating_sub(1);
                session.touch_requests();
            }
        }
    }

    /// Makes all requests of a session due, whatever they are for (rules X4, P5).
    pub(crate) fn make_all_due(&mut self, no: SessionNo, effects: &mut Effects) {
        let requests: Vec<u64> = self
            .sessions
            .get(no)
            .map(|session| session.requests.keys().collect())
            .unwrap_or_default();
        self.make_due(&requests, effects);
    }

    /// Makes the permission requests due that C3 names; those that C4 names only when `all`.
    pub(crate) fn make_cancelled_due(&mut self, no: SessionNo, all: bool, effects: &mut Effects) {
        let Some(session) = self.sessions.get(no) else {
            return;
        };
        let requests: Vec<u64> = session
            .requests
            .keys()
            .filter(|arrival| {
                let request = self.requests.get(*arrival).map(|(_, request)| request);
                match request.and_then(|request| session.belongs_to(request)) {
                    Some(BelongsTo::Foreground) => true,
                    Some(BelongsTo::Unattributed) => all,
                    Some(BelongsTo::Background) | None => false,
                }
            })
            .collect();
        self.make_due(&requests, effects);
    }

    /// `session/prompt` was sent (rules P6, V1).
    pub(crate) fn prompt_sent(&mut self, id: RequestId, session_id: &str) {
        let no = self.open(session_id);
        let last = self
            .sessions
            .get(no)
            .and_then(|session| session.prompts.last());
        if last.is_some() && last == self.prompts.arrival(&id) {
            // Sent again, it takes the place that it has.
            if let Some(session) = self.session_mut(no) {
                session.begin_v1_turn();
            }
            return;
        }
        self.remove_prompt(&id);
        let arrival = self.prompts.insert(id, Prompt { session: no });
        if let Some(session) = self.session_mut(no) {
            session.prompts.add(arrival);
            session.touch();
            session.begin_v1_turn();
        }
    }

    /// It was answered (rules P6, V1).
    pub(crate) fn prompt_answered(
        &mut self,
        id: &RequestId,
        stop_reason: Option<&str>,
        error: Option<RpcError>,
        effects: &mut Effects,
    ) {
        let Some(no) = self.remove_prompt(id) else {
            return;
        };
        let is_lost = error
            .as_ref()
            .is_some_and(|error| error.code == SESSION_NOT_FOUND);
        let Some(session) = self.session_mut(no) else {
            return;
        };
        session.prompt_answered_at = Some(effects.at);
        if is_lost && session.parent.is_none() {
            self.lose_tree(no);
            return;
        }
        let stop_reason = match error {
            Some(_) => Some("error"),
            None => stop_reason,
        };
        let end = EndOfTurn {
            stop_reason: stop_reason.map(Into::into),
            error,
        };
        if let Some(end) = session.end_v1_turn(end) {
            let session_id = session.id.clone();
            effects.end_turn(&session_id, end);
        }
    }

    fn remove_prompt(&mut self, id: &RequestId) -> Option<SessionNo> {
        let (arrival, prompt) = self.prompts.remove(id)?;
        if let Some(session) = self.session_mut(prompt.session) {
            session.prompts.remove(arrival);
            session.touch();
        }
        Some(prompt.session)
    }
}

saved_struct!(Request { session is_elicitation tool_call_id terminal_id is_due since });
saved_struct!(Prompt { session });
