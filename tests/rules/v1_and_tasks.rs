//! Section 15: ACP v1 and async tasks.

use acp_client_state::ClientState;
use serde_json::{Value, json};

use crate::transcript::*;

fn initialize(client: &mut Client, result: Value) {
    client.sent(json!({ "id": 0, "method": "initialize", "params": { "protocolVersion": 2 } }));
    client.received(json!({ "id": 0, "result": result }));
}

#[test]
fn v1_the_initialize_result_says_which_version_a_connection_speaks() {
    let mut client = Client::new();
    initialize(&mut client, json!({ "protocolVersion": 1 }));
    client.prompt("S", 1);
    assert_eq!(client.foreground("S"), "running");
    let mut client = Client::new();
    initialize(&mut client, json!({ "protocolVersion": 2 }));
    client.prompt("S", 1);
    assert_eq!(client.foreground("S"), "idle");
}

#[test]
fn v1_a_prompt_makes_the_session_run_and_its_answer_idle_which_ends_the_turn() {
    let mut client = Client::v1(false);
    client.open("S").prompt("S", 1);
    assert_eq!(client.activity("S"), "busy");
    client.prompt_answered(1);
    assert_eq!(client.foreground("S"), "idle");
    assert_eq!(client.turns_ended(), ["S end_turn"]);
    assert_eq!(client.stop_reason("S"), "end_turn");
}

#[test]
fn v1_an_error_response_ends_the_turn_with_the_reason_error() {
    let mut client = Client::v1(false);
    client.prompt("S", 1).prompt_failed(1, -32603);
    assert_eq!(client.turns_ended(), ["S error"]);
    assert_eq!(client.outcome()["turnsEnded"][0]["error"]["code"], -32603);
    assert_eq!(client.stop_reason("S"), "error");
}

#[test]
fn v1_it_reads_requires_action_while_running_with_a_request_that_is_not_due() {
    let mut client = Client::v1(false);
    client.permission("S", 1, json!(null));
    assert_eq!(client.foreground("S"), "idle");
    client.prompt("S", 1);
    assert_eq!(client.foreground("S"), "requires_action");
    assert_eq!(client.activity("S"), "requires_action");
    client.withdraw(1);
    assert_eq!(client.foreground("S"), "running");
    client.elicitation("S", 2);
    assert_eq!(client.foreground("S"), "requires_action");
    client.answer(2);
    assert_eq!(client.foreground("S"), "running");
}

#[test]
fn v1_the_last_prompt_to_be_answered_ends_the_turn() {
    let mut client = Client::v1(false);
    client.prompt("S", 1).prompt("S", 2).prompt_answered(2);
    assert_eq!(client.turns_ended(), NONE);
    assert_eq!(client.foreground("S"), "running");
    client.prompt_answered(1);
    assert_eq!(client.turns_ended(), ["S end_turn"]);
}

#[test]
fn v1_a_state_update_applies_as_on_v2() {
    let mut client = Client::v1(false);
    client.state("S", "_dreaming", &[]).idle("S", &[]);
    assert_eq!(client.turns_ended(), ["S null"]);
    assert_eq!(client.activity("S"), "quiet");
}

#[test]
fn v1_the_last_prompt_makes_only_a_running_session_idle() {
    for state in ["unknown", "_dreaming"] {
        let mut client = Client::v1(false);
        client.prompt("S", 1).bare("S", state).prompt_answered(1);
        assert_eq!(client.foreground("S"), state);
        assert_eq!(client.turns_ended(), NONE);
    }
}

#[test]
fn v1_a_resume_is_answered_with_a_running_or_an_idle_session() {
    let mut client = Client::v1(false);
    client.open("S").resume("S");
    assert_eq!(client.foreground("S"), "unknown");
    client.resumed("S");
    assert_eq!(client.foreground("S"), "idle");
    assert_eq!(client.turns_ended(), NONE);
    client.prompt("S", 1).resume("S");
    assert_eq!(client.foreground("S"), "unknown");
    client.resumed("S");
    assert_eq!(client.foreground("S"), "running");
}

#[test]
fn v1_session_load_and_session_resume_are_resumes() {
    for method in ["session/load", "session/resume"] {
        let mut client = Client::v1(false);
        client.sent(json!({ "id": 1, "method": method, "params": { "sessionId": "S" } }));
        assert_eq!(client.foreground("S"), "unknown", "{method}");
        client.received(json!({ "id": 1, "result": null }));
        assert_eq!(client.foreground("S"), "idle", "{method}");
    }
}

