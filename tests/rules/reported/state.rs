//! What a session has come to.

use acp_client_state::{Activity, CallShown, ClientState, StopState};
use serde_json::{Value, json};

use super::Fed;

#[test]
fn c2_a_mark_stays_when_the_update_that_would_lift_it_leaves_no_list_reported() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": false }));
    let shell = json!({ "type": "terminal", "terminalId": "t" });
    fed.update(
        "s",
        json!({ "sessionUpdate": "terminal_update", "terminalId": "t" }),
    );
    fed.update(
        "s",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a", "toolCallId": "c1" }),
    );
    for content in [json!(null), shell.clone()] {
        fed.update("s", json!({ "sessionUpdate": "tool_call_content_chunk", "toolCallId": "c1", "content": content }));
    }
    fed.update(
        "s",
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c2" }),
    );
    fed.apply(json!({ "type": "cancel_sent", "sessionId": "s" }));
    // A shell of a call that no task names: one may yet be announced (rule J1).
    fed.update(
        "s",
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c2", "content": [shell] }),
    );
    let session = fed.state.session("s");
    let shown = session.tool_call("c2").map(|call| call.shown);
    assert_eq!(session.activity(), Activity::Unknown);
    assert_eq!(shown, Some(CallShown::Cancelled));
}

#[test]
fn s2_an_accepted_stop_outlives_a_task_that_is_spawned_again() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 2, "asyncTasks": true }));
    let spawned =
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a", "toolCallId": "c" });
    fed.update("s", spawned.clone());
    fed.apply(json!({ "type": "stop_sent", "requestId": 1, "sessionId": "s", "toolCallId": "c" }));
    fed.apply(json!({ "type": "stop_answered", "requestId": 1 }));
    fed.update(
        "s",
        json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "status": "failed" }),
    );
    fed.update("s", spawned);
    let call = fed.state.session("s").tool_call("c");
    assert_eq!(call.map(|call| call.stop), Some(StopState::Accepted));
}

#[test]
fn s2_an_accepted_stop_outlives_the_change_from_a_task_to_a_list_that_keep_a_terminal_running() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 2, "asyncTasks": true }));
    let shell = json!([{ "type": "terminal", "terminalId": "t" }]);
    fed.update(
        "s",
        json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "content": shell }),
    );
    fed.update(
        "s",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a", "toolCallId": "c" }),
    );
    fed.apply(json!({ "type": "stop_sent", "requestId": 1, "sessionId": "s", "terminalId": "t" }));
    fed.apply(json!({ "type": "stop_answered", "requestId": 1 }));
    fed.update(
        "s",
        json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": {} }),
    );
    fed.update(
        "s",
        json!({ "sessionUpdate": "state_update", "state": "idle", "background": shell }),
    );
    let terminal = fed.state.session("s").terminal("t");
    assert_eq!(terminal.map(|it| it.stop), Some(StopState::Accepted));
}

#[test]
fn a6_minus_zero_is_the_time_zero() {
    let mut state = ClientState::default();
    let idle = json!({ "type": "update", "sessionId": "s", "update":
        { "sessionUpdate": "state_update", "state": "idle", "background": [] } });
    let _ = state.apply(serde_json::from_value(idle).unwrap(), -0.0);
    let since = state.session("s").quiet_since();
    assert_eq!(since.map(f64::to_bits), Some(0.0_f64.to_bits()));
}

#[test]
fn r2_a_failed_resume_after_its_window_says_that_a_child_is_quiet_again() {
    let mut fed = Fed::default();
    let child = json!({ "sessionUpdate": "subagent_update", "sessionId": "K",
        "state": { "state": "idle", "background": [] } });
    fed.update("S", child);
    let since = fed.state.session("K").quiet_since();
    fed.apply(json!({ "type": "resume_sent", "sessionId": "S" }));
    fed.update(
        "S",
        json!({ "sessionUpdate": "state_update", "state": "idle" }),
    );
    let outcome = fed.resume_fails("S");
    assert_eq!(outcome.became_quiet, ["K"]);
    assert_eq!(fed.state.session("K").quiet_since(), since);
}

