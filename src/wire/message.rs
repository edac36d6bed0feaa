//! One JSON-RPC message, as plain data. Both directions read alike; [`super::Connection`] knows what
//! each direction means.

use super::event::protocol_version;
use super::name::Name;
use super::patch::{Named, name, request_id, rpc_error, text};
use super::update::{read_exit, read_subject, read_update, tool_call_subject};
use super::value::Value;
use crate::event::{ExitStatus, RequestId, RpcError, Subject, Unreadable, Update};
use alloc::{boxed::Box, string::String};

/// The methods that matter; every other request or notification is ignored.
#[cfg(feature = "wasm")]
pub(crate) const METHODS: &[Name] = &[
    Name::Initialize,
    Name::SessionNew,
    Name::SessionFork,
    Name::SessionLoad,
    Name::SessionResume,
    Name::SessionClose,
    Name::SessionDelete,
    Name::SessionPrompt,
    Name::SessionCancel,
    Name::ToolCallCancel,
    Name::TerminalCancel,
    Name::AsyncTaskStop,
    Name::SessionUpdated,
    Name::RequestPermission,
    Name::ElicitationCreate,
    Name::CancelRequest,
    Name::TerminalCreate,
    Name::TerminalOutput,
    Name::TerminalWait,
    Name::TerminalRelease,
    Name::TurnStart,
    Name::TurnEnd,
];

/// One message, as far as anything here reads it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Message<'a> {
    /// A request or a notification.
    Call {
        /// The id of a request; `None` for a notification.
        id: Option<RequestId>,
        /// What it says.
        call: Method<'a>,
    },
    /// A response.
    Response {
        /// The id of the request that it answers.
        id: RequestId,
        /// What it answers.
        answer: Answer<'a>,
    },
    /// A response without a result or an error. It answers its request all the same, as an error: what
    /// waits for it must not wait for ever.
    BrokenResponse {
        /// The id of the request that it answers.
        id: RequestId,
    },
    /// A message that cannot be read, and the session it names, if any.
    Unreadable(Unreadable, Option<&'a str>),
    /// A message that says nothing here.
    Ignored,
}

/// A result or an error.
pub(crate) type Answer<'a> = Result<Box<ResultFields<'a>>, RpcError>;

impl Message<'_> {
    /// The id of the request that it answers.
    pub(super) fn answers(&self) -> Option<&RequestId> {
        match self {
            Self::Response { id, .. } | Self::BrokenResponse { id } => Some(id),
            Self::Call { .. } | Self::Unreadable(..) | Self::Ignored => None,
        }
    }
}

