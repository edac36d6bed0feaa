//! Laws: what holds for every sequence of events, however long, large or malformed.

#![cfg(all(feature = "json", not(target_arch = "wasm32")))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds nothing there is a test that fails"
)]

mod laws {
    pub(crate) mod live;
    pub(crate) mod messages;
    pub(crate) mod size;
}
mod support;

use std::collections::{BTreeMap, BTreeSet};

use acp_client_state::{ClientState, Event, Options, Outcome, Update};
use laws::live::{Live, key};
use laws::messages::Wire;
use proptest::prelude::*;
use serde_json::{Value, json};
use support::random::{self, CALLS, SESSIONS, TERMINALS};
use support::{answers, array, ours};

/// The first event of a sequence: either version, with tasks or without.
fn setup(seed: u64) -> Value {
    json!({
        "type": "initialized",
        "protocolVersion": 1 + seed % 2,
        "asyncTasks": seed % 4 < 2,
    })
}

fn events(setup_seed: u64, seeds: &[u64]) -> Vec<Value> {
    let events = seeds.iter().map(|seed| random::event(*seed));
    std::iter::once(setup(setup_seed)).chain(events).collect()
}

fn state(setup_seed: u64) -> ClientState {
    ClientState::new(Options {
        cancel_unattributed: setup_seed % 8 < 6,
    })
}

fn apply(state: &mut ClientState, event: &Value, step: usize) -> Outcome {
    let event: Event = serde_json::from_value(event.clone()).unwrap();
    state.apply(event, at(step))
}

fn at(step: usize) -> f64 {
    100.0 * f64::from(u32::try_from(step).unwrap() + 1)
}

/// Every answer about every session and everything in it.
fn everything(state: &ClientState) -> Value {
    let mut all = json!({ "sessionIds": state.session_ids() });
    for id in SESSIONS {
        all[id] = answers(state, id);
        let session = state.session(id);
        for call in CALLS {
            all[id][call] = ours(&session.tool_call(call));
        }
        for terminal in TERMINALS {
            all[id][terminal] = ours(&session.terminal(terminal));
        }
    }
    all
}

fn saved(state: &ClientState) -> Value {
    serde_json::to_value(state).unwrap()
}

/// Whether an update says something new each time: output that is appended.
fn appends(update: &Value) -> bool {
    update["sessionUpdate"] == "terminal_output_chunk"
        || !update["_meta"]["terminal_output_delta"].is_null()
}

/// Whether an event opens a window of rule R4.
fn opens_a_window(event: &Value) -> bool {
    event["type"] == "resume_sent"
        || event["type"] == "disconnected"
        || (event["type"] == "prompt_answered" && event["error"]["code"] == -32002)
}

