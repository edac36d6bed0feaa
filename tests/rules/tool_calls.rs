//! Section 3: tool calls.

use serde_json::json;

use crate::transcript::*;

#[test]
fn t1_a_first_seen_call_is_pending_without_anything() {
    let mut client = Client::new();
    client.call_with("S", "c", json!({}));
    let expected = json!({
        "toolCallId": "c", "title": null, "kind": "other", "status": "pending", "shown": "pending",
        "background": null, "handedOff": null, "terminals": [], "sessions": [], "stopTarget": null,
        "stop": "none", "startedAt": 1000, "endedAt": null,
    });
    assert_eq!(client.the_call("S", "c"), expected);
    assert_eq!(client.how_to_stop("S", &call("c")), "not_cancellable");
}

#[test]
fn t1_an_update_is_an_upsert_by_id_within_the_session() {
    let mut client = Client::new();
    client
        .call("S", "c", "in_progress")
        .call_with("S", "c", json!({ "title": "Build" }));
    assert_eq!(client.unfinished("S"), ["c"]);
    client.call("T", "c", "failed");
    assert_eq!(client.status("S", "c"), "in_progress");
    assert_eq!(client.the_call("T", "c")["title"], json!(null));
}

#[test]
fn t2_omitted_leaves_null_resets_and_a_value_replaces() {
    let full = json!({
        "title": "Build", "kind": "execute", "status": "in_progress",
        "content": [terminal("t")], "capabilities": { "cancel": {} },
    });
    let mut client = Client::new();
    client.call_with("S", "c", full);
    let before = client.the_call("S", "c");
    client.call_with("S", "c", json!({}));
    assert_eq!(client.the_call("S", "c"), before);
    assert_eq!(client.how_to_stop("S", &call("c")), "tool_call/cancel");

    client.call_with(
        "S",
        "c",
        json!({ "title": "Test", "content": [terminal("u")] }),
    );
    assert_eq!(client.the_call("S", "c")["title"], "Test");
    assert_eq!(client.the_call("S", "c")["terminals"], json!(["u"]));
    assert_eq!(client.the_call("S", "c")["kind"], "execute");

    for (field, shown, reset) in [
        ("title", "title", json!(null)),
        ("kind", "kind", json!("other")),
        ("status", "status", json!("pending")),
        ("content", "terminals", json!([])),
    ] {
        client.call_with("S", "c", json!({ field: null }));
        assert_eq!(client.the_call("S", "c")[shown], reset, "{field}");
    }
    client.call_with("S", "c", json!({ "capabilities": null }));
    assert_eq!(client.how_to_stop("S", &call("c")), "not_cancellable");
}

#[test]
fn t2_a_field_of_the_wrong_type_counts_as_omitted() {
    let mut client = Client::new();
    let content = json!([terminal("t"), session("K")]);
    let fields = json!({ "title": "Build", "kind": "execute", "content": content });
    client
        .call("S", "c", "in_progress")
        .call_with("S", "c", fields);
    let before = client.the_call("S", "c");
    for wrong in [json!(3), json!(true), json!({}), json!([])] {
        for field in ["title", "kind", "status"] {
            client.call_with("S", "c", json!({ field: wrong }));
            assert_eq!(client.the_call("S", "c"), before, "{field} {wrong}");
            assert_eq!(client.changed(), NONE, "{field} {wrong}");
            assert_eq!(client.problems(), NONE, "{field} {wrong}");
        }
    }
    for wrong in [
        json!(3),
        json!("x"),
        json!({ "type": "terminal", "terminalId": "u" }),
    ] {
        client.call_with("S", "c", json!({ "content": wrong }));
        assert_eq!(client.the_call("S", "c"), before, "{wrong}");
    }
}

#[test]
fn t2_invalid_items_of_the_content_are_skipped_one_by_one() {
    let content = json!([
        3, null, "x", [], {}, { "type": 3 }, { "type": "terminal" }, terminal("t"),
        { "type": "terminal", "terminalId": 3 }, { "type": "session" }, session("K"),
        { "type": "content" }, terminal("u"),
    ]);
    let mut client = Client::new();
    client.call_with("S", "c", json!({ "content": content }));
    assert_eq!(client.the_call("S", "c")["terminals"], json!(["t", "u"]));
    assert_eq!(client.the_call("S", "c")["sessions"], json!(["K"]));
    assert_eq!(client.problems(), NONE);
}

#[test]
fn t3_capabilities_are_replaced_whole_and_cancel_is_an_object() {
    let mut client = Client::new();
    let can = |capabilities: &serde_json::Value| {
        let mut client = Client::new();
        let fields = json!({ "status": "in_progress", "capabilities": capabilities });
        client.call_with("S", "c", fields);
        client.how_to_stop("S", &call("c")) == "tool_call/cancel"
    };
    assert!(can(&json!({ "cancel": {} })));
    assert!(can(&json!({ "cancel": { "_meta": {} }, "other": 3 })));
    for malformed in [json!(true), json!(null), json!("yes"), json!([]), json!(1)] {
        assert!(!can(&json!({ "cancel": malformed })), "{malformed}");
    }

    client.call_with("S", "c", json!({ "capabilities": { "cancel": {} } }));
    client.call_with("S", "c", json!({ "capabilities": { "other": {} } }));
    assert_eq!(client.how_to_stop("S", &call("c")), "not_cancellable");
}

