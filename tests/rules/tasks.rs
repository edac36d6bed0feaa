//! Section 15, once more: async tasks beside everything else that speaks of the same work.

use serde_json::json;

use crate::transcript::*;

/// A call with a terminal, and a task that names the call.
fn with_task(client: &mut Client) -> &mut Client {
    client
        .terminal("S", "t")
        .showing("S", "c", &[terminal("t")])
        .task("S", "a", json!({ "toolCallId": "c" }))
}

#[test]
fn j1_a_terminal_that_does_not_run_is_not_waited_for() {
    let mut client = Client::v2_with_tasks();
    client.showing("S", "c", &[terminal("unseen")]);
    assert_eq!(client.reported("S"), "listed");
    client
        .terminal("T", "t")
        .exit("T", "t")
        .showing("T", "c", &[terminal("t")]);
    assert_eq!(client.reported("T"), "listed");
}

#[test]
fn j1_beside_a_list_of_the_agents_own_a_live_task_keeps_nothing_running() {
    let mut client = Client::v2_with_tasks();
    with_task(&mut client).idle("S", &[]).exit("S", "t");
    assert_eq!(client.terminal_shown("S", "t"), "exited");
    assert_eq!(client.running_terminals("S"), NONE);
    // The exit came first, and the list takes back what the task had overruled.
    let mut client = Client::v2_with_tasks();
    with_task(&mut client).exit("S", "t");
    assert_eq!(client.running_terminals("S"), ["t"]);
    client.idle("S", &[]);
    assert_eq!(client.running_terminals("S"), NONE);
    assert_eq!(client.abandoned("S"), ["c"]);
    // So it does while a resume hides what is listed.
    let mut client = Client::v2_with_tasks();
    with_task(&mut client).exit("S", "t").resume("S");
    assert_eq!(client.running_terminals("S"), ["t"]);
    client.idle("S", &[]);
    assert_eq!(client.running_terminals("S"), NONE);
}

#[test]
fn j1_in_a_closed_session_a_live_task_keeps_nothing_running() {
    let mut client = Client::v2_with_tasks();
    with_task(&mut client).exit("S", "t").closed("S");
    assert_eq!(client.terminal_shown("S", "t"), "exited");
    assert_eq!(client.running_terminals("S"), NONE);
}

#[test]
fn n2_beside_a_list_of_the_agents_own_only_stop_plans_tell_of_a_task() {
    let mut client = Client::v2_with_tasks();
    client.idle("S", &[]).task("S", "a", json!({}));
    assert_eq!(client.how_to_stop("S", &task("a")), "not_cancellable");
    client.task("S", "a", json!({ "canStop": true }));
    assert_eq!(
        client.how_to_stop("S", &task("a")),
        "_session/async_task/stop"
    );
    client.stop("S", 1, task("a"));
    assert_eq!(client.how_to_stop("S", &task("a")), "already_requested");
    client.stop_refused(1).task_state("S", "a", "completed");
    assert_eq!(client.how_to_stop("S", &task("a")), "finished");
    client.task("S", "a", json!({}));
    assert_eq!(
        client.how_to_stop("S", &task("a")),
        "_session/async_task/stop"
    );
    client.call("S", "c", "in_progress");
    client.task("S", "a", json!({ "toolCallId": "c" }));
    assert_eq!(client.the_call("S", "c")["stopTarget"], task("a"));
    assert_eq!(client.changed(), ["S"]);
}

#[test]
fn n2_a_task_that_is_said_again_names_none() {
    let fields = json!({ "name": "sleep", "canStop": true, "toolCallId": "c" });
    let mut client = Client::v2_with_tasks();
    client.task("S", "a", fields.clone());
    client.task("S", "a", fields);
    assert_eq!(client.changed(), NONE);
    client.task_state("S", "a", "running");
    assert_eq!(client.changed(), NONE);
    client.task_state("S", "a", "paused");
    assert_eq!(client.changed(), ["S"]);
    client.task_state("S", "a", "paused");
    assert_eq!(client.changed(), NONE);
}

#[test]
fn j2_a_paused_task_spawned_again_stays_paused_unless_it_had_ended() {
    let mut client = Client::v2_with_tasks();
    client
        .task("S", "a", json!({}))
        .task_state("S", "a", "paused")
        .task("S", "a", json!({ "name": "sleep" }));
    assert_eq!(client.background("S"), ["task a paused"]);
    client
        .task_state("S", "a", "completed")
        .task("S", "a", json!({}));
    assert_eq!(client.background("S"), ["task a running"]);
}

#[test]
fn j2_after_a_disconnect_a_task_lives_until_the_answer_to_the_next_resume() {
    let mut client = Client::v1(true);
    client
        .task("S", "a", json!({ "canStop": true }))
        .disconnect()
        .resume("S");
    assert_eq!(
        client.how_to_stop("S", &task("a")),
        "_session/async_task/stop"
    );
    client.resumed("S");
    assert_eq!(client.how_to_stop("S", &task("a")), "finished");
}

#[test]
fn j4_the_terminals_of_a_call_that_had_finished_run_on() {
    let mut client = Client::v2_with_tasks();
    with_task(&mut client)
        .call("S", "c", "completed")
        .task_state("S", "a", "completed");
    assert_eq!(client.terminal_shown("S", "t"), "abandoned");
    assert_eq!(client.running_terminals("S"), ["t"]);
}

