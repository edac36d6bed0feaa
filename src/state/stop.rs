//! Individual stops (section 9).
//!
//! ```text
//!         stop sent             success
//!   none ───────────► requested ────────► accepted ──► none, once it has finished
//!     ▲                   │ ▲                │
//!     └───────────────────┘ └────────────────┘
//!          error              sent again
//! ```

use super::client::ClientState;
use super::effects::Effects;
use super::session::{Session, SessionNo};
use super::table::No;
use super::terminal::Terminal;
use super::tool_call::ToolCall;
use super::work::Key;
use crate::answers::{StopMethod, StopOutcome, StopPlan, StopRefusal, StopResult, StopState};
use crate::event::{RequestId, RpcError, StopTarget};
use crate::saved::saved_struct;
use alloc::{string::String, vec::Vec};

/// A stop that is sent and unanswered.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct SentStop {
    pub(crate) session: SessionNo,
    pub(crate) key: Key,
}

impl Session {
    /// What a stop is meant for, when the session has heard of it.
    pub(crate) fn find_target(&self, target: &StopTarget) -> Option<Key> {
        match target {
            StopTarget::ToolCall { tool_call_id } => {
                self.calls.find(tool_call_id).map(Key::ToolCall)
            }
            StopTarget::Terminal { terminal_id } => {
                self.terminals.find(terminal_id).map(Key::Terminal)
            }
            StopTarget::Session { session_id } => self.kids.find(session_id).map(Key::Subagent),
            StopTarget::Task { async_task_id } => self.tasks.find(async_task_id).map(Key::Task),
        }
    }

    fn number_target(&mut self, target: &StopTarget) -> Option<Key> {
        match target {
            StopTarget::ToolCall { tool_call_id } => {
                Some(Key::ToolCall(self.calls.number(tool_call_id)))
            }
            StopTarget::Terminal { terminal_id } => {
                Some(Key::Terminal(self.terminals.number(terminal_id)))
            }
            StopTarget::Task { async_task_id } => Some(Key::Task(self.tasks.number(async_task_id))),
            // A child is stopped by `session/cancel`, which has no response (rule S5).
            StopTarget::Session { .. } => None,
        }
    }

    /// Whether there is such work at all (rule S1).
    pub(crate) fn is_announced(&self, key: Key) -> bool {
        match key {
            Key::ToolCall(no) => self.calls.get(no).is_some_and(ToolCall::is_announced),
            Key::Terminal(no) => self.terminals.get(no).is_some_and(Terminal::is_announced),
            Key::Subagent(no) => self.kids.get(no).is_some_and(|child| child.is_adopted),
            Key::Task(no) => self.tasks.get(no).is_some_and(|task| task.is_work()),
            Key::Other(_) => false,
        }
    }

    /// Whether a stop comes too late (rule S1): like [`Self::has_finished`], but a child is stopped
    /// once its foreground is idle (rule S5) or it is closed.
    pub(crate) fn is_past_stopping(&self, key: Key) -> bool {
        match key {
            Key::Subagent(no) => self.kids.get(no).is_some_and(|child| {
                let standing = child.standing;
                child.is_adopted
                    && (standing.is_closed || (standing.is_idle && !child.work.revived))
            }),
            Key::ToolCall(_) | Key::Terminal(_) | Key::Task(_) | Key::Other(_) => {
                self.has_finished(key)
            }
        }
    }

    /// Whether a stop is in flight (rules S2, S5).
    pub(crate) fn stop_state(&self, key: Key) -> StopState {
        if let Key::Subagent(no) = key {
            let child = self.kids.get(no);
            if child.is_some_and(|child| child.standing.is_cancel_requested) {
                return StopState::Requested;
            }
        }
        self.work(key)
            .map_or(StopState::None, super::work::Work::stop)
    }

