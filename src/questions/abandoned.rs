//! Which unfinished tool calls and terminals are abandoned? (section 6)

use super::Session;
use crate::answers::{Abandoned, CallShown, TerminalShown};
use crate::state::{self, Foreground, Identified, Mark, Status, Terminal, ToolCall};

impl Session<'_> {
    /// The unfinished tool calls and running terminals that nothing lists any more (rules D1 to D3).
    #[must_use]
    pub fn abandoned(&self) -> Abandoned {
        let session = &*self.session;
        if !session.can_abandon() {
            return Abandoned::default();
        }
        let calls = session
            .unfinished
            .values()
            .filter_map(|no| session.calls.get(no));
        let terminals = session
            .running
            .values()
            .filter_map(|no| session.terminals.get(no));
        Abandoned {
            tool_calls: calls
                .filter(|call| session.is_call_abandoned(call))
                .map(|call| call.id().into())
                .collect(),
            terminals: terminals
                .filter(|terminal| !session.is_terminal_listed(terminal))
                .map(|terminal| terminal.id().into())
                .collect(),
        }
    }
}

impl state::Session {
    /// Whether anything can be abandoned at all (rule D1).
    fn can_abandon(&self) -> bool {
        !self.closed
            && *self.foreground() == Foreground::Idle
            && self.list.is_reported()
            && self.window.is_none()
    }

    /// Whether an unfinished call is, where anything can be (rules D2, D3).
    fn is_call_abandoned(&self, call: &ToolCall) -> bool {
        call.mark() == Mark::None && !self.is_call_live(call)
    }

    pub(crate) fn has_abandoned(&self) -> bool {
        let mut calls = self.unfinished.values().filter_map(|no| self.calls.get(no));
        let mut terminals = self
            .running
            .values()
            .filter_map(|no| self.terminals.get(no));
        self.can_abandon()
            && (calls.any(|call| self.is_call_abandoned(call))
                || terminals.any(|terminal| !self.is_terminal_listed(terminal)))
    }

    /// What to show of a call: the first that holds (rule D4; `ToolCall.shown` in types.ts).
    pub(crate) fn call_shown(&self, call: &ToolCall) -> CallShown {
        let task_end = || call.task_end().map(state::TaskEnd::shown);
        if let Some(end) = call.status.end().or_else(task_end) {
            return end;
        }
        if call.mark() != Mark::None {
            return CallShown::Cancelled;
        }
        if self.can_abandon() && self.is_call_abandoned(call) {
            return CallShown::Abandoned;
        }
        if *self.foreground() == Foreground::Unknown && !self.is_call_live(call) {
            return CallShown::Unconfirmed;
        }
        match call.status {
            Status::Pending => CallShown::Pending,
            Status::Paused => CallShown::Paused,
            Status::InProgress
            | Status::Other
            | Status::Completed
            | Status::Failed
            | Status::Cancelled => CallShown::InProgress,
        }
    }

    /// What to show of a terminal: the first that holds (rules D4, M3; `Terminal.shown` in types.ts).
    pub(crate) fn terminal_shown(&self, terminal: &Terminal) -> TerminalShown {
        let is_listed = self.is_terminal_listed(terminal);
        if !self.is_terminal_running(terminal) {
            TerminalShown::Exited
        } else if self.can_abandon() && !is_listed {
            TerminalShown::Abandoned
        } else if *self.foreground() == Foreground::Unknown && !is_listed {
            TerminalShown::Unconfirmed
        } else {
            TerminalShown::Running
        }
    }
}
