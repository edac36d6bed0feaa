//! What an event says that it changed (section 13).

use acp_client_state::CallShown;
use serde_json::{Value, json};

use super::Fed;

#[test]
fn n2_the_end_of_what_a_call_became_is_told_though_the_call_references_it_no_more() {
    let mut fed = Fed::default();
    let list = json!([{ "type": "terminal", "terminalId": "t" }]);
    let call = |content: &Value| json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "content": content });
    fed.apply(json!({ "type": "update", "sessionId": "p", "update": {
        "sessionUpdate": "subagent_update", "sessionId": "k",
        "state": { "state": "idle", "background": list } } }));
    fed.update("k", call(&list));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "p" }));
    fed.update("k", call(&json!([])));
    fed.update(
        "k",
        json!({ "sessionUpdate": "state_update", "state": "unknown", "background": [] }),
    );
    let before = fed.state.session("k").tool_call("c");
    let outcome = fed.apply(json!({ "type": "resume_answered", "sessionId": "p" }));
    assert_ne!(fed.state.session("k").tool_call("c"), before);
    assert!(
        outcome.changed.contains(&"k".into()),
        "{:?}",
        outcome.changed
    );
}

#[test]
fn n2_what_ended_in_a_window_and_is_listed_still_is_told_when_the_window_ends() {
    let mut fed = Fed::default();
    let list = json!([{ "type": "terminal", "terminalId": "t" }]);
    let idle = json!({ "state": "idle", "background": list });
    fed.update(
        "p",
        json!({ "sessionUpdate": "subagent_update", "sessionId": "k", "state": idle }),
    );
    fed.apply(json!({ "type": "resume_sent", "sessionId": "p" }));
    fed.update(
        "k",
        json!({ "sessionUpdate": "state_update", "state": "idle", "background": list }),
    );
    let exited = json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": {} });
    fed.update("k", exited);
    let before = fed.state.session("k").snapshot().background;
    let outcome = fed.apply(json!({ "type": "resume_answered", "sessionId": "p" }));
    assert_eq!(outcome.ended.len(), 1);
    assert_ne!(fed.state.session("k").snapshot().background, before);
    assert!(
        outcome.changed.contains(&"k".into()),
        "{:?}",
        outcome.changed
    );
}

#[test]
fn n2_a_child_that_is_no_longer_revived_and_runs_all_the_same_names_no_parent() {
    let mut fed = Fed::default();
    let state = |state: &str| json!({ "sessionUpdate": "state_update", "state": state });
    let mut done = state("idle");
    done["background"] = json!([]);
    fed.child("p", "k");
    fed.update("k", done);
    let mut listing = state("requires_action");
    listing["background"] = json!([{ "type": "subagent", "sessionId": "k" }]);
    fed.update("p", listing);
    fed.apply(json!({ "type": "resume_sent", "sessionId": "k" }));
    let outcome = fed.update("k", state("unknown"));
    assert!(
        !outcome.changed.contains(&"p".into()),
        "{:?}",
        outcome.changed
    );
}

#[test]
fn n2_a_failed_resume_after_async_tasks_went_off_names_nobody() {
    for was_quiet in [false, true] {
        let mut fed = Fed::default();
        let initialized =
            |on: bool| json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": on });
        fed.apply(initialized(true));
        if was_quiet {
            fed.apply(json!({ "type": "session_opened", "sessionId": "s" }));
        }
        fed.apply(json!({ "type": "resume_sent", "sessionId": "s" }));
        fed.apply(json!({ "type": "prompt_sent", "requestId": 1, "sessionId": "s" }));
        fed.apply(initialized(false));
        let error = json!({ "code": 1, "message": "" });
        let outcome =
            fed.apply(json!({ "type": "resume_answered", "sessionId": "s", "error": error }));
        assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
    }
}

#[test]
fn n2_an_update_of_a_terminal_that_a_task_kept_running_names_nobody() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 2, "asyncTasks": true }));
    let terminal =
        json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "command": "sleep 1" });
    let content = json!([{ "type": "terminal", "terminalId": "t" }]);
    fed.update("k", terminal.clone());
    fed.update(
        "k",
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "content": content }),
    );
    fed.update(
        "k",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a", "toolCallId": "c" }),
    );
    fed.apply(json!({ "type": "disconnected" }));
    fed.child("p", "k");
    fed.close("k");
    fed.update(
        "k",
        json!({ "sessionUpdate": "state_update", "state": "_odd" }),
    );
    let before = fed.state.session("k").terminal("t");
    let outcome = fed.update("k", terminal);
    assert_eq!(fed.state.session("k").terminal("t"), before);
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
}

