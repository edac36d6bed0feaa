//! The two forms of JSON that `received` and `sent` take, a text and a parsed value, come to the same
//! outcome and the same state, however the text is spelled.

#![cfg(all(not(target_arch = "wasm32"), feature = "json"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    dead_code,
    reason = "a test may fail where it stands, and the inputs are another test's"
)]

#[path = "official_schema/inputs.rs"]
mod inputs;

use std::fmt::Write;

use acp_client_state::{ClientState, Options, Outcome};
use inputs::{Damage, config, damaged, damaged_ones, places, updates};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Strings that stand for what a parsed value cannot hold: the text has it, and the value has one of
/// the wrong type in its place (rule E3).
const LONE_SURROGATE: &str = "<lone surrogate>";
const LONE_SURROGATE_INSIDE: &str = "<lone surrogate inside>";
const BEYOND_F64: &str = "<beyond f64>";
const DEEP: &str = "<deep>";

const ONLY_IN_TEXT: [&str; 4] = [LONE_SURROGATE, LONE_SURROGATE_INSIDE, BEYOND_F64, DEEP];

/// How a value is spelled: what comes next is taken from a list of choices, again and again.
struct Spelling<'a> {
    choices: &'a [u8],
    next: usize,
    out: String,
    /// Whether this text is for a parsed value, which has something else for [`ONLY_IN_TEXT`].
    to_parse: bool,
}

impl Spelling<'_> {
    fn choose(&mut self, below: u8) -> u8 {
        let choice = self.choices[self.next % self.choices.len()];
        self.next += 1;
        choice % below
    }

    fn space(&mut self) {
        let space = ["", "", "", " ", "\n\t", "\r "][usize::from(self.choose(6))];
        self.out.push_str(space);
    }

    fn value(&mut self, value: &Value) {
        self.space();
        match value {
            Value::Object(fields) => self.object(fields),
            Value::Array(items) => {
                self.out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    self.value(item);
                }
                self.out.push(']');
            }
            Value::String(text) => self.string(text),
            Value::Number(number) => self.number(number),
            Value::Null | Value::Bool(_) => self.out.push_str(&value.to_string()),
        }
        self.space();
    }

    /// The last of two fields of the same name counts, as in JavaScript.
    fn object(&mut self, fields: &serde_json::Map<String, Value>) {
        let earlier = ["null", "3", "\"x\"", "{}", "[[1]]", "{\"state\":\"idle\"}"];
        self.out.push('{');
        for (index, (name, field)) in fields.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            if self.choose(8) == 0 {
                self.name(name);
                let earlier = earlier[usize::from(self.choose(6))];
                let _ = write!(self.out, ":{earlier},");
            }
            self.space();
            self.name(name);
            self.space();
            self.out.push(':');
            self.value(field);
        }
        self.out.push('}');
    }

    /// A name that nothing reads stands for one that only the text can hold.
    fn name(&mut self, name: &str) {
        if self.to_parse && ONLY_IN_TEXT.contains(&name) {
            let _ = self.choose(3);
            self.out.push_str("\"?\"");
        } else {
            self.string(name);
        }
    }

    fn string(&mut self, text: &str) {
        if !ONLY_IN_TEXT.contains(&text) {
            self.plain_string(text);
            return;
        }
        let deep = ["[".repeat(400), "]".repeat(400)].concat();
        let spellings = match text {
            LONE_SURROGATE => [r#""\ud800""#, r#""\udC00""#, r#""\udc00\ud800""#],
            LONE_SURROGATE_INSIDE => [
                r#""a\\\ud800b""#,
                r#""é\ud800\n""#,
                r#""\ud83d\ud83d\ude00""#,
            ],
            BEYOND_F64 => ["1e400", "-1E+999", "123456789e999999999999"],
            _ => [&*deep, &*deep, &*deep],
        };
        let spelling = spellings[usize::from(self.choose(3))];
        let instead = if text == DEEP { "[[]]" } else { "0.5" };
        self.out
            .push_str(if self.to_parse { instead } else { spelling });
    }

    fn plain_string(&mut self, text: &str) {
        self.out.push('"');
        for letter in text.chars() {
            let escape = self.choose(5) == 0;
            match letter {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '/' if escape => self.out.push_str("\\/"),
                _ if escape || letter < ' ' => {
                    for unit in letter.encode_utf16(&mut [0; 2]) {
                        let _ = if self.choose(2) == 0 {
                            write!(self.out, "\\u{unit:04x}")
                        } else {
                            write!(self.out, "\\u{unit:04X}")
                        };
                    }
                }
                _ => self.out.push(letter),
            }
        }
        self.out.push('"');
    }

    fn number(&mut self, number: &serde_json::Number) {
        let plain = number.to_string();
        let is_plain = plain.bytes().all(|byte| byte.is_ascii_digit());
        let spelled = match self.choose(6) {
            0 if is_plain => format!("{plain}.0"),
            1 if is_plain => format!("{plain}e0"),
            2 if is_plain && plain != "0" => format!("{plain}0E-1"),
            3 if is_plain => format!("-{plain}"),
            4 if is_plain => format!("{plain}E+00"),
            _ => plain,
        };
        self.out.push_str(&spelled);
    }
}

