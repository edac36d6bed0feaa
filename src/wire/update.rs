//! One `session/update`: read by its kind, unread fields skipped.

use super::name::Name;
use super::patch::{Named, cancel_patch, integer, name, patch, rpc_error, text, text_patch};
use super::value::Value;
use crate::event::{
    BackgroundItem, BackgroundList, ExitStatus, Patch, StateUpdate, SubagentUpdate, Subject,
    TaskSpawned, TerminalMeta, TerminalUpdate, ToolCallContent, ToolCallUpdate, Unreadable, Update,
};
use alloc::{boxed::Box, vec::Vec};

/// The kinds of update that matter; every other one is ignored.
#[cfg(feature = "wasm")]
pub(crate) const KINDS: &[Name] = &[
    Name::StateUpdate,
    Name::AToolCall,
    Name::ToolCallUpdate,
    Name::ToolCallContentChunk,
    Name::TerminalUpdate,
    Name::TerminalOutputChunk,
    Name::SubagentUpdate,
    Name::SubagentSpawned,
    Name::SubagentStateUpdate,
    Name::TaskSpawned,
    Name::OldTaskSpawned,
    Name::TaskStateUpdate,
    Name::OldTaskStateUpdate,
    Name::TaskProgress,
    Name::OldTaskProgress,
];

/// Reads `params.update`; what cannot be read comes back as [`Update::Unreadable`] (rule E1).
pub(crate) fn read_update<'a, V: Value<'a>>(update: Option<V>) -> Update<&'a str> {
    let Some(update) = update.filter(|update| update.is_object()) else {
        return unreadable("update", "an object");
    };
    let kind = match name(update, Name::SessionUpdate) {
        Named::Name(kind) => kind,
        Named::Other => return Update::Ignored,
        Named::Missing => return unreadable("update.sessionUpdate", "a string"),
    };
    let read = match kind {
        Name::StateUpdate => return read_state(update),
        Name::AToolCall | Name::ToolCallUpdate => {
            read_tool_call(update).map(|call| Update::ToolCall(Box::new(call)))
        }
        Name::ToolCallContentChunk => {
            text(update, Name::ToolCallId).map(|tool_call_id| Update::ToolCallContent {
                tool_call_id,
                content: update.field(Name::Content).and_then(read_content),
            })
        }
        Name::TerminalUpdate => {
            read_terminal(update).map(|terminal| Update::Terminal(Box::new(terminal)))
        }
        Name::TerminalOutputChunk => {
            text(update, Name::TerminalId).map(|terminal_id| Update::TerminalOutput {
                terminal_id,
                data: text(update, Name::Data),
            })
        }
        Name::SubagentUpdate => {
            read_subagent(update).map(|child| Update::Subagent(Box::new(child)))
        }
        Name::SubagentSpawned => text(update, Name::SubagentSessionId).map(|session_id| {
            Update::Subagent(Box::new(SubagentUpdate {
                session_id,
                title: text(update, Name::Called).map_or(Patch::Omitted, Patch::Value),
                cancel: Patch::Omitted,
                state: Patch::Value(plain_state("running", BackgroundList::NotReported)),
                has_state: true,
            }))
        }),
        Name::SubagentStateUpdate => return read_subagent_state(update),
        Name::TaskSpawned | Name::OldTaskSpawned => {
            text(update, Name::AsyncTaskId).map(|async_task_id| {
                Update::TaskSpawned(Box::new(TaskSpawned {
                    async_task_id,
                    name: text(update, Name::Called),
                    task_type: text(update, Name::TaskType),
                    can_stop: update.field(Name::CanStop).and_then(|can| can.boolean()),
                    tool_call_id: text(update, Name::ToolCallId),
                }))
            })
        }
        Name::TaskStateUpdate | Name::OldTaskStateUpdate => {
            return read_task_state(update);
        }
        Name::TaskProgress | Name::OldTaskProgress => text(update, Name::AsyncTaskId)
            .map(|async_task_id| Update::TaskProgress { async_task_id }),
        _ => return Update::Ignored,
    };
    read.unwrap_or_else(|| unreadable(id_path(kind), "a string"))
}

