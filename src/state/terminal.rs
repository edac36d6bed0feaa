//! One terminal (section 4).
//!
//! ```text
//!            update                     exit status
//!  unheard ──────────► running ◄───────────────────────► exited
//!  (referenced, listed)   │  ▲        exit status null
//!           session closed│  │
//!           task ended    ▼  │ an update, listed (X4, J4)
//!                       presumed exited
//! ```

use super::output_tail::OutputTail;
use super::table::Identified;
use super::work::{Moment, Work};
use crate::event::ExitStatus;
use crate::saved::saved_struct;
use alloc::boxed::Box;

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Terminal {
    id: Box<str>,
    pub(crate) started_at: Moment,
    pub(crate) ended_at: Moment,
    /// Its place among the calls and terminals of its session, from 1; 0 when it is unheard.
    pub(crate) seq: u32,
    /// Whether its capabilities advertise cancel.
    pub(crate) cancel: bool,
    /// Exited by the client's own reckoning, with no known status (rules X4, J4).
    pub(crate) presumed_exited: bool,
    pub(crate) exit: Option<Box<ExitStatus>>,
    pub(crate) command: Option<Box<str>>,
    pub(crate) cwd: Option<Box<str>>,
    pub(crate) output: OutputTail,
    pub(crate) work: Work,
}

impl Identified for Terminal {
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

impl Terminal {
    pub(crate) fn is_announced(&self) -> bool {
        self.seq != 0
    }

    /// Whether it exited, by the agent's word or our own reckoning.
    pub(crate) fn has_exited(&self) -> bool {
        self.exit.is_some() || self.presumed_exited
    }
}

saved_struct!(Terminal {
    id started_at ended_at seq cancel presumed_exited exit command cwd output work
});
