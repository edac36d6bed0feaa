//! Section 6: abandoned work.

use serde_json::json;

use crate::transcript::*;

/// One call and one terminal that nothing lists.
fn abandoned() -> Client {
    let mut client = Client::new();
    client
        .call("S", "c", "in_progress")
        .terminal("S", "t")
        .idle("S", &[]);
    assert_eq!(client.abandoned("S"), ["c", "t"]);
    client
}

#[test]
fn d1_only_an_idle_session_has_abandoned_work() {
    for state in ["running", "requires_action", "unknown", "_dreaming"] {
        let mut client = abandoned();
        client.state("S", state, &[]);
        assert_eq!(client.abandoned("S"), NONE, "{state}");
    }
}

#[test]
fn d1_only_a_session_whose_list_is_reported_has_abandoned_work() {
    let mut client = abandoned();
    client.bare("S", "idle");
    assert_eq!(client.abandoned("S"), NONE);
    let mut client = Client::new();
    client.call("S", "c", "in_progress").bare("S", "idle");
    assert_eq!(client.abandoned("S"), NONE);
}

#[test]
fn d1_a_closed_session_has_no_abandoned_work() {
    let mut client = abandoned();
    client.closed("S");
    assert_eq!(client.abandoned("S"), NONE);
}

#[test]
fn d1_nothing_is_abandoned_within_a_window_of_a_resume() {
    let mut client = Client::new();
    client
        .child("S", "K", "running")
        .call("K", "c", "in_progress")
        .resume("S")
        .idle("K", &[]);
    assert_eq!(client.activity("K"), "quiet");
    assert_eq!(client.abandoned("K"), NONE);
    client.bare("S", "running");
    assert_eq!(client.abandoned("K"), ["c"]);
    assert_eq!(client.changed(), ["S", "K"]);
}

#[test]
fn d2_an_unfinished_call_that_is_neither_listed_nor_references_a_listed_terminal() {
    let mut client = Client::new();
    client
        .call("S", "listed", "in_progress")
        .call("S", "done", "completed");
    client.showing("S", "by_terminal", &[terminal("other"), terminal("t")]);
    client.showing("S", "lost", &[terminal("other"), session("K")]);
    client
        .call("S", "odd", "_odd")
        .call("S", "pending", "pending")
        .call("S", "paused", "paused");
    client.idle("S", &[call("listed"), terminal("t"), child("K")]);
    assert_eq!(client.abandoned("S"), ["lost", "odd", "pending", "paused"]);
    assert_eq!(client.shown("S", "lost"), "abandoned");
    assert_eq!(client.shown("S", "pending"), "abandoned");
    assert_eq!(client.shown("S", "listed"), "in_progress");
    assert_eq!(client.shown("S", "by_terminal"), "in_progress");
    assert_eq!(client.shown("S", "done"), "completed");
}

#[test]
fn d2_a_running_terminal_that_is_not_listed() {
    let mut client = Client::new();
    client
        .terminal("S", "listed")
        .terminal("S", "lost")
        .exit("S", "done");
    client.showing("S", "c", &[terminal("lost")]);
    client.idle("S", &[terminal("listed"), call("c")]);
    assert_eq!(client.abandoned("S"), ["lost"]);
    assert_eq!(client.terminal_shown("S", "lost"), "abandoned");
    assert_eq!(client.terminal_shown("S", "listed"), "running");
    assert_eq!(client.terminal_shown("S", "done"), "exited");
}

#[test]
fn d2_a_terminal_that_was_only_referenced_is_none() {
    let mut client = Client::new();
    client
        .showing("S", "c", &[terminal("t")])
        .idle("S", &[call("c")]);
    assert_eq!(client.abandoned("S"), NONE);
}

#[test]
fn d3_a_call_with_a_mark_is_not_abandoned_as_well() {
    let mut client = abandoned();
    client.cancel("S");
    assert_eq!(client.abandoned("S"), ["t"]);
    assert_eq!(client.shown("S", "c"), "cancelled");

    let mut client = abandoned();
    client.closed("S").resume("S").idle("S", &[]);
    assert_eq!(client.shown("S", "c"), "cancelled");
    assert_eq!(client.abandoned("S"), NONE);
}

#[test]
fn d4_while_the_foreground_is_unknown_what_is_not_live_by_the_list_is_unconfirmed() {
    let mut client = Client::new();
    client.terminal("S", "t").terminal("S", "u").exit("S", "v");
    client
        .call("S", "c", "in_progress")
        .call("S", "d", "pending")
        .call("S", "e", "completed");
    client.showing("S", "f", &[terminal("t")]);
    client.state("S", "unknown", &[terminal("t"), call("c")]);
    assert_eq!(client.terminal_shown("S", "t"), "running");
    assert_eq!(client.terminal_shown("S", "u"), "unconfirmed");
    assert_eq!(client.terminal_shown("S", "v"), "exited");
    assert_eq!(client.shown("S", "c"), "in_progress");
    assert_eq!(client.shown("S", "d"), "unconfirmed");
    assert_eq!(client.shown("S", "e"), "completed");
    assert_eq!(client.shown("S", "f"), "in_progress");
    client.resume("S");
    assert_eq!(client.terminal_shown("S", "t"), "unconfirmed");
    assert_eq!(client.shown("S", "f"), "unconfirmed");
    client.bare("S", "running");
    assert_eq!(client.shown("S", "f"), "in_progress");
    assert_eq!(client.shown("S", "d"), "pending");
}

#[test]
fn d4_a_marked_call_is_shown_cancelled_all_the_same() {
    let mut client = abandoned();
    client.cancel("S").snapshot("S", "unknown", json!({}));
    assert_eq!(client.shown("S", "c"), "cancelled");
    assert_eq!(client.terminal_shown("S", "t"), "unconfirmed");
}
