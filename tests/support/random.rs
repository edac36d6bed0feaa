//! Random events over few ids, malformed values among them.

use serde_json::{Value, json};

/// A small generator of its own: a sequence must be the same on every machine.
pub(crate) struct Random<'a> {
    source: Source<'a>,
    /// How many ids of each kind it draws from.
    pub(super) ids: usize,
}

enum Source<'a> {
    Seed(u64),
    /// Each choice takes the next bytes, so that a changed byte changes one choice; 0 after the last.
    Bytes(std::slice::Iter<'a, u8>),
}

impl<'a> Random<'a> {
    pub(crate) fn new(seed: u64) -> Self {
        let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut random = Self {
            source: Source::Seed(seed),
            ids: usize::MAX,
        };
        random.next(2);
        random
    }

    /// A generator that draws from what a fuzzer made.
    pub(crate) fn of_bytes(bytes: &'a [u8]) -> Self {
        Self {
            source: Source::Bytes(bytes.iter()),
            ids: usize::MAX,
        }
    }

    /// A seed for another one.
    pub(crate) fn seed(&mut self) -> u64 {
        match &mut self.source {
            Source::Seed(seed) => {
                *seed ^= *seed << 13;
                *seed ^= *seed >> 7;
                *seed ^= *seed << 17;
                *seed
            }
            Source::Bytes(bytes) => {
                let mut byte = || bytes.next().copied().unwrap_or_default();
                u64::from_be_bytes([(); 8].map(|()| byte()))
            }
        }
    }

    pub(crate) fn next(&mut self, below: usize) -> usize {
        let drawn = match &mut self.source {
            Source::Seed(_) => (self.seed() >> 11) as usize,
            Source::Bytes(bytes) => {
                let mut byte = || usize::from(bytes.next().copied().unwrap_or_default());
                if below > 256 {
                    byte() << 8 | byte()
                } else {
                    byte()
                }
            }
        };
        drawn % below
    }

    fn of<'v, T: ?Sized>(&mut self, values: &[&'v T]) -> &'v T {
        values[self.next(values.len())]
    }

    pub(super) fn id<'v>(&mut self, ids: &[&'v str]) -> &'v str {
        ids[self.next(ids.len().min(self.ids))]
    }

    /// One of the names, each as often as it weighs among `all`; nothing for the rest.
    pub(super) fn weighted<'v>(
        &mut self,
        names: &[(&'v str, usize)],
        all: usize,
    ) -> Option<&'v str> {
        let mut pick = self.next(all);
        let found = names.iter().find(|(_, weight)| {
            let is_it = pick < *weight;
            pick = pick.saturating_sub(*weight);
            is_it
        });
        found.map(|(name, _)| *name)
    }

    pub(super) fn value(&mut self, values: &[Value]) -> Value {
        values[self.next(values.len())].clone()
    }
}

pub(crate) const SESSIONS: [&str; 6] = ["S1", "S2", "S3", "K1", "K2", ""];
pub(crate) const CALLS: [&str; 5] = ["c1", "c2", "c3", "c4", ""];
pub(crate) const TERMINALS: [&str; 4] = ["t1", "t2", "t3", ""];
pub(crate) const TASKS: [&str; 4] = ["a1", "a2", "a3", ""];

pub(super) fn wild(random: &mut Random<'_>) -> Value {
    random.value(&[
        json!(null),
        json!(0),
        json!(1.5),
        json!(""),
        json!("running"),
        json!([]),
        json!([{ "type": "terminal" }]),
        json!({}),
        json!({ "state": 3 }),
        json!(true),
    ])
}

fn items(random: &mut Random<'_>) -> Value {
    (0..random.next(4)).map(|_| item(random)).collect()
}

pub(super) fn item(random: &mut Random<'_>) -> Value {
    let all = [
        json!({ "type": "terminal", "terminalId": random.id(&TERMINALS) }),
        json!({ "type": "tool_call", "toolCallId": random.id(&CALLS) }),
        json!({ "type": "subagent", "sessionId": random.id(&SESSIONS) }),
        json!({ "type": "session", "sessionId": random.id(&SESSIONS) }),
        json!({ "type": "_remote" }),
        if random.next(20) == 0 {
            wild(random)
        } else {
            json!({ "type": "content" })
        },
    ];
    random.value(&all)
}