#[test]
fn v2_tool_call_and_tool_call_update_are_both_upserts() {
    for mut client in [Client::v1(false), Client::new()] {
        client.call_with("S", "c", json!({ "status": "in_progress" }));
        client.kind(
            "S",
            "tool_call",
            json!({ "toolCallId": "c", "title": "Build" }),
        );
        assert_eq!(client.status("S", "c"), "in_progress");
        assert_eq!(client.the_call("S", "c")["title"], "Build");
        client.kind("S", "tool_call", json!({ "toolCallId": "d" }));
        assert_eq!(client.unfinished("S"), ["c", "d"]);
    }
}

#[test]
fn v2_a_null_field_counts_as_omitted_on_v1() {
    let mut client = Client::v1(false);
    let content = json!([terminal("t")]);
    client.call_with(
        "S",
        "c",
        json!({ "status": "completed", "title": "Build", "kind": "edit", "content": content }),
    );
    let nulls = json!({ "status": null, "title": null, "kind": null, "content": null });
    client.call_with("S", "c", nulls);
    let call = client.the_call("S", "c");
    assert_eq!(call["status"], "completed");
    assert_eq!(call["title"], "Build");
    assert_eq!(call["kind"], "edit");
    assert_eq!(call["terminals"], json!(["t"]));
    assert_eq!(client.changed(), NONE);
}

#[test]
fn v2_the_subject_of_a_permission_request_is_its_tool_call() {
    let mut client = Client::v1(false);
    let tool_call = json!({ "toolCallId": "c", "title": "Build" });
    let params = json!({ "sessionId": "S", "toolCall": tool_call, "options": [] });
    client.received(json!({ "id": 1, "method": "session/request_permission", "params": params }));
    assert_eq!(client.requests("S")[0]["toolCallId"], "c");
    assert_eq!(client.the_call("S", "c")["title"], "Build");
    client.sent(json!({ "id": 1, "result": { "outcome": { "outcome": "cancelled" } } }));
    assert_eq!(client.pending("S"), json!([]));
}

/// A request of the agent, and the client's answer.
fn agent_asks(client: &mut Client, method: &str, params: Value, result: Value) {
    client.received(json!({ "id": 7, "method": method, "params": params }));
    client.sent(json!({ "id": 7, "result": result }));
}

/// A v1 session with the terminal `t`.
fn with_terminal() -> Client {
    let mut client = Client::v1(false);
    let params = json!({ "sessionId": "S", "command": "make", "args": ["all"], "cwd": "/src" });
    agent_asks(
        &mut client,
        "terminal/create",
        params,
        json!({ "terminalId": "t" }),
    );
    client
}

#[test]
fn v3_terminal_create_answered_by_the_client_announces_one() {
    let client = with_terminal();
    assert_eq!(client.running_terminals("S"), ["t"]);
    assert_eq!(client.the_terminal("S", "t")["cwd"], "/src");
    let command = client.the_terminal("S", "t")["command"].clone();
    assert!(command.as_str().unwrap().starts_with("make"));
}

#[test]
fn v3_terminal_create_refused_announces_none() {
    let mut client = Client::v1(false);
    let params = json!({ "sessionId": "S", "command": "make" });
    client.received(json!({ "id": 7, "method": "terminal/create", "params": params }));
    client.sent(json!({ "id": 7, "error": { "code": 1, "message": "no" } }));
    assert_eq!(client.session_ids(), NONE);
}

#[test]
fn v3_the_answer_to_wait_for_exit_exits_it() {
    let mut client = with_terminal();
    let params = json!({ "sessionId": "S", "terminalId": "t" });
    agent_asks(
        &mut client,
        "terminal/wait_for_exit",
        params,
        json!({ "exitCode": 2, "signal": null }),
    );
    let exit = json!({ "exitCode": 2, "signal": null });
    assert_eq!(client.the_terminal("S", "t")["exit"], exit);
}

#[test]
fn v3_an_exit_of_an_unseen_terminal_creates_it() {
    let mut client = Client::v1(false);
    let params = json!({ "sessionId": "S", "terminalId": "unseen" });
    agent_asks(
        &mut client,
        "terminal/wait_for_exit",
        params.clone(),
        json!({ "exitCode": 2 }),
    );
    assert_eq!(client.terminal_shown("S", "unseen"), "exited");
    client.received(json!({ "id": 7, "method": "terminal/wait_for_exit", "params": params }));
    client.sent(json!({ "id": 7, "error": { "code": 1, "message": "no" } }));
    assert_eq!(client.changed(), NONE);
}

#[test]
fn v3_an_exit_status_in_the_answer_to_output_exits_it() {
    let mut client = with_terminal();
    let params = json!({ "sessionId": "S", "terminalId": "t" });
    let running = json!({ "output": "hello", "truncated": false });
    agent_asks(&mut client, "terminal/output", params.clone(), running);
    assert_eq!(client.running_terminals("S"), ["t"]);
    let exited = json!({ "output": "hello", "exitStatus": { "exitCode": 0 } });
    agent_asks(&mut client, "terminal/output", params, exited);
    assert_eq!(client.running_terminals("S"), NONE);
}

