//! What messages mean.

use acp_client_state::Activity;
use serde_json::{Value, json};

use super::Fed;

#[test]
fn p1_on_v1_a_typed_subject_may_be_the_tool_call_itself() {
    for (version, tool_call_id) in [(1, Some("c")), (2, None)] {
        let mut fed = Fed::default();
        fed.apply(
            json!({ "type": "initialized", "protocolVersion": version, "asyncTasks": false }),
        );
        fed.apply(
            json!({ "type": "permission_requested", "requestId": 1, "sessionId": "s",
            "subject": { "toolCallId": "c", "title": "rm" } }),
        );
        let session = fed.state.session("s");
        let call = session.tool_call("c");
        assert_eq!(
            call.and_then(|call| call.title),
            tool_call_id.map(|_| "rm".into())
        );
        let requests = session.requests(false);
        assert_eq!(requests[0].tool_call_id.as_deref(), tool_call_id);
    }
}

#[test]
fn p1_the_meta_of_a_subject_announces_its_terminal_as_that_of_an_update_does() {
    let call = json!({ "toolCallId": "c", "_meta": { "terminal_info": { "terminal_id": "t", "cwd": "/" } } });
    let mut fed = Fed::default();
    fed.received(
        json!({ "id": 1, "method": "session/request_permission", "params": {
        "sessionId": "s", "subject": { "type": "tool_call", "toolCall": call } } }),
    );
    fed.received(
        json!({ "id": 2, "method": "session/request_permission", "params": {
        "sessionId": "v1", "toolCall": call } }),
    );
    assert!(fed.state.session("s").terminal("t").is_some());
    assert!(fed.state.session("v1").terminal("t").is_some());
}

#[test]
fn p1_a_request_of_another_kind_under_a_pending_id_ends_the_pending_one() {
    let mut fed = Fed::default();
    let ask =
        json!({ "id": 1, "method": "session/request_permission", "params": { "sessionId": "s" } });
    fed.received(ask);
    assert_eq!(fed.state.session("s").requests(false).len(), 1);
    let create = json!({ "id": 1, "method": "terminal/create",
        "params": { "sessionId": "s", "command": "ls" } });
    fed.received(create);
    assert!(fed.state.session("s").requests(false).is_empty());
    fed.sent(json!({ "id": 1, "result": { "terminalId": "t" } }));
    assert!(fed.state.session("s").terminal("t").is_some());
}

