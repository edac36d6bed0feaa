//! What to do: which calls are abandoned, what a cancel marks, what a close stops, how to stop one item.

use alloc::{string::String, vec::Vec};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use super::WorkItem;
use crate::event::{RequestId, StopTarget};

/// Work that nothing lists any more (section 6).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Abandoned {
    /// Unfinished tool calls, by id (rule D2).
    pub tool_calls: Vec<String>,
    /// Running terminals, by id (rule D2).
    pub terminals: Vec<String>,
}

/// What `session/cancel` comes to, sent now (section 7).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CancelPlan {
    /// Tool calls to show as cancelled (rule C1).
    pub mark_cancelled: Vec<String>,
    /// Unfinished calls that are listed or reference a listed terminal.
    pub keep_running: Vec<String>,
    /// Permission requests to answer `cancelled` (rule C3).
    pub answer_cancelled: Vec<RequestId>,
    /// The part of them that cannot be shown to belong to the cancelled work (rule C4).
    pub unattributed: Vec<RequestId>,
    /// The other pending requests, elicitations included.
    pub keep_open: Vec<RequestId>,
    /// Prompts that are still unanswered (rule C6).
    pub withdraws: Vec<RequestId>,
}

/// What `session/close` would stop, sent now (rule X1).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClosePlan {
    /// Whether the plan is complete: the session is closed, or its list and its foreground are known.
    pub certain: bool,
    /// Whether a response is running or a prompt is unanswered.
    pub foreground: bool,
    /// The background work that it would stop (rules X1, X2).
    pub stops: Vec<WorkItem>,
    /// How much of it there is of each kind.
    pub counts: WorkCounts,
    /// Every pending request of the session and its descendants.
    pub answer_cancelled: Vec<RequestId>,
    /// What to ask the user before closing, in plain English. `None` is no promise: read `certain`.
    pub warning: Option<String>,
}

/// How much work there is of each type, and how much of it runs or waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkCounts {
    /// Terminals.
    pub terminals: u32,
    /// Tool calls.
    pub tool_calls: u32,
    /// Child sessions.
    pub subagents: u32,
    /// Async tasks.
    pub tasks: u32,
    /// Items of a type that this version does not know.
    pub other: u32,
    /// Items that run.
    pub running: u32,
    /// Items that are pending or paused.
    pub waiting: u32,
}

/// How to stop one piece of work (rule S1): the request to send, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopPlan {
    /// Send this request.
    Send {
        /// Its method.
        method: StopMethod,
        /// The session that stands in its params: the child itself when a child is stopped.
        session_id: String,
        /// What to stop.
        target: StopTarget,
    },
    /// There is nothing to send.
    Refused(StopRefusal),
}

impl StopPlan {
    /// Whether there is a request to send.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Send { .. })
    }
}

/// The method that stops one piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum StopMethod {
    /// Stops a tool call.
    #[serde(rename = "tool_call/cancel")]
    ToolCallCancel,
    /// Stops a terminal.
    #[serde(rename = "terminal/cancel")]
    TerminalCancel,
    /// Stops a child session.
    #[serde(rename = "session/cancel")]
    SessionCancel,
    /// Stops an async task.
    #[serde(rename = "_session/async_task/stop")]
    AsyncTaskStop,
}

/// Why one piece of work cannot be stopped, checked in this order (rule S1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopRefusal {
    /// The session is closed.
    Closed,
    /// There is no such work in this session.
    Unknown,
    /// It has finished.
    Finished,
    /// A stop of it is sent and unanswered.
    AlreadyRequested,
    /// It does not advertise that it can be stopped now.
    NotCancellable,
}

impl Serialize for StopPlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Send {
                method,
                session_id,
                target,
            } => {
                let mut plan = serializer.serialize_struct("StopPlan", 3)?;
                plan.serialize_field("ok", &true)?;
                plan.serialize_field("method", method)?;
                plan.serialize_field("params", &StopParams { session_id, target })?;
                plan.end()
            }
            Self::Refused(reason) => {
                let mut plan = serializer.serialize_struct("StopPlan", 2)?;
                plan.serialize_field("ok", &false)?;
                plan.serialize_field("reason", reason)?;
                plan.end()
            }
        }
    }
}

struct StopParams<'a> {
    session_id: &'a str,
    target: &'a StopTarget,
}

impl Serialize for StopParams<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut params = serializer.serialize_map(None)?;
        params.serialize_entry("sessionId", self.session_id)?;
        match self.target {
            StopTarget::ToolCall { tool_call_id } => {
                params.serialize_entry("toolCallId", tool_call_id)?;
            }
            StopTarget::Terminal { terminal_id } => {
                params.serialize_entry("terminalId", terminal_id)?;
            }
            StopTarget::Task { async_task_id } => {
                params.serialize_entry("asyncTaskId", async_task_id)?;
            }
            StopTarget::Session { .. } => {}
        }
        params.end()
    }
}
