//! Section 12: subagent sessions.

use serde_json::json;

use crate::transcript::*;

#[test]
fn g1_a_subagent_update_makes_the_named_session_a_child() {
    let mut client = Client::new();
    client
        .open("K")
        .child_with("S", "K", json!({ "title": "Worker" }));
    assert_eq!(client.view("S")["children"], json!(["K"]));
    assert_eq!(client.view("K")["parentId"], "S");
    assert_eq!(client.view("K")["title"], "Worker");
}

#[test]
fn g1_the_first_parent_keeps_it_and_another_changes_nothing() {
    let mut client = Client::new();
    client.open("T").child_with(
        "S",
        "K",
        json!({ "title": "Worker", "state": { "state": "running" } }),
    );
    let fields = json!({
        "title": "Thief", "state": { "state": "idle", "background": [] },
        "capabilities": { "cancel": {} },
    });
    client.child_with("T", "K", fields);
    assert_eq!(client.view("K")["parentId"], "S");
    assert_eq!(client.view("K")["title"], "Worker");
    assert_eq!(client.foreground("K"), "running");
    assert_eq!(client.view("T")["children"], json!([]));
    assert_eq!(client.how_to_stop("S", &child("K")), "not_cancellable");
    assert_eq!(client.changed(), NONE);
}

#[test]
fn g1_title_and_capabilities_are_patches() {
    let mut client = Client::new();
    client
        .child("S", "K", "running")
        .child_with("S", "K", json!({ "title": "Worker" }));
    client.child_with("S", "K", json!({ "title": 3, "capabilities": [] }));
    assert_eq!(client.view("K")["title"], "Worker");
    assert_eq!(client.how_to_stop("S", &child("K")), "session/cancel");
    client.child_with(
        "S",
        "K",
        json!({ "title": null, "capabilities": { "cancel": true } }),
    );
    assert_eq!(client.view("K")["title"], json!(null));
    assert_eq!(client.how_to_stop("S", &child("K")), "not_cancellable");
}

#[test]
fn g2_its_state_is_the_childs_snapshot_list_included() {
    let mut client = Client::new();
    let state = json!({ "state": "running", "background": [terminal("u")] });
    client.child_with("S", "K", json!({ "state": state }));
    assert_eq!(client.activity("K"), "busy");
    assert_eq!(client.background("K"), ["terminal u running"]);
    assert_eq!(client.started(), ["K terminal u"]);
    let state = json!({ "state": "idle", "stopReason": "end_turn", "background": [] });
    client.child_with("S", "K", json!({ "state": state }));
    assert_eq!(client.turns_ended(), ["K end_turn"]);
    assert_eq!(client.became_quiet(), ["K"]);
    assert_eq!(client.ended(), ["K terminal u dropped"]);
}

#[test]
fn g2_null_makes_the_child_unknown_and_its_list_not_reported() {
    let mut client = Client::new();
    client
        .idle_child("S", "K", &[])
        .child_with("S", "K", json!({ "state": null }));
    assert_eq!(client.foreground("K"), "unknown");
    assert_eq!(client.reported("K"), "lost");
}

#[test]
fn g2_an_omitted_or_malformed_state_leaves_it() {
    let mut client = Client::new();
    client.idle_child("S", "K", &[terminal("u")]);
    for state in [
        json!(3),
        json!("running"),
        json!([]),
        json!({}),
        json!({ "state": 3 }),
    ] {
        client.child_with("S", "K", json!({ "state": state }));
        assert_eq!(client.foreground("K"), "idle", "{state}");
        assert_eq!(client.background("K"), ["terminal u running"], "{state}");
        assert_eq!(client.changed(), NONE, "{state}");
    }
    client.child_with("S", "K", json!({ "title": "Worker" }));
    assert_eq!(client.foreground("K"), "idle");
}

#[test]
fn g2_the_latest_of_the_parents_word_and_the_childs_own_holds() {
    let mut client = Client::new();
    client.child("S", "K", "running").idle("K", &[]);
    assert_eq!(client.activity("K"), "quiet");
    client.child("S", "K", "requires_action");
    assert_eq!(client.activity("K"), "requires_action");
    client.bare("K", "running");
    assert_eq!(client.activity("K"), "busy");
}

#[test]
fn g3_a_listed_child_runs_unless_it_is_idle_with_a_reported_empty_list() {
    let mut client = Client::new();
    client.child("S", "K", "running").idle("S", &[child("K")]);
    for state in ["running", "requires_action", "unknown", "_dreaming", "idle"] {
        client.bare("K", state);
        assert_eq!(client.background("S"), ["subagent K running"], "{state}");
    }
    client.idle("K", &[terminal("u")]);
    assert_eq!(client.background("S"), ["subagent K running"]);
    client.idle("K", &[]);
    assert_eq!(client.background("S"), ["subagent K finished"]);
    assert_eq!(
        client.ended(),
        ["S subagent K idle", "K terminal u dropped"]
    );
    client.bare("K", "running");
    assert_eq!(client.background("S"), ["subagent K running"]);
    assert_eq!(client.started(), ["S subagent K"]);
}

#[test]
fn g3_a_close_of_the_child_alone_ends_nothing_while_its_parent_lists_it() {
    let mut client = Client::new();
    client
        .child("S", "K", "running")
        .idle("S", &[child("K")])
        .closed("K");
    assert_eq!(client.ended(), NONE);
    assert_eq!(client.background("S"), ["subagent K running"]);
    assert_eq!(client.activity("S"), "background");
    client.idle("S", &[]);
    assert_eq!(client.ended(), ["S subagent K dropped"]);
}

#[test]
fn g3_what_a_child_waits_for_shows_in_its_item() {
    let mut client = Client::new();
    client
        .child("S", "K", "running")
        .child("K", "L", "running")
        .idle("S", &[child("K")]);
    assert_eq!(client.item("S", 0)["waitsForUser"], false);
    client.permission("L", 1, json!(null));
    assert_eq!(client.item("S", 0)["waitsForUser"], true);
    client.answer(1).bare("K", "requires_action");
    assert_eq!(client.item("S", 0)["waitsForUser"], true);
    client.bare("K", "running");
    assert_eq!(client.item("S", 0)["waitsForUser"], false);
}

#[test]
fn g4_a_session_that_would_become_its_own_ancestor_is_not_adopted() {
    let mut client = Client::new();
    client.child_with("S", "S", json!({}));
    assert_eq!(client.view("S")["parentId"], json!(null));
    client
        .child_with("S", "K", json!({}))
        .child_with("K", "L", json!({}));
    for parent in ["K", "L"] {
        client.child_with(
            parent,
            "S",
            json!({ "title": "Own", "state": { "state": "running" } }),
        );
        assert_eq!(client.view("S")["parentId"], json!(null), "{parent}");
        assert_eq!(client.view("S")["title"], json!(null), "{parent}");
        assert_eq!(client.foreground("S"), "idle", "{parent}");
        assert_eq!(client.changed(), NONE, "{parent}");
        assert_eq!(client.problems(), NONE, "{parent}");
    }
}
