//! Section 9: individual stops.

use serde_json::json;

use crate::transcript::*;

fn can_cancel(status: &str) -> serde_json::Value {
    json!({ "status": status, "capabilities": { "cancel": {} } })
}

/// A call `c`, a terminal `t` and a child `K`, all running, listed and stoppable.
fn running() -> Client {
    let mut client = Client::new();
    client
        .call_with("S", "c", can_cancel("in_progress"))
        .terminal("S", "t");
    client
        .child("S", "K", "running")
        .idle("S", &[call("c"), terminal("t"), child("K")]);
    client
}

#[test]
fn s1_the_plan_is_the_request_to_send() {
    let client = running();
    let plan = |method, params| json!({ "ok": true, "method": method, "params": params });
    assert_eq!(
        client.stop_plan("S", &call("c")),
        plan(
            "tool_call/cancel",
            json!({ "sessionId": "S", "toolCallId": "c" })
        ),
    );
    assert_eq!(
        client.stop_plan("S", &terminal("t")),
        plan(
            "terminal/cancel",
            json!({ "sessionId": "S", "terminalId": "t" })
        ),
    );
    assert_eq!(
        client.stop_plan("S", &child("K")),
        plan("session/cancel", json!({ "sessionId": "K" })),
    );
    assert_eq!(
        client.stop_plan("S", &terminal("u")),
        json!({ "ok": false, "reason": "unknown" }),
    );
}

#[test]
fn s1_closed_comes_first() {
    let mut client = running();
    client.closed("S");
    for target in [call("c"), terminal("t"), child("K"), call("unseen")] {
        assert_eq!(client.how_to_stop("S", &target), "closed");
    }
}

#[test]
fn s1_unknown_is_what_was_never_announced_in_this_session() {
    let mut client = running();
    client
        .child("P", "L", "running")
        .idle("S", &[call("x"), terminal("x"), child("x")]);
    for target in [
        call("x"),
        terminal("x"),
        child("x"),
        child("L"),
        child("S"),
        call("t"),
    ] {
        assert_eq!(client.how_to_stop("S", &target), "unknown", "{target}");
    }
    assert_eq!(client.how_to_stop("P", &child("L")), "session/cancel");
}

#[test]
fn s1_finished_by_status_exit_status_or_an_idle_child() {
    for last in ["completed", "failed", "cancelled"] {
        let mut client = running();
        client.call("S", "c", last);
        assert_eq!(client.how_to_stop("S", &call("c")), "finished");
    }
    let mut client = running();
    client.exit("S", "t").idle("K", &[terminal("u")]);
    assert_eq!(client.how_to_stop("S", &terminal("t")), "finished");
    assert_eq!(client.how_to_stop("S", &child("K")), "finished");
}

#[test]
fn s1_not_finished_when_the_list_says_that_it_runs() {
    let mut client = Client::new();
    client
        .call_with("S", "c", can_cancel("completed"))
        .terminal("S", "t")
        .exit("S", "t");
    client
        .idle_child("S", "K", &[])
        .idle("S", &[call("c"), terminal("t"), child("K")]);
    assert_eq!(client.how_to_stop("S", &call("c")), "tool_call/cancel");
    assert_eq!(client.how_to_stop("S", &terminal("t")), "terminal/cancel");
    assert_eq!(client.how_to_stop("S", &child("K")), "session/cancel");
}

#[test]
fn s1_finished_by_the_mark_of_a_close_and_a_closed_child() {
    let mut client = running();
    client.idle("S", &[]).closed("S").resume("S").idle("S", &[]);
    assert_eq!(client.how_to_stop("S", &call("c")), "finished");
    assert_eq!(client.how_to_stop("S", &terminal("t")), "finished");

    let mut client = running();
    client.closed("K");
    assert_eq!(client.how_to_stop("S", &child("K")), "finished");
}

#[test]
fn s1_already_requested_while_a_stop_is_unanswered() {
    let mut client = running();
    client
        .stop("S", 1, call("c"))
        .stop("S", 2, terminal("t"))
        .cancel("K");
    for target in [call("c"), terminal("t"), child("K")] {
        assert_eq!(
            client.how_to_stop("S", &target),
            "already_requested",
            "{target}"
        );
    }
}

#[test]
fn s1_not_cancellable_when_it_is_not_advertised_now() {
    let mut client = running();
    let none = json!({ "capabilities": {} });
    client
        .call_with("S", "c", none.clone())
        .terminal_with("S", "t", none.clone());
    client.child_with("S", "K", none);
    for target in [call("c"), terminal("t"), child("K")] {
        assert_eq!(
            client.how_to_stop("S", &target),
            "not_cancellable",
            "{target}"
        );
    }
}

