//! Transcripts: a client goes through steps, one event each, a second apart (the first at 1000 ms),
//! and answers in plain words.

use acp_client_state::{ClientState, Event, Options, Outcome, StopTarget};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Value, json};

use crate::compare::Named;

/// No words: what a question that lists something answers when there is nothing.
pub(crate) const NONE: [&str; 0] = [];

/// A terminal, as a background list, a call's content and a stop plan name it.
pub(crate) fn terminal(id: &str) -> Value {
    json!({ "type": "terminal", "terminalId": id })
}

/// A tool call, as a background list and a stop plan name it.
pub(crate) fn call(id: &str) -> Value {
    json!({ "type": "tool_call", "toolCallId": id })
}

/// A child session, as a background list and a stop plan name it.
pub(crate) fn child(id: &str) -> Value {
    json!({ "type": "subagent", "sessionId": id })
}

/// A session, as a call's content names it.
pub(crate) fn session(id: &str) -> Value {
    json!({ "type": "session", "sessionId": id })
}

/// A task, as a stop plan names it.
pub(crate) fn task(id: &str) -> Value {
    json!({ "asyncTaskId": id })
}

/// The subject of a permission for a tool call.
pub(crate) fn for_call(id: &str) -> Value {
    json!({ "type": "tool_call", "toolCall": { "toolCallId": id } })
}

/// The subject of a permission for a command.
pub(crate) fn for_command(call: &str, terminal: &str) -> Value {
    json!({ "type": "command", "toolCallId": call, "terminalId": terminal })
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The object with more fields.
fn with(mut object: Value, fields: &Value) -> Value {
    for (name, value) in fields.as_object().unwrap() {
        object[name] = value.clone();
    }
    object
}

fn json<T: Serialize>(answer: &T) -> Value {
    serde_json::to_value(answer).unwrap()
}

fn words(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(word).collect()
}

/// A string as it is, anything else as its JSON: `1` and `"1"` stay apart by [`Client::due`].
fn word(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), String::from)
}

/// One connection, with the outcome of its last step.
pub(crate) struct Client {
    state: ClientState,
    at: f64,
    outcome: Value,
    named: Named,
}

/// Steps.
impl Client {
    pub(crate) fn new() -> Self {
        Self::with_options(Options::default())
    }

    pub(crate) fn with_options(options: Options) -> Self {
        Self {
            state: ClientState::new(options),
            at: 0.0,
            outcome: Value::Null,
            named: Named::default(),
        }
    }

    /// One step, after which `changed` must say what changed (rule N2).
    fn step(&mut self, what: &Value, take: impl FnOnce(&mut ClientState, f64) -> Outcome) {
        self.at += 1000.0;
        self.named.before(&self.state, what);
        let outcome = take(&mut self.state, self.at);
        self.named.after(&self.state, &outcome, what);
        self.outcome = json(&outcome);
    }

    /// On v1, with async tasks or without.
    pub(crate) fn v1(async_tasks: bool) -> Self {
        let mut client = Self::new();
        client.initialized(1, async_tasks);
        client
    }

    /// On v2, with async tasks.
    pub(crate) fn v2_with_tasks() -> Self {
        let mut client = Self::new();
        client.initialized(2, true);
        client
    }

    pub(crate) fn initialized(&mut self, version: u32, async_tasks: bool) -> &mut Self {
        self.event(json!({
            "type": "initialized", "protocolVersion": version, "asyncTasks": async_tasks,
        }))
    }

    /// The next step happens at that time.
    pub(crate) fn at(&mut self, at: f64) -> &mut Self {
        self.at = at - 1000.0;
        self
    }

    pub(crate) fn event(&mut self, event: Value) -> &mut Self {
        let read: Event = serde_json::from_value(event.clone()).unwrap();
        self.step(&event, |state, at| state.apply(read, at));
        self
    }

    pub(crate) fn received(&mut self, message: Value) -> &mut Self {
        self.step(&message, |state, at| state.received(&message, at));
        self
    }

    pub(crate) fn received_text(&mut self, message: &str) -> &mut Self {
        let value = serde_json::from_str(message).unwrap_or_default();
        self.step(&value, |state, at| state.received(message, at));
        self
    }

