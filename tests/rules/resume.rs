//! Section 11: resume, fork, delete and lost connections.

use serde_json::json;

use crate::transcript::*;

#[test]
fn r1_a_sent_resume_makes_the_session_and_its_descendants_unknown() {
    let mut client = Client::new();
    client
        .idle("S", &[terminal("t")])
        .child("S", "K", "running")
        .idle_child("K", "L", &[]);
    client.idle("T", &[]).resume("S");
    for (session, reported) in [("S", "lost"), ("K", "never"), ("L", "lost")] {
        assert_eq!(client.foreground(session), "unknown", "{session}");
        assert_eq!(client.reported(session), reported, "{session}");
        assert_eq!(client.activity(session), "unknown", "{session}");
    }
    assert_eq!(client.activity("T"), "quiet");
}

#[test]
fn r1_a_closed_session_and_its_descendants_are_open_again() {
    let mut client = Client::new();
    client
        .idle("S", &[])
        .child("S", "K", "running")
        .closed("S")
        .resume("S");
    assert_eq!(client.activity("S"), "unknown");
    assert_eq!(client.activity("K"), "unknown");
}

#[test]
fn r1_what_is_known_of_calls_terminals_requests_stops_and_prompts_stays() {
    let mut client = Client::new();
    client
        .call("S", "c", "in_progress")
        .terminal("S", "t")
        .state("S", "running", &[]);
    client
        .permission("S", 1, json!(null))
        .stop("S", 1, terminal("t"))
        .prompt("S", 2)
        .resume("S");
    assert_eq!(client.status("S", "c"), "in_progress");
    assert_eq!(client.running_terminals("S"), ["t"]);
    assert_eq!(client.pending("S"), json!([1]));
    assert_eq!(client.the_terminal("S", "t")["stop"], "requested");
    assert_eq!(client.view("S")["prompts"], json!([2]));
}

#[test]
fn r1_the_response_alone_does_not_make_it_idle() {
    let mut client = Client::new();
    client.idle("S", &[]).resume("S").resumed("S");
    assert_eq!(client.foreground("S"), "unknown");
    assert_eq!(client.activity("S"), "unknown");
}

#[test]
fn r2_an_error_restores_foreground_list_closed_quiet_since_and_stop_reason() {
    let mut client = Client::new();
    client.bare("S", "running").snapshot(
        "S",
        "idle",
        json!({ "stopReason": "end_turn", "background": [] }),
    );
    client
        .state("T", "requires_action", &[terminal("t")])
        .idle("U", &[])
        .closed("U");
    for session in ["S", "T", "U"] {
        let before = client.everything(session);
        client.resume(session).resume_failed(session);
        assert_eq!(client.everything(session), before, "{session}");
    }
    assert_eq!(client.quiet_since("S"), Some(2000.0));
    assert_eq!(client.stop_reason("S"), "end_turn");
    assert_eq!(client.background("T"), ["terminal t running"]);
    assert_eq!(client.activity("U"), "closed");
}

#[test]
fn r2_only_of_sessions_for_which_no_state_has_arrived_since() {
    let mut client = Client::new();
    client
        .idle("S", &[terminal("t")])
        .idle_child("S", "K", &[])
        .resume("S");
    client
        .state("K", "running", &[terminal("u")])
        .resume_failed("S");
    assert_eq!(client.background("S"), ["terminal t running"]);
    assert_eq!(client.activity("K"), "busy");
    assert_eq!(client.background("K"), ["terminal u running"]);

    client.resume("S").bare("S", "running").resume_failed("S");
    assert_eq!(client.activity("S"), "busy");
    assert_eq!(client.reported("S"), "lost");
}

#[test]
fn r2_a_null_state_is_none() {
    let mut client = Client::new();
    client.idle("S", &[]).idle_child("S", "K", &[]).resume("S");
    client
        .child_with("S", "K", json!({ "state": null }))
        .resume_failed("S");
    assert_eq!(client.activity("K"), "quiet");
}

#[test]
fn r2_of_two_resumes_in_flight_the_first_kept_what_to_restore() {
    let mut client = Client::new();
    client
        .idle("S", &[terminal("t")])
        .resume("S")
        .resume("S")
        .resume_failed("S");
    client.resume_failed("S");
    assert_eq!(client.foreground("S"), "idle");
    assert_eq!(client.background("S"), ["terminal t running"]);
}

