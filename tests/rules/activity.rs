//! Section 5: is the session quiet?

use serde_json::json;

use crate::transcript::*;

#[test]
fn a1_the_foreground_decides_unless_it_is_idle() {
    let mut client = Client::new();
    for list in [&[][..], &[terminal("t")]] {
        for (state, activity) in [
            ("unknown", "unknown"),
            ("requires_action", "requires_action"),
            ("running", "busy"),
            ("_dreaming", "busy"),
        ] {
            client.state("S", state, list);
            assert_eq!(client.activity("S"), activity, "{state}");
            assert_eq!(client.view("S")["activity"], activity);
        }
    }
}

#[test]
fn a1_a_closed_session_is_closed_first_of_all() {
    for state in ["running", "unknown", "requires_action", "idle"] {
        let mut client = Client::new();
        client.state("S", state, &[terminal("t")]).closed("S");
        assert_eq!(client.activity("S"), "closed", "{state}");
    }
}

#[test]
fn a2_idle_and_background_not_reported_is_unknown() {
    let mut client = Client::new();
    client.bare("S", "idle");
    assert_eq!(client.activity("S"), "unknown");
    client.idle("S", &[]).bare("S", "idle");
    assert_eq!(client.activity("S"), "unknown");
}

#[test]
fn a3_idle_and_an_empty_list_is_quiet() {
    let mut client = Client::new();
    client
        .call("S", "c", "in_progress")
        .terminal("S", "t")
        .idle("S", &[]);
    assert_eq!(client.activity("S"), "quiet");
    assert_eq!(client.became_quiet(), ["S"]);
    client.idle("S", &[]);
    assert_eq!(client.became_quiet(), NONE);
}

#[test]
fn a4_only_pending_and_paused_calls_listed_is_scheduled() {
    let mut client = Client::new();
    client
        .call("S", "c", "pending")
        .call("S", "d", "paused")
        .idle("S", &[call("c"), call("d")]);
    assert_eq!(client.activity("S"), "scheduled");
    assert_eq!(
        client.background("S"),
        ["tool_call c pending", "tool_call d paused"]
    );
    assert_eq!(client.became_quiet(), NONE);
    client.call("S", "d", "in_progress");
    assert_eq!(client.activity("S"), "background");
    client.call("S", "d", "pending");
    assert_eq!(client.activity("S"), "scheduled");
}

#[test]
fn a4_a_paused_task_counts_as_scheduled() {
    let mut client = Client::v1(true);
    client
        .task("S", "a", json!({}))
        .task_state("S", "a", "paused");
    assert_eq!(client.background("S"), ["task a paused"]);
    assert_eq!(client.activity("S"), "scheduled");
    client.task_state("S", "a", "running");
    assert_eq!(client.activity("S"), "background");
}

#[test]
fn a5_anything_else_listed_is_background() {
    for item in [
        terminal("t"),
        call("unseen"),
        call("going"),
        call("odd"),
        child("K"),
        json!({ "type": "_x" }),
    ] {
        let mut client = Client::new();
        client.call("S", "c", "pending").call("S", "odd", "_odd");
        client.call("S", "going", "in_progress");
        client.idle("S", &[call("c"), item.clone()]);
        assert_eq!(client.activity("S"), "background", "{item}");
    }
}

#[test]
fn a5_what_has_finished_and_is_still_listed_is_not_quiet() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .idle("S", &[terminal("t")])
        .exit("S", "t");
    assert_eq!(client.activity("S"), "background");
    assert_eq!(client.became_quiet(), NONE);
}

#[test]
fn a6_quiet_since_is_the_time_of_the_event_that_made_it_quiet() {
    let mut client = Client::new();
    client.bare("S", "running");
    assert_eq!(client.quiet_since("S"), None);
    client.idle("S", &[]);
    assert_eq!(client.quiet_since("S"), Some(2000.0));
    client
        .idle("S", &[])
        .call("S", "c", "in_progress")
        .prompt("S", 1);
    assert_eq!(client.quiet_since("S"), Some(2000.0));
    client.state("S", "running", &[]);
    assert_eq!(client.quiet_since("S"), None);
    client.idle("S", &[]);
    assert_eq!(client.quiet_since("S"), Some(7000.0));
}

#[test]
fn a6_releasable_after_a_grace_period_of_quiet() {
    let mut client = Client::new();
    client.idle("S", &[]);
    assert!(!client.is_releasable("S", 1000.0));
    assert!(!client.is_releasable("S", 5999.0));
    assert!(client.is_releasable("S", 6001.0));
    client.idle("S", &[terminal("t")]);
    assert!(!client.is_releasable("S", 1e9));
}

#[test]
fn a6_not_releasable_while_a_prompt_a_request_or_a_close_is_unanswered() {
    let mut client = Client::new();
    client.idle("S", &[]).prompt("S", 1);
    assert!(!client.is_releasable("S", 1e9));
    client.prompt_answered(1);
    assert!(client.is_releasable("S", 1e9));

    client.permission("S", 1, json!(null));
    assert!(!client.is_releasable("S", 1e9));
    client.answer(1).elicitation("S", 1);
    assert!(!client.is_releasable("S", 1e9));
    client.answer(1);
    assert!(client.is_releasable("S", 1e9));

    client.close("S");
    assert!(!client.is_releasable("S", 1e9));
    client.close_failed("S", 1);
    assert!(client.is_releasable("S", 1e9));
}

#[test]
fn a6_the_grace_period_also_runs_from_the_answer_of_the_last_prompt() {
    let mut client = Client::new();
    client
        .prompt("S", 1)
        .idle("S", &[])
        .at(100_000.0)
        .prompt_answered(1);
    assert_eq!(client.quiet_since("S"), Some(2000.0));
    assert!(!client.is_releasable("S", 104_999.0));
    assert!(client.is_releasable("S", 105_001.0));
}
