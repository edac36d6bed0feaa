//! Is the session quiet? (section 5)

use super::Session;
use crate::answers::Activity;
use crate::state::{self, Foreground, Key, Status};

impl Session<'_> {
    /// What the session is doing (rules A1 to A5).
    #[must_use]
    pub fn activity(&self) -> Activity {
        self.session.activity()
    }

    /// Whether nothing runs and nothing is scheduled, by the agent's word (rule A3).
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.session.is_quiet()
    }

    /// The time of the event that made the session quiet, in ms; `None` while it is not (rule A6).
    #[must_use]
    pub fn quiet_since(&self) -> Option<f64> {
        self.session.quiet_since
    }

    /// Whether a client may release the session's resources at the time `now` (rule A6): it is quiet,
    /// nothing of it is unanswered, and `grace_ms` have passed since it became quiet and since its last
    /// prompt was answered. Agents start follow-up turns 100 ms after a quiet snapshot; 5000 is a good
    /// grace period.
    #[must_use]
    pub fn is_releasable(&self, now: f64, grace_ms: f64) -> bool {
        let has_passed = |since: f64| now - since >= grace_ms;
        self.session.may_be_released()
            && self.session.quiet_since.is_some_and(has_passed)
            && self.session.prompt_answered_at.is_none_or(has_passed)
    }
}

impl state::Session {
    pub(crate) fn activity(&self) -> Activity {
        if self.closed {
            return Activity::Closed;
        }
        match self.foreground() {
            Foreground::Unknown => Activity::Unknown,
            Foreground::RequiresAction => Activity::RequiresAction,
            Foreground::Running | Foreground::Other(_) => Activity::Busy,
            Foreground::Idle => self.idle_activity(),
        }
    }

    fn idle_activity(&self) -> Activity {
        if !self.list.is_reported() {
            Activity::Unknown
        } else if self.list.items().is_empty() {
            Activity::Quiet
        } else if self.list.items().iter().all(|key| self.is_waiting(*key)) {
            Activity::Scheduled
        } else {
            Activity::Background
        }
    }

    /// Whether a listed item is scheduled or suspended: a known call that is pending or paused, a
    /// paused task (rule A4).
    fn is_waiting(&self, key: Key) -> bool {
        match key {
            Key::ToolCall(no) => self.calls.get(no).is_some_and(|call| {
                call.is_announced() && matches!(call.status, Status::Pending | Status::Paused)
            }),
            Key::Task(no) => self.tasks.get(no).is_some_and(|task| task.paused),
            Key::Terminal(_) | Key::Subagent(_) | Key::Other(_) => false,
        }
    }

    pub(crate) fn is_quiet(&self) -> bool {
        !self.closed && *self.foreground() == Foreground::Idle && self.list.is_reported_empty()
    }

    /// Whether it is quiet and no prompt, request or close of it is unanswered (rule A6).
    pub(crate) fn may_be_released(&self) -> bool {
        self.is_quiet() && self.prompts.is_empty() && self.requests.is_empty() && self.closes == 0
    }
}
