//! What is known: sessions, work items, tool calls, terminals and requests as a client shows them.

use alloc::{string::String, vec::Vec};
use serde::Serialize;

use super::{instant, optional_instant};
use crate::event::{ExitStatus, RequestId, StopTarget};

/// What a session is doing (section 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// A response is running.
    Busy,
    /// The agent waits for the user.
    RequiresAction,
    /// The foreground is idle and listed work runs (rule A5).
    Background,
    /// The foreground is idle and all listed work is pending or paused (rule A4).
    Scheduled,
    /// The foreground is idle and nothing is listed (rule A3).
    Quiet,
    /// The foreground or the background is not known (rules A1, A2).
    Unknown,
    /// The session was closed.
    Closed,
}

/// Whether the background list is known (rule B2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BackgroundReported {
    /// The agent reported a list.
    Listed,
    /// It has not reported one since the session began.
    Never,
    /// It reported one before, and none now.
    Lost,
}

/// One piece of background work.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkItem {
    /// The session whose background list it is in.
    pub session_id: String,
    /// What it is.
    pub r#type: WorkItemType,
    /// Its id; for `other` its position in the list.
    pub id: String,
    /// The `type` on the wire.
    pub kind: String,
    /// A terminal's command, else the title of the first call that references it; the title of a call
    /// or a child; the name of a task.
    pub title: Option<String>,
    /// Whether it runs, waits or has finished (rule B7).
    pub status: WorkStatus,
    /// Whether the agent announced it beside listing it (rule B6).
    pub announced: bool,
    /// What to hand to `stop_plan`, when that would give a request.
    pub stop_target: Option<StopTarget>,
    /// Whether a stop of it is in flight (rule S2).
    pub stop: StopState,
    /// When it was first tracked (rule N1), in ms; `None` when it is not.
    #[serde(serialize_with = "optional_instant")]
    pub since: Option<f64>,
    /// When it was announced (rule T7), in ms.
    #[serde(serialize_with = "optional_instant")]
    pub started_at: Option<f64>,
    /// When it ended, in ms.
    #[serde(serialize_with = "optional_instant")]
    pub ended_at: Option<f64>,
    /// How it ended (rule N4); `None` while it is live.
    pub outcome: Option<String>,
    /// The calls that reference the terminal, show the child or are named by the task.
    pub tool_call_ids: Vec<String>,
    /// The last line that a terminal's output says (rule M2).
    pub output_tail: Option<String>,
    /// Of a child: whether it or a descendant requires action or has a pending request.
    pub waits_for_user: bool,
    /// Of a child: what it lists itself, down to 100 levels; deeper ones are in their own snapshots.
    pub background: Vec<WorkItem>,
}

/// What a work item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkItemType {
    /// A terminal.
    Terminal,
    /// A tool call.
    ToolCall,
    /// A child session.
    Subagent,
    /// An async task (section 15).
    Task,
    /// Of a type that this version does not know (rule B4).
    Other,
}

/// Whether a work item runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkStatus {
    /// It runs.
    Running,
    /// A call that has not started.
    Pending,
    /// A call or task that is suspended.
    Paused,
    /// It has finished, though it may still be listed (rule B7).
    Finished,
}

/// Whether a stop is in flight (rule S2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopState {
    /// No stop.
    None,
    /// Sent and unanswered.
    Requested,
    /// The agent accepted it; the work runs until its end is reported.
    Accepted,
}

/// A tool call (section 3).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// Its id in the session.
    pub tool_call_id: String,
    /// Its title.
    pub title: Option<String>,
    /// Its kind; `other` when the agent says none.
    pub kind: String,
    /// Its status as the agent last reported it.
    pub status: String,
    /// What to show.
    pub shown: CallShown,
    /// Why it is background work, when it is.
    pub background: Option<CallBackground>,
    /// What it became in the background (rule N3).
    pub handed_off: Option<HandedOff>,
    /// The terminals that it references, in the order of its content.
    pub terminals: Vec<String>,
    /// The sessions that it shows (rule T6).
    pub sessions: Vec<String>,
    /// Itself, else its first terminal, else its task, of which a stop plan gives a request.
    pub stop_target: Option<StopTarget>,
    /// Whether a stop of it is in flight.
    pub stop: StopState,
    /// When it was created (rule T7), in ms.
    #[serde(serialize_with = "instant")]
    pub started_at: f64,
    /// When its status became final, in ms.
    #[serde(serialize_with = "optional_instant")]
    pub ended_at: Option<f64>,
}

