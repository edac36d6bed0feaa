//! What is saved: a state that is no state of ours is refused, never half believed (rule E1).

use acp_client_state::{Activity, ClientState, SessionSnapshot, WorkItem, WorkStatus};
use serde_json::{Value, json};

use crate::transcript::*;

fn saved() -> Value {
    let mut client = Client::v1(true);
    client
        .child("S", "K", "running")
        .terminal("S", "t")
        .showing("S", "c", &[terminal("t")])
        .prompt("S", 1)
        .permission("K", 1, for_call("d"))
        .idle("S", &[terminal("t"), child("K")])
        .resume("S");
    serde_json::from_str(&client.saved()).unwrap()
}

fn restored(saved: Value) -> Option<ClientState> {
    serde_json::from_value(saved).ok()
}

#[test]
fn e1_a_saved_state_in_which_two_sessions_have_one_id_is_refused() {
    let saved = saved();
    assert!(restored(saved.clone()).is_some());
    let atoms = saved["state"].as_array().unwrap().iter();
    let one = atoms.map(|atom| {
        if atom == "K" {
            json!("S")
        } else {
            atom.clone()
        }
    });
    let doubled = json!({ "format": saved["format"], "state": one.collect::<Vec<_>>() });
    assert!(restored(doubled).is_none());
}

#[test]
fn e1_what_was_restored_after_any_damage_can_be_saved_and_restored_again() {
    let saved = saved();
    let count = saved["state"].as_array().unwrap().len();
    let greatest = (1_u64 << 53) - 1;
    for position in 0..count {
        for atom in [json!(greatest), json!(greatest - 1), json!(u32::MAX)] {
            let mut damaged = saved.clone();
            damaged["state"][position] = atom.clone();
            let Some(mut state) = restored(damaged) else {
                continue;
            };
            for event in [
                json!({ "type": "session_opened", "sessionId": "new" }),
                json!({ "type": "resume_sent", "sessionId": "new" }),
                json!({ "type": "prompt_sent", "requestId": 7, "sessionId": "new" }),
                json!({ "type": "elicitation_requested", "requestId": 7, "sessionId": "new" }),
                json!({ "type": "stop_sent", "requestId": 8, "sessionId": "new", "toolCallId": "x" }),
            ] {
                state.apply(serde_json::from_value(event).unwrap(), 1e6);
            }
            let again = serde_json::to_value(&state).unwrap();
            assert!(restored(again).is_some(), "{atom} at {position}");
        }
    }
}

#[test]
fn e1_work_that_is_new_after_any_damage_is_one_more() {
    let saved = with_all_work();
    let count = saved["state"].as_array().unwrap().len();
    for position in 0..count {
        for atom in [json!(0), json!(1), json!(2), json!(100)] {
            let mut damaged = saved.clone();
            damaged["state"][position] = atom.clone();
            let Some(mut state) = restored(damaged) else {
                continue;
            };
            let before = state.session("S").snapshot();
            if before.activity != Activity::Background {
                continue;
            }
            let mut list = vec![json!({ "type": "_x" }), json!({ "type": "_y" })];
            list.truncate(before.background.len());
            list.push(json!({ "type": "_new" }));
            for update in [
                json!({ "sessionUpdate": "tool_call_update", "toolCallId": "new" }),
                json!({ "sessionUpdate": "terminal_update", "terminalId": "new" }),
                json!({ "sessionUpdate": "state_update", "state": "idle", "background": list }),
            ] {
                let event = json!({ "type": "update", "sessionId": "S", "update": update });
                state.apply(serde_json::from_value(event).unwrap(), 1e6);
            }
            let after = state.session("S").snapshot();
            let counts = |snapshot: &SessionSnapshot| {
                (
                    snapshot.unfinished_tool_calls.len(),
                    snapshot.running_terminals.len(),
                )
            };
            let (calls, terminals) = counts(&before);
            assert_eq!(
                counts(&after),
                (calls + 1, terminals + 1),
                "{atom} at {position}"
            );
            let kinds: Vec<&str> = after.background.iter().map(|item| &*item.kind).collect();
            assert_eq!(kinds.last(), Some(&"_new"), "{atom} at {position}");
        }
    }
}

