//! Typed events as the messages that mean the same, and messages damaged.

use std::collections::BTreeMap;

use acp_client_state::{ClientState, Outcome};
use serde_json::{Map, Value, json};

use crate::support::random::Random;

/// Whether the client sends a message or receives it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way {
    Sent,
    Received,
}

/// Turns typed events into messages: ids of the client's requests are its own affair.
pub(crate) struct Wire {
    as_text: bool,
    next: u32,
    /// The unanswered closes and resumes, by type and session, the oldest first.
    unanswered: BTreeMap<(String, String), Vec<Value>>,
}

impl Wire {
    pub(crate) fn new(as_text: bool) -> Self {
        Self {
            as_text,
            next: 0,
            unanswered: BTreeMap::new(),
        }
    }

    /// The event, so changed that a message can say it, and its messages; nothing for an answer to a
    /// request that is not unanswered.
    pub(crate) fn messages(&mut self, event: &Value) -> Option<(Value, Vec<(Way, Value)>)> {
        use Way::{Received, Sent};
        let mut event = event.clone();
        let kind = event["type"].as_str()?.to_owned();
        let session = json!({ "sessionId": event["sessionId"] });
        let own = |name: &str, id: &Value| json!(format!("{name} {id}"));
        let messages = match kind.as_str() {
            // Only a typed event has v1's tool call in the place of a subject.
            "permission_requested"
                if event["subject"].is_object() && event["subject"].get("type").is_none() =>
            {
                return None;
            }
            "update" | "permission_requested" | "elicitation_requested" | "request_cancelled" => {
                vec![(Received, of_the_agent(&event))]
            }
            "request_answered" => vec![(Sent, json!({ "id": event["requestId"], "result": {} }))],
            "session_opened" => self.round("session/new", json!({}), session),
            "session_deleted" => self.round("session/delete", session, json!(null)),
            "initialized" => {
                let capabilities = if event["asyncTasks"] == true {
                    json!(["asyncTasks"])
                } else {
                    json!([])
                };
                let meta = json!({ "jetbrains": { "air": { "capabilities": capabilities } } });
                let result = json!({ "protocolVersion": event["protocolVersion"], "_meta": meta });
                self.round("initialize", json!({}), result)
            }
            "cancel_sent" => vec![(Sent, call(None, "session/cancel", session))],
            "prompt_sent" => {
                event["requestId"] = own("prompt", &event["requestId"]);
                vec![(
                    Sent,
                    call(Some(&event["requestId"]), "session/prompt", session),
                )]
            }
            "prompt_answered" => {
                event["requestId"] = own("prompt", &event["requestId"]);
                vec![(Received, answer(&event["requestId"], &event, "stopReason"))]
            }
            "stop_sent" => {
                event["requestId"] = own("stop", &event["requestId"]);
                let mut params = session;
                let mut method = "";
                for (name, its) in [
                    ("toolCallId", "tool_call/cancel"),
                    ("terminalId", "terminal/cancel"),
                    ("asyncTaskId", "_session/async_task/stop"),
                ] {
                    if let Some(id) = event.get(name) {
                        params[name] = id.clone();
                        method = its;
                    }
                }
                vec![(Sent, call(Some(&event["requestId"]), method, params))]
            }
            "stop_answered" => {
                event["requestId"] = own("stop", &event["requestId"]);
                vec![(Received, answer(&event["requestId"], &event, "stopped"))]
            }
            "close_sent" => vec![(Sent, self.ask("close", "session/close", session))],
            "resume_sent" => vec![(Sent, self.ask("resume", "session/resume", session))],
            "close_answered" => vec![(Received, self.answered("close", &event)?)],
            "resume_answered" => vec![(Received, self.answered("resume", &event)?)],
            "agent_turn_started" => {
                let id = json!("turn");
                vec![(Received, call(Some(&id), "_qwencode/start_turn", session))]
            }
            "agent_turn_ended" => {
                event.as_object_mut()?.remove("stopReason");
                vec![(Received, call(None, "_qwencode/end_turn", session))]
            }
            "disconnected" => {
                self.unanswered.clear();
                Vec::new()
            }
            _ => return None,
        };
        Some((event, messages))
    }

    /// Sends and receives the messages; the outcome of the last.
    pub(crate) fn send(
        &self,
        state: &mut ClientState,
        messages: &[(Way, Value)],
        at: f64,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        for (way, message) in messages {
            assert!(outcome.is_empty(), "only the last message says something");
            outcome = match (way, self.as_text) {
                (Way::Sent, true) => state.sent(&message.to_string(), at),
                (Way::Sent, false) => state.sent(message, at),
                (Way::Received, true) => state.received(&message.to_string(), at),
                (Way::Received, false) => state.received(message, at),
            };
        }
        outcome
    }

    fn id(&mut self) -> Value {
        self.next += 1;
        json!(self.next)
    }

    /// A request of the client and its answer.
    fn round(&mut self, method: &str, params: Value, result: Value) -> Vec<(Way, Value)> {
        let id = self.id();
        vec![
            (Way::Sent, call(Some(&id), method, params)),
            (
                Way::Received,
                json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            ),
        ]
    }