#[test]
fn s5_a_failed_resume_to_idle_ends_the_stop_of_a_child() {
    let mut fed = Fed::default();
    fed.update(
        "S",
        json!({ "sessionUpdate": "state_update", "state": "idle", "background": [] }),
    );
    let child = json!({ "sessionUpdate": "subagent_update", "sessionId": "K",
        "state": { "state": "idle", "background": [{ "type": "terminal", "terminalId": "t" }] } });
    fed.update("S", child);
    fed.apply(json!({ "type": "resume_sent", "sessionId": "S" }));
    fed.apply(json!({ "type": "cancel_sent", "sessionId": "K" }));
    fed.resume_fails("S");
    let stops = fed.state.session("S").close_plan().stops;
    assert!(
        stops
            .iter()
            .all(|item| item.stop == acp_client_state::StopState::None)
    );
    assert!(!stops.is_empty());
}

#[test]
fn r2_a_session_that_only_resumes_made_is_gone_when_the_last_of_them_fails() {
    let mut fed = Fed::default();
    let error = json!({ "code": 1, "message": "no" });
    let failed = json!({ "type": "resume_answered", "sessionId": "S", "error": error });
    fed.apply(json!({ "type": "resume_sent", "sessionId": "S" }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "S" }));
    fed.apply(failed.clone());
    assert_eq!(fed.state.session_ids(), ["S"]);
    fed.apply(failed);
    assert!(fed.state.session_ids().is_empty());
}

#[test]
fn b7_a_null_exit_status_of_a_terminal_that_the_list_revived_changes_no_answer() {
    let mut fed = Fed::default();
    let terminal = |exit: Value| {
        json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": exit,
            "capabilities": { "cancel": {} } })
    };
    fed.update("S", terminal(json!({})));
    let idle = json!({ "sessionUpdate": "state_update", "state": "idle",
        "background": [{ "type": "terminal", "terminalId": "t" }] });
    fed.update("S", idle);
    fed.apply(json!({ "type": "stop_sent", "requestId": 1, "sessionId": "S", "terminalId": "t" }));
    fed.apply(json!({ "type": "stop_answered", "requestId": 1 }));
    let before = fed.state.session("S").snapshot();
    // It ran and runs: the accepted stop (S2) is not over either.
    let outcome = fed.update("S", terminal(json!(null)));
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
    assert_eq!(fed.state.session("S").snapshot(), before);
    let terminal = fed.state.session("S").terminal("t").unwrap();
    assert_eq!(terminal.stop, acp_client_state::StopState::Accepted);
}

#[test]
fn j3_a_live_task_lifts_the_mark_of_a_close_from_the_terminals_of_its_call() {
    let mut fed = Fed::default();
    fed.child("P", "S");
    fed.shell_of_task("S");
    fed.close("S");
    // The child goes on (X5), so the task is listed again, and the terminal with it (X4).
    fed.update(
        "S",
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "other" }),
    );
    assert_eq!(fed.state.session("S").terminal("t").unwrap().exit, None);
    let idle = json!({ "sessionUpdate": "state_update", "state": "idle", "background": [
        { "type": "terminal", "terminalId": "another" }] });
    fed.update("S", idle);
    assert_eq!(fed.state.session("S").terminal("t").unwrap().exit, None);
    assert_eq!(fed.state.session("S").abandoned().terminals, ["t"]);
}

#[test]
fn m2_late_output_finishes_the_character_that_an_exit_cut() {
    let mut fed = Fed::default();
    let chunk = |data: &str| json!({ "sessionUpdate": "terminal_output_chunk", "terminalId": "t", "data": data });
    fed.update(
        "S",
        json!({ "sessionUpdate": "terminal_update", "terminalId": "t" }),
    );
    // The first two of the three bytes of a euro sign, and the third when it has exited.
    fed.update("S", chunk("4oI="));
    fed.update(
        "S",
        json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": {} }),
    );
    fed.update("S", chunk("rA=="));
    let tail = fed.state.session("S").terminal("t").unwrap().output_tail;
    assert_eq!(tail.as_deref(), Some("€"));
}

#[test]
fn a_saved_time_is_restored_to_the_last_digit() {
    let mut times = (0..1000).map(|n| 1_764_000_000_000.0 + f64::from(n) * 0.123_456_789);
    let lost = times.find(|at| {
        let mut state = ClientState::default();
        let opened = json!({ "type": "session_opened", "sessionId": "s" });
        let _ = state.apply(serde_json::from_value(opened).unwrap(), *at);
        let text = serde_json::to_string(&state).unwrap();
        let restored: ClientState = serde_json::from_str(&text).unwrap();
        serde_json::to_string(&restored).unwrap() != text
    });
    assert_eq!(lost, None);
}

