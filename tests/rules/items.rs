//! Section 13, once more: what an item of each type says, while it lives and when it has ended.

use serde_json::{Value, json};

use crate::transcript::*;

/// The item with what every item has, and these fields besides.
fn item(id: &str, kind: &str, fields: &Value) -> Value {
    let mut item = json!({
        "sessionId": "S", "type": kind, "id": id, "kind": kind, "title": null, "status": "running",
        "announced": true, "stopTarget": null, "stop": "none", "since": null, "startedAt": null,
        "endedAt": null, "outcome": null, "toolCallIds": [], "outputTail": null,
        "waitsForUser": false, "background": [],
    });
    for (name, value) in fields.as_object().unwrap() {
        item[name] = value.clone();
    }
    item
}

#[test]
fn n1_what_the_item_of_a_terminal_says() {
    let mut client = Client::new();
    client
        .terminal_with("S", "t", json!({ "command": "make" }))
        .output("S", "t", b"hello")
        .showing("S", "c", &[terminal("t")])
        .idle("S", &[terminal("t")]);
    let fields = json!({
        "title": "make", "since": 4000, "startedAt": 1000, "toolCallIds": ["c"],
        "outputTail": "hello",
    });
    assert_eq!(client.item("S", 0), item("t", "terminal", &fields));
    client.exit("S", "t");
    let fields = json!({
        "title": "make", "startedAt": 1000, "toolCallIds": ["c"], "outputTail": "hello",
        "status": "finished", "endedAt": 5000, "outcome": "exited",
    });
    assert_eq!(client.item("S", 0), item("t", "terminal", &fields));
    assert_eq!(client.outcome()["ended"][0], client.item("S", 0));
}

#[test]
fn n1_what_the_item_of_a_call_says() {
    let mut client = Client::new();
    let fields = json!({ "status": "in_progress", "title": "build" });
    client.call_with("S", "c", fields).idle("S", &[call("c")]);
    let fields = json!({ "title": "build", "since": 2000, "startedAt": 1000 });
    assert_eq!(client.item("S", 0), item("c", "tool_call", &fields));
    client.call("S", "c", "failed");
    let fields = json!({
        "title": "build", "startedAt": 1000, "status": "finished", "endedAt": 3000,
        "outcome": "failed",
    });
    assert_eq!(client.item("S", 0), item("c", "tool_call", &fields));
    assert_eq!(client.outcome()["ended"][0], client.item("S", 0));
}

#[test]
fn n1_what_the_item_of_a_child_says() {
    let mut client = Client::new();
    client
        .open("S")
        .child_with("S", "K", json!({ "title": "look it up" }))
        .bare("K", "running")
        .showing("S", "c", &[session("K")])
        .idle("S", &[child("K")]);
    let fields = json!({
        "title": "look it up", "since": 5000, "startedAt": 2000, "toolCallIds": ["c"],
    });
    assert_eq!(client.item("S", 0), item("K", "subagent", &fields));
    client.idle("K", &[]);
    let fields = json!({
        "title": "look it up", "startedAt": 2000, "toolCallIds": ["c"], "status": "finished",
        "endedAt": 6000, "outcome": "idle",
    });
    assert_eq!(client.item("S", 0), item("K", "subagent", &fields));
    assert_eq!(client.outcome()["ended"][0], client.item("S", 0));
}

#[test]
fn j3_what_the_item_of_a_task_says() {
    let mut client = Client::v2_with_tasks();
    let fields = json!({ "name": "sleep", "toolCallId": "c" });
    client.call("S", "c", "in_progress").task("S", "a", fields);
    let fields = json!({
        "title": "sleep", "since": 3000, "startedAt": 3000, "toolCallIds": ["c"],
    });
    assert_eq!(client.item("S", 0), item("a", "task", &fields));
    client.task_state("S", "a", "completed");
    let fields = json!({
        "title": "sleep", "startedAt": 3000, "toolCallIds": ["c"], "status": "finished",
        "endedAt": 4000, "outcome": "completed",
    });
    assert_eq!(client.outcome()["ended"][0], item("a", "task", &fields));
}