#[test]
fn v3_terminal_release_exits_it() {
    let mut client = with_terminal();
    let params = json!({ "sessionId": "S", "terminalId": "t" });
    agent_asks(&mut client, "terminal/release", params, json!({}));
    assert_eq!(client.running_terminals("S"), NONE);
    assert_eq!(client.terminal_shown("S", "t"), "exited");
}

#[test]
fn v3_the_meta_keys_announce_and_exit_a_terminal_on_v2_as_well() {
    for mut client in [Client::v1(false), Client::new()] {
        let meta = |meta: Value| json!({ "_meta": meta });
        let info = json!({ "terminal_info": { "terminal_id": "t", "cwd": "/src" } });
        client.call_with("S", "c", meta(info));
        assert_eq!(client.running_terminals("S"), ["t"]);
        assert_eq!(client.the_terminal("S", "t")["cwd"], "/src");
        let exit = |id: &str| json!({ "terminal_exit": { "terminal_id": id, "exit_code": 1, "signal": "KILL" } });
        client
            .call_with("S", "c", meta(exit("t")))
            .call_with("S", "c", meta(exit("unseen")));
        for terminal in ["t", "unseen"] {
            let status = json!({ "exitCode": 1, "signal": "KILL" });
            assert_eq!(
                client.the_terminal("S", terminal)["exit"],
                status,
                "{terminal}"
            );
        }
    }
}

#[test]
fn v3_the_meta_output_replaces_and_the_delta_appends_plain_text() {
    let mut client = Client::v1(false);
    let output =
        |key: &str, data: &str| json!({ "_meta": { key: { "terminal_id": "t", "data": data } } });
    client.call_with(
        "S",
        "c",
        json!({ "_meta": { "terminal_info": { "terminal_id": "t" } } }),
    );
    client.call_with("S", "c", output("terminal_output", "one\ntwo"));
    assert_eq!(client.tail("S", "t"), "two");
    client.call_with("S", "c", output("terminal_output_delta", " three\n"));
    assert_eq!(client.tail("S", "t"), "two three");
    client.call_with("S", "c", output("terminal_output", "four"));
    assert_eq!(client.tail("S", "t"), "four");
}

#[test]
fn v4_v1_has_no_background_list() {
    let mut client = Client::v1(false);
    client
        .call("S", "old", "in_progress")
        .prompt("S", 1)
        .terminal("S", "t");
    client
        .call("S", "c", "in_progress")
        .showing("S", "d", &[terminal("t")]);
    client
        .permission("S", 1, for_call("c"))
        .permission("S", 2, for_call("d"));
    assert_eq!(client.reported("S"), "never");
    assert_eq!(client.marks("S"), ["c"]);
    assert_eq!(client.cancel_plan("S")["answerCancelled"], json!([1, 2]));
    client.cancel("S");
    assert_eq!(client.due(), json!([1, 2]));
    client.prompt_answered(1);
    assert_eq!(client.activity("S"), "unknown");
    assert_eq!(client.marks("S"), NONE);
}

#[test]
fn v5_a_spawned_subagent_is_a_running_child() {
    let mut client = Client::v1(false);
    let fields = json!({ "subagentSessionId": "K", "name": "Worker" });
    client.kind("S", "subagent_spawned", fields);
    assert_eq!(client.view("S")["children"], json!(["K"]));
    assert_eq!(client.view("K")["title"], "Worker");
    assert_eq!(client.activity("K"), "busy");
}

#[test]
fn v5_a_state_that_ends_a_child_is_idle_with_an_empty_list() {
    for state in ["completed", "failed", "stopped", "idle"] {
        let mut client = Client::v1(false);
        client.kind("S", "subagent_spawned", json!({ "subagentSessionId": "K" }));
        let fields = json!({ "subagentSessionId": "K", "state": state });
        client.kind("S", "subagent_state_update", fields);
        assert_eq!(client.activity("K"), "quiet", "{state}");
    }
    let mut client = Client::v1(false);
    for state in ["running", "requires_action", "_dreaming"] {
        let fields = json!({ "subagentSessionId": "K", "state": state });
        client.kind("S", "subagent_state_update", fields);
        assert_eq!(client.foreground("K"), state);
    }
}

#[test]
fn v5_a_subagent_update_says_the_same() {
    let mut client = Client::v1(false);
    client.child("S", "K", "running");
    assert_eq!(client.activity("K"), "busy");
    client.idle_child("S", "K", &[]);
    assert_eq!(client.activity("K"), "quiet");
}

