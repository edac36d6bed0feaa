//! What every kind of background work has in common: whether it is listed, tracked, stopped.

use super::table::No;
use crate::answers::StopState;
use crate::saved::{Pass, Saved, saved_struct};
use alloc::{boxed::Box, vec::Vec};

/// One piece of work of a session, by the number in its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Terminal(No),
    ToolCall(No),
    Subagent(No),
    Task(No),
    /// An item of an unknown type.
    Other(No),
}

impl Default for Key {
    fn default() -> Self {
        Self::Terminal(0)
    }
}

/// An item of an unknown type (rule B4), the same as long as its position and its type are (rule N1).
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Other {
    /// Its position in the list.
    pub(crate) position: u32,
    pub(crate) kind: Box<str>,
    pub(crate) work: Work,
}

/// A call or a task, by its place among those of its session.
pub(crate) type Place = (u32, No);

/// A time that may be missing, in eight bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment(f64);

impl Default for Moment {
    fn default() -> Self {
        Self(f64::NAN)
    }
}

impl PartialEq for Moment {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Moment {
    pub(crate) fn at(time: f64) -> Self {
        Self(time)
    }

    pub(crate) fn get(self) -> Option<f64> {
        (!self.0.is_nan()).then_some(self.0)
    }
}

/// The background side of one piece of work.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Work {
    /// Whether the latest reported list holds it.
    pub(crate) listed: bool,
    /// It had finished when a snapshot began to list it, so it runs (rule B7).
    pub(crate) revived: bool,
    /// Since when it is tracked (rule N1).
    pub(crate) since: Moment,
    /// The last tracking: when it began, and when and how it ended (rules N3, N4).
    pub(crate) past: Option<Box<Past>>,
    /// Stops of it that are sent and unanswered.
    pub(crate) requested: u32,
    /// Whether a stop of it was accepted (rule S2).
    pub(crate) accepted: bool,
    /// Whether it finished with a stop accepted (rule N4).
    pub(crate) stopped: bool,
    /// Whether a call became it (rule N3), which goes on telling of its end.
    pub(crate) is_handed: bool,
    /// The calls that reference the terminal or show the child, by their place.
    pub(crate) calls: Vec<Place>,
}

/// A tracking that ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Past {
    pub(crate) since: f64,
    pub(crate) ended_at: f64,
    pub(crate) outcome: Box<str>,
}

impl Work {
    /// Whether a stop is in flight (rule S2).
    pub(crate) fn stop(&self) -> StopState {
        if self.requested > 0 {
            StopState::Requested
        } else if self.accepted {
            StopState::Accepted
        } else {
            StopState::None
        }
    }

    /// An accepted stop is over once the work has finished (rule S2).
    pub(crate) fn settle_stop(&mut self) {
        self.stopped |= self.accepted;
        self.accepted = false;
    }

    /// Tracking begins.
    pub(crate) fn begin(&mut self, at: f64) {
        self.since = Moment::at(at);
        self.past = None;
        self.stopped = false;
    }

    /// Tracking ends.
    pub(crate) fn end(&mut self, at: f64, outcome: &str) {
        if let Some(since) = self.since.get() {
            self.past = Some(Box::new(Past {
                since,
                ended_at: at,
                outcome: outcome.into(),
            }));
        }
        self.since = Moment::default();
    }
}

/// Adds a call to the ones that reference or show something, in the order in which they appeared.
pub(crate) fn add_reference(calls: &mut Vec<Place>, call: Place) {
    if let Err(place) = calls.binary_search(&call) {
        calls.insert(place, call);
    }
}

/// Takes a call out of them.
pub(crate) fn remove_reference(calls: &mut Vec<Place>, call: Place) {
    if let Ok(place) = calls.binary_search(&call) {
        calls.remove(place);
    }
}

saved_struct!(Work { listed revived since past requested accepted stopped is_handed calls });
saved_struct!(Past { since ended_at outcome });
saved_struct!(Other { position kind work });
impl Saved for Key {
    fn pass(&mut self, through: &mut Pass) {
        let (kind, mut no) = match self {
            Self::Terminal(no) => (0, *no),
            Self::ToolCall(no) => (1, *no),
            Self::Subagent(no) => (2, *no),
            Self::Task(no) => (3, *no),
            Self::Other(no) => (4, *no),
        };
        let kind = through.count(kind, 4);
        no.pass(through);
        *self = match kind {
            0 => Self::Terminal(no),
            1 => Self::ToolCall(no),
            2 => Self::Subagent(no),
            3 => Self::Task(no),
            _ => Self::Other(no),
        };
    }
}

impl Saved for Moment {
    fn pass(&mut self, through: &mut Pass) {
        let mut time = self.get();
        time.pass(through);
        *self = time.map_or(Self::default(), Self);
    }
}