#[test]
fn t3_capabilities_that_are_no_object_count_as_omitted() {
    let mut client = Client::new();
    client.call_with("S", "c", json!({ "capabilities": { "cancel": {} } }));
    for wrong in [json!([]), json!(true), json!("cancel"), json!(0)] {
        client.call_with("S", "c", json!({ "capabilities": wrong }));
        assert_eq!(
            client.how_to_stop("S", &call("c")),
            "tool_call/cancel",
            "{wrong}"
        );
    }
}

#[test]
fn t4_a_chunk_appends_one_item() {
    let mut client = Client::new();
    client.showing("S", "c", &[terminal("t")]);
    client
        .chunk("S", "c", terminal("u"))
        .chunk("S", "c", session("K"));
    assert_eq!(client.the_call("S", "c")["terminals"], json!(["t", "u"]));
    assert_eq!(client.the_call("S", "c")["sessions"], json!(["K"]));
    assert_eq!(client.status("S", "c"), "in_progress");
}

#[test]
fn t4_an_invalid_chunk_appends_nothing() {
    let mut client = Client::new();
    client.showing("S", "c", &[terminal("t")]);
    for invalid in [
        json!(null),
        json!(3),
        json!([terminal("u")]),
        json!({ "type": "terminal" }),
    ] {
        client.chunk("S", "c", invalid.clone());
        assert_eq!(
            client.the_call("S", "c")["terminals"],
            json!(["t"]),
            "{invalid}"
        );
        assert_eq!(client.changed(), NONE, "{invalid}");
    }
}

#[test]
fn t4_a_chunk_of_an_unseen_call_creates_it() {
    let mut client = Client::new();
    client
        .chunk("S", "c", terminal("t"))
        .chunk("S", "d", json!(null));
    assert_eq!(client.status("S", "c"), "pending");
    assert_eq!(client.the_call("S", "c")["terminals"], json!(["t"]));
    assert_eq!(client.status("S", "d"), "pending");
}

#[test]
fn t5_a_patch_without_a_status_does_not_bring_a_finished_call_back() {
    for last in ["completed", "failed", "cancelled"] {
        let mut client = Client::new();
        client.call("S", "c", last).bare("S", "running");
        client
            .call_with("S", "c", json!({ "title": "Build" }))
            .chunk("S", "c", terminal("t"));
        assert_eq!(client.status("S", "c"), last);
        assert_eq!(client.shown("S", "c"), last);
        assert_eq!(client.unfinished("S"), NONE);
    }
}

#[test]
fn t5_a_later_status_that_is_not_final_is_applied_as_sent() {
    let mut client = Client::new();
    for status in ["in_progress", "pending", "paused", "_odd"] {
        client.call("S", "c", "completed").call("S", "c", status);
        assert_eq!(client.status("S", "c"), status);
        assert_eq!(client.unfinished("S"), ["c"]);
    }
}

#[test]
fn t6_sessions_and_terminals_of_the_content_stand_once_each_in_its_order() {
    let mut client = Client::new();
    let content = [
        session("K"),
        terminal("t"),
        session("L"),
        session("K"),
        terminal("t"),
    ];
    client
        .showing("S", "c", &content)
        .chunk("S", "c", session("L"))
        .chunk("S", "c", session("A"));
    assert_eq!(
        client.the_call("S", "c")["sessions"],
        json!(["K", "L", "A"])
    );
    assert_eq!(client.the_call("S", "c")["terminals"], json!(["t"]));
}

#[test]
fn t7_started_at_is_the_time_of_the_event_that_created_the_call() {
    let mut client = Client::new();
    client
        .call("S", "c", "pending")
        .call("S", "c", "in_progress");
    assert_eq!(client.the_call("S", "c")["startedAt"], 1000);
    client
        .permission("S", 1, for_call("d"))
        .call("S", "d", "in_progress");
    assert_eq!(client.the_call("S", "d")["startedAt"], 3000);
}

#[test]
fn t7_ended_at_is_the_time_of_the_update_that_made_the_status_final() {
    let mut client = Client::new();
    client
        .call("S", "c", "in_progress")
        .call("S", "c", "completed");
    client.call_with("S", "c", json!({ "title": "Build" }));
    assert_eq!(client.the_call("S", "c")["endedAt"], 2000);
    client.call("S", "c", "in_progress");
    assert_eq!(client.the_call("S", "c")["endedAt"], json!(null));
    client.call("S", "c", "failed");
    assert_eq!(client.the_call("S", "c")["endedAt"], 5000);
    assert_eq!(client.the_call("S", "c")["startedAt"], 1000);
}

#[test]
fn t7_the_same_holds_for_a_terminal_and_its_exit_status() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .exit("S", "t")
        .terminal_with("S", "t", json!({ "cwd": "/" }));
    assert_eq!(client.the_terminal("S", "t")["startedAt"], 1000);
    assert_eq!(client.the_terminal("S", "t")["endedAt"], 2000);
    client.terminal_with("S", "t", json!({ "exitStatus": null }));
    assert_eq!(client.the_terminal("S", "t")["endedAt"], json!(null));
}
