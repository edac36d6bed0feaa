//! Section 13: what an event changed.

use serde_json::json;

use crate::transcript::*;

#[test]
fn n1_started_are_the_items_that_the_event_added_and_ended_those_that_it_took_away() {
    let mut client = Client::new();
    client.idle("S", &[terminal("t"), call("c")]);
    assert_eq!(client.started(), ["S terminal t", "S tool_call c"]);
    assert_eq!(client.ended(), NONE);
    client.idle("S", &[call("c"), terminal("u")]);
    assert_eq!(client.started(), ["S terminal u"]);
    assert_eq!(client.ended(), ["S terminal t dropped"]);
    client.idle("S", &[call("c"), terminal("u")]);
    assert_eq!(client.started(), NONE);
    assert_eq!(client.ended(), NONE);
}

#[test]
fn n1_an_item_that_finishes_while_listed_ends_once() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .idle("S", &[terminal("t")])
        .exit("S", "t");
    assert_eq!(client.ended(), ["S terminal t exited"]);
    client.idle("S", &[terminal("t")]);
    assert_eq!(client.started(), NONE);
    client.idle("S", &[]);
    assert_eq!(client.ended(), NONE);
}

#[test]
fn n1_while_the_list_is_not_reported_what_was_tracked_stays_so() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .idle("S", &[terminal("t"), call("c")])
        .bare("S", "running");
    assert_eq!(client.ended(), NONE);
    client.terminal("S", "u").call("S", "d", "in_progress");
    assert_eq!(client.started(), NONE);
    client.exit("S", "t");
    assert_eq!(client.ended(), ["S terminal t exited"]);
    client.idle("S", &[call("c")]);
    assert_eq!(client.started(), NONE);
    assert_eq!(client.ended(), NONE);
    assert_eq!(client.item("S", 0)["since"], 2000);
}

#[test]
fn n1_what_was_tracked_ends_by_the_list_that_comes_after_no_report() {
    let mut client = Client::new();
    client
        .idle("S", &[terminal("t")])
        .bare("S", "running")
        .idle("S", &[]);
    assert_eq!(client.ended(), ["S terminal t dropped"]);
}

#[test]
fn n1_closing_or_deleting_the_session_ends_all() {
    let mut client = Client::new();
    client
        .idle("S", &[terminal("t")])
        .bare("S", "idle")
        .closed("S");
    assert_eq!(client.ended(), ["S terminal t closed"]);
    client.delete("S");
    assert_eq!(client.ended(), NONE);
    client.idle("T", &[terminal("t")]).delete("T");
    assert_eq!(client.ended(), ["T terminal t closed"]);
}

#[test]
fn n1_items_of_an_unknown_type_are_tracked_by_position_and_type() {
    let other = |kind: &str| json!({ "type": kind });
    let mut client = Client::new();
    client.idle("S", &[other("_x"), other("_x")]);
    assert_eq!(client.started(), ["S other 0", "S other 1"]);
    client.idle("S", &[other("_x"), other("_y")]);
    assert_eq!(client.started(), ["S other 1"]);
    assert_eq!(client.outcome()["started"][0]["kind"], "_y");
    assert_eq!(client.ended(), ["S other 1 dropped"]);
    assert_eq!(client.item("S", 0)["since"], 1000);
    assert_eq!(client.item("S", 1)["since"], 2000);
}

#[test]
fn n1_since_is_when_an_item_was_first_tracked_and_null_when_it_is_not() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .idle("S", &[terminal("t")])
        .idle("S", &[call("c"), terminal("t")]);
    assert_eq!(client.item("S", 1)["since"], 2000);
    assert_eq!(client.item("S", 0)["since"], 3000);
    client.exit("S", "t");
    assert_eq!(client.item("S", 1)["since"], json!(null));
    assert_eq!(client.outcome()["ended"][0]["endedAt"], 4000);
    client.terminal_with("S", "t", json!({ "exitStatus": null }));
    assert_eq!(client.started(), ["S terminal t"]);
    assert_eq!(client.item("S", 1)["since"], 5000);
}

#[test]
fn n2_changed_names_the_sessions_of_which_an_answer_changed() {
    let mut client = Client::new();
    client.open("T").idle("S", &[terminal("t")]);
    assert_eq!(client.changed(), ["S"]);
    client.terminal("S", "t");
    assert_eq!(client.changed(), ["S"]);
    client.output("S", "t", b"hello");
    assert_eq!(client.changed(), ["S"]);
    client.prompt("T", 1);
    assert_eq!(client.changed(), ["T"]);
    client.permission("T", 1, json!(null));
    assert_eq!(client.changed(), ["T"]);
}

#[test]
fn n2_a_parents_answers_that_change_by_a_child_name_the_parent() {
    let mut client = Client::new();
    client
        .child("S", "K", "running")
        .idle("S", &[child("K")])
        .idle("K", &[]);
    assert_eq!(client.changed(), ["S", "K"]);
    client.permission("K", 1, json!(null));
    assert_eq!(client.changed(), ["S", "K"]);
}

#[test]
fn n2_what_a_parent_shows_of_its_childs_list_names_the_parent() {
    let mut client = Client::new();
    client.child("S", "K", "running").idle("S", &[child("K")]);
    client
        .idle("K", &[terminal("u")])
        .terminal_with("K", "u", json!({ "command": "make" }));
    assert_eq!(client.item("S", 0)["background"][0]["title"], "make");
    assert_eq!(client.changed(), ["S", "K"]);
    client.output("K", "u", b"hello");
    assert_eq!(client.item("S", 0)["background"][0]["outputTail"], "hello");
    assert_eq!(client.changed(), ["S", "K"]);
}

