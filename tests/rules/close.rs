//! Section 10: `session/close`.

use acp_client_state::Options;
use serde_json::json;

use crate::transcript::*;

#[test]
fn x1_the_plan_lists_every_listed_item_that_has_not_finished() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .terminal("S", "u")
        .call("S", "c", "paused");
    client.idle(
        "S",
        &[
            terminal("t"),
            terminal("u"),
            call("c"),
            child("K"),
            json!({ "type": "_x" }),
        ],
    );
    client.exit("S", "u");
    let stops = [
        "terminal t running",
        "tool_call c paused",
        "subagent K running",
        "other 4 running",
    ];
    assert_eq!(client.stops("S"), stops);
    let counts = json!({
        "terminals": 1, "toolCalls": 1, "subagents": 1, "tasks": 0, "other": 1,
        "running": 3, "waiting": 1,
    });
    assert_eq!(client.close_plan("S")["counts"], counts);
}

#[test]
fn x1_the_plan_says_whether_a_response_is_running() {
    let mut client = Client::new();
    for (state, busy) in [
        ("idle", false),
        ("running", true),
        ("requires_action", true),
        ("_dreaming", true),
        ("unknown", false),
    ] {
        client.state("S", state, &[]);
        assert_eq!(client.close_plan("S")["foreground"], busy, "{state}");
    }
    client.idle("S", &[]).prompt("S", 1);
    assert_eq!(client.close_plan("S")["foreground"], true);
}

#[test]
fn x1_the_plan_lists_the_requests_of_the_session_and_its_descendants() {
    let mut client = Client::new();
    client.child("S", "K", "running").child("K", "L", "running");
    client
        .state("S", "running", &[call("c")])
        .permission("L", 1, json!(null));
    client
        .permission("S", 2, for_call("c"))
        .elicitation("K", 3)
        .permission("T", 4, json!(null));
    assert_eq!(client.close_plan("S")["answerCancelled"], json!([1, 2, 3]));
}

#[test]
fn x1_the_plan_is_certain_when_list_and_foreground_are_known_or_it_is_closed() {
    let mut client = Client::new();
    for (state, certain) in [("idle", true), ("running", true), ("unknown", false)] {
        client.state("S", state, &[]);
        assert_eq!(client.close_plan("S")["certain"], certain, "{state}");
    }
    client.bare("S", "idle");
    assert_eq!(client.close_plan("S")["certain"], false);
    client.closed("S");
    assert_eq!(client.close_plan("S")["certain"], true);
}

#[test]
fn x1_in_a_closed_session_there_is_no_foreground_and_nothing_to_stop() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .state("S", "running", &[terminal("t")])
        .prompt("S", 1)
        .closed("S");
    assert_eq!(client.close_plan("S")["foreground"], false);
    assert_eq!(client.stops("S"), NONE);
    assert_eq!(client.warning("S"), json!(null));
}

#[test]
fn x1_the_warning_says_what_closing_will_stop() {
    let mut client = Client::new();
    client.idle("S", &[]);
    assert_eq!(client.warning("S"), json!(null));
    client.state("S", "running", &[]);
    assert_eq!(
        client.warning("S"),
        "Closing will stop the current response"
    );
    client.idle("S", &[terminal("t")]);
    assert_eq!(client.warning("S"), "Closing will stop 1 background task");
    client.state("S", "running", &[terminal("t"), call("c")]);
    let both = "Closing will stop the current response and 2 background tasks";
    assert_eq!(client.warning("S"), both);
}

#[test]
fn x1_the_warning_says_when_there_is_reason_to_doubt() {
    let mut client = Client::new();
    let doubt = "Closing may stop work that the agent is not reporting";
    client.bare("S", "idle");
    assert_eq!(client.warning("S"), json!(null));
    client.bare("S", "running").call("S", "c", "in_progress");
    assert_eq!(
        client.warning("S"),
        "Closing will stop the current response"
    );
    client.bare("S", "idle");
    assert_eq!(client.warning("S"), doubt);
    client.bare("S", "running");
    let both =
        "Closing will stop the current response and may stop work that the agent is not reporting";
    assert_eq!(client.warning("S"), both);
    client.idle("S", &[]).bare("S", "idle");
    assert_eq!(client.warning("S"), doubt);
    client.state("S", "unknown", &[]);
    assert_eq!(client.warning("S"), doubt);
}

