//! One typed event.

use serde_json::{Value, json};

use super::data::{Key, Model, Prompt, Request, Session, Stop};
use super::plans::target_key;
use super::requests::read_subject;

impl Model {
    pub(super) fn dispatch(&mut self, event: &Value) {
        if self.try_dispatch(event).is_none() {
            self.problem("malformed_message", None, "", "an event of API.md");
        }
    }

    fn try_dispatch(&mut self, event: &Value) -> Option<()> {
        let kind = event.get("type")?.as_str()?;
        let session = || event.get("sessionId").and_then(Value::as_str);
        let id = || event.get("requestId").and_then(request_id);
        let error = rpc_error(event.get("error"));
        match kind {
            "session_opened" => {
                self.ensure(session()?);
            }
            "update" => {
                self.update(session()?, event.get("update").unwrap_or(&Value::Null));
            }
            "permission_requested" => {
                let subject = event.get("subject").unwrap_or(&Value::Null);
                // On v1 the tool call itself may be handed in.
                let is_call = self.v1 && subject.is_object() && subject.get("type").is_none();
                let call = json!({ "type": "tool_call", "toolCall": subject });
                let subject = if is_call { &call } else { subject };
                self.requested(id()?, session()?, Some(subject));
            }
            "elicitation_requested" => self.requested(id()?, session()?, None),
            "request_answered" => {
                let id = id()?;
                self.requests.retain(|request| request.id != id);
            }
            "request_cancelled" => {
                let id = id()?;
                self.make_due(|_, request| request.id == id);
            }
            "prompt_sent" => self.prompt_sent(id()?, session()?),
            "prompt_answered" => {
                let reason = event.get("stopReason").and_then(Value::as_str);
                self.prompt_answered(&id()?, reason, error);
            }
            "cancel_sent" => self.cancel_sent(session()?),
            "stop_sent" => {
                let target = target_key(&json!({
                    "toolCallId": event.get("toolCallId"),
                    "terminalId": event.get("terminalId"),
                    "asyncTaskId": event.get("asyncTaskId"),
                }))?;
                self.stop_sent(id()?, session()?, target);
            }
            "stop_answered" => {
                let stopped = event.get("stopped") != Some(&Value::Bool(false));
                self.stop_answered(&id()?, stopped, error);
            }
            "close_sent" => self.close_sent(session()?),
            "close_answered" => self.close_answered(session()?, error),
            "resume_sent" => self.resume_sent(session()?),
            "resume_answered" => self.resume_answered(session()?, error.is_some()),
            "session_deleted" => self.session_deleted(session()?),
            "initialized" => {
                self.v1 = event.get("protocolVersion")?.as_f64()? == 1.0;
                self.async_tasks = event.get("asyncTasks")?.as_bool()?;
            }
            "agent_turn_started" => self.agent_turn(session()?, true, None),
            "agent_turn_ended" => {
                let reason = event.get("stopReason").and_then(Value::as_str);
                self.agent_turn(session()?, false, reason);
            }
            "disconnected" => self.disconnected(),
            _ => return None,
        }
        Some(())
    }

    pub(super) fn problem(&mut self, code: &str, session: Option<&str>, path: &str, wanted: &str) {
        self.said.problems.push(json!({
            "code": code,
            "message": format!("expected {wanted}"),
            "sessionId": session,
            "path": path,
        }));
    }

    pub(super) fn find_mut(&mut self, id: &str) -> Option<&mut Session> {
        self.sessions.iter_mut().find(|session| session.id == id)
    }

    /// F6: the session exists from now on, by something else than a resume.
    pub(super) fn ensure(&mut self, id: &str) -> &mut Session {
        let at = match self.sessions.iter().position(|session| session.id == id) {
            Some(at) => at,
            None => {
                self.sessions.push(Session::new(id, self.now));
                self.sessions.len() - 1
            }
        };
        self.sessions[at].only_resumed = false;
        &mut self.sessions[at]
    }

    /// P1, P4, P5
    fn requested(&mut self, id: Value, session: &str, subject: Option<&Value>) {
        let closed = self.ensure(session).closed;
        let read = subject.map(read_subject);
        if let (false, Some(subject)) = (closed, subject)
            && let Some(call) = read.as_ref().and_then(|read| read.tool_call.clone())
            && subject["type"] == "tool_call"
        {
            self.patch_call(session, &call, &subject["toolCall"]);
            self.read_meta(session, &subject["toolCall"]);
        }
        self.requests.retain(|request| request.id != id);
        if closed {
            self.said.answer_due.push(id.clone());
        }
        self.requests.push(Request {
            id,
            session: session.to_owned(),
            subject: read,
            due: closed,
            since: self.now,
        });
    }

