//! Random JSON-RPC messages in both directions, over the same few ids; answers to what nobody asked among them.

use serde_json::{Value, json};

use super::random::{CALLS, Random, SESSIONS, TASKS, TERMINALS, item, meta, update, wild};

/// The methods of the agent and of the client, and how often each comes.
const RECEIVED: [(&str, usize); 10] = [
    ("session/update", 20),
    ("session/request_permission", 4),
    ("elicitation/create", 1),
    ("$/cancel_request", 1),
    ("terminal/create", 3),
    ("terminal/output", 2),
    ("terminal/wait_for_exit", 2),
    ("terminal/release", 1),
    ("_qwencode/start_turn", 1),
    ("_qwencode/end_turn", 1),
];
const SENT: [(&str, usize); 12] = [
    ("initialize", 1),
    ("session/new", 1),
    ("session/fork", 1),
    ("session/load", 2),
    ("session/resume", 2),
    ("session/close", 3),
    ("session/delete", 1),
    ("session/prompt", 5),
    ("session/cancel", 3),
    ("tool_call/cancel", 2),
    ("terminal/cancel", 2),
    ("_session/async_task/stop", 2),
];

/// A message as an event: its type says which way it goes.
pub(crate) fn drawn_message(random: &mut Random<'_>) -> Value {
    if random.next(200) == 0 {
        return json!({ "type": "disconnected" });
    }
    let is_received = random.next(2) == 0;
    let is_answer = random.next(3) == 0;
    let mut message = if is_answer {
        answer(random)
    } else if is_received {
        call(random, &RECEIVED)
    } else {
        call(random, &SENT)
    };
    let damaged = match random.next(60) {
        0 => "id",
        1 => "method",
        2 => "params",
        3 => "result",
        _ => "",
    };
    if message.get(damaged).is_some() {
        if random.next(2) == 0 {
            message.as_object_mut().unwrap().remove(damaged);
        } else {
            message[damaged] = wild(random);
        }
    }
    let way = if is_received { "received" } else { "sent" };
    json!({ "type": way, "message": message })
}

fn id(random: &mut Random<'_>) -> Value {
    random.value(&[json!(0), json!(1), json!("1"), json!(null), json!(2.0)])
}

fn call(random: &mut Random<'_>, methods: &[(&'static str, usize)]) -> Value {
    let all = methods.iter().map(|(_, weight)| weight).sum();
    let method = random.weighted(methods, all).unwrap_or("session/update");
    let mut params = json!({ "sessionId": random.id(&SESSIONS) });
    match method {
        "session/update" => params["update"] = update(random),
        "session/request_permission" => {
            let call = json!({ "toolCallId": random.id(&CALLS), "content": [item(random)], "_meta": meta(random) });
            match random.next(4) {
                0 => params["toolCall"] = call,
                1 => params["subject"] = json!({ "type": "tool_call", "toolCall": call }),
                2 => {
                    params["subject"] = json!({ "type": "command",
                        "toolCallId": random.id(&CALLS), "terminalId": random.id(&TERMINALS) });
                }
                _ => params["subject"] = wild(random),
            }
        }
        "$/cancel_request" => params = json!({ "requestId": id(random) }),
        "terminal/create" => {
            params["command"] = json!("sleep");
            params["args"] = random.value(&[json!(null), json!(["1"]), json!(["1", 2, "3"])]);
            params["cwd"] = random.value(&[json!(null), json!("/a")]);
        }
        _ => {}
    }
    let (name, ids) = match method {
        "tool_call/cancel" => ("toolCallId", &CALLS[..]),
        "_session/async_task/stop" => ("asyncTaskId", &TASKS[..]),
        _ => ("terminalId", &TERMINALS[..]),
    };
    if method != "session/update" {
        params[name] = json!(random.id(ids));
    }
    if random.next(40) == 0 {
        let fields: Vec<String> = params.as_object().unwrap().keys().cloned().collect();
        let field = &fields[random.next(fields.len())];
        params[field] = random.value(&[json!(null), json!(3), json!([]), json!({})]);
    }
    let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    let is_notification = matches!(
        method,
        "session/update" | "session/cancel" | "$/cancel_request" | "_qwencode/end_turn"
    );
    if is_notification == (random.next(30) == 0) {
        message["id"] = id(random);
    }
    message
}

fn answer(random: &mut Random<'_>) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "id": id(random) });
    if random.next(4) == 0 {
        message["error"] = random.value(&[
            json!({ "code": -32002, "message": "x" }),
            json!({ "code": 1, "message": "x" }),
            json!({ "code": "1" }),
            json!(null),
            json!(3),
        ]);
    }
    if random.next(8) > 0 {
        let exit = random.value(&[
            json!({}),
            json!({ "exitCode": 1, "signal": null }),
            json!({ "exitCode": 1.5, "signal": "KILL" }),
            json!(null),
            json!(0),
        ]);
        let capabilities = random.value(&[
            json!([]),
            json!(["asyncTasks"]),
            json!({ "asyncTasks": {} }),
            json!({ "asyncTasks": false }),
            json!(null),
        ]);
        let all = json!({
            "sessionId": random.id(&SESSIONS),
            "protocolVersion": random.value(&[json!(1), json!(2), json!(2), json!("2")]),
            "_meta": { "jetbrains": { "air": { "capabilities": capabilities } } },
            "stopReason": random.value(&[json!("end_turn"), json!("cancelled"), json!(null)]),
            "stopped": random.value(&[json!(true), json!(false), json!(null)]),
            "terminalId": random.id(&TERMINALS),
            "exitCode": random.value(&[json!(0), json!(null), json!("0")]),
            "signal": random.value(&[json!("TERM"), json!(null), json!(3)]),
            "exitStatus": exit,
        });
        message["result"] = match random.next(12) {
            0 => wild(random),
            _ => all,
        };
    }
    message
}