    pub(crate) fn sent(&mut self, message: Value) -> &mut Self {
        self.step(&message, |state, at| state.sent(&message, at));
        self
    }

    pub(crate) fn update(&mut self, session: &str, update: Value) -> &mut Self {
        self.event(json!({ "type": "update", "sessionId": session, "update": update }))
    }

    /// An update of that kind with those fields.
    pub(crate) fn kind(&mut self, session: &str, kind: &str, fields: Value) -> &mut Self {
        self.update(session, with(json!({ "sessionUpdate": kind }), &fields))
    }

    /// A snapshot with those fields.
    pub(crate) fn snapshot(&mut self, session: &str, state: &str, fields: Value) -> &mut Self {
        self.kind(
            session,
            "state_update",
            with(json!({ "state": state }), &fields),
        )
    }

    /// A snapshot with a background list.
    pub(crate) fn state(&mut self, session: &str, state: &str, list: &[Value]) -> &mut Self {
        self.snapshot(session, state, json!({ "background": list }))
    }

    pub(crate) fn idle(&mut self, session: &str, list: &[Value]) -> &mut Self {
        self.state(session, "idle", list)
    }

    /// A snapshot that reports no background list.
    pub(crate) fn bare(&mut self, session: &str, state: &str) -> &mut Self {
        self.snapshot(session, state, json!({}))
    }

    pub(crate) fn call_with(&mut self, session: &str, id: &str, fields: Value) -> &mut Self {
        let call = json!({ "toolCallId": id });
        self.kind(session, "tool_call_update", with(call, &fields))
    }

    pub(crate) fn call(&mut self, session: &str, id: &str, status: &str) -> &mut Self {
        self.call_with(session, id, json!({ "status": status }))
    }

    /// A call in progress with that content.
    pub(crate) fn showing(&mut self, session: &str, id: &str, content: &[Value]) -> &mut Self {
        let fields = json!({ "status": "in_progress", "content": content });
        self.call_with(session, id, fields)
    }

    pub(crate) fn chunk(&mut self, session: &str, id: &str, content: Value) -> &mut Self {
        let fields = json!({ "toolCallId": id, "content": content });
        self.kind(session, "tool_call_content_chunk", fields)
    }

    pub(crate) fn terminal_with(&mut self, session: &str, id: &str, fields: Value) -> &mut Self {
        let terminal = json!({ "terminalId": id });
        self.kind(session, "terminal_update", with(terminal, &fields))
    }

    /// A terminal that can be stopped.
    pub(crate) fn terminal(&mut self, session: &str, id: &str) -> &mut Self {
        self.terminal_with(session, id, json!({ "capabilities": { "cancel": {} } }))
    }

    pub(crate) fn exit(&mut self, session: &str, id: &str) -> &mut Self {
        self.terminal_with(session, id, json!({ "exitStatus": { "exitCode": 0 } }))
    }

    pub(crate) fn output(&mut self, session: &str, id: &str, bytes: &[u8]) -> &mut Self {
        let fields = json!({ "terminalId": id, "data": base64(bytes) });
        self.kind(session, "terminal_output_chunk", fields)
    }

    pub(crate) fn child_with(&mut self, session: &str, id: &str, fields: Value) -> &mut Self {
        self.kind(
            session,
            "subagent_update",
            with(json!({ "sessionId": id }), &fields),
        )
    }

    /// A child that can be stopped, with that state and no list.
    pub(crate) fn child(&mut self, session: &str, id: &str, state: &str) -> &mut Self {
        let fields = json!({ "capabilities": { "cancel": {} }, "state": { "state": state } });
        self.child_with(session, id, fields)
    }

    /// A child that can be stopped, idle, with that list.
    pub(crate) fn idle_child(&mut self, session: &str, id: &str, list: &[Value]) -> &mut Self {
        let state = json!({ "state": "idle", "background": list });
        let fields = json!({ "capabilities": { "cancel": {} }, "state": state });
        self.child_with(session, id, fields)
    }

    pub(crate) fn task(&mut self, session: &str, id: &str, fields: Value) -> &mut Self {
        let task = json!({ "asyncTaskId": id });
        self.kind(session, "async_task_spawned", with(task, &fields))
    }