/// A parent is quiet again only with its children as they were.
#[test]
fn r2_a_failed_resume_restores_quiet_since_though_a_child_had_begun_to_run() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": true }));
    fed.child("parent", "child");
    fed.apply(json!({ "type": "prompt_sent", "sessionId": "child", "requestId": 1 }));
    fed.apply(json!({ "type": "prompt_answered", "requestId": 1 }));
    let since = |fed: &Fed| fed.state.session("parent").quiet_since();
    assert_eq!(since(&fed), Some(4000.0));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "parent" }));
    fed.apply(json!({ "type": "prompt_sent", "sessionId": "child", "requestId": 1 }));
    // The same id again: no prompt of the child's is open any more.
    fed.apply(json!({ "type": "prompt_sent", "sessionId": "other", "requestId": 1 }));
    fed.resume_fails("parent");
    assert_eq!(since(&fed), Some(4000.0));
}

/// A turn that the close ended would keep the session busy for ever once it is open again.
#[test]
fn x4_a_close_ends_the_turns_that_the_agent_began() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": false }));
    fed.child("parent", "child");
    fed.apply(json!({ "type": "agent_turn_started", "sessionId": "child" }));
    fed.close("child");
    // It is open again (rule X5).
    fed.update(
        "child",
        json!({ "sessionUpdate": "tool_call", "toolCallId": "c" }),
    );
    fed.apply(json!({ "type": "prompt_sent", "sessionId": "child", "requestId": 1 }));
    assert_eq!(fed.state.session("child").activity(), Activity::Busy);
    let outcome = fed.apply(json!({ "type": "prompt_answered", "requestId": 1 }));
    assert_eq!(outcome.turns_ended.len(), 1);
    assert_eq!(fed.state.session("child").activity(), Activity::Unknown);
}

#[test]
fn s2_an_accepted_stop_stays_while_a_revived_call_becomes_one_that_runs() {
    let mut fed = Fed::default();
    let call = |status| json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": status });
    fed.update("s", call("completed"));
    // The list is the later word: it runs (rule B7).
    fed.update(
        "s",
        json!({ "sessionUpdate": "state_update", "state": "idle",
            "background": [{ "type": "tool_call", "toolCallId": "c" }] }),
    );
    fed.apply(json!({ "type": "stop_sent", "sessionId": "s", "requestId": 1, "toolCallId": "c" }));
    fed.apply(json!({ "type": "stop_answered", "requestId": 1 }));
    fed.update("s", call("in_progress"));
    let stop = fed.state.session("s").tool_call("c").map(|call| call.stop);
    assert_eq!(stop, Some(StopState::Accepted));
}

#[test]
fn b7_a_revived_child_runs_though_it_was_deleted_and_is_a_child_again() {
    let mut fed = Fed::default();
    let state = json!({ "state": "idle", "background": [] });
    let child = json!({ "sessionUpdate": "subagent_update", "sessionId": "k", "state": state });
    fed.update("p", child);
    fed.update(
        "p",
        json!({ "sessionUpdate": "state_update", "state": "idle",
            "background": [{ "type": "subagent", "sessionId": "k" }] }),
    );
    fed.apply(json!({ "type": "session_deleted", "sessionId": "k" }));
    fed.update(
        "k",
        json!({ "sessionUpdate": "state_update", "state": "idle", "background": [] }),
    );
    assert_eq!(fed.state.session("p").activity(), Activity::Background);
    let child = json!({ "sessionUpdate": "subagent_update", "sessionId": "k" });
    let outcome = fed.update("p", child);
    assert!(outcome.ended.is_empty(), "{:?}", outcome.ended);
    assert_eq!(fed.state.session("p").activity(), Activity::Background);
}

#[test]
fn v6_on_v2_no_turn_of_the_agents_own_ends() {
    let mut fed = Fed::default();
    let initialized =
        |version| json!({ "type": "initialized", "protocolVersion": version, "asyncTasks": false });
    let ended = json!({ "type": "agent_turn_ended", "sessionId": "s", "stopReason": "end_turn" });
    fed.apply(initialized(1));
    fed.apply(json!({ "type": "session_opened", "sessionId": "s" }));
    fed.apply(json!({ "type": "agent_turn_started", "sessionId": "s" }));
    fed.apply(initialized(2));
    fed.apply(ended.clone());
    fed.apply(initialized(1));
    assert_eq!(fed.state.session("s").activity(), Activity::Busy);
    assert_eq!(fed.apply(ended).turns_ended.len(), 1);
}

