//! A session as its parent knows it (section 12): heard of by a list or a call, adopted by a
//! `subagent_update`.

use super::table::Identified;
use super::work::Work;
use crate::saved::saved_struct;
use alloc::boxed::Box;

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Child {
    id: Box<str>,
    /// Whether it is a child of this session, and not only named by its lists and calls.
    pub(crate) is_adopted: bool,
    /// Whether its capabilities advertise cancel.
    pub(crate) cancel: bool,
    pub(crate) work: Work,
    /// What its own reports come to.
    pub(crate) standing: Standing,
}

/// What a child's own reports come to for its parent; kept up to date by the child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Standing {
    pub(crate) is_idle: bool,
    /// Idle, with an empty list: finished (rule B7).
    pub(crate) is_done: bool,
    /// Its foreground is busy or its list holds an unfinished item (rule X2).
    pub(crate) runs: bool,
    pub(crate) is_closed: bool,
    /// A `session/cancel` of it is under way (rule S5).
    pub(crate) is_cancel_requested: bool,
}

impl Identified for Child {
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

saved_struct!(Child { id is_adopted cancel work standing });
saved_struct!(Standing { is_idle is_done runs is_closed is_cancel_requested });
