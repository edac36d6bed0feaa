//! A typed event of the host: the package's `Event` (types.ts) as it stands. What is wrong in it is the
//! host's fault; what an agent sent inside it (`update`, `subject`) is read as ever.

use super::name::Name;
use super::patch::{Named, name, request_id, rpc_error, text};
use super::update::{read_subject, read_tool_call, read_update};
use super::value::Value;
use crate::event::{Event, RequestId, RpcError, StopTarget, Subject};
use alloc::boxed::Box;

/// A wrong call of the host: which argument, and what it must be (rule E2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BadEvent {
    /// The argument, such as `event.sessionId`.
    pub(crate) argument: &'static str,
    /// What it must be, such as `a string`.
    pub(crate) expected: &'static str,
}

const fn bad(argument: &'static str, expected: &'static str) -> BadEvent {
    BadEvent { argument, expected }
}

const UNKNOWN: BadEvent = bad("event.type", "a known type of event");

/// Reads a typed event.
pub(crate) fn read_event<'a, V: Value<'a>>(event: V) -> Result<Event<&'a str>, BadEvent> {
    if !event.is_object() {
        return Err(bad("event", "an object"));
    }
    let kind = match name(event, Name::Type) {
        Named::Name(kind) => kind,
        Named::Other => return Err(UNKNOWN),
        Named::Missing => return Err(bad("event.type", "a string")),
    };
    Ok(match kind {
        Name::SessionOpened => Event::SessionOpened {
            session_id: session(event)?,
        },
        Name::Update => Event::Update {
            session_id: session(event)?,
            update: read_update(event.field(Name::Update)),
        },
        Name::PermissionRequested => Event::PermissionRequested {
            request_id: request(event)?,
            session_id: session(event)?,
            subject: typed_subject(event.field(Name::Subject)),
        },
        Name::ElicitationRequested => Event::ElicitationRequested {
            request_id: request(event)?,
            session_id: session(event)?,
        },
        Name::RequestAnswered => Event::RequestAnswered {
            request_id: request(event)?,
        },
        Name::RequestCancelled => Event::RequestCancelled {
            request_id: request(event)?,
        },
        Name::PromptSent => Event::PromptSent {
            request_id: request(event)?,
            session_id: session(event)?,
        },
        Name::PromptAnswered => Event::PromptAnswered {
            request_id: request(event)?,
            stop_reason: stop_reason(event)?,
            error: error(event)?,
        },
        Name::CancelSent => Event::CancelSent {
            session_id: session(event)?,
        },
        Name::StopSent => Event::StopSent {
            request_id: request(event)?,
            session_id: session(event)?,
            target: read_work(event).ok_or(bad(
                "event",
                "with one of toolCallId, terminalId or asyncTaskId, a string",
            ))?,
        },
        Name::StopAnswered => Event::StopAnswered {
            request_id: request(event)?,
            stopped: match optional(event, Name::Stopped) {
                None => None,
                Some(stopped) => Some(stopped.boolean().ok_or(bad("event.stopped", "a boolean"))?),
            },
            error: error(event)?,
        },
        Name::CloseSent => Event::CloseSent {
            session_id: session(event)?,
        },
        Name::CloseAnswered => Event::CloseAnswered {
            session_id: session(event)?,
            error: error(event)?,
        },
        Name::ResumeSent => Event::ResumeSent {
            session_id: session(event)?,
        },
        Name::ResumeAnswered => Event::ResumeAnswered {
            session_id: session(event)?,
            error: error(event)?,
        },
        Name::SessionDeleted => Event::SessionDeleted {
            session_id: session(event)?,
        },
        Name::Initialized => Event::Initialized {
            protocol_version: event
                .field(Name::ProtocolVersion)
                .and_then(protocol_version)
                .ok_or(bad("event.protocolVersion", "an integer from 0 to 65535"))?,
            async_tasks: event
                .field(Name::AsyncTasks)
                .and_then(|tasks| tasks.boolean())
                .ok_or(bad("event.asyncTasks", "a boolean"))?,
        },
        Name::AgentTurnStarted => Event::AgentTurnStarted {
            session_id: session(event)?,
        },
        Name::AgentTurnEnded => Event::AgentTurnEnded {
            session_id: session(event)?,
            stop_reason: stop_reason(event)?,
        },
        Name::Disconnected => Event::Disconnected,
        _ => return Err(UNKNOWN),
    })
}

/// A subject, or v1's tool call in its place (rule V2).
fn typed_subject<'a, V: Value<'a>>(subject: Option<V>) -> Subject<&'a str> {
    match subject.filter(|subject| subject.field(Name::Type).is_none()) {
        Some(untyped) => {
            read_tool_call(untyped).map_or(Subject::None, |call| Subject::Untyped(Box::new(call)))
        }
        None => read_subject(subject),
    }
}

/// A protocol version, which is a 16-bit number (schema).
pub(super) fn protocol_version<'a, V: Value<'a>>(version: V) -> Option<u32> {
    let version = super::patch::safe_integer(version)?;
    u16::try_from(version).ok().map(u32::from)
}

/// What to stop, the package's `StopTarget` (types.ts); `None` unless it names exactly one thing.
#[cfg(feature = "wasm")]
pub(crate) fn read_stop_target<'a, V: Value<'a>>(target: V) -> Option<StopTarget> {
    let session = text(target, Name::SessionId).map(|id| StopTarget::Session {
        session_id: id.into(),
    });
    match (read_work(target), session) {
        (Some(target), None) | (None, Some(target)) => Some(target),
        (Some(_), Some(_)) | (None, None) => None,
    }
}

/// The one of three ids that names the work.
pub(super) fn read_work<'a, V: Value<'a>>(object: V) -> Option<StopTarget> {
    let call = text(object, Name::ToolCallId).map(|id| StopTarget::ToolCall {
        tool_call_id: id.into(),
    });
    let terminal = text(object, Name::TerminalId).map(|id| StopTarget::Terminal {
        terminal_id: id.into(),
    });
    let task = text(object, Name::AsyncTaskId).map(|id| StopTarget::Task {
        async_task_id: id.into(),
    });
    let mut named = [call, terminal, task].into_iter().flatten();
    let target = named.next()?;
    named.next().is_none().then_some(target)
}

fn session<'a, V: Value<'a>>(event: V) -> Result<&'a str, BadEvent> {
    text(event, Name::SessionId).ok_or(bad("event.sessionId", "a string"))
}

fn request<'a, V: Value<'a>>(event: V) -> Result<RequestId, BadEvent> {
    event
        .field(Name::RequestId)
        .and_then(request_id)
        .ok_or(bad("event.requestId", "a string, an integer or null"))
}

/// A field that the host may omit or give as `null`.
fn optional<'a, V: Value<'a>>(event: V, name: Name) -> Option<V> {
    event.field(name).filter(|value| !value.is_null())
}

fn stop_reason<'a, V: Value<'a>>(event: V) -> Result<Option<&'a str>, BadEvent> {
    match optional(event, Name::StopReason) {
        None => Ok(None),
        Some(reason) => reason
            .text()
            .map(Some)
            .ok_or(bad("event.stopReason", "a string")),
    }
}

fn error<'a, V: Value<'a>>(event: V) -> Result<Option<RpcError>, BadEvent> {
    match optional(event, Name::Error) {
        None => Ok(None),
        Some(error) => rpc_error(error)
            .map(Some)
            .ok_or(bad("event.error", "an object")),
    }
}
