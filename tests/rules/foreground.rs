//! Section 1: the foreground.

use acp_client_state::{
    BackgroundList, BackgroundReported, ClientState, Event, StateUpdate, Update,
};
use serde_json::{Value, json};

use crate::transcript::*;

#[test]
fn f1_a_new_session_is_idle_with_background_not_reported() {
    let mut client = Client::new();
    client.open("S");
    assert_eq!(client.foreground("S"), "idle");
    assert_eq!(client.reported("S"), "never");
    assert_eq!(client.background("S"), NONE);
}

#[test]
fn f1_a_child_first_heard_of_without_a_state_starts_unknown() {
    let mut client = Client::new();
    client.child_with("S", "K", json!({ "title": "Worker" }));
    assert_eq!(client.foreground("K"), "unknown");
    assert_eq!(client.activity("K"), "unknown");
    assert_eq!(client.foreground("S"), "idle");
}

#[test]
fn f2_a_snapshot_replaces_the_whole_foreground_state() {
    let mut client = Client::new();
    for state in [
        "running",
        "requires_action",
        "idle",
        "unknown",
        "_dreaming",
        "Idle",
        "",
    ] {
        client.bare("S", state);
        assert_eq!(client.foreground("S"), state);
        assert_eq!(client.problems(), NONE);
    }
}

#[test]
fn f3_an_unrecognised_state_is_never_idle() {
    let mut client = Client::new();
    client.idle("S", &[]).state("S", "_dreaming", &[]);
    assert_eq!(client.activity("S"), "busy");
    assert_eq!(client.became_quiet(), NONE);
}

#[test]
fn f3_an_unrecognised_state_reports_no_list_whatever_fields_it_has() {
    let mut client = Client::new();
    client.state("S", "_dreaming", &[terminal("t")]);
    assert_eq!(client.reported("S"), "never");
    assert_eq!(client.background("S"), NONE);
    client
        .idle("S", &[terminal("t")])
        .state("S", "_dreaming", &[terminal("t")]);
    assert_eq!(client.reported("S"), "lost");
    assert_eq!(client.background("S"), NONE);
}

#[test]
fn f4_a_turn_ends_when_a_snapshot_goes_from_not_idle_to_idle() {
    for busy in ["running", "requires_action", "_dreaming", "unknown"] {
        let mut client = Client::new();
        client.bare("S", busy);
        assert_eq!(client.turns_ended(), NONE);
        client.snapshot("S", "idle", json!({ "stopReason": "end_turn" }));
        assert_eq!(client.turns_ended(), ["S end_turn"], "{busy}");
    }
}

#[test]
fn f4_the_end_of_a_turn_carries_stop_reason_and_error() {
    let mut client = Client::new();
    let error = json!({ "code": -32000, "message": "quota" });
    let fields = json!({ "stopReason": "refusal", "error": error });
    client.bare("S", "running").snapshot("S", "idle", fields);
    let turn = json!({ "sessionId": "S", "stopReason": "refusal", "error": error });
    assert_eq!(client.outcome()["turnsEnded"], json!([turn]));
    client.bare("S", "running").bare("S", "idle");
    let turn = json!({ "sessionId": "S", "stopReason": null, "error": null });
    assert_eq!(client.outcome()["turnsEnded"], json!([turn]));
}

#[test]
fn f4_a_repeated_idle_ends_nothing() {
    let mut client = Client::new();
    client.bare("S", "running").bare("S", "idle");
    client.snapshot("S", "idle", json!({ "stopReason": "end_turn" }));
    assert_eq!(client.turns_ended(), NONE);
}

#[test]
fn f4_the_first_snapshot_of_a_session_that_started_unknown_ends_nothing() {
    let mut client = Client::new();
    client.child_with("S", "K", json!({})).bare("K", "idle");
    assert_eq!(client.turns_ended(), NONE);
    client.bare("K", "running").bare("K", "idle");
    assert_eq!(client.turns_ended(), ["K null"]);
}

#[test]
fn f4_the_first_snapshot_after_a_resume_a_disconnect_or_a_reopening_ends_nothing() {
    let mut client = Client::new();
    client.bare("S", "running").resume("S").bare("S", "idle");
    assert_eq!(client.turns_ended(), NONE);

    client.bare("S", "running").disconnect().bare("S", "idle");
    assert_eq!(client.turns_ended(), NONE);

    client
        .child("S", "K", "running")
        .closed("K")
        .bare("K", "idle");
    assert_eq!(client.foreground("K"), "idle");
    assert_eq!(client.turns_ended(), NONE);
}