#[test]
fn r2_a_session_that_the_resume_created_is_gone_again() {
    let mut client = Client::new();
    client.resume("S");
    assert_eq!(client.session_ids(), ["S"]);
    client.resume_failed("S");
    assert_eq!(client.session_ids(), NONE);
    assert_eq!(client.changed(), ["S"]);
}

#[test]
fn r2_unless_something_else_made_it_exist_since() {
    let steps: [fn(&mut Client) -> &mut Client; 6] = [
        |client| client.open("S"),
        |client| client.prompt("S", 1),
        |client| client.permission("S", 1, json!(null)),
        |client| client.call("S", "c", "pending"),
        |client| client.terminal("S", "t"),
        |client| client.bare("S", "idle"),
    ];
    for (number, step) in steps.iter().enumerate() {
        let mut client = Client::new();
        step(client.resume("S")).resume_failed("S");
        assert_eq!(client.session_ids(), ["S"], "step {number}");
    }
    let mut client = Client::new();
    client
        .resume("S")
        .output("S", "t", b"hello")
        .cancel("S")
        .resume_failed("S");
    assert_eq!(client.session_ids(), NONE);
}

#[test]
fn r2_an_answer_to_a_resume_that_nobody_sent_changes_nothing() {
    let mut client = Client::new();
    client.idle("S", &[terminal("t")]).resume_failed("S");
    assert_eq!(client.changed(), NONE);
    client.resumed("S");
    assert_eq!(client.changed(), NONE);
    assert_eq!(client.background("S"), ["terminal t running"]);
}

#[test]
fn r3_a_lost_connection_makes_every_open_session_unknown() {
    let mut client = Client::new();
    client
        .idle("S", &[terminal("t")])
        .state("T", "running", &[])
        .idle("U", &[])
        .closed("U");
    client.disconnect();
    for session in ["S", "T"] {
        assert_eq!(client.foreground(session), "unknown", "{session}");
        assert_eq!(client.reported(session), "lost", "{session}");
    }
    assert_eq!(client.activity("U"), "closed");
    assert_eq!(client.ended(), NONE);
}

#[test]
fn r3_requests_stops_and_prompts_are_void() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .terminal("S", "u")
        .idle("S", &[terminal("t"), terminal("u")]);
    client
        .permission("S", 1, json!(null))
        .elicitation("S", 2)
        .prompt("S", 3);
    client
        .stop("S", 4, terminal("t"))
        .stop("S", 5, terminal("u"))
        .stop_accepted(5)
        .disconnect();
    assert_eq!(client.pending("S"), json!([]));
    assert_eq!(client.view("S")["prompts"], json!([]));
    assert_eq!(client.the_terminal("S", "t")["stop"], "none");
    assert_eq!(client.the_terminal("S", "u")["stop"], "none");
    client.stop_accepted(4);
    assert_eq!(client.outcome()["stop"], json!(null));
    assert_eq!(client.changed(), NONE);
    client.withdraw(1);
    assert_eq!(client.due(), json!([]));
}

#[test]
fn r3_closes_and_resumes_are_void() {
    let mut client = Client::new();
    client
        .idle("S", &[])
        .close("S")
        .idle("T", &[])
        .resume("T")
        .disconnect();
    client.event(json!({ "type": "close_answered", "sessionId": "S" }));
    assert_eq!(client.activity("S"), "unknown");
    assert_eq!(client.changed(), NONE);
    client.resume_failed("T");
    assert_eq!(client.activity("T"), "unknown");
    client.idle("S", &[]);
    assert!(client.is_releasable("S", 1e9));
}

#[test]
fn r4_in_the_window_of_a_resume_nothing_is_reported_until_a_state_of_the_session() {
    let mut client = Client::new();
    client
        .idle("S", &[])
        .child("S", "K", "running")
        .state("K", "running", &[])
        .resume("S");
    client
        .state("K", "running", &[terminal("u")])
        .snapshot("K", "idle", json!({}));
    assert_eq!(client.turns_ended(), NONE);
    client.idle("K", &[]);
    assert_eq!(client.became_quiet(), NONE);
    client.state("K", "running", &[terminal("v")]);
    assert_eq!(client.started(), NONE);
    client.bare("S", "running");
    assert_eq!(client.started(), ["K terminal v"]);
    client.idle("K", &[]);
    assert_eq!(client.turns_ended(), ["K null"]);
    assert_eq!(client.became_quiet(), ["K"]);
    assert_eq!(client.ended(), ["K terminal v dropped"]);
}