#[test]
fn v5_the_empty_list_of_a_child_gives_way_to_its_tasks() {
    let mut client = Client::v1(true);
    let fields = json!({ "subagentSessionId": "K", "state": "completed" });
    client
        .kind("S", "subagent_state_update", fields)
        .task("K", "a", json!({ "name": "sleep" }));
    assert_eq!(client.background("K"), ["task a running"]);
    assert_eq!(client.activity("K"), "background");
    client.task_state("K", "a", "completed");
    assert_eq!(client.activity("K"), "quiet");
}

#[test]
fn v5_the_prompts_of_a_child_are_its_own() {
    let mut client = Client::v1(false);
    client.kind(
        "S",
        "subagent_state_update",
        json!({ "subagentSessionId": "K", "state": "idle" }),
    );
    client.prompt("K", 1);
    assert_eq!(client.foreground("K"), "running");
    assert_eq!(client.foreground("S"), "idle");
    client.prompt_answered(1);
    assert_eq!(client.turns_ended(), ["K end_turn"]);
}

#[test]
fn v6_a_cancelled_prompt_may_be_answered_only_after_its_permission_request() {
    let mut client = Client::v1(false);
    client
        .prompt("S", 1)
        .call("S", "c", "pending")
        .permission("S", 1, for_call("c"))
        .cancel("S");
    assert_eq!(client.due(), json!([1]));
    assert_eq!(client.foreground("S"), "running");
    assert_eq!(client.turns_ended(), NONE);
    client
        .answer(1)
        .call("S", "c", "completed")
        .prompt_answered(1);
    assert_eq!(client.turns_ended(), ["S end_turn"]);
    assert_eq!(client.shown("S", "c"), "completed");
}

#[test]
fn v6_calls_announced_twice_never_or_taken_back_to_pending_are_borne() {
    let mut client = Client::v1(false);
    client.call("S", "unannounced", "in_progress");
    let again = json!({ "toolCallId": "c", "status": "pending" });
    client
        .kind("S", "tool_call", again.clone())
        .call("S", "c", "completed");
    client.kind("S", "tool_call", again);
    assert_eq!(client.unfinished("S"), ["unannounced", "c"]);
    assert_eq!(client.shown("S", "c"), "pending");
    assert_eq!(client.problems(), NONE);
}

#[test]
fn v6_a_replay_after_the_response_of_a_load_and_updates_before_a_forks_answer() {
    let mut client = Client::v1(false);
    client.resume("S").resumed("S").call("S", "c", "completed");
    assert_eq!(client.foreground("S"), "idle");
    assert_eq!(client.unfinished("S"), NONE);
    client.sent(json!({ "id": 1, "method": "session/fork", "params": { "sessionId": "S" } }));
    client.call("F", "c", "completed");
    client.received(json!({ "id": 1, "result": { "sessionId": "F" } }));
    assert_eq!(client.status("F", "c"), "completed");
    assert_eq!(client.problems(), NONE);
}

#[test]
fn v6_a_turn_that_the_agent_starts_by_itself() {
    let mut client = Client::v1(false);
    client.open("S");
    let params = json!({ "sessionId": "S" });
    client.received(json!({ "id": 1, "method": "_qwencode/start_turn", "params": params }));
    assert_eq!(client.activity("S"), "busy");
    client.received(json!({ "method": "_qwencode/end_turn", "params": params }));
    assert_eq!(client.foreground("S"), "idle");
    assert_eq!(client.turns_ended(), ["S null"]);

    client.turn_started("S").prompt("S", 1).turn_ended("S");
    assert_eq!(client.foreground("S"), "running");
    assert_eq!(client.turns_ended(), NONE);
    client.prompt_answered(1);
    assert_eq!(client.turns_ended(), ["S end_turn"]);
}

#[test]
fn j1_async_tasks_are_on_by_a_capability_of_the_initialize_result() {
    let air = |capabilities: Value| {
        let meta = json!({ "jetbrains": { "air": { "capabilities": capabilities } } });
        let mut client = Client::new();
        initialize(&mut client, json!({ "protocolVersion": 1, "_meta": meta }));
        client.open("S");
        client.reported("S")
    };
    assert_eq!(air(json!(["asyncTasks"])), "listed");
    assert_eq!(air(json!(["other"])), "never");
    assert_eq!(air(json!(null)), "never");
}

