//! Updates: what the official crate reads, ours reads the same, and comes to the same state.

use acp_client_state::{
    BackgroundList, Event, Patch, StateUpdate, SubagentUpdate, TaskSpawned, Update,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::exceptions::{Exception, read};
use super::inputs::{all_damages, config, damaged, damaged_ones, places, samples, updates, wild};
use super::{Version, event, prepared, saved, update_message};

/// What ours reads, by way of a typed event; `None` when it is not readable.
fn ours(raw: &Value) -> Option<Update> {
    let read = event(json!({ "type": "update", "sessionId": "S1", "update": raw }));
    match read {
        Event::Update { update, .. } => match update {
            Update::Unreadable(_) => None,
            update => Some(update),
        },
        other => panic!("{other:?}"),
    }
}

/// A malformed list counts as not reported (rule B3); that it is a problem is checked apart.
fn without_malformed(mut read: Option<Update>) -> Option<Update> {
    if let Some(state) = state(&mut read)
        && let BackgroundList::Malformed { .. } = state.background
    {
        state.background = BackgroundList::NotReported;
    }
    read
}

fn state(read: &mut Option<Update>) -> Option<&mut StateUpdate> {
    match read {
        Some(Update::State(state)) => Some(state),
        Some(Update::Subagent(child)) => match &mut child.state {
            Patch::Value(state) => Some(state),
            Patch::Omitted | Patch::Null => None,
        },
        _ => None,
    }
}

fn check(version: Version, raw: &Value) -> Result<(), TestCaseError> {
    let reading = read(version, raw, None);
    let ours = ours(raw);
    prop_assert_eq!(
        &without_malformed(ours.clone()),
        &reading.update,
        "{:?} {}",
        version,
        raw
    );
    is_malformed_as_official(&ours, &reading.input)?;

    // The same by way of messages, in both forms, and of the official crate's reading as an event.
    let mut expected = prepared(version);
    let before = saved(&expected);
    let wanted = reading.effective.clone().map(|update| {
        expected.apply(
            Event::Update {
                session_id: "S1".into(),
                update,
            },
            9.0,
        )
    });
    let message = update_message(raw);
    let mut by_value = prepared(version);
    let mut outcome = by_value.received(&message, 9.0);
    let mut by_text = prepared(version);
    let text_outcome = by_text.received(&message.to_string(), 9.0);
    prop_assert_eq!(&outcome, &text_outcome, "{}", raw);
    prop_assert_eq!(saved(&by_value), saved(&by_text), "{}", raw);
    prop_assert_eq!(saved(&by_value), saved(&expected), "{:?} {}", version, raw);
    if let Some(wanted) = wanted {
        // A malformed list is the only problem that a readable update may have.
        outcome
            .problems
            .retain(|it| it.code != "malformed_background");
        prop_assert_eq!(outcome, wanted, "{}", raw);
    } else {
        prop_assert_eq!(saved(&by_value), before, "{}", raw);
        let codes: Vec<&str> = outcome.problems.iter().map(|it| it.code.as_str()).collect();
        prop_assert_eq!(codes, ["malformed_update"], "{}", raw);
    }
    Ok(())
}

/// A list that is there and that the official crate does not read is malformed, and no other (rule B3).
fn is_malformed_as_official(ours: &Option<Update>, input: &Value) -> Result<(), TestCaseError> {
    let mut ours = ours.clone();
    let input = match &ours {
        Some(Update::Subagent(_)) => &input["state"],
        _ => input,
    };
    if let Some(state) = state(&mut ours) {
        let is_malformed = matches!(state.background, BackgroundList::Malformed { .. });
        let is_reported = matches!(state.background, BackgroundList::Listed(_));
        let is_there = input.get("background").is_some_and(|list| !list.is_null());
        prop_assert_eq!(is_malformed, is_there && !is_reported, "{}", input);
    }
    Ok(())
}

#[test]
fn each_update_with_one_damage_is_read_as_the_official_crate_reads_it() {
    for version in [Version::V1, Version::V2] {
        for update in updates() {
            check(version, &update).unwrap();
        }
        for update in samples() {
            for place in places(&update) {
                for damage in all_damages() {
                    let raw = damaged(update.clone(), &place, &damage);
                    check(version, &raw).unwrap();
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn updates_with_several_damages_are_read_as_the_official_crate_reads_them(
        is_v1 in any::<bool>(),
        raw in damaged_ones(updates()),
    ) {
        check(if is_v1 { Version::V1 } else { Version::V2 }, &raw)?;
    }
}

#[test]
fn every_exception_is_one() {
    for exception in Exception::ALL {
        let (rule, examples) = exception.examples();
        for (version, raw) in examples {
            let ours = without_malformed(ours(&raw));
            let with = read(version, &raw, None).update;
            assert_eq!(ours, with, "{exception:?} ({rule}): {raw}");
            let without = read(version, &raw, Some(exception)).update;
            assert_ne!(ours, without, "{exception:?} ({rule}) is none: {raw}");
        }
    }
}

#[test]
fn b3_each_malformed_shape_of_a_list_is_none_and_each_other_is_read() {
    let mut items = wild();
    items.extend(wild().into_iter().map(|kind| json!({ "type": kind })));
    for kind in ["terminal", "tool_call", "subagent", "_remote"] {
        items.push(json!({ "type": kind }));
        for id in wild() {
            for name in ["terminalId", "toolCallId", "sessionId"] {
                items.push(json!({ "type": kind, name: id }));
            }
        }
    }
    for name in ["terminalId", "toolCallId", "sessionId"] {
        items.push(json!({ name: "t1" }));
    }
    let good = json!({ "type": "terminal", "terminalId": "t1" });
    let mut lists = wild();
    for item in items {
        lists.push(json!([item]));
        lists.push(json!([good, item]));
    }
    let mut malformed = 0;
    for list in lists {
        let mut update = json!({ "sessionUpdate": "state_update", "state": "idle" });
        update["background"] = list.clone();
        check(Version::V2, &update).unwrap();
        let mut ours = ours(&update);
        let background = &state(&mut ours).unwrap().background;
        malformed += usize::from(matches!(background, BackgroundList::Malformed { .. }));
        let child = json!({
            "sessionUpdate": "subagent_update", "sessionId": "K1",
            "state": { "state": "idle", "background": list },
        });
        check(Version::V2, &child).unwrap();
    }
    assert!(malformed > 500, "{malformed} malformed lists");
}

/// What the official crate does not know at all (rules V5 and J2): unknown kinds on v2, refused on v1.
#[test]
fn v5_j2_kinds_that_only_agents_know() {
    let child = |state: StateUpdate, title| {
        Update::Subagent(Box::new(SubagentUpdate {
            session_id: "K1".into(),
            title,
            cancel: Patch::Omitted,
            state: Patch::Value(state),
            has_state: true,
        }))
    };
    let plain = |state: &str, background| StateUpdate {
        state: state.into(),
        stop_reason: None,
        error: None,
        background,
    };
    let mut given = vec![
        (
            json!({ "sessionUpdate": "subagent_spawned", "subagentSessionId": "K1", "name": "Kid" }),
            child(
                plain("running", BackgroundList::NotReported),
                Patch::Value("Kid".into()),
            ),
        ),
        (
            json!({
                "sessionUpdate": "subagent_state_update", "subagentSessionId": "K1",
                "state": "completed",
            }),
            child(plain("idle", BackgroundList::Ended), Patch::Omitted),
        ),
    ];
    for dash in ["", "_"] {
        let kind = |kind: &str| format!("{dash}async_task_{kind}");
        given.push((
            json!({
                "sessionUpdate": kind("spawned"), "asyncTaskId": "a", "name": "n",
                "taskType": "shell", "canStop": true, "toolCallId": "c1",
            }),
            Update::TaskSpawned(Box::new(TaskSpawned {
                async_task_id: "a".into(),
                name: Some("n".into()),
                task_type: Some("shell".into()),
                can_stop: Some(true),
                tool_call_id: Some("c1".into()),
            })),
        ));
        given.push((
            json!({ "sessionUpdate": kind("state_update"), "asyncTaskId": "a", "state": "paused" }),
            Update::TaskState {
                async_task_id: "a".into(),
                state: "paused".into(),
            },
        ));
        given.push((
            json!({ "sessionUpdate": kind("progress"), "asyncTaskId": "a" }),
            Update::TaskProgress {
                async_task_id: "a".into(),
            },
        ));
    }
    for (raw, expected) in given {
        assert_eq!(ours(&raw), Some(expected), "{raw}");
        for version in [Version::V1, Version::V2] {
            assert_eq!(
                read(version, &raw, None).update,
                Some(Update::Ignored),
                "{raw}"
            );
        }
    }
}
