//! Sections 1 to 4: state, tool call and terminal updates.

use serde_json::Value;

use super::data::{Call, Key, Mark, Model, Session, Terminal, is_busy, is_final};
use super::read::{
    Patch, cancel_advertised, content_item, is_task_update, patch, read_exit, read_list, some_text,
    text,
};
use super::tail::base64;

impl Model {
    pub(super) fn update(&mut self, session: &str, update: &Value) {
        let Some(kind) = update.get("sessionUpdate").and_then(Value::as_str) else {
            let (path, wanted) = match update {
                Value::Object(_) => ("update.sessionUpdate", "a string"),
                _ => ("update", "an object"),
            };
            self.problem("malformed_update", Some(session), path, wanted);
            return;
        };
        let plain = kind.strip_prefix('_').unwrap_or(kind);
        let id_field = match kind {
            "state_update" => "state",
            "tool_call" | "tool_call_update" | "tool_call_content_chunk" => "toolCallId",
            "terminal_update" | "terminal_output_chunk" => "terminalId",
            "subagent_update" => "sessionId",
            "subagent_spawned" | "subagent_state_update" => "subagentSessionId",
            _ if is_task_update(plain) => "asyncTaskId",
            _ => return,
        };
        let mut needed = vec![id_field];
        if kind == "subagent_state_update" || plain == "async_task_state_update" {
            needed.push("state");
        }
        for field in needed {
            if !update.get(field).is_some_and(Value::is_string) {
                let path = format!("update.{field}");
                self.problem("malformed_update", Some(session), &path, "a string");
                return;
            }
        }
        let id = update[id_field].as_str().unwrap_or_default();
        if kind == "terminal_output_chunk" {
            self.output_chunk(session, id, update);
            return;
        }
        if !self.admit(session) {
            return;
        }
        match kind {
            "state_update" => self.state(session, update, true),
            "tool_call" | "tool_call_update" => {
                self.patch_call(session, id, update);
                self.read_meta(session, update);
            }
            "tool_call_content_chunk" => {
                let item = update.get("content").and_then(content_item);
                let call = self.touch_call(session, id);
                call.content.extend(item);
            }
            "terminal_update" => self.patch_terminal(session, id, update),
            "subagent_update" => self.subagent_update(session, id, update),
            "subagent_spawned" => self.subagent_spawned(session, id, update),
            "subagent_state_update" => self.subagent_state(session, id, &update["state"]),
            _ => match plain {
                "async_task_spawned" => self.task_spawned(session, id, update),
                "async_task_state_update" => self.task_state(session, id, &update["state"]),
                _ => {}
            },
        }
    }

    /// F6, X5: a readable update arrived; may it be applied?
    fn admit(&mut self, id: &str) -> bool {
        let session = self.ensure(id).clone();
        if !session.closed {
            return true;
        }
        let parent_open = self.has_open_parent(&session);
        if parent_open {
            self.reopen(id);
        } else {
            self.problem(
                "update_after_close",
                Some(id),
                "update",
                "no update of a closed session",
            );
        }
        parent_open
    }

    pub(super) fn has_open_parent(&self, session: &Session) -> bool {
        let parent = session.parent.as_ref();
        let parent = parent.and_then(|parent| self.find(parent));
        parent.is_some_and(|parent| !parent.closed)
    }

    /// X5: open again, the foreground unknown and no list.
    pub(super) fn reopen(&mut self, id: &str) {
        if let Some(session) = self.find_mut(id).filter(|session| session.closed) {
            session.closed = false;
            session.foreground = "unknown".to_owned();
            session.list = None;
            session.stop_reason = None;
            session.first_snapshot = true;
        }
    }

    /// F2, F3, B1 to B3: a state update, or the state in a subagent update.
    pub(super) fn state(&mut self, id: &str, update: &Value, report: bool) {
        let foreground = update["state"].as_str().unwrap_or_default();
        let known = matches!(
            foreground,
            "running" | "requires_action" | "idle" | "unknown"
        );
        let list = match read_list(update.get("background")) {
            _ if !known => None,
            Ok(list) => list,
            Err(path) => {
                if report {
                    self.problem("malformed_background", Some(id), &path, "a background list");
                }
                None
            }
        };
        let reason = update.get("stopReason").and_then(text);
        // Own: one that says little is an error all the same.
        let error = update.get("error").filter(|error| error.is_object());
        let error = super::apply::rpc_error(error);
        if list.is_some()
            && let Some(session) = self.find_mut(id)
        {
            session.had_v2_list = true;
        }
        self.snapshot_arrived(id, foreground, list, reason, error);
    }

