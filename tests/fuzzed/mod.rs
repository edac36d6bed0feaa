//! What the fuzz targets of `fuzz/` do with a fuzzer's bytes; `tests/fuzz.rs` runs the same on their
//! seeds. A law that does not hold is a panic.
#![allow(dead_code, reason = "each fuzz target uses its part")]

pub(crate) mod ask;
pub(crate) mod events;
#[path = "../laws/live.rs"]
pub(crate) mod live;
pub(crate) mod message;
#[path = "../support/random.rs"]
pub(crate) mod random;
pub(crate) mod saved;

use acp_client_state::{ClientState, Event};
use random::Random;
use serde_json::Value;

/// Restores what `Serialize` wrote.
fn restored(state: &ClientState) -> ClientState {
    let saved = serde_json::to_value(state).unwrap();
    match serde_json::from_value(saved.clone()) {
        Ok(state) => state,
        Err(error) => panic!("{error}: {saved}"),
    }
}

/// The event in a line: a JSON one as it stands, else one that is drawn from the bytes; `None` for
/// JSON that is no event.
fn event(line: &[u8]) -> Option<Event> {
    let value: Value = if line.starts_with(b"{") {
        serde_json::from_slice(line).ok()?
    } else {
        random::drawn_event(&mut Random::of_bytes(line))
    };
    serde_json::from_value(value).ok()
}

/// The time of a step, in ms.
fn at(step: usize) -> f64 {
    100.0 * f64::from(u32::try_from(step).unwrap() + 1)
}