    /// Why a stop of `key` is refused now; `None` when it is not.
    pub(crate) fn stop_refusal(&self, key: Option<Key>) -> Option<StopRefusal> {
        if self.closed {
            return Some(StopRefusal::Closed);
        }
        let Some(key) = key.filter(|key| self.is_announced(*key)) else {
            return Some(StopRefusal::Unknown);
        };
        if self.is_past_stopping(key) {
            return Some(StopRefusal::Finished);
        }
        if self.stop_state(key) == StopState::Requested {
            return Some(StopRefusal::AlreadyRequested);
        }
        let is_advertised = match key {
            Key::ToolCall(no) => self.calls.get(no).is_some_and(|call| call.cancel),
            Key::Terminal(no) => self
                .terminals
                .get(no)
                .is_some_and(|terminal| terminal.cancel),
            Key::Subagent(no) => self.kids.get(no).is_some_and(|child| child.cancel),
            Key::Task(no) => self.tasks.get(no).is_some_and(|task| task.can_stop),
            Key::Other(_) => false,
        };
        (!is_advertised).then_some(StopRefusal::NotCancellable)
    }

    /// The target that names `key`.
    pub(crate) fn target(&self, key: Key) -> Option<StopTarget> {
        match key {
            Key::ToolCall(no) => Some(StopTarget::ToolCall {
                tool_call_id: self.call_id(no)?,
            }),
            Key::Terminal(no) => Some(StopTarget::Terminal {
                terminal_id: self.id_of(key, no)?,
            }),
            Key::Subagent(no) => Some(StopTarget::Session {
                session_id: self.id_of(key, no)?,
            }),
            Key::Task(no) => Some(StopTarget::Task {
                async_task_id: self.id_of(key, no)?,
            }),
            Key::Other(_) => None,
        }
    }

    /// What to hand to a stop plan that would give a request; `None` when none would.
    pub(crate) fn stop_target(&self, key: Key) -> Option<StopTarget> {
        match self.stop_refusal(Some(key)) {
            None => self.target(key),
            Some(_) => None,
        }
    }

    /// The request that stops `target`, or why there is none (rules S1, J5).
    pub(crate) fn plan_stop(&self, target: &StopTarget) -> StopPlan {
        if let Some(refusal) = self.stop_refusal(self.find_target(target)) {
            return StopPlan::Refused(refusal);
        }
        let (method, session_id) = match target {
            StopTarget::ToolCall { .. } => (StopMethod::ToolCallCancel, &*self.id),
            StopTarget::Terminal { .. } => (StopMethod::TerminalCancel, &*self.id),
            StopTarget::Session { session_id } => (StopMethod::SessionCancel, session_id.as_str()),
            StopTarget::Task { .. } => (StopMethod::AsyncTaskStop, &*self.id),
        };
        StopPlan::Send {
            method,
            session_id: session_id.into(),
            target: target.clone(),
        }
    }

    /// The id of a child, for answers.
    pub(crate) fn kid_id(&self, no: No) -> Option<String> {
        self.id_of(Key::Subagent(no), no)
    }

    fn id_of(&self, key: Key, no: No) -> Option<String> {
        use super::table::Identified;
        match key {
            Key::Terminal(_) => self.terminals.get(no).map(|it| it.id().into()),
            Key::Subagent(_) => self.kids.get(no).map(|it| it.id().into()),
            Key::Task(_) => self.tasks.get(no).map(|it| it.id().into()),
            Key::ToolCall(_) | Key::Other(_) => None,
        }
    }

    /// Accepted stops are void too when the connection is lost (rule R3), and over in a closed session
    /// (rules S2, S3).
    pub(crate) fn void_accepted_stops(&mut self) {
        for key in self.accepted.take() {
            self.change_stop(key, |work| work.accepted = false);
        }
    }

