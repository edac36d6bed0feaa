//! Faults that were found, each as the shortest input that showed it.

use acp_client_state::{Activity, CallShown, ClientState, Event, Outcome, StopState};
use serde_json::{Value, json};

/// A state that is fed typed events and messages, a second apart.
#[derive(Default)]
struct Fed {
    state: ClientState,
    at: f64,
}

impl Fed {
    fn apply(&mut self, event: Value) -> Outcome {
        self.at += 1000.0;
        let event: Event = serde_json::from_value(event).unwrap();
        self.state.apply(event, self.at)
    }

    fn update(&mut self, session: &str, update: Value) -> Outcome {
        self.apply(json!({ "type": "update", "sessionId": session, "update": update }))
    }

    fn child(&mut self, parent: &str, child: &str) -> Outcome {
        let update =
            json!({ "sessionUpdate": "subagent_update", "sessionId": child, "state": null });
        self.update(parent, update)
    }

    fn received(&mut self, message: Value) -> Outcome {
        self.at += 1000.0;
        self.state.received(&message, self.at)
    }

    fn sent(&mut self, message: Value) -> Outcome {
        self.at += 1000.0;
        self.state.sent(&message, self.at)
    }
}

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
    fed.apply(json!({ "type": "close_sent", "sessionId": "k" }));
    fed.apply(json!({ "type": "close_answered", "sessionId": "k" }));
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
fn a6_minus_zero_is_the_time_zero() {
    let mut state = ClientState::default();
    let idle = json!({ "type": "update", "sessionId": "s", "update":
        { "sessionUpdate": "state_update", "state": "idle", "background": [] } });
    let _ = state.apply(serde_json::from_value(idle).unwrap(), -0.0);
    let since = state.session("s").quiet_since();
    assert_eq!(since.map(f64::to_bits), Some(0.0_f64.to_bits()));
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
    let error = json!({ "code": 1, "message": "no" });
    let outcome = fed.apply(json!({ "type": "resume_answered", "sessionId": "K", "error": error }));
    assert!(
        outcome.changed.contains(&"T".into()),
        "{:?}",
        outcome.changed
    );
    let snapshot = fed.state.session("T").snapshot();
    assert!(snapshot.background.iter().all(|item| item.waits_for_user));
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
    let error = json!({ "code": 1, "message": "no" });
    let outcome = fed.apply(json!({ "type": "resume_answered", "sessionId": "S", "error": error }));
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
    let error = json!({ "code": 1, "message": "no" });
    fed.apply(json!({ "type": "resume_answered", "sessionId": "S", "error": error }));
    let stops = fed.state.session("S").close_plan().stops;
    assert!(
        stops
            .iter()
            .all(|item| item.stop == acp_client_state::StopState::None)
    );
    assert!(!stops.is_empty());
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
    fed.apply(json!({ "type": "close_sent", "sessionId": "S" }));
    fed.apply(json!({ "type": "close_answered", "sessionId": "S" }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "K" }));
    let outcome = fed.apply(json!({ "type": "cancel_sent", "sessionId": "K" }));
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
}

#[test]
fn n2_an_exit_of_a_terminal_that_a_live_task_keeps_running_changes_no_answer() {
    let mut fed = Fed::default();
    fed.update(
        "S",
        json!({ "sessionUpdate": "terminal_update", "terminalId": "t" }),
    );
    let content = json!([{ "type": "terminal", "terminalId": "t" }]);
    fed.update(
        "S",
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "content": content }),
    );
    fed.update(
        "S",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a", "toolCallId": "c" }),
    );
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
    fed.update(
        "S",
        json!({ "sessionUpdate": "terminal_update", "terminalId": "t" }),
    );
    let content = json!([{ "type": "terminal", "terminalId": "t" }]);
    fed.update(
        "S",
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "content": content }),
    );
    fed.update(
        "S",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a", "toolCallId": "c" }),
    );
    fed.apply(json!({ "type": "close_sent", "sessionId": "S" }));
    fed.apply(json!({ "type": "close_answered", "sessionId": "S" }));
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
fn n2_a_task_that_a_resume_drops_from_a_closed_session_changes_no_answer() {
    let mut fed = Fed::default();
    fed.child("S", "K");
    fed.update(
        "K",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a" }),
    );
    fed.apply(json!({ "type": "disconnected" }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "S" }));
    fed.apply(json!({ "type": "close_sent", "sessionId": "S" }));
    fed.apply(json!({ "type": "close_answered", "sessionId": "S" }));
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
    let error = json!({ "code": 1, "message": "no" });
    let outcome = fed.apply(json!({ "type": "resume_answered", "sessionId": "S", "error": error }));
    assert_eq!(fed.state.session("K").snapshot(), before);
    assert!(outcome.changed.is_empty(), "{:?}", outcome.changed);
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
    let error = json!({ "code": 1, "message": "no" });
    fed.apply(json!({ "type": "resume_answered", "sessionId": "parent", "error": error }));
    assert_eq!(since(&fed), Some(4000.0));
}

/// A turn that the close ended would keep the session busy for ever once it is open again.
#[test]
fn x4_a_close_ends_the_turns_that_the_agent_began() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": false }));
    fed.child("parent", "child");
    fed.apply(json!({ "type": "agent_turn_started", "sessionId": "child" }));
    fed.apply(json!({ "type": "close_sent", "sessionId": "child" }));
    fed.apply(json!({ "type": "close_answered", "sessionId": "child" }));
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

/// Sent as `session/load`: it was closed before its load failed, and is gone.
#[test]
fn r4_a_session_that_a_failed_resume_takes_away_does_not_become_quiet() {
    let mut fed = Fed::default();
    fed.apply(json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": true }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "s" }));
    fed.apply(json!({ "type": "close_sent", "sessionId": "s" }));
    fed.apply(json!({ "type": "close_answered", "sessionId": "s" }));
    let error = json!({ "code": 1, "message": "no" });
    let outcome = fed.apply(json!({ "type": "resume_answered", "sessionId": "s", "error": error }));
    assert!(outcome.became_quiet.is_empty());
    assert!(fed.state.session_ids().is_empty());
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
    let error = json!({ "code": 1, "message": "no" });
    let outcome =
        fed.apply(json!({ "type": "resume_answered", "sessionId": "parent", "error": error }));
    assert_eq!(fed.state.session("child").snapshot(), before);
    assert!(
        !outcome.changed.contains(&"child".into()),
        "{:?}",
        outcome.changed
    );
}

#[test]
fn s2_accepted_stops_are_over_in_a_session_that_a_failed_resume_closes_again() {
    let mut fed = Fed::default();
    let task = json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a" });
    fed.apply(json!({ "type": "initialized", "protocolVersion": 2, "asyncTasks": true }));
    fed.update("s", task);
    fed.apply(json!({ "type": "close_sent", "sessionId": "s" }));
    fed.apply(json!({ "type": "close_answered", "sessionId": "s" }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "s" }));
    fed.apply(json!({ "type": "stop_sent", "sessionId": "s", "requestId": 1, "asyncTaskId": "a" }));
    fed.apply(json!({ "type": "stop_answered", "requestId": 1, "stopped": true }));
    let error = json!({ "code": 1, "message": "no" });
    fed.apply(json!({ "type": "resume_answered", "sessionId": "s", "error": error }));
    fed.apply(json!({ "type": "resume_sent", "sessionId": "s" }));
    fed.apply(json!({ "type": "resume_answered", "sessionId": "s" }));
    let background = fed.state.session("s").snapshot().background;
    assert_eq!(background[0].stop, StopState::None);
}