#[test]
fn r4_the_closing_event_compares_what_was_tracked_before_with_what_is_listed() {
    let mut client = Client::new();
    client
        .idle("S", &[terminal("t"), terminal("u")])
        .resume("S");
    client.idle("S", &[terminal("u"), terminal("v")]);
    assert_eq!(client.started(), ["S terminal v"]);
    assert_eq!(client.ended(), ["S terminal t dropped"]);
    assert_eq!(client.item("S", 0)["since"], 1000);
}

#[test]
fn r4_the_closing_event_reports_no_turns_end_and_no_quiet() {
    let mut client = Client::new();
    client
        .state("S", "running", &[])
        .idle_child("S", "K", &[])
        .resume("S")
        .idle("K", &[]);
    client.idle("S", &[]);
    assert_eq!(client.turns_ended(), NONE);
    assert_eq!(client.became_quiet(), NONE);
    assert_eq!(client.activity("S"), "quiet");
    assert_eq!(client.activity("K"), "quiet");
    client.bare("S", "running").idle("S", &[]);
    assert_eq!(client.turns_ended(), ["S null"]);
    assert_eq!(client.became_quiet(), ["S"]);
}

#[test]
fn r4_the_answer_to_the_resume_ends_the_window_as_well() {
    for failed in [false, true] {
        let mut client = Client::new();
        client
            .idle("S", &[terminal("t")])
            .idle_child("S", "K", &[])
            .resume("S");
        client.state("K", "running", &[terminal("u")]);
        assert_eq!(client.started(), NONE);
        if failed {
            client.resume_failed("S");
        } else {
            client.resumed("S");
        }
        assert_eq!(client.started(), ["K terminal u"], "{failed}");
        assert_eq!(client.ended(), NONE, "{failed}");
        client.bare("K", "idle");
        assert_eq!(client.turns_ended(), ["K null"], "{failed}");
    }
}

#[test]
fn r4_after_a_lost_connection_each_session_has_a_window_of_its_own() {
    let mut client = Client::new();
    client
        .idle("S", &[])
        .idle_child("S", "K", &[])
        .disconnect()
        .idle("S", &[]);
    assert_eq!(client.became_quiet(), NONE);
    client.idle("K", &[]);
    assert_eq!(client.became_quiet(), NONE);
    client.idle("K", &[terminal("u")]).idle("K", &[]);
    assert_eq!(client.became_quiet(), ["K"]);
}

#[test]
fn r4_a_null_state_does_not_end_the_window() {
    let mut client = Client::new();
    client.idle("S", &[]).idle_child("S", "K", &[]).disconnect();
    client
        .child_with("S", "K", json!({ "state": null }))
        .idle("K", &[]);
    assert_eq!(client.activity("K"), "quiet");
    assert_eq!(client.became_quiet(), NONE);
}

#[test]
fn r4_closing_or_deleting_ends_the_window_and_reports_its_ends() {
    let mut client = Client::new();
    client.idle("S", &[terminal("t")]).resume("S").closed("S");
    assert_eq!(client.ended(), ["S terminal t closed"]);
    client.idle("T", &[terminal("t")]).resume("T").delete("T");
    assert_eq!(client.ended(), ["T terminal t closed"]);
}

#[test]
fn r5_a_fork_is_a_new_session() {
    let mut client = Client::new();
    client
        .call("S", "c", "in_progress")
        .terminal("S", "t")
        .state("S", "running", &[terminal("t")]);
    client.permission("S", 1, json!(null)).prompt("S", 2);
    let mut new = Client::new();
    let params = json!({ "sessionId": "S" });
    client.sent(json!({ "id": 9, "method": "session/fork", "params": params }));
    client.received(json!({ "id": 9, "result": { "sessionId": "F" } }));
    new.open("F");
    assert_eq!(client.session_ids(), ["S", "F"]);
    assert_eq!(client.everything("F"), new.everything("F"));
    assert_eq!(client.the_call("F", "c"), json!(null));
    assert_eq!(client.the_terminal("F", "t"), json!(null));
}

#[test]
fn r6_a_deleted_session_is_forgotten_with_its_descendants() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .idle("S", &[terminal("t")])
        .child("S", "K", "running");
    client
        .child("K", "L", "running")
        .state("L", "running", &[call("c")])
        .open("T")
        .delete("S");
    assert_eq!(client.session_ids(), ["T"]);
    assert_eq!(
        client.ended(),
        ["S terminal t closed", "L tool_call c closed"]
    );
    assert_eq!(client.the_terminal("S", "t"), json!(null));
    client.open("S");
    assert_eq!(client.reported("S"), "never");
    assert_eq!(client.view("S")["children"], json!([]));
}

