//! The naive model of `model/` and the crate give the same answers to the same random events.

#![cfg(all(feature = "json", not(target_arch = "wasm32")))]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

#[allow(
    clippy::all,
    clippy::indexing_slicing,
    unreachable_pub,
    dead_code,
    reason = "the model is as plain as can be"
)]
mod model;
mod support;

use acp_client_state::{ClientState, Event, Options, StopTarget};
use model::Model;
use proptest::prelude::*;
use serde_json::{Value, json};
use support::random::{self, CALLS, Random, SESSIONS, TASKS, TERMINALS};
use support::{array, ours, text};

/// Both after each other's event, and what they say.
struct Pair {
    state: ClientState,
    model: Model,
    at: f64,
}

impl Pair {
    fn new(seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let cancel_unattributed = random.next(4) > 0;
        let mut pair = Self {
            state: ClientState::new(Options {
                cancel_unattributed,
            }),
            model: Model::new(cancel_unattributed),
            at: 0.0,
        };
        let initialized = json!({
            "type": "initialized",
            "protocolVersion": 1 + random.next(2),
            "asyncTasks": random.next(2) == 0,
        });
        let _ = pair.apply(&initialized);
        pair
    }

    fn apply(&mut self, event: &Value) -> (Value, Value) {
        self.at += 100.0;
        let read: Event = serde_json::from_value(event.clone()).unwrap();
        let ours = ours(&self.state.apply(read, self.at));
        let model = self.model.apply(event, self.at);
        (ours, model)
    }

    /// Every question about every session, both ways.
    fn answers(&self) -> (Value, Value) {
        let mut ours = json!({ "sessionIds": self.state.session_ids() });
        let mut model = json!({ "sessionIds": self.model.session_ids() });
        for id in SESSIONS {
            ours[id] = our_answers(&self.state, id, self.at);
            model[id] = model_answers(&self.model, id, self.at);
        }
        (ours, model)
    }
}

fn targets() -> Vec<Value> {
    let calls = CALLS.map(|id| json!({ "toolCallId": id }));
    let terminals = TERMINALS.map(|id| json!({ "terminalId": id }));
    let tasks = TASKS.map(|id| json!({ "asyncTaskId": id }));
    let sessions = SESSIONS.map(|id| json!({ "sessionId": id }));
    [&calls[..], &terminals, &tasks, &sessions].concat()
}

fn our_answers(state: &ClientState, id: &str, at: f64) -> Value {
    let mut answers = support::answers(state, id);
    let session = state.session(id);
    answers["snapshot"]
        .as_object_mut()
        .unwrap()
        .remove("version");
    answers["isReleasable"] = json!(session.is_releasable(at + 50.0, 200.0));
    answers["isReleasableLater"] = json!(session.is_releasable(at + 1e6, 200.0));
    for id in CALLS {
        answers[format!("call {id}")] = ours(&session.tool_call(id));
    }
    for id in TERMINALS {
        answers[format!("terminal {id}")] = ours(&session.terminal(id));
    }
    for target in targets() {
        let read: StopTarget = serde_json::from_value(target.clone()).unwrap();
        answers[target.to_string()] = ours(&session.stop_plan(&read));
    }
    answers
}

fn model_answers(model: &Model, id: &str, at: f64) -> Value {
    let mut snapshot = model.snapshot(id);
    snapshot.as_object_mut().unwrap().remove("version");
    let mut answers = json!({
        "activity": model.activity(id),
        "isQuiet": model.is_quiet(id),
        "quietSince": model.quiet_since(id),
        "abandoned": model.abandoned(id),
        "cancelPlan": model.cancel_plan(id),
        "closePlan": model.close_plan(id),
        "requests": model.requests(id, false),
        "deepRequests": model.requests(id, true),
        "snapshot": snapshot,
        "isReleasable": model.is_releasable(id, at + 50.0, 200.0),
        "isReleasableLater": model.is_releasable(id, at + 1e6, 200.0),
    });
    for call in CALLS {
        answers[format!("call {call}")] = model.tool_call(id, call);
    }
    for terminal in TERMINALS {
        answers[format!("terminal {terminal}")] = model.terminal(id, terminal);
    }
    for target in targets() {
        answers[target.to_string()] = model.stop_plan(id, &target);
    }
    answers
}

/// The outcome without what is compared apart (`changed`) and what is worded freely (`problems`).
fn comparable(outcome: &Value) -> Value {
    let mut outcome = outcome.clone();
    outcome["changed"] = Value::Null;
    for problem in outcome["problems"].as_array_mut().unwrap() {
        problem["message"] = Value::Null;
    }
    outcome
}

