//! Events as the JSON of the package's declarations (types.ts), so that they can be kept and read
//! again. What was malformed in an update is written as what it counts as.

use alloc::{borrow::ToOwned, string::String};
use serde_json::{Map, Value, json};

use crate::event::{
    BackgroundItem, BackgroundList, Event, Patch, StateUpdate, StopTarget, SubagentUpdate, Subject,
    TaskSpawned, TerminalMeta, TerminalUpdate, ToolCallContent, ToolCallUpdate, Update,
};

/// An object with those of the fields that are there.
fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let fields = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(fields.collect::<Map<_, _>>())
}

fn with_type(kind: &str, mut event: Value) -> Value {
    if let Some(fields) = event.as_object_mut() {
        fields.insert("type".into(), kind.into());
    }
    event
}

fn patch<T>(patch: &Patch<T>, value: impl FnOnce(&T) -> Value) -> Option<Value> {
    match patch {
        Patch::Omitted => None,
        Patch::Null => Some(Value::Null),
        Patch::Value(content) => Some(value(content)),
    }
}

fn text(patched: &Patch<String>) -> Option<Value> {
    patch(patched, |text| json!(text))
}

fn capabilities(cancel: &Patch<bool>) -> Option<Value> {
    patch(cancel, |cancel| {
        if *cancel {
            json!({ "cancel": {} })
        } else {
            json!({})
        }
    })
}

pub(super) fn event(event: &Event) -> Value {
    match event {
        Event::SessionOpened { session_id } => {
            json!({ "type": "session_opened", "sessionId": session_id })
        }
        Event::Update {
            session_id,
            update: content,
        } => json!({ "type": "update", "sessionId": session_id, "update": update(content) }),
        Event::PermissionRequested {
            request_id,
            session_id,
            subject: content,
        } => json!({
            "type": "permission_requested",
            "requestId": request_id,
            "sessionId": session_id,
            "subject": subject(content),
        }),
        Event::ElicitationRequested {
            request_id,
            session_id,
        } => json!({
            "type": "elicitation_requested",
            "requestId": request_id,
            "sessionId": session_id,
        }),
        Event::RequestAnswered { request_id } => {
            json!({ "type": "request_answered", "requestId": request_id })
        }
        Event::RequestCancelled { request_id } => {
            json!({ "type": "request_cancelled", "requestId": request_id })
        }
        Event::PromptSent {
            request_id,
            session_id,
        } => json!({ "type": "prompt_sent", "requestId": request_id, "sessionId": session_id }),
        Event::PromptAnswered {
            request_id,
            stop_reason,
            error,
        } => with_type(
            "prompt_answered",
            object([
                ("requestId", Some(json!(request_id))),
                (
                    "stopReason",
                    stop_reason.as_ref().map(|reason| json!(reason)),
                ),
                ("error", error.as_ref().map(|error| json!(error))),
            ]),
        ),
        Event::CancelSent { session_id } => {
            json!({ "type": "cancel_sent", "sessionId": session_id })
        }
        Event::StopSent {
            request_id,
            session_id,
            target,
        } => {
            // A child is stopped by a cancel of it, which has no id (rule S5).
            if let StopTarget::Session { session_id } = target {
                return json!({ "type": "cancel_sent", "sessionId": session_id });
            }
            let mut event =
                json!({ "type": "stop_sent", "requestId": request_id, "sessionId": session_id });
            if let (Some(event), Value::Object(target)) = (event.as_object_mut(), json!(target)) {
                event.extend(target);
            }
            event
        }
        Event::StopAnswered {
            request_id,
            stopped,
            error,
        } => with_type(
            "stop_answered",
            object([
                ("requestId", Some(json!(request_id))),
                ("stopped", stopped.map(Value::Bool)),
                ("error", error.as_ref().map(|error| json!(error))),
            ]),
        ),
        Event::CloseSent { session_id } => json!({ "type": "close_sent", "sessionId": session_id }),
        Event::CloseAnswered { session_id, error } => with_type(
            "close_answered",
            object([
                ("sessionId", Some(json!(session_id))),
                ("error", error.as_ref().map(|error| json!(error))),
            ]),
        ),
        Event::ResumeSent { session_id } => {
            json!({ "type": "resume_sent", "sessionId": session_id })
        }
        Event::ResumeAnswered { session_id, error } => with_type(
            "resume_answered",
            object([
                ("sessionId", Some(json!(session_id))),
                ("error", error.as_ref().map(|error| json!(error))),
            ]),
        ),
        Event::SessionDeleted { session_id } => {
            json!({ "type": "session_deleted", "sessionId": session_id })
        }
        Event::Initialized {
            protocol_version,
            async_tasks,
        } => json!({
            "type": "initialized",
            "protocolVersion": protocol_version,
            "asyncTasks": async_tasks,
        }),
        Event::AgentTurnStarted { session_id } => {
            json!({ "type": "agent_turn_started", "sessionId": session_id })
        }
        Event::AgentTurnEnded {
            session_id,
            stop_reason,
        } => with_type(
            "agent_turn_ended",
            object([
                ("sessionId", Some(json!(session_id))),
                (
                    "stopReason",
                    stop_reason.as_ref().map(|reason| json!(reason)),
                ),
            ]),
        ),
        Event::Disconnected => json!({ "type": "disconnected" }),
    }
}