#[test]
fn x2_a_child_that_runs_and_is_not_listed_is_in_the_parents_stops() {
    let mut client = Client::new();
    client
        .child("S", "K", "running")
        .child("S", "L", "idle")
        .child("S", "M", "_dreaming");
    client
        .idle("L", &[terminal("u")])
        .idle_child("S", "N", &[])
        .child("S", "O", "idle");
    client.idle("S", &[]);
    assert_eq!(
        client.stops("S"),
        [
            "subagent K running",
            "subagent L running",
            "subagent M running"
        ]
    );
    client.terminal("L", "u").exit("L", "u");
    assert_eq!(
        client.stops("S"),
        ["subagent K running", "subagent M running"]
    );
    client.idle("S", &[child("K")]);
    assert_eq!(
        client.stops("S"),
        ["subagent K running", "subagent M running"]
    );
}

#[test]
fn x2_while_the_parents_foreground_is_not_busy() {
    let mut client = Client::new();
    client.child("S", "K", "running");
    for state in ["running", "requires_action", "_dreaming"] {
        client.state("S", state, &[]);
        assert_eq!(client.stops("S"), NONE, "{state}");
    }
    for state in ["idle", "unknown"] {
        client.state("S", state, &[]);
        assert_eq!(client.stops("S"), ["subagent K running"], "{state}");
    }
}

#[test]
fn x3_a_sent_close_makes_the_requests_due_that_a_cancel_answers() {
    let mut client = Client::with_options(Options {
        cancel_unattributed: false,
    });
    client
        .state("S", "running", &[call("c")])
        .permission("S", 1, for_call("c"));
    client
        .permission("S", 2, for_call("d"))
        .permission("S", 3, json!(null))
        .elicitation("S", 4);
    client.close("S");
    assert_eq!(client.due(), json!([2, 3]));
    assert_eq!(client.pending("S"), json!([1, 2, 3, 4]));
    assert_eq!(client.activity("S"), "busy");
}

/// A session with work of every kind and a child with work of its own.
fn working() -> Client {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .call("S", "c", "in_progress")
        .call("S", "d", "completed");
    client
        .child("S", "K", "running")
        .terminal("K", "u")
        .call("K", "e", "pending");
    client.state("K", "running", &[terminal("u")]);
    client.state("S", "running", &[terminal("t"), child("K")]);
    client
}

#[test]
fn x4_calls_are_shown_cancelled_and_terminals_exited_in_every_descendant() {
    let mut client = working();
    client.closed("S");
    for (session, call, terminal) in [("S", "c", "t"), ("K", "e", "u")] {
        assert_eq!(client.shown(session, call), "cancelled");
        assert_eq!(client.terminal_shown(session, terminal), "exited");
        let exit = json!({ "exitCode": null, "signal": null });
        assert_eq!(client.the_terminal(session, terminal)["exit"], exit);
        assert_eq!(client.running_terminals(session), NONE);
        assert_eq!(client.background(session), NONE);
        assert_eq!(client.reported(session), "lost");
        assert_eq!(client.activity(session), "closed");
        assert_eq!(client.foreground(session), "idle");
    }
    assert_eq!(client.status("S", "c"), "in_progress");
    assert_eq!(client.shown("S", "d"), "completed");
    let ended = [
        "S terminal t closed",
        "S subagent K closed",
        "K terminal u closed",
    ];
    assert_eq!(client.ended(), ended);
}

#[test]
fn x4_a_list_that_was_never_reported_still_reads_never() {
    let mut client = Client::new();
    client.bare("S", "running").closed("S");
    assert_eq!(client.reported("S"), "never");
}