    /// Adds a stop to what is in flight, or takes one away, and says whether anything shows it.
    fn change_stop(&mut self, key: Key, change: impl FnOnce(&mut super::work::Work)) {
        let is_announced = self.is_announced(key);
        // Only a list or a stop plan tells of a task.
        let is_task = matches!(key, Key::Task(_));
        let is_planned = is_task && is_announced && !self.closed && !self.has_finished(key);
        if let Some(work) = self.work_mut(key) {
            let before = work.stop();
            change(work);
            let after = work.stop();
            let is_shown = work.listed || (is_announced && !is_task);
            // A plan says only whether one is in flight (rule S1).
            let is_sent = |stop| stop == StopState::Requested;
            if (is_shown && after != before) || (is_planned && is_sent(after) != is_sent(before)) {
                self.touch_item();
            }
        }
    }
}

impl ClientState {
    /// A stop was sent (rule S2); one for a session that does not exist is ignored (rule S4).
    pub(crate) fn stop_sent(&mut self, id: RequestId, session_id: &str, target: &StopTarget) {
        let Some(no) = self.find(session_id) else {
            return;
        };
        let session = self.sessions.get_mut(no);
        let Some(key) = session.and_then(|session| session.number_target(target)) else {
            return;
        };
        let stop = SentStop { session: no, key };
        let pending = self.stops.arrival(&id).and_then(|it| self.stops.get(it));
        if pending.is_some_and(|(_, pending)| *pending == stop) {
            return;
        }
        self.void_stop(&id);
        if let Some(session) = self.session_mut(no) {
            session.change_stop(key, |work| {
                work.requested = work.requested.saturating_add(1)
            });
        }
        self.stops.insert(id, stop);
    }

    /// A stop was answered (rules S3, J5).
    pub(crate) fn stop_answered(
        &mut self,
        id: &RequestId,
        stopped: Option<bool>,
        error: Option<RpcError>,
        effects: &mut Effects,
    ) {
        let Some(SentStop { session, key }) = self.void_stop(id) else {
            return;
        };
        let Some(session) = self.session_mut(session) else {
            return;
        };
        let Some(target) = session.target(key) else {
            return;
        };
        let refusal = if session.closed {
            Some(StopRefusal::Finished)
        } else {
            session.stop_refusal(Some(key))
        };
        let is_denied = matches!(key, Key::Task(_)) && stopped == Some(false);
        let is_success = error.is_none() && !is_denied;
        let result = match (refusal, is_success) {
            (Some(StopRefusal::Finished), _) => StopResult::Finished,
            (_, true) => StopResult::Accepted,
            (Some(StopRefusal::Unknown), false) => StopResult::Unknown,
            (_, false) => StopResult::Refused,
        };
        // A turn that has ended is no item, and yet no stop of it goes on (rules J6, S2).
        let has_ended = |no: No| session.tasks.get(no).is_some_and(|task| task.end.is_some());
        let is_over = matches!(key, Key::Task(no) if has_ended(no));
        if result == StopResult::Accepted && !is_over {
            session.accepted.insert(key);
            session.change_stop(key, |work| work.accepted = true);
        }
        effects.stop = Some(StopOutcome {
            session_id: session.id.as_ref().into(),
            target,
            result,
            error,
        });
    }

    /// Takes all stops of a session out of what is in flight.
    pub(crate) fn void_stops(&mut self, no: SessionNo) {
        let stops = self.stops.iter();
        let ids: Vec<RequestId> = stops
            .filter(|(_, _, stop)| stop.session == no)
            .map(|(_, id, _)| id.clone())
            .collect();
        for id in ids {
            self.void_stop(&id);
        }
    }

    /// Takes a stop out of what is in flight.
    pub(crate) fn void_stop(&mut self, id: &RequestId) -> Option<SentStop> {
        let (_, stop) = self.stops.remove(id)?;
        if let Some(session) = self.session_mut(stop.session) {
            session.change_stop(stop.key, |work| {
                work.requested = work.requested.saturating_sub(1);
            });
        }
        Some(stop)
    }
}

saved_struct!(SentStop { session key });
