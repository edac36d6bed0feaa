//! What is known of one session: foreground, background list, tool calls, terminals, children, tasks.
//!
//! ```text
//!                 state_update            state_update idle
//!   new ── idle ─────────────────► busy ◄───────────────────► idle
//!           │  resume, lost connection │                       │
//!           └──────────► unknown ◄─────┴───────────────────────┘
//!                           │ ▲ resume, a child's update (X5)
//!        close answered     ▼ │
//!   any ────────────────► closed
//! ```

use super::background::List;
use super::child::{Child, Standing};
use super::resume::{Kept, Window};
use super::sorted::{Keys, Numbers, Sorted};
use super::table::Table;
use super::task::Task;
use super::terminal::Terminal;
use super::tool_call::ToolCall;
use super::work::{Key, Other, Work};
use crate::event::RpcError;
use crate::saved::{saved_enum, saved_struct};
use alloc::{boxed::Box, vec::Vec};

/// The number of a session on its connection, in the order in which they first existed.
pub(crate) type SessionNo = u64;

/// What the connection speaks (rules V1, J1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Protocol {
    pub(crate) is_v1: bool,
    pub(crate) has_async_tasks: bool,
}

/// The state of the foreground (rule F2).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Foreground {
    #[default]
    Idle,
    Running,
    RequiresAction,
    Unknown,
    /// Any other string, never idle (rule F3).
    Other(Box<str>),
}

