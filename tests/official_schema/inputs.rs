//! Updates as agents send them, and what can be wrong in them.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// Values of every type, most of them wrong wherever they stand.
pub fn wild() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(2),
        json!(-1),
        json!(1.0),
        json!(-0.0),
        json!(1.5),
        json!(4_294_967_296_i64),
        json!(9_007_199_254_740_991_i64),
        json!(9_007_199_254_740_992_i64),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!("c1"),
        json!("t2"),
        json!("idle"),
        json!("completed"),
        json!("_odd"),
        json!("__proto__"),
        json!([]),
        json!([null]),
        json!(["t1"]),
        json!([["terminal", "t1"]]),
        json!(["terminal", "t1"]),
        json!([{}]),
        json!([{ "type": "terminal", "terminalId": "t1" }]),
        json!({}),
        json!({ "cancel": {} }),
        json!({ "cancel": [] }),
        json!({ "completed": null }),
        json!({ "type": "_odd" }),
        json!({ "type": "session", "sessionId": "K2" }),
        json!({ "state": "idle", "background": [] }),
        json!({ "data": "YQ==", "exitCode": 1.0 }),
    ]
}

/// Well-formed updates, of both versions, with every field that a rule reads.
pub fn updates() -> Vec<Value> {
    let content = json!([
        { "type": "content", "content": { "type": "text", "text": "hm" } },
        { "type": "terminal", "terminalId": "t1" },
        { "type": "session", "sessionId": "K1" },
        { "type": "diff", "path": "/a", "oldText": null, "newText": "b", "changes": [] },
        { "type": "_odd", "terminalId": "t2" },
    ]);
    let list = json!([
        { "type": "terminal", "terminalId": "t1" },
        { "type": "tool_call", "toolCallId": "c1" },
        { "type": "subagent", "sessionId": "K1" },
        { "type": "_remote", "terminalId": 3 },
    ]);
    let error = json!({ "code": -32603, "message": "no", "data": { "a": 1 } });
    let meta = json!({
        "terminal_info": { "terminal_id": "t2", "cwd": "/w" },
        "terminal_output": { "terminal_id": "t2", "data": "whole" },
        "terminal_output_delta": { "terminal_id": "t2", "data": "more" },
        "terminal_exit": { "terminal_id": "t2", "exit_code": 1, "signal": null },
    });
    let mut updates = Vec::new();
    for state in ["running", "idle", "requires_action", "unknown", "_dreaming"] {
        let snapshot = json!({
            "sessionUpdate": "state_update", "state": state, "stopReason": "error",
            "error": error, "background": list, "_meta": {},
        });
        updates.push(snapshot.clone());
        let mut state = snapshot;
        state.as_object_mut().unwrap().remove("sessionUpdate");
        updates.push(json!({
            "sessionUpdate": "subagent_update", "sessionId": "K1", "title": "Kid",
            "description": "d", "capabilities": { "cancel": {} }, "state": state,
            "cwd": "/w", "additionalDirectories": ["/x"], "_meta": {},
        }));
    }
    for stop in ["end_turn", "max_tokens", "refusal", "cancelled", "_odd"] {
        updates
            .push(json!({ "sessionUpdate": "state_update", "state": "idle", "stopReason": stop }));
    }
    let statuses = [
        "pending",
        "in_progress",
        "paused",
        "completed",
        "failed",
        "cancelled",
        "_odd",
    ];
    for (kind, id) in [
        ("tool_call", "c1"),
        ("tool_call_update", "c1"),
        ("tool_call_update", "c2"),
    ] {
        for status in statuses {
            updates.push(json!({
                "sessionUpdate": kind, "toolCallId": id, "status": status, "title": "Make",
                "kind": "read", "capabilities": { "cancel": {} }, "content": content,
                "locations": [], "rawInput": { "title": 1 }, "_meta": meta,
            }));
        }
    }
    for kind in ["edit", "switch_mode", "other", "_weave"] {
        updates
            .push(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c1", "kind": kind }));
    }
    for item in content.as_array().unwrap() {
        updates.push(json!({
            "sessionUpdate": "tool_call_content_chunk", "toolCallId": "c1", "content": item,
        }));
    }
    for id in ["t1", "t2"] {
        updates.push(json!({
            "sessionUpdate": "terminal_update", "terminalId": id, "command": "make", "cwd": "/w",
            "exitStatus": { "exitCode": 1, "signal": "SIGHUP" }, "output": { "data": "YQ==" },
            "capabilities": { "cancel": {} }, "size": { "cols": 80, "rows": 24 }, "_meta": meta,
        }));
        updates.push(json!({
            "sessionUpdate": "terminal_output_chunk", "terminalId": id, "data": "4oKs", "_meta": {},
        }));
    }
    updates.push(json!({
        "sessionUpdate": "agent_message_chunk", "messageId": "m",
        "content": { "type": "text", "text": "hm" },
    }));
    updates.push(json!({ "sessionUpdate": "_odd", "toolCallId": "c1", "state": "running" }));
    updates.push(json!({ "sessionUpdate": "plan", "entries": [] }));
    updates
}

/// Of each kind and state one, for what is tried out in every place.
pub fn samples() -> Vec<Value> {
    let mut seen = Vec::new();
    let mut samples = updates();
    samples.retain(|update| {
        let nested = update["state"].get("state");
        let shape = (
            update["sessionUpdate"].clone(),
            nested.unwrap_or(&update["state"]).clone(),
        );
        let is_new = !seen.contains(&shape);
        seen.push(shape);
        is_new
    });
    samples
}

/// What goes wrong in one place.
#[derive(Debug, Clone)]
pub enum Damage {
    Set(Value),
    Remove,
    Add(&'static str, Value),
    /// An object as the array of its values.
    AsArray,
    /// A string as an object with that key.
    AsKey,
    /// A value in an array of its own.
    Wrapped,
}

/// The place of every value in a value.
pub fn places(value: &Value) -> Vec<String> {
    fn walk(value: &Value, place: &str, found: &mut Vec<String>) {
        found.push(place.into());
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    walk(field, &format!("{place}/{name}"), found);
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    walk(item, &format!("{place}/{index}"), found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(value, "", &mut found);
    found
}

/// The value with a damage in a place.
pub fn damaged(mut value: Value, place: &str, damage: &Damage) -> Value {
    let Some(at) = value.pointer_mut(place) else {
        return value;
    };
    match damage {
        Damage::Set(wild) => *at = wild.clone(),
        Damage::Add(name, field) => {
            if let Some(fields) = at.as_object_mut() {
                fields.insert((*name).into(), field.clone());
            }
        }
        Damage::AsArray => {
            if let Some(fields) = at.as_object() {
                *at = fields.values().cloned().collect();
            }
        }
        Damage::AsKey => {
            if let Some(name) = at.as_str() {
                *at = json!({ name: null });
            }
        }
        Damage::Wrapped => *at = json!([at]),
        Damage::Remove => {
            let (parent, name) = place.rsplit_once('/').unwrap_or_default();
            match value.pointer_mut(parent) {
                Some(Value::Object(fields)) => {
                    fields.remove(name);
                }
                Some(Value::Array(items)) => {
                    if let Ok(index) = name.parse::<usize>() {
                        items.remove(index);
                    }
                }
                _ => {}
            }
        }
    }
    value
}

/// Every damage to one field that there is.
pub fn all_damages() -> Vec<Damage> {
    let mut damages: Vec<Damage> = wild().into_iter().map(Damage::Set).collect();
    damages.extend([
        Damage::Remove,
        Damage::AsArray,
        Damage::AsKey,
        Damage::Wrapped,
    ]);
    damages.push(Damage::Add("extra", json!({ "type": "terminal" })));
    damages
}

fn damage() -> impl Strategy<Value = Damage> {
    let names = [
        "status",
        "title",
        "kind",
        "content",
        "capabilities",
        "state",
        "background",
        "stopReason",
        "error",
        "exitStatus",
        "output",
        "data",
        "type",
        "terminalId",
        "toolCallId",
        "sessionId",
        "_meta",
        "cancel",
        "cwd",
        "extra",
    ];
    let wild = || prop::sample::select(wild());
    prop_oneof![
        4 => wild().prop_map(Damage::Set),
        3 => Just(Damage::Remove),
        3 => (prop::sample::select(names.to_vec()), wild()).prop_map(|(name, wild)| Damage::Add(name, wild)),
        1 => Just(Damage::AsArray),
        1 => Just(Damage::AsKey),
        1 => Just(Damage::Wrapped),
    ]
}

/// One of the values with up to five damages.
pub fn damaged_ones(values: Vec<Value>) -> impl Strategy<Value = Value> {
    let damages = prop::collection::vec((any::<Index>(), damage()), 0..6);
    (prop::sample::select(values), damages).prop_map(|(mut value, damages)| {
        for (index, damage) in damages {
            let places = places(&value);
            value = damaged(value, index.get(&places[..]).as_str(), &damage);
        }
        value
    })
}

/// How many cases a property runs; more by the same variable as the model's.
pub fn config() -> ProptestConfig {
    let cases = std::env::var("MODEL_CASES")
        .ok()
        .and_then(|n| n.parse().ok());
    ProptestConfig {
        cases: cases.unwrap_or(3000),
        // The ordinary run is the same everywhere.
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
