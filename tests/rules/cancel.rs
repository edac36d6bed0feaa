//! Section 7: `session/cancel`.

use acp_client_state::Options;
use serde_json::json;

use crate::transcript::*;

#[test]
fn c1_with_a_list_each_unfinished_call_that_is_not_live_by_it() {
    for state in ["idle", "running", "requires_action", "unknown"] {
        let mut client = Client::new();
        client
            .call("S", "listed", "in_progress")
            .call("S", "done", "completed");
        client.showing("S", "by_terminal", &[terminal("t")]);
        client
            .showing("S", "other", &[terminal("u")])
            .terminal("S", "u")
            .call("S", "odd", "_odd");
        client.state("S", state, &[call("listed"), terminal("t")]);
        assert_eq!(client.marks("S"), ["other", "odd"], "{state}");
        let keep = json!(["listed", "by_terminal"]);
        assert_eq!(client.cancel_plan("S")["keepRunning"], keep, "{state}");
    }
}

#[test]
fn c1_never_reported_and_busy_each_unfinished_call_of_the_current_work() {
    for state in ["running", "requires_action", "_dreaming"] {
        let mut client = Client::new();
        client.call("S", "old", "in_progress").bare("S", state);
        client
            .call("S", "new", "in_progress")
            .call("S", "done", "completed");
        assert_eq!(client.marks("S"), ["new"], "{state}");
    }
}

#[test]
fn c1_the_current_work_began_when_the_foreground_last_became_busy() {
    let mut client = Client::new();
    client
        .bare("S", "running")
        .call("S", "c", "in_progress")
        .bare("S", "requires_action");
    client.bare("S", "running");
    assert_eq!(client.marks("S"), ["c"]);
    client
        .bare("S", "idle")
        .bare("S", "running")
        .call("S", "d", "in_progress");
    assert_eq!(client.marks("S"), ["d"]);
    client.call_with("S", "c", json!({ "title": "Build" }));
    assert_eq!(client.marks("S"), ["d"]);
}

#[test]
fn c1_never_reported_a_call_with_a_running_terminal_stays() {
    let mut client = Client::new();
    client
        .bare("S", "running")
        .terminal("S", "t")
        .exit("S", "u");
    client
        .showing("S", "c", &[terminal("u"), terminal("t")])
        .showing("S", "d", &[terminal("u")]);
    assert_eq!(client.marks("S"), ["d"]);
    client.exit("S", "t");
    assert_eq!(client.marks("S"), ["c", "d"]);
}

#[test]
fn c1_never_reported_and_not_busy_none() {
    for state in ["idle", "unknown"] {
        let mut client = Client::new();
        client
            .bare("S", "running")
            .call("S", "c", "in_progress")
            .bare("S", state);
        assert_eq!(client.marks("S"), NONE, "{state}");
    }
}

#[test]
fn c1_lost_none_and_closed_none() {
    let mut client = Client::new();
    client
        .idle("S", &[])
        .bare("S", "running")
        .call("S", "c", "in_progress");
    assert_eq!(client.reported("S"), "lost");
    assert_eq!(client.marks("S"), NONE);
    client.state("S", "running", &[]);
    assert_eq!(client.marks("S"), ["c"]);
    client.closed("S");
    assert_eq!(client.marks("S"), NONE);
    assert_eq!(client.cancel_plan("S")["keepRunning"], json!([]));
}

/// A running call, marked by a cancel.
fn marked() -> Client {
    let mut client = Client::new();
    client
        .state("S", "running", &[])
        .call("S", "c", "in_progress")
        .cancel("S");
    assert_eq!(client.shown("S", "c"), "cancelled");
    client
}

#[test]
fn c2_the_mark_is_the_clients_and_the_reported_status_stays() {
    let mut client = marked();
    assert_eq!(client.status("S", "c"), "in_progress");
    assert_eq!(client.the_call("S", "c")["endedAt"], json!(null));
    client.call_with("S", "c", json!({ "title": "Build" }));
    assert_eq!(client.shown("S", "c"), "cancelled");
    client.call("S", "later", "in_progress");
    assert_eq!(client.shown("S", "later"), "in_progress");
}

#[test]
fn c2_a_cancel_marks_what_its_plan_named_and_nothing_else() {
    let mut client = Client::new();
    client
        .call("S", "c", "in_progress")
        .call("S", "d", "in_progress");
    client.state("S", "running", &[call("d")]).cancel("S");
    assert_eq!(client.shown("S", "c"), "cancelled");
    assert_eq!(client.shown("S", "d"), "in_progress");
}

#[test]
fn c2_the_mark_goes_when_the_agent_reports_a_final_status() {
    for last in ["completed", "failed", "cancelled"] {
        let mut client = marked();
        client.call("S", "c", last);
        assert_eq!(client.shown("S", "c"), last);
        client
            .idle("S", &[])
            .call("S", "c", "in_progress")
            .state("S", "running", &[]);
        assert_eq!(client.shown("S", "c"), "in_progress");
    }
}

