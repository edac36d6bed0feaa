//! JSON-RPC messages in both directions, as typed events.

use serde_json::{Value, json};

use super::apply::{request_id, rpc_error};
use super::data::{InFlight, Model};
use super::read::read_exit;

impl Model {
    /// Agent to client.
    pub(super) fn decode_received(&mut self, message: &Value) {
        let malformed = |model: &mut Model, path: &str, wanted: &str| {
            model.problem("malformed_message", None, path, wanted);
        };
        if !message.is_object() {
            return malformed(self, "", "a JSON-RPC message");
        }
        if message.get("id").is_some_and(|id| request_id(id).is_none()) {
            return malformed(self, "id", "a request id");
        }
        let params = message.get("params").unwrap_or(&Value::Null);
        let Some(method) = message.get("method") else {
            if message.get("id").is_none() {
                return malformed(self, "method", "a string");
            }
            return self.client_answered(message);
        };
        let Some(method) = method.as_str() else {
            return malformed(self, "method", "a string");
        };
        let session = params.get("sessionId").and_then(Value::as_str);
        let id = message.get("id").and_then(request_id);
        match method {
            "session/update" => match session {
                None => malformed(self, "params.sessionId", "a string"),
                Some(session) => {
                    let update = params.get("update").unwrap_or(&Value::Null);
                    self.update(session, update);
                }
            },
            "session/request_permission" => match (id, session) {
                (_, None) => malformed(self, "params.sessionId", "a string"),
                (None, _) => self.problem("malformed_message", session, "id", "a request id"),
                (Some(id), Some(session)) => {
                    // Own: whichever form the version, as either says enough.
                    let subject = match (params.get("subject"), params.get("toolCall")) {
                        (None | Some(Value::Null), Some(call)) => {
                            json!({ "type": "tool_call", "toolCall": call })
                        }
                        (subject, _) => subject.cloned().unwrap_or(Value::Null),
                    };
                    self.agent_requests.retain(|request| request.id != id);
                    self.dispatch(&json!({
                        "type": "permission_requested",
                        "requestId": id,
                        "sessionId": session,
                        "subject": subject,
                    }));
                }
            },
            "elicitation/create" => match (id, session, params.get("sessionId")) {
                (_, None, None | Some(Value::Null)) => {}
                (_, None, _) => malformed(self, "params.sessionId", "a string"),
                (None, _, _) => self.problem("malformed_message", session, "id", "a request id"),
                (Some(id), Some(session), _) => {
                    self.agent_requests.retain(|request| request.id != id);
                    self.dispatch(&json!({
                        "type": "elicitation_requested",
                        "requestId": id,
                        "sessionId": session,
                    }));
                }
            },
            "$/cancel_request" => match params.get("requestId").and_then(request_id) {
                None => malformed(self, "params.requestId", "a request id"),
                Some(id) => {
                    self.dispatch(&json!({ "type": "request_cancelled", "requestId": id }));
                }
            },
            "_qwencode/start_turn" | "_qwencode/end_turn" => match session {
                None => malformed(self, "params.sessionId", "a string"),
                Some(session) => self.agent_turn(session, method.ends_with("start_turn"), None),
            },
            "terminal/create"
            | "terminal/output"
            | "terminal/wait_for_exit"
            | "terminal/release" => {
                let Some(session) = session else {
                    return malformed(self, "params.sessionId", "a string");
                };
                if method != "terminal/create" && !params["terminalId"].is_string() {
                    let (code, path) = ("malformed_message", "params.terminalId");
                    return self.problem(code, Some(session), path, "a string");
                }
                if method == "terminal/release" {
                    self.released(params);
                } else if id.is_none() {
                    self.problem("malformed_message", Some(session), "id", "a request id");
                }
                if let Some(id) = id.filter(|_| method != "terminal/release") {
                    // P1: a repeated id replaces what is pending.
                    self.requests.retain(|request| request.id != id);
                    self.agent_requests.retain(|request| request.id != id);
                    self.agent_requests.push(InFlight {
                        id,
                        method: method.to_owned(),
                        params: params.clone(),
                    });
                }
            }
            _ => {}
        }
    }

    /// V3: `terminal/release` exits the terminal, if nothing else did.
    fn released(&mut self, params: &Value) {
        let id = |field: &str| params.get(field).and_then(Value::as_str);
        if let (Some(session), Some(terminal)) = (id("sessionId"), id("terminalId"))
            && !self.has_exit(session, terminal)
            && self.client_terminal(session, terminal)
        {
            self.set_exit(session, terminal, Some((None, None)));
        }
    }

    /// The agent's response to a request of the client.
    fn client_answered(&mut self, message: &Value) {
        let Some(id) = message.get("id").and_then(request_id) else {
            return self.problem("malformed_message", None, "id", "a request id");
        };
        let mut error = rpc_error(message.get("error"));
        if is_broken(message) {
            // Own: what waits for it must not wait for ever.
            self.problem("malformed_message", None, "result", "a result or an error");
            error = Some(json!({ "code": 0, "message": "" }));
        }
        let found = self.client_requests.iter().position(|one| one.id == id);
        let Some(at) = found else {
            return;
        };
        let request = self.client_requests.remove(at);
        let result = message.get("result").unwrap_or(&Value::Null);
        let session = request.params.get("sessionId").and_then(Value::as_str);
        let mut event = json!({ "requestId": id, "sessionId": session });
        if let Some(error) = &error {
            event["error"] = error.clone();
        }
        event["type"] = match request.method.as_str() {
            "initialize" => {
                if error.is_some() {
                    return;
                }
                let Some(version) = result.get("protocolVersion").and_then(Value::as_f64) else {
                    let path = "result.protocolVersion";
                    return self.problem("malformed_message", None, path, "a number");
                };
                self.v1 = version == 1.0;
                self.async_tasks = has_async_tasks(result);
                return;
            }
            "session/new" | "session/fork" => {
                if error.is_some() {
                    return;
                }
                let Some(session) = result.get("sessionId").filter(|id| id.is_string()) else {
                    let path = "result.sessionId";
                    return self.problem("malformed_message", None, path, "a string");
                };
                event["sessionId"] = session.clone();
                json!("session_opened")
            }
            "session/prompt" => {
                if let Some(reason) = result.get("stopReason").filter(|one| one.is_string()) {
                    event["stopReason"] = reason.clone();
                }
                json!("prompt_answered")
            }
            "session/close" => json!("close_answered"),
            "session/resume" | "session/load" => json!("resume_answered"),
            "session/delete" if error.is_some() => return,
            "session/delete" => json!("session_deleted"),
            _ => {
                if let Some(stopped) = result.get("stopped").filter(|one| one.is_boolean()) {
                    event["stopped"] = stopped.clone();
                }
                json!("stop_answered")
            }
        };
        self.dispatch(&event);
    }