    fn ask(&mut self, kind: &str, method: &str, params: Value) -> Value {
        let id = self.id();
        let key = (kind.to_owned(), params["sessionId"].to_string());
        self.unanswered.entry(key).or_default().push(id.clone());
        call(Some(&id), method, params)
    }

    fn answered(&mut self, kind: &str, event: &Value) -> Option<Value> {
        let key = (kind.to_owned(), event["sessionId"].to_string());
        let ids = self
            .unanswered
            .get_mut(&key)
            .filter(|ids| !ids.is_empty())?;
        Some(answer(&ids.remove(0), event, ""))
    }
}

fn call(id: Option<&Value>, method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    if let Some(id) = id {
        message["id"] = id.clone();
    }
    message
}

/// The response that says what an event says: its error, or a result with that field.
fn answer(id: &Value, event: &Value, field: &str) -> Value {
    if let Some(error) = event.get("error") {
        return json!({ "jsonrpc": "2.0", "id": id, "error": error });
    }
    let mut result = json!({});
    if let Some(value) = event.get(field) {
        result[field] = value.clone();
    }
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// The message of the agent that a typed event stands for.
pub(crate) fn of_the_agent(event: &Value) -> Value {
    let mut params = Map::new();
    for name in ["sessionId", "update", "subject"] {
        if let Some(value) = event.get(name) {
            params.insert(name.to_owned(), value.clone());
        }
    }
    let id = Some(&event["requestId"]);
    match event["type"].as_str() {
        Some("update") => call(None, "session/update", Value::Object(params)),
        Some("permission_requested") => {
            call(id, "session/request_permission", Value::Object(params))
        }
        Some("elicitation_requested") => call(id, "elicitation/create", Value::Object(params)),
        _ => call(
            None,
            "$/cancel_request",
            json!({ "requestId": event["requestId"] }),
        ),
    }
}

/// What stands in a message for what `serde_json` cannot hold, until it is text.
const LONE: &str = "@lone";
const HUGE: &str = "@huge";
const TWICE: &str = "@twice";

/// A message as text and as the value that the text must read as: a field twice in one object, of
/// which the last counts, a string with a lone surrogate half or a number that no f64 holds, which
/// count as values of the wrong type, and a key with a lone surrogate half, which nothing reads.
pub(crate) fn damage(mut message: Value, seed: u64) -> (String, Value) {
    let random = &mut Random::new(seed);
    let mut value = message.clone();
    let mut twice = String::new();
    let place = place(&message, random);
    let wrong = [
        json!(0.5),
        json!(null),
        json!([]),
        json!({ "type": "terminal" }),
        json!("x"),
    ];
    match random.next(5) {
        0 => {
            set(&mut message, &place, json!(LONE));
            set(&mut value, &place, json!(0.5));
        }
        1 => {
            set(&mut message, &place, json!(HUGE));
            set(&mut value, &place, json!(0.5));
        }
        2 => {
            let other = wrong[random.next(wrong.len())].clone();
            if let Some((name, parent)) = place.split_last()
                && let Some(first) = at(&mut message, parent)
                    .and_then(|it| it.get(name))
                    .cloned()
            {
                set(&mut message, &place, json!(TWICE));
                set(&mut value, &place, other.clone());
                twice = format!("\"{name}\":{first},\"{name}\":{other}");
            }
        }
        3 => {
            if let Some(object) = at(&mut message, &place[..1]).and_then(Value::as_object_mut) {
                object.insert(LONE.to_owned(), json!(1));
            }
        }
        _ => {
            let other = wrong[random.next(wrong.len())].clone();
            set(&mut message, &place, other.clone());
            set(&mut value, &place, other);
        }
    }
    let text = message.to_string();
    let text = text.replace(&format!("\"{LONE}\""), r#""a\ud83d\u0041""#);
    let text = text.replace(&format!("\"{HUGE}\""), "-1e999");
    let name = place.last().map_or("", String::as_str);
    let text = text.replace(&format!("\"{name}\":\"{TWICE}\""), &twice);
    (text, value)
}

/// A random place in the message, as the keys that lead there; at least `params`.
fn place(message: &Value, random: &mut Random) -> Vec<String> {
    let mut place = vec!["params".to_owned()];
    let mut here = &message["params"];
    loop {
        let keys: Vec<String> = match here {
            Value::Object(fields) => fields.keys().cloned().collect(),
            Value::Array(items) => (0..items.len()).map(|index| index.to_string()).collect(),
            _ => return place,
        };
        if keys.is_empty() || (place.len() > 1 && random.next(3) == 0) {
            return place;
        }
        let key = keys[random.next(keys.len())].clone();
        here = match here {
            Value::Array(items) => &items[key.parse::<usize>().unwrap()],
            object => &object[&key],
        };
        place.push(key);
    }
}

fn at<'a>(mut message: &'a mut Value, place: &[String]) -> Option<&'a mut Value> {
    for key in place {
        message = match message {
            Value::Object(fields) => fields.get_mut(key)?,
            Value::Array(items) => items.get_mut(key.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(message)
}

fn set(message: &mut Value, place: &[String], value: Value) {
    if let Some(there) = at(message, place) {
        *there = value;
    }
}