    /// A state of the session arrived.
    pub(super) fn snapshot_arrived(
        &mut self,
        id: &str,
        foreground: &str,
        list: Option<Vec<Key>>,
        reason: Option<String>,
        error: Option<Value>,
    ) {
        let Some(before) = self.find(id).cloned() else {
            return;
        };
        // R4
        for session in &mut self.sessions {
            if session
                .window
                .as_ref()
                .is_some_and(|window| window.owner == id)
            {
                session.window = None;
            }
        }
        // R2
        for resume in &mut self.resumes {
            resume.saved.retain(|saved| saved.id != id);
        }
        // B7: a state of the child.
        if let Some(parent) = before
            .parent
            .as_deref()
            .and_then(|parent| self.find_mut(parent))
        {
            let key = Key::Subagent(id.to_owned());
            parent.revived.retain(|revived| *revived != key);
        }
        if let Some(list) = &list {
            self.begin_to_list(&before, list);
        }
        let event = self.event;
        let Some(session) = self.find_mut(id) else {
            return;
        };
        session.had_list |= list.is_some();
        session.list = list;
        set_foreground(session, foreground, reason.clone(), event);
        let ended = before.foreground != "idle"
            && foreground == "idle"
            && !before.first_snapshot
            && before.window.is_none();
        if ended {
            self.turn_ended(id, reason.as_deref(), error);
        }
    }

    /// B7, X5: what the list before did not hold.
    fn begin_to_list(&mut self, before: &Session, list: &[Key]) {
        let held = before.list.clone().unwrap_or_default();
        let new: Vec<&Key> = list.iter().filter(|key| !held.contains(key)).collect();
        for key in &new {
            if let Key::Subagent(child) = key
                && self.child(before, child).is_some()
            {
                self.reopen(child);
            }
        }
        let mut revived = before.revived.clone();
        for key in new {
            let finished = match key {
                Key::ToolCall(id) => before.call(id).is_some_and(Call::is_final),
                Key::Terminal(id) => before.terminal(id).is_some_and(|one| one.exit.is_some()),
                _ => self.finished_itself(before, key),
            };
            if finished && !revived.contains(key) {
                revived.push(key.clone());
            }
        }
        revived.retain(|key| list.contains(key));
        if let Some(session) = self.find_mut(&before.id) {
            session.revived = revived;
        }
    }

    pub(super) fn turn_ended(&mut self, id: &str, reason: Option<&str>, error: Option<Value>) {
        let ended = serde_json::json!({ "sessionId": id, "stopReason": reason, "error": error });
        self.said.turns_ended.push((id.to_owned(), ended));
    }

    /// T1, T4, X4: the call, created when it is new, its mark of a close lifted.
    fn touch_call(&mut self, session: &str, id: &str) -> &mut Call {
        let (now, event) = (self.now, self.event);
        let session = self.ensure(session);
        let at = match session.calls.iter().position(|call| call.id == id) {
            Some(at) => at,
            None => {
                session.calls.push(Call {
                    id: id.to_owned(),
                    title: None,
                    kind: "other".to_owned(),
                    status: "pending".to_owned(),
                    can_cancel: false,
                    content: Vec::new(),
                    mark: Mark::None,
                    task_end: None,
                    handed_off: None,
                    started_at: now,
                    ended_at: None,
                    created: event,
                });
                session.calls.len() - 1
            }
        };
        let call = &mut session.calls[at];
        if call.mark == Mark::Closed {
            call.mark = Mark::None;
        }
        call
    }

    /// T1 to T3, T7, C2, B7, J4
    pub(super) fn patch_call(&mut self, session: &str, id: &str, update: &Value) {
        let (now, v1) = (self.now, self.v1);
        let call = self.touch_call(session, id);
        patch(update, "title", v1, some_text).onto(&mut call.title, None);
        patch(update, "kind", v1, text).onto(&mut call.kind, "other".to_owned());
        patch(update, "capabilities", v1, cancel_advertised).onto(&mut call.can_cancel, false);
        let items = |value: &Value| {
            value
                .as_array()
                .map(|items| items.iter().filter_map(content_item).collect())
        };
        patch(update, "content", v1, items).onto(&mut call.content, Vec::new());
        let status = match patch(update, "status", v1, text) {
            Patch::Leave => return,
            Patch::Reset => "pending".to_owned(),
            Patch::Set(status) => status,
        };
        call.task_end = None;
        if is_final(&status) {
            call.mark = Mark::None;
            if !call.is_final() {
                call.ended_at = Some(now);
            }
        } else {
            if call.mark == (Mark::Cancelled { liftable: true }) {
                call.mark = Mark::None;
            }
            call.ended_at = None;
        }
        call.status = status;
        self.not_revived(session, &Key::ToolCall(id.to_owned()));
    }