fn update(update: &Update) -> Value {
    let (kind, fields) = match update {
        Update::State(content) => ("state_update", state(content)),
        Update::ToolCall(call) => ("tool_call_update", tool_call(call)),
        Update::ToolCallContent {
            tool_call_id,
            content,
        } => (
            "tool_call_content_chunk",
            object([
                ("toolCallId", Some(json!(tool_call_id))),
                ("content", content.as_ref().map(content_item)),
            ]),
        ),
        Update::Terminal(update) => ("terminal_update", terminal(update)),
        Update::TerminalOutput { terminal_id, data } => (
            "terminal_output_chunk",
            object([
                ("terminalId", Some(json!(terminal_id))),
                ("data", data.as_ref().map(|data| json!(data))),
            ]),
        ),
        Update::Subagent(child) => match ended_child(child) {
            Some(ended) => ("subagent_state_update", ended),
            None => ("subagent_update", subagent(child)),
        },
        Update::TaskSpawned(task) => ("async_task_spawned", task_spawned(task)),
        Update::TaskState {
            async_task_id,
            state,
        } => (
            "async_task_state_update",
            json!({ "asyncTaskId": async_task_id, "state": state }),
        ),
        Update::TaskProgress { async_task_id } => (
            "async_task_progress",
            json!({ "asyncTaskId": async_task_id }),
        ),
        Update::Ignored => ("_ignored", json!({})),
        // Its kind is gone with what could not be read.
        Update::Unreadable(_) => return json!({}),
    };
    let mut fields = fields;
    if let Some(fields) = fields.as_object_mut() {
        fields.insert("sessionUpdate".into(), kind.into());
    }
    fields
}

fn state(state: &StateUpdate) -> Value {
    object([
        ("state", Some(json!(state.state))),
        (
            "stopReason",
            state.stop_reason.as_ref().map(|reason| json!(reason)),
        ),
        ("error", state.error.as_ref().map(|error| json!(error))),
        ("background", background(&state.background)),
    ])
}

fn background(list: &BackgroundList) -> Option<Value> {
    match list {
        BackgroundList::NotReported => None,
        BackgroundList::Malformed { .. } => Some(json!("malformed")),
        BackgroundList::Listed(items) => Some(items.iter().map(item).collect()),
        BackgroundList::Ended => Some(json!([])),
    }
}