#[test]
fn n2_a_failed_resume_that_leaves_the_list_of_tasks_as_it_is_names_nobody() {
    let mut fed = Fed::default();
    let child = |id: &str, state: Value| json!({ "sessionUpdate": "subagent_update", "sessionId": id, "state": state });
    let idle = json!({ "sessionUpdate": "subagent_state_update", "subagentSessionId": "c", "state": "completed" });
    fed.update("b", idle);
    fed.apply(json!({ "type": "disconnected" }));
    fed.update("a", child("b", json!("unreadable")));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "a" }));
    fed.update(
        "c",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "t", "toolCallId": "x" }),
    );
    let before = fed.state.session("c").snapshot();
    let outcome = fed.apply(json!({ "type": "resume_answered", "sessionId": "a", "error": { "code": 1, "message": "" } }));
    assert_eq!(
        fed.state.session("c").snapshot().background_reported,
        before.background_reported
    );
    assert!(
        !outcome.changed.contains(&"c".into()),
        "{:?}",
        outcome.changed
    );
}

#[test]
fn n2_the_end_of_a_task_is_told_for_the_call_that_it_named_before() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 2, "asyncTasks": false }));
    fed.update(
        "s",
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c1" }),
    );
    let spawned = |call, kind| json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "k", "toolCallId": call, "taskType": kind });
    fed.update("s", spawned("c1", "shell"));
    fed.update("s", spawned("c2", "turn"));
    let before = fed.state.session("s").tool_call("c1");
    let failed = json!({ "sessionUpdate": "async_task_state_update", "asyncTaskId": "k", "state": "failed" });
    let outcome = fed.update("s", failed);
    assert_ne!(fed.state.session("s").tool_call("c1"), before);
    assert_eq!(outcome.changed, ["s"]);
}

#[test]
fn n2_only_the_order_within_terminals_and_within_sessions_is_shown() {
    let mut fed = Fed::default();
    let terminal = json!({ "type": "terminal", "terminalId": "t" });
    let session = json!({ "type": "session", "sessionId": "x" });
    let call = |content: Value| json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "content": content });
    let chunk = |item: &Value| json!({ "sessionUpdate": "tool_call_content_chunk", "toolCallId": "d", "content": item });
    fed.update("s", call(json!([session, terminal])));
    let outcome = fed.update("s", call(json!([terminal, session])));
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
    fed.update("s", chunk(&session));
    fed.update("s", chunk(&terminal));
    let mut same = call(json!([terminal, session]));
    same["toolCallId"] = "d".into();
    let outcome = fed.update("s", same);
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
}

#[test]
fn n2_adopting_a_session_whose_child_asks_names_every_ancestor() {
    let mut fed = Fed::default();
    fed.child("S", "K");
    fed.child("P", "G");
    fed.apply(json!({ "type": "permission_requested", "requestId": 1, "sessionId": "G" }));
    let outcome = fed.child("K", "P");
    assert!(
        outcome.changed.contains(&"S".into()),
        "{:?}",
        outcome.changed
    );
    let outcome = fed.apply(json!({ "type": "session_deleted", "sessionId": "P" }));
    assert!(
        outcome.changed.contains(&"S".into()),
        "{:?}",
        outcome.changed
    );
}

#[test]
fn n2_a_failed_resume_of_a_session_that_requires_action_names_every_ancestor() {
    let mut fed = Fed::default();
    let idle = json!({ "sessionUpdate": "state_update", "state": "idle",
        "background": [{ "type": "subagent", "sessionId": "S" }] });
    fed.update("T", idle);
    fed.child("T", "S");
    fed.child("S", "K");
    fed.update(
        "K",
        json!({ "sessionUpdate": "state_update", "state": "requires_action" }),
    );
    fed.apply(json!({ "type": "resume_sent", "sessionId": "K" }));
    let outcome = fed.resume_fails("K");
    assert!(
        outcome.changed.contains(&"T".into()),
        "{:?}",
        outcome.changed
    );
    let snapshot = fed.state.session("T").snapshot();
    assert!(snapshot.background.iter().all(|item| item.waits_for_user));
}