/// What a request or a notification says, by its method.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Method<'a> {
    Initialize,
    /// `session/new` and `session/fork`, whose answer names the session.
    Open,
    /// `session/resume` and v1's `session/load`.
    Resume(&'a str),
    Close(&'a str),
    Delete(&'a str),
    Prompt(&'a str),
    Cancel(&'a str),
    StopToolCall(&'a str, &'a str),
    StopTerminal(&'a str, &'a str),
    StopTask(&'a str, &'a str),
    Update(&'a str, Update<&'a str>),
    Permission(&'a str, Subject<&'a str>),
    Elicitation(&'a str),
    CancelRequest(RequestId),
    TerminalCreate(NewTerminal),
    TerminalOutput(&'a str, &'a str),
    TerminalWait(&'a str, &'a str),
    TerminalRelease(&'a str, &'a str),
    TurnStart(&'a str),
    TurnEnd(&'a str),
}

impl Method<'_> {
    /// Whether it asks the client for something, and so must have an id.
    fn awaits_answer(&self) -> bool {
        matches!(
            self,
            Self::Permission(..)
                | Self::Elicitation(_)
                | Self::TerminalCreate(_)
                | Self::TerminalOutput(..)
                | Self::TerminalWait(..)
        )
    }
}

/// What `terminal/create` asks for; its answer names the terminal (rule V3).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct NewTerminal {
    pub(crate) session: String,
    pub(crate) command: Option<String>,
    pub(crate) cwd: Option<String>,
}

/// The fields of a result that any request's answer is read for.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ResultFields<'a> {
    pub(crate) session_id: Option<&'a str>,
    pub(crate) stop_reason: Option<&'a str>,
    pub(crate) protocol_version: Option<u32>,
    pub(crate) async_tasks: bool,
    pub(crate) stopped: Option<bool>,
    pub(crate) terminal_id: Option<&'a str>,
    /// The result itself as an exit status, as `terminal/wait_for_exit` is answered.
    pub(crate) exit: ExitStatus,
    /// `exitStatus`, as `terminal/output` is answered.
    pub(crate) exit_status: Option<ExitStatus>,
}

const fn unreadable_at<'a>(path: &'static str, expected: &'static str) -> Message<'a> {
    Message::Unreadable(Unreadable { path, expected }, None)
}

/// What a request's id should have been.
const NO_ID: Unreadable = Unreadable {
    path: "id",
    expected: "a string, an integer or null",
};

/// A text that is no JSON.
pub(crate) const fn unreadable<'a>() -> Message<'a> {
    unreadable_at("", "a JSON-RPC message")
}

/// Reads a message; never fails, see [`Message::Unreadable`].
pub(crate) fn read_message<'a, V: Value<'a>>(message: V) -> Message<'a> {
    if !message.is_object() {
        return unreadable();
    }
    let id = match message.field(Name::Id) {
        None => None,
        Some(id) => match request_id(id) {
            Some(id) => Some(id),
            None => return Message::Unreadable(NO_ID, None),
        },
    };
    match (name(message, Name::Method), id) {
        (Named::Name(method), id) => read_call(method, id, message.field(Name::Params)),
        (Named::Other, _) => Message::Ignored,
        (Named::Missing, Some(id)) if message.field(Name::Method).is_none() => {
            read_response(id, message)
        }
        (Named::Missing, _) => unreadable_at("method", "a string"),
    }
}

fn read_call<'a, V: Value<'a>>(
    method: Name,
    id: Option<RequestId>,
    params: Option<V>,
) -> Message<'a> {
    let param = |name| text(params?, name);
    let session = || param(Name::SessionId);
    let work =
        |name, call: fn(&'a str, &'a str) -> Method<'a>| Some(call(session()?, param(name)?));
    let call = match method {
        Name::Initialize => Some(Method::Initialize),
        Name::SessionNew | Name::SessionFork => Some(Method::Open),
        Name::SessionResume | Name::SessionLoad => session().map(Method::Resume),
        Name::SessionClose => session().map(Method::Close),
        Name::SessionDelete => session().map(Method::Delete),
        Name::SessionPrompt => session().map(Method::Prompt),
        Name::SessionCancel => session().map(Method::Cancel),
        Name::ToolCallCancel => work(Name::ToolCallId, Method::StopToolCall),
        Name::TerminalCancel => work(Name::TerminalId, Method::StopTerminal),
        Name::AsyncTaskStop => work(Name::AsyncTaskId, Method::StopTask),
        Name::SessionUpdated => session().map(|session| {
            let update = params.and_then(|params| params.field(Name::Update));
            Method::Update(session, read_update(update))
        }),
        Name::RequestPermission => session().map(|session| {
            let field = |name| params.and_then(|params| params.field(name));
            let subject = match field(Name::Subject).filter(|subject| !subject.is_null()) {
                Some(subject) => read_subject(Some(subject)),
                None => tool_call_subject(field(Name::ToolCall)),
            };
            Method::Permission(session, subject)
        }),
        // Without a session it belongs to another request, which no rule reads (rule P4).
        Name::ElicitationCreate => match session() {
            Some(session) => Some(Method::Elicitation(session)),
            None if params
                .and_then(|params| params.field(Name::SessionId))
                .is_none_or(|id| id.is_null()) =>
            {
                return Message::Ignored;
            }
            None => None,
        },
        Name::CancelRequest => {
            let id = params.and_then(|params| params.field(Name::RequestId));
            match id.and_then(|id| request_id(id)) {
                Some(id) => Some(Method::CancelRequest(id)),
                None => {
                    return unreadable_at("params.requestId", "a string, an integer or null");
                }
            }
        }
        Name::TerminalCreate => session().map(|session| {
            Method::TerminalCreate(NewTerminal {
                session: session.into(),
                command: params.and_then(command_line),
                cwd: param(Name::Cwd).map(Into::into),
            })
        }),
        Name::TerminalOutput => work(Name::TerminalId, Method::TerminalOutput),
        Name::TerminalWait => work(Name::TerminalId, Method::TerminalWait),
        Name::TerminalRelease => work(Name::TerminalId, Method::TerminalRelease),
        Name::TurnStart => session().map(Method::TurnStart),
        Name::TurnEnd => session().map(Method::TurnEnd),
        _ => return Message::Ignored,
    };
    match (call, session()) {
        (Some(call), session) if id.is_none() && call.awaits_answer() => {
            Message::Unreadable(NO_ID, session)
        }
        (Some(call), _) => Message::Call { id, call },
        (None, None) => unreadable_at("params.sessionId", "a string"),
        (None, Some(session)) => Message::Unreadable(
            Unreadable {
                path: match method {
                    Name::ToolCallCancel => "params.toolCallId",
                    Name::AsyncTaskStop => "params.asyncTaskId",
                    _ => "params.terminalId",
                },
                expected: "a string",
            },
            Some(session),
        ),
    }
}

/// The command line of `terminal/create`: the command and its arguments.
fn command_line<'a, V: Value<'a>>(params: V) -> Option<String> {
    let command = text(params, Name::Command)?;
    let arguments = params.field(Name::Args).and_then(|args| args.items());
    let words = arguments
        .into_iter()
        .flatten()
        .filter_map(|word| word.text());
    Some(words.fold(command.into(), |line, word| [&line, " ", word].concat()))
}

fn read_response<'a, V: Value<'a>>(id: RequestId, message: V) -> Message<'a> {
    let error = message.field(Name::Error).filter(|error| !error.is_null());
    let answer = match (error, message.field(Name::Result)) {
        (None, Some(result)) => Some(Ok(Box::new(read_result(result)))),
        (error, _) => error.and_then(rpc_error).map(Err),
    };
    match answer {
        Some(answer) => Message::Response { id, answer },
        None => Message::BrokenResponse { id },
    }
}

fn read_result<'a, V: Value<'a>>(result: V) -> ResultFields<'a> {
    if !result.is_object() {
        return ResultFields::default();
    }
    ResultFields {
        session_id: text(result, Name::SessionId),
        stop_reason: text(result, Name::StopReason),
        protocol_version: result
            .field(Name::ProtocolVersion)
            .and_then(protocol_version),
        async_tasks: advertises_async_tasks(result),
        stopped: result
            .field(Name::Stopped)
            .and_then(|stopped| stopped.boolean()),
        terminal_id: text(result, Name::TerminalId),
        exit: read_exit(result).unwrap_or_default(),
        exit_status: result.field(Name::ExitStatus).and_then(read_exit),
    }
}

/// `_meta.jetbrains.air.capabilities` with `asyncTasks` (rule J1): a list of names in agents seen so
/// far; an object of capabilities, as ACP writes its own, reads alike.
fn advertises_async_tasks<'a, V: Value<'a>>(result: V) -> bool {
    let path = [Name::Meta, Name::Jetbrains, Name::Air, Name::Capabilities];
    let mut names = path.into_iter();
    let Some(first) = names.next().and_then(|name| result.field(name)) else {
        return false;
    };
    let Some(capabilities) = names.try_fold(first, |object, name| object.field(name)) else {
        return false;
    };
    match capabilities.items() {
        Some(mut items) => items.any(|item| item.text() == Some("asyncTasks")),
        None => capabilities
            .field(Name::AsyncTasks)
            .is_some_and(|tasks| !tasks.is_null() && tasks.boolean() != Some(false)),
    }
}
