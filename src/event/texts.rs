//! The same event with its texts held another way: borrowed, to be applied; owned, to be kept.

use super::{
    BackgroundItem, BackgroundList, Event, Patch, StateUpdate, SubagentUpdate, Subject,
    TaskSpawned, TerminalMeta, TerminalUpdate, ToolCallContent, ToolCallUpdate, Update,
};
#[cfg(feature = "json")]
use alloc::borrow::ToOwned;
use alloc::{boxed::Box, string::String};

impl Event {
    /// The event, borrowed.
    pub(crate) fn borrowed(&self) -> Event<&str> {
        self.map(&String::as_str)
    }
}

#[cfg(feature = "json")]
impl Event<&str> {
    /// The event, to be kept.
    pub(crate) fn owned(&self) -> Event {
        self.map(&|text| (*text).to_owned())
    }
}

/// How a text is held otherwise.
trait Hold<'a, T: 'a, U>: Fn(&'a T) -> U {}
impl<'a, T: 'a, U, F: Fn(&'a T) -> U> Hold<'a, T, U> for F {}

impl<T> Event<T> {
    fn map<'a, U>(&'a self, hold: &impl Hold<'a, T, U>) -> Event<U> {
        match self {
            Self::SessionOpened { session_id } => Event::SessionOpened {
                session_id: hold(session_id),
            },
            Self::Update { session_id, update } => Event::Update {
                session_id: hold(session_id),
                update: update.map(hold),
            },
            Self::PermissionRequested {
                request_id,
                session_id,
                subject,
            } => Event::PermissionRequested {
                request_id: request_id.clone(),
                session_id: hold(session_id),
                subject: subject.map(hold),
            },
            Self::ElicitationRequested {
                request_id,
                session_id,
            } => Event::ElicitationRequested {
                request_id: request_id.clone(),
                session_id: hold(session_id),
            },
            Self::RequestAnswered { request_id } => Event::RequestAnswered {
                request_id: request_id.clone(),
            },
            Self::RequestCancelled { request_id } => Event::RequestCancelled {
                request_id: request_id.clone(),
            },
            Self::PromptSent {
                request_id,
                session_id,
            } => Event::PromptSent {
                request_id: request_id.clone(),
                session_id: hold(session_id),
            },
            Self::PromptAnswered {
                request_id,
                stop_reason,
                error,
            } => Event::PromptAnswered {
                request_id: request_id.clone(),
                stop_reason: stop_reason.as_ref().map(hold),
                error: error.clone(),
            },
            Self::CancelSent { session_id } => Event::CancelSent {
                session_id: hold(session_id),
            },
            Self::StopSent {
                request_id,
                session_id,
                target,
            } => Event::StopSent {
                request_id: request_id.clone(),
                session_id: hold(session_id),
                target: target.clone(),
            },
            Self::StopAnswered {
                request_id,
                stopped,
                error,
            } => Event::StopAnswered {
                request_id: request_id.clone(),
                stopped: *stopped,
                error: error.clone(),
            },
            Self::CloseSent { session_id } => Event::CloseSent {
                session_id: hold(session_id),
            },
            Self::CloseAnswered { session_id, error } => Event::CloseAnswered {
                session_id: hold(session_id),
                error: error.clone(),
            },
            Self::ResumeSent { session_id } => Event::ResumeSent {
                session_id: hold(session_id),
            },
            Self::ResumeAnswered { session_id, error } => Event::ResumeAnswered {
                session_id: hold(session_id),
                error: error.clone(),
            },
            Self::SessionDeleted { session_id } => Event::SessionDeleted {
                session_id: hold(session_id),
            },
            Self::Initialized {
                protocol_version,
                async_tasks,
            } => Event::Initialized {
                protocol_version: *protocol_version,
                async_tasks: *async_tasks,
            },
            Self::AgentTurnStarted { session_id } => Event::AgentTurnStarted {
                session_id: hold(session_id),
            },
            Self::AgentTurnEnded {
                session_id,
                stop_reason,
            } => Event::AgentTurnEnded {
                session_id: hold(session_id),
                stop_reason: stop_reason.as_ref().map(hold),
            },
            Self::Disconnected => Event::Disconnected,
        }
    }
}

impl<T> Patch<T> {
    fn map<'a, U>(&'a self, change: impl FnOnce(&'a T) -> U) -> Patch<U> {
        match self.as_ref() {
            Patch::Omitted => Patch::Omitted,
            Patch::Null => Patch::Null,
            Patch::Value(value) => Patch::Value(change(value)),
        }
    }
}

impl<T> Update<T> {
    fn map<'a, U>(&'a self, hold: &impl Hold<'a, T, U>) -> Update<U> {
        match self {
            Self::State(state) => Update::State(state.map(hold)),
            Self::ToolCall(call) => Update::ToolCall(Box::new(call.map(hold))),
            Self::ToolCallContent {
                tool_call_id,
                content,
            } => Update::ToolCallContent {
                tool_call_id: hold(tool_call_id),
                content: content.as_ref().map(|item| item.map(hold)),
            },
            Self::Terminal(terminal) => Update::Terminal(Box::new(terminal.map(hold))),
            Self::TerminalOutput { terminal_id, data } => Update::TerminalOutput {
                terminal_id: hold(terminal_id),
                data: data.as_ref().map(hold),
            },
            Self::Subagent(child) => Update::Subagent(Box::new(child.map(hold))),
            Self::TaskSpawned(task) => Update::TaskSpawned(Box::new(task.map(hold))),
            Self::TaskState {
                async_task_id,
                state,
            } => Update::TaskState {
                async_task_id: hold(async_task_id),
                state: hold(state),
            },
            Self::TaskProgress { async_task_id } => Update::TaskProgress {
                async_task_id: hold(async_task_id),
            },
            Self::Ignored => Update::Ignored,
            Self::Unreadable(what) => Update::Unreadable(*what),
        }
    }
}

