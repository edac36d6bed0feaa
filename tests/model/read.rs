//! Reading what an agent sends: patches, lists, content items. Nothing here fails.

use serde_json::Value;

use super::apply::safe_integer;
use super::data::{Content, Key};

/// T2: what an update says of one field.
pub(super) enum Patch<T> {
    Leave,
    Reset,
    Set(T),
}

pub(super) fn patch<T>(
    update: &Value,
    field: &str,
    null_omits: bool,
    read: impl Fn(&Value) -> Option<T>,
) -> Patch<T> {
    match update.get(field) {
        None => Patch::Leave,
        Some(Value::Null) if null_omits => Patch::Leave,
        Some(Value::Null) => Patch::Reset,
        Some(value) => read(value).map_or(Patch::Leave, Patch::Set),
    }
}

impl<T> Patch<T> {
    pub(super) fn onto(self, field: &mut T, reset: T) {
        match self {
            Patch::Leave => {}
            Patch::Reset => *field = reset,
            Patch::Set(value) => *field = value,
        }
    }
}

pub(super) fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

pub(super) fn some_text(value: &Value) -> Option<Option<String>> {
    text(value).map(Some)
}

/// T3
pub(super) fn cancel_advertised(capabilities: &Value) -> Option<bool> {
    capabilities
        .as_object()
        .map(|capabilities| capabilities.get("cancel").is_some_and(Value::is_object))
}

pub(super) fn read_exit(status: &Value, code: &str) -> (Option<i64>, Option<String>) {
    (
        status.get(code).and_then(safe_integer),
        status.get("signal").and_then(text),
    )
}

pub(super) fn is_task_update(plain: &str) -> bool {
    matches!(
        plain,
        "async_task_spawned" | "async_task_state_update" | "async_task_progress"
    )
}

pub(super) fn content_item(item: &Value) -> Option<Content> {
    match item.get("type")?.as_str()? {
        "terminal" => text(item.get("terminalId")?).map(Content::Terminal),
        "session" => text(item.get("sessionId")?).map(Content::Session),
        _ => None,
    }
}

/// B1 to B5; the error is the path of what is malformed.
pub(super) fn read_list(list: Option<&Value>) -> Result<Option<Vec<Key>>, String> {
    let Some(list) = list.filter(|list| !list.is_null()) else {
        return Ok(None);
    };
    let Some(items) = list.as_array() else {
        return Err("update.background".to_owned());
    };
    let mut keys: Vec<Key> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let path = |field: &str| format!("update.background[{at}]{field}");
        let Some(item) = item.as_object() else {
            return Err(path(""));
        };
        let Some(kind) = item.get("type").and_then(Value::as_str) else {
            return Err(path(".type"));
        };
        let id = |field: &str| {
            item.get(field)
                .and_then(text)
                .ok_or(path(&format!(".{field}")))
        };
        let key = match kind {
            "terminal" => Key::Terminal(id("terminalId")?),
            "tool_call" => Key::ToolCall(id("toolCallId")?),
            "subagent" => Key::Subagent(id("sessionId")?),
            _ => Key::Other(at, kind.to_owned()),
        };
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    Ok(Some(keys))
}