fn state(random: &mut Random<'_>) -> Value {
    let names = [
        "running",
        "idle",
        "idle",
        "requires_action",
        "unknown",
        "_dreaming",
    ];
    let mut state = json!({ "state": random.of(&names) });
    if random.next(4) > 0 {
        state["background"] = items(random);
    }
    if random.next(3) == 0 {
        state["stopReason"] = json!("end_turn");
    }
    if random.next(12) == 0 {
        state["error"] = random.value(&[json!({ "code": 2, "message": "y" }), json!({}), json!(2)]);
    }
    state
}

pub(super) fn update(random: &mut Random<'_>) -> Value {
    let status = [
        "pending",
        "in_progress",
        "paused",
        "completed",
        "failed",
        "cancelled",
        "_odd",
    ];
    let mut update = match random.next(15) {
        0..=2 => {
            let mut update = state(random);
            update["sessionUpdate"] = json!("state_update");
            update
        }
        3..=5 => json!({
            "sessionUpdate": random.of(&["tool_call", "tool_call_update"]),
            "toolCallId": random.id(&CALLS),
            "status": random.of(&status),
            "title": random.of(&["A", "B"]),
            "kind": random.of(&["execute", "other"]),
            "content": items(random),
            "capabilities": { "cancel": {} },
            "_meta": meta(random),
        }),
        6 => json!({
            "sessionUpdate": "tool_call_content_chunk",
            "toolCallId": random.id(&CALLS),
            "content": item(random),
        }),
        7 | 8 => json!({
            "sessionUpdate": "terminal_update",
            "terminalId": random.id(&TERMINALS),
            "command": "sleep 1",
            "cwd": random.of(&["/a", "/b"]),
            "output": { "data": random.of(&["YQo=", "4oI=", "!"]) },
            "capabilities": { "cancel": {} },
        }),
        9 => json!({
            "sessionUpdate": random.of(&["terminal_update", "terminal_output_chunk"]),
            "terminalId": random.id(&TERMINALS),
            "exitStatus": if random.next(4) == 0 { json!(null) } else { json!({ "exitCode": 0 }) },
            "data": random.of(&["4oKs", "G1szMW0=", "YQ0KYg==", "4oI=", "!"]),
        }),
        10 | 11 => json!({
            "sessionUpdate": "subagent_update",
            "sessionId": random.id(&SESSIONS),
            "title": random.of(&["A", "B"]),
            "capabilities": { "cancel": {} },
            "state": state(random),
        }),
        12 => json!({
            "sessionUpdate": random.of(&["async_task_spawned", "_async_task_spawned"]),
            "asyncTaskId": random.id(&TASKS),
            "name": random.of(&["A", "B"]),
            "taskType": random.of(&["shell", "shell", "turn"]),
            "canStop": true,
            "toolCallId": random.id(&CALLS),
        }),
        13 => json!({
            "sessionUpdate": random.of(&["subagent_spawned", "async_task_progress"]),
            "asyncTaskId": random.id(&TASKS),
            "subagentSessionId": random.id(&SESSIONS),
            "name": random.of(&["A", "B"]),
        }),
        _ => json!({
            "sessionUpdate": random.of(&["async_task_state_update", "subagent_state_update"]),
            "asyncTaskId": random.id(&TASKS),
            "subagentSessionId": random.id(&SESSIONS),
            "state": random.of(&["running", "paused", "completed", "stopped", "idle"]),
        }),
    };
    let fields: Vec<String> = update
        .as_object()
        .map(|fields| fields.keys().cloned().collect())
        .unwrap_or_default();
    for field in &fields {
        let is_rare = field == "sessionUpdate" || field.ends_with("Id");
        match random.next(if is_rare { 120 } else { 12 }) {
            // Ids stay among those that the tests ask for.
            0 if is_rare => {
                update[field] = random.value(&[json!(null), json!(1.5), json!(""), json!([])])
            }
            0 => update[field] = wild(random),
            1..=3 if !is_rare => {
                update.as_object_mut().unwrap().remove(field);
            }
            _ => {}
        }
    }
    update
}

