//! A line of options, then events, one a line, and what holds of every sequence of events.

use std::collections::BTreeSet;

use acp_client_state::{ClientState, Event, Options};
use serde_json::json;

use super::live::Live;
use super::random::Random;
use super::{ask, at, event, restored};

pub(crate) fn run(bytes: &[u8]) {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let options = &mut Random::of_bytes(lines.next().unwrap_or_default());
    let state = ClientState::new(Options {
        cancel_unattributed: options.next(2) == 0,
    });
    let setup = json!({
        "type": "initialized",
        "protocolVersion": 2 - options.next(2),
        "asyncTasks": options.next(2) == 1,
    });
    let saved_at = options.next(32);
    let setup = serde_json::from_value(setup).unwrap();
    let events: Vec<Event> = std::iter::once(setup)
        .chain(lines.filter_map(event))
        .collect();
    let ids = saved_and_restored(state.clone(), &events, saved_at);
    outcomes(state, &events, &ids);
}

/// Save, restore and go on is the same as going on; the ids that came up.
fn saved_and_restored(state: ClientState, events: &[Event], saved_at: usize) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut straight = state.clone();
    let mut other = state;
    for (step, event) in events.iter().enumerate() {
        if step == saved_at {
            other = restored(&other);
            ask::assert_same(&other, &straight);
        }
        // Either may take sessions away, and their ids with them.
        if let Event::SessionDeleted { .. } | Event::ResumeAnswered { .. } = event {
            ids.extend(ask::ids(&straight));
        }
        let outcome = straight.apply(event.clone(), at(step));
        assert_eq!(other.apply(event.clone(), at(step)), outcome, "{event:?}");
    }
    ask::assert_same(&other, &straight);
    ids.extend(ask::ids(&straight));
    ids
}

/// What each event says that it changed (rules N1 and N2).
fn outcomes(mut state: ClientState, events: &[Event], ids: &BTreeSet<String>) {
    let mut live = Live::default();
    let mut before = ask::answers(&state, ids, &[], false);
    let mut known = state.session_ids();
    for (step, event) in events.iter().enumerate() {
        let outcome = state.apply(event.clone(), at(step));
        let says_it = !outcome.started.is_empty() || !outcome.ended.is_empty();
        if says_it && let Err(what) = live.follow(&serde_json::to_value(&outcome).unwrap()) {
            panic!("N1: {what} at {step}: {event:?}");
        }
        // Deleted ones are asked about once more: they answer as a session that never was.
        let after = ask::answers(&state, ids, &known, false);
        let sessions = state.session_ids();
        for session in known.iter().chain(&sessions) {
            let came_or_went = known.contains(session) != sessions.contains(session);
            let [had, has] = [&before, &after].map(|answers| answers.get(session));
            let has_changed = came_or_went || had.is_some() && has.is_some() && had != has;
            assert!(
                !has_changed || outcome.changed.contains(session),
                "N2: {session:?} changed and is not named at {step}: {event:?}\n{had:?}\n{has:?}"
            );
        }
        let nothing_changed = known == sessions
            && after
                .iter()
                .all(|(session, answers)| before.get(session) == Some(answers));
        assert!(
            !nothing_changed || outcome.changed.is_empty() || sessions.len() > ask::MOST_SESSIONS,
            "N2: nothing changed at {step}: {event:?}\n{outcome:?}"
        );
        known = sessions;
        before = after;
    }
}