#[test]
fn s1_the_reasons_are_checked_in_order() {
    let mut client = running();
    client
        .stop("S", 1, terminal("t"))
        .terminal_with("S", "t", json!({ "capabilities": null }));
    assert_eq!(client.how_to_stop("S", &terminal("t")), "already_requested");
    client.exit("S", "t");
    assert_eq!(client.how_to_stop("S", &terminal("t")), "finished");
}

#[test]
fn s2_a_sent_stop_is_requested_and_a_successful_answer_makes_it_accepted() {
    let mut client = running();
    assert_eq!(client.the_terminal("S", "t")["stop"], "none");
    client.stop("S", 1, terminal("t")).stop("S", 2, call("c"));
    assert_eq!(client.the_terminal("S", "t")["stop"], "requested");
    assert_eq!(client.the_call("S", "c")["stop"], "requested");
    assert_eq!(client.item("S", 1)["stop"], "requested");
    client.stop_accepted(1).stop_accepted(2);
    assert_eq!(client.the_terminal("S", "t")["stop"], "accepted");
    assert_eq!(client.the_call("S", "c")["stop"], "accepted");
}

#[test]
fn s2_accepted_does_not_mean_stopped() {
    let mut client = running();
    client.stop("S", 1, terminal("t")).stop_accepted(1);
    assert_eq!(client.ended(), NONE);
    assert_eq!(client.background("S")[1], "terminal t running");
    assert_eq!(client.terminal_shown("S", "t"), "running");
    assert_eq!(client.activity("S"), "background");
    client.exit("S", "t");
    assert_eq!(client.ended(), ["S terminal t stopped"]);
}

#[test]
fn s2_an_accepted_stop_may_be_sent_again_and_refused_then_still_reads_accepted() {
    let mut client = running();
    client.stop("S", 1, terminal("t")).stop_accepted(1);
    assert_eq!(client.how_to_stop("S", &terminal("t")), "terminal/cancel");
    client.stop("S", 2, terminal("t"));
    assert_eq!(client.how_to_stop("S", &terminal("t")), "already_requested");
    client.stop_refused(2);
    assert_eq!(client.stop_result(), "refused");
    assert_eq!(client.the_terminal("S", "t")["stop"], "accepted");
}

#[test]
fn s2_once_the_item_has_finished_accepted_stops_are_over() {
    let mut client = running();
    client
        .stop("S", 1, terminal("t"))
        .stop_accepted(1)
        .exit("S", "t");
    assert_eq!(client.the_terminal("S", "t")["stop"], "none");
    client.terminal_with("S", "t", json!({ "exitStatus": null }));
    assert_eq!(client.the_terminal("S", "t")["stop"], "none");
    client
        .stop("S", 2, call("c"))
        .stop_accepted(2)
        .call("S", "c", "cancelled");
    assert_eq!(client.the_call("S", "c")["stop"], "none");
}

#[test]
fn s3_success_is_accepted_or_finished() {
    let mut client = running();
    client.stop("S", 1, terminal("t")).stop_accepted(1);
    let outcome = json!({
        "sessionId": "S", "target": { "terminalId": "t" }, "result": "accepted", "error": null,
    });
    assert_eq!(client.outcome()["stop"], outcome);
    client
        .stop("S", 2, call("c"))
        .call("S", "c", "completed")
        .stop_accepted(2);
    assert_eq!(client.stop_result(), "finished");
    assert_eq!(client.the_call("S", "c")["stop"], "none");
}

#[test]
fn s3_an_error_is_finished_unknown_or_refused_always_with_the_error() {
    let error = json!({ "code": 1, "message": "no" });
    let mut client = running();
    client
        .stop("S", 1, terminal("t"))
        .exit("S", "t")
        .stop_refused(1);
    assert_eq!(client.stop_result(), "finished");
    assert_eq!(client.outcome()["stop"]["error"], error);

    client.stop("S", 2, terminal("unseen")).stop_refused(2);
    assert_eq!(client.stop_result(), "unknown");
    assert_eq!(client.outcome()["stop"]["error"], error);

    client.stop("S", 3, call("c")).stop_refused(3);
    assert_eq!(client.stop_result(), "refused");
    assert_eq!(client.outcome()["stop"]["error"], error);
}

#[test]
fn s3_a_refused_stop_is_over_and_a_new_one_may_be_planned() {
    let mut client = running();
    client.stop("S", 1, call("c")).stop_refused(1);
    assert_eq!(client.the_call("S", "c")["stop"], "none");
    assert_eq!(client.how_to_stop("S", &call("c")), "tool_call/cancel");
    client.stop_accepted(1);
    assert_eq!(client.outcome()["stop"], json!(null));
}

