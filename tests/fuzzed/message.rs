//! Lines of a connection: `<` and a message that is received, `>` and one that is sent. Text and parsed
//! value come to the same; afterwards the state answers, and can be saved.

use acp_client_state::ClientState;
use serde_json::Value;

use super::{ask, at, restored};

pub(crate) fn run(bytes: &[u8]) {
    let mut by_text = ClientState::default();
    let mut by_value = ClientState::default();
    for (step, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let (is_sent, line) = match line.split_first() {
            Some((b'>', line)) => (true, line),
            Some((b'<', line)) => (false, line),
            _ => (false, line),
        };
        let text = String::from_utf8_lossy(line);
        let text = &*text;
        let at = at(step);
        let outcome = if is_sent {
            by_text.sent(text, at)
        } else {
            by_text.received(text, at)
        };
        // Some texts are a message and no parsed value: lone halves of surrogates, deep nesting.
        let expected = match (serde_json::from_str::<Value>(text), is_sent) {
            (Ok(value), true) => by_value.sent(&value, at),
            (Ok(value), false) => by_value.received(&value, at),
            (Err(_), true) => by_value.sent(text, at),
            (Err(_), false) => by_value.received(text, at),
        };
        assert_eq!(outcome, expected, "{text}");
    }
    ask::assert_same(&by_text, &by_value);
    ask::assert_same(&by_text, &restored(&by_text));
}
