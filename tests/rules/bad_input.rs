//! Section 14: bad input.

use acp_client_state::Event;
use serde_json::{Value, json};

use crate::transcript::*;

#[test]
fn e1_an_update_that_cannot_be_read_leaves_the_state_and_is_a_problem() {
    for (update, path) in [
        (json!(null), "update"),
        (json!(3), "update"),
        (json!([]), "update"),
        (json!({}), "update.sessionUpdate"),
        (json!({ "sessionUpdate": 3 }), "update.sessionUpdate"),
        (json!({ "sessionUpdate": "state_update" }), "update.state"),
        (
            json!({ "sessionUpdate": "state_update", "state": null }),
            "update.state",
        ),
        (
            json!({ "sessionUpdate": "state_update", "state": {} }),
            "update.state",
        ),
        (
            json!({ "sessionUpdate": "tool_call_update", "status": "completed" }),
            "update.toolCallId",
        ),
        (
            json!({ "sessionUpdate": "tool_call", "toolCallId": 3 }),
            "update.toolCallId",
        ),
        (
            json!({ "sessionUpdate": "tool_call_content_chunk", "toolCallId": [] }),
            "update.toolCallId",
        ),
        (
            json!({ "sessionUpdate": "terminal_update", "terminalId": null }),
            "update.terminalId",
        ),
        (
            json!({ "sessionUpdate": "terminal_output_chunk", "data": "" }),
            "update.terminalId",
        ),
        (
            json!({ "sessionUpdate": "subagent_update", "sessionId": {} }),
            "update.sessionId",
        ),
    ] {
        let mut client = Client::new();
        client
            .call("S", "c", "in_progress")
            .terminal("S", "t")
            .idle("S", &[terminal("t")]);
        let before = client.everything("S");
        client.update("S", update.clone());
        assert_eq!(
            client.problems(),
            [format!("malformed_update {path}")],
            "{update}"
        );
        assert_eq!(client.outcome()["problems"][0]["sessionId"], "S");
        let message = client.outcome()["problems"][0]["message"].clone();
        let expected = if path == "update" { "object" } else { "string" };
        assert!(
            message.as_str().unwrap().contains(expected),
            "{update}: {message}"
        );
        assert_eq!(client.everything("S"), before, "{update}");
        assert_eq!(client.changed(), NONE, "{update}");
    }
}

#[test]
fn e1_messages_that_cannot_be_read_are_a_problem() {
    for (message, path) in [
        (json!(3), ""),
        (json!([]), ""),
        (json!({}), "method"),
        (json!({ "method": 3 }), "method"),
        (json!({ "id": {}, "method": "session/update" }), "id"),
        (json!({ "id": 1 }), "result"),
        (json!({ "method": "session/update" }), "params.sessionId"),
        (
            json!({ "method": "session/update", "params": { "sessionId": 3 } }),
            "params.sessionId",
        ),
        (
            json!({ "id": 1, "method": "session/request_permission", "params": [] }),
            "params.sessionId",
        ),
        (
            json!({ "method": "$/cancel_request", "params": { "requestId": 1.5 } }),
            "params.requestId",
        ),
    ] {
        let mut client = Client::new();
        client.received(message.clone());
        assert_eq!(
            client.problems(),
            [format!("malformed_message {path}")],
            "{message}"
        );
        client.received_text(&message.to_string());
        assert_eq!(
            client.problems(),
            [format!("malformed_message {path}")],
            "{message}"
        );
        assert_eq!(client.session_ids(), NONE, "{message}");
    }
    for text in ["", "{", "not json", "{}{}", "nul"] {
        let mut client = Client::new();
        client.received_text(text);
        assert_eq!(client.problems().len(), 1, "{text}");
    }
}

#[test]
fn e1_unknown_kinds_of_update_and_unknown_methods_are_no_problems() {
    let mut client = Client::new();
    client
        .kind("S", "_vendor", json!({ "state": 3 }))
        .kind("S", "", json!({}));
    assert_eq!(client.problems(), NONE);
    client.received(json!({ "id": 1, "method": "fs/read_text_file", "params": 3 }));
    assert_eq!(client.problems(), NONE);
    assert_eq!(client.session_ids(), NONE);
}

#[test]
fn e1_a_subject_that_cannot_be_read_is_no_problem_and_the_request_pends() {
    let mut client = Client::new();
    for subject in [
        json!(3),
        json!([]),
        json!({ "type": "tool_call", "toolCall": [] }),
    ] {
        client.permission("S", 1, subject.clone());
        assert_eq!(client.problems(), NONE, "{subject}");
        assert_eq!(client.pending("S"), json!([1]), "{subject}");
    }
}

#[test]
fn e2_a_typed_event_with_wrong_types_names_the_argument() {
    for (event, argument) in [
        (json!(3), "event"),
        (json!({}), "event.type"),
        (json!({ "type": "no_such_event" }), "event.type"),
        (json!({ "type": "session_opened" }), "event.sessionId"),
        (
            json!({ "type": "cancel_sent", "sessionId": 3 }),
            "event.sessionId",
        ),
        (
            json!({ "type": "prompt_sent", "sessionId": "S", "requestId": 1.5 }),
            "event.requestId",
        ),
        (
            json!({ "type": "request_answered", "requestId": {} }),
            "event.requestId",
        ),
        (
            json!({ "type": "prompt_answered", "requestId": 1, "stopReason": 3 }),
            "event.stopReason",
        ),
        (
            json!({ "type": "close_answered", "sessionId": "S", "error": 3 }),
            "event.error",
        ),
        (
            json!({ "type": "stop_answered", "requestId": 1, "stopped": "yes" }),
            "event.stopped",
        ),
        (
            json!({ "type": "initialized", "asyncTasks": true }),
            "event.protocolVersion",
        ),
        (
            json!({ "type": "initialized", "protocolVersion": 1 }),
            "event.asyncTasks",
        ),
        (
            json!({ "type": "stop_sent", "requestId": 1, "sessionId": "S" }),
            "event",
        ),
    ] {
        let error = serde_json::from_value::<Event>(event.clone())
            .unwrap_err()
            .to_string();
        let named = error.strip_prefix(argument);
        assert!(
            named.is_some_and(|rest| rest.starts_with(' ')),
            "{event}: {error}"
        );
    }
}

