//! What one event did, collected while it is applied.

use super::session::EndOfTurn;
use super::sorted::Sorted;
use crate::answers::{Problem, StopOutcome, TurnEnd};
use crate::event::{RequestId, Unreadable};
use alloc::{string::String, vec::Vec};

/// What one event did, apart from what the sessions know themselves ([`super::session::Dirty`]).
#[derive(Debug)]
pub(crate) struct Effects {
    /// The time of the event.
    pub(crate) at: f64,
    pub(crate) turns: Vec<TurnEnd>,
    pub(crate) stop: Option<StopOutcome>,
    /// By arrival.
    pub(crate) due: Sorted<RequestId>,
    pub(crate) problems: Vec<Problem>,
}

impl Effects {
    pub(crate) fn new(at: f64) -> Self {
        Self {
            at,
            turns: Vec::new(),
            stop: None,
            due: Sorted::default(),
            problems: Vec::new(),
        }
    }

    pub(crate) fn end_turn(&mut self, session_id: &str, end: EndOfTurn) {
        self.turns.push(TurnEnd {
            session_id: session_id.into(),
            stop_reason: end.stop_reason.map(String::from),
            error: end.error,
        });
    }

    pub(crate) fn malformed(&mut self, code: &str, session_id: Option<&str>, what: Unreadable) {
        self.problem(code, session_id, what.path.into(), what.expected);
    }

    pub(crate) fn problem(
        &mut self,
        code: &str,
        session_id: Option<&str>,
        path: String,
        expected: &str,
    ) {
        self.problems.push(Problem {
            code: code.into(),
            message: ["expected ", expected].concat(),
            session_id: session_id.map(Into::into),
            path,
        });
    }

    pub(crate) fn update_after_close(&mut self, session_id: &str) {
        self.problems.push(Problem {
            code: "update_after_close".into(),
            message: "the session was closed; the update changes nothing".into(),
            session_id: Some(session_id.into()),
            path: "update".into(),
        });
    }
}