#[test]
fn n2_kinds_that_do_not_matter_name_none() {
    let mut client = Client::new();
    client.idle("S", &[terminal("t")]);
    for kind in [
        "agent_message_chunk",
        "user_message_chunk",
        "agent_thought_chunk",
        "plan",
        "usage_update",
        "available_commands_update",
        "current_mode_update",
        "_vendor",
    ] {
        client.kind(
            "S",
            kind,
            json!({ "content": { "type": "text", "text": "hello" } }),
        );
        assert_eq!(client.changed(), NONE, "{kind}");
        assert_eq!(client.problems(), NONE, "{kind}");
    }
    assert_eq!(client.view("S")["version"], 1);
}

#[test]
fn n2_an_update_that_repeats_what_is_known_names_none() {
    let steps: [fn(&mut Client) -> &mut Client; 8] = [
        |client| client.open("S"),
        |client| client.idle("S", &[terminal("t")]),
        |client| client.terminal("S", "t"),
        |client| client.exit("S", "t"),
        |client| client.showing("S", "c", &[terminal("t"), session("K")]),
        |client| client.chunk("S", "c", terminal("t")),
        |client| client.idle_child("S", "K", &[terminal("u")]),
        |client| client.bare("S", "requires_action"),
    ];
    let mut client = Client::new();
    for (number, step) in steps.iter().enumerate() {
        step(&mut client);
        step(&mut client);
        assert_eq!(client.changed(), NONE, "step {number}");
    }
}

#[test]
fn n3_a_call_is_handed_off_to_itself_its_terminal_or_its_child() {
    for (item, kind, id) in [
        (call("c"), "tool_call", "c"),
        (terminal("t"), "terminal", "t"),
        (child("K"), "subagent", "K"),
    ] {
        let mut client = Client::new();
        client.showing("S", "c", &[session("K"), terminal("t")]);
        assert_eq!(client.the_call("S", "c")["handedOff"], json!(null));
        client.idle("S", std::slice::from_ref(&item));
        let expected = json!({
            "type": kind, "id": id, "since": 2000, "endedAt": null, "outcome": null,
        });
        assert_eq!(client.the_call("S", "c")["handedOff"], expected, "{item}");
    }
}

#[test]
fn n3_the_first_in_time_counts_then_the_call_itself_a_terminal_a_child() {
    let mut client = Client::new();
    client.showing("S", "c", &[session("K"), terminal("t")]);
    client
        .idle("S", &[child("K")])
        .idle("S", &[child("K"), terminal("t"), call("c")]);
    assert_eq!(client.the_call("S", "c")["handedOff"]["type"], "subagent");

    client.showing("T", "c", &[session("K"), terminal("t")]);
    client.idle("T", &[child("K"), terminal("t")]);
    assert_eq!(client.the_call("T", "c")["handedOff"]["type"], "terminal");

    client.showing("U", "c", &[session("K"), terminal("t")]);
    client.idle("U", &[child("K"), terminal("t"), call("c")]);
    assert_eq!(client.the_call("U", "c")["handedOff"]["type"], "tool_call");
}

#[test]
fn n3_it_stays_after_the_end_with_the_outcome() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .showing("S", "c", &[terminal("t")])
        .idle("S", &[terminal("t")]);
    client
        .exit("S", "t")
        .idle("S", &[])
        .call("S", "c", "completed");
    let expected = json!({
        "type": "terminal", "id": "t", "since": 3000, "endedAt": 4000, "outcome": "exited",
    });
    assert_eq!(client.the_call("S", "c")["handedOff"], expected);
}

#[test]
fn n3_listed_again_it_is_live_again() {
    let mut client = Client::new();
    client
        .showing("S", "c", &[terminal("t")])
        .idle("S", &[terminal("t")])
        .idle("S", &[]);
    assert_eq!(client.the_call("S", "c")["handedOff"]["outcome"], "dropped");
    assert_eq!(client.the_call("S", "c")["handedOff"]["endedAt"], 3000);
    client.idle("S", &[terminal("t")]);
    assert_eq!(
        client.the_call("S", "c")["handedOff"]["outcome"],
        json!(null)
    );
    assert_eq!(
        client.the_call("S", "c")["handedOff"]["endedAt"],
        json!(null)
    );
}

#[test]
fn n4_the_outcome_of_a_call_is_its_final_status() {
    for last in ["completed", "failed", "cancelled"] {
        let mut client = Client::new();
        client
            .call("S", "c", "in_progress")
            .idle("S", &[call("c")])
            .call("S", "c", last);
        assert_eq!(client.ended(), [format!("S tool_call c {last}")]);
        assert_eq!(client.item("S", 0)["outcome"], last);
    }
}

#[test]
fn n4_the_outcome_of_a_terminal_is_exited_or_stopped() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .terminal("S", "u")
        .idle("S", &[terminal("t"), terminal("u")]);
    assert_eq!(client.item("S", 0)["outcome"], json!(null));
    client
        .stop("S", 1, terminal("t"))
        .stop("S", 2, terminal("u"))
        .stop_accepted(2);
    client.exit("S", "t");
    assert_eq!(client.ended(), ["S terminal t exited"]);
    client.exit("S", "u");
    assert_eq!(client.ended(), ["S terminal u stopped"]);
}

#[test]
fn n4_the_other_outcomes_are_idle_dropped_and_closed() {
    let mut client = Client::new();
    client
        .child("S", "K", "running")
        .idle("S", &[child("K"), terminal("t"), call("c")]);
    client.idle("K", &[]);
    assert_eq!(client.ended(), ["S subagent K idle"]);
    client.idle("S", &[call("c")]);
    assert_eq!(client.ended(), ["S terminal t dropped"]);
    client.closed("S");
    assert_eq!(client.ended(), ["S tool_call c closed"]);
}
