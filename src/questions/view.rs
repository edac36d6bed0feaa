//! What is known of a session, a tool call or a terminal, as a client shows it.

use super::Session;
use crate::answers::{
    BackgroundReported, CallBackground, HandedOff, SessionSnapshot, Terminal, ToolCall,
    WorkItemType,
};
use crate::event::{ExitStatus, StopTarget};
use crate::state::{self, Identified, Key, No, Reported};
use alloc::{string::String, vec::Vec};

impl Session<'_> {
    /// A tool call; `None` for one that the agent never announced.
    #[must_use]
    pub fn tool_call(&self, tool_call_id: &str) -> Option<ToolCall> {
        let no = self.session.calls.find(tool_call_id)?;
        self.session.view_call(no)
    }

    /// A terminal; `None` for one that the agent never announced.
    #[must_use]
    pub fn terminal(&self, terminal_id: &str) -> Option<Terminal> {
        let no = self.session.terminals.find(terminal_id)?;
        self.session.view_terminal(no)
    }

    /// Everything that lives in the session; what has finished is left out.
    #[must_use]
    pub fn snapshot(&self) -> SessionSnapshot {
        let session = &*self.session;
        let id_of = |no| {
            let session = self.client.sessions.get(no);
            session.map(|session| session.id.as_ref().into())
        };
        let items = session.list.items().iter();
        let waiting = self.client.waiting();
        let background = match self.no {
            Some(no) => items
                .filter_map(|key| self.client.work_item(no, *key, &waiting))
                .collect(),
            None => Vec::new(),
        };
        SessionSnapshot {
            session_id: session.id.as_ref().into(),
            parent_id: session.parent.and_then(id_of),
            children: session.children.keys().filter_map(id_of).collect(),
            title: session.title.as_deref().map(Into::into),
            activity: session.activity(),
            foreground: if session.closed {
                "idle".into()
            } else {
                session.foreground().text().into()
            },
            stop_reason: session.stop_reason.as_deref().map(Into::into),
            background,
            background_reported: match session.list.reported() {
                Reported::Never => BackgroundReported::Never,
                Reported::Lost => BackgroundReported::Lost,
                Reported::Listed => BackgroundReported::Listed,
            },
            quiet_since: session.quiet_since,
            unfinished_tool_calls: session
                .unfinished
                .values()
                .filter_map(|no| session.view_call(no))
                .collect(),
            running_terminals: session
                .running
                .values()
                .filter_map(|no| session.view_terminal(no))
                .collect(),
            requests: self.requests(false),
            prompts: self.prompts(),
            version: session.version,
        }
    }
}

impl state::Session {
    pub(crate) fn view_call(&self, no: No) -> Option<ToolCall> {
        let call = self.calls.get(no).filter(|call| call.is_announced())?;
        let key = Key::ToolCall(no);
        let terminals = call.terminals();
        let terminals = terminals.filter_map(|no| self.terminals.get(no));
        Some(ToolCall {
            tool_call_id: call.id().into(),
            title: call.title().map(Into::into),
            kind: call.kind().into(),
            status: call.status_text().into(),
            shown: self.call_shown(call),
            background: self.call_background(call),
            handed_off: self.view_hand_off(call),
            terminals: terminals.map(|terminal| terminal.id().into()).collect(),
            sessions: call.sessions().filter_map(|no| self.kid_id(no)).collect(),
            stop_target: self.call_stop(no).and_then(|key| self.target(key)),
            stop: self.stop_state(key),
            started_at: call.started_at.get().unwrap_or_default(),
            ended_at: call.ended_at.get(),
        })
    }

    /// A finished call is background work only while a listed terminal of it runs on.
    pub(crate) fn call_background(&self, call: &state::ToolCall) -> Option<CallBackground> {
        if self.is_call_listed(call) {
            return Some(CallBackground::Listed);
        }
        let is_unfinished = call.is_unfinished();
        let is_live = self.some_terminal(call, &|terminal| {
            self.is_terminal_listed(terminal)
                && (is_unfinished || self.is_terminal_listed_running(terminal))
        });
        is_live.then_some(CallBackground::ByTerminal)
    }

    fn is_terminal_listed_running(&self, terminal: &state::Terminal) -> bool {
        !terminal.is_announced() || self.is_terminal_running(terminal)
    }

    fn view_hand_off(&self, call: &state::ToolCall) -> Option<HandedOff> {
        let key = call.more()?.handed_off.as_ref()?;
        let work = self.work(*key)?;
        let past = work.past.as_deref();
        let (since, ended_at, outcome) = match (work.since.get(), past) {
            (Some(since), _) => (since, None, None),
            (None, Some(past)) => (
                past.since,
                Some(past.ended_at),
                Some(past.outcome.as_ref().into()),
            ),
            (None, None) => return None,
        };
        let (r#type, id) = match self.target(*key)? {
            StopTarget::ToolCall { tool_call_id } => (WorkItemType::ToolCall, tool_call_id),
            StopTarget::Terminal { terminal_id } => (WorkItemType::Terminal, terminal_id),
            StopTarget::Session { session_id } => (WorkItemType::Subagent, session_id),
            StopTarget::Task { async_task_id } => (WorkItemType::Task, async_task_id),
        };
        Some(HandedOff {
            r#type,
            id,
            since,
            ended_at,
            outcome,
        })
    }

    /// The call itself, else the first of its terminals, else its task, that can be stopped.
    pub(crate) fn call_stop(&self, no: No) -> Option<Key> {
        let call = self.calls.get(no)?;
        let tasks = call.more().map_or(&[][..], |more| &more.tasks);
        core::iter::once(Key::ToolCall(no))
            .chain(call.terminals().map(Key::Terminal))
            .chain(tasks.iter().map(|(_, no)| Key::Task(*no)))
            .find(|key| self.stop_refusal(Some(*key)).is_none())
    }

    pub(crate) fn view_terminal(&self, no: No) -> Option<Terminal> {
        let terminal = self.terminals.get(no).filter(|it| it.is_announced())?;
        let key = Key::Terminal(no);
        let is_running = self.is_terminal_running(terminal);
        let exit = terminal.exit.as_deref().cloned();
        Some(Terminal {
            terminal_id: terminal.id().into(),
            command: terminal.command.as_deref().map(Into::into),
            cwd: terminal.cwd.as_deref().map(Into::into),
            exit: if is_running {
                None
            } else {
                Some(exit.unwrap_or(ExitStatus {
                    exit_code: None,
                    signal: None,
                }))
            },
            shown: self.terminal_shown(terminal),
            listed: self.is_terminal_listed(terminal),
            tool_call_ids: self.call_ids(&terminal.work.calls),
            stop_target: self.stop_target(key),
            stop: self.stop_state(key),
            output_tail: terminal.output.last_line(),
            started_at: terminal.started_at.get().unwrap_or_default(),
            ended_at: terminal.ended_at.get().filter(|_| !is_running),
        })
    }

    pub(super) fn call_ids(&self, calls: &[(u32, No)]) -> Vec<String> {
        calls
            .iter()
            .filter_map(|(_, no)| self.call_id(*no))
            .collect()
    }
}
