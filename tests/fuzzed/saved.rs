//! A saved state, one value a line, then an empty line and the events that follow, one a line. Nothing
//! that calls itself a saved state panics; what restores can be used, and saved again.

use acp_client_state::ClientState;
use serde_json::{Value, json};

use super::{ask, at, event, restored};

pub(crate) fn run(bytes: &[u8]) {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    // What is no JSON is a text: a fuzzer seldom closes what it opens.
    let values: Vec<Value> = lines
        .by_ref()
        .take_while(|line| !line.is_empty())
        .map(|line| {
            serde_json::from_slice(line)
                .unwrap_or_else(|_| String::from_utf8_lossy(line).into_owned().into())
        })
        .collect();
    let saved = json!({ "format": 1, "state": values });
    let Ok(mut state) = serde_json::from_value::<ClientState>(saved) else {
        return;
    };
    let mut again = restored(&state);
    ask::assert_same(&state, &again);
    for (step, event) in lines.filter_map(event).enumerate() {
        let outcome = again.apply(event.clone(), at(step));
        assert_eq!(state.apply(event, at(step)), outcome);
    }
    ask::assert_same(&state, &again);
    ask::assert_same(&state, &restored(&state));
}
