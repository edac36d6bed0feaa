//! One thing that happened on the connection: the seam between the wire and the state. Plain data,
//! already tolerant; nothing behind it has seen JSON.

mod texts;

use alloc::{boxed::Box, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// The id of a JSON-RPC request. `1` and `"1"` are two ids (rule P1).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RequestId {
    /// `null`, which JSON-RPC allows and nobody should send.
    #[default]
    Null,
    /// An integer.
    Number(i64),
    /// A string.
    Text(String),
}

impl From<i64> for RequestId {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for RequestId {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

/// The error of a JSON-RPC response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RpcError {
    /// The JSON-RPC error code.
    pub code: i64,
    /// What the peer says went wrong.
    pub message: String,
}

/// What a stop is meant for (rules S1 and J5).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StopTarget {
    /// A tool call, by `tool_call/cancel`.
    ToolCall {
        /// Its id in the session.
        #[serde(rename = "toolCallId")]
        tool_call_id: String,
    },
    /// A terminal, by `terminal/cancel`.
    Terminal {
        /// Its id in the session.
        #[serde(rename = "terminalId")]
        terminal_id: String,
    },
    /// A child session, by `session/cancel` on it.
    Session {
        /// The child's id.
        #[serde(rename = "sessionId")]
        session_id: String,
    },
    /// An async task, by `_session/async_task/stop`.
    Task {
        /// Its id in the session.
        #[serde(rename = "asyncTaskId")]
        async_task_id: String,
    },
}

/// One thing that happened, the package's `Event` (types.ts); [`crate::ClientState::apply`] takes it.
///
/// Its texts are `String`s here; what is read and applied at once has `&str`s.
///
/// With the feature `json` it reads from exactly the JSON of the TypeScript type; what an agent sent
/// inside (`update`, `subject`) is read tolerantly (rule E1).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event<T = String> {
    /// `session/new` or `session/fork` was answered with this session (rules F1, F6, R5).
    SessionOpened {
        /// The new session.
        session_id: T,
    },
    /// The agent sent a `session/update`.
    Update {
        /// The session it is about.
        session_id: T,
        /// What it says.
        update: Update<T>,
    },
    /// The agent asks for a permission (rules P1, C3).
    PermissionRequested {
        /// The id of the agent's request.
        request_id: RequestId,
        /// The session that asks.
        session_id: T,
        /// What the permission is for.
        subject: Subject<T>,
    },
    /// The agent asks the user something (rule P4).
    ElicitationRequested {
        /// The id of the agent's request.
        request_id: RequestId,
        /// The session that asks.
        session_id: T,
    },
    /// The client answered a request of the agent (rule P2).
    RequestAnswered {
        /// The id of the agent's request.
        request_id: RequestId,
    },
    /// The agent sent `$/cancel_request` (rule P2).
    RequestCancelled {
        /// The id of the agent's request.
        request_id: RequestId,
    },
    /// The client sent `session/prompt` (rules P6, V1).
    PromptSent {
        /// The id of the client's request.
        request_id: RequestId,
        /// The session that is prompted.
        session_id: T,
    },
    /// The agent answered a `session/prompt` (rules P6, V1).
    PromptAnswered {
        /// The id of the client's request.
        request_id: RequestId,
        /// Why the turn ended; v1 only.
        stop_reason: Option<T>,
        /// The error, when the answer is one.
        error: Option<RpcError>,
    },
    /// The client sent `session/cancel` (section 7).
    CancelSent {
        /// The session whose turn is cancelled.
        session_id: T,
    },
    /// The client sent a stop of one piece of work (section 9).
    StopSent {
        /// The id of the client's request.
        request_id: RequestId,
        /// The session that the work belongs to.
        session_id: T,
        /// A tool call, a terminal or a task.
        target: StopTarget,
    },
    /// The agent answered a stop (rules S3, J5).
    StopAnswered {
        /// The id of the client's request.
        request_id: RequestId,
        /// What an async task's stop says; `Some(false)` counts as an error.
        stopped: Option<bool>,
        /// The error, when the answer is one.
        error: Option<RpcError>,
    },
    /// The client sent `session/close` (section 10).
    CloseSent {
        /// The session to close.
        session_id: T,
    },
    /// The agent answered a `session/close` (rules X4, X5).
    CloseAnswered {
        /// The session to close.
        session_id: T,
        /// The error, when the answer is one.
        error: Option<RpcError>,
    },
    /// The client sent `session/resume`, or `session/load` on v1 (rule R1).
    ResumeSent {
        /// The session to resume.
        session_id: T,
    },
    /// The agent answered it (rules R2, V1).
    ResumeAnswered {
        /// The session to resume.
        session_id: T,
        /// The error, when the answer is one.
        error: Option<RpcError>,
    },
    /// The session was deleted (rule R6).
    SessionDeleted {
        /// The deleted session.
        session_id: T,
    },
    /// The agent answered `initialize` (rules V1, J1).
    Initialized {
        /// The protocol version of the connection.
        protocol_version: u32,
        /// Whether the agent reports async tasks.
        async_tasks: bool,
    },
    /// The agent began a turn by itself (rule V6).
    AgentTurnStarted {
        /// The session of the turn.
        session_id: T,
    },
    /// That turn ended (rule V6).
    AgentTurnEnded {
        /// The session of the turn.
        session_id: T,
        /// Why, when the agent says it.
        stop_reason: Option<T>,
    },
    /// The connection was lost (rule R3).
    Disconnected,
}