fn item(item: &BackgroundItem) -> Value {
    match item {
        BackgroundItem::Terminal(id) => json!({ "type": "terminal", "terminalId": id }),
        BackgroundItem::ToolCall(id) => json!({ "type": "tool_call", "toolCallId": id }),
        BackgroundItem::Subagent(id) => json!({ "type": "subagent", "sessionId": id }),
        BackgroundItem::Other(kind) => json!({ "type": kind }),
    }
}

fn tool_call(call: &ToolCallUpdate) -> Value {
    object([
        ("toolCallId", Some(json!(call.tool_call_id))),
        ("status", text(&call.status)),
        ("title", text(&call.title)),
        ("kind", text(&call.kind)),
        ("capabilities", capabilities(&call.cancel)),
        (
            "content",
            patch(&call.content, |items| {
                items.iter().map(content_item).collect()
            }),
        ),
        ("_meta", call.meta.as_deref().map(meta)),
    ])
}

fn content_item(item: &ToolCallContent) -> Value {
    match item {
        ToolCallContent::Terminal(id) => json!({ "type": "terminal", "terminalId": id }),
        ToolCallContent::Session(id) => json!({ "type": "session", "sessionId": id }),
    }
}

fn meta(meta: &TerminalMeta) -> Value {
    let output = |(id, data): &(String, String)| json!({ "terminal_id": id, "data": data });
    object([
        (
            "terminal_info",
            meta.info
                .as_ref()
                .map(|(id, cwd)| json!({ "terminal_id": id, "cwd": cwd })),
        ),
        ("terminal_output", meta.output.as_ref().map(output)),
        ("terminal_output_delta", meta.output_delta.as_ref().map(output)),
        (
            "terminal_exit",
            meta.exit.as_ref().map(|(id, exit)| {
                json!({ "terminal_id": id, "exit_code": exit.exit_code, "signal": exit.signal })
            }),
        ),
    ])
}

fn terminal(update: &TerminalUpdate) -> Value {
    object([
        ("terminalId", Some(json!(update.terminal_id))),
        ("command", text(&update.command)),
        ("cwd", text(&update.cwd)),
        ("exitStatus", patch(&update.exit, |exit| json!(exit))),
        ("capabilities", capabilities(&update.cancel)),
        (
            "output",
            patch(&update.output, |data| json!({ "data": data })),
        ),
    ])
}

/// v1's word on a child that ended, whose list gives way to async tasks (rule V5).
fn ended_child(child: &SubagentUpdate) -> Option<Value> {
    match &child.state {
        Patch::Value(StateUpdate {
            background: BackgroundList::Ended,
            ..
        }) => Some(json!({ "subagentSessionId": child.session_id, "state": "idle" })),
        Patch::Value(_) | Patch::Omitted | Patch::Null => None,
    }
}

fn subagent(child: &SubagentUpdate) -> Value {
    let unreadable = || child.has_state.then(|| json!({}));
    object([
        ("sessionId", Some(json!(child.session_id))),
        ("title", text(&child.title)),
        ("capabilities", capabilities(&child.cancel)),
        ("state", patch(&child.state, state).or_else(unreadable)),
    ])
}

fn task_spawned(task: &TaskSpawned) -> Value {
    let text = |text: &Option<String>| text.as_ref().map(|text| json!(text));
    object([
        ("asyncTaskId", Some(json!(task.async_task_id))),
        ("name", text(&task.name)),
        ("taskType", text(&task.task_type)),
        ("canStop", task.can_stop.map(Value::Bool)),
        ("toolCallId", text(&task.tool_call_id)),
    ])
}

fn subject(subject: &Subject) -> Value {
    match subject {
        Subject::None => Value::Null,
        Subject::ToolCall(call) => json!({ "type": "tool_call", "toolCall": tool_call(call) }),
        Subject::Untyped(call) => tool_call(call),
        Subject::Command {
            tool_call_id,
            terminal_id,
        } => json!({ "type": "command", "toolCallId": tool_call_id, "terminalId": terminal_id }),
    }
}
