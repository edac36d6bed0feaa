//! Sections 12 and 15: children, async tasks, turns on v1, what `_meta` says of terminals.

use serde_json::Value;

use super::data::{Call, Key, Model, Session, Task, Terminal};
use super::read::{Patch, cancel_advertised, patch, read_exit, some_text, text};
use super::update::set_foreground;

impl Model {
    /// G1, G4: does the parent take the child, or have it?
    fn adopt(&mut self, parent: &str, child: &str) -> bool {
        let mut ancestor = Some(parent.to_owned());
        while let Some(id) = ancestor {
            if id == child {
                return false;
            }
            ancestor = self.find(&id).and_then(|session| session.parent.clone());
        }
        if let Some(known) = self.find(child) {
            if known.parent.as_deref().is_some_and(|one| one != parent) {
                return false;
            }
        } else {
            let mut new = Session::new(child, self.now);
            new.foreground = "unknown".to_owned();
            new.first_snapshot = true;
            self.sessions.push(new);
        }
        self.ensure(child).parent = Some(parent.to_owned());
        true
    }

    /// G1, G2, X5
    pub(super) fn subagent_update(&mut self, session: &str, child: &str, update: &Value) {
        if !self.adopt(session, child) {
            return;
        }
        let known = self.ensure(child);
        patch(update, "title", false, some_text).onto(&mut known.title, None);
        patch(update, "capabilities", false, cancel_advertised).onto(&mut known.can_cancel, false);
        match update.get("state") {
            Some(Value::Null) if !known.closed => {
                known.foreground = "unknown".to_owned();
                known.list = None;
                known.stop_reason = None;
            }
            Some(state) if state.is_object() => {
                self.reopen(child);
                if state.get("state").is_some_and(Value::is_string) {
                    self.state(child, state, false);
                }
            }
            _ => {}
        }
    }

    /// V5
    pub(super) fn subagent_spawned(&mut self, session: &str, child: &str, update: &Value) {
        if !self.adopt(session, child) {
            return;
        }
        patch(update, "name", true, some_text).onto(&mut self.ensure(child).title, None);
        self.reopen(child);
        self.snapshot_arrived(child, "running", None, None, None);
    }

    /// V5
    pub(super) fn subagent_state(&mut self, session: &str, child: &str, state: &Value) {
        if !self.adopt(session, child) {
            return;
        }
        self.reopen(child);
        match state.as_str().unwrap_or_default() {
            "completed" | "failed" | "stopped" | "idle" => {
                self.snapshot_arrived(child, "idle", Some(Vec::new()), None, None);
            }
            other => self.snapshot_arrived(child, other, None, None, None),
        }
    }

    /// V1, V6, J6: on v1 a turn begins.
    pub(super) fn begin_turn(&mut self, session: &str) {
        let event = self.event;
        if let Some(session) = self.find_mut(session).filter(|session| !session.closed) {
            set_foreground(session, "running", None, event);
        }
    }

    /// V1: one of them ended; the last makes the foreground idle, if it was running.
    pub(super) fn end_turn(&mut self, id: &str, reason: Option<&str>, error: Option<Value>) {
        let event = self.event;
        let prompts = self.prompts_of(id).len();
        let v1 = self.v1;
        let Some(session) = self.find_mut(id) else {
            return;
        };
        let tasks = session
            .tasks
            .iter()
            .filter(|task| task.live() && task.is_turn())
            .count();
        let open = prompts + session.agent_turns + tasks;
        if !v1 || session.closed || open > 0 || session.foreground != "running" {
            return;
        }
        set_foreground(session, "idle", reason.map(str::to_owned), event);
        if session.window.is_none() {
            self.turn_ended(id, reason, error);
        }
    }

    /// V6; on v2 it changes nothing, and it makes no session exist (F6).
    pub(super) fn agent_turn(&mut self, id: &str, starts: bool, reason: Option<&str>) {
        let v1 = self.v1;
        let Some(session) = self.find_mut(id).filter(|session| v1 && !session.closed) else {
            return;
        };
        if starts {
            session.agent_turns += 1;
            self.begin_turn(id);
        } else if session.agent_turns > 0 {
            session.agent_turns -= 1;
            self.end_turn(id, reason, None);
        }
    }