#[test]
fn j1_the_list_is_the_live_tasks_and_reported_when_empty() {
    for mut client in [Client::v1(true), Client::v2_with_tasks()] {
        client.open("S");
        assert_eq!(client.reported("S"), "listed");
        assert_eq!(client.activity("S"), "quiet");
        client
            .task("S", "a", json!({ "name": "sleep" }))
            .task("S", "b", json!({}));
        assert_eq!(client.background("S"), ["task a running", "task b running"]);
        client.task_state("S", "a", "failed");
        assert_eq!(client.background("S"), ["task b running"]);
        client.task_state("S", "b", "completed");
        assert_eq!(client.became_quiet(), ["S"]);
    }
}

#[test]
fn j1_it_is_a_reported_list_for_every_rule() {
    let mut client = Client::v1(true);
    client
        .open("S")
        .call("S", "c", "in_progress")
        .prompt("S", 1)
        .call("S", "d", "in_progress");
    client.task("S", "a", json!({ "toolCallId": "d" }));
    assert_eq!(client.marks("S"), ["c"]);
    assert_eq!(client.cancel_plan("S")["keepRunning"], json!(["d"]));
    client.prompt_answered(1);
    assert_eq!(client.abandoned("S"), ["c"]);
    assert_eq!(client.close_plan("S")["certain"], true);
    assert_eq!(client.close_plan("S")["counts"]["tasks"], 1);
    assert_eq!(client.warning("S"), "Closing will stop 1 background task");
}

#[test]
fn j1_running_children_are_listed_while_the_foreground_is_not_busy() {
    let mut client = Client::v1(true);
    client.task("S", "a", json!({}));
    client.kind("S", "subagent_spawned", json!({ "subagentSessionId": "K" }));
    assert_eq!(
        client.background("S"),
        ["task a running", "subagent K running"]
    );
    client.prompt("S", 1);
    assert_eq!(client.background("S"), ["task a running"]);
    client.prompt_answered(1);
    assert_eq!(
        client.background("S"),
        ["task a running", "subagent K running"]
    );
    client.kind(
        "S",
        "subagent_state_update",
        json!({ "subagentSessionId": "K", "state": "completed" }),
    );
    assert_eq!(client.background("S"), ["task a running"]);
}

#[test]
fn j1_a_v2_list_once_reported_takes_the_place_of_the_tasks() {
    let mut client = Client::v2_with_tasks();
    client.task("S", "a", json!({})).idle("S", &[terminal("t")]);
    assert_eq!(client.background("S"), ["terminal t running"]);
    client.bare("S", "idle");
    assert_eq!(client.reported("S"), "lost");
    assert_eq!(client.background("S"), NONE);
}

#[test]
fn j1_not_reported_while_an_idle_session_has_a_call_with_a_running_terminal_and_no_task() {
    let mut client = Client::v1(true);
    client
        .prompt("S", 1)
        .terminal("S", "t")
        .showing("S", "c", &[terminal("t")]);
    assert_eq!(client.reported("S"), "listed");
    client.prompt_answered(1);
    assert_eq!(client.reported("S"), "never");
    assert_eq!(client.activity("S"), "unknown");
    assert_eq!(client.became_quiet(), NONE);
    client.task("S", "a", json!({ "toolCallId": "c" }));
    assert_eq!(client.reported("S"), "listed");
    assert_eq!(client.background("S"), ["task a running"]);
    client.task_state("S", "a", "completed");
    assert_eq!(client.activity("S"), "quiet");
}

#[test]
fn j1_not_reported_after_a_resume_or_a_disconnect_until_a_resume_is_answered() {
    for disconnect in [false, true] {
        let mut client = Client::v1(true);
        client.task("S", "a", json!({}));
        if disconnect {
            client.disconnect();
        } else {
            client.resume("S");
        }
        assert_eq!(client.reported("S"), "never");
        client.bare("S", "idle");
        assert_eq!(client.reported("S"), "never");
        if disconnect {
            client.resume("S").task("S", "a", json!({}));
        }
        client.resumed("S");
        assert_eq!(client.reported("S"), "listed");
        assert_eq!(client.background("S"), ["task a running"]);
    }
}

#[test]
fn j1_not_reported_when_closed() {
    let mut client = Client::v1(true);
    client.task("S", "a", json!({})).closed("S");
    assert_eq!(client.reported("S"), "never");
    assert_eq!(client.background("S"), NONE);
    assert_eq!(client.ended(), ["S task a closed"]);
}

#[test]
fn j1_without_the_capability_an_empty_set_of_tasks_means_that_nobody_reports() {
    let mut client = Client::v1(false);
    client.open("S");
    assert_eq!(client.reported("S"), "never");
    client.task("S", "a", json!({}));
    assert_eq!(client.background("S"), ["task a running"]);
    client.task_state("S", "a", "completed");
    assert_eq!(client.reported("S"), "never");
    assert_eq!(client.activity("S"), "unknown");
}

