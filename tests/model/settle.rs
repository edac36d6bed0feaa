//! After each event: marks that listing lifts, stops that are over, what is tracked, quiet since.

use serde_json::{Value, json};

use super::data::{Key, LogEntry, Mark, Model, Session, maybe_number, number};

impl Model {
    pub(super) fn settle(&mut self) {
        while self.lift_marks() {}
        self.stops_over();
        self.track();
        self.hand_off();
    }

    /// C2, X4, J4: what is listed carries no mark. Whether one went.
    fn lift_marks(&mut self) -> bool {
        let mut lifted = false;
        for at in 0..self.sessions.len() {
            let before = self.sessions[at].clone();
            for (index, call) in before.calls.iter().enumerate() {
                let listed = self.call_listed(&before, &call.id);
                let covered = match call.mark {
                    Mark::None => false,
                    Mark::Closed => listed,
                    Mark::Cancelled { .. } => self.live_by_list(&before, call),
                };
                if covered {
                    self.sessions[at].calls[index].mark = Mark::None;
                    lifted = true;
                }
                if listed && call.task_end.is_some() {
                    self.sessions[at].calls[index].task_end = None;
                    lifted = true;
                }
            }
            for (index, terminal) in before.terminals.iter().enumerate() {
                let marked = terminal.closed_mark || terminal.task_exit;
                if marked && self.terminal_listed(&before, &terminal.id) {
                    self.sessions[at].terminals[index].closed_mark = false;
                    self.sessions[at].terminals[index].task_exit = false;
                    lifted = true;
                }
            }
        }
        lifted
    }

    /// S2, S5, N4
    fn stops_over(&mut self) {
        let over: Vec<bool> = self
            .stops
            .iter()
            .map(|stop| {
                stop.accepted
                    && self
                        .find(&stop.session)
                        .is_none_or(|session| self.stop_finished(session, &stop.target))
            })
            .collect();
        for at in 0..self.sessions.len() {
            let before = self.sessions[at].clone();
            for (index, terminal) in before.terminals.iter().enumerate() {
                let key = Key::Terminal(terminal.id.clone());
                let stopped =
                    self.stops.iter().zip(&over).any(|(stop, over)| {
                        *over && stop.session == before.id && stop.target == key
                    });
                let now = &mut self.sessions[at].terminals[index];
                now.stopped |= stopped;
                if !self.stop_finished(&before, &key) {
                    self.sessions[at].terminals[index].stopped = false;
                }
            }
            if before.closed || self.foreground(&before) == "idle" {
                self.sessions[at].stop_requested = false;
            }
        }
        let mut over = over.into_iter();
        self.stops.retain(|_| !over.next().unwrap_or(false));
    }

    /// N1: what is tracked now in each session, then how that differs from before.
    fn track(&mut self) {
        let mut ended: Vec<(usize, Key, f64)> = Vec::new();
        let mut started: Vec<(usize, Key)> = Vec::new();
        for at in 0..self.sessions.len() {
            let session = self.sessions[at].clone();
            if session.window.is_some() {
                continue;
            }
            let candidates = match self.list(&session) {
                _ if session.closed => Vec::new(),
                Some(items) => items,
                None => session.tracked.iter().map(|(key, _)| key.clone()).collect(),
            };
            let since = |key: &Key| session.tracked.iter().find(|(one, _)| one == key);
            let tracked: Vec<(Key, f64)> = candidates
                .into_iter()
                .filter(|key| !self.finished(&session, key))
                .map(|key| {
                    let since = since(&key).map_or(self.now, |(_, at)| *at);
                    (key, since)
                })
                .collect();
            for (key, since) in &session.tracked {
                if !tracked.iter().any(|(one, _)| one == key) {
                    ended.push((at, key.clone(), *since));
                }
            }
            for (key, _) in &tracked {
                if since(key).is_none() {
                    started.push((at, key.clone()));
                }
            }
            self.sessions[at].tracked = tracked;
        }
        self.quiet();
        for (at, key, since) in &ended {
            self.ended(*at, key, *since);
        }
        for (at, key) in &started {
            self.started(*at, key);
        }
    }

    /// A6
    fn quiet(&mut self) {
        for at in 0..self.sessions.len() {
            let quiet = self.activity_of(&self.sessions[at]) == "quiet";
            let since = self.sessions[at].quiet_since.unwrap_or(self.now);
            self.sessions[at].quiet_since = quiet.then_some(since);
        }
    }

