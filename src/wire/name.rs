//! The names of all fields that anything here reads, and what methods, kinds and types are called, in one list: a
//! reader of JSON text or of JavaScript objects keeps the fields that have one of them and leaves the rest unread.

macro_rules! names {
    ($($name:ident $text:literal,)+) => {
        /// What a field, a method, a kind or a type is called.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Name {
            $($name,)+
        }

        impl Name {
            /// All of them, in the order of their numbers.
            #[cfg(feature = "wasm")]
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)+];

            /// The name that a text is; `None` for one that nothing reads.
            #[cfg(feature = "json")]
            pub(crate) fn of(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$name),)+
                    _ => None,
                }
            }

            /// As it is written.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

impl Name {
    /// How many of the first are fields that hold a name.
    #[cfg(feature = "wasm")]
    pub(crate) const HOLDERS: u32 = 3;

    /// How many of the first are fields: the others are only held by them.
    #[cfg(feature = "wasm")]
    pub(crate) const FIELDS: u32 = Self::Initialize as u32;
}

names! {
    Method "method",
    SessionUpdate "sessionUpdate",
    Type "type",

    Meta "_meta",
    Air "air",
    Args "args",
    AsyncTaskId "asyncTaskId",
    AsyncTasks "asyncTasks",
    Background "background",
    CanStop "canStop",
    Cancel "cancel",
    Capabilities "capabilities",
    Code "code",
    Command "command",
    Content "content",
    Cwd "cwd",
    Data "data",
    Error "error",
    ExitCode "exitCode",
    ExitStatus "exitStatus",
    MetaExitCode "exit_code",
    Format "format",
    Id "id",
    Jetbrains "jetbrains",
    Kind "kind",
    Message "message",
    Called "name",
    Output "output",
    Params "params",
    ProtocolVersion "protocolVersion",
    RequestId "requestId",
    Result "result",
    SessionId "sessionId",
    Signal "signal",
    State "state",
    Status "status",
    StopReason "stopReason",
    Stopped "stopped",
    SubagentSessionId "subagentSessionId",
    Subject "subject",
    TaskType "taskType",
    TerminalId "terminalId",
    MetaTerminalExit "terminal_exit",
    MetaTerminalId "terminal_id",
    MetaTerminalInfo "terminal_info",
    MetaTerminalOutput "terminal_output",
    MetaTerminalOutputDelta "terminal_output_delta",
    Title "title",
    ToolCall "toolCall",
    ToolCallId "toolCallId",
    Update "update",

    // Methods.
    Initialize "initialize",
    SessionNew "session/new",
    SessionFork "session/fork",
    SessionLoad "session/load",
    SessionResume "session/resume",
    SessionClose "session/close",
    SessionDelete "session/delete",
    SessionPrompt "session/prompt",
    SessionCancel "session/cancel",
    ToolCallCancel "tool_call/cancel",
    TerminalCancel "terminal/cancel",
    AsyncTaskStop "_session/async_task/stop",
    SessionUpdated "session/update",
    RequestPermission "session/request_permission",
    ElicitationCreate "elicitation/create",
    CancelRequest "$/cancel_request",
    TerminalCreate "terminal/create",
    TerminalOutput "terminal/output",
    TerminalWait "terminal/wait_for_exit",
    TerminalRelease "terminal/release",
    TurnStart "_qwencode/start_turn",
    TurnEnd "_qwencode/end_turn",

    // Kinds of update.
    StateUpdate "state_update",
    ToolCallUpdate "tool_call_update",
    ToolCallContentChunk "tool_call_content_chunk",
    TerminalUpdate "terminal_update",
    TerminalOutputChunk "terminal_output_chunk",
    SubagentUpdate "subagent_update",
    SubagentSpawned "subagent_spawned",
    SubagentStateUpdate "subagent_state_update",
    TaskSpawned "async_task_spawned",
    OldTaskSpawned "_async_task_spawned",
    TaskStateUpdate "async_task_state_update",
    OldTaskStateUpdate "_async_task_state_update",
    TaskProgress "async_task_progress",
    OldTaskProgress "_async_task_progress",

    // Types of items, content and subjects; v1's kind of update.
    AToolCall "tool_call",
    ATerminal "terminal",
    ASubagent "subagent",
    ASession "session",

    // Types of events.
    SessionOpened "session_opened",
    PermissionRequested "permission_requested",
    ElicitationRequested "elicitation_requested",
    RequestAnswered "request_answered",
    RequestCancelled "request_cancelled",
    PromptSent "prompt_sent",
    PromptAnswered "prompt_answered",
    CancelSent "cancel_sent",
    StopSent "stop_sent",
    StopAnswered "stop_answered",
    CloseSent "close_sent",
    CloseAnswered "close_answered",
    ResumeSent "resume_sent",
    ResumeAnswered "resume_answered",
    SessionDeleted "session_deleted",
    Initialized "initialized",
    AgentTurnStarted "agent_turn_started",
    AgentTurnEnded "agent_turn_ended",
    Disconnected "disconnected",
}