/// Where the id of a kind stands.
fn id_path(kind: Name) -> &'static str {
    match kind {
        Name::AToolCall | Name::ToolCallUpdate | Name::ToolCallContentChunk => "update.toolCallId",
        Name::TerminalUpdate | Name::TerminalOutputChunk => "update.terminalId",
        Name::SubagentUpdate => "update.sessionId",
        Name::SubagentSpawned | Name::SubagentStateUpdate => "update.subagentSessionId",
        _ => "update.asyncTaskId",
    }
}

fn unreadable<'a>(path: &'static str, expected: &'static str) -> Update<&'a str> {
    Update::Unreadable(Unreadable { path, expected })
}

fn read_state<'a, V: Value<'a>>(update: V) -> Update<&'a str> {
    match state(update) {
        Some(state) => Update::State(state),
        None => unreadable("update.state", "a string"),
    }
}

/// A state with its list, as a `state_update` or a `subagent_update` holds it.
fn state<'a, V: Value<'a>>(object: V) -> Option<StateUpdate<&'a str>> {
    Some(StateUpdate {
        state: text(object, Name::State)?,
        stop_reason: text(object, Name::StopReason),
        error: object.field(Name::Error).and_then(rpc_error),
        background: read_background(object),
    })
}

fn plain_state<'a>(state: &'a str, background: BackgroundList<&'a str>) -> StateUpdate<&'a str> {
    StateUpdate {
        state,
        stop_reason: None,
        error: None,
        background,
    }
}

/// The background list as a whole (rules B1 to B4).
fn read_background<'a, V: Value<'a>>(object: V) -> BackgroundList<&'a str> {
    let Some(list) = object
        .field(Name::Background)
        .filter(|list| !list.is_null())
    else {
        return BackgroundList::NotReported;
    };
    let Some(items) = list.items() else {
        return BackgroundList::Malformed {
            path: "background".into(),
            expected: "an array",
        };
    };
    let mut listed = Vec::new();
    for (position, item) in items.enumerate() {
        match read_background_item(item) {
            Ok(item) => listed.push(item),
            Err((field, expected)) => {
                let position = crate::number::decimal(position);
                return BackgroundList::Malformed {
                    path: ["background[", &position, "]", field].concat(),
                    expected,
                };
            }
        }
    }
    BackgroundList::Listed(listed)
}

fn read_background_item<'a, V: Value<'a>>(
    item: V,
) -> Result<BackgroundItem<&'a str>, (&'static str, &'static str)> {
    if !item.is_object() {
        return Err(("", "an object"));
    }
    let kind = text(item, Name::Type).ok_or((".type", "a string"))?;
    match item.field(Name::Type).and_then(V::name) {
        Some(Name::ATerminal) => text(item, Name::TerminalId)
            .map(BackgroundItem::Terminal)
            .ok_or((".terminalId", "a string")),
        Some(Name::AToolCall) => text(item, Name::ToolCallId)
            .map(BackgroundItem::ToolCall)
            .ok_or((".toolCallId", "a string")),
        Some(Name::ASubagent) => text(item, Name::SessionId)
            .map(BackgroundItem::Subagent)
            .ok_or((".sessionId", "a string")),
        _ => Ok(BackgroundItem::Other(kind)),
    }
}

/// A tool call update; `None` without a readable id.
pub(super) fn read_tool_call<'a, V: Value<'a>>(update: V) -> Option<ToolCallUpdate<&'a str>> {
    Some(ToolCallUpdate {
        tool_call_id: text(update, Name::ToolCallId)?,
        status: text_patch(update, Name::Status),
        title: text_patch(update, Name::Title),
        kind: text_patch(update, Name::Kind),
        cancel: cancel_patch(update),
        content: patch(update, Name::Content, |content| {
            Some(content.items()?.filter_map(read_content).collect())
        }),
        meta: read_terminal_meta(update),
    })
}

fn read_content<'a, V: Value<'a>>(item: V) -> Option<ToolCallContent<&'a str>> {
    match item.field(Name::Type)?.name()? {
        Name::ATerminal => text(item, Name::TerminalId).map(ToolCallContent::Terminal),
        Name::ASession => text(item, Name::SessionId).map(ToolCallContent::Session),
        _ => None,
    }
}