    fn started(&mut self, at: usize, key: &Key) {
        let session = self.sessions[at].clone();
        self.sessions[at].log.retain(|entry| entry.key != *key);
        self.sessions[at].log.push(LogEntry {
            key: key.clone(),
            since: self.now,
            ended_at: None,
            outcome: None,
        });
        let item = self.item(&session, key);
        self.said.started.push((session.id, item));
    }

    fn ended(&mut self, at: usize, key: &Key, since: f64) {
        let session = self.sessions[at].clone();
        let outcome = if session.closed {
            "closed".to_owned()
        } else {
            self.outcome(&session, key)
        };
        // An end before `since` is that of an earlier life (B7).
        let own = match key {
            Key::Subagent(_) => None,
            _ => self.end_of(&session, key),
        };
        let end = own.filter(|end| *end >= since);
        let ended_at = end.unwrap_or(self.now);
        let mut item = self.item(&session, key);
        item["status"] = json!("finished");
        item["since"] = Value::Null;
        item["outcome"] = json!(outcome);
        item["endedAt"] = number(ended_at);
        for entry in &mut self.sessions[at].log {
            if entry.key == *key {
                entry.ended_at = Some(ended_at);
                entry.outcome = Some(outcome.clone());
            }
        }
        self.said.ended.push((session.id, item));
    }

    /// When the item ended, as the session tells it.
    fn end_of(&self, session: &Session, key: &Key) -> Option<f64> {
        match key {
            Key::ToolCall(id) => session.call(id)?.ended_at,
            Key::Terminal(id) => session.terminal(id)?.ended_at,
            Key::Subagent(id) if self.finished_itself(session, key) => {
                self.child(session, id)?.quiet_since
            }
            Key::Task(id) => session.task(id)?.ended_at,
            _ => None,
        }
    }

    /// N3, J5
    fn hand_off(&mut self) {
        for at in 0..self.sessions.len() {
            let session = self.sessions[at].clone();
            let listed = self.list(&session).unwrap_or_default();
            for (index, call) in session.calls.iter().enumerate() {
                let mut keys = vec![Key::ToolCall(call.id.clone())];
                for task in &session.tasks {
                    if task.call.as_ref() == Some(&call.id) {
                        keys.push(Key::Task(task.id.clone()));
                    }
                }
                keys.extend(call.terminals().into_iter().map(Key::Terminal));
                keys.extend(call.sessions().into_iter().map(Key::Subagent));
                // The first in time; of two at the same time the first in this order.
                let since = |key: &Key| {
                    let entry = session.log.iter().find(|entry| entry.key == *key);
                    entry
                        .map(|entry| entry.since)
                        .filter(|_| listed.contains(key))
                };
                let mut became: Option<(Key, f64)> = None;
                for key in keys {
                    if let Some(since) = since(&key)
                        && became.as_ref().is_none_or(|(_, first)| since < *first)
                    {
                        became = Some((key, since));
                    }
                }
                let became = became.map(|(key, _)| key);
                if call.handed_off.is_none() {
                    self.sessions[at].calls[index].handed_off = became;
                }
            }
        }
    }

    /// Every answer about a session, but its version.
    pub(super) fn answers(&self, session: &Session) -> Value {
        let id = session.id.as_str();
        let mut snapshot = self.snapshot(id);
        snapshot["version"] = Value::Null;
        let calls: Vec<Value> = session
            .calls
            .iter()
            .map(|call| self.call_json(session, call))
            .collect();
        let terminals: Vec<Value> = session
            .terminals
            .iter()
            .map(|terminal| self.terminal_json(session, terminal))
            .collect();
        let mut targets: Vec<Key> = Vec::new();
        targets.extend(
            session
                .calls
                .iter()
                .map(|one| Key::ToolCall(one.id.clone())),
        );
        targets.extend(
            session
                .terminals
                .iter()
                .map(|one| Key::Terminal(one.id.clone())),
        );
        targets.extend(session.tasks.iter().map(|one| Key::Task(one.id.clone())));
        targets.extend(
            self.children(id)
                .iter()
                .map(|one| Key::Subagent(one.id.clone())),
        );
        let plans: Vec<Value> = targets
            .iter()
            .map(|key| json!([key.target(), self.stop_plan(id, &key.target())]))
            .collect();
        json!({
            "snapshot": snapshot,
            "toolCalls": calls,
            "terminals": terminals,
            "closePlan": self.close_plan(id),
            "cancelPlan": self.cancel_plan(id),
            "abandoned": self.abandoned(id),
            "requests": self.requests(id, true),
            "stopPlans": plans,
            "quietSince": maybe_number(session.quiet_since),
            "mayBeReleasable": self.may_be_releasable(session),
        })
    }
}