#[test]
fn j2_spawned_is_an_upsert_and_a_repeated_one_changes_no_count() {
    let mut client = Client::v1(true);
    client.task("S", "a", json!({ "name": "sleep", "canStop": true }));
    client.kind(
        "S",
        "_async_task_spawned",
        json!({ "asyncTaskId": "a", "name": "sleep 1" }),
    );
    assert_eq!(client.background("S"), ["task a running"]);
    assert_eq!(client.item("S", 0)["title"], "sleep 1");
    assert_eq!(
        client.how_to_stop("S", &task("a")),
        "_session/async_task/stop"
    );
    assert_eq!(client.started(), NONE);
}

#[test]
fn j2_spawned_again_an_ended_task_is_live_again() {
    let mut client = Client::v1(true);
    client
        .task("S", "a", json!({}))
        .task_state("S", "a", "stopped")
        .task("S", "a", json!({}));
    assert_eq!(client.background("S"), ["task a running"]);
    assert_eq!(client.started(), ["S task a"]);
}

#[test]
fn j2_completed_failed_and_stopped_end_a_task() {
    for end in ["completed", "failed", "stopped"] {
        for kind in ["async_task_state_update", "_async_task_state_update"] {
            let mut client = Client::v1(true);
            client.task("S", "a", json!({}));
            client.kind("S", kind, json!({ "asyncTaskId": "a", "state": end }));
            assert_eq!(client.ended(), [format!("S task a {end}")]);
            assert_eq!(client.activity("S"), "quiet");
            client.task_state("S", "a", "running");
            assert_eq!(client.background("S"), NONE);
        }
    }
}

#[test]
fn j2_paused_is_paused_and_any_other_state_is_running() {
    let mut client = Client::v1(true);
    client.task("S", "a", json!({}));
    for (state, status) in [
        ("paused", "task a paused"),
        ("running", "task a running"),
        ("paused", "task a paused"),
        ("_odd", "task a running"),
    ] {
        client.task_state("S", "a", state);
        assert_eq!(client.background("S"), [status], "{state}");
        assert_eq!(client.ended(), NONE, "{state}");
    }
}

#[test]
fn j2_progress_changes_no_liveness() {
    let mut client = Client::v1(true);
    client
        .task("S", "a", json!({}))
        .task_state("S", "a", "paused");
    for kind in ["async_task_progress", "_async_task_progress"] {
        client.kind(
            "S",
            kind,
            json!({ "asyncTaskId": "a", "state": "completed" }),
        );
        assert_eq!(client.background("S"), ["task a paused"], "{kind}");
        assert_eq!(client.changed(), NONE, "{kind}");
    }
}

#[test]
fn j2_unreadable_ones_are_a_problem() {
    for kind in [
        "async_task_spawned",
        "_async_task_spawned",
        "async_task_state_update",
        "async_task_progress",
    ] {
        let mut client = Client::v1(true);
        client.kind("S", kind, json!({ "asyncTaskId": 3, "state": "running" }));
        assert_eq!(
            client.problems(),
            ["malformed_update update.asyncTaskId"],
            "{kind}"
        );
        assert_eq!(client.session_ids(), NONE, "{kind}");
    }
}

#[test]
fn j2_tasks_survive_a_resume() {
    let mut client = Client::v1(true);
    client.task("S", "a", json!({})).resume("S").resumed("S");
    assert_eq!(client.background("S"), ["task a running"]);
    assert_eq!(client.started(), NONE);
    assert_eq!(client.ended(), NONE);
}

#[test]
fn j2_after_a_disconnect_tasks_not_spawned_again_are_dropped() {
    let mut client = Client::v1(true);
    client
        .task("S", "a", json!({}))
        .task("S", "b", json!({}))
        .disconnect();
    client.resume("S").task("S", "b", json!({})).resumed("S");
    assert_eq!(client.background("S"), ["task b running"]);
    assert_eq!(client.ended(), ["S task a dropped"]);
}

#[test]
fn j3_a_live_task_is_an_item_and_the_call_it_names_counts_as_listed() {
    let mut client = Client::v1(true);
    client
        .terminal("S", "t")
        .showing("S", "c", &[terminal("t")]);
    client.task("S", "a", json!({ "name": "sleep", "toolCallId": "c" }));
    assert_eq!(client.background("S"), ["task a running"]);
    assert_eq!(client.item("S", 0)["toolCallIds"], json!(["c"]));
    assert_eq!(client.the_call("S", "c")["background"], "listed");
    assert_eq!(client.the_terminal("S", "t")["listed"], true);
    assert_eq!(client.abandoned("S"), NONE);
    assert_eq!(client.close_plan("S")["counts"]["running"], 1);
    client.permission("S", 1, for_call("c"));
    assert_eq!(client.owners("S"), ["background"]);
}