    /// J2, J6
    pub(super) fn task_spawned(&mut self, session: &str, id: &str, update: &Value) {
        let (now, v1) = (self.now, self.v1);
        let known = self.ensure(session);
        let at = match known.tasks.iter().position(|task| task.id == id) {
            Some(at) => at,
            None => {
                known.tasks.push(Task {
                    id: id.to_owned(),
                    name: None,
                    task_type: None,
                    can_stop: false,
                    call: None,
                    end: Some("new".to_owned()),
                    paused: false,
                    stale: false,
                    started_at: now,
                    ended_at: None,
                });
                known.tasks.len() - 1
            }
        };
        let task = &mut known.tasks[at];
        let turn_before = task.live() && task.is_turn();
        if !task.live() {
            task.end = None;
            task.ended_at = None;
            task.paused = false;
        }
        task.stale = false;
        patch(update, "name", true, some_text).onto(&mut task.name, None);
        patch(update, "taskType", true, some_text).onto(&mut task.task_type, None);
        patch(update, "canStop", true, Value::as_bool).onto(&mut task.can_stop, false);
        patch(update, "toolCallId", true, some_text).onto(&mut task.call, None);
        match (turn_before, task.is_turn()) {
            (false, true) if v1 => self.begin_turn(session),
            (true, false) => self.end_turn(session, None, None),
            _ => {}
        }
    }

    /// J2, J4, J6
    pub(super) fn task_state(&mut self, session: &str, id: &str, state: &Value) {
        let now = self.now;
        let known = self.ensure(session);
        let Some(task) = known
            .tasks
            .iter_mut()
            .find(|task| task.id == id && task.live())
        else {
            return;
        };
        let end = match state.as_str().unwrap_or_default() {
            end @ ("completed" | "failed" | "stopped") => end,
            other => {
                task.paused = other == "paused";
                return;
            }
        };
        task.end = Some(end.to_owned());
        task.ended_at = Some(now);
        let (turn, call) = (task.is_turn(), task.call.clone());
        if turn {
            self.end_turn(session, None, None);
        } else if let Some(call) = call {
            self.call_ended_with_task(session, &call, end);
        }
    }

    /// J4
    fn call_ended_with_task(&mut self, id: &str, call_id: &str, end: &str) {
        let Some(session) = self.find(id).cloned() else {
            return;
        };
        let Some(call) = session.call(call_id).filter(|call| call.unfinished()) else {
            return;
        };
        let goes_on = session
            .tasks
            .iter()
            .any(|task| task.live() && !task.is_turn() && task.call.as_deref() == Some(call_id));
        if goes_on || self.call_listed(&session, call_id) {
            return;
        }
        let terminals: Vec<&str> = call
            .terminals()
            .into_iter()
            .filter(|terminal| {
                let key = Key::Terminal((*terminal).to_owned());
                !self.listed(&session, &key) && !self.runs_by_list(&session, &key)
            })
            .collect();
        let shown = if end == "stopped" { "cancelled" } else { end };
        let Some(session) = self.find_mut(id) else {
            return;
        };
        let ended = |call: &mut Call| call.task_end = Some(shown.to_owned());
        let exited = |terminal: &mut Terminal| terminal.task_exit = terminal.exit.is_none();
        session
            .calls
            .iter_mut()
            .filter(|call| call.id == call_id)
            .for_each(ended);
        session
            .terminals
            .iter_mut()
            .filter(|terminal| terminals.contains(&terminal.id.as_str()))
            .for_each(exited);
    }

    /// V3: what `_meta` of a tool call update says of terminals.
    pub(super) fn read_meta(&mut self, session: &str, update: &Value) {
        let Some(meta) = update.get("_meta") else {
            return;
        };
        let read = |name: &str| {
            let value = meta.get(name)?;
            Some((value.get("terminal_id").and_then(text)?, value))
        };
        if let Some((id, info)) = read("terminal_info") {
            let terminal = self.touch_terminal(session, &id);
            if let Patch::Set(cwd) = patch(info, "cwd", true, some_text) {
                terminal.cwd = cwd;
            }
        }
        if let Some((id, exit)) = read("terminal_exit") {
            self.set_exit(session, &id, Some(read_exit(exit, "exit_code")));
        }
        if let Some((id, output)) = read("terminal_output")
            && let Some(data) = output.get("data").and_then(Value::as_str)
        {
            self.output(session, &id, data.as_bytes(), true);
        }
        if let Some((id, output)) = read("terminal_output_delta")
            && let Some(data) = output.get("data").and_then(Value::as_str)
        {
            self.output(session, &id, data.as_bytes(), false);
        }
    }

    /// V3: what the client's side says of a terminal. In a closed session nothing.
    pub(super) fn client_terminal(&mut self, session: &str, id: &str) -> bool {
        if self.find(session).is_some_and(|session| session.closed) {
            return false;
        }
        self.touch_terminal(session, id);
        true
    }

    /// Whether a terminal of the session has an exit status.
    pub(super) fn has_exit(&self, session: &str, id: &str) -> bool {
        let key = Key::Terminal(id.to_owned());
        self.find(session).is_some_and(|session| {
            session
                .terminal(id)
                .is_some_and(|terminal| terminal.exit.is_some())
                && !session.revived.contains(&key)
        })
    }
}