#[test]
fn n3_a_call_that_makes_the_list_unreported_was_not_handed_off_by_it() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 2, "asyncTasks": true }));
    let child = json!({ "sessionUpdate": "subagent_update", "sessionId": "K",
        "state": { "state": "running" } });
    fed.update("S", child);
    assert_eq!(fed.state.session("S").snapshot().background.len(), 1);
    fed.update(
        "S",
        json!({ "sessionUpdate": "terminal_update", "terminalId": "t" }),
    );
    // From now on a shell may yet be announced as a task (J1).
    let call = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "content": [
        { "type": "session", "sessionId": "K" }, { "type": "terminal", "terminalId": "t" }] });
    fed.update("S", call);
    let handed_off = |fed: &Fed| fed.state.session("S").tool_call("c").unwrap().handed_off;
    assert_eq!(fed.state.session("S").snapshot().background, []);
    assert_eq!(handed_off(&fed), None);
    let exited = json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": {} });
    fed.update("S", exited);
    assert_eq!(handed_off(&fed).map(|became| became.id), Some("K".into()));
}

#[test]
fn n2_a_stop_of_a_child_of_a_closed_session_changes_no_answer() {
    let mut fed = Fed::default();
    fed.child("S", "K");
    fed.close("S");
    fed.apply(json!({ "type": "resume_sent", "sessionId": "K" }));
    let outcome = fed.apply(json!({ "type": "cancel_sent", "sessionId": "K" }));
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
}

#[test]
fn n2_an_exit_of_a_terminal_that_a_live_task_keeps_running_changes_no_answer() {
    let mut fed = Fed::default();
    fed.shell_of_task("S");
    let exited = json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": {} });
    let outcome = fed.update("S", exited);
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
    assert_eq!(fed.state.session("S").terminal("t").unwrap().exit, None);
}

#[test]
fn n2_a_lost_accepted_stop_of_a_task_that_nothing_lists_changes_no_answer() {
    let mut fed = Fed::default();
    fed.update(
        "S",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a", "canStop": true }),
    );
    fed.apply(json!({ "type": "stop_sent", "requestId": 1, "sessionId": "S", "asyncTaskId": "a" }));
    fed.apply(json!({ "type": "stop_answered", "requestId": 1 }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "S" }));
    let outcome = fed.apply(json!({ "type": "disconnected" }));
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
}

/// Found by comparing all answers before and after every step: the item ran before and runs after.
#[test]
fn n2_a_null_exit_status_of_a_revived_terminal_changes_no_answer() {
    let mut fed = Fed::default();
    let exit = |status: serde_json::Value| json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": status });
    fed.update("S", exit(json!({ "exitCode": 0 })));
    fed.update(
        "S",
        json!({ "sessionUpdate": "state_update", "state": "idle",
            "background": [{ "type": "terminal", "terminalId": "t" }] }),
    );
    let outcome = fed.update("S", exit(json!(null)));
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
    assert!(outcome.started.is_empty());
}

#[test]
fn n2_a_task_that_a_resume_drops_from_a_closed_session_changes_no_answer() {
    let mut fed = Fed::default();
    fed.child("S", "K");
    fed.update(
        "K",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a" }),
    );
    fed.apply(json!({ "type": "disconnected" }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "S" }));
    fed.close("S");
    let outcome = fed.apply(json!({ "type": "resume_answered", "sessionId": "S" }));
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
}

#[test]
fn n4_a_listed_call_whose_task_was_stopped_ends_as_cancelled() {
    let mut fed = Fed::default();
    fed.update(
        "S",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a", "toolCallId": "c" }),
    );
    fed.update(
        "S",
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c" }),
    );
    let idle = |background| json!({ "sessionUpdate": "state_update", "state": "idle", "background": background });
    fed.update(
        "S",
        idle(json!([{ "type": "tool_call", "toolCallId": "c" }])),
    );
    fed.apply(json!({ "type": "resume_sent", "sessionId": "S" }));
    fed.update("S", json!({ "sessionUpdate": "async_task_state_update", "asyncTaskId": "a", "state": "stopped" }));
    let ended = fed.update("S", idle(json!([]))).ended;
    assert_eq!(ended.len(), 1);
    assert_eq!(ended[0].outcome.as_deref(), Some("cancelled"));
}

#[test]
fn n2_a_failed_resume_that_brings_back_what_is_changes_no_answer() {
    let mut fed = Fed::default();
    fed.child("S", "K");
    fed.apply(json!({ "type": "disconnected" }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "S" }));
    fed.update(
        "K",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a" }),
    );
    let before = fed.state.session("K").snapshot();
    let outcome = fed.resume_fails("S");
    assert_eq!(fed.state.session("K").snapshot(), before);
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
}