#[test]
fn v1_a_broken_answer_to_a_prompt_ends_its_turn() {
    for answer in [json!({ "id": 1 }), json!({ "id": 1, "error": "boom" })] {
        let mut fed = Fed::default();
        fed.apply(json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": false }));
        let prompt = json!({ "id": 1, "method": "session/prompt", "params": { "sessionId": "s" } });
        fed.sent(prompt);
        assert_eq!(fed.state.session("s").activity(), Activity::Busy);
        let outcome = fed.received(answer);
        assert_eq!(outcome.turns_ended.len(), 1);
        assert!(fed.state.session("s").snapshot().prompts.is_empty());
    }
}

/// `9007199254740991.0` is 2⁵³ − 1, and not the integer below.
#[test]
fn e3_an_id_is_the_number_nearest_to_what_is_written() {
    let mut fed = Fed::default();
    for id in ["9007199254740990", "9007199254740991.0"] {
        let text =
            format!(r#"{{"id":{id},"method":"elicitation/create","params":{{"sessionId":"s"}}}}"#);
        let _ = fed.state.received(&text, 1.0);
    }
    let requests = fed.state.session("s").requests(false);
    let ids: Vec<Value> = requests.iter().map(|it| json!(it.request_id)).collect();
    assert_eq!(
        ids,
        [
            json!(9_007_199_254_740_990_i64),
            json!(9_007_199_254_740_991_i64)
        ]
    );
}

#[test]
fn p5_an_unanswered_request_of_a_deleted_session_leaves_nothing_behind() {
    let mut fed = Fed::default();
    let mut sizes = Vec::new();
    for n in 0..3 {
        let params = json!({ "sessionId": "s" });
        fed.received(json!({ "id": n, "method": "elicitation/create", "params": params }));
        fed.sent(json!({ "id": n, "method": "session/delete", "params": params }));
        let outcome = fed.received(json!({ "id": n, "result": null }));
        assert_eq!(json!(outcome.answer_due), json!([n]));
        sizes.push(json!(fed.state)["state"].as_array().map(Vec::len));
    }
    assert_eq!(sizes[0], sizes[2]);
}

#[test]
fn e1_an_answer_without_what_it_must_hold_is_a_problem() {
    for (method, path) in [
        ("initialize", "result.protocolVersion"),
        ("session/new", "result.sessionId"),
        ("session/fork", "result.sessionId"),
    ] {
        let mut fed = Fed::default();
        fed.sent(json!({ "id": 1, "method": method, "params": {} }));
        let outcome = fed.received(json!({ "id": 1, "result": {} }));
        let paths: Vec<&str> = outcome.problems.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, [path], "{method}");
        // Refused it is no problem.
        fed.sent(json!({ "id": 1, "method": method, "params": {} }));
        let outcome = fed.received(json!({ "id": 1, "error": { "code": 1, "message": "no" } }));
        assert!(outcome.is_empty(), "{method}");
    }
}

#[test]
fn e1_a_request_that_nobody_can_answer_is_a_problem() {
    for method in [
        "session/request_permission",
        "elicitation/create",
        "terminal/create",
        "terminal/output",
        "terminal/wait_for_exit",
    ] {
        let mut fed = Fed::default();
        let params = json!({ "sessionId": "s", "terminalId": "t" });
        let outcome = fed.received(json!({ "method": method, "params": params }));
        let problem = outcome.problems.first();
        let where_is = problem.map(|it| (it.session_id.as_deref(), it.path.as_str()));
        assert_eq!(where_is, Some((Some("s"), "id")), "{method}");
        assert!(outcome.changed.is_empty(), "{method}");
    }
}

#[test]
fn x5_what_becomes_of_terminals_after_a_close_is_no_problem_of_the_agents() {
    let mut fed = Fed::default();
    let params = json!({ "sessionId": "s", "terminalId": "t" });
    fed.received(json!({ "id": 1, "method": "terminal/create", "params": { "sessionId": "s" } }));
    fed.sent(json!({ "id": 1, "result": { "terminalId": "t" } }));
    fed.received(json!({ "id": 2, "method": "terminal/wait_for_exit", "params": params }));
    fed.received(json!({ "id": 3, "method": "terminal/create", "params": { "sessionId": "s" } }));
    fed.sent(json!({ "id": 1, "method": "session/close", "params": { "sessionId": "s" } }));
    fed.received(json!({ "id": 1, "result": {} }));
    for outcome in [
        fed.sent(json!({ "id": 2, "result": { "exitCode": 0 } })),
        fed.received(json!({ "id": 4, "method": "terminal/release", "params": params })),
        fed.sent(json!({ "id": 3, "result": { "terminalId": "late" } })),
    ] {
        assert!(outcome.is_empty(), "{outcome:?}");
    }
    assert_eq!(fed.state.session("s").terminal("late"), None);
}

#[test]
fn x5_a_closed_child_goes_on_with_a_new_terminal_and_not_with_the_end_of_one() {
    let mut fed = Fed::default();
    let session = json!({ "sessionId": "child" });
    let params = json!({ "sessionId": "child", "terminalId": "t" });
    fed.child("parent", "child");
    fed.sent(json!({ "id": 1, "method": "session/close", "params": session }));
    fed.received(json!({ "id": 1, "result": {} }));
    fed.received(json!({ "id": 2, "method": "terminal/release", "params": params }));
    assert_eq!(fed.state.session("child").activity(), Activity::Closed);
    fed.received(json!({ "id": 3, "method": "terminal/create", "params": session }));
    fed.sent(json!({ "id": 3, "result": { "terminalId": "t" } }));
    assert_eq!(fed.state.session("child").activity(), Activity::Unknown);
    assert!(fed.state.session("child").terminal("t").is_some());
}

#[test]
fn v3_a_release_exits_a_terminal_that_runs_by_the_list() {
    let mut fed = Fed::default();
    let exited = json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": {} });
    fed.update("s", exited);
    fed.update(
        "s",
        json!({ "sessionUpdate": "state_update", "state": "idle",
            "background": [{ "type": "terminal", "terminalId": "t" }] }),
    );
    let is_running = |fed: &Fed| {
        !fed.state
            .session("s")
            .snapshot()
            .running_terminals
            .is_empty()
    };
    assert!(is_running(&fed));
    let params = json!({ "sessionId": "s", "terminalId": "t" });
    fed.received(json!({ "id": 1, "method": "terminal/release", "params": params }));
    assert!(!is_running(&fed));
}

#[test]
fn r3_answers_to_what_was_asked_before_the_connection_was_lost_mean_nothing() {
    let mut fed = Fed::default();
    fed.sent(json!({ "id": 1, "method": "session/new", "params": {} }));
    fed.received(json!({ "id": 1, "method": "terminal/create", "params": { "sessionId": "s" } }));
    fed.apply(json!({ "type": "disconnected" }));
    for outcome in [
        fed.received(json!({ "id": 1, "result": { "sessionId": "s" } })),
        fed.sent(json!({ "id": 1, "result": { "terminalId": "t" } })),
    ] {
        assert!(outcome.is_empty(), "{outcome:?}");
    }
    assert!(fed.state.session_ids().is_empty());
}

#[test]
fn p4_an_elicitation_without_a_session_is_ignored_and_of_an_unreadable_one_a_problem() {
    for (session, problems) in [(json!(null), 0), (json!(3), 1)] {
        let params = json!({ "sessionId": session });
        let outcome = Fed::default()
            .received(json!({ "id": 1, "method": "elicitation/create", "params": params }));
        assert_eq!(outcome.problems.len(), problems, "{session}");
    }
}