/// Without the answer that changes with time alone.
fn timeless(mut answers: Value) -> Value {
    for id in SESSIONS {
        answers[id]["isReleasable"] = Value::Null;
    }
    answers
}

fn names(list: &Value) -> Vec<&str> {
    array(list).iter().map(text).collect()
}

/// Where two values differ, for a readable report.
fn differences(path: &str, ours: &Value, model: &Value, found: &mut Vec<String>) {
    match (ours, model) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for key in keys {
                let null = Value::Null;
                let (a, b) = (a.get(key).unwrap_or(&null), b.get(key).unwrap_or(&null));
                differences(&format!("{path}.{key}"), a, b, found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                differences(&format!("{path}[{index}]"), a, b, found);
            }
        }
        (a, b) if a.as_f64().is_some() && a.as_f64() == b.as_f64() => {}
        (a, b) if a != b => found.push(format!("{path}: ours {a}, model {b}")),
        _ => {}
    }
}

/// Runs a sequence through both. Outcomes are compared after every event, all answers after every
/// tenth and the last: what differs in between shows then.
fn run(seeds: &[u64], setup: u64) -> Result<(), TestCaseError> {
    let mut pair = Pair::new(setup);
    for (step, seed) in seeds.iter().enumerate() {
        let event = random::event(*seed);
        let asks = seed % 10 == 0 || step + 1 == seeds.len();
        let before = asks.then(|| timeless(pair.answers().0));
        let (mut outcome, mut expected) = pair.apply(&event);
        if event["type"] == "session_deleted" {
            // What a deleted child listed: nothing any more (X4), or what it did until then.
            for outcome in [&mut outcome, &mut expected] {
                for item in outcome["ended"].as_array_mut().unwrap() {
                    item["background"] = Value::Null;
                }
            }
        }
        let mut found = Vec::new();
        differences(
            "outcome",
            &comparable(&outcome),
            &comparable(&expected),
            &mut found,
        );
        if let Some(before) = before {
            let (answers, wanted) = pair.answers();
            differences("answers", &answers, &wanted, &mut found);
            check_changed(&outcome, &before, &timeless(answers), &mut found);
        }
        if !found.is_empty() {
            let events: Vec<String> = seeds[..=step]
                .iter()
                .map(|seed| random::event(*seed).to_string())
                .collect();
            let found: Vec<&String> = found.iter().take(12).collect();
            return Err(TestCaseError::fail(format!(
                "after event {step}\n{found:#?}\n{}",
                events.join("\n")
            )));
        }
    }
    Ok(())
}

/// Rule N2: every session whose answers changed is named, and only its ancestors beside it.
fn check_changed(outcome: &Value, before: &Value, after: &Value, found: &mut Vec<String>) {
    let changed = names(&outcome["changed"]);
    let exists = |id: &str| {
        [before, after]
            .iter()
            .any(|answers| names(&answers["sessionIds"]).contains(&id))
    };
    for id in SESSIONS.into_iter().filter(|id| exists(id)) {
        if before[id] != after[id] && !changed.contains(&id) {
            found.push(format!("N2: {id} changed and is not named"));
        }
    }
    for id in &changed {
        if before[id] == after[id]
            && before["sessionIds"] == after["sessionIds"]
            && !is_ancestor(id, &changed, before, after)
        {
            found.push(format!("N2: {id} is named and did not change"));
        }
    }
}

/// Whether a named session is the ancestor of another one whose answers changed (rule N2).
fn is_ancestor(id: &str, changed: &[&str], before: &Value, after: &Value) -> bool {
    changed
        .iter()
        .filter(|other| before[**other] != after[**other])
        .any(|other| {
            [before, after].iter().any(|answers| {
                let mut line = vec![(*other).to_owned()];
                while let Some(parent) = line
                    .last()
                    .and_then(|id| answers[id]["snapshot"]["parentId"].as_str())
                {
                    line.push(parent.to_owned());
                }
                line.iter().skip(1).any(|ancestor| ancestor == id)
            })
        })
}

proptest! {
    #![proptest_config(support::tries("MODEL_CASES", 2000))]

    #[test]
    fn the_model_and_the_crate_agree(
        setup in any::<u64>(),
        seeds in prop::collection::vec(any::<u64>(), 1..80),
    ) {
        run(&seeds, setup)?;
    }
}
