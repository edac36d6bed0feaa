//! The answers that show things: items, calls, terminals, snapshots.

use serde_json::{Value, json};

use super::data::{Call, Content, Key, Mark, Model, Session, Terminal, maybe_number, number};
use super::tail;

impl Model {
    pub fn session_ids(&self) -> Value {
        self.sessions
            .iter()
            .map(|session| json!(session.id))
            .collect()
    }

    pub fn tool_call(&self, session: &str, id: &str) -> Value {
        let session = self.session_or_new(session);
        session
            .call(id)
            .map_or(Value::Null, |call| self.call_json(&session, call))
    }

    pub fn terminal(&self, session: &str, id: &str) -> Value {
        let session = self.session_or_new(session);
        session.terminal(id).map_or(Value::Null, |terminal| {
            self.terminal_json(&session, terminal)
        })
    }

    /// Its version is not kept here: it follows from what `changed` says (N2).
    pub fn snapshot(&self, session: &str) -> Value {
        let session = self.session_or_new(session);
        let children: Vec<&str> = self
            .children(&session.id)
            .iter()
            .map(|child| child.id.as_str())
            .collect();
        let background: Vec<Value> = self
            .list(&session)
            .unwrap_or_default()
            .iter()
            .map(|key| self.item(&session, key))
            .collect();
        let calls: Vec<Value> = session
            .calls
            .iter()
            .filter(|call| call.unfinished())
            .map(|call| self.call_json(&session, call))
            .collect();
        let terminals: Vec<Value> = session
            .terminals
            .iter()
            .filter(|terminal| self.terminal_runs(&session, terminal))
            .map(|terminal| self.terminal_json(&session, terminal))
            .collect();
        json!({
            "sessionId": session.id,
            "parentId": session.parent,
            "children": children,
            "title": session.title,
            "activity": self.activity_of(&session),
            "foreground": self.foreground(&session),
            "stopReason": session.stop_reason,
            "background": background,
            "backgroundReported": self.list_word(&session),
            "quietSince": self.quiet_since(&session.id),
            "unfinishedToolCalls": calls,
            "runningTerminals": terminals,
            "requests": self.requests(&session.id, false),
            "prompts": self.prompts_of(&session.id),
            "version": 0,
        })
    }

    pub(super) fn call_json(&self, session: &Session, call: &Call) -> Value {
        let key = Key::ToolCall(call.id.clone());
        let mut targets = vec![key.clone()];
        targets.extend(
            call.terminals()
                .iter()
                .map(|id| Key::Terminal((*id).to_owned())),
        );
        for task in &session.tasks {
            if task.call.as_ref() == Some(&call.id) {
                targets.push(Key::Task(task.id.clone()));
            }
        }
        let target = targets
            .iter()
            .find(|target| self.stop_refusal(session, target).is_none());
        let runs_on = call.terminals().iter().any(|id| {
            self.terminal_listed(session, id)
                && !self.finished(session, &Key::Terminal((*id).to_owned()))
        });
        let background = if self.call_listed(session, &call.id) {
            Some("listed")
        } else if runs_on || (call.unfinished() && self.references_listed(session, call)) {
            Some("by_terminal")
        } else {
            None
        };
        json!({
            "toolCallId": call.id,
            "title": call.title,
            "kind": call.kind,
            "status": call.status,
            "shown": self.call_shown(session, call),
            "background": background,
            "handedOff": handed_off(session, call),
            "terminals": call.terminals(),
            "sessions": call.sessions(),
            "stopTarget": target.map_or(Value::Null, Key::target),
            "stop": self.stop_word(session, &key),
            "startedAt": number(call.started_at),
            "endedAt": maybe_number(call.ended_at),
        })
    }

    pub(super) fn call_shown(&self, session: &Session, call: &Call) -> String {
        if call.is_final() {
            return call.status.clone();
        }
        if let Some(end) = &call.task_end {
            return end.clone();
        }
        let unconfirmed =
            self.foreground(session) == "unknown" && !self.live_by_list(session, call);
        if call.mark != Mark::None {
            "cancelled"
        } else if self.call_abandoned(session, call) {
            "abandoned"
        } else if unconfirmed {
            "unconfirmed"
        } else if call.status == "pending" || call.status == "paused" {
            return call.status.clone();
        } else {
            "in_progress"
        }
        .to_owned()
    }

    pub(super) fn terminal_json(&self, session: &Session, terminal: &Terminal) -> Value {
        let key = Key::Terminal(terminal.id.clone());
        let runs = self.terminal_runs(session, terminal);
        let exit = if runs {
            Value::Null
        } else {
            let (code, signal) = terminal.exit.clone().unwrap_or_default();
            json!({ "exitCode": code, "signal": signal })
        };
        let listed = self.terminal_listed(session, &terminal.id);
        let shown = if !runs {
            "exited"
        } else if self.terminal_abandoned(session, &terminal.id) {
            "abandoned"
        } else if self.foreground(session) == "unknown" && !listed {
            "unconfirmed"
        } else {
            "running"
        };
        let target = match self.stop_refusal(session, &key) {
            None => key.target(),
            Some(_) => Value::Null,
        };
        let ended_at = if runs { None } else { terminal.ended_at };
        json!({
            "terminalId": terminal.id,
            "command": terminal.command,
            "cwd": terminal.cwd,
            "exit": exit,
            "shown": shown,
            "listed": listed,
            "toolCallIds": references(session, &Content::Terminal(terminal.id.clone())),
            "stopTarget": target,
            "stop": self.stop_word(session, &key),
            "outputTail": tail::tail(&terminal.output),
            "startedAt": number(terminal.started_at),
            "endedAt": maybe_number(ended_at),
        })
    }

