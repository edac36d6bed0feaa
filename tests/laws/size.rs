//! Nothing overflows, panics or takes for ever, however deep, wide or long.

use acp_client_state::{ClientState, Event, Options};
use serde_json::{Value, json};

use crate::support::ours;

const MANY: usize = 10_000;

/// Applies an event at 1000 ms, and gives what it changed.
fn apply(state: &mut ClientState, event: Value) -> Value {
    let event: Event = serde_json::from_value(event).unwrap();
    ours(&state.apply(event, 1000.0))
}

fn update(session: &str, update: Value) -> Value {
    json!({ "type": "update", "sessionId": session, "update": update })
}

fn child(parent: &str, id: &str) -> Value {
    with_list(
        parent,
        id,
        json!([{ "type": "terminal", "terminalId": "t" }]),
    )
}

fn with_list(parent: &str, id: &str, background: Value) -> Value {
    let state = json!({ "state": "running", "background": background });
    update(
        parent,
        json!({ "sessionUpdate": "subagent_update", "sessionId": id, "state": state }),
    )
}

fn about(kind: &str, session: &str) -> Value {
    json!({ "type": kind, "sessionId": session })
}

/// Closes, resumes, saves, restores and deletes a session with many descendants.
fn end(mut state: ClientState, last: &str) {
    let all = MANY + 1;
    assert_eq!(state.session_ids().len(), all);
    let request = json!({ "type": "elicitation_requested", "requestId": 1, "sessionId": last });
    assert_eq!(
        apply(&mut state, request)["changed"]
            .as_array()
            .map(Vec::is_empty),
        Some(false)
    );
    assert_eq!(state.session("0").requests(true).len(), 1);
    assert_eq!(
        ours(&state.session("0").close_plan())["answerCancelled"],
        json!([1])
    );

    let closed = [about("close_sent", "0"), about("close_answered", "0")]
        .map(|event| apply(&mut state, event));
    assert_eq!(closed[1]["ended"].as_array().map(Vec::len), Some(MANY));
    assert_eq!(closed[1]["answerDue"], json!([1]));
    assert_eq!(ours(&state.session(last).activity()), "closed");

    let _ = apply(&mut state, about("resume_sent", "0"));
    assert_eq!(ours(&state.session(last).activity()), "unknown");
    let text = serde_json::to_string(&state).unwrap();
    let mut state: ClientState = serde_json::from_str(&text).unwrap();
    assert_eq!(state.session_ids().len(), all);
    let _ = apply(&mut state, json!({ "type": "disconnected" }));
    let deleted = apply(&mut state, about("session_deleted", "0"));
    assert_eq!(deleted["changed"].as_array().map(Vec::len), Some(all));
    assert!(state.session_ids().is_empty());
}

#[test]
fn g4_ten_thousand_children_in_a_chain() {
    let mut state = ClientState::new(Options::default());
    for number in (0..MANY).rev() {
        let _ = apply(
            &mut state,
            child(&number.to_string(), &(number + 1).to_string()),
        );
    }
    let list = json!([{ "type": "subagent", "sessionId": "1" }]);
    let idle = json!({ "sessionUpdate": "state_update", "state": "idle", "background": list });
    assert_eq!(
        apply(&mut state, update("0", idle))["started"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    let _ = apply(
        &mut state,
        update(
            "0",
            json!({ "sessionUpdate": "state_update", "state": "idle" }),
        ),
    );
    let ring = child(&MANY.to_string(), "0");
    assert_eq!(apply(&mut state, ring)["changed"], json!([]));
    assert_eq!(
        ours(&state.session("0").snapshot())["parentId"],
        json!(null)
    );
    let _ = apply(
        &mut state,
        update(
            "0",
            json!({ "sessionUpdate": "state_update", "state": "idle", "background": [] }),
        ),
    );
    end(state, &MANY.to_string());
}

/// Who waits for the user is worked out once for an answer, not once for each child.
#[test]
fn g4_ten_thousand_children_in_a_chain_each_of_which_lists_the_next() {
    let mut state = ClientState::new(Options::default());
    for number in (0..MANY).rev() {
        let list = json!([{ "type": "subagent", "sessionId": (number + 2).to_string() }]);
        let (parent, id) = (number.to_string(), (number + 1).to_string());
        let _ = apply(&mut state, with_list(&parent, &id, list));
    }
    end(state, &MANY.to_string());
}

#[test]
fn g4_ten_thousand_children_of_one_session() {
    let mut state = ClientState::new(Options::default());
    for number in 0..MANY {
        let _ = apply(&mut state, child("0", &(number + 1).to_string()));
    }
    assert_eq!(
        ours(&state.session("0").snapshot())["children"]
            .as_array()
            .map(Vec::len),
        Some(MANY)
    );
    end(state, &MANY.to_string());
}

fn message(update: &Value) -> String {
    let params = json!({ "sessionId": "S", "update": update });
    json!({ "jsonrpc": "2.0", "method": "session/update", "params": params }).to_string()
}

#[test]
fn e1_messages_of_ten_megabytes() {
    let mut state = ClientState::new(Options::default());
    let long = "x".repeat(10_000_000);
    let chunk = json!({ "sessionUpdate": "agent_message_chunk", "content": { "text": long } });
    assert!(state.received(&message(&chunk), 1.0).is_empty());
    let call =
        json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "rawInput": { "diff": long } });
    assert_eq!(state.received(&message(&call), 2.0).changed, ["S"]);
    let terminal = json!({ "sessionUpdate": "terminal_update", "terminalId": "t" });
    let _ = state.received(&message(&terminal), 3.0);
    let output = json!({ "sessionUpdate": "terminal_output_chunk", "terminalId": "t", "data": "eHh4".repeat(2_500_000) });
    assert_eq!(state.received(&message(&output), 4.0).changed, ["S"]);
    let saved = serde_json::to_string(&state).unwrap();
    assert!(saved.len() < 100_000, "{}", saved.len());
}

#[test]
fn e1_deep_nesting_is_no_overflow() {
    let mut state = ClientState::new(Options::default());
    for (open, close) in [("[", "]"), ("{\"update\":", "}")] {
        let deep = format!("{}1{}", open.repeat(1_000_000), close.repeat(1_000_000));
        let text = format!(r#"{{"method":"session/update","params":{deep}}}"#);
        assert_eq!(state.received(&text, 1.0).problems.len(), 1);
    }
    let unfinished = "[".repeat(1_000_000);
    assert_eq!(state.received(&unfinished, 1.0).problems.len(), 1);
}

#[test]
fn e3_ids_of_a_megabyte() {
    let mut state = ClientState::new(Options::default());
    let long = "é".repeat(500_000);
    let other = format!("{long}!");
    for id in [&long, &other] {
        let call = json!({ "sessionUpdate": "tool_call_update", "toolCallId": id, "title": "x" });
        let _ = apply(&mut state, update(id, call));
        let list = json!([{ "type": "tool_call", "toolCallId": id }]);
        let idle = json!({ "sessionUpdate": "state_update", "state": "idle", "background": list });
        assert_eq!(
            apply(&mut state, update(id, idle))["started"]
                .as_array()
                .map(Vec::len),
            Some(1)
        );
        let request = json!({ "type": "elicitation_requested", "requestId": id, "sessionId": id });
        let _ = apply(&mut state, request);
        assert_eq!(state.session(id).requests(false).len(), 1);
    }
    assert_eq!(state.session_ids(), [long, other]);
}