    fn prompt_sent(&mut self, id: Value, session: &str) {
        self.ensure(session);
        self.prompts.retain(|prompt| prompt.id != id);
        self.prompts.push(Prompt {
            id,
            session: session.to_owned(),
        });
        if self.v1 {
            self.begin_turn(session);
        }
    }

    fn prompt_answered(&mut self, id: &Value, reason: Option<&str>, error: Option<Value>) {
        let Some(at) = self.prompts.iter().position(|prompt| prompt.id == *id) else {
            return;
        };
        let session = self.prompts.remove(at).session;
        let now = self.now;
        let Some(known) = self.find_mut(&session) else {
            return;
        };
        known.prompt_answered_at = Some(now);
        let is_child = known.parent.is_some();
        if error.as_ref().is_some_and(is_gone) && !is_child {
            let lost = self.with_descendants(&session);
            self.lost(&lost);
            return;
        }
        let reason = if error.is_some() {
            Some("error")
        } else {
            reason
        };
        self.end_turn(&session, reason, error);
    }

    /// C2, C6, S5
    fn cancel_sent(&mut self, id: &str) {
        let Some(session) = self.find(id).cloned() else {
            return;
        };
        let foreground = self.foreground(&session);
        let marked = self.to_mark(&session);
        let liftable = foreground == "idle" || foreground == "unknown";
        let stops = session.parent.is_some() && !session.closed && foreground != "idle";
        self.make_due(|model, request| {
            request.session == id
                && model.answered_by_cancel(request)
                && (model.v1
                    || model.cancel_unattributed
                    || model.belongs_to(request) != Some("unattributed"))
        });
        let Some(session) = self.find_mut(id) else {
            return;
        };
        for call in &mut session.calls {
            if marked.contains(&call.id) {
                call.mark = super::data::Mark::Cancelled { liftable };
            }
        }
        if stops {
            session.stop_requested = true;
        }
    }

    /// S4: ignored for a session that does not exist.
    fn stop_sent(&mut self, id: Value, session: &str, target: Key) {
        if self.find(session).is_none() {
            return;
        }
        self.stops.retain(|stop| stop.accepted || stop.id != id);
        self.stops.push(Stop {
            id,
            session: session.to_owned(),
            target,
            accepted: false,
        });
    }

    /// S2, S3, J5
    fn stop_answered(&mut self, id: &Value, stopped: bool, error: Option<Value>) {
        let found = self
            .stops
            .iter()
            .position(|stop| !stop.accepted && stop.id == *id);
        let Some(at) = found else {
            return;
        };
        let stop = self.stops[at].clone();
        let session = self.session_or_new(&stop.session);
        let finished = self.stop_finished(&session, &stop.target);
        let failed = error.is_some() || (!stopped && matches!(stop.target, Key::Task(_)));
        let known = match &stop.target {
            Key::ToolCall(id) => session.call(id).is_some(),
            Key::Terminal(id) => session.terminal(id).is_some(),
            Key::Task(id) => session.task(id).is_some_and(|task| !task.is_turn()),
            _ => false,
        };
        let result = match (failed, finished, known) {
            (_, true, _) => "finished",
            (false, false, _) => "accepted",
            (true, false, false) => "unknown",
            (true, false, true) => "refused",
        };
        if result == "accepted" {
            self.stops[at].accepted = true;
        } else {
            self.stops.remove(at);
        }
        self.said.stop = json!({
            "sessionId": stop.session,
            "target": stop.target.target(),
            "result": result,
            "error": error,
        });
    }
}

/// -32002: the agent does not have the session.
pub(super) fn is_gone(error: &Value) -> bool {
    error["code"] == -32002
}

/// A request id: a string, a safe integer or null.
pub(super) fn request_id(id: &Value) -> Option<Value> {
    match id {
        Value::Null | Value::String(_) => Some(id.clone()),
        _ => safe_integer(id).map(|id| json!(id)),
    }
}

pub(super) fn safe_integer(value: &Value) -> Option<i64> {
    let number = value.as_f64()?;
    (number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_991.0).then_some(number as i64)
}

/// The error of a response; `None` when it is none.
pub(super) fn rpc_error(error: Option<&Value>) -> Option<Value> {
    let error = error.filter(|error| !error.is_null())?;
    let code = error.get("code").and_then(safe_integer).unwrap_or(0);
    let message = error.get("message").and_then(Value::as_str).unwrap_or("");
    Some(json!({ "code": code, "message": message }))
}
