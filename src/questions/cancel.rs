//! What does `session/cancel` mark, and what does it leave alone? (section 7)

use super::Session;
use crate::answers::{BelongsTo, CancelPlan};
use crate::event::RequestId;
use crate::state::{self, Identified, No, Reported, ToolCall};
use alloc::vec::Vec;

impl Session<'_> {
    /// What a cancel sent now comes to (rules C1, C3, C4, C6). A pure look: `cancel_sent` does it.
    #[must_use]
    pub fn cancel_plan(&self) -> CancelPlan {
        let session = &*self.session;
        let ids = |calls: Vec<No>| {
            let calls = calls.into_iter().filter_map(|no| session.calls.get(no));
            calls.map(|call| call.id().into()).collect()
        };
        let mut plan = CancelPlan {
            mark_cancelled: ids(session.calls_to_cancel()),
            keep_running: ids(session.live_calls()),
            withdraws: self.prompts(),
            ..CancelPlan::default()
        };
        for arrival in session.requests.keys() {
            let Some((id, request)) = self.client.requests.get(arrival) else {
                continue;
            };
            match session.belongs_to(request) {
                Some(BelongsTo::Background) | None => plan.keep_open.push(id.clone()),
                Some(BelongsTo::Foreground) => plan.answer_cancelled.push(id.clone()),
                Some(BelongsTo::Unattributed) => {
                    plan.answer_cancelled.push(id.clone());
                    plan.unattributed.push(id.clone());
                }
            }
        }
        plan
    }

    /// The prompts that are still unanswered, in order.
    pub(super) fn prompts(&self) -> Vec<RequestId> {
        let prompts = self.session.prompts.keys();
        prompts
            .filter_map(|arrival| self.client.prompts.get(arrival))
            .map(|(id, _)| id.clone())
            .collect()
    }
}

impl state::Session {
    /// The calls that a cancel sent now marks (rule C1), in order.
    pub(crate) fn calls_to_cancel(&self) -> Vec<No> {
        if self.closed {
            return Vec::new();
        }
        match self.list.reported() {
            Reported::Listed => self.unfinished_calls(|call| !self.is_call_live(call)),
            Reported::Never if self.foreground().is_busy() => self.unfinished_calls(|call| {
                let runs_on = self.some_terminal(call, &|it| self.is_terminal_running(it));
                call.seq > self.busy_after && !runs_on
            }),
            Reported::Never | Reported::Lost => Vec::new(),
        }
    }

    /// The unfinished calls that a cancel leaves running.
    fn live_calls(&self) -> Vec<No> {
        self.unfinished_calls(|call| self.is_call_live(call))
    }

    fn unfinished_calls(&self, is_meant: impl Fn(&ToolCall) -> bool) -> Vec<No> {
        let calls = self.unfinished.values();
        calls
            .filter(|no| self.calls.get(*no).is_some_and(&is_meant))
            .collect()
    }
}