/// A field of an update: omitted leaves what is known, `null` resets it, a value replaces it (rule T2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Patch<T> {
    /// Not there, or of a wrong type.
    #[default]
    Omitted,
    /// `null`.
    Null,
    /// A value of the right type.
    Value(T),
}

impl<T> Patch<T> {
    /// The same of a reference.
    pub(crate) fn as_ref(&self) -> Patch<&T> {
        match self {
            Self::Omitted => Patch::Omitted,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(value),
        }
    }

    /// What the field is after this patch: `None` leaves it, `Some(None)` resets it.
    pub(crate) fn into_change(self) -> Option<Option<T>> {
        match self {
            Self::Omitted => None,
            Self::Null => Some(None),
            Self::Value(value) => Some(Some(value)),
        }
    }
}

/// A `session/update`, read by its kind. Fields that no rule names are not here.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Update<T = String> {
    /// `state_update`.
    State(StateUpdate<T>),
    /// `tool_call_update`, and v1's `tool_call`.
    ToolCall(Box<ToolCallUpdate<T>>),
    /// `tool_call_content_chunk`.
    ToolCallContent {
        /// The call that it belongs to.
        tool_call_id: T,
        /// The appended item; `None` when it is one that no rule reads, or is invalid.
        content: Option<ToolCallContent<T>>,
    },
    /// `terminal_update`, and what v1 says about terminals (rule V3).
    Terminal(Box<TerminalUpdate<T>>),
    /// `terminal_output_chunk`.
    TerminalOutput {
        /// The terminal that it belongs to.
        terminal_id: T,
        /// The bytes, in base64; `None` when there is no string.
        data: Option<T>,
    },
    /// `subagent_update`, and v1's `subagent_spawned` and `subagent_state_update` (rule V5).
    Subagent(Box<SubagentUpdate<T>>),
    /// `async_task_spawned`.
    TaskSpawned(Box<TaskSpawned<T>>),
    /// `async_task_state_update`.
    TaskState {
        /// The task.
        async_task_id: T,
        /// Its state (rule J2).
        state: T,
    },
    /// `async_task_progress`.
    TaskProgress {
        /// The task.
        async_task_id: T,
    },
    /// A kind that changes nothing here.
    Ignored,
    /// An update that cannot be read (rule E1).
    Unreadable(Unreadable),
}

/// What could not be read, and what was expected there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable {
    /// The field, from the update or the message on.
    pub path: &'static str,
    /// What was expected there.
    pub expected: &'static str,
}

/// A whole foreground state (rules F2 to F5) with its background list.
#[derive(Debug, Clone, PartialEq)]
pub struct StateUpdate<T = String> {
    /// `running`, `requires_action`, `idle`, `unknown` or any other string.
    pub state: T,
    /// Why the turn ended.
    pub stop_reason: Option<T>,
    /// The error that ended it.
    pub error: Option<RpcError>,
    /// The background list.
    pub background: BackgroundList<T>,
}