#[test]
fn n1_an_item_that_ends_while_the_list_keeps_it_alive_reads_finished() {
    let mut client = Client::new();
    client
        .exit("S", "t")
        .idle("S", &[terminal("t")])
        .idle("S", &[]);
    let ended = &client.outcome()["ended"][0];
    assert_eq!(ended["status"], "finished");
    assert_eq!(ended["outcome"], "exited");
    // It ended by the list, long after its exit.
    assert_eq!(ended["endedAt"], 3000);
    client.idle("S", &[child("K")]).idle("S", &[]);
    let ended = &client.outcome()["ended"][0];
    assert_eq!(ended["status"], "finished");
    assert_eq!(ended["endedAt"], 5000);
}

#[test]
fn n1_an_unlisted_end_in_a_window_is_told_with_its_own_time() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .showing("S", "c", &[terminal("t")])
        .idle("S", &[terminal("t")])
        .resume("S")
        .exit("S", "t");
    assert_eq!(client.ended(), NONE);
    client.resumed("S");
    assert_eq!(client.ended(), ["S terminal t exited"]);
    assert_eq!(client.outcome()["ended"][0]["endedAt"], 5000);
    let handed_off = &client.the_call("S", "c")["handedOff"];
    assert_eq!(handed_off["endedAt"], 5000);
    assert_eq!(client.changed(), ["S"]);
}

#[test]
fn n2_an_end_that_no_answer_shows_names_none() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .idle("S", &[terminal("t")])
        .resume("S")
        .exit("S", "t")
        .resumed("S");
    assert_eq!(client.ended(), ["S terminal t exited"]);
    assert_eq!(client.changed(), NONE);
}

#[test]
fn n2_what_a_window_hid_as_abandoned_shows_at_its_end() {
    let mut client = Client::new();
    client
        .child("S", "K", "running")
        .terminal("K", "u")
        .resume("S")
        .idle("K", &[]);
    assert_eq!(client.abandoned("K"), NONE);
    client.resumed("S");
    assert_eq!(client.abandoned("K"), ["u"]);
    assert_eq!(client.changed(), ["K"]);
}

#[test]
fn n2_ancestors_that_tell_who_waits_for_the_user_are_named() {
    let mut client = Client::new();
    client
        .child("S", "K", "idle")
        .child("K", "G", "idle")
        .idle("S", &[child("K")]);
    assert_eq!(client.item("S", 0)["waitsForUser"], false);
    client.bare("G", "requires_action");
    assert_eq!(client.item("S", 0)["waitsForUser"], true);
    assert_eq!(client.changed(), ["S", "K", "G"]);
    client.bare("G", "running");
    assert_eq!(client.item("S", 0)["waitsForUser"], false);
    assert_eq!(client.changed(), ["S", "K", "G"]);
    client.bare("G", "requires_action");
    assert_eq!(client.item("S", 0)["waitsForUser"], true);
    assert_eq!(client.changed(), ["S", "K", "G"]);
}

#[test]
fn n2_ancestors_that_tell_whom_a_request_belongs_to_are_named() {
    let mut client = Client::new();
    client
        .child("S", "K", "idle")
        .call("K", "c", "in_progress")
        .permission("K", 1, for_call("c"))
        .idle("K", &[]);
    assert_eq!(client.owners("K"), ["foreground"]);
    assert_eq!(client.changed(), ["S", "K"]);
}

#[test]
fn n1_only_the_child_that_asks_waits_for_the_user() {
    let mut client = Client::new();
    client
        .child("S", "K", "running")
        .child("S", "L", "running")
        .idle("S", &[child("K"), child("L")])
        .permission("L", 1, json!(null));
    assert_eq!(client.item("S", 0)["waitsForUser"], false);
    assert_eq!(client.item("S", 1)["waitsForUser"], true);
}