impl Foreground {
    pub(crate) fn read(text: &str) -> Self {
        match text {
            "idle" => Self::Idle,
            "running" => Self::Running,
            "requires_action" => Self::RequiresAction,
            "unknown" => Self::Unknown,
            _ => Self::Other(text.into()),
        }
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Idle => "idle",
            Self::Running => "running",
            Self::RequiresAction => "requires_action",
            Self::Unknown => "unknown",
            Self::Other(text) => text,
        }
    }

    pub(crate) fn is_busy(&self) -> bool {
        match self {
            Self::Running | Self::RequiresAction | Self::Other(_) => true,
            Self::Idle | Self::Unknown => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Session {
    pub(crate) id: Box<str>,
    /// When it first existed.
    pub(crate) created_at: f64,
    pub(crate) protocol: Protocol,
    pub(crate) parent: Option<SessionNo>,
    /// Its children, in the order in which they first existed, by their number in `kids`.
    pub(crate) children: Numbers,
    pub(crate) title: Option<Box<str>>,

    foreground: Foreground,
    /// The foreground is unknown by our own reckoning, so that its first snapshot ends no turn (F4).
    pub(crate) awaits_snapshot: bool,
    pub(crate) stop_reason: Option<Box<str>>,
    /// How many idle snapshots have come (rule C2).
    pub(crate) idle_snapshots: u32,
    pub(crate) closed: bool,
    /// It had finished, for its parent, when it was closed: that ends nothing and begins nothing (rule G3).
    pub(crate) was_done: bool,
    /// Closes that are sent and unanswered.
    pub(crate) closes: u32,

    pub(crate) list: List,
    /// Work of which a stop was accepted (rule S2).
    pub(crate) accepted: Keys,
    /// Items that run because the list says so (rule B7).
    pub(crate) revived: Keys,
    /// Items that a list began to hold and that were not looked at since (rule N3).
    pub(crate) begun: Keys,
    /// Items of an unknown type, by number.
    pub(crate) others: Sorted<Other>,
    /// The last number given to one.
    pub(crate) last_other: u32,
    /// What is tracked (rule N1), in the order of the list.
    pub(crate) tracked: Vec<Key>,
    /// The window of rule R4 that it is in.
    pub(crate) window: Option<Window>,
    /// What an error response to a resume restores (rule R2).
    pub(crate) kept: Option<Box<Kept>>,
    /// Only a resume made it exist (rule R2).
    pub(crate) exists_by_resume: bool,
    /// A resume or a lost connection left the tasks unconfirmed until an answer (rule J1).
    pub(crate) awaits_resume: bool,

    pub(crate) calls: Table<ToolCall>,
    pub(crate) terminals: Table<Terminal>,
    pub(crate) kids: Table<Child>,
    pub(crate) tasks: Table<Task>,
    /// The last place given to a call or a terminal.
    pub(crate) last_seq: u32,
    /// The last place given before the foreground last became busy (rule C1).
    pub(crate) busy_after: u32,
    /// Unfinished calls, by their place.
    pub(crate) unfinished: Numbers,
    /// Running terminals, by their place.
    pub(crate) running: Numbers,
    /// Live tasks, turns included, by their place.
    pub(crate) live_tasks: Numbers,
    pub(crate) last_task_seq: u32,
    /// How many turns the agent said that it began by itself (rule V6).
    pub(crate) agent_turns: u32,

    /// Its pending requests, by arrival; filled from the ledger.
    pub(crate) requests: Numbers,
    /// How many of them are not due.
    pub(crate) open_requests: u32,
    /// Its unanswered prompts, by arrival; filled from the ledger.
    pub(crate) prompts: Numbers,
    pub(crate) prompt_answered_at: Option<f64>,
    /// `session/cancel` was sent to it as a child that was not idle (rule S5).
    pub(crate) cancel_requested: bool,

    pub(crate) quiet_since: Option<f64>,
    pub(crate) version: u32,
    pub(crate) dirty: Dirty,
}

/// What the current event did to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Dirty {
    /// An answer about it changed (rule N2).
    pub(crate) touched: bool,
    /// And so did, or may have, what the parents say of it that show it.
    pub(crate) outward: bool,
    /// And what all its ancestors say of who waits for the user.
    pub(crate) asks: bool,
    /// What is listed or has finished may have changed.
    pub(crate) relist: bool,
    /// It is quiet again as it was before a resume (rule R2).
    pub(crate) quiet_again: bool,
    /// It was in a window of rule R4 until this event.
    pub(crate) left_window: bool,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct EndOfTurn {
    pub(crate) stop_reason: Option<Box<str>>,
    pub(crate) error: Option<RpcError>,
}

impl Session {
    pub(crate) fn new(id: &str, protocol: Protocol, at: f64) -> Self {
        Self {
            id: id.into(),
            created_at: at,
            protocol,
            list: List::new(protocol),
            ..Self::default()
        }
    }

    /// An answer about it changed, of which its ancestors say nothing.
    pub(crate) fn touch(&mut self) {
        self.dirty.touched = true;
    }

    /// An answer about it changed that its ancestors may show.
    pub(crate) fn touch_outward(&mut self) {
        self.dirty.touched = true;
        self.dirty.outward = true;
    }

    /// An answer about one of its calls or terminals changed: its parents may show it when it lists any.
    pub(crate) fn touch_item(&mut self) {
        self.dirty.touched = true;
        self.dirty.outward |= !self.list.items().is_empty();
    }

    /// The foreground as the agent's word. On v1, where no state says so, a running turn with an open
    /// request waits for the user (rule V1).
    pub(crate) fn foreground(&self) -> &Foreground {
        match self.foreground {
            Foreground::Running if self.protocol.is_v1 && self.open_requests > 0 => {
                &Foreground::RequiresAction
            }
            _ => &self.foreground,
        }
    }

    /// The foreground as it was last set.
    pub(crate) fn stored_foreground(&self) -> &Foreground {
        &self.foreground
    }

    /// Puts the foreground back as it was (rule R2); no snapshot says so.
    pub(crate) fn put_foreground(&mut self, foreground: Foreground) {
        if foreground == Foreground::Idle {
            self.cancel_requested = false;
        }
        self.foreground = foreground;
    }

    /// A request of it came, went or became due, which all its ancestors tell.
    pub(crate) fn touch_requests(&mut self) {
        self.touch_outward();
        self.dirty.asks = true;
        self.dirty.relist = true;
    }

    /// Whether a turn runs by the reckoning of rule V1, whatever it waits for.
    pub(crate) fn is_running(&self) -> bool {
        self.foreground == Foreground::Running
    }

    pub(crate) fn set_foreground(&mut self, foreground: Foreground) {
        if foreground == Foreground::Idle {
            self.idle_snapshots = self.idle_snapshots.saturating_add(1);
            self.cancel_requested = false;
        } else if self.stop_reason.take().is_some() {
            self.touch_outward();
        }
        if self.foreground == foreground {
            return;
        }
        if foreground.is_busy() && !self.foreground.is_busy() {
            self.busy_after = self.last_seq;
        }
        let before = self.foreground().clone();
        self.foreground = foreground;
        if *self.foreground() != before {
            self.touch_outward();
            let asked = Foreground::RequiresAction;
            self.dirty.asks |= before == asked || *self.foreground() == asked;
        }
        self.dirty.relist = true;
    }

    /// The foreground becomes idle by a snapshot or, on v1, with the last of its turns. Whether that
    /// ended a turn (rule F4) is for the caller to say: it knew the window before.
    pub(crate) fn become_idle(&mut self, end: EndOfTurn) -> Option<EndOfTurn> {
        let ended = self.foreground != Foreground::Idle && !self.awaits_snapshot;
        self.awaits_snapshot = false;
        self.set_foreground(Foreground::Idle);
        if end.stop_reason.is_some() && end.stop_reason != self.stop_reason {
            self.stop_reason.clone_from(&end.stop_reason);
            self.touch();
        }
        ended.then_some(end)
    }

    /// Whether a turn of v1 is open: a prompt, or one that the agent began (rules V1, V6, J6).
    pub(crate) fn has_open_turn(&self) -> bool {
        !self.prompts.is_empty() || self.agent_turns > 0 || self.has_live_turn()
    }

    /// The foreground is unknown and its list not reported, by our own reckoning (rules R1, R3, X5).
    pub(crate) fn make_unknown(&mut self) {
        self.awaits_snapshot = true;
        self.set_foreground(Foreground::Unknown);
        self.list_not_reported();
    }

    /// What its own reports come to for its parent.
    pub(crate) fn standing(&self) -> Standing {
        let is_idle = self.foreground == Foreground::Idle;
        Standing {
            is_idle,
            is_done: if self.closed {
                self.was_done
            } else {
                is_idle && self.list.is_reported_empty()
            },
            runs: !self.closed && (self.foreground.is_busy() || self.lists_unfinished()),
            is_closed: self.closed,
            is_cancel_requested: self.cancel_requested,
        }
    }

    /// The background side of a piece of work.
    pub(crate) fn work(&self, key: Key) -> Option<&Work> {
        match key {
            Key::Terminal(no) => self.terminals.get(no).map(|terminal| &terminal.work),
            Key::ToolCall(no) => self.calls.get(no).and_then(ToolCall::work),
            Key::Subagent(no) => self.kids.get(no).map(|child| &child.work),
            Key::Task(no) => self.tasks.get(no).map(|task| &task.work),
            Key::Other(no) => self.others.get(no.into()).map(|other| &other.work),
        }
    }

    pub(crate) fn work_mut(&mut self, key: Key) -> Option<&mut Work> {
        match key {
            Key::Terminal(no) => self
                .terminals
                .get_mut(no)
                .map(|terminal| &mut terminal.work),
            Key::ToolCall(no) => self.calls.get_mut(no).map(|call| &mut call.more_mut().work),
            Key::Subagent(no) => self.kids.get_mut(no).map(|child| &mut child.work),
            Key::Task(no) => self.tasks.get_mut(no).map(|task| &mut task.work),
            Key::Other(no) => self.others.get_mut(no.into()).map(|other| &mut other.work),
        }
    }

    pub(crate) fn next_seq(&mut self) -> u32 {
        self.last_seq = self.last_seq.saturating_add(1);
        self.last_seq
    }
}

saved_struct!(Protocol { is_v1 has_async_tasks });
saved_enum!(Foreground { Idle 1 Running 2 RequiresAction 3 Unknown } { 4 Other });
saved_struct!(Session {
    id created_at protocol parent title foreground awaits_snapshot stop_reason idle_snapshots closed
    was_done closes list accepted begun others last_other tracked window kept exists_by_resume
    awaits_resume calls terminals kids tasks last_seq busy_after last_task_seq agent_turns
    prompt_answered_at cancel_requested quiet_since version
});