#[test]
fn x4_every_pending_request_becomes_due() {
    let mut client = working();
    client
        .call("S", "t", "in_progress")
        .permission("S", 1, for_command("c", "t"));
    client
        .elicitation("S", 2)
        .permission("K", 3, json!(null))
        .permission("T", 4, json!(null));
    client.close("S");
    assert_eq!(client.due(), json!([]));
    client.closed("S");
    assert_eq!(client.due(), json!([1, 2, 3]));
}

#[test]
fn x4_the_error_32002_closes_as_well() {
    let mut client = working();
    client.close("S").close_failed("S", -32002);
    assert_eq!(client.activity("S"), "closed");
    assert_eq!(client.activity("K"), "closed");
    assert_eq!(client.shown("S", "c"), "cancelled");
}

#[test]
fn x4_outstanding_closes_of_descendants_are_settled() {
    let mut client = working();
    client
        .close("K")
        .closed("S")
        .resume("S")
        .idle("S", &[])
        .idle("K", &[]);
    assert!(client.is_releasable("K", 1e9));
    client.close_failed("K", -32002);
    assert_eq!(client.changed(), NONE);
    assert_eq!(client.activity("K"), "quiet");
}

/// [`working`], closed and resumed: the marks of the close stand.
fn closed_and_resumed() -> Client {
    let mut client = working();
    client.closed("S").resume("S").state("S", "running", &[]);
    assert_eq!(client.shown("S", "c"), "cancelled");
    assert_eq!(client.terminal_shown("S", "t"), "exited");
    client
}

#[test]
fn x4_an_update_of_the_call_or_terminal_lifts_the_marks() {
    let mut client = closed_and_resumed();
    client.call_with("S", "c", json!({ "title": "Build" }));
    assert_eq!(client.shown("S", "c"), "in_progress");
    client.terminal_with("S", "t", json!({ "cwd": "/" }));
    assert_eq!(client.terminal_shown("S", "t"), "running");
    assert_eq!(client.the_terminal("S", "t")["exit"], json!(null));
}

#[test]
fn x4_content_chunks_lift_the_marks_and_output_chunks_do_not() {
    let mut client = closed_and_resumed();
    client.chunk("S", "c", json!(null));
    assert_eq!(client.shown("S", "c"), "in_progress");
    client.output("S", "t", b"hello");
    assert_eq!(client.terminal_shown("S", "t"), "exited");
    assert_eq!(client.tail("S", "t"), "hello");
}

#[test]
fn x4_being_listed_lifts_the_marks() {
    let mut client = closed_and_resumed();
    client.state("S", "running", &[terminal("t"), call("c")]);
    assert_eq!(
        client.background("S"),
        ["terminal t running", "tool_call c running"]
    );
    client.state("S", "running", &[]);
    assert_eq!(client.shown("S", "c"), "in_progress");
    assert_eq!(client.terminal_shown("S", "t"), "running");
}

#[test]
fn x5_after_any_other_error_the_session_is_as_before_and_requests_stay_due() {
    let mut client = working();
    let before = client.everything("S");
    client.close("S").close_failed("S", 1);
    assert_eq!(client.everything("S"), before);
    client
        .permission("S", 1, json!(null))
        .close("S")
        .close_failed("S", -32603);
    assert_eq!(client.activity("S"), "busy");
    assert_eq!(client.pending_due("S"), json!([1]));
}

#[test]
fn x5_updates_while_closing_apply_as_usual() {
    let mut client = working();
    client.close("S").call("S", "c", "completed").idle("S", &[]);
    assert_eq!(client.shown("S", "c"), "completed");
    assert_eq!(client.activity("S"), "quiet");
    assert_eq!(client.problems(), NONE);
}

