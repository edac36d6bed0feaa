//! Where our decoder reads an update otherwise than the official crate, on purpose. Each exception
//! either rewrites the input to one from which the official crate reads what the rules say, or corrects
//! what it read where its types cannot hold it; the rest must be equal.

use acp_client_state::{BackgroundList, Patch, RpcError, StateUpdate, ToolCallUpdate, Update};
use agent_client_protocol_schema::{v1, v2};
use serde_json::{Value, json};

use super::Version;
use super::convert::{v1_update, v2_update};

/// The kinds that the rules read and both protocols or v2 know.
const KINDS: [&str; 7] = [
    "state_update",
    "tool_call",
    "tool_call_update",
    "tool_call_content_chunk",
    "terminal_update",
    "terminal_output_chunk",
    "subagent_update",
];

/// Those of them that the official v1 does not know.
const ONLY_V2: [&str; 4] = [
    "state_update",
    "tool_call_content_chunk",
    "terminal_update",
    "terminal_output_chunk",
];

const STATES: [&str; 4] = ["running", "idle", "requires_action", "unknown"];

/// A difference on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exception {
    /// The official types are read from an array of their fields as well, and a tagged type from an
    /// array that begins with its tag: an artefact of serde. An object is an object in the rules.
    ArrayForObject,
    /// The official tags are read from their position as well: an artefact of serde. The rules want a
    /// string.
    NumberForTag,
    /// The official names are read from `{"completed": null}` as well: an artefact of serde. A field
    /// of the wrong type counts as omitted.
    ObjectForName,
    /// `1.0` and `-0` are the integers 1 and 0, as JavaScript reads them, and what is no safe integer
    /// is no exit code; the official crate takes each i64 in its plain spelling.
    IntegersOfJavaScript,
    /// An idle state has its error, with each of its fields as far as it is readable, whatever the
    /// stop reason; the official type has it beside `error` only, and whole.
    ErrorOfEveryStop,
    /// The official states other than idle have no stop reason and no error. Ours read them, and the
    /// state ignores them.
    EndOfEveryState,
    /// The official unrecognised states have no list. Ours read it, and the state ignores it.
    ListOfUnrecognisedState,
    /// v1's `tool_call` on v2, unknown to the official one.
    V1KindOnV2,
    /// v2's kinds on v1, unknown to the official one.
    V2KindOnV1,
    /// v1's `tool_call` is an upsert, and needs no title; in the official crate it sets each field.
    ToolCallIsAnUpsert,
    /// In v1 a `null` field counts as omitted. Ours reads the `null`, and the state ignores it.
    NullOnV1,
    /// A status or kind that the official v1 does not know is kept as it is.
    NamesOnV1,
    /// The official v1 knows no capabilities of a tool call.
    CapabilitiesOnV1,
    /// The official v1 knows no background list, in a child's state neither.
    ListOfV1Child,
    /// That a child's state is an object is read of one that has no readable state as well.
    StateObjectOfChild,
    /// A malformed `cwd` or `additionalDirectories` of a child, which no rule reads; the official crate
    /// refuses the whole update.
    DirectoriesOfChild,
    /// A chunk with an invalid item appends nothing, and is an update of its call; the official crate
    /// refuses it.
    ChunkOfNothing,
    /// An output chunk without data says nothing; the official crate refuses it.
    OutputOfNothing,
    /// What does not matter is ignored, malformed or not; the official crate refuses a malformed one,
    /// and on v1 each kind that it does not know.
    KindsThatDoNotMatter,
}

use Exception::*;

impl Exception {
    /// All of them, in the order in which they apply.
    pub const ALL: [Self; 19] = [
        ArrayForObject,
        NumberForTag,
        ObjectForName,
        IntegersOfJavaScript,
        ErrorOfEveryStop,
        EndOfEveryState,
        ListOfUnrecognisedState,
        V1KindOnV2,
        V2KindOnV1,
        ToolCallIsAnUpsert,
        NullOnV1,
        NamesOnV1,
        CapabilitiesOnV1,
        ListOfV1Child,
        StateObjectOfChild,
        DirectoriesOfChild,
        ChunkOfNothing,
        OutputOfNothing,
        KindsThatDoNotMatter,
    ];

