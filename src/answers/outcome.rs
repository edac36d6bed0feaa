//! What an event changed (section 13).

use alloc::{string::String, vec::Vec};
use serde::Serialize;

use super::WorkItem;
use crate::event::{RequestId, RpcError, StopTarget};

/// What one event changed. Everything in it happened by this event; an event that changed nothing
/// gives an empty outcome.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// The sessions of which any answer changed (rule N2), in the order in which they first existed.
    pub changed: Vec<String>,
    /// The turns that ended (rule F4).
    pub turns_ended: Vec<TurnEnd>,
    /// The sessions that are quiet now and were not before (rules A3, R4).
    pub became_quiet: Vec<String>,
    /// The work that was listed by this event (rule N1).
    pub started: Vec<WorkItem>,
    /// The work that ended by this event, each once, with its outcome (rules N1, N4).
    pub ended: Vec<WorkItem>,
    /// How an individual stop was answered (rule S3).
    pub stop: Option<StopOutcome>,
    /// The requests of the agent that the client should answer `cancelled` now (rules C6, P2, X3).
    pub answer_due: Vec<RequestId>,
    /// What the agent sent that could not be read or came too late (rules E1, X5).
    pub problems: Vec<Problem>,
}

impl Outcome {
    /// Whether the event changed nothing and there is nothing to say about it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.only_changed().is_some_and(<[String]>::is_empty)
    }

    /// The sessions that changed, when there is nothing else to say.
    pub(crate) fn only_changed(&self) -> Option<&[String]> {
        let is_all = self.turns_ended.is_empty()
            && self.became_quiet.is_empty()
            && self.started.is_empty()
            && self.ended.is_empty()
            && self.stop.is_none()
            && self.answer_due.is_empty()
            && self.problems.is_empty();
        is_all.then_some(&self.changed)
    }
}

/// The end of a turn (rule F4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnEnd {
    /// The session whose turn it was.
    pub session_id: String,
    /// The stop reason that the snapshot carried.
    pub stop_reason: Option<String>,
    /// The error that the snapshot carried.
    pub error: Option<RpcError>,
}

/// How an individual stop was answered (rule S3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StopOutcome {
    /// The session of the work.
    pub session_id: String,
    /// The work.
    pub target: StopTarget,
    /// What the answer comes to.
    pub result: StopResult,
    /// The error, whenever the answer carried one.
    pub error: Option<RpcError>,
}

/// What the answer to a stop comes to (rule S3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopResult {
    /// The agent will stop it; it runs until its end is reported.
    Accepted,
    /// It has finished by now, whatever the answer was.
    Finished,
    /// There is no such work.
    Unknown,
    /// The agent will not stop it.
    Refused,
}

/// Something that the agent sent and that could not be used (rules E1, E4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// `malformed_message`, `malformed_update`, `malformed_background` or `update_after_close`.
    pub code: String,
    /// What was expected, in plain English.
    pub message: String,
    /// The session it is about, when that is known.
    pub session_id: Option<String>,
    /// Where in what was sent, such as `update.toolCallId`.
    pub path: String,
}