fn spelled(value: &Value, choices: &[u8], to_parse: bool) -> String {
    let mut spelling = Spelling {
        choices,
        next: 0,
        out: String::new(),
        to_parse,
    };
    spelling.value(value);
    spelling.out
}

/// Messages of the agent, each kind that is read, and some that answer what [`prepared`] asked.
fn from_agent() -> Vec<Value> {
    let call = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "method": method, "params": params });
    let ask = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    let answer = |id: Value, result: Value| json!({ "jsonrpc": "2.0", "id": id, "result": result });
    let ids = json!({ "sessionId": "S1", "terminalId": "t1" });
    let mut messages: Vec<Value> = updates()
        .into_iter()
        .map(|update| {
            call(
                "session/update",
                json!({ "sessionId": "S1", "update": update }),
            )
        })
        .collect();
    for _ in 0..3 {
        messages.extend([
            call("$/cancel_request", json!({ "requestId": "ask" })),
            call("_qwencode/end_turn", json!({ "sessionId": "S1" })),
            ask("_qwencode/start_turn", json!({ "sessionId": "S1" })),
            ask(
                "elicitation/create",
                json!({ "sessionId": "S1", "mode": "form" }),
            ),
            ask(
                "session/request_permission",
                json!({
                    "sessionId": "S1", "title": "Go?", "options": [],
                    "subject": { "type": "command", "toolCallId": "c1", "terminalId": "t1" },
                }),
            ),
            ask(
                "session/request_permission",
                json!({ "sessionId": "S1", "toolCall": { "toolCallId": "c1", "title": "Go" } }),
            ),
            ask(
                "terminal/create",
                json!({ "sessionId": "S1", "command": "ls", "args": ["-l", "é"], "cwd": "/w" }),
            ),
            ask("terminal/output", ids.clone()),
            ask("terminal/wait_for_exit", ids.clone()),
            ask("terminal/release", ids.clone()),
            answer(
                json!(0),
                json!({
                    "protocolVersion": 1,
                    "_meta": { "jetbrains": { "air": { "capabilities": ["asyncTasks"] } } },
                }),
            ),
            answer(json!("new"), json!({ "sessionId": "S2" })),
            answer(json!(2), json!({ "stopReason": "end_turn" })),
            answer(json!(3), json!({ "stopped": true })),
            json!({ "jsonrpc": "2.0", "id": 2, "error": { "code": -32002, "message": "gone" } }),
            json!({ "jsonrpc": "2.0", "id": 4, "error": { "code": 1, "message": "no" } }),
        ]);
    }
    messages
}