    /// Makes the input one that the official crate reads as the rules say.
    fn rewrite(self, version: Version, update: &mut Value) {
        match self {
            ArrayForObject => {
                if update.is_array() {
                    *update = Value::Null;
                }
                arrays_to_wrong_type(update);
                if let Some(state) = update.get_mut("state") {
                    wrong_type_if(state, Value::is_array);
                    arrays_to_wrong_type(state);
                }
            }
            NumberForTag => {
                for tag in ["sessionUpdate", "state", "stopReason"] {
                    number_to_wrong_type(update, tag);
                }
                tags_of_items(update);
                if let Some(state) = update.get_mut("state") {
                    number_to_wrong_type(state, "state");
                    number_to_wrong_type(state, "stopReason");
                    tags_of_items(state);
                }
            }
            ObjectForName => names_from_objects(update),
            IntegersOfJavaScript => {
                if let Some(code) = update.pointer_mut("/exitStatus/exitCode") {
                    *code = safe_integer(code).map_or(json!(true), |code| json!(code));
                }
            }
            V1KindOnV2 if version == Version::V2 && is_kind(update, "tool_call") => {
                update["sessionUpdate"] = json!("tool_call_update");
            }
            ToolCallIsAnUpsert if version == Version::V1 && is_kind(update, "tool_call") => {
                update["sessionUpdate"] = json!("tool_call_update");
            }
            DirectoriesOfChild if is_kind(update, "subagent_update") => {
                for field in ["cwd", "additionalDirectories"] {
                    update.as_object_mut().unwrap().remove(field);
                }
            }
            ChunkOfNothing if is_kind(update, "tool_call_content_chunk") => {
                let item = update.get("content").cloned().unwrap_or_default();
                if serde_json::from_value::<v2::ToolCallContent>(item).is_err() {
                    update["content"] =
                        json!({ "type": "content", "content": { "type": "text", "text": "" } });
                }
            }
            OutputOfNothing
                if is_kind(update, "terminal_output_chunk") && !update["data"].is_string() =>
            {
                update["data"] = json!("");
            }
            _ => {}
        }
    }

    /// Puts right what the official crate read from `input`, the rewritten `raw`.
    fn correct(self, version: Version, raw: &Value, input: &Value, read: &mut Option<Update>) {
        match self {
            ErrorOfEveryStop => {
                if let Some((raw, state)) = state_of(raw, read)
                    && state.state == "idle"
                {
                    let error = error_of(raw);
                    if state.error.is_some() {
                        assert_eq!(state.error, error, "{raw}");
                    }
                    state.error = error;
                }
            }
            EndOfEveryState => {
                if let Some((raw, state)) = state_of(raw, read)
                    && state.state != "idle"
                {
                    state.stop_reason = raw["stopReason"].as_str().map(str::to_owned);
                    state.error = error_of(raw);
                }
            }
            ListOfUnrecognisedState => {
                if let Some((input, state)) = state_of(input, read)
                    && !STATES.contains(&state.state.as_str())
                {
                    state.background = list_of(input);
                }
            }
            ListOfV1Child if version == Version::V1 && is_kind(raw, "subagent_update") => {
                if let Some((input, state)) = state_of(input, read)
                    && STATES.contains(&state.state.as_str())
                {
                    state.background = list_of(input);
                }
            }
            StateObjectOfChild => {
                if let Some(Update::Subagent(child)) = read {
                    child.has_state = raw["state"].is_object();
                }
            }
            NullOnV1 | NamesOnV1 | CapabilitiesOnV1 if version == Version::V1 => {
                if let Some(Update::ToolCall(call)) = read {
                    self.correct_v1_call(raw, input, call);
                }
            }
            OutputOfNothing => {
                if let Some(Update::TerminalOutput { data, .. }) = read
                    && !raw["data"].is_string()
                {
                    *data = None;
                }
            }
            KindsThatDoNotMatter => {
                if read.is_none()
                    && let Some(kind) = raw.get("sessionUpdate").and_then(Value::as_str)
                    && !KINDS.contains(&kind)
                {
                    *read = Some(Update::Ignored);
                }
            }
            _ => {}
        }
    }

    /// The same for a tool call of v1, in an update or a permission request.
    pub fn correct_v1_call(self, raw: &Value, input: &Value, call: &mut ToolCallUpdate) {
        match self {
            NullOnV1 => {
                let is_null = |name| raw.get(name).is_some_and(Value::is_null);
                let fields = [
                    ("status", &mut call.status),
                    ("title", &mut call.title),
                    ("kind", &mut call.kind),
                ];
                for (name, field) in fields {
                    if is_null(name) {
                        *field = Patch::Null;
                    }
                }
                if is_null("content") {
                    call.content = Patch::Null;
                }
            }
            NamesOnV1 => {
                for (name, field) in [("status", &mut call.status), ("kind", &mut call.kind)] {
                    if let Some(name) = raw[name].as_str() {
                        if *field != Patch::Value("other".into()) && *field != Patch::Omitted {
                            assert_eq!(*field, Patch::Value(name.into()));
                        }
                        *field = Patch::Value(name.into());
                    }
                }
            }
            CapabilitiesOnV1 => {
                let mut input = input.clone();
                input["sessionUpdate"] = json!("tool_call_update");
                if let Ok(update) = serde_json::from_value(input)
                    && let Update::ToolCall(v2) = v2_update(update)
                {
                    call.cancel = v2.cancel;
                }
            }
            _ => {}
        }
    }

    /// Whether what it corrects changes no state: the rule says that it is ignored.
    fn is_ignored_later(self) -> bool {
        matches!(self, EndOfEveryState | ListOfUnrecognisedState | NullOnV1)
    }
}