#[test]
fn x5_readable_updates_after_closed_change_nothing_and_are_a_problem() {
    let mut client = working();
    client.closed("S");
    let before = client.everything("S");
    let steps: [fn(&mut Client) -> &mut Client; 6] = [
        |client| client.idle("S", &[terminal("t")]),
        |client| client.call("S", "c", "completed"),
        |client| client.chunk("S", "c", json!(null)),
        |client| client.terminal("S", "t"),
        |client| client.child("S", "K", "running"),
        |client| client.task("S", "a", json!({})),
    ];
    for (number, step) in steps.iter().enumerate() {
        step(&mut client);
        let problems = client.problems();
        assert_eq!(problems.len(), 1, "step {number}");
        assert!(
            problems[0].starts_with("update_after_close"),
            "step {number}: {problems:?}"
        );
        assert_eq!(client.everything("S"), before, "step {number}");
        assert_eq!(client.changed(), NONE, "step {number}");
    }
}

#[test]
fn x5_kinds_that_do_not_matter_are_ignored_after_closed_as_ever() {
    let mut client = working();
    client
        .closed("S")
        .kind("S", "agent_message_chunk", json!({}))
        .kind("S", "plan", json!({}));
    assert_eq!(client.problems(), NONE);
    client.output("S", "t", b"hello");
    assert_eq!(client.problems(), NONE);
    assert_eq!(client.changed(), NONE);
}

#[test]
fn x5_a_child_whose_parent_is_open_is_open_again_by_an_update_of_it() {
    let mut client = working();
    client.closed("K").call("K", "f", "in_progress");
    assert_eq!(client.problems(), NONE);
    assert_eq!(client.activity("K"), "unknown");
    assert_eq!(client.foreground("K"), "unknown");
    assert_eq!(client.reported("K"), "lost");
    assert_eq!(client.status("K", "f"), "in_progress");
    client.closed("K").state("K", "running", &[terminal("u")]);
    assert_eq!(client.activity("K"), "busy");
    assert_eq!(client.background("K"), ["terminal u running"]);
}

#[test]
fn x5_a_closed_child_is_open_again_by_its_parents_update_with_a_state_object() {
    let mut client = working();
    client
        .closed("K")
        .child_with("S", "K", json!({ "title": "Worker" }));
    assert_eq!(client.activity("K"), "closed");
    client.child_with("S", "K", json!({ "state": null }));
    assert_eq!(client.activity("K"), "closed");
    client.child_with("S", "K", json!({ "state": { "state": "running" } }));
    assert_eq!(client.activity("K"), "busy");
}

#[test]
fn x5_a_closed_child_is_open_again_when_its_parent_begins_to_list_it() {
    let mut client = working();
    client.closed("K").state("S", "running", &[child("K")]);
    assert_eq!(client.activity("K"), "closed");
    client.state("S", "running", &[]);
    assert_eq!(client.activity("K"), "closed");
    client.state("S", "running", &[child("K")]);
    assert_eq!(client.activity("K"), "unknown");
    assert_eq!(client.foreground("K"), "unknown");
}

#[test]
fn x5_a_child_of_a_closed_parent_stays_closed() {
    let mut client = working();
    client.closed("S").state("K", "running", &[]);
    assert_eq!(client.activity("K"), "closed");
    assert_eq!(client.problems(), ["update_after_close update"]);
}

#[test]
fn x5_a_closed_child_stays_closed_while_its_parent_goes_on_listing_it() {
    let mut client = Client::new();
    client
        .child("S", "K", "running")
        .idle("S", &[child("K")])
        .closed("K")
        .state("S", "running", &[child("K")]);
    assert_eq!(client.activity("K"), "closed");
}

#[test]
fn r6_in_a_deleted_session_no_stop_is_under_way() {
    let mut client = Client::new();
    client
        .child("S", "K", "running")
        .idle("S", &[child("K")])
        .cancel("K");
    assert_eq!(client.item("S", 0)["stop"], "requested");
    client.delete("S");
    assert_eq!(client.ended(), ["S subagent K closed"]);
    assert_eq!(client.outcome()["ended"][0]["stop"], "none");
}