#[test]
fn n3_a_call_that_comes_to_show_listed_items_was_handed_off_to_the_first_in_time() {
    let mut client = Client::new();
    client
        .idle("S", &[child("K")])
        .idle("S", &[child("K"), terminal("t")])
        .showing("S", "c", &[terminal("t"), session("K")]);
    let handed_off = &client.the_call("S", "c")["handedOff"];
    assert_eq!(handed_off["type"], "subagent");
    assert_eq!(handed_off["since"], 1000);
}

#[test]
fn n3_only_the_calls_around_an_item_were_handed_off() {
    let mut client = Client::new();
    client
        .call("S", "b", "in_progress")
        .showing("S", "c", &[session("K")])
        .idle("S", &[child("K")]);
    assert_eq!(client.the_call("S", "b")["handedOff"], json!(null));
    assert_eq!(client.the_call("S", "c")["handedOff"]["id"], "K");
}

#[test]
fn t2_content_that_is_replaced_is_referenced_no_more() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .terminal("S", "u")
        .idle("S", &[child("K"), child("L")])
        .showing(
            "S",
            "c",
            &[terminal("t"), terminal("u"), session("K"), session("L")],
        )
        .showing("S", "c", &[terminal("u"), session("L")]);
    assert_eq!(client.the_terminal("S", "t")["toolCallIds"], json!([]));
    assert_eq!(client.the_terminal("S", "u")["toolCallIds"], json!(["c"]));
    assert_eq!(client.item("S", 0)["toolCallIds"], json!([]));
    assert_eq!(client.item("S", 1)["toolCallIds"], json!(["c"]));
}

#[test]
fn n2_a_capability_that_no_stop_plan_comes_to_names_none() {
    let cancel = json!({ "capabilities": { "cancel": {} } });
    let none = json!({ "capabilities": {} });
    let mut client = Client::new();
    client
        .call("S", "c", "completed")
        .call_with("S", "c", cancel.clone());
    assert_eq!(client.changed(), NONE);
    client
        .call("S", "c", "in_progress")
        .stop("S", 1, call("c"))
        .call_with("S", "c", none.clone());
    assert_eq!(client.changed(), NONE);
    client
        .child("S", "K", "idle")
        .child_with("S", "K", none.clone());
    assert_eq!(client.changed(), NONE);
    client
        .child("S", "L", "running")
        .cancel("L")
        .child_with("S", "L", none);
    assert_eq!(client.changed(), NONE);
    client.stop_refused(1).call_with("S", "c", cancel);
    assert_eq!(client.changed(), ["S"]);
}

#[test]
fn n2_what_is_sent_again_at_the_same_moment_names_none() {
    let mut client = Client::new();
    client.permission("S", 1, for_call("c"));
    client.at(1000.0).permission("S", 1, for_call("c"));
    assert_eq!(client.changed(), NONE);
    client.prompt("S", 1).prompt("S", 2).prompt("S", 2);
    assert_eq!(client.changed(), NONE);
    client.prompt("S", 1);
    assert_eq!(client.view("S")["prompts"], json!([2, 1]));
    client.prompt("S", 1);
    assert_eq!(client.changed(), NONE);
}

#[test]
fn b7_a_finished_call_is_background_work_while_a_listed_terminal_of_it_runs_on() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .showing("S", "c", &[terminal("t")])
        .showing("S", "d", &[terminal("unseen")])
        .idle("S", &[terminal("t"), terminal("unseen")])
        .call("S", "c", "completed")
        .call("S", "d", "completed");
    assert_eq!(client.the_call("S", "c")["background"], "by_terminal");
    assert_eq!(client.the_call("S", "d")["background"], "by_terminal");
    client.exit("S", "t");
    assert_eq!(client.the_call("S", "c")["background"], json!(null));
}