/// What to show of a tool call, the first that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallShown {
    /// It waits.
    Pending,
    /// It runs.
    InProgress,
    /// It is suspended.
    Paused,
    /// It succeeded.
    Completed,
    /// It failed.
    Failed,
    /// It was cancelled, by the agent's word or the client's mark.
    Cancelled,
    /// Nothing lists it any more (section 6).
    Abandoned,
    /// It may not be shown as running (rule D4).
    Unconfirmed,
}

/// Why a tool call is background work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallBackground {
    /// It is listed.
    Listed,
    /// A terminal that it references is.
    ByTerminal,
}

/// What a tool call became in the background (rule N3).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HandedOff {
    /// The type of the item.
    pub r#type: WorkItemType,
    /// Its id.
    pub id: String,
    /// When it was first tracked, in ms.
    #[serde(serialize_with = "instant")]
    pub since: f64,
    /// When it ended, in ms.
    #[serde(serialize_with = "optional_instant")]
    pub ended_at: Option<f64>,
    /// How it ended (rule N4).
    pub outcome: Option<String>,
}

/// A terminal (section 4).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Terminal {
    /// Its id in the session.
    pub terminal_id: String,
    /// Its command line.
    pub command: Option<String>,
    /// Its working directory.
    pub cwd: Option<String>,
    /// How it exited; `None` while it runs.
    pub exit: Option<ExitStatus>,
    /// What to show.
    pub shown: TerminalShown,
    /// Whether it is listed.
    pub listed: bool,
    /// The calls that reference it.
    pub tool_call_ids: Vec<String>,
    /// What to hand to `stop_plan`, when that would give a request.
    pub stop_target: Option<StopTarget>,
    /// Whether a stop of it is in flight.
    pub stop: StopState,
    /// The last line that its output says (rule M2).
    pub output_tail: Option<String>,
    /// When it was announced, in ms.
    #[serde(serialize_with = "instant")]
    pub started_at: f64,
    /// When it exited, in ms.
    #[serde(serialize_with = "optional_instant")]
    pub ended_at: Option<f64>,
}

/// What to show of a terminal, the first that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TerminalShown {
    /// It runs.
    Running,
    /// It exited.
    Exited,
    /// Nothing lists it any more (section 6).
    Abandoned,
    /// It may not be shown as running (rule D4).
    Unconfirmed,
}

/// A pending request of the agent (section 8).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingRequest {
    /// Its JSON-RPC id.
    pub request_id: RequestId,
    /// The session that asks.
    pub session_id: String,
    /// What it asks.
    pub kind: RequestKind,
    /// Whom a permission request belongs to, as of now (rule P3); `None` for an elicitation.
    pub belongs_to: Option<BelongsTo>,
    /// Whether the client should answer it `cancelled`.
    pub answer_due: bool,
    /// The call that its subject names.
    pub tool_call_id: Option<String>,
    /// The terminal that its subject names.
    pub terminal_id: Option<String>,
    /// When it arrived, in ms.
    #[serde(serialize_with = "instant")]
    pub since: f64,
}

/// What a request asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// A permission.
    Permission,
    /// An elicitation (rule P4).
    Elicitation,
}

/// Whom a permission request belongs to (rules C3, C4, P3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BelongsTo {
    /// Listed work: a cancel leaves it open.
    Background,
    /// The current work.
    Foreground,
    /// It cannot be shown to belong to either.
    Unattributed,
}

/// Everything that lives in a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionSnapshot {
    /// The session.
    pub session_id: String,
    /// The session whose child it is.
    pub parent_id: Option<String>,
    /// Its children.
    pub children: Vec<String>,
    /// Its title, when it is a child.
    pub title: Option<String>,
    /// What it is doing.
    pub activity: Activity,
    /// Its foreground state, as the agent's word.
    pub foreground: String,
    /// The stop reason of the last turn (rule F5).
    pub stop_reason: Option<String>,
    /// Its background list.
    pub background: Vec<WorkItem>,
    /// Whether that list is known.
    pub background_reported: BackgroundReported,
    /// Since when it is quiet (rule A6), in ms.
    #[serde(serialize_with = "optional_instant")]
    pub quiet_since: Option<f64>,
    /// Its unfinished tool calls.
    pub unfinished_tool_calls: Vec<ToolCall>,
    /// Its running terminals.
    pub running_terminals: Vec<Terminal>,
    /// Its pending requests.
    pub requests: Vec<PendingRequest>,
    /// Its unanswered prompts.
    pub prompts: Vec<RequestId>,
    /// How many events named the session in `changed`.
    pub version: u32,
}