#[test]
fn c2_the_mark_goes_when_the_call_becomes_listed() {
    let mut client = marked();
    client.state("S", "running", &[call("c")]);
    assert_eq!(client.shown("S", "c"), "in_progress");
    client.state("S", "running", &[]);
    assert_eq!(client.shown("S", "c"), "in_progress");
}

#[test]
fn c2_the_mark_goes_when_the_call_references_a_listed_terminal() {
    let mut client = marked();
    client.state("S", "running", &[terminal("t")]);
    assert_eq!(client.shown("S", "c"), "cancelled");
    client.chunk("S", "c", terminal("t"));
    assert_eq!(client.shown("S", "c"), "in_progress");
    client.state("S", "running", &[]);
    assert_eq!(client.shown("S", "c"), "in_progress");
}

#[test]
fn c2_the_mark_goes_when_a_terminal_that_the_call_references_becomes_listed() {
    let mut client = marked();
    client.chunk("S", "c", terminal("t"));
    assert_eq!(client.shown("S", "c"), "cancelled");
    client.state("S", "running", &[terminal("t")]);
    assert_eq!(client.shown("S", "c"), "in_progress");
}

#[test]
fn c2_a_late_status_before_the_next_idle_snapshot_does_not_lift_the_mark() {
    let mut client = marked();
    client.call("S", "c", "in_progress");
    assert_eq!(client.shown("S", "c"), "cancelled");
    client.state("S", "running", &[]).call("S", "c", "pending");
    assert_eq!(client.shown("S", "c"), "cancelled");
    client.call_with("S", "c", json!({ "status": null }));
    assert_eq!(client.shown("S", "c"), "cancelled");
}

#[test]
fn c2_a_status_that_is_not_final_after_an_idle_snapshot_lifts_the_mark() {
    for status in [
        json!("in_progress"),
        json!("pending"),
        json!("_odd"),
        json!(null),
    ] {
        let mut client = marked();
        client.idle("S", &[]);
        assert_eq!(client.shown("S", "c"), "cancelled");
        client.call_with("S", "c", json!({ "title": "Build", "status": 3 }));
        assert_eq!(client.shown("S", "c"), "cancelled");
        client
            .state("S", "running", &[])
            .call_with("S", "c", json!({ "status": status }));
        assert_ne!(client.shown("S", "c"), "cancelled", "{status}");
    }
}

#[test]
fn c2_with_the_foreground_idle_or_unknown_at_the_cancel_a_status_lifts_the_mark_at_once() {
    for state in ["idle", "unknown"] {
        let mut client = Client::new();
        client
            .call("S", "c", "in_progress")
            .state("S", state, &[])
            .cancel("S");
        assert_eq!(client.shown("S", "c"), "cancelled", "{state}");
        client
            .call("S", "c", "in_progress")
            .state("S", "running", &[]);
        assert_eq!(client.shown("S", "c"), "in_progress", "{state}");
    }
}

/// Requests 1 to 7 in a session that lists the terminal `t` and the call `c`; `d` references `t`.
fn asked(client: &mut Client) {
    client
        .call("S", "c", "in_progress")
        .showing("S", "d", &[terminal("t")]);
    client.call("S", "e", "in_progress").terminal("S", "u");
    client.state("S", "running", &[terminal("t"), call("c")]);
    client
        .permission("S", 1, for_call("c"))
        .permission("S", 2, for_call("d"));
    client
        .permission("S", 3, for_command("c", "u"))
        .permission("S", 4, for_command("d", "u"));
    client.permission("S", 5, for_command("e", "t"));
    client
        .permission("S", 6, for_call("e"))
        .permission("S", 7, for_command("e", "u"));
}

#[test]
fn c3_requests_whose_subject_references_listed_work_stay_open() {
    let mut client = Client::new();
    asked(&mut client);
    let plan = client.cancel_plan("S");
    assert_eq!(plan["keepOpen"], json!([1, 2, 3, 4, 5]));
    assert_eq!(plan["answerCancelled"], json!([6, 7]));
    assert_eq!(plan["unattributed"], json!([]));
    client.cancel("S");
    assert_eq!(client.due(), json!([6, 7]));
    assert_eq!(client.pending_due("S"), json!([6, 7]));
}

#[test]
fn c3_a_subject_of_which_one_id_alone_is_listed_stays_open() {
    let mut client = Client::new();
    client.state("S", "running", &[terminal("t"), call("c")]);
    client.permission("S", 1, json!({ "type": "command", "terminalId": "t" }));
    client.permission(
        "S",
        2,
        json!({ "type": "command", "toolCallId": "c", "terminalId": 3 }),
    );
    assert_eq!(client.cancel_plan("S")["keepOpen"], json!([1, 2]));
    client.state("S", "running", &[call("t"), terminal("c")]);
    assert_eq!(client.cancel_plan("S")["answerCancelled"], json!([1, 2]));
}