#[test]
fn j3_the_call_counts_as_listed_announced_or_not() {
    let mut client = Client::v1(true);
    client.task("S", "a", json!({ "toolCallId": "unseen" }));
    client.permission("S", 1, json!({ "type": "command", "toolCallId": "unseen" }));
    assert_eq!(client.owners("S"), ["background"]);
    client.call("S", "unseen", "in_progress");
    assert_eq!(client.the_call("S", "unseen")["background"], "listed");
}

#[test]
fn j3_while_the_task_lives_its_terminals_have_not_finished() {
    let mut client = Client::v1(true);
    client
        .terminal("S", "t")
        .showing("S", "c", &[terminal("t")]);
    client
        .task("S", "a", json!({ "toolCallId": "c" }))
        .exit("S", "t");
    assert_eq!(client.terminal_shown("S", "t"), "running");
    assert_eq!(client.the_terminal("S", "t")["exit"], json!(null));
    assert_eq!(client.running_terminals("S"), ["t"]);
    assert_eq!(client.ended(), NONE);
    client.task_state("S", "a", "completed");
    assert_eq!(client.terminal_shown("S", "t"), "exited");
    let exit = json!({ "exitCode": 0, "signal": null });
    assert_eq!(client.the_terminal("S", "t")["exit"], exit);
}

#[test]
fn j4_when_a_task_ends_its_unfinished_call_is_shown_with_that_end() {
    for (end, shown) in [
        ("completed", "completed"),
        ("failed", "failed"),
        ("stopped", "cancelled"),
    ] {
        let mut client = Client::v1(true);
        client
            .terminal("S", "t")
            .showing("S", "c", &[terminal("t")]);
        client
            .task("S", "a", json!({ "toolCallId": "c" }))
            .task_state("S", "a", end);
        assert_eq!(client.shown("S", "c"), shown, "{end}");
        assert_eq!(client.status("S", "c"), "in_progress", "{end}");
        assert_eq!(client.terminal_shown("S", "t"), "exited", "{end}");
        let exit = json!({ "exitCode": null, "signal": null });
        assert_eq!(client.the_terminal("S", "t")["exit"], exit, "{end}");
        assert_eq!(client.abandoned("S"), NONE, "{end}");
        assert_eq!(client.how_to_stop("S", &call("c")), "finished", "{end}");
        client.prompt("S", 1);
        assert_eq!(client.marks("S"), NONE, "{end}");
    }
}

#[test]
fn j4_until_the_agent_reports_a_status_of_the_call_and_an_update_of_the_terminal() {
    let mut client = Client::v1(true);
    client
        .terminal("S", "t")
        .showing("S", "c", &[terminal("t")]);
    client
        .task("S", "a", json!({ "toolCallId": "c" }))
        .task_state("S", "a", "completed");
    client.call_with("S", "c", json!({ "title": "Build", "status": null }));
    assert_eq!(client.shown("S", "c"), "completed");
    client.call("S", "c", "failed");
    assert_eq!(client.shown("S", "c"), "failed");
    assert_eq!(client.terminal_shown("S", "t"), "exited");
    client.terminal("S", "t");
    assert_eq!(client.running_terminals("S"), ["t"]);
}

#[test]
fn j4_or_it_is_listed_again() {
    let mut client = Client::v1(true);
    client
        .call("S", "c", "in_progress")
        .task("S", "a", json!({ "toolCallId": "c" }));
    client
        .task_state("S", "a", "completed")
        .task("S", "b", json!({ "toolCallId": "c" }));
    assert_eq!(client.shown("S", "c"), "in_progress");
    assert_eq!(client.unfinished("S"), ["c"]);
}

#[test]
fn j4_a_call_that_another_live_task_names_goes_on() {
    let mut client = Client::v1(true);
    client
        .call("S", "c", "in_progress")
        .task("S", "a", json!({ "toolCallId": "c" }));
    client
        .task("S", "b", json!({ "toolCallId": "c" }))
        .task_state("S", "a", "completed");
    assert_eq!(client.shown("S", "c"), "in_progress");
    client.task_state("S", "b", "failed");
    assert_eq!(client.shown("S", "c"), "failed");
}