    fn not_revived(&mut self, session: &str, key: &Key) {
        if let Some(session) = self.find_mut(session) {
            session.revived.retain(|revived| revived != key);
        }
    }

    /// M1: the terminal, created when it is new, the client's marks lifted (X4, J4).
    pub(super) fn touch_terminal(&mut self, session: &str, id: &str) -> &mut Terminal {
        let (now, event) = (self.now, self.event);
        let session = self.ensure(session);
        let at = match session.terminals.iter().position(|one| one.id == id) {
            Some(at) => at,
            None => {
                session.terminals.push(Terminal {
                    id: id.to_owned(),
                    command: None,
                    cwd: None,
                    exit: None,
                    can_cancel: false,
                    closed_mark: false,
                    task_exit: false,
                    stopped: false,
                    output: Vec::new(),
                    started_at: now,
                    ended_at: None,
                    created: event,
                });
                session.terminals.len() - 1
            }
        };
        let terminal = &mut session.terminals[at];
        terminal.closed_mark = false;
        terminal.task_exit = false;
        terminal
    }

    /// M1, M2
    fn patch_terminal(&mut self, session: &str, id: &str, update: &Value) {
        let terminal = self.touch_terminal(session, id);
        patch(update, "command", false, some_text).onto(&mut terminal.command, None);
        patch(update, "cwd", false, some_text).onto(&mut terminal.cwd, None);
        patch(update, "capabilities", false, cancel_advertised)
            .onto(&mut terminal.can_cancel, false);
        let data = |output: &Value| output.get("data")?.as_str().and_then(base64);
        patch(update, "output", false, data).onto(&mut terminal.output, Vec::new());
        let exit = |status: &Value| {
            status
                .as_object()
                .map(|_| Some(read_exit(status, "exitCode")))
        };
        match patch(update, "exitStatus", false, exit) {
            Patch::Leave => {}
            Patch::Reset => self.set_exit(session, id, None),
            Patch::Set(exit) => self.set_exit(session, id, exit),
        }
    }

    /// T7, B7: an exit status was reported.
    pub(super) fn set_exit(
        &mut self,
        session: &str,
        id: &str,
        exit: Option<(Option<i64>, Option<String>)>,
    ) {
        let now = self.now;
        let key = Key::Terminal(id.to_owned());
        let ran_on = self
            .find(session)
            .is_some_and(|one| one.revived.contains(&key));
        let terminal = self.touch_terminal(session, id);
        if exit.is_none() {
            terminal.ended_at = None;
        } else if terminal.exit.is_none() || ran_on {
            terminal.ended_at = Some(now);
        }
        terminal.exit = exit;
        self.not_revived(session, &Key::Terminal(id.to_owned()));
    }

    /// M2
    fn output_chunk(&mut self, session: &str, id: &str, update: &Value) {
        let data = update.get("data").and_then(Value::as_str).and_then(base64);
        if let Some(data) = data {
            self.output(session, id, &data, false);
        }
    }

    pub(super) fn output(&mut self, session: &str, id: &str, data: &[u8], replace: bool) {
        let Some(session) = self.find_mut(session).filter(|session| !session.closed) else {
            return;
        };
        if let Some(terminal) = session.terminals.iter_mut().find(|one| one.id == id) {
            if replace {
                terminal.output.clear();
            }
            terminal.output.extend_from_slice(data);
        }
    }
}

/// F5, C2: the foreground reads this now.
pub(super) fn set_foreground(session: &mut Session, to: &str, reason: Option<String>, event: u64) {
    if is_busy(to) && !is_busy(&session.foreground) {
        session.busy_from = event;
    }
    if to != "idle" {
        session.stop_reason = None;
    } else {
        session.stop_reason = reason.or_else(|| session.stop_reason.take());
        for call in &mut session.calls {
            if let Mark::Cancelled { liftable } = &mut call.mark {
                *liftable = true;
            }
        }
    }
    session.first_snapshot = false;
    session.foreground = to.to_owned();
}