#[test]
fn r6_a_parent_that_lists_it_lists_it_as_never_announced() {
    let mut client = Client::new();
    client
        .idle_child("S", "K", &[terminal("u")])
        .idle("S", &[child("K")])
        .delete("K");
    assert_eq!(client.background("S"), ["subagent K running"]);
    assert_eq!(client.item("S", 0)["announced"], false);
    assert_eq!(client.view("S")["children"], json!([]));
}

#[test]
fn r2_a_running_foreground_is_restored_as_well() {
    let mut client = Client::new();
    client.bare("S", "running").resume("S").resume_failed("S");
    assert_eq!(client.foreground("S"), "running");
}

#[test]
fn r2_of_sessions_made_by_resumes_in_flight_each_goes_by_its_own_answer() {
    let mut client = Client::new();
    client.resume("S").resume("T").resume_failed("S");
    assert_eq!(client.session_ids(), ["T"]);
    client.resume("T").resume_failed("T");
    assert_eq!(client.session_ids(), ["T"]);
    client.resume_failed("T");
    assert_eq!(client.session_ids(), NONE);
    // What the agent once resumed exists, whatever comes of the next one.
    client.resume("T").resumed("T").resume("T");
    client.resume_failed("T");
    assert_eq!(client.session_ids(), ["T"]);
}

#[test]
fn r2_on_v1_turns_go_on_while_a_resume_fails() {
    // Nothing happened meanwhile.
    let mut client = Client::v1(false);
    client.open("S").resume("S").resume_failed("S");
    assert_eq!(client.foreground("S"), "idle");
    // A prompt was open all the time.
    client.prompt("S", 1).resume("S").resume_failed("S");
    assert_eq!(client.foreground("S"), "running");
    // It was answered meanwhile.
    client.resume("S").prompt_answered(1).resume_failed("S");
    assert_eq!(client.foreground("S"), "idle");
    // One was sent meanwhile.
    client.resume("S").prompt("S", 2).resume_failed("S");
    assert_eq!(client.foreground("S"), "running");
}

#[test]
fn r2_after_a_resume_that_succeeded_another_keeps_what_to_restore() {
    let mut client = Client::v1(false);
    client.open("S").resume("S").resumed("S");
    client.resume("S").resume_failed("S");
    assert_eq!(client.foreground("S"), "idle");
}

#[test]
fn r3_prompts_that_are_void_hold_nothing_back() {
    let mut client = Client::new();
    client.prompt("S", 1).disconnect().idle("S", &[]);
    assert_eq!(client.close_plan("S")["foreground"], false);
    assert!(client.is_releasable("S", 1e6));
}

#[test]
fn p6_a_session_that_the_agent_lost_takes_no_other_along() {
    let mut client = Client::new();
    client
        .idle("T", &[])
        .resume("T")
        .idle("S", &[])
        .resume("S")
        .prompt("S", 1)
        .prompt_failed(1, -32002);
    client.resume_failed("S");
    assert_eq!(client.foreground("S"), "unknown");
    client.resume_failed("T");
    assert_eq!(client.activity("T"), "quiet");
}

#[test]
fn r4_a_window_that_begins_again_lasts_until_its_own_answer() {
    let mut client = Client::new();
    client
        .child("S", "K", "running")
        .resume("S")
        .resume("S")
        .resumed("S")
        .idle("K", &[terminal("t")]);
    assert_eq!(client.started(), NONE);
    client.resumed("S");
    assert_eq!(client.started(), ["K terminal t"]);
}

#[test]
fn r4_on_v1_the_answer_to_the_resume_reports_no_turns_end() {
    let mut client = Client::v1(false);
    client.open("S").resume("S").turn_started("S").resumed("S");
    assert_eq!(client.foreground("S"), "idle");
    assert_eq!(client.turns_ended(), NONE);
}

#[test]
fn r6_a_deleted_session_takes_nothing_of_others_along() {
    let mut client = Client::new();
    client
        .open("S")
        .prompt("T", 1)
        .idle("T", &[])
        .resume("T")
        .delete("S");
    assert_eq!(client.view("T")["prompts"], json!([1]));
    client.resume_failed("T");
    assert_eq!(client.activity("T"), "quiet");
}
