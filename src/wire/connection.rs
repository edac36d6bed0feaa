//! JSON-RPC in both directions: turns a message into the event that it means. Remembers only which
//! requests are in flight; ids of the agent's requests and of the client's are separate.

use super::message::{Answer, Message, Method, NewTerminal};
use crate::event::{
    Event, Patch, RequestId, RpcError, StopTarget, TerminalUpdate, Unreadable, Update,
};
use crate::saved::{saved_enum, saved_struct};
use alloc::{boxed::Box, string::String, vec::Vec};

/// The requests in flight on one connection.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Connection {
    sent: Vec<(RequestId, Sent)>,
    received: Vec<(RequestId, Received)>,
}

/// A request of the client, by what its answer means.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Sent {
    #[default]
    Initialize,
    Open,
    Resume(String),
    Close(String),
    Delete(String),
    Prompt,
    Stop,
}

/// A request of the agent, by what its answer means.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Received {
    #[default]
    Ask,
    CreateTerminal(NewTerminal),
    TerminalOutput((String, String)),
    TerminalWait((String, String)),
}

/// What a message comes to.
#[derive(Debug, PartialEq)]
pub(crate) enum Meaning<'a> {
    Event(Event<&'a str>),
    Unreadable(Unreadable, Option<&'a str>),
    /// A response that cannot be read, and what it means all the same.
    Broken(Unreadable, Option<Box<Event<&'a str>>>),
    Nothing,
}

impl Connection {
    /// Forgets what is in flight, as the connection was lost (rule R3).
    pub(crate) fn reset(&mut self) {
        self.sent.clear();
        self.received.clear();
    }

    /// Forgets a request of the agent: no answer matters any more (rule P5).
    pub(crate) fn forget(&mut self, id: &RequestId) {
        take(&mut self.received, id);
    }

    /// Takes out the request of the client that a message from the agent answers.
    pub(crate) fn answered_by_agent(&mut self, message: &Message<'_>) -> Option<Sent> {
        take(&mut self.sent, message.answers()?)
    }

    /// Takes out the request of the agent that a message to it answers.
    pub(crate) fn answered_by_client(&mut self, message: &Message<'_>) -> Option<Received> {
        take(&mut self.received, message.answers()?)
    }

    /// What a message from the agent means; `answered` is the request that it answers.
    pub(crate) fn received<'a>(
        &mut self,
        message: Message<'a>,
        answered: Option<&'a Sent>,
    ) -> Meaning<'a> {
        let event = match message {
            Message::Call { id, call } => self.agent_call(id, call),
            Message::Response { id, answer } => {
                answered.and_then(|request| agent_answer(request, id, answer))
            }
            Message::BrokenResponse { id } => {
                let event =
                    answered.and_then(|request| agent_answer(request, id, Err(no_answer())));
                return Meaning::Broken(NO_ANSWER, event.map(Box::new));
            }
            Message::Unreadable(what, session) => return Meaning::Unreadable(what, session),
            Message::Ignored => None,
        };
        event.map_or(Meaning::Nothing, Meaning::Event)
    }

    /// What a message to the agent means; `answered` is the request that it answers. One that cannot be
    /// read is for the agent to refuse: the problems of an outcome are the agent's.
    pub(crate) fn sent<'a>(
        &mut self,
        message: Message<'a>,
        answered: Option<&'a Received>,
    ) -> Meaning<'a> {
        let event = match message {
            Message::Call { id, call } => self.client_call(id, call),
            Message::Response { id, answer } => {
                answered.and_then(|request| client_answer(request, id, answer))
            }
            Message::BrokenResponse { id } => {
                answered.and_then(|request| client_answer(request, id, Err(no_answer())))
            }
            Message::Unreadable(..) | Message::Ignored => None,
        };
        event.map_or(Meaning::Nothing, Meaning::Event)
    }

    fn agent_call<'a>(
        &mut self,
        id: Option<RequestId>,
        call: Method<'a>,
    ) -> Option<Event<&'a str>> {
        match call {
            Method::Update(session_id, update) => Some(Event::Update { session_id, update }),
            Method::Permission(session_id, subject) => {
                let request_id = self.ask(id?);
                Some(Event::PermissionRequested {
                    request_id,
                    session_id,
                    subject,
                })
            }
            Method::Elicitation(session_id) => {
                let request_id = self.ask(id?);
                Some(Event::ElicitationRequested {
                    request_id,
                    session_id,
                })
            }
            Method::CancelRequest(request_id) => Some(Event::RequestCancelled { request_id }),
            Method::TerminalCreate(new) => self.serve(id?, Received::CreateTerminal(new)),
            Method::TerminalOutput(session, terminal) => {
                let terminal = (session.into(), terminal.into());
                self.serve(id?, Received::TerminalOutput(terminal))
            }
            Method::TerminalWait(session, terminal) => {
                let terminal = (session.into(), terminal.into());
                self.serve(id?, Received::TerminalWait(terminal))
            }
            Method::TerminalRelease(session, terminal_id) => Some(terminal_event(
                session,
                TerminalUpdate {
                    terminal_id,
                    released: true,
                    ..TerminalUpdate::default()
                },
            )),
            Method::TurnStart(session_id) => Some(Event::AgentTurnStarted { session_id }),
            Method::TurnEnd(session_id) => Some(Event::AgentTurnEnded {
                session_id,
                stop_reason: None,
            }),
            Method::Initialize
            | Method::Open
            | Method::Resume(_)
            | Method::Close(_)
            | Method::Delete(_)
            | Method::Prompt(_)
            | Method::Cancel(_)
            | Method::StopToolCall(..)
            | Method::StopTerminal(..)
            | Method::StopTask(..) => None,
        }
    }

    /// Remembers a request of the agent that the client serves. One that the user was to answer under
    /// the same id is replaced (rule P1): no answer can reach it any more.
    fn serve<'a>(&mut self, request_id: RequestId, request: Received) -> Option<Event<&'a str>> {
        match put(&mut self.received, request_id.clone(), request) {
            Some(Received::Ask) => Some(Event::RequestAnswered { request_id }),
            _ => None,
        }
    }

    /// Remembers a request of the agent that the user answers.
    fn ask(&mut self, id: RequestId) -> RequestId {
        put(&mut self.received, id.clone(), Received::Ask);
        id
    }

    fn client_call<'a>(
        &mut self,
        id: Option<RequestId>,
        call: Method<'a>,
    ) -> Option<Event<&'a str>> {
        let (sent, event) = match call {
            Method::Cancel(session_id) => return Some(Event::CancelSent { session_id }),
            Method::Initialize => (Sent::Initialize, None),
            Method::Open => (Sent::Open, None),
            Method::Resume(session_id) => (
                Sent::Resume(session_id.into()),
                Some(Event::ResumeSent { session_id }),
            ),
            Method::Close(session_id) => (
                Sent::Close(session_id.into()),
                Some(Event::CloseSent { session_id }),
            ),
            Method::Delete(session_id) => (Sent::Delete(session_id.into()), None),
            Method::Prompt(session_id) => {
                let request_id = id.clone()?;
                (
                    Sent::Prompt,
                    Some(Event::PromptSent {
                        request_id,
                        session_id,
                    }),
                )
            }
            Method::StopToolCall(session, call) => {
                let tool_call_id = call.into();
                stop(id.as_ref()?, session, StopTarget::ToolCall { tool_call_id })
            }
            Method::StopTerminal(session, terminal) => {
                let terminal_id = terminal.into();
                stop(id.as_ref()?, session, StopTarget::Terminal { terminal_id })
            }
            Method::StopTask(session, task) => {
                let async_task_id = task.into();
                stop(id.as_ref()?, session, StopTarget::Task { async_task_id })
            }
            Method::Update(..)
            | Method::Permission(..)
            | Method::Elicitation(_)
            | Method::CancelRequest(_)
            | Method::TerminalCreate(_)
            | Method::TerminalOutput(..)
            | Method::TerminalWait(..)
            | Method::TerminalRelease(..)
            | Method::TurnStart(_)
            | Method::TurnEnd(_) => return None,
        };
        put(&mut self.sent, id?, sent);
        event
    }
}