    pub(crate) fn task_state(&mut self, session: &str, id: &str, state: &str) -> &mut Self {
        let fields = json!({ "asyncTaskId": id, "state": state });
        self.kind(session, "async_task_state_update", fields)
    }

    /// An event of that type about a session.
    fn about(&mut self, kind: &str, session: &str) -> &mut Self {
        self.event(json!({ "type": kind, "sessionId": session }))
    }

    pub(crate) fn open(&mut self, session: &str) -> &mut Self {
        self.about("session_opened", session)
    }

    pub(crate) fn permission(
        &mut self,
        session: &str,
        id: impl Into<Value>,
        subject: Value,
    ) -> &mut Self {
        let id: Value = id.into();
        self.event(json!({
            "type": "permission_requested", "requestId": id, "sessionId": session, "subject": subject,
        }))
    }

    pub(crate) fn elicitation(&mut self, session: &str, id: impl Into<Value>) -> &mut Self {
        let id: Value = id.into();
        self.event(json!({
            "type": "elicitation_requested", "requestId": id, "sessionId": session,
        }))
    }

    /// The client answers a request of the agent.
    pub(crate) fn answer(&mut self, id: impl Into<Value>) -> &mut Self {
        let id: Value = id.into();
        self.event(json!({ "type": "request_answered", "requestId": id }))
    }

    /// The agent withdraws a request of its own.
    pub(crate) fn withdraw(&mut self, id: impl Into<Value>) -> &mut Self {
        let id: Value = id.into();
        self.event(json!({ "type": "request_cancelled", "requestId": id }))
    }

    pub(crate) fn prompt(&mut self, session: &str, id: i64) -> &mut Self {
        self.event(json!({ "type": "prompt_sent", "requestId": id, "sessionId": session }))
    }

    pub(crate) fn prompt_answered(&mut self, id: i64) -> &mut Self {
        let reason = "end_turn";
        self.event(json!({ "type": "prompt_answered", "requestId": id, "stopReason": reason }))
    }

    pub(crate) fn prompt_failed(&mut self, id: i64, code: i64) -> &mut Self {
        let error = json!({ "code": code, "message": "no" });
        self.event(json!({ "type": "prompt_answered", "requestId": id, "error": error }))
    }

    pub(crate) fn cancel(&mut self, session: &str) -> &mut Self {
        self.about("cancel_sent", session)
    }

    pub(crate) fn stop(&mut self, session: &str, id: i64, mut target: Value) -> &mut Self {
        target["type"] = json!("stop_sent");
        target["requestId"] = json!(id);
        target["sessionId"] = json!(session);
        self.event(target)
    }

    pub(crate) fn stop_accepted(&mut self, id: i64) -> &mut Self {
        self.event(json!({ "type": "stop_answered", "requestId": id }))
    }

    pub(crate) fn stop_refused(&mut self, id: i64) -> &mut Self {
        let error = json!({ "code": 1, "message": "no" });
        self.event(json!({ "type": "stop_answered", "requestId": id, "error": error }))
    }

    pub(crate) fn close(&mut self, session: &str) -> &mut Self {
        self.about("close_sent", session)
    }

    /// A close, answered successfully.
    pub(crate) fn closed(&mut self, session: &str) -> &mut Self {
        self.close(session).about("close_answered", session)
    }

    pub(crate) fn close_failed(&mut self, session: &str, code: i64) -> &mut Self {
        let error = json!({ "code": code, "message": "no" });
        self.event(json!({ "type": "close_answered", "sessionId": session, "error": error }))
    }

    pub(crate) fn resume(&mut self, session: &str) -> &mut Self {
        self.about("resume_sent", session)
    }

    pub(crate) fn resumed(&mut self, session: &str) -> &mut Self {
        self.about("resume_answered", session)
    }

    pub(crate) fn resume_failed(&mut self, session: &str) -> &mut Self {
        let error = json!({ "code": 1, "message": "no" });
        self.event(json!({ "type": "resume_answered", "sessionId": session, "error": error }))
    }

    pub(crate) fn delete(&mut self, session: &str) -> &mut Self {
        self.about("session_deleted", session)
    }

    pub(crate) fn turn_started(&mut self, session: &str) -> &mut Self {
        self.about("agent_turn_started", session)
    }