proptest! {
    #![proptest_config(support::tries("LAWS_CASES", 64))]

    #[test]
    fn the_same_events_give_the_same_state_outcomes_and_answers(
        first in any::<u64>(),
        seeds in prop::collection::vec(any::<u64>(), 1..60),
    ) {
        let run = || {
            let mut state = state(first);
            let outcomes: Vec<Outcome> = events(first, &seeds)
                .iter()
                .enumerate()
                .map(|(step, event)| apply(&mut state, event, step))
                .collect();
            (saved(&state).to_string(), outcomes, everything(&state))
        };
        prop_assert_eq!(run(), run());
    }

    #[test]
    fn save_restore_and_go_on_is_the_same_as_going_on(
        first in any::<u64>(),
        seeds in prop::collection::vec(any::<u64>(), 1..60),
        stop in any::<prop::sample::Index>(),
    ) {
        let events = events(first, &seeds);
        let stop = stop.index(events.len());
        let mut straight = state(first);
        let mut restored = state(first);
        for (step, event) in events.iter().enumerate() {
            if step == stop {
                let text = serde_json::to_string(&restored).unwrap();
                restored = serde_json::from_str(&text).unwrap();
                prop_assert_eq!(serde_json::to_string(&restored).unwrap(), text);
                prop_assert_eq!(everything(&restored), everything(&straight));
            }
            let outcome = apply(&mut straight, event, step);
            prop_assert_eq!(apply(&mut restored, event, step), outcome, "{}", event);
        }
        prop_assert_eq!(saved(&restored), saved(&straight));
        prop_assert_eq!(everything(&restored), everything(&straight));
    }

    #[test]
    fn n2_ignored_kinds_and_repeated_updates_change_nothing_and_name_none(
        first in any::<u64>(),
        seeds in prop::collection::vec(any::<u64>(), 1..60),
    ) {
        let mut state = state(first);
        for (step, event) in events(first, &seeds).iter().enumerate() {
            let _ = apply(&mut state, event, step);
            let before = everything(&state);
            for session in ["S1", "X"] {
                let update = json!({ "sessionUpdate": "agent_message_chunk", "toolCallId": "c1" });
                let ignored = json!({ "type": "update", "sessionId": session, "update": update });
                prop_assert!(apply(&mut state, &ignored, step).is_empty());
            }
            if event["type"] == "update" && !appends(&event["update"]) {
                let again = apply(&mut state, event, step + 1);
                prop_assert!(again.changed.is_empty(), "{} repeated: {:?}", event, again);
                prop_assert!(again.turns_ended.is_empty(), "{} repeated: {:?}", event, again);
                prop_assert!(again.became_quiet.is_empty(), "{} repeated: {:?}", event, again);
                prop_assert!(again.started.is_empty(), "{} repeated: {:?}", event, again);
                prop_assert!(again.ended.is_empty(), "{} repeated: {:?}", event, again);
            }
            prop_assert_eq!(everything(&state), before, "{}", event);
        }
    }

    #[test]
    fn n1_each_item_starts_once_before_it_ends(
        first in any::<u64>(),
        seeds in prop::collection::vec(any::<u64>(), 1..80),
    ) {
        let mut state = state(first);
        let mut live = Live::default();
        let events = events(first, &seeds);
        let events = events.iter().filter(|event| !opens_a_window(event));
        for (step, event) in events.enumerate() {
            let outcome = ours(&apply(&mut state, event, step));
            let followed = live.follow(&outcome);
            prop_assert_eq!(followed, Ok(()), "{}", event);
            let mut listed = BTreeSet::new();
            let mut silent = BTreeSet::new();
            for id in state.session_ids() {
                let snapshot = ours(&state.session(&id).snapshot());
                if snapshot["backgroundReported"] != "listed" && snapshot["activity"] != "closed" {
                    silent.insert(format!("{id} "));
                }
                let items = array(&snapshot["background"]).iter();
                listed.extend(items.filter(|item| item["status"] != "finished").map(key));
            }
            let is_silent = |key: &&String| silent.iter().any(|start| key.starts_with(start));
            let heard: BTreeSet<String> = live.keys.iter().filter(|key| !is_silent(key)).cloned().collect();
            prop_assert_eq!(heard, listed, "{}", event);
        }
    }

    #[test]
    fn n2_a_version_counts_the_events_that_named_the_session(
        first in any::<u64>(),
        seeds in prop::collection::vec(any::<u64>(), 1..60),
    ) {
        let mut state = state(first);
        let mut named: BTreeMap<String, u64> = BTreeMap::new();
        for (step, event) in events(first, &seeds).iter().enumerate() {
            for id in apply(&mut state, event, step).changed {
                *named.entry(id).or_default() += 1;
            }
            let ids = state.session_ids();
            named.retain(|id, _| ids.contains(id));
            for id in ids {
                let version = ours(&state.session(&id).snapshot())["version"].as_u64();
                prop_assert_eq!(version, named.get(&id).copied(), "{} after {}", id, event);
            }
        }
    }

    #[test]
    fn an_event_is_written_as_the_json_that_it_is_read_from(seed in any::<u64>()) {
        let event: Event = serde_json::from_value(random::event(seed)).unwrap();
        let written = serde_json::to_value(&event).unwrap();
        let again: Event = serde_json::from_value(written.clone()).unwrap();
        // What could not be read stays so, though no longer for the same reason.
        let is_unreadable = |event: &Event| {
            matches!(event, Event::Update { update: Update::Unreadable(_), .. })
        };
        if is_unreadable(&event) {
            prop_assert!(is_unreadable(&again), "{written}");
        } else {
            prop_assert_eq!(serde_json::to_value(&again).unwrap(), written.clone());
            let mut states = [ClientState::default(), ClientState::default()];
            let [one, other] = &mut states;
            // Nor has a problem the same text.
            let outcomes = [one.apply(event, 1.0), other.apply(again, 1.0)].map(|mut outcome| {
                outcome.problems.iter_mut().for_each(|problem| {
                    problem.message.clear();
                    problem.path.clear();
                });
                serde_json::to_value(outcome).unwrap()
            });
            prop_assert_eq!(&outcomes[0], &outcomes[1]);
            prop_assert_eq!(serde_json::to_value(&*one).unwrap(), serde_json::to_value(&*other).unwrap());
        }
    }

    #[test]
    fn typed_events_and_messages_agree(
        first in any::<u64>(),
        seeds in prop::collection::vec(any::<u64>(), 1..60),
        as_text in any::<bool>(),
    ) {
        let mut typed = state(first);
        let mut wired = state(first);
        let mut wire = Wire::new(as_text);
        for (step, event) in events(first, &seeds).iter().enumerate() {
            let Some((event, messages)) = wire.messages(event) else {
                continue;
            };
            let expected = apply(&mut typed, &event, step);
            let outcome = if event["type"] == "disconnected" {
                apply(&mut wired, &event, step)
            } else {
                wire.send(&mut wired, &messages, at(step))
            };
            prop_assert_eq!(outcome, expected, "{}", event);
            prop_assert_eq!(everything(&wired), everything(&typed), "{}", event);
        }
    }

    #[test]
    fn e3_text_and_values_agree_on_malformed_messages(
        seeds in prop::collection::vec((any::<u64>(), any::<u64>()), 1..40),
    ) {
        let mut by_text = ClientState::new(Options::default());
        let mut by_value = ClientState::new(Options::default());
        for (step, (event, damage)) in seeds.iter().enumerate() {
            let mut event = random::event(*event);
            if event["type"] != "update" && event["type"] != "permission_requested" {
                event = json!({ "type": "update", "sessionId": "S1", "update": event });
            }
            let message = laws::messages::of_the_agent(&event);
            let (text, value) = laws::messages::damage(message, *damage);
            let expected = by_value.received(&value, at(step));
            prop_assert_eq!(by_text.received(&text, at(step)), expected, "{}", text);
            prop_assert_eq!(everything(&by_text), everything(&by_value), "{}", text);
        }
    }
}
