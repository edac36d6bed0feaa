//! The names of all fields that anything here reads, in one list: a reader of JSON text or of JavaScript objects
//! keeps what has one of them and leaves the rest unread.

macro_rules! names {
    ($($name:ident $text:literal,)+) => {
        /// The name of a field.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Name {
            $($name,)+
        }

        impl Name {
            /// All of them, in the order of their numbers.
            #[cfg(feature = "wasm")]
            pub(crate) const ALL: &[&str] = &[$($text,)+];

            /// The name that a key is; `None` for one that nothing reads.
            #[cfg(feature = "json")]
            pub(crate) fn of(key: &str) -> Option<Self> {
                match key {
                    $($text => Some(Self::$name),)+
                    _ => None,
                }
            }

            /// As it is written.
            #[cfg(feature = "json")]
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

names! {
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
    Method "method",
    Called "name",
    Output "output",
    Params "params",
    ProtocolVersion "protocolVersion",
    RequestId "requestId",
    Result "result",
    SessionId "sessionId",
    SessionUpdate "sessionUpdate",
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
    Type "type",
    Update "update",
}