    pub(crate) fn turn_ended(&mut self, session: &str) -> &mut Self {
        self.about("agent_turn_ended", session)
    }

    pub(crate) fn disconnect(&mut self) -> &mut Self {
        self.event(json!({ "type": "disconnected" }))
    }
}

/// What the last step changed.
impl Client {
    pub(crate) fn outcome(&self) -> &Value {
        &self.outcome
    }

    pub(crate) fn changed(&self) -> Vec<String> {
        words(&self.outcome["changed"])
    }

    /// `S end_turn` for each turn that ended.
    pub(crate) fn turns_ended(&self) -> Vec<String> {
        self.each("turnsEnded", |turn| {
            [&turn["sessionId"], &turn["stopReason"]]
                .map(word)
                .join(" ")
        })
    }

    pub(crate) fn became_quiet(&self) -> Vec<String> {
        words(&self.outcome["becameQuiet"])
    }

    /// `S terminal t` for each item.
    pub(crate) fn started(&self) -> Vec<String> {
        self.each("started", |item| {
            [&item["sessionId"], &item["type"], &item["id"]]
                .map(word)
                .join(" ")
        })
    }

    /// `S terminal t exited` for each item.
    pub(crate) fn ended(&self) -> Vec<String> {
        self.each("ended", |item| {
            [
                &item["sessionId"],
                &item["type"],
                &item["id"],
                &item["outcome"],
            ]
            .map(word)
            .join(" ")
        })
    }

    /// The ids of the requests that became due, as JSON.
    pub(crate) fn due(&self) -> Value {
        self.outcome["answerDue"].clone()
    }

    /// `malformed_update update.toolCallId` for each problem.
    pub(crate) fn problems(&self) -> Vec<String> {
        self.each("problems", |problem| {
            [&problem["code"], &problem["path"]].map(word).join(" ")
        })
    }

    /// How a stop was answered.
    pub(crate) fn stop_result(&self) -> String {
        word(&self.outcome["stop"]["result"])
    }

    fn each(&self, field: &str, word: impl Fn(&Value) -> String) -> Vec<String> {
        self.outcome[field]
            .as_array()
            .unwrap()
            .iter()
            .map(word)
            .collect()
    }
}

/// Questions.
impl Client {
    pub(crate) fn session_ids(&self) -> Vec<String> {
        self.state.session_ids()
    }

    pub(crate) fn view(&self, session: &str) -> Value {
        json(&self.state.session(session).snapshot())
    }

    pub(crate) fn activity(&self, session: &str) -> String {
        word(&json(&self.state.session(session).activity()))
    }

    pub(crate) fn foreground(&self, session: &str) -> String {
        word(&self.view(session)["foreground"])
    }

    pub(crate) fn reported(&self, session: &str) -> String {
        word(&self.view(session)["backgroundReported"])
    }

    pub(crate) fn stop_reason(&self, session: &str) -> Value {
        self.view(session)["stopReason"].clone()
    }

    pub(crate) fn quiet_since(&self, session: &str) -> Option<f64> {
        self.state.session(session).quiet_since()
    }

    pub(crate) fn is_releasable(&self, session: &str, now: f64) -> bool {
        self.state.session(session).is_releasable(now, 5000.0)
    }

    /// `terminal t running` for each listed item.
    pub(crate) fn background(&self, session: &str) -> Vec<String> {
        Self::items(&self.view(session)["background"])
    }

    fn items(items: &Value) -> Vec<String> {
        let items = items.as_array().unwrap().iter();
        let describe = |item: &Value| [&item["type"], &item["id"], &item["status"]].map(word);
        items.map(|item| describe(item).join(" ")).collect()
    }

    /// A listed item by its position.
    pub(crate) fn item(&self, session: &str, position: usize) -> Value {
        self.view(session)["background"][position].clone()
    }

    pub(crate) fn unfinished(&self, session: &str) -> Vec<String> {
        let calls = self.view(session)["unfinishedToolCalls"].clone();
        let calls = calls.as_array().unwrap().iter();
        calls.map(|call| word(&call["toolCallId"])).collect()
    }