#[test]
fn e3_ids_are_opaque_strings() {
    let long = "x".repeat(100_000);
    let ids = [
        "__proto__",
        "constructor",
        "",
        " ",
        "0",
        "S",
        "s",
        "\u{0}",
        "a\u{0}b",
        "é",
        "e\u{301}",
        "😀",
        long.as_str(),
    ];
    let mut client = Client::new();
    for (number, id) in ids.iter().enumerate() {
        let title = number.to_string();
        client.call_with("W", id, json!({ "title": title }));
        client
            .terminal_with("W", id, json!({ "command": title }))
            .call(id, "c", "pending");
        client.child_with("P", &format!("{id}/"), json!({ "title": title }));
        client.permission("R", *id, json!(null));
    }
    for (number, id) in ids.iter().enumerate() {
        let title = number.to_string();
        assert_eq!(client.the_call("W", id)["title"], title.as_str());
        assert_eq!(client.the_terminal("W", id)["command"], title.as_str());
        assert_eq!(client.status(id, "c"), "pending");
        assert_eq!(client.view(&format!("{id}/"))["title"], title.as_str());
    }
    assert_eq!(
        client.view("P")["children"].as_array().unwrap().len(),
        ids.len()
    );
    assert_eq!(client.pending("R").as_array().unwrap().len(), ids.len());
    let all = ids.map(terminal);
    client.idle("W", &all);
    assert_eq!(client.background("W").len(), ids.len());
    assert_eq!(client.abandoned("W").len(), ids.len());
}

#[test]
fn e3_a_string_with_a_lone_surrogate_half_counts_as_malformed() {
    let update = |fields: &str| {
        let update = format!(r#"{{"sessionUpdate":"tool_call_update",{fields}}}"#);
        let params = format!(r#"{{"sessionId":"S","update":{update}}}"#);
        format!(r#"{{"jsonrpc":"2.0","method":"session/update","params":{params}}}"#)
    };
    let mut client = Client::new();
    client.received_text(&update(r#""toolCallId":"\ud800""#));
    assert_eq!(client.problems(), ["malformed_update update.toolCallId"]);
    client.received_text(&update(r#""toolCallId":"c","title":"good \ud83d\ude00""#));
    assert_eq!(client.the_call("S", "c")["title"], "good 😀");
    client.received_text(&update(
        r#""toolCallId":"c","title":"bad \udc00","status":"completed""#,
    ));
    assert_eq!(client.problems(), NONE);
    assert_eq!(client.the_call("S", "c")["title"], "good 😀");
    assert_eq!(client.status("S", "c"), "completed");
}

#[test]
fn e4_a_refused_child_and_malformed_fields_are_no_problems() {
    let mut client = Client::new();
    client
        .child_with("S", "K", json!({}))
        .child_with("T", "K", json!({}));
    assert_eq!(client.problems(), NONE);
    client.child_with("K", "S", json!({}));
    assert_eq!(client.problems(), NONE);
    for state in [
        json!(3),
        json!({ "state": [] }),
        json!({ "state": "idle", "background": 3 }),
    ] {
        client.child_with("S", "K", json!({ "state": state }));
        assert_eq!(client.problems(), NONE, "{state}");
    }
    let malformed =
        json!({ "title": 3, "status": [], "content": {}, "capabilities": 3, "_meta": 3 });
    client.call_with("S", "c", malformed);
    assert_eq!(client.problems(), NONE);
    client.terminal_with("S", "t", json!({ "exitStatus": 3, "output": 3, "cwd": 3 }));
    assert_eq!(client.problems(), NONE);
    client.snapshot(
        "S",
        "idle",
        json!({ "stopReason": 3, "error": 3, "background": [] }),
    );
    assert_eq!(client.problems(), NONE);
}

#[test]
fn e4_the_problem_codes() {
    let mut codes: Vec<Value> = Vec::new();
    let mut client = Client::new();
    client.received_text("?");
    codes.push(client.outcome()["problems"][0]["code"].clone());
    client.update("S", json!(null));
    codes.push(client.outcome()["problems"][0]["code"].clone());
    client.snapshot("S", "idle", json!({ "background": 3 }));
    codes.push(client.outcome()["problems"][0]["code"].clone());
    client.closed("S").bare("S", "idle");
    codes.push(client.outcome()["problems"][0]["code"].clone());
    let expected = [
        "malformed_message",
        "malformed_update",
        "malformed_background",
        "update_after_close",
    ];
    assert_eq!(codes, expected);
}

#[test]
fn e3_ids_with_the_same_hash_stay_two() {
    // Half a FxHash of each is the same, which is all that the tables compare before the ids.
    for (one, other) in [("call_15574", "call_66284"), ("call_22492", "call_85141")] {
        let mut client = Client::new();
        client.call("S", one, "completed");
        assert_eq!(client.the_call("S", other), json!(null));
        client.call("S", other, "failed");
        assert_eq!(client.status("S", one), "completed");
        assert_eq!(client.status("S", other), "failed");
    }
}