#[test]
fn c3_every_other_request_of_that_session_is_answered_those_without_a_subject_included() {
    let mut client = Client::new();
    client.state("S", "running", &[terminal("t")]);
    client
        .permission("S", 1, json!(null))
        .permission("T", 2, json!(null))
        .elicitation("S", 3);
    client.cancel("S");
    assert_eq!(client.due(), json!([1]));
    assert_eq!(client.pending_due("T"), json!([]));
}

#[test]
fn c4_what_cannot_be_shown_to_belong_to_the_cancelled_work_is_unattributed() {
    for subject in [
        json!(null),
        json!("tool_call"),
        json!({}),
        json!({ "type": "_plan", "toolCallId": "c" }),
        json!({ "type": "tool_call" }),
        json!({ "type": "tool_call", "toolCall": { "toolCallId": 3 } }),
        json!({ "type": "command", "toolCallId": 3, "terminalId": null }),
        for_command("unseen", "unseen"),
    ] {
        let mut client = Client::new();
        client
            .call("S", "c", "in_progress")
            .terminal("S", "t")
            .state("S", "running", &[]);
        client
            .permission("S", 1, for_call("c"))
            .permission("S", 2, subject.clone());
        client.permission("S", 3, for_command("c", "unseen"));
        client.permission("S", 4, for_command("unseen", "t"));
        let plan = client.cancel_plan("S");
        assert_eq!(plan["answerCancelled"], json!([1, 2, 3, 4]), "{subject}");
        assert_eq!(plan["unattributed"], json!([2]), "{subject}");
        assert_eq!(client.problems(), NONE, "{subject}");
    }
}

#[test]
fn c4_without_a_reported_list_every_request_is_unattributed() {
    let mut client = Client::new();
    client
        .bare("S", "running")
        .permission("S", 1, for_call("c"));
    assert_eq!(client.cancel_plan("S")["unattributed"], json!([1]));
    client.state("S", "running", &[]);
    assert_eq!(client.cancel_plan("S")["unattributed"], json!([]));
    client.bare("S", "running");
    assert_eq!(client.cancel_plan("S")["unattributed"], json!([1]));
}

#[test]
fn c4_the_option_decides_whether_a_cancel_makes_the_unattributed_due() {
    let options = Options {
        cancel_unattributed: false,
    };
    let mut client = Client::with_options(options);
    client.state("S", "running", &[]);
    client
        .permission("S", 1, for_call("c"))
        .permission("S", 2, json!(null));
    assert_eq!(client.cancel_plan("S")["answerCancelled"], json!([1, 2]));
    client.cancel("S");
    assert_eq!(client.due(), json!([1]));

    let mut client = Client::new();
    client.state("S", "running", &[]);
    client
        .permission("S", 1, for_call("c"))
        .permission("S", 2, json!(null))
        .cancel("S");
    assert_eq!(client.due(), json!([1, 2]));
}

#[test]
fn c4_on_v1_a_cancel_always_makes_the_unattributed_due() {
    let options = Options {
        cancel_unattributed: false,
    };
    let mut client = Client::with_options(options);
    client.initialized(1, false).prompt("S", 1);
    client
        .permission("S", 1, for_call("c"))
        .permission("S", 2, json!(null))
        .cancel("S");
    assert_eq!(client.due(), json!([1, 2]));
}

#[test]
fn c5_cancelling_a_session_touches_no_other_session() {
    let mut client = Client::new();
    client
        .state("S", "running", &[])
        .child("S", "K", "running")
        .state("K", "running", &[]);
    client
        .call("K", "c", "in_progress")
        .permission("K", 1, for_call("c"));
    let before = client.everything("K");
    client.cancel("S");
    assert_eq!(client.everything("K"), before);
    assert_eq!(client.due(), json!([]));
    assert_eq!(client.shown("K", "c"), "in_progress");

    client
        .call("S", "c", "in_progress")
        .permission("S", 2, json!(null))
        .cancel("K");
    assert_eq!(client.due(), json!([1]));
    assert_eq!(client.shown("S", "c"), "in_progress");
}

#[test]
fn c6_due_requests_stay_pending_until_they_are_answered() {
    let mut client = Client::new();
    client
        .state("S", "running", &[])
        .permission("S", 1, json!(null))
        .cancel("S");
    assert_eq!(client.pending("S"), json!([1]));
    client.cancel("S");
    assert_eq!(client.due(), json!([]));
    client.answer(1);
    assert_eq!(client.pending("S"), json!([]));
}

#[test]
fn c6_a_request_that_comes_after_the_cancel_is_not_due() {
    let mut client = Client::new();
    client
        .state("S", "running", &[])
        .cancel("S")
        .permission("S", 1, json!(null));
    assert_eq!(client.due(), json!([]));
    assert_eq!(client.pending_due("S"), json!([]));
}

#[test]
fn c6_a_cancel_withdraws_the_prompts_that_are_unanswered() {
    let mut client = Client::new();
    client
        .prompt("S", 1)
        .prompt("S", 2)
        .prompt("T", 3)
        .prompt_answered(1);
    assert_eq!(client.cancel_plan("S")["withdraws"], json!([2]));
    client.cancel("S");
    assert_eq!(client.view("S")["prompts"], json!([2]));
}