#[test]
fn j4_a_listed_terminal_of_the_call_runs_on() {
    let mut client = Client::v2_with_tasks();
    with_task(&mut client)
        .idle("S", &[terminal("t")])
        .task_state("S", "a", "completed");
    assert_eq!(client.shown("S", "c"), "completed");
    assert_eq!(client.terminal_shown("S", "t"), "running");
}

#[test]
fn j4_what_is_listed_no_longer_counts_as_exited() {
    let mut client = Client::v2_with_tasks();
    with_task(&mut client)
        .idle("S", &[terminal("t"), call("c")])
        .bare("S", "running")
        .task_state("S", "a", "failed");
    assert_eq!(client.shown("S", "c"), "failed");
    assert_eq!(client.terminal_shown("S", "t"), "exited");
    let ended = ["S terminal t exited", "S tool_call c failed"];
    assert_eq!(client.ended(), ended);
}

#[test]
fn j4_an_exit_that_was_reported_is_not_presumed() {
    let mut client = Client::v2_with_tasks();
    with_task(&mut client)
        .exit("S", "t")
        .task_state("S", "a", "completed")
        .exit("S", "t");
    assert_eq!(client.changed(), NONE);
}

#[test]
fn j5_a_task_that_names_another_call_is_that_calls_from_then_on() {
    let mut client = Client::v2_with_tasks();
    client
        .call("S", "c", "in_progress")
        .call("S", "d", "in_progress");
    client.task("S", "a", json!({ "toolCallId": "c", "canStop": true }));
    assert_eq!(client.the_call("S", "c")["stopTarget"], task("a"));
    client.task("S", "a", json!({ "toolCallId": "d" }));
    assert_eq!(client.the_call("S", "c")["stopTarget"], json!(null));
    assert_eq!(client.the_call("S", "d")["stopTarget"], task("a"));
    assert_eq!(client.the_call("S", "c")["background"], json!(null));
    assert_eq!(client.item("S", 0)["toolCallIds"], json!(["d"]));
}

#[test]
fn j5_a_call_that_a_listed_task_begins_to_name_was_handed_off_to_it() {
    let mut client = Client::v2_with_tasks();
    client
        .call("S", "c", "in_progress")
        .task("S", "a", json!({}))
        .task("S", "a", json!({ "toolCallId": "c" }));
    let handed_off = &client.the_call("S", "c")["handedOff"];
    assert_eq!(handed_off["type"], "task");
    assert_eq!(handed_off["since"], 3000);
}

#[test]
fn j6_a_turn_spawned_again_goes_on_and_ends_when_it_is_work_from_now_on() {
    let mut client = Client::v1(true);
    client.task("S", "a", json!({ "taskType": "turn" }));
    client.task("S", "a", json!({ "taskType": "turn" }));
    assert_eq!(client.activity("S"), "busy");
    assert_eq!(client.turns_ended(), NONE);
    client.task("S", "a", json!({ "taskType": "shell" }));
    assert_eq!(client.turns_ended(), ["S null"]);
    assert_eq!(client.activity("S"), "background");
}

#[test]
fn j6_a_turn_that_had_ended_begins_again() {
    let mut client = Client::v1(true);
    client
        .task("S", "a", json!({ "taskType": "turn" }))
        .task_state("S", "a", "completed")
        .task("S", "a", json!({}));
    assert_eq!(client.activity("S"), "busy");
}

#[test]
fn j6_work_that_is_spawned_ends_no_turn() {
    let mut client = Client::v1(true);
    client.bare("S", "running").task("S", "a", json!({}));
    assert_eq!(client.turns_ended(), NONE);
    client.task("S", "a", json!({ "name": "sleep" }));
    assert_eq!(client.turns_ended(), NONE);
    assert_eq!(client.foreground("S"), "running");
}

#[test]
fn j6_a_turn_and_a_prompt_end_with_the_last_of_them() {
    let mut client = Client::v1(true);
    client
        .prompt("S", 1)
        .task("S", "a", json!({ "taskType": "turn" }))
        .prompt_answered(1);
    assert_eq!(client.foreground("S"), "running");
    client.task_state("S", "a", "completed");
    assert_eq!(client.foreground("S"), "idle");
    let mut client = Client::v1(false);
    client.turn_started("S").prompt("S", 1).turn_started("S");
    client.prompt_answered(1);
    assert_eq!(client.foreground("S"), "running");
    client.turn_ended("S");
    assert_eq!(client.foreground("S"), "idle");
}

#[test]
fn r3_a_turn_of_the_agents_own_ends_with_the_connection() {
    let mut client = Client::v1(true);
    client
        .task("S", "a", json!({ "taskType": "turn" }))
        .disconnect();
    client.resume("S").resumed("S");
    assert_eq!(client.foreground("S"), "idle");
    client.prompt("S", 1).prompt_answered(1);
    assert_eq!(client.foreground("S"), "idle");
    assert_eq!(client.turns_ended(), ["S end_turn"]);
    // Without a resume, too.
    client
        .task("S", "b", json!({ "taskType": "turn" }))
        .disconnect()
        .prompt("S", 2)
        .prompt_answered(2);
    assert_eq!(client.foreground("S"), "idle");
}