#[test]
fn f5_the_stop_reason_is_that_of_the_last_idle_snapshot_that_carried_one() {
    let mut client = Client::new();
    let idle = |reason: Value| json!({ "stopReason": reason });
    client
        .bare("S", "running")
        .snapshot("S", "idle", idle(json!("end_turn")));
    assert_eq!(client.stop_reason("S"), "end_turn");
    client.bare("S", "idle");
    assert_eq!(client.stop_reason("S"), "end_turn");
    client.snapshot("S", "idle", idle(json!("cancelled")));
    assert_eq!(client.stop_reason("S"), "cancelled");
    client.snapshot("S", "idle", idle(json!(3)));
    assert_eq!(client.stop_reason("S"), "cancelled");
}

#[test]
fn f5_it_is_null_while_the_foreground_is_not_idle_and_not_remembered_after() {
    let mut client = Client::new();
    client.snapshot("S", "idle", json!({ "stopReason": "end_turn" }));
    for state in ["running", "requires_action", "unknown", "_dreaming"] {
        client.snapshot("S", state, json!({ "stopReason": "end_turn" }));
        assert_eq!(client.stop_reason("S"), json!(null), "{state}");
        client.bare("S", "idle");
        assert_eq!(client.stop_reason("S"), json!(null), "after {state}");
    }
}

#[test]
fn f6_session_opened_changes_nothing_that_an_update_has_reported() {
    let mut client = Client::new();
    client
        .state("S", "running", &[terminal("t")])
        .call("S", "c", "in_progress");
    let before = client.everything("S");
    client.open("S");
    assert_eq!(client.everything("S"), before);
    assert_eq!(client.changed(), NONE);
}

#[test]
fn f6_what_makes_a_session_exist() {
    let steps: [fn(&mut Client) -> &mut Client; 11] = [
        |client| client.open("S"),
        |client| client.resume("S"),
        |client| client.prompt("S", 1),
        |client| client.permission("S", 1, json!(null)),
        |client| client.elicitation("S", 1),
        |client| client.bare("S", "_dreaming"),
        |client| client.call_with("S", "c", json!({})),
        |client| client.chunk("S", "c", json!(3)),
        |client| client.terminal("S", "t"),
        |client| client.task("S", "a", json!({})),
        |client| client.kind("S", "async_task_progress", json!({ "asyncTaskId": "a" })),
    ];
    for (number, step) in steps.iter().enumerate() {
        let mut client = Client::new();
        step(&mut client);
        assert_eq!(client.session_ids(), ["S"], "step {number}");
        assert_eq!(client.changed(), ["S"], "step {number}");
    }
    let mut client = Client::new();
    client.child_with("S", "K", json!({}));
    assert_eq!(client.session_ids(), ["S", "K"]);
}

#[test]
fn f6_what_makes_no_session_exist() {
    let steps: [fn(&mut Client) -> &mut Client; 12] = [
        |client| client.output("S", "t", b"hello"),
        |client| client.kind("S", "agent_message_chunk", json!({})),
        |client| client.update("S", json!({ "sessionUpdate": "state_update" })),
        |client| client.update("S", json!({ "sessionUpdate": "tool_call_update" })),
        |client| client.update("S", json!(null)),
        |client| client.cancel("S"),
        |client| client.stop("S", 1, terminal("t")),
        |client| client.close("S"),
        |client| client.closed("S"),
        |client| client.resumed("S"),
        |client| client.delete("S"),
        |client| {
            client
                .answer(1)
                .withdraw(1)
                .prompt_answered(1)
                .stop_accepted(1)
        },
    ];
    for (number, step) in steps.iter().enumerate() {
        let mut client = Client::new();
        step(&mut client);
        assert_eq!(client.session_ids(), NONE, "step {number}");
        assert_eq!(client.changed(), NONE, "step {number}");
    }
}

#[test]
fn f6_questions_about_another_id_answer_as_for_a_new_session_and_create_none() {
    let mut client = Client::new();
    client.state("S", "running", &[terminal("t")]);
    assert_eq!(client.activity("X"), "unknown");
    assert_eq!(client.foreground("X"), "idle");
    assert_eq!(client.reported("X"), "never");
    assert_eq!(client.the_call("X", "c"), json!(null));
    assert_eq!(client.the_terminal("X", "t"), json!(null));
    assert_eq!(client.how_to_stop("X", &terminal("t")), "unknown");
    assert_eq!(client.view("X")["version"], 0);
    let unknown = client.everything("X");
    assert_eq!(client.session_ids(), ["S"]);
    client.open("X");
    assert_eq!(client.everything("X"), unknown);
}

#[test]
fn f3_no_field_of_an_unrecognised_state_is_a_list() {
    for background in [BackgroundList::Ended, BackgroundList::Listed(Vec::new())] {
        let mut state = ClientState::default();
        let update = Update::State(StateUpdate {
            state: "_dreaming".into(),
            stop_reason: None,
            error: None,
            background,
        });
        let session_id = "S".into();
        state.apply(Event::Update { session_id, update }, 1000.0);
        let reported = state.session("S").snapshot().background_reported;
        assert_eq!(reported, BackgroundReported::Never);
    }
}
