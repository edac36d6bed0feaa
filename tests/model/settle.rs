//! After each event: marks that listing lifts, stops that are over, what is tracked, quiet since.

use serde_json::{Value, json};

use super::data::{Call, Key, LogEntry, Mark, Model, Session, Terminal, number};

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
            let session = &self.sessions[at];
            let covered = |call: &Call| match call.mark {
                Mark::None => false,
                Mark::Closed => self.call_listed(session, &call.id),
                Mark::Cancelled { .. } => self.live_by_list(session, call),
            };
            let unmarked: Vec<bool> = session.calls.iter().map(covered).collect();
            let goes_on =
                |call: &Call| call.task_end.is_some() && self.call_listed(session, &call.id);
            let go_on: Vec<bool> = session.calls.iter().map(goes_on).collect();
            let runs = |terminal: &Terminal| {
                (terminal.closed_mark || terminal.task_exit)
                    && self.terminal_listed(session, &terminal.id)
            };
            let run: Vec<bool> = session.terminals.iter().map(runs).collect();

            let session = &mut self.sessions[at];
            for (index, call) in session.calls.iter_mut().enumerate() {
                if unmarked[index] {
                    call.mark = Mark::None;
                    lifted = true;
                }
                if go_on[index] {
                    call.task_end = None;
                    lifted = true;
                }
            }
            for (index, terminal) in session.terminals.iter_mut().enumerate() {
                if run[index] {
                    terminal.closed_mark = false;
                    terminal.task_exit = false;
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
                        .is_none_or(|session| self.stop_over(session, &stop.target))
            })
            .collect();
        for at in 0..self.sessions.len() {
            let session = &self.sessions[at];
            let stopped = |terminal: &Terminal| {
                let key = Key::Terminal(terminal.id.clone());
                let just_now =
                    self.stops.iter().zip(&over).any(|(stop, over)| {
                        *over && stop.session == session.id && stop.target == key
                    });
                (terminal.stopped || just_now) && self.stop_finished(session, &key)
            };
            let stopped: Vec<bool> = session.terminals.iter().map(stopped).collect();
            let idle = session.closed || self.foreground(session) == "idle";

            let session = &mut self.sessions[at];
            for (index, terminal) in session.terminals.iter_mut().enumerate() {
                terminal.stopped = stopped[index];
            }
            session.stop_requested &= !idle;
        }
        let mut over = over.into_iter();
        self.stops.retain(|_| !over.next().unwrap_or(false));
    }

    /// N1: what is tracked now in each session, then how that differs from before.
    fn track(&mut self) {
        let mut ended: Vec<(usize, Key, f64)> = Vec::new();
        let mut started: Vec<(usize, Key)> = Vec::new();
        for at in 0..self.sessions.len() {
            let session = &self.sessions[at];
            if session.window.is_some() {
                continue;
            }
            let candidates = match self.list(session) {
                _ if session.closed => Vec::new(),
                Some(items) => items.into_owned(),
                None => session.tracked.iter().map(|(key, _)| key.clone()).collect(),
            };
            let since = |key: &Key| session.tracked.iter().find(|(one, _)| one == key);
            let tracked: Vec<(Key, f64)> = candidates
                .into_iter()
                .filter(|key| !self.finished(session, key))
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
        let ended_at = self.end_of(&session, key, since);
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

    /// When an item ended that was tracked: its own end; that of a child is when it is told. An end
    /// before `since` is that of an earlier life (B7).
    pub(super) fn end_of(&self, session: &Session, key: &Key, since: f64) -> f64 {
        let own = match key {
            Key::ToolCall(id) => session.call(id).and_then(|call| call.ended_at),
            Key::Terminal(id) => session.terminal(id).and_then(|terminal| terminal.ended_at),
            Key::Task(id) => session.task(id).and_then(|task| task.ended_at),
            Key::Subagent(_) | Key::Other(..) => None,
        };
        own.filter(|end| *end >= since).unwrap_or(self.now)
    }

    /// N3, J5
    fn hand_off(&mut self) {
        for at in 0..self.sessions.len() {
            let session = &self.sessions[at];
            let listed = self.list(session).unwrap_or_default();
            let mut handed_off = Vec::new();
            for call in &session.calls {
                let mut keys = vec![Key::ToolCall(call.id.clone())];
                for task in &session.tasks {
                    if task.call.as_ref() == Some(&call.id) {
                        keys.push(Key::Task(task.id.clone()));
                    }
                }
                keys.extend(
                    call.terminals()
                        .iter()
                        .map(|id| Key::Terminal((*id).to_owned())),
                );
                keys.extend(
                    call.sessions()
                        .iter()
                        .map(|id| Key::Subagent((*id).to_owned())),
                );
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
                let before = call.handed_off.clone();
                handed_off.push(before.or(became.map(|(key, _)| key)));
            }
            for (call, key) in self.sessions[at].calls.iter_mut().zip(handed_off) {
                call.handed_off = key;
            }
        }
    }
}