/// What the agent's answer to a request of the client means.
fn agent_answer<'a>(
    request: &'a Sent,
    request_id: RequestId,
    answer: Answer<'a>,
) -> Option<Event<&'a str>> {
    let (result, error) = match answer {
        Ok(result) => (Some(result), None),
        Err(error) => (None, Some(error)),
    };
    Some(match request {
        Sent::Initialize => {
            let result = result?;
            Event::Initialized {
                protocol_version: result.protocol_version?,
                async_tasks: result.async_tasks,
            }
        }
        Sent::Open => Event::SessionOpened {
            session_id: result?.session_id?,
        },
        Sent::Resume(session_id) => Event::ResumeAnswered { session_id, error },
        Sent::Close(session_id) => Event::CloseAnswered { session_id, error },
        Sent::Delete(session_id) => {
            result?;
            Event::SessionDeleted { session_id }
        }
        Sent::Prompt => Event::PromptAnswered {
            request_id,
            stop_reason: result.and_then(|result| result.stop_reason),
            error,
        },
        Sent::Stop => Event::StopAnswered {
            request_id,
            stopped: result.and_then(|result| result.stopped),
            error,
        },
    })
}

/// What the client's answer to a request of the agent means.
fn client_answer<'a>(
    request: &'a Received,
    request_id: RequestId,
    answer: Answer<'a>,
) -> Option<Event<&'a str>> {
    let exit = |(session, terminal_id): &'a (String, String), status| {
        terminal_event(
            session,
            TerminalUpdate {
                terminal_id,
                exit: Patch::Value(status),
                ..TerminalUpdate::default()
            },
        )
    };
    Some(match request {
        Received::Ask => Event::RequestAnswered { request_id },
        Received::CreateTerminal(new) => terminal_event(
            &new.session,
            TerminalUpdate {
                terminal_id: answer.ok()?.terminal_id?,
                command: new.command.as_deref().map_or(Patch::Omitted, Patch::Value),
                cwd: new.cwd.as_deref().map_or(Patch::Omitted, Patch::Value),
                ..TerminalUpdate::default()
            },
        ),
        Received::TerminalOutput(terminal) => exit(terminal, answer.ok()?.exit_status?),
        Received::TerminalWait(terminal) => exit(terminal, answer.ok()?.exit),
    })
}