/// Messages of the client, each kind that is read, and some that answer what [`prepared`] was asked.
fn from_client() -> Vec<Value> {
    let ask = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 9, "method": method, "params": params });
    let session = json!({ "sessionId": "S1" });
    let mut messages: Vec<Value> = [
        "session/resume",
        "session/load",
        "session/close",
        "session/delete",
        "session/prompt",
        "session/new",
        "initialize",
    ]
    .map(|method| ask(method, session.clone()))
    .into();
    messages.extend([
        json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": session }),
        ask("tool_call/cancel", json!({ "sessionId": "S1", "toolCallId": "c1" })),
        ask("terminal/cancel", json!({ "sessionId": "S1", "terminalId": "t1" })),
        ask("_session/async_task/stop", json!({ "sessionId": "S1", "asyncTaskId": "a" })),
        json!({ "jsonrpc": "2.0", "id": "ask", "result": { "outcome": { "outcome": "cancelled" } } }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": { "terminalId": "t9" } }),
        json!({ "jsonrpc": "2.0", "id": 5, "result": { "exitCode": 1, "signal": null } }),
        json!({ "jsonrpc": "2.0", "id": 6, "result": { "exitStatus": { "exitCode": 1 } } }),
    ]);
    messages
}

/// A state in which something of every kind is in flight, both ways.
fn prepared() -> ClientState {
    let mut state = ClientState::new(Options::default());
    let ask = |id: Value, method: &str, params: Value| json!({ "id": id, "method": method, "params": params });
    let session = json!({ "sessionId": "S1" });
    let ids = json!({ "sessionId": "S1", "terminalId": "t1" });
    for sent in [
        ask(json!(0), "initialize", json!({})),
        ask(json!("new"), "session/new", json!({})),
        ask(json!(2), "session/prompt", session.clone()),
        ask(
            json!(3),
            "_session/async_task/stop",
            json!({ "sessionId": "S1", "asyncTaskId": "a" }),
        ),
        ask(json!(4), "session/close", json!({ "sessionId": "S3" })),
    ] {
        let _ = state.sent(&sent, 1.0);
    }
    for received in [
        json!({ "method": "session/update", "params": { "sessionId": "S1", "update": {
            "sessionUpdate": "tool_call", "toolCallId": "c1", "title": "Make",
            "content": [{ "type": "terminal", "terminalId": "t1" }],
        } } }),
        ask(json!("ask"), "session/request_permission", session),
        ask(
            json!(1),
            "terminal/create",
            json!({ "sessionId": "S1", "command": "ls" }),
        ),
        ask(json!(5), "terminal/wait_for_exit", ids.clone()),
        ask(json!(6), "terminal/output", ids),
    ] {
        let _ = state.received(&received, 1.0);
    }
    state
}

fn saved(state: &ClientState) -> Value {
    serde_json::to_value(state).unwrap()
}

fn check(message: &Value, choices: &[u8], is_sent: bool) -> Result<(), TestCaseError> {
    let text = spelled(message, choices, false);
    let value: Value = serde_json::from_str(&spelled(message, choices, true)).unwrap();
    let mut by_text = prepared();
    let mut by_value = prepared();
    let outcomes: [Outcome; 2] = if is_sent {
        [by_text.sent(&text, 9.0), by_value.sent(&value, 9.0)]
    } else {
        [by_text.received(&text, 9.0), by_value.received(&value, 9.0)]
    };
    prop_assert_eq!(&outcomes[0], &outcomes[1], "{}", text);
    prop_assert_eq!(saved(&by_text), saved(&by_value), "{}", text);
    Ok(())
}

