//! What the official crate read, as our own type. Nothing here looks at JSON, save at `_meta`, which
//! the official crate keeps as it came.

use acp_client_state::{
    BackgroundItem, BackgroundList, ExitStatus, Patch, RpcError, StateUpdate, SubagentUpdate,
    Subject, TerminalMeta, TerminalUpdate, ToolCallContent, ToolCallUpdate, Update,
};
use agent_client_protocol_schema::{MaybeUndefined, v1, v2};
use serde::Serialize;
use serde_json::{Map, Value};

/// An official v2 update.
pub fn v2_update(update: v2::SessionUpdate) -> Update {
    match update {
        v2::SessionUpdate::StateUpdate(state) => Update::State(v2_state(state)),
        v2::SessionUpdate::ToolCallUpdate(call) => Update::ToolCall(Box::new(v2_call(call))),
        v2::SessionUpdate::ToolCallContentChunk(chunk) => Update::ToolCallContent {
            tool_call_id: chunk.tool_call_id.0.to_string(),
            content: v2_content(chunk.content),
        },
        v2::SessionUpdate::TerminalUpdate(terminal) => Update::Terminal(Box::new(TerminalUpdate {
            terminal_id: terminal.terminal_id.0.to_string(),
            command: patch(terminal.command, |command| command),
            cwd: patch(terminal.cwd, |cwd| name(&cwd)),
            exit: patch(terminal.exit_status, |exit| ExitStatus {
                exit_code: exit.exit_code,
                signal: exit.signal,
            }),
            cancel: patch(terminal.capabilities, |can| can.cancel.is_some()),
            output: patch(terminal.output, |output| output.data),
            released: false,
        })),
        v2::SessionUpdate::TerminalOutputChunk(chunk) => Update::TerminalOutput {
            terminal_id: chunk.terminal_id.0.to_string(),
            data: Some(chunk.data),
        },
        v2::SessionUpdate::SubagentUpdate(child) => Update::Subagent(Box::new(SubagentUpdate {
            session_id: child.session_id.0.to_string(),
            title: patch(child.title, |title| title),
            cancel: patch(child.capabilities, |can| can.cancel.is_some()),
            has_state: child.state.is_value(),
            state: patch(child.state, v2_state),
        })),
        _ => Update::Ignored,
    }
}

/// An official v1 update; `tool_call` as the update that `exceptions` makes of it.
pub fn v1_update(update: v1::SessionUpdate) -> Update {
    match update {
        v1::SessionUpdate::ToolCallUpdate(call) => Update::ToolCall(Box::new(v1_call(call))),
        v1::SessionUpdate::ToolCall(call) => Update::ToolCall(Box::new(ToolCallUpdate {
            tool_call_id: call.tool_call_id.0.to_string(),
            status: Patch::Value(name(&call.status)),
            title: Patch::Value(call.title),
            kind: Patch::Value(name(&call.kind)),
            cancel: Patch::Omitted,
            content: Patch::Value(call.content.into_iter().filter_map(v1_content).collect()),
            meta: terminal_meta(call.meta.as_ref()),
        })),
        v1::SessionUpdate::SubagentUpdate(child) => Update::Subagent(Box::new(SubagentUpdate {
            session_id: child.session_id.0.to_string(),
            title: patch(child.title, |title| title),
            cancel: patch(child.capabilities, |can| can.cancel.is_some()),
            has_state: child.state.is_value(),
            state: patch(child.state, v1_state),
        })),
        _ => Update::Ignored,
    }
}

/// The subject of an official v2 permission request.
pub fn v2_subject(request: v2::RequestPermissionRequest) -> Subject {
    match request.subject {
        Some(v2::RequestPermissionSubject::ToolCall(subject)) => {
            Subject::ToolCall(Box::new(v2_call(subject.tool_call)))
        }
        Some(v2::RequestPermissionSubject::Command(subject)) => {
            let tool_call_id = subject.tool_call_id.map(|id| id.0.to_string());
            let terminal_id = subject.terminal_id.map(|id| id.0.to_string());
            // One in which no id is readable counts as unrecognised (rule C4).
            if tool_call_id.is_none() && terminal_id.is_none() {
                return Subject::None;
            }
            Subject::Command {
                tool_call_id,
                terminal_id,
            }
        }
        _ => Subject::None,
    }
}

/// The subject of an official v1 permission request (rule V2).
pub fn v1_subject(request: v1::RequestPermissionRequest) -> Subject {
    Subject::ToolCall(Box::new(v1_call(request.tool_call)))
}

fn v2_state(state: v2::StateUpdate) -> StateUpdate {
    let background = match state.background() {
        Some(items) => BackgroundList::Listed(items.iter().map(v2_item).collect()),
        None => BackgroundList::NotReported,
    };
    let (stop_reason, error) = match &state {
        v2::StateUpdate::Idle(idle) => match &idle.stop_reason {
            Some(v2::StopReason::Error(stop)) => (
                Some("error".into()),
                stop.error.as_ref().map(|error| RpcError {
                    code: i32::from(error.code).into(),
                    message: error.message.clone(),
                }),
            ),
            Some(reason) => (Some(tag(reason, "stopReason")), None),
            None => (None, None),
        },
        _ => (None, None),
    };
    StateUpdate {
        state: tag(&state, "state"),
        stop_reason,
        error,
        background,
    }
}