pub(super) fn meta(random: &mut Random<'_>) -> Value {
    if random.next(4) > 0 {
        return json!({});
    }
    let terminal = random.id(&TERMINALS);
    let all = [
        json!({ "terminal_info": { "terminal_id": terminal, "cwd": "/a" } }),
        json!({ "terminal_exit": { "terminal_id": terminal, "exit_code": 1, "signal": null } }),
        json!({ "terminal_output": { "terminal_id": terminal, "data": "whole" } }),
        json!({ "terminal_output_delta": { "terminal_id": terminal, "data": "more\n" } }),
    ];
    random.value(&all)
}

/// How often each type of event comes, in parts of a thousand; updates are the rest.
const WEIGHTS: [(&str, usize); 21] = [
    ("session_opened", 10),
    ("permission_requested", 45),
    ("elicitation_requested", 15),
    ("request_answered", 20),
    ("request_cancelled", 15),
    ("prompt_sent", 45),
    ("prompt_answered", 35),
    ("cancel_sent", 35),
    ("stop_sent", 35),
    ("stop_answered", 30),
    ("close_sent", 20),
    ("close_answered", 20),
    ("resume_sent", 20),
    ("resume_answered", 20),
    ("session_deleted", 5),
    ("initialized", 2),
    ("agent_turn_started", 10),
    ("agent_turn_ended", 10),
    ("disconnected", 3),
    ("update", 0),
    ("update", 0),
];

/// A typed event of API.md: right as far as the host is concerned, anything inside `update` and
/// `subject`.
pub(crate) fn event(seed: u64) -> Value {
    drawn_event(&mut Random::new(seed))
}

/// The same, drawn from any generator.
pub(crate) fn drawn_event(random: &mut Random<'_>) -> Value {
    let kind = random.weighted(&WEIGHTS, 1000).unwrap_or("update");
    let session = random.id(&SESSIONS);
    let id = random.value(&[json!(0), json!(1), json!("1"), json!(null)]);
    let mut event = match kind {
        "disconnected" => json!({}),
        "request_answered" | "request_cancelled" | "prompt_answered" | "stop_answered" => {
            json!({ "requestId": id })
        }
        "permission_requested" | "elicitation_requested" | "prompt_sent" | "stop_sent" => {
            json!({ "requestId": id, "sessionId": session })
        }
        _ => json!({ "sessionId": session }),
    };
    event["type"] = json!(kind);
    match kind {
        "update" => event["update"] = update(random),
        "permission_requested" => {
            let subjects = [
                json!({ "type": "tool_call", "toolCall": {
                    "toolCallId": random.id(&CALLS),
                    "content": [item(random)],
                } }),
                json!({ "type": "tool_call", "toolCall": { "toolCallId": random.id(&CALLS) } }),
                json!({ "toolCallId": random.id(&CALLS), "status": random.of(&["pending", "completed"]) }),
                json!({ "type": "tool_call", "toolCall": {
                    "toolCallId": random.id(&CALLS), "_meta": meta(random) } }),
                json!({ "type": "command", "terminalId": random.id(&TERMINALS) }),
                json!({ "type": "command", "toolCallId": random.id(&CALLS), "terminalId": 3 }),
                json!(null),
                wild(random),
            ];
            event["subject"] = random.value(&subjects);
        }
        "stop_sent" => match random.next(3) {
            0 => event["toolCallId"] = json!(random.id(&CALLS)),
            1 => event["terminalId"] = json!(random.id(&TERMINALS)),
            _ => event["asyncTaskId"] = json!(random.id(&TASKS)),
        },
        "stop_answered" if random.next(2) == 0 => event["stopped"] = json!(random.next(2) == 0),
        "prompt_answered" | "agent_turn_ended" if random.next(2) == 0 => {
            event["stopReason"] = json!("end_turn");
        }
        "initialized" => {
            event["protocolVersion"] = json!(1 + random.next(2));
            event["asyncTasks"] = json!(random.next(2) == 0);
        }
        _ => {}
    }
    if kind.ends_with("_answered") && kind != "request_answered" && random.next(3) == 0 {
        event["error"] = random.value(&[
            json!({ "code": -32002, "message": "x" }),
            json!({ "code": 1, "message": "x" }),
        ]);
    }
    event
}