#[test]
fn e1_a_task_that_is_new_after_any_damage_is_one_more() {
    let spawned = |id: &str| {
        let update = json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": id });
        serde_json::from_value(json!({ "type": "update", "sessionId": "S", "update": update }))
    };
    let mut state = ClientState::default();
    let initialized = json!({ "type": "initialized", "protocolVersion": 1, "asyncTasks": true });
    state.apply(serde_json::from_value(initialized).unwrap(), 1.0);
    state.apply(spawned("one").unwrap(), 1.0);
    let saved = serde_json::to_value(&state).unwrap();
    for position in 0..saved["state"].as_array().unwrap().len() {
        for atom in [json!(0), json!(1), json!(2)] {
            let mut damaged = saved.clone();
            damaged["state"][position] = atom.clone();
            let Some(mut state) = restored(damaged) else {
                continue;
            };
            let running = |state: &ClientState| {
                let items = state.session("S").snapshot().background;
                let is_running = |item: &&WorkItem| item.status == WorkStatus::Running;
                items.iter().filter(is_running).count()
            };
            // Else nothing is listed.
            if state.session("S").activity() != Activity::Background {
                continue;
            }
            let before = running(&state);
            state.apply(spawned("new").unwrap(), 1e6);
            assert!(running(&state) > before, "{atom} at {position}");
        }
    }
}

/// A session with a call, a terminal and items of unknown types.
fn with_all_work() -> Value {
    let mut state = ClientState::default();
    for update in [
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c" }),
        json!({ "sessionUpdate": "terminal_update", "terminalId": "t" }),
        json!({ "sessionUpdate": "state_update", "state": "idle",
            "background": [{ "type": "_x" }, { "type": "_y" }] }),
    ] {
        let event = json!({ "type": "update", "sessionId": "S", "update": update });
        state.apply(serde_json::from_value(event).unwrap(), 1.0);
    }
    serde_json::to_value(&state).unwrap()
}

#[test]
fn b4_items_of_unknown_types_that_are_gone_are_forgotten() {
    let mut state = ClientState::default();
    let mut length = 0;
    for round in 100..300 {
        let list = json!([{ "type": format!("_kind_{round}") }]);
        let update =
            json!({ "sessionUpdate": "state_update", "state": "idle", "background": list });
        let event = json!({ "type": "update", "sessionId": "S", "update": update });
        state.apply(serde_json::from_value(event).unwrap(), 1.0);
        if round == 200 {
            length = serde_json::to_string(&state).unwrap().len();
        }
    }
    assert_eq!(serde_json::to_string(&state).unwrap().len(), length);
}

#[test]
fn e3_a_session_that_is_new_after_any_damage_is_one_more() {
    let saved = saved();
    let count = saved["state"].as_array().unwrap().len();
    for position in 0..count {
        let whole = [json!(0), json!(1), json!(7), json!(u32::MAX)];
        for atom in whole.into_iter().chain([json!(true), json!(null)]) {
            let mut damaged = saved.clone();
            damaged["state"][position] = atom.clone();
            let Some(mut state) = restored(damaged) else {
                continue;
            };
            let before = state.session_ids();
            for id in ["new", "newer", "newer"] {
                let event = json!({ "type": "session_opened", "sessionId": id });
                state.apply(serde_json::from_value(event).unwrap(), 1e6);
            }
            let expected = [before, vec!["new".into(), "newer".into()]].concat();
            assert_eq!(state.session_ids(), expected, "{atom} at {position}");
        }
    }
}

#[test]
fn e1_a_saved_request_id_that_is_no_whole_number_is_refused() {
    let mut client = Client::v1(true);
    client.permission("S", 4711, for_call("d"));
    let saved: Value = serde_json::from_str(&client.saved()).unwrap();
    let with = |id: Value| {
        let atoms = saved["state"].as_array().unwrap().iter();
        let atoms = atoms.map(|atom| if *atom == json!(4711) { &id } else { atom });
        json!({ "format": saved["format"], "state": atoms.collect::<Vec<_>>() })
    };
    assert_ne!(with(json!(1)), saved);
    for (id, is_one) in [
        (json!(1), true),
        (json!("a"), true),
        (json!(1.5), false),
        (json!(true), false),
    ] {
        assert_eq!(restored(with(id.clone())).is_some(), is_one, "{id}");
    }
}