#[test]
fn s3_in_a_closed_session_everything_has_finished() {
    let mut client = running();
    client
        .stop("S", 1, terminal("t"))
        .stop("S", 2, call("c"))
        .closed("S")
        .stop_accepted(1);
    assert_eq!(client.stop_result(), "finished");
    client.stop_refused(2);
    assert_eq!(client.stop_result(), "finished");
    client.stop("S", 3, terminal("unseen")).stop_refused(3);
    assert_eq!(client.stop_result(), "finished");
}

#[test]
fn s4_a_stop_in_a_session_that_does_not_exist_is_ignored() {
    let mut client = Client::new();
    client.stop("S", 1, terminal("t")).stop_accepted(1);
    assert_eq!(client.outcome()["stop"], json!(null));
    assert_eq!(client.session_ids(), NONE);
}

#[test]
fn s4_an_answer_to_a_stop_that_nobody_sent_changes_nothing() {
    let mut client = running();
    let before = client.everything("S");
    client.stop_refused(7);
    assert_eq!(client.outcome()["stop"], json!(null));
    assert_eq!(client.changed(), NONE);
    assert_eq!(client.everything("S"), before);
}

#[test]
fn s4_stopping_a_terminal_changes_no_call_and_not_the_foreground() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .showing("S", "c", &[terminal("t")]);
    client.state("S", "running", &[terminal("t")]);
    client.stop("S", 1, terminal("t")).stop_accepted(1);
    assert_eq!(client.status("S", "c"), "in_progress");
    assert_eq!(client.shown("S", "c"), "in_progress");
    assert_eq!(client.the_call("S", "c")["stop"], "none");
    assert_eq!(client.foreground("S"), "running");
}

#[test]
fn s5_a_cancel_of_a_child_is_a_stop_until_it_is_idle() {
    let mut client = running();
    client.cancel("K");
    assert_eq!(client.item("S", 2)["stop"], "requested");
    client.bare("K", "requires_action");
    assert_eq!(client.item("S", 2)["stop"], "requested");
    client.idle("K", &[terminal("u")]);
    assert_eq!(client.item("S", 2)["stop"], "none");
    assert_eq!(client.background("S")[2], "subagent K running");
    client.bare("K", "running");
    assert_eq!(client.item("S", 2)["stop"], "none");
}

#[test]
fn s5_a_cancel_of_an_idle_child_is_no_stop() {
    let mut client = running();
    client.idle("K", &[terminal("u")]).cancel("K");
    assert_eq!(client.item("S", 2)["stop"], "none");
}

#[test]
fn s5_the_stop_of_a_child_is_over_when_it_is_closed() {
    let mut client = running();
    client.cancel("K").closed("K");
    assert_eq!(client.item("S", 2)["stop"], "none");
}

#[test]
fn s5_what_a_child_left_in_its_background_is_stopped_item_by_item() {
    let mut client = running();
    client
        .terminal("K", "u")
        .cancel("K")
        .idle("K", &[terminal("u")]);
    assert_eq!(client.how_to_stop("S", &child("K")), "finished");
    assert_eq!(client.how_to_stop("K", &terminal("u")), "terminal/cancel");
    assert_eq!(
        client.item("S", 2)["background"][0]["stopTarget"],
        json!({ "terminalId": "u" })
    );
}

#[test]
fn s2_an_accepted_stop_of_a_call_stays_accepted_while_it_goes_on() {
    let mut client = Client::new();
    client
        .call_with(
            "S",
            "c",
            json!({ "status": "in_progress", "capabilities": { "cancel": {} } }),
        )
        .stop("S", 1, call("c"))
        .stop_accepted(1)
        .call_with("S", "c", json!({ "title": "build" }));
    assert_eq!(client.the_call("S", "c")["stop"], "accepted");
}

#[test]
fn s4_a_stop_that_is_sent_again_changes_nothing_and_its_id_may_be_of_another() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .terminal("S", "u")
        .stop("S", 1, terminal("t"))
        .stop("S", 1, terminal("t"));
    assert_eq!(client.changed(), NONE);
    client.stop("S", 1, terminal("u"));
    assert_eq!(client.the_terminal("S", "t")["stop"], "none");
    assert_eq!(client.the_terminal("S", "u")["stop"], "requested");
}

#[test]
fn s5_no_stop_of_a_listed_child_is_under_way_by_a_cancel_while_it_is_idle() {
    let mut client = Client::new();
    client
        .idle_child("S", "K", &[terminal("u")])
        .idle("S", &[child("K")])
        .cancel("K");
    assert_eq!(client.item("S", 0)["stop"], "none");
    assert_eq!(client.changed(), NONE);
}

#[test]
fn s5_a_cancel_that_came_before_the_parent_is_no_stop() {
    let mut client = Client::new();
    client
        .bare("K", "running")
        .cancel("K")
        .child_with("S", "K", json!({}))
        .idle("S", &[child("K")]);
    assert_eq!(client.background("S"), ["subagent K running"]);
    assert_eq!(client.item("S", 0)["stop"], "none");
}