/// Puts what only a text can hold into a message, as values and as names.
fn with_stand_ins(messages: Vec<Value>) -> impl Strategy<Value = Value> {
    let stand_in = (
        any::<prop::sample::Index>(),
        prop::sample::select(&ONLY_IN_TEXT[..]),
        0..4_u8,
    );
    let stand_ins = prop::collection::vec(stand_in, 0..4);
    (damaged_ones(messages), stand_ins).prop_map(|(mut message, stand_ins)| {
        for (index, stand_in, how) in stand_ins {
            let places = places(&message);
            let damage = if how == 0 {
                Damage::Add(LONE_SURROGATE, json!("x"))
            } else {
                Damage::Set(json!(stand_in))
            };
            message = damaged(message, index.get(&places[..]).as_str(), &damage);
        }
        message
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn e3_received_reads_a_text_as_the_value_that_it_spells(
        message in with_stand_ins(from_agent()),
        choices in prop::collection::vec(any::<u8>(), 1..60),
    ) {
        check(&message, &choices, false)?;
    }

    #[test]
    fn e3_sent_reads_a_text_as_the_value_that_it_spells(
        message in with_stand_ins(from_client()),
        choices in prop::collection::vec(any::<u8>(), 1..60),
    ) {
        check(&message, &choices, true)?;
    }
}

/// No depth overflows the stack or hides what stands beside it.
#[test]
fn e1_deep_nesting_in_a_text_is_as_in_a_value() {
    let deep = |depth: usize| {
        let objects = (0..depth).fold(json!(1), |inner, _| json!({ "content": inner }));
        let arrays = (0..depth).fold(json!(1), |inner, _| json!([inner]));
        [objects, arrays]
    };
    for depth in [1, 5, 10, 11, 12, 13, 14, 100, 126, 127, 128, 129, 3000] {
        for deep in deep(depth) {
            for field in ["rawInput", "content", "title", "capabilities", "_meta"] {
                let mut message = json!({
                    "jsonrpc": "2.0", "method": "session/update",
                    "params": { "sessionId": "S1", "update": {
                        "sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "failed",
                    } },
                });
                message["params"]["update"][field] = deep.clone();
                let mut by_text = prepared();
                let mut by_value = prepared();
                let outcome = by_text.received(&message.to_string(), 9.0);
                assert_eq!(outcome, by_value.received(&message, 9.0), "{depth} {field}");
                assert!(outcome.problems.is_empty(), "{depth} {field}");
                assert_eq!(saved(&by_text), saved(&by_value), "{depth} {field}");
                let call = by_text.session("S1").tool_call("c1").unwrap();
                assert_eq!(call.status, "failed", "{depth} {field}");
            }
        }
    }
}

/// What `JSON.parse` refuses is no message, in whatever field it stands.
fn is_no_message(broken: &[&str]) {
    let mut mended = Vec::new();
    for broken in broken {
        for text in [
            (*broken).to_owned(),
            format!(
                r#"{{"method":"session/update","params":{{"sessionId":"S1","update":{{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"failed","rawInput":{broken}}}}}}}"#
            ),
            format!(
                r#"{{"method":"session/update","params":{{"sessionId":"S1","update":{{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"failed","title":{broken}}}}}}}"#
            ),
        ] {
            let mut state = prepared();
            let outcome = state.received(&text, 9.0);
            let codes: Vec<&str> = outcome.problems.iter().map(|it| &*it.code).collect();
            if codes != ["malformed_message"] || saved(&state) != saved(&prepared()) {
                mended.push(text);
            }
        }
    }
    assert!(mended.is_empty(), "{mended:#?}");
}

#[test]
fn e1_what_is_no_json_is_no_message() {
    is_no_message(&[
        "",
        "nul",
        "NaN",
        "Infinity",
        "undefined",
        "'x'",
        "01",
        "1.",
        ".5",
        "+1",
        "0x10",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "\"a\nb\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"open",
        "1 2",
        "/* c */ 1",
        "\u{feff}1",
        "[\"\\ud800\",]",
        "[1e400,]",
    ]);
}

/// The second reading of a text that holds a lone surrogate or a number beyond f64 must not mend what
/// no JavaScript reads either.
#[test]
fn e1_the_second_reading_mends_nothing_else() {
    is_no_message(&[
        "1-2",
        "-",
        "1e",
        "1e5e5",
        "1.2.3",
        "01e400",
        "1.e400",
        "\"\\ud800\\x\"",
        "\"\\ud800\n\"",
        "\"\\ud800\\u12\"",
    ]);
}
