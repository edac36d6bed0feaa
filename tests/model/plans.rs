//! The questions of sections 5, 6, 7, 9 and 10.

use serde_json::{Value, json};

use super::data::{Call, Key, Mark, Model, Session};

impl Model {
    pub fn activity(&self, session: &str) -> Value {
        json!(self.activity_of(&self.session_or_new(session)))
    }

    /// Section 5.
    pub(super) fn activity_of(&self, session: &Session) -> &'static str {
        if session.closed {
            return "closed";
        }
        match self.foreground(session) {
            "unknown" => return "unknown",
            "requires_action" => return "requires_action",
            "idle" => {}
            _ => return "busy",
        }
        let Some(items) = self.list(session) else {
            return "unknown";
        };
        if items.is_empty() {
            "quiet"
        } else if items.iter().all(|key| waits(session, key)) {
            "scheduled"
        } else {
            "background"
        }
    }

    pub fn is_quiet(&self, session: &str) -> Value {
        json!(self.activity_of(&self.session_or_new(session)) == "quiet")
    }

    pub fn quiet_since(&self, session: &str) -> Value {
        let session = self.session_or_new(session);
        if self.activity_of(&session) != "quiet" {
            return Value::Null;
        }
        super::data::maybe_number(session.quiet_since)
    }

    /// A6, but for the grace period.
    pub(super) fn may_be_releasable(&self, session: &Session) -> bool {
        self.activity_of(session) == "quiet"
            && !self.prompts.iter().any(|one| one.session == session.id)
            && !self.requests.iter().any(|one| one.session == session.id)
            && !self.closes.contains(&session.id)
    }

    /// A6
    pub fn is_releasable(&self, session: &str, now: f64, grace: f64) -> Value {
        let session = self.session_or_new(session);
        let long_enough = |since: Option<f64>| since.is_none_or(|since| now - since >= grace);
        json!(
            self.may_be_releasable(&session)
                && session.quiet_since.is_some()
                && long_enough(session.quiet_since)
                && long_enough(session.prompt_answered_at)
        )
    }

    pub fn abandoned(&self, session: &str) -> Value {
        let session = self.session_or_new(session);
        let calls: Vec<&str> = session
            .calls
            .iter()
            .filter(|call| self.call_abandoned(&session, call))
            .map(|call| call.id.as_str())
            .collect();
        let terminals: Vec<&str> = session
            .terminals
            .iter()
            .filter(|terminal| self.terminal_abandoned(&session, &terminal.id))
            .map(|terminal| terminal.id.as_str())
            .collect();
        json!({ "toolCalls": calls, "terminals": terminals })
    }

    /// D1
    fn may_abandon(&self, session: &Session) -> bool {
        !session.closed
            && self.foreground(session) == "idle"
            && self.list(session).is_some()
            && session.window.is_none()
    }

    /// D2, D3
    pub(super) fn call_abandoned(&self, session: &Session, call: &Call) -> bool {
        self.may_abandon(session)
            && call.unfinished()
            && call.mark == Mark::None
            && !self.live_by_list(session, call)
    }

    pub(super) fn terminal_abandoned(&self, session: &Session, id: &str) -> bool {
        self.may_abandon(session)
            && session
                .terminal(id)
                .is_some_and(|terminal| self.terminal_runs(session, terminal))
            && !self.terminal_listed(session, id)
    }

    /// C1
    pub(super) fn to_mark(&self, session: &Session) -> Vec<String> {
        let marked = |call: &&Call| match self.list_word(session) {
            _ if session.closed || !call.unfinished() => false,
            "listed" => !self.live_by_list(session, call),
            "never" => {
                self.busy(session)
                    && call.created > session.busy_from
                    && !call.terminals().iter().any(|id| {
                        // J3: one that a live task keeps running, too.
                        session
                            .terminal(id)
                            .is_some_and(|terminal| self.terminal_runs(session, terminal))
                    })
            }
            _ => false,
        };
        session
            .calls
            .iter()
            .filter(marked)
            .map(|call| call.id.clone())
            .collect()
    }

    pub fn cancel_plan(&self, session: &str) -> Value {
        let session = self.session_or_new(session);
        let keep: Vec<&str> = session
            .calls
            .iter()
            .filter(|call| call.unfinished() && self.live_by_list(&session, call))
            .map(|call| call.id.as_str())
            .collect();
        let own = || {
            self.requests
                .iter()
                .filter(|request| request.session == session.id)
        };
        let answer: Vec<&Value> = own()
            .filter(|request| self.answered_by_cancel(request))
            .map(|request| &request.id)
            .collect();
        let unattributed: Vec<&Value> = own()
            .filter(|request| self.belongs_to(request) == Some("unattributed"))
            .map(|request| &request.id)
            .collect();
        let open: Vec<&Value> = own()
            .filter(|request| !self.answered_by_cancel(request))
            .map(|request| &request.id)
            .collect();
        json!({
            "markCancelled": self.to_mark(&session),
            "keepRunning": keep,
            "answerCancelled": answer,
            "unattributed": unattributed,
            "keepOpen": open,
            "withdraws": self.prompts_of(&session.id),
        })
    }

    pub(super) fn prompts_of(&self, session: &str) -> Vec<Value> {
        self.prompts
            .iter()
            .filter(|prompt| prompt.session == session)
            .map(|prompt| prompt.id.clone())
            .collect()
    }

    /// X1, X2
    fn close_stops(&self, session: &Session) -> Vec<Key> {
        let listed = self.list(session).unwrap_or_default();
        let mut stops: Vec<Key> = listed
            .iter()
            .filter(|key| !self.finished(session, key))
            .cloned()
            .collect();
        if !session.closed && !self.busy(session) {
            for child in self.children(&session.id) {
                let key = Key::Subagent(child.id.clone());
                if self.runs_by_its_reports(child) && !listed.contains(&key) {
                    stops.push(key);
                }
            }
        }
        stops
    }

    pub fn close_plan(&self, session: &str) -> Value {
        let session = self.session_or_new(session);
        let foreground =
            !session.closed && (self.busy(&session) || !self.prompts_of(&session.id).is_empty());
        let certain = session.closed
            || (self.list(&session).is_some() && self.foreground(&session) != "unknown");
        let stops: Vec<Value> = self
            .close_stops(&session)
            .iter()
            .map(|key| self.item(&session, key))
            .collect();
        let count =
            |field: &str, word: &str| stops.iter().filter(|item| item[field] == word).count();
        let mut parts: Vec<String> = Vec::new();
        if foreground {
            parts.push("the current response".to_owned());
        }
        match stops.len() {
            0 => {}
            1 => parts.push("1 background task".to_owned()),
            many => parts.push(format!("{many} background tasks")),
        }
        let doubt = !certain && self.doubt(&session);
        let will_stop = format!("Closing will stop {}", parts.join(" and "));
        let warning = match (parts.is_empty(), doubt) {
            (true, false) => None,
            (true, true) => {
                Some("Closing may stop work that the agent is not reporting".to_owned())
            }
            (false, false) => Some(will_stop),
            (false, true) => Some(format!(
                "{will_stop} and may stop work that the agent is not reporting"
            )),
        };
        json!({
            "certain": certain,
            "foreground": foreground,
            "stops": stops,
            "counts": {
                "terminals": count("type", "terminal"),
                "toolCalls": count("type", "tool_call"),
                "subagents": count("type", "subagent"),
                "tasks": count("type", "task"),
                "other": count("type", "other"),
                "running": count("status", "running"),
                "waiting": count("status", "pending") + count("status", "paused"),
            },
            "answerCancelled": self.requests_deep(&session.id),
            "warning": warning,
        })
    }

    /// API.md, `warning`.
    fn doubt(&self, session: &Session) -> bool {
        let foreground = self.foreground(session);
        if foreground == "unknown" {
            return true;
        }
        if self.list(session).is_some() {
            return false;
        }
        let old = |created: u64| foreground == "idle" || created < session.busy_from;
        self.list_word(session) == "lost"
            || session
                .calls
                .iter()
                .any(|call| call.unfinished() && call.mark == Mark::None && old(call.created))
            || session
                .terminals
                .iter()
                .any(|terminal| self.terminal_runs(session, terminal) && old(terminal.created))
    }

    pub fn stop_plan(&self, session: &str, target: &Value) -> Value {
        let session = self.session_or_new(session);
        let Some(key) = target_key(target) else {
            return json!({ "ok": false, "reason": "unknown" });
        };
        match self.stop_refusal(&session, &key) {
            Some(reason) => json!({ "ok": false, "reason": reason }),
            None => {
                let id = key.id();
                let (method, params) = match key {
                    Key::ToolCall(_) => (
                        "tool_call/cancel",
                        json!({ "sessionId": session.id, "toolCallId": id }),
                    ),
                    Key::Terminal(_) => (
                        "terminal/cancel",
                        json!({ "sessionId": session.id, "terminalId": id }),
                    ),
                    Key::Subagent(_) => ("session/cancel", json!({ "sessionId": id })),
                    _ => (
                        "_session/async_task/stop",
                        json!({ "sessionId": session.id, "asyncTaskId": id }),
                    ),
                };
                json!({ "ok": true, "method": method, "params": params })
            }
        }
    }

    /// S1, in its order.
    pub(super) fn stop_refusal(&self, session: &Session, key: &Key) -> Option<&'static str> {
        if session.closed {
            return Some("closed");
        }
        let advertised = match key {
            Key::ToolCall(id) => session.call(id).map(|call| call.can_cancel),
            Key::Terminal(id) => session.terminal(id).map(|terminal| terminal.can_cancel),
            Key::Subagent(id) => self.child(session, id).map(|child| child.can_cancel),
            Key::Task(id) => session
                .task(id)
                .filter(|task| !task.is_turn())
                .map(|task| task.can_stop),
            Key::Other(..) => None,
        };
        let Some(advertised) = advertised else {
            return Some("unknown");
        };
        if self.stop_finished(session, key) {
            Some("finished")
        } else if self.stop_word(session, key) == "requested" {
            Some("already_requested")
        } else if !advertised {
            Some("not_cancellable")
        } else {
            None
        }
    }

    /// "Finished" as S1 says it.
    pub(super) fn stop_finished(&self, session: &Session, key: &Key) -> bool {
        if session.closed {
            return true;
        }
        match key {
            Key::ToolCall(id) => session.call(id).is_some_and(|call| {
                call.mark == Mark::Closed
                    || (!call.unfinished() && !self.runs_by_list(session, key))
            }),
            Key::Subagent(id) => self.child(session, id).is_some_and(|child| {
                child.closed
                    || (self.foreground(child) == "idle" && !self.runs_by_list(session, key))
            }),
            Key::Task(id) => session
                .task(id)
                .is_some_and(|task| !task.live() && !task.is_turn()),
            _ => self.finished(session, key),
        }
    }

    /// S2; of a turn, too, which no stop plan knows (J6).
    pub(super) fn stop_over(&self, session: &Session, key: &Key) -> bool {
        let has_ended = |id: &String| session.task(id).is_some_and(|task| !task.live());
        matches!(key, Key::Task(id) if has_ended(id)) || self.stop_finished(session, key)
    }

    /// S2, S5
    pub(super) fn stop_word(&self, session: &Session, key: &Key) -> &'static str {
        if let Key::Subagent(id) = key {
            return match self.child(session, id) {
                Some(child) if child.stop_requested => "requested",
                _ => "none",
            };
        }
        let stops = || {
            self.stops
                .iter()
                .filter(|stop| stop.session == session.id && stop.target == *key)
        };
        if stops().any(|stop| !stop.accepted) {
            "requested"
        } else if stops().any(|stop| stop.accepted) && !self.stop_over(session, key) {
            "accepted"
        } else {
            "none"
        }
    }
}

/// A4
fn waits(session: &Session, key: &Key) -> bool {
    match key {
        Key::ToolCall(id) => session
            .call(id)
            .is_some_and(|call| matches!(call.status.as_str(), "pending" | "paused")),
        Key::Task(id) => session.task(id).is_some_and(|task| task.paused),
        _ => false,
    }
}

pub(super) fn target_key(target: &Value) -> Option<Key> {
    let id = |name: &str| target.get(name).and_then(Value::as_str).map(str::to_owned);
    id("toolCallId")
        .map(Key::ToolCall)
        .or_else(|| id("terminalId").map(Key::Terminal))
        .or_else(|| id("sessionId").map(Key::Subagent))
        .or_else(|| id("asyncTaskId").map(Key::Task))
}