/// What the rules say of an update, by way of the official crate; `None` when it is not readable.
pub struct Reading {
    pub update: Option<Update>,
    /// The same without what the state ignores.
    pub effective: Option<Update>,
    /// What the official crate was given.
    pub input: Value,
}

/// Reads with the official crate and all exceptions `but` one.
pub fn read(version: Version, raw: &Value, but: Option<Exception>) -> Reading {
    let exceptions = || Exception::ALL.into_iter().filter(|it| Some(*it) != but);
    let mut input = raw.clone();
    for exception in exceptions() {
        exception.rewrite(version, &mut input);
    }
    let by_v2 = version == Version::V2
        || (but != Some(V2KindOnV1) && ONLY_V2.iter().any(|kind| is_kind(raw, kind)));
    let official = if by_v2 {
        serde_json::from_value::<v2::SessionUpdate>(input.clone()).map(v2_update)
    } else {
        serde_json::from_value::<v1::SessionUpdate>(input.clone()).map(v1_update)
    };
    let correct = |ignored: bool| {
        let mut read = official.as_ref().ok().cloned();
        for exception in exceptions().filter(|it| ignored || !it.is_ignored_later()) {
            exception.correct(version, raw, &input, &mut read);
        }
        read
    };
    Reading {
        update: correct(true),
        effective: correct(false),
        input,
    }
}

/// The integer that JavaScript reads exactly.
pub fn safe_integer(value: &Value) -> Option<i64> {
    let number = value.as_f64()?;
    let is_safe = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "checked just above")]
    is_safe.then_some(number as i64)
}

pub fn is_kind(update: &Value, kind: &str) -> bool {
    update.get("sessionUpdate").and_then(Value::as_str) == Some(kind)
}

/// [`ArrayForObject`] in the fields of an update, a state or a tool call.
pub fn arrays_to_wrong_type(object: &mut Value) {
    let Some(fields) = object.as_object_mut() else {
        return;
    };
    let is_chunk = fields.get("sessionUpdate") == Some(&json!("tool_call_content_chunk"));
    for name in ["capabilities", "exitStatus", "output", "error"] {
        if let Some(field) = fields.get_mut(name) {
            wrong_type_if(field, Value::is_array);
        }
    }
    if let Some(cancel) = fields
        .get_mut("capabilities")
        .and_then(|it| it.get_mut("cancel"))
    {
        wrong_type_if(cancel, Value::is_array);
    }
    if let Some(content) = fields.get_mut("content").filter(|_| is_chunk) {
        wrong_type_if(content, Value::is_array);
    }
    for name in ["content", "background"] {
        let items = fields.get_mut(name).and_then(Value::as_array_mut);
        for item in items.into_iter().flatten() {
            wrong_type_if(item, Value::is_array);
        }
    }
}

/// [`NumberForTag`] in the items of an update, a state or a tool call.
pub fn tags_of_items(object: &mut Value) {
    for name in ["content", "background"] {
        match object.get_mut(name) {
            Some(Value::Array(items)) => {
                for item in items {
                    number_to_wrong_type(item, "type");
                }
            }
            Some(item) => number_to_wrong_type(item, "type"),
            None => {}
        }
    }
}

/// [`ObjectForName`] in a tool call.
pub fn names_from_objects(call: &mut Value) {
    for name in ["status", "kind"] {
        if let Some(field) = call.get_mut(name) {
            wrong_type_if(field, Value::is_object);
        }
    }
}

pub fn number_to_wrong_type(object: &mut Value, tag: &str) {
    if let Some(tag) = object.get_mut(tag) {
        wrong_type_if(tag, Value::is_number);
    }
}

fn wrong_type_if(value: &mut Value, is_wrong: fn(&Value) -> bool) {
    if is_wrong(value) {
        *value = json!(true);
    }
}

/// The state in an update, and the JSON that it came from.
fn state_of<'a>(
    raw: &'a Value,
    read: &'a mut Option<Update>,
) -> Option<(&'a Value, &'a mut StateUpdate)> {
    match read {
        Some(Update::State(state)) => Some((raw, state)),
        Some(Update::Subagent(child)) => match &mut child.state {
            Patch::Value(state) => Some((&raw["state"], state)),
            Patch::Omitted | Patch::Null => None,
        },
        _ => None,
    }
}

fn error_of(state: &Value) -> Option<RpcError> {
    let error = state["error"].as_object()?;
    Some(RpcError {
        code: error.get("code").and_then(safe_integer).unwrap_or_default(),
        message: error
            .get("message")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .into(),
    })
}

/// The list that the official crate reads in a state of another name.
fn list_of(state: &Value) -> BackgroundList {
    let mut state = state.clone();
    state["sessionUpdate"] = json!("state_update");
    state["state"] = json!("running");
    match serde_json::from_value(state).map(v2_update) {
        Ok(Update::State(state)) => state.background,
        other => panic!("{other:?}"),
    }
}