#[test]
fn j5_a_task_is_stopped_by_a_request_of_its_own_when_it_can_be() {
    let mut client = Client::v1(true);
    client.call("S", "c", "in_progress").task(
        "S",
        "a",
        json!({ "canStop": true, "toolCallId": "c" }),
    );
    client.task("S", "b", json!({ "canStop": false }));
    let plan = json!({
        "ok": true, "method": "_session/async_task/stop",
        "params": { "sessionId": "S", "asyncTaskId": "a" },
    });
    assert_eq!(client.stop_plan("S", &task("a")), plan);
    assert_eq!(
        client.the_call("S", "c")["stopTarget"],
        json!({ "asyncTaskId": "a" })
    );
    assert_eq!(client.how_to_stop("S", &task("b")), "not_cancellable");
    assert_eq!(client.how_to_stop("S", &task("x")), "unknown");
    client.task_state("S", "a", "completed");
    assert_eq!(client.how_to_stop("S", &task("a")), "finished");
}

#[test]
fn j5_stopped_true_is_success_and_false_an_error_without_code() {
    let answered =
        |stopped: bool| json!({ "type": "stop_answered", "requestId": 1, "stopped": stopped });
    let mut client = Client::v1(true);
    client
        .task("S", "a", json!({ "canStop": true }))
        .stop("S", 1, task("a"))
        .event(answered(true));
    assert_eq!(client.stop_result(), "accepted");
    assert_eq!(client.item("S", 0)["stop"], "accepted");

    let mut client = Client::v1(true);
    client
        .task("S", "a", json!({ "canStop": true }))
        .stop("S", 1, task("a"))
        .event(answered(false));
    assert_eq!(client.stop_result(), "refused");
    assert_eq!(client.outcome()["stop"]["error"], json!(null));
    client
        .stop("S", 1, task("a"))
        .task_state("S", "a", "completed")
        .event(answered(false));
    assert_eq!(client.stop_result(), "finished");
}

#[test]
fn j5_what_a_named_call_was_handed_off_to_is_a_task() {
    let mut client = Client::v1(true);
    client
        .call("S", "c", "in_progress")
        .task("S", "a", json!({ "toolCallId": "c" }));
    assert_eq!(client.the_call("S", "c")["handedOff"]["type"], "task");
    assert_eq!(client.the_call("S", "c")["handedOff"]["id"], "a");
    client.task_state("S", "a", "failed");
    assert_eq!(client.ended(), ["S task a failed"]);
    assert_eq!(client.the_call("S", "c")["handedOff"]["outcome"], "failed");
}

#[test]
fn j6_a_task_of_type_turn_is_a_turn_of_the_agents_own() {
    let mut client = Client::v1(true);
    client.task("S", "a", json!({ "taskType": "turn", "canStop": true }));
    assert_eq!(client.activity("S"), "busy");
    assert_eq!(client.background("S"), NONE);
    assert_eq!(client.started(), NONE);
    assert_eq!(client.how_to_stop("S", &task("a")), "unknown");
    client.task_state("S", "a", "completed");
    assert_eq!(client.foreground("S"), "idle");
    assert_eq!(client.turns_ended(), ["S null"]);
    assert_eq!(client.became_quiet(), ["S"]);
}

#[test]
fn j6_the_end_of_a_task_that_is_no_turn_ends_none() {
    let mut state = ClientState::default();
    let mut at = 0.0;
    let mut apply = |event: serde_json::Value| {
        at += 1000.0;
        state.apply(serde_json::from_value(event).unwrap(), at)
    };
    apply(json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": true }));
    let update = |session: &str, update: serde_json::Value| json!({ "type": "update", "sessionId": session, "update": update });
    apply(update(
        "K",
        json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a" }),
    ));
    apply(update(
        "S",
        json!({ "sessionUpdate": "subagent_spawned", "subagentSessionId": "K" }),
    ));
    let ended = json!({ "sessionUpdate": "async_task_state_update", "asyncTaskId": "a", "state": "completed" });
    let outcome = apply(update("K", ended));
    assert!(outcome.turns_ended.is_empty());
    assert_eq!(
        state.session("K").activity(),
        acp_client_state::Activity::Busy
    );
}

#[test]
fn j6_on_v2_it_changes_nothing() {
    let mut client = Client::v2_with_tasks();
    client.open("S");
    let before = client.everything("S");
    client.task("S", "a", json!({ "taskType": "turn" }));
    assert_eq!(client.everything("S"), before);
    client.task_state("S", "a", "completed");
    assert_eq!(client.everything("S"), before);
    assert_eq!(client.turns_ended(), NONE);
}

#[test]
fn v1_what_the_connection_speaks_holds_for_sessions_that_exist_already() {
    let mut client = Client::new();
    client
        .bare("S", "running")
        .permission("S", 1, json!(null))
        .bare("T", "running")
        .initialized(1, false);
    assert_eq!(client.foreground("S"), "requires_action");
    assert_eq!(client.changed(), ["S"]);
    client.open("U").initialized(2, true);
    assert_eq!(client.reported("U"), "listed");
    client.prompt("U", 1);
    assert_eq!(client.foreground("U"), "idle");
}