fn v1_state(state: v1::StateUpdate) -> StateUpdate {
    let (stop_reason, error) = match &state {
        v1::StateUpdate::Idle(idle) => match &idle.stop_reason {
            Some(v1::IdleStopReason::Error(stop)) => (
                Some("error".into()),
                stop.error.as_ref().map(|error| RpcError {
                    code: i32::from(error.code).into(),
                    message: error.message.clone(),
                }),
            ),
            Some(reason) => (Some(tag(reason, "stopReason")), None),
            None => (None, None),
        },
        _ => (None, None),
    };
    StateUpdate {
        state: tag(&state, "state"),
        stop_reason,
        error,
        background: BackgroundList::NotReported,
    }
}

fn v2_item(item: &v2::BackgroundWork) -> BackgroundItem {
    match item {
        v2::BackgroundWork::Terminal(item) => {
            BackgroundItem::Terminal(item.terminal_id.0.to_string())
        }
        v2::BackgroundWork::ToolCall(item) => {
            BackgroundItem::ToolCall(item.tool_call_id.0.to_string())
        }
        v2::BackgroundWork::Subagent(item) => {
            BackgroundItem::Subagent(item.session_id.0.to_string())
        }
        v2::BackgroundWork::Other(item) => BackgroundItem::Other(item.kind.clone()),
        other => panic!("a kind of work that this test does not know: {other:?}"),
    }
}

fn v2_call(call: v2::ToolCallUpdate) -> ToolCallUpdate {
    ToolCallUpdate {
        tool_call_id: call.tool_call_id.0.to_string(),
        status: patch(call.status, |status| name(&status)),
        title: patch(call.title, |title| title),
        kind: patch(call.kind, |kind| name(&kind)),
        cancel: patch(call.capabilities, |can| can.cancel.is_some()),
        content: patch(call.content, |items| {
            items.into_iter().filter_map(v2_content).collect()
        }),
        meta: terminal_meta(call.meta.value()),
    }
}

fn v1_call(call: v1::ToolCallUpdate) -> ToolCallUpdate {
    let fields = call.fields;
    ToolCallUpdate {
        tool_call_id: call.tool_call_id.0.to_string(),
        status: value(fields.status.map(|status| name(&status))),
        title: value(fields.title),
        kind: value(fields.kind.map(|kind| name(&kind))),
        cancel: Patch::Omitted,
        content: value(
            fields
                .content
                .map(|items| items.into_iter().filter_map(v1_content).collect()),
        ),
        meta: terminal_meta(call.meta.as_ref()),
    }
}

fn v2_content(item: v2::ToolCallContent) -> Option<ToolCallContent> {
    match item {
        v2::ToolCallContent::Terminal(item) => {
            Some(ToolCallContent::Terminal(item.terminal_id.0.to_string()))
        }
        v2::ToolCallContent::Session(item) => {
            Some(ToolCallContent::Session(item.session_id.0.to_string()))
        }
        _ => None,
    }
}

fn v1_content(item: v1::ToolCallContent) -> Option<ToolCallContent> {
    match item {
        v1::ToolCallContent::Terminal(item) => {
            Some(ToolCallContent::Terminal(item.terminal_id.0.to_string()))
        }
        v1::ToolCallContent::Session(item) => {
            Some(ToolCallContent::Session(item.session_id.0.to_string()))
        }
        _ => None,
    }
}

/// Rule V3, in the map that the official crate does not read further.
fn terminal_meta(meta: Option<&Map<String, Value>>) -> Option<Box<TerminalMeta>> {
    let field = |name| {
        let field: &Value = meta?.get(name)?;
        Some((field["terminal_id"].as_str()?.to_owned(), field))
    };
    let text = |field: &Value, name| field.get(name).and_then(Value::as_str).map(str::to_owned);
    let data = |name| {
        let (id, field) = field(name)?;
        Some((id, text(field, "data")?))
    };
    let read = TerminalMeta {
        info: field("terminal_info").map(|(id, info)| (id, text(info, "cwd"))),
        output: data("terminal_output"),
        output_delta: data("terminal_output_delta"),
        exit: field("terminal_exit").map(|(id, exit)| {
            let status = ExitStatus {
                exit_code: super::exceptions::safe_integer(&exit["exit_code"]),
                signal: text(exit, "signal"),
            };
            (id, status)
        }),
    };
    (read != TerminalMeta::default()).then(|| Box::new(read))
}

fn patch<T, U>(field: MaybeUndefined<T>, read: impl FnOnce(T) -> U) -> Patch<U> {
    match field {
        MaybeUndefined::Undefined => Patch::Omitted,
        MaybeUndefined::Null => Patch::Null,
        MaybeUndefined::Value(value) => Patch::Value(read(value)),
    }
}

fn value<T>(field: Option<T>) -> Patch<T> {
    field.map_or(Patch::Omitted, Patch::Value)
}

/// The name of a value that is a string on the wire.
fn name<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value).unwrap() {
        Value::String(name) => name,
        other => panic!("{other} is no name"),
    }
}

/// The tag of a value that is an object on the wire.
fn tag<T: Serialize>(value: &T, tag: &str) -> String {
    name(&serde_json::to_value(value).unwrap()[tag])
}