/// Seen where the child of a session that lists its tasks is dropped by a window's end.
#[test]
fn n2_the_end_of_a_running_child_is_told_though_only_the_close_plan_shows_it() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 2, "asyncTasks": true }));
    fed.child("root", "parent");
    fed.update(
        "parent",
        json!({ "sessionUpdate": "subagent_update", "sessionId": "child", "state": { "state": "running" } }),
    );
    fed.apply(json!({ "type": "resume_sent", "sessionId": "root" }));
    let state = |state| json!({ "sessionUpdate": "state_update", "state": state });
    fed.update(
        "parent",
        json!({ "sessionUpdate": "state_update", "state": "unknown", "background": [] }),
    );
    fed.update("child", state("running"));
    let since = |fed: &Fed| fed.state.session("parent").close_plan().stops[0].since;
    assert_eq!(since(&fed), Some(3000.0));
    let outcome = fed.update("root", state("unknown"));
    assert_eq!(since(&fed), None);
    assert_eq!(outcome.ended[0].id, "child");
    assert!(
        outcome.changed.contains(&"parent".into()),
        "{:?}",
        outcome.changed
    );
}

#[test]
fn n2_a_mark_that_goes_from_behind_the_end_of_a_task_names_none() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 2, "asyncTasks": true }));
    fed.child("parent", "child");
    fed.apply(json!({ "type": "close_sent", "sessionId": "parent" }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "parent" }));
    let call = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c" });
    fed.update("child", call);
    fed.apply(json!({ "type": "close_answered", "sessionId": "parent" }));
    fed.child("root", "parent");
    fed.update(
        "parent",
        json!({ "sessionUpdate": "state_update", "state": "idle" }),
    );
    fed.update(
        "child",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a", "toolCallId": "c" }),
    );
    fed.update(
        "child",
        json!({ "sessionUpdate": "async_task_state_update", "asyncTaskId": "a", "state": "completed" }),
    );
    let call = |fed: &Fed| fed.state.session("child").tool_call("c");
    let before = call(&fed);
    assert_eq!(
        before.as_ref().map(|call| call.shown),
        Some(CallShown::Completed)
    );
    let outcome = fed.update(
        "child",
        json!({ "sessionUpdate": "tool_call_content_chunk", "toolCallId": "c", "content": { "type": "x" } }),
    );
    assert_eq!(call(&fed), before);
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
}

#[test]
fn n4_what_runs_again_was_not_stopped() {
    let mut fed = Fed::default();
    let list = |background: Value| json!({ "sessionUpdate": "state_update", "state": "idle", "background": background });
    let shell = json!([{ "type": "terminal", "terminalId": "t" }]);
    fed.update("s", list(shell.clone()));
    fed.apply(json!({ "type": "stop_sent", "sessionId": "s", "requestId": 1, "terminalId": "t" }));
    fed.apply(json!({ "type": "stop_answered", "requestId": 1 }));
    // It is tracked all along: in a window nothing ends (rule R4).
    fed.apply(json!({ "type": "resume_sent", "sessionId": "s" }));
    fed.update(
        "s",
        json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": {} }),
    );
    fed.update("s", list(shell));
    let outcome = fed.update("s", list(json!([])));
    assert_eq!(outcome.ended[0].outcome.as_deref(), Some("exited"));
}

#[test]
fn n3_a_listed_call_is_handed_off_when_it_runs_again_after_a_window_in_which_it_had_finished() {
    let mut fed = Fed::default();
    let state = |state: &str, background: Value| json!({ "sessionUpdate": "state_update", "state": state, "background": background });
    let call = |status| json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": status });
    fed.child("p", "k");
    fed.apply(json!({ "type": "resume_sent", "sessionId": "p" }));
    fed.update(
        "k",
        state(
            "running",
            json!([{ "type": "tool_call", "toolCallId": "c" }]),
        ),
    );
    fed.update("k", call("failed"));
    fed.update("p", state("running", json!([])));
    let outcome = fed.update("k", call("in_progress"));
    assert_eq!(outcome.started[0].id, "c");
    let call = fed.state.session("k").tool_call("c").unwrap();
    assert_eq!(call.handed_off.map(|it| it.id), Some("c".into()));
}

#[test]
fn n2_a_failed_resume_names_none_whose_turn_had_ended_with_another() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": false }));
    fed.update(
        "parent",
        json!({ "sessionUpdate": "subagent_spawned", "subagentSessionId": "child", "name": "a" }),
    );
    fed.apply(json!({ "type": "resume_sent", "sessionId": "parent" }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "child" }));
    fed.apply(json!({ "type": "resume_answered", "sessionId": "child" }));
    let before = fed.state.session("child").snapshot();
    let outcome = fed.resume_fails("parent");
    assert_eq!(fed.state.session("child").snapshot(), before);
    assert!(
        !outcome.changed.contains(&"child".into()),
        "{:?}",
        outcome.changed
    );
}