    /// Client to agent. What cannot be read is the client's own affair and changes nothing.
    pub(super) fn decode_sent(&mut self, message: &Value) {
        let params = message.get("params").unwrap_or(&Value::Null);
        let id = message.get("id").and_then(request_id);
        if message.get("id").is_some() && id.is_none() {
            return;
        }
        let method = match (message.get("method"), &id) {
            (Some(Value::String(method)), _) => method.as_str(),
            (None, Some(id)) => return self.agent_answered(id, message),
            _ => return,
        };
        let text = |field: &str| params.get(field).and_then(Value::as_str);
        if method == "session/cancel" {
            if let Some(session) = text("sessionId") {
                self.dispatch(&json!({ "type": "cancel_sent", "sessionId": session }));
            }
            return;
        }
        let Some(id) = id else {
            return;
        };
        let (kind, needed) = match method {
            "initialize" | "session/new" | "session/fork" => ("", None),
            "session/delete" => ("", Some("sessionId")),
            "session/prompt" => ("prompt_sent", Some("sessionId")),
            "session/close" => ("close_sent", Some("sessionId")),
            "session/resume" | "session/load" => ("resume_sent", Some("sessionId")),
            "tool_call/cancel" => ("stop_sent", Some("toolCallId")),
            "terminal/cancel" => ("stop_sent", Some("terminalId")),
            "_session/async_task/stop" => ("stop_sent", Some("asyncTaskId")),
            _ => return,
        };
        if let Some(field) = needed {
            let (Some(session), Some(value)) = (text("sessionId"), text(field)) else {
                return;
            };
            if !kind.is_empty() {
                self.dispatch(&json!({
                    "type": kind,
                    "requestId": id,
                    field: value,
                    "sessionId": session,
                }));
            }
        }
        self.client_requests.retain(|request| request.id != id);
        self.client_requests.push(InFlight {
            id,
            method: method.to_owned(),
            params: params.clone(),
        });
    }

    /// The client's response to a request of the agent.
    fn agent_answered(&mut self, id: &Value, message: &Value) {
        self.dispatch(&json!({ "type": "request_answered", "requestId": id }));
        let found = self.agent_requests.iter().position(|one| one.id == *id);
        let Some(at) = found else {
            return;
        };
        let request = self.agent_requests.remove(at);
        let result = message.get("result").unwrap_or(&Value::Null);
        let param = |field: &str| request.params.get(field).and_then(Value::as_str);
        let Some(session) = param("sessionId") else {
            return;
        };
        if is_broken(message) || message.get("error").is_some_and(|error| !error.is_null()) {
            return;
        }
        match request.method.as_str() {
            "terminal/create" => {
                let Some(terminal) = result.get("terminalId").and_then(Value::as_str) else {
                    return;
                };
                // A sign of life (X5).
                let known = self.session_or_new(session);
                if self.has_open_parent(&known) {
                    self.reopen(session);
                }
                if !self.client_terminal(session, terminal) {
                    return;
                }
                let new = self.touch_terminal(session, terminal);
                if let Some(command) = param("command") {
                    let mut words = vec![command];
                    let args = request.params.get("args").and_then(Value::as_array);
                    words.extend(args.into_iter().flatten().filter_map(Value::as_str));
                    new.command = Some(words.join(" "));
                }
                if let Some(cwd) = param("cwd") {
                    new.cwd = Some(cwd.to_owned());
                }
            }
            "terminal/wait_for_exit" => self.client_exit(session, param("terminalId"), result),
            "terminal/output" => {
                if let Some(status) = result.get("exitStatus").filter(|one| one.is_object()) {
                    self.client_exit(session, param("terminalId"), status);
                }
            }
            _ => {}
        }
    }

    fn client_exit(&mut self, session: &str, terminal: Option<&str>, status: &Value) {
        if let Some(terminal) = terminal
            && self.client_terminal(session, terminal)
        {
            let exit = read_exit(status, "exitCode");
            self.set_exit(session, terminal, Some(exit));
        }
    }
}

/// A response with neither a result nor an error.
fn is_broken(message: &Value) -> bool {
    match message.get("error").filter(|error| !error.is_null()) {
        Some(error) => !error.is_object(),
        None => message.get("result").is_none(),
    }
}

/// J1
fn has_async_tasks(result: &Value) -> bool {
    match &result["_meta"]["jetbrains"]["air"]["capabilities"] {
        Value::Array(names) => names.iter().any(|name| name == "asyncTasks"),
        Value::Object(names) => names
            .get("asyncTasks")
            .is_some_and(|one| !one.is_null() && *one != Value::Bool(false)),
        _ => false,
    }
}
