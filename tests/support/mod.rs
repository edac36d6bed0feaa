//! What several test files need: answers as JSON, and JSON taken apart.
#![allow(dead_code, reason = "each test file uses its part")]

mod messages;
pub(crate) mod random;
pub(crate) mod swarm;

use acp_client_state::ClientState;
use serde::Serialize;
use serde_json::{Value, json};

/// An answer as the JSON of API.md.
pub(crate) fn ours<T: Serialize>(answer: &T) -> Value {
    serde_json::to_value(answer).unwrap()
}

/// The answers to all questions about a session that take no other argument.
pub(crate) fn answers(state: &ClientState, id: &str) -> Value {
    let session = state.session(id);
    json!({
        "activity": ours(&session.activity()),
        "isQuiet": session.is_quiet(),
        "quietSince": ours(&session.snapshot())["quietSince"],
        "abandoned": ours(&session.abandoned()),
        "cancelPlan": ours(&session.cancel_plan()),
        "closePlan": ours(&session.close_plan()),
        "requests": ours(&session.requests(false)),
        "deepRequests": ours(&session.requests(true)),
        "snapshot": ours(&session.snapshot()),
    })
}

pub(crate) fn array(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

pub(crate) fn object(value: &Value) -> &serde_json::Map<String, Value> {
    value.as_object().unwrap()
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// A number from the environment.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn variable_or<T: std::str::FromStr>(variable: &str, default: T) -> T {
    let value = std::env::var(variable).ok();
    value
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// How a property is tried: as often as the environment variable says, from the seed in `TEST_SEED`.
/// The ordinary run is the same everywhere; another seed looks elsewhere.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn tries(variable: &str, cases: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config {
        cases: variable_or(variable, cases),
        rng_seed: proptest::test_runner::RngSeed::Fixed(variable_or("TEST_SEED", 1)),
        failure_persistence: None,
        max_shrink_iters: 3000,
        ..Default::default()
    }
}
