//! The naive model of `model/` and the crate give the same answers to the same random events.

#![cfg(all(feature = "json", not(target_arch = "wasm32")))]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

mod agrees {
    pub(crate) mod compare;
    pub(crate) mod pair;
}
#[allow(
    clippy::all,
    clippy::indexing_slicing,
    unreachable_pub,
    dead_code,
    reason = "the model is as plain as can be"
)]
mod model;
mod support;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use agrees::compare::{check_changed, differences};
use agrees::pair::Pair;
use serde_json::{Value, json};
use support::random::{Random, SESSIONS};
use support::swarm::Swarm;
use support::{ours, variable_or};

/// A sequence of events: each is what the swarm makes of a seed.
struct Sequence {
    setup: u64,
    swarm: Swarm,
    seeds: Vec<u64>,
}

impl Sequence {
    /// Most are short, a quarter is long enough for deep states.
    fn random(seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let length = match random.next(4) {
            0 => 80 + random.next(120),
            _ => 1 + random.next(79),
        };
        Self {
            setup: random.seed(),
            swarm: Swarm::random(random),
            seeds: (0..length).map(|_| random.seed()).collect(),
        }
    }

    /// Runs it through both; says where they differ first. After every event the outcomes are compared
    /// and rule N2 is held against all of the crate's answers; the model gives all of its own after
    /// every fifteenth event and the last: what differs in between shows then.
    fn run(&self) -> Result<(), Difference> {
        let mut pair = Pair::new(self.setup);
        let mut before = pair.answers();
        for (step, seed) in self.seeds.iter().enumerate() {
            let event = self.swarm.event(*seed);
            let (outcome, mut expected) = pair.apply(&event);
            let after = pair.answers();
            let mut found = Vec::new();
            check_changed(&outcome.changed, &before, &after, &mut found);
            let mut outcome = ours(&outcome);
            for outcome in [&mut outcome, &mut expected] {
                comparable(outcome, is_deleting(&event));
            }
            differences("outcome", &outcome, &expected, &mut found);
            if seed % 15 == 0 || step + 1 == self.seeds.len() {
                let ids = json!(after.session_ids);
                differences("sessionIds", &ids, &pair.model_session_ids(), &mut found);
                let (soon, wanted) = pair.releasable_soon();
                differences("isReleasable", &soon, &wanted, &mut found);
                for (id, answers) in SESSIONS.into_iter().zip(&after.sessions) {
                    let wanted = pair.model_answers_about(id);
                    differences(id, &ours(answers), &wanted, &mut found);
                }
            }
            if !found.is_empty() {
                return Err(Difference { step, found });
            }
            before = after;
        }
        Ok(())
    }

    /// Drops events, many at a time and then one by one, as long as the two still differ.
    fn shrunk(mut self) -> Self {
        let mut size = self.seeds.len();
        loop {
            let before = self.seeds.len();
            let mut at = 0;
            while at < self.seeds.len() {
                let end = self.seeds.len().min(at + size);
                let fewer = [&self.seeds[..at], &self.seeds[end..]].concat();
                let fewer = Self {
                    setup: self.setup,
                    swarm: self.swarm,
                    seeds: fewer,
                };
                match fewer.run() {
                    Err(_) => self = fewer,
                    Ok(()) => at = end,
                }
            }
            if size == 1 && self.seeds.len() == before {
                return self;
            }
            size = size.div_ceil(2);
        }
    }

    /// The events up to the difference, and what differs.
    fn report(&self, difference: &Difference) -> String {
        let events: Vec<String> = self.seeds[..=difference.step]
            .iter()
            .map(|seed| self.swarm.event(*seed).to_string())
            .collect();
        let found: Vec<&String> = difference.found.iter().take(12).collect();
        let (setup, events) = (Pair::setup(self.setup), events.join("\n"));
        format!("{setup}\n{events}\n{found:#?}")
    }
}

struct Difference {
    step: usize,
    found: Vec<String>,
}

/// Whether a session may be deleted by it: of a response nothing tells.
fn is_deleting(event: &Value) -> bool {
    event["type"] == "session_deleted" || event["message"].get("result").is_some()
}

/// The outcome without what is compared apart (`changed`) and what is worded freely (`problems`).
fn comparable(outcome: &mut Value, deleted: bool) {
    outcome["changed"] = Value::Null;
    for problem in outcome["problems"].as_array_mut().unwrap() {
        problem["message"] = Value::Null;
    }
    if deleted {
        // What a deleted child listed: nothing any more (X4), or what it did until then.
        for item in outcome["ended"].as_array_mut().unwrap() {
            item["background"] = Value::Null;
        }
    }
}

/// The first difference in that many sequences, after the events that were run; the cores share them.
fn search(seed: u64, cases: u64) -> (u64, Option<String>) {
    let (next, events) = (AtomicU64::new(0), AtomicU64::new(0));
    let found = Mutex::new(None);
    let work = || {
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= cases {
                return;
            }
            let sequence = Sequence::random(seed.wrapping_mul(1 << 32).wrapping_add(case));
            events.fetch_add(sequence.seeds.len() as u64, Ordering::Relaxed);
            if sequence.run().is_err() {
                next.store(cases, Ordering::Relaxed);
                let sequence = sequence.shrunk();
                let report = sequence
                    .run()
                    .map_err(|difference| sequence.report(&difference));
                *found.lock().unwrap() = report
                    .err()
                    .map(|report| format!("sequence {case}\n{report}"));
            }
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    (events.into_inner(), found.into_inner().unwrap())
}

#[test]
fn the_model_and_the_crate_agree() {
    let (seed, cases) = (
        variable_or("TEST_SEED", 1),
        variable_or("MODEL_CASES", 16_000),
    );
    let (events, found) = search(seed, cases);
    println!("{events} events");
    if let Some(found) = found {
        panic!("{found}");
    }
}