impl<T> StateUpdate<T> {
    fn map<'a, U>(&'a self, hold: &impl Hold<'a, T, U>) -> StateUpdate<U> {
        StateUpdate {
            state: hold(&self.state),
            stop_reason: self.stop_reason.as_ref().map(hold),
            error: self.error.clone(),
            background: self.background.map(hold),
        }
    }
}

impl<T> BackgroundList<T> {
    fn map<'a, U>(&'a self, hold: &impl Hold<'a, T, U>) -> BackgroundList<U> {
        match self {
            Self::NotReported => BackgroundList::NotReported,
            Self::Malformed { path, expected } => BackgroundList::Malformed {
                path: path.clone(),
                expected,
            },
            Self::Listed(items) => {
                BackgroundList::Listed(items.iter().map(|item| item.map(hold)).collect())
            }
            Self::Ended => BackgroundList::Ended,
        }
    }
}

impl<T> BackgroundItem<T> {
    fn map<'a, U>(&'a self, hold: &impl Hold<'a, T, U>) -> BackgroundItem<U> {
        match self {
            Self::Terminal(id) => BackgroundItem::Terminal(hold(id)),
            Self::ToolCall(id) => BackgroundItem::ToolCall(hold(id)),
            Self::Subagent(id) => BackgroundItem::Subagent(hold(id)),
            Self::Other(kind) => BackgroundItem::Other(hold(kind)),
        }
    }
}

impl<T> ToolCallUpdate<T> {
    fn map<'a, U>(&'a self, hold: &impl Hold<'a, T, U>) -> ToolCallUpdate<U> {
        ToolCallUpdate {
            tool_call_id: hold(&self.tool_call_id),
            status: self.status.map(hold),
            title: self.title.map(hold),
            kind: self.kind.map(hold),
            cancel: self.cancel,
            content: self
                .content
                .map(|items| items.iter().map(|item| item.map(hold)).collect()),
            meta: self.meta.as_ref().map(|meta| Box::new(meta.map(hold))),
        }
    }
}

impl<T> ToolCallContent<T> {
    fn map<'a, U>(&'a self, hold: &impl Hold<'a, T, U>) -> ToolCallContent<U> {
        match self {
            Self::Terminal(id) => ToolCallContent::Terminal(hold(id)),
            Self::Session(id) => ToolCallContent::Session(hold(id)),
        }
    }
}

impl<T> TerminalMeta<T> {
    fn map<'a, U>(&'a self, hold: &impl Hold<'a, T, U>) -> TerminalMeta<U> {
        let output = |(id, data): &'a (T, T)| (hold(id), hold(data));
        TerminalMeta {
            info: self
                .info
                .as_ref()
                .map(|(id, cwd)| (hold(id), cwd.as_ref().map(hold))),
            output: self.output.as_ref().map(output),
            output_delta: self.output_delta.as_ref().map(output),
            exit: self
                .exit
                .as_ref()
                .map(|(id, exit)| (hold(id), exit.clone())),
        }
    }
}

impl<T> TerminalUpdate<T> {
    fn map<'a, U>(&'a self, hold: &impl Hold<'a, T, U>) -> TerminalUpdate<U> {
        TerminalUpdate {
            terminal_id: hold(&self.terminal_id),
            command: self.command.map(hold),
            cwd: self.cwd.map(hold),
            exit: self.exit.clone(),
            cancel: self.cancel,
            output: self.output.map(hold),
            released: self.released,
        }
    }
}

impl<T> SubagentUpdate<T> {
    fn map<'a, U>(&'a self, hold: &impl Hold<'a, T, U>) -> SubagentUpdate<U> {
        SubagentUpdate {
            session_id: hold(&self.session_id),
            title: self.title.map(hold),
            cancel: self.cancel,
            state: self.state.map(|state| state.map(hold)),
            has_state: self.has_state,
        }
    }
}

impl<T> TaskSpawned<T> {
    fn map<'a, U>(&'a self, hold: &impl Hold<'a, T, U>) -> TaskSpawned<U> {
        TaskSpawned {
            async_task_id: hold(&self.async_task_id),
            name: self.name.as_ref().map(hold),
            task_type: self.task_type.as_ref().map(hold),
            can_stop: self.can_stop,
            tool_call_id: self.tool_call_id.as_ref().map(hold),
        }
    }
}

impl<T> Subject<T> {
    fn map<'a, U>(&'a self, hold: &impl Hold<'a, T, U>) -> Subject<U> {
        match self {
            Self::None => Subject::None,
            Self::ToolCall(call) => Subject::ToolCall(Box::new(call.map(hold))),
            Self::Untyped(call) => Subject::Untyped(Box::new(call.map(hold))),
            Self::Command {
                tool_call_id,
                terminal_id,
            } => Subject::Command {
                tool_call_id: tool_call_id.as_ref().map(hold),
                terminal_id: terminal_id.as_ref().map(hold),
            },
        }
    }
}