/// A background list as it was sent (section 2).
#[derive(Debug, Clone, PartialEq)]
pub enum BackgroundList<T = String> {
    /// Omitted or `null` (rule B2).
    NotReported,
    /// Not readable as a whole (rule B3).
    Malformed {
        /// Where, from `background` on.
        path: String,
        /// What was expected there.
        expected: &'static str,
    },
    /// The list (rule B1).
    Listed(Vec<BackgroundItem<T>>),
    /// Nothing runs in a v1 child that ended; gives way to async tasks (rule V5).
    Ended,
}

/// One listed piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackgroundItem<T = String> {
    /// A terminal, by id.
    Terminal(T),
    /// A tool call, by id.
    ToolCall(T),
    /// A child session, by id.
    Subagent(T),
    /// An item of another type, kept by that type (rule B4).
    Other(T),
}

/// A patch of a tool call (section 3).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolCallUpdate<T = String> {
    /// The call.
    pub tool_call_id: T,
    /// Its status.
    pub status: Patch<T>,
    /// Its title.
    pub title: Patch<T>,
    /// Its kind.
    pub kind: Patch<T>,
    /// Whether `capabilities` advertises cancel (rule T3).
    pub cancel: Patch<bool>,
    /// Its content, as far as a rule reads it.
    pub content: Patch<Vec<ToolCallContent<T>>>,
    /// What `_meta` says of terminals (rule V3).
    pub meta: Option<Box<TerminalMeta<T>>>,
}

/// A content item of a tool call that a rule reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolCallContent<T = String> {
    /// A terminal that the call references.
    Terminal(T),
    /// A session that the call shows (rule T6).
    Session(T),
}

/// What `_meta` of a tool call says of terminals (rule V3).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TerminalMeta<T = String> {
    /// `terminal_info`: terminal and working directory.
    pub info: Option<(T, Option<T>)>,
    /// `terminal_output`: terminal and its whole output so far.
    pub output: Option<(T, T)>,
    /// `terminal_output_delta`: terminal and more output.
    pub output_delta: Option<(T, T)>,
    /// `terminal_exit`.
    pub exit: Option<(T, ExitStatus)>,
}

/// How a terminal exited; both are `None` when that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExitStatus {
    /// The exit code.
    pub exit_code: Option<i64>,
    /// The signal that ended it.
    pub signal: Option<String>,
}

/// A patch of a terminal (section 4).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TerminalUpdate<T = String> {
    /// The terminal.
    pub terminal_id: T,
    /// Its command line.
    pub command: Patch<T>,
    /// Its working directory.
    pub cwd: Patch<T>,
    /// Its exit status.
    pub exit: Patch<ExitStatus>,
    /// Whether `capabilities` advertises cancel.
    pub cancel: Patch<bool>,
    /// Its output so far, in base64.
    pub output: Patch<T>,
    /// v1's `terminal/release`: exits it when it has not (rule V3).
    pub released: bool,
}

/// A patch of a child session (section 12).
#[derive(Debug, Clone, PartialEq)]
pub struct SubagentUpdate<T = String> {
    /// The child.
    pub session_id: T,
    /// Its title.
    pub title: Patch<T>,
    /// Whether `capabilities` advertises cancel.
    pub cancel: Patch<bool>,
    /// Its state (rule G2).
    pub state: Patch<StateUpdate<T>>,
    /// Whether there is a state object, readable or not: it opens a closed child again (rule X5).
    pub has_state: bool,
}

/// An upsert of an async task (rule J2).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaskSpawned<T = String> {
    /// The task.
    pub async_task_id: T,
    /// Its name.
    pub name: Option<T>,
    /// Its type; `turn` is a turn of the agent's own (rule J6).
    pub task_type: Option<T>,
    /// Whether it can be stopped.
    pub can_stop: Option<bool>,
    /// The call that it belongs to.
    pub tool_call_id: Option<T>,
}

/// What a permission is for (rules C3, C4).
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Subject<T = String> {
    /// No subject, an unrecognised one, or one in which no id is readable.
    #[default]
    None,
    /// A tool call, whose update is applied first (rule P1).
    ToolCall(Box<ToolCallUpdate<T>>),
    /// A tool call that does not say that it is one: a subject on v1 (rule V2), and none on v2.
    Untyped(Box<ToolCallUpdate<T>>),
    /// A command.
    Command {
        /// The call that runs it.
        tool_call_id: Option<T>,
        /// The terminal that it runs in.
        terminal_id: Option<T>,
    },
}