/// What a broken response should have held.
const NO_ANSWER: Unreadable = Unreadable {
    path: "result",
    expected: "a result or an error",
};

fn no_answer() -> RpcError {
    RpcError {
        code: 0,
        message: String::new(),
    }
}

fn terminal_event<'a>(session_id: &'a str, update: TerminalUpdate<&'a str>) -> Event<&'a str> {
    Event::Update {
        session_id,
        update: Update::Terminal(Box::new(update)),
    }
}

fn stop<'a>(
    request_id: &RequestId,
    session_id: &'a str,
    target: StopTarget,
) -> (Sent, Option<Event<&'a str>>) {
    let event = Event::StopSent {
        request_id: request_id.clone(),
        session_id,
        target,
    };
    (Sent::Stop, Some(event))
}

/// Remembers a request; one of the same id is replaced.
fn put<T>(requests: &mut Vec<(RequestId, T)>, id: RequestId, request: T) -> Option<T> {
    let replaced = take(requests, &id);
    requests.push((id, request));
    replaced
}

/// Takes a request out. Few are in flight, so that it is found by looking at each.
fn take<T>(requests: &mut Vec<(RequestId, T)>, id: &RequestId) -> Option<T> {
    let place = requests.iter().position(|(pending, _)| pending == id)?;
    Some(requests.swap_remove(place).1)
}

saved_struct!(Connection { sent received });
saved_enum!(Sent { Initialize 1 Open 2 Prompt 3 Stop } { 4 Resume 5 Close 6 Delete });
saved_enum!(Received { Ask } { 1 CreateTerminal 2 TerminalOutput 3 TerminalWait });
