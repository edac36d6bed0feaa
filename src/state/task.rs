//! One async task (rules J1 to J6).
//!
//! ```text
//!          spawned             completed, failed, stopped
//!  unheard ────────► live ◄─────────────────────────────► ended
//!  (a stop of it)   running ⇄ paused      spawned
//! ```

use super::table::{Identified, No};
use super::tool_call::TaskEnd;
use super::work::{Moment, Work};
use crate::saved::saved_struct;
use alloc::boxed::Box;

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Task {
    id: Box<str>,
    pub(crate) started_at: Moment,
    pub(crate) ended_at: Moment,
    /// Its place among the tasks of its session, from 1; 0 when it was never spawned.
    pub(crate) seq: u32,
    pub(crate) name: Option<Box<str>>,
    /// Whether it is a turn of the agent's own (rule J6).
    pub(crate) is_turn: bool,
    pub(crate) can_stop: bool,
    /// The call that it names.
    pub(crate) call: Option<No>,
    pub(crate) paused: bool,
    pub(crate) end: Option<TaskEnd>,
    /// The connection was lost and it was not spawned again since (rule J2).
    pub(crate) unconfirmed: bool,
    pub(crate) work: Work,
}

impl Identified for Task {
    fn unheard(id: &str) -> Self {
        Self {
            id: id.into(),
            ..Self::default()
        }
    }

    fn id(&self) -> &str {
        &self.id
    }
}

impl Task {
    pub(crate) fn is_live(&self) -> bool {
        self.seq != 0 && self.end.is_none()
    }

    /// Whether it is an item of background work: a turn is none (rule J6).
    pub(crate) fn is_work(&self) -> bool {
        self.seq != 0 && !self.is_turn
    }
}

saved_struct!(Task {
    id started_at ended_at seq name is_turn can_stop call paused end unconfirmed work
});
