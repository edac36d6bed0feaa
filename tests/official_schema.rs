//! Our decoder against the official one, the crate `agent-client-protocol-schema`: what that reads in an
//! update or a permission request, ours reads the same, save the exceptions that `exceptions` lists.

#![cfg(all(not(target_arch = "wasm32"), feature = "json"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "a test may fail where it stands"
)]

#[path = "official_schema/convert.rs"]
mod convert;
#[path = "official_schema/examples.rs"]
mod examples;
#[path = "official_schema/exceptions.rs"]
mod exceptions;
#[path = "official_schema/inputs.rs"]
mod inputs;
#[path = "official_schema/permissions.rs"]
mod permissions;
#[path = "official_schema/updates.rs"]
mod updates;

use std::sync::LazyLock;

use acp_client_state::{ClientState, Event, Options};
use serde_json::{Value, json};

/// The protocol version of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    V1,
    V2,
}

/// A typed event of API.md.
pub fn event(event: Value) -> Event {
    serde_json::from_value(event).unwrap()
}

/// A state that knows something of every id of [`inputs`], so that a reset shows as much as a value.
pub fn prepared(version: Version) -> ClientState {
    static STATES: LazyLock<[ClientState; 2]> =
        LazyLock::new(|| [Version::V1, Version::V2].map(prepare));
    let [v1, v2] = &*STATES;
    match version {
        Version::V1 => v1.clone(),
        Version::V2 => v2.clone(),
    }
}

fn prepare(version: Version) -> ClientState {
    let mut state = ClientState::new(Options::default());
    let number = if version == Version::V1 { 1 } else { 2 };
    let update = |update| json!({ "type": "update", "sessionId": "S1", "update": update });
    for given in [
        json!({ "type": "initialized", "protocolVersion": number, "asyncTasks": false }),
        json!({ "type": "session_opened", "sessionId": "S1" }),
        json!({ "type": "prompt_sent", "requestId": 1, "sessionId": "S1" }),
        update(json!({
            "sessionUpdate": "terminal_update", "terminalId": "t1", "command": "make", "cwd": "/w",
            "capabilities": { "cancel": {} }, "output": { "data": "YQ==" },
        })),
        update(json!({
            "sessionUpdate": "tool_call_update", "toolCallId": "c1", "title": "Make",
            "kind": "execute", "status": "in_progress", "capabilities": { "cancel": {} },
            "content": [
                { "type": "terminal", "terminalId": "t1" },
                { "type": "session", "sessionId": "K1" },
            ],
        })),
        update(json!({
            "sessionUpdate": "subagent_update", "sessionId": "K1", "title": "Kid",
            "capabilities": { "cancel": {} }, "state": { "state": "running" },
        })),
        update(json!({
            "sessionUpdate": "state_update", "state": "running",
            "background": [{ "type": "terminal", "terminalId": "t1" }],
        })),
    ] {
        let outcome = state.apply(event(given), 1.0);
        assert!(outcome.problems.is_empty());
    }
    state
}

/// Everything that a state knows, to be compared.
pub fn saved(state: &ClientState) -> Value {
    serde_json::to_value(state).unwrap()
}

/// A message of the agent that carries an update of session `S1`.
pub fn update_message(update: &Value) -> Value {
    json!({
        "jsonrpc": "2.0",
        "method": "session/update",
        "params": { "sessionId": "S1", "update": update },
    })
}