/// What `_meta` says of terminals (rule V3); `None` when it says nothing.
fn read_terminal_meta<'a, V: Value<'a>>(update: V) -> Option<Box<TerminalMeta<&'a str>>> {
    let meta = update.field(Name::Meta).filter(|meta| meta.is_object())?;
    let terminal = |name| {
        let field = meta.field(name)?;
        Some((text(field, Name::MetaTerminalId)?, field))
    };
    let output = |name| {
        let (terminal_id, field) = terminal(name)?;
        Some((terminal_id, text(field, Name::Data)?))
    };
    let read = TerminalMeta {
        info: terminal(Name::MetaTerminalInfo).map(|(id, info)| (id, text(info, Name::Cwd))),
        output: output(Name::MetaTerminalOutput),
        output_delta: output(Name::MetaTerminalOutputDelta),
        exit: terminal(Name::MetaTerminalExit).map(|(id, exit)| {
            let status = ExitStatus {
                exit_code: integer(exit, Name::MetaExitCode),
                signal: text(exit, Name::Signal).map(Into::into),
            };
            (id, status)
        }),
    };
    (read != TerminalMeta::default()).then(|| Box::new(read))
}

fn read_terminal<'a, V: Value<'a>>(update: V) -> Option<TerminalUpdate<&'a str>> {
    Some(TerminalUpdate {
        terminal_id: text(update, Name::TerminalId)?,
        command: text_patch(update, Name::Command),
        cwd: text_patch(update, Name::Cwd),
        exit: patch(update, Name::ExitStatus, read_exit),
        cancel: cancel_patch(update),
        output: patch(update, Name::Output, |output| text(output, Name::Data)),
        released: false,
    })
}

/// An exit status; `None` when this is no object (rule M1).
pub(super) fn read_exit<'a, V: Value<'a>>(status: V) -> Option<ExitStatus> {
    status.is_object().then(|| ExitStatus {
        exit_code: integer(status, Name::ExitCode),
        signal: text(status, Name::Signal).map(Into::into),
    })
}

fn read_subagent<'a, V: Value<'a>>(update: V) -> Option<SubagentUpdate<&'a str>> {
    Some(SubagentUpdate {
        session_id: text(update, Name::SessionId)?,
        title: text_patch(update, Name::Title),
        cancel: cancel_patch(update),
        state: patch(update, Name::State, state),
        has_state: update
            .field(Name::State)
            .is_some_and(|state| state.is_object()),
    })
}

/// v1's word on a child (rule V5).
fn read_subagent_state<'a, V: Value<'a>>(update: V) -> Update<&'a str> {
    let Some(session_id) = text(update, Name::SubagentSessionId) else {
        return unreadable("update.subagentSessionId", "a string");
    };
    let Some(state) = text(update, Name::State) else {
        return unreadable("update.state", "a string");
    };
    let state = match state {
        "completed" | "failed" | "stopped" | "idle" => plain_state("idle", BackgroundList::Ended),
        other => plain_state(other, BackgroundList::NotReported),
    };
    Update::Subagent(Box::new(SubagentUpdate {
        session_id,
        title: Patch::Omitted,
        cancel: Patch::Omitted,
        state: Patch::Value(state),
        has_state: true,
    }))
}

fn read_task_state<'a, V: Value<'a>>(update: V) -> Update<&'a str> {
    let Some(async_task_id) = text(update, Name::AsyncTaskId) else {
        return unreadable("update.asyncTaskId", "a string");
    };
    match text(update, Name::State) {
        Some(state) => Update::TaskState {
            async_task_id,
            state,
        },
        None => unreadable("update.state", "a string"),
    }
}

/// The subject of a permission request (rules C3, C4).
pub(super) fn read_subject<'a, V: Value<'a>>(subject: Option<V>) -> Subject<&'a str> {
    let Some(subject) = subject else {
        return Subject::None;
    };
    match subject.field(Name::Type).and_then(V::name) {
        Some(Name::AToolCall) => tool_call_subject(subject.field(Name::ToolCall)),
        Some(Name::Command) => match (
            text(subject, Name::ToolCallId),
            text(subject, Name::TerminalId),
        ) {
            (None, None) => Subject::None,
            (tool_call_id, terminal_id) => Subject::Command {
                tool_call_id,
                terminal_id,
            },
        },
        Some(_) | None => Subject::None,
    }
}

/// v1's `toolCall` of a permission request, which is its subject (rule V2).
pub(super) fn tool_call_subject<'a, V: Value<'a>>(call: Option<V>) -> Subject<&'a str> {
    call.and_then(read_tool_call)
        .map_or(Subject::None, |call| Subject::ToolCall(Box::new(call)))
}