    /// A `WorkItem`.
    pub(super) fn item(&self, session: &Session, key: &Key) -> Value {
        let finished = self.finished(session, key);
        let mut item = json!({
            "sessionId": session.id,
            "type": key.type_name(),
            "id": key.id(),
            "kind": match key { Key::Other(_, kind) => kind, _ => key.type_name() },
            "title": null,
            "status": if finished { "finished" } else { "running" },
            "announced": false,
            "stopTarget": match self.stop_refusal(session, key) {
                None => key.target(),
                Some(_) => Value::Null,
            },
            "stop": self.stop_word(session, key),
            "since": session
                .tracked
                .iter()
                .find(|(tracked, _)| tracked == key)
                .map_or(Value::Null, |(_, since)| number(*since)),
            "startedAt": null,
            "endedAt": null,
            "outcome": if finished { json!(self.outcome(session, key)) } else { Value::Null },
            "toolCallIds": [],
            "outputTail": null,
            "waitsForUser": false,
            "background": [],
        });
        let mut ended_at = None;
        match key {
            Key::ToolCall(id) => {
                if let Some(call) = session.call(id) {
                    item["title"] = json!(call.title);
                    item["announced"] = json!(true);
                    item["startedAt"] = number(call.started_at);
                    ended_at = call.ended_at;
                    if !finished && matches!(call.status.as_str(), "pending" | "paused") {
                        item["status"] = json!(call.status);
                    }
                }
            }
            Key::Terminal(id) => {
                let calls = references(session, &Content::Terminal(id.clone()));
                let first = calls.first().and_then(|call| session.call(call));
                item["title"] = json!(first.and_then(|call| call.title.clone()));
                item["toolCallIds"] = json!(calls);
                if let Some(terminal) = session.terminal(id) {
                    if terminal.command.is_some() {
                        item["title"] = json!(terminal.command);
                    }
                    item["announced"] = json!(true);
                    item["startedAt"] = number(terminal.started_at);
                    item["outputTail"] = json!(tail::tail(&terminal.output));
                    ended_at = terminal.ended_at;
                }
            }
            Key::Subagent(id) => {
                item["toolCallIds"] = json!(references(session, &Content::Session(id.clone())));
                if let Some(child) = self.child(session, id) {
                    item["title"] = json!(child.title);
                    item["announced"] = json!(true);
                    item["startedAt"] = number(child.started_at);
                    item["waitsForUser"] = json!(self.waits_for_user(&child.id));
                    item["background"] = self
                        .list(child)
                        .unwrap_or_default()
                        .iter()
                        .map(|inner| self.item(child, inner))
                        .collect();
                    ended_at = child.quiet_since;
                }
            }
            Key::Task(id) => {
                if let Some(task) = session.task(id) {
                    item["title"] = json!(task.name);
                    item["announced"] = json!(true);
                    item["startedAt"] = number(task.started_at);
                    item["toolCallIds"] = json!(task.call.iter().collect::<Vec<_>>());
                    ended_at = task.ended_at;
                    if !finished && task.paused {
                        item["status"] = json!("paused");
                    }
                }
            }
            Key::Other(..) => {}
        }
        if finished {
            item["endedAt"] = maybe_number(ended_at);
        }
        item
    }

    fn waits_for_user(&self, session: &str) -> bool {
        self.with_descendants(session).iter().any(|id| {
            self.find(id)
                .is_some_and(|one| self.foreground(one) == "requires_action")
                || self.requests.iter().any(|request| request.session == *id)
        })
    }

    /// N4, by the facts as they are now.
    pub(super) fn outcome(&self, session: &Session, key: &Key) -> String {
        let outcome = match key {
            Key::ToolCall(id) => session.call(id).and_then(|call| {
                if call.is_final() {
                    Some(call.status.clone())
                } else {
                    call.task_end.clone()
                }
            }),
            Key::Terminal(id) => {
                let accepted = self
                    .stops
                    .iter()
                    .any(|stop| stop.accepted && stop.session == session.id && stop.target == *key);
                session
                    .terminal(id)
                    .filter(|terminal| terminal.exited())
                    .map(|terminal| {
                        if terminal.stopped || accepted {
                            "stopped"
                        } else {
                            "exited"
                        }
                        .to_owned()
                    })
            }
            Key::Subagent(_) if self.finished_itself(session, key) => Some("idle".to_owned()),
            Key::Task(id) => session.task(id).and_then(|task| task.end.clone()),
            _ => None,
        };
        outcome.unwrap_or_else(|| "dropped".to_owned())
    }
}

/// The calls whose content holds it.
fn references(session: &Session, what: &Content) -> Vec<String> {
    session
        .calls
        .iter()
        .filter(|call| call.content.contains(what))
        .map(|call| call.id.clone())
        .collect()
}

/// N3
fn handed_off(session: &Session, call: &Call) -> Value {
    let entry = call
        .handed_off
        .as_ref()
        .and_then(|key| session.log.iter().find(|entry| entry.key == *key));
    entry.map_or(Value::Null, |entry| {
        json!({
            "type": entry.key.type_name(),
            "id": entry.key.id(),
            "since": number(entry.since),
            "endedAt": maybe_number(entry.ended_at),
            "outcome": entry.outcome,
        })
    })
}