/// Sent as `session/load`: it was closed before its load failed, and is gone.
#[test]
fn r4_a_session_that_a_failed_resume_takes_away_does_not_become_quiet() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": true }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "s" }));
    fed.close("s");
    let outcome = fed.resume_fails("s");
    assert!(outcome.became_quiet.is_empty());
    assert!(fed.state.session_ids().is_empty());
}

#[test]
fn s2_accepted_stops_are_over_in_a_session_that_a_failed_resume_closes_again() {
    let mut fed = Fed::default();
    let task = json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a" });
    fed.apply(json!({ "type": "initialized", "protocolVersion": 2, "asyncTasks": true }));
    fed.update("s", task);
    fed.close("s");
    fed.apply(json!({ "type": "resume_sent", "sessionId": "s" }));
    fed.apply(json!({ "type": "stop_sent", "sessionId": "s", "requestId": 1, "asyncTaskId": "a" }));
    fed.apply(json!({ "type": "stop_answered", "requestId": 1, "stopped": true }));
    fed.resume_fails("s");
    fed.apply(json!({ "type": "resume_sent", "sessionId": "s" }));
    fed.apply(json!({ "type": "resume_answered", "sessionId": "s" }));
    let background = fed.state.session("s").snapshot().background;
    assert_eq!(background[0].stop, StopState::None);
}

#[test]
fn g3_a_close_of_a_child_that_had_finished_begins_nothing() {
    let mut fed = Fed::default();
    let state = |background: Value| json!({ "sessionUpdate": "state_update", "state": "idle", "background": background });
    fed.child("p", "k");
    fed.update(
        "p",
        state(json!([{ "type": "subagent", "sessionId": "k" }])),
    );
    fed.update("k", state(json!([])));
    let outcome = fed.close("k");
    assert!(outcome.started.is_empty(), "{:?}", outcome.started);
    assert_eq!(fed.state.session("p").close_plan().warning, None);
}

#[test]
fn t7_a_terminal_that_ran_on_by_the_list_ends_when_it_exits_again() {
    let mut fed = Fed::default();
    let exit = |code| json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": { "exitCode": code } });
    for code in [0, 3] {
        fed.update("s", exit(0));
        fed.update(
            "s",
            json!({ "sessionUpdate": "state_update", "state": "idle",
                "background": [{ "type": "terminal", "terminalId": "t" }] }),
        );
        let outcome = fed.update("s", exit(code));
        let terminal = fed.state.session("s").terminal("t").unwrap();
        assert_eq!(terminal.ended_at, Some(fed.at));
        assert_eq!(outcome.ended[0].ended_at, Some(fed.at));
        fed.update(
            "s",
            json!({ "sessionUpdate": "state_update", "state": "idle", "background": [] }),
        );
    }
}

#[test]
fn r2_a_session_that_only_a_resume_made_is_gone_though_the_connection_was_lost_in_between() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "resume_sent", "sessionId": "s" }));
    fed.apply(json!({ "type": "disconnected" }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "s" }));
    fed.resume_fails("s");
    assert!(fed.state.session_ids().is_empty());
}

#[test]
fn r2_a_failed_resume_does_not_say_that_a_session_is_quiet_that_was_so_before() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": true }));
    fed.update(
        "p",
        json!({ "sessionUpdate": "subagent_state_update", "subagentSessionId": "k", "state": "completed" }),
    );
    fed.apply(json!({ "type": "resume_sent", "sessionId": "p" }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "k" }));
    fed.apply(json!({ "type": "resume_answered", "sessionId": "k" }));
    assert!(fed.state.session("k").is_quiet());
    let outcome = fed.resume_fails("p");
    assert!(!outcome.became_quiet.contains(&"k".into()));
}

#[test]
fn s2_a_stop_of_a_turn_that_has_ended_does_not_go_on_in_a_task_of_its_id() {
    let mut fed = Fed::default();
    let task = |kind| json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a", "taskType": kind });
    fed.apply(json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": true }));
    fed.update("s", task("turn"));
    fed.update(
        "s",
        json!({ "sessionUpdate": "async_task_state_update", "asyncTaskId": "a", "state": "completed" }),
    );
    fed.apply(json!({ "type": "stop_sent", "sessionId": "s", "requestId": 1, "asyncTaskId": "a" }));
    fed.apply(json!({ "type": "stop_answered", "requestId": 1 }));
    fed.update("s", task("shell"));
    let background = fed.state.session("s").snapshot().background;
    assert_eq!(background[0].stop, StopState::None);
}
