//! One tool call (section 3).
//!
//! ```text
//!            update, subject                 final status
//!  unheard ─────────────────► unfinished ◄────────────────► finished
//!  (listed, named by a task)   │      ▲    another status
//!                       cancel │      │ listed, a status after the turn (C2)
//!                       close  ▼      │ an update, listed (X4)
//!                             marked ─┘
//! ```

use super::table::{Identified, No};
use super::work::{Key, Moment, Work};
use crate::answers::CallShown;
use crate::saved::{saved_enum, saved_struct};
use alloc::{boxed::Box, vec::Vec};

/// A call. A finished one keeps its id, its times, its status and, where there is more to answer, the
/// box.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ToolCall {
    id: Box<str>,
    /// When it was created (rule T7); missing for one that was only named by others (rule B6).
    pub(crate) started_at: Moment,
    /// When its status became final.
    pub(crate) ended_at: Moment,
    /// Its place among the calls and terminals of its session, from 1; 0 when it is unheard.
    pub(crate) seq: u32,
    pub(crate) status: Status,
    /// Whether its capabilities advertise cancel.
    pub(crate) cancel: bool,
    more: Option<Box<More>>,
}

/// What most finished calls have none of.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct More {
    pub(crate) title: Option<Box<str>>,
    /// `None` is `other`.
    pub(crate) kind: Option<Box<str>>,
    /// The text of a status that is none of ours.
    pub(crate) status: Option<Box<str>>,
    /// The terminals that its content references, then the sessions that it shows, each once, in order.
    pub(crate) references: Vec<Key>,
    pub(crate) mark: Mark,
    pub(crate) work: Work,
    /// What it became in the background (rule N3).
    pub(crate) handed_off: Option<Key>,
    /// How many live tasks name it (rule J3).
    pub(crate) live_tasks: u32,
    /// The tasks that name it, live or not, by their place (rules J1, J5).
    pub(crate) tasks: Vec<(u32, No)>,
    /// How its task ended while it was unfinished (rule J4).
    pub(crate) task_end: Option<TaskEnd>,
}

/// A status that the agent reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Status {
    #[default]
    Pending,
    InProgress,
    Paused,
    Completed,
    Failed,
    Cancelled,
    /// Unfinished too, its text in [`More::status`].
    Other,
}

impl Status {
    pub(crate) fn read(text: &str) -> Self {
        match text {
            "pending" => Self::Pending,
            "in_progress" => Self::InProgress,
            "paused" => Self::Paused,
            "completed" => Self::Completed,
            "failed" => Self::Failed,
            "cancelled" => Self::Cancelled,
            _ => Self::Other,
        }
    }

    /// As it stands on the wire; `None` for one that is none of ours.
    pub(crate) fn text(self) -> Option<&'static str> {
        match self {
            Self::Pending => Some("pending"),
            Self::InProgress => Some("in_progress"),
            Self::Paused => Some("paused"),
            Self::Completed => Some("completed"),
            Self::Failed => Some("failed"),
            Self::Cancelled => Some("cancelled"),
            Self::Other => None,
        }
    }

    /// Whether the call is over, and how it is shown then.
    pub(crate) fn end(self) -> Option<CallShown> {
        match self {
            Self::Completed => Some(CallShown::Completed),
            Self::Failed => Some(CallShown::Failed),
            Self::Cancelled => Some(CallShown::Cancelled),
            Self::Pending | Self::InProgress | Self::Paused | Self::Other => None,
        }
    }

    pub(crate) fn is_final(self) -> bool {
        self.end().is_some()
    }
}

/// The client's own mark on an unfinished call; the reported status stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mark {
    #[default]
    None,
    /// `session/cancel` covered it (rule C2).
    Cancelled(CancelMark),
    /// Its session was closed (rule X4).
    Closed,
}

/// When a cancel marked a call, which decides what lifts the mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CancelMark {
    /// How many idle snapshots had come by then.
    pub(crate) idle_snapshots: u32,
    /// Whether the foreground was idle or unknown already.
    pub(crate) settled: bool,
}

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TaskEnd {
    #[default]
    Completed,
    Failed,
    Stopped,
    /// It was not announced again after the connection was lost (rule J2).
    Dropped,
}

impl TaskEnd {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
            Self::Dropped => "dropped",
        }
    }

    /// How a call whose task ended so is shown (rule J4).
    pub(crate) fn shown(self) -> CallShown {
        match self {
            Self::Completed => CallShown::Completed,
            Self::Failed => CallShown::Failed,
            Self::Stopped | Self::Dropped => CallShown::Cancelled,
        }
    }
}

impl Identified for ToolCall {
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

impl ToolCall {
    pub(crate) fn is_announced(&self) -> bool {
        self.seq != 0
    }

    pub(crate) fn more(&self) -> Option<&More> {
        self.more.as_deref()
    }

    pub(crate) fn more_mut(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    /// Frees the box when nothing in it says anything.
    pub(crate) fn compact(&mut self) {
        if self
            .more
            .as_deref()
            .is_some_and(|more| *more == More::default())
        {
            self.more = None;
        }
    }

    pub(crate) fn title(&self) -> Option<&str> {
        self.more()?.title.as_deref()
    }

    pub(crate) fn kind(&self) -> &str {
        self.more()
            .and_then(|more| more.kind.as_deref())
            .unwrap_or("other")
    }

    /// The status as the agent wrote it.
    pub(crate) fn status_text(&self) -> &str {
        let other = || self.more().and_then(|more| more.status.as_deref());
        self.status.text().or_else(other).unwrap_or_default()
    }

    pub(crate) fn references(&self) -> &[Key] {
        self.more().map_or(&[], |more| &more.references)
    }

    /// The terminals that it references.
    pub(crate) fn terminals(&self) -> impl Iterator<Item = No> {
        self.references().iter().filter_map(|target| match target {
            Key::Terminal(no) => Some(*no),
            _ => None,
        })
    }

    /// The sessions that it shows.
    pub(crate) fn sessions(&self) -> impl Iterator<Item = No> {
        self.references().iter().filter_map(|target| match target {
            Key::Subagent(no) => Some(*no),
            _ => None,
        })
    }

    pub(crate) fn mark(&self) -> Mark {
        self.more().map_or(Mark::None, |more| more.mark)
    }

    pub(crate) fn work(&self) -> Option<&Work> {
        self.more().map(|more| &more.work)
    }

    pub(crate) fn is_listed_itself(&self) -> bool {
        self.work().is_some_and(|work| work.listed)
    }

    pub(crate) fn is_revived(&self) -> bool {
        self.work().is_some_and(|work| work.revived)
    }

    pub(crate) fn has_live_task(&self) -> bool {
        self.more().is_some_and(|more| more.live_tasks > 0)
    }

    pub(crate) fn task_end(&self) -> Option<TaskEnd> {
        self.more().and_then(|more| more.task_end)
    }

    /// Whether it was created and neither its status nor its task says that it is over.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.is_announced() && !self.status.is_final() && self.task_end().is_none()
    }
}

saved_struct!(ToolCall { id started_at ended_at seq status cancel more });
saved_struct!(More {
    title kind status references mark work handed_off live_tasks tasks task_end
});
saved_struct!(CancelMark { idle_snapshots settled });
saved_enum!(Status { Pending 1 InProgress 2 Paused 3 Completed 4 Failed 5 Cancelled 6 Other });
saved_enum!(Mark { None 1 Closed } { 2 Cancelled });
saved_enum!(TaskEnd { Completed 1 Failed 2 Stopped 3 Dropped });