    pub(crate) fn running_terminals(&self, session: &str) -> Vec<String> {
        let terminals = self.view(session)["runningTerminals"].clone();
        let terminals = terminals.as_array().unwrap().iter();
        terminals
            .map(|terminal| word(&terminal["terminalId"]))
            .collect()
    }

    pub(crate) fn the_call(&self, session: &str, id: &str) -> Value {
        json(&self.state.session(session).tool_call(id))
    }

    /// How the call is shown.
    pub(crate) fn shown(&self, session: &str, id: &str) -> String {
        word(&self.the_call(session, id)["shown"])
    }

    pub(crate) fn status(&self, session: &str, id: &str) -> String {
        word(&self.the_call(session, id)["status"])
    }

    pub(crate) fn the_terminal(&self, session: &str, id: &str) -> Value {
        json(&self.state.session(session).terminal(id))
    }

    /// How the terminal is shown.
    pub(crate) fn terminal_shown(&self, session: &str, id: &str) -> String {
        word(&self.the_terminal(session, id)["shown"])
    }

    pub(crate) fn tail(&self, session: &str, id: &str) -> Value {
        self.the_terminal(session, id)["outputTail"].clone()
    }

    /// The abandoned calls, then the abandoned terminals.
    pub(crate) fn abandoned(&self, session: &str) -> Vec<String> {
        let abandoned = json(&self.state.session(session).abandoned());
        [
            words(&abandoned["toolCalls"]),
            words(&abandoned["terminals"]),
        ]
        .concat()
    }

    pub(crate) fn cancel_plan(&self, session: &str) -> Value {
        json(&self.state.session(session).cancel_plan())
    }

    /// The calls that a cancel would mark.
    pub(crate) fn marks(&self, session: &str) -> Vec<String> {
        words(&self.cancel_plan(session)["markCancelled"])
    }

    pub(crate) fn close_plan(&self, session: &str) -> Value {
        json(&self.state.session(session).close_plan())
    }

    /// What a close would stop, as [`Client::background`].
    pub(crate) fn stops(&self, session: &str) -> Vec<String> {
        Self::items(&self.close_plan(session)["stops"])
    }

    pub(crate) fn warning(&self, session: &str) -> Value {
        self.close_plan(session)["warning"].clone()
    }

    pub(crate) fn stop_plan(&self, session: &str, target: &Value) -> Value {
        let target: StopTarget = serde_json::from_value(target.clone()).unwrap();
        json(&self.state.session(session).stop_plan(&target))
    }

    /// The method that stops the target, or why there is none.
    pub(crate) fn how_to_stop(&self, session: &str, target: &Value) -> String {
        let plan = self.stop_plan(session, target);
        word(if plan["ok"] == true {
            &plan["method"]
        } else {
            &plan["reason"]
        })
    }

    pub(crate) fn requests(&self, session: &str) -> Value {
        json(&self.state.session(session).requests(false))
    }

    /// The ids of the pending requests, as JSON.
    pub(crate) fn pending(&self, session: &str) -> Value {
        let requests = self.requests(session);
        let requests = requests.as_array().unwrap().iter();
        requests
            .map(|request| request["requestId"].clone())
            .collect()
    }

    /// The ids of the pending requests that are due, as JSON.
    pub(crate) fn pending_due(&self, session: &str) -> Value {
        let requests = self.requests(session);
        let requests = requests.as_array().unwrap().iter();
        let due = requests.filter(|request| request["answerDue"] == true);
        due.map(|request| request["requestId"].clone()).collect()
    }

    /// Whom each pending request belongs to.
    pub(crate) fn owners(&self, session: &str) -> Vec<String> {
        let requests = self.requests(session);
        let requests = requests.as_array().unwrap().iter();
        requests
            .map(|request| word(&request["belongsTo"]))
            .collect()
    }

    /// The state as it is saved.
    pub(crate) fn saved(&self) -> String {
        serde_json::to_string(&self.state).unwrap()
    }

    /// Everything that is known of a session but its version, which counts and says nothing.
    pub(crate) fn everything(&self, session: &str) -> Value {
        let mut view = self.view(session);
        view["version"] = Value::Null;
        json!([
            view,
            self.close_plan(session),
            self.cancel_plan(session),
            self.requests(session),
        ])
    }
}
