//! JSON-RPC in both directions: turns a message into the event that it means. Remembers only which
//! requests are in flight; ids of the agent's requests and of the client's are separate.

use super::message::{Message, Method, NewTerminal, ResultFields};
use crate::event::{
    Event, ExitStatus, Patch, RequestId, RpcError, StopTarget, TerminalUpdate, Unreadable, Update,
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
#[derive(Debug, Clone, PartialEq, Eq)]
enum Sent {
    Initialize,
    Open,
    Resume(String),
    Close(String),
    Delete(String),
    Prompt,
    Stop,
}

/// A request of the agent, by what its answer means.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Received {
    Ask,
    CreateTerminal(NewTerminal),
    TerminalOutput((String, String)),
    TerminalWait((String, String)),
}

/// What a message comes to.
#[derive(Debug, PartialEq)]
pub(crate) enum Meaning {
    Event(Event),
    Unreadable(Unreadable, Option<String>),
    /// A response that cannot be read, and what it means all the same.
    Broken(Unreadable, Option<Box<Event>>),
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

    /// What a message from the agent means.
    pub(crate) fn received(&mut self, message: Message) -> Meaning {
        let event = match message {
            Message::Call { id, call } => self.agent_call(id, call),
            Message::Response { id, answer } => self.agent_answer(&id, answer),
            Message::BrokenResponse { id } => {
                let event = self.agent_answer(&id, Err(no_answer()));
                return Meaning::Broken(NO_ANSWER, event.map(Box::new));
            }
            Message::Unreadable(what, session) => return Meaning::Unreadable(what, session),
            Message::Ignored => None,
        };
        event.map_or(Meaning::Nothing, Meaning::Event)
    }

    /// What a message to the agent means. One that cannot be read is for the agent to refuse: the
    /// problems of an outcome are the agent's.
    pub(crate) fn sent(&mut self, message: Message) -> Meaning {
        let event = match message {
            Message::Call { id, call } => self.client_call(id, call),
            Message::Response { id, answer } => self.client_answer(id, answer),
            Message::BrokenResponse { id } => self.client_answer(id, Err(no_answer())),
            Message::Unreadable(..) | Message::Ignored => None,
        };
        event.map_or(Meaning::Nothing, Meaning::Event)
    }

    fn agent_call(&mut self, id: Option<RequestId>, call: Method) -> Option<Event> {
        match call {
            Method::Update(session_id, update) => Some(Event::Update { session_id, update }),
            Method::Permission(session_id, subject) => {
                let request_id = self.ask(id?)?;
                Some(Event::PermissionRequested {
                    request_id,
                    session_id,
                    subject,
                })
            }
            Method::Elicitation(session_id) => {
                let request_id = self.ask(id?)?;
                Some(Event::ElicitationRequested {
                    request_id,
                    session_id,
                })
            }
            Method::CancelRequest(request_id) => Some(Event::RequestCancelled { request_id }),
            Method::TerminalCreate(new) => self.serve(id?, Received::CreateTerminal(new)),
            Method::TerminalOutput(session, terminal) => {
                self.serve(id?, Received::TerminalOutput((session, terminal)))
            }
            Method::TerminalWait(session, terminal) => {
                self.serve(id?, Received::TerminalWait((session, terminal)))
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
    fn serve(&mut self, request_id: RequestId, request: Received) -> Option<Event> {
        match put(&mut self.received, request_id.clone(), request) {
            Some(Received::Ask) => Some(Event::RequestAnswered { request_id }),
            _ => None,
        }
    }

    /// Remembers a request of the agent that the user answers.
    fn ask(&mut self, id: RequestId) -> Option<RequestId> {
        put(&mut self.received, id.clone(), Received::Ask);
        Some(id)
    }

    fn client_call(&mut self, id: Option<RequestId>, call: Method) -> Option<Event> {
        let (sent, event) = match call {
            Method::Cancel(session_id) => return Some(Event::CancelSent { session_id }),
            Method::Initialize => (Sent::Initialize, None),
            Method::Open => (Sent::Open, None),
            Method::Resume(session_id) => (
                Sent::Resume(session_id.clone()),
                Some(Event::ResumeSent { session_id }),
            ),
            Method::Close(session_id) => (
                Sent::Close(session_id.clone()),
                Some(Event::CloseSent { session_id }),
            ),
            Method::Delete(session_id) => (Sent::Delete(session_id), None),
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
            Method::StopToolCall(session, tool_call_id) => (
                Sent::Stop,
                Some(stop(
                    id.as_ref()?,
                    session,
                    StopTarget::ToolCall { tool_call_id },
                )),
            ),
            Method::StopTerminal(session, terminal_id) => (
                Sent::Stop,
                Some(stop(
                    id.as_ref()?,
                    session,
                    StopTarget::Terminal { terminal_id },
                )),
            ),
            Method::StopTask(session, async_task_id) => (
                Sent::Stop,
                Some(stop(
                    id.as_ref()?,
                    session,
                    StopTarget::Task { async_task_id },
                )),
            ),
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

    fn agent_answer(
        &mut self,
        id: &RequestId,
        answer: Result<Box<ResultFields>, RpcError>,
    ) -> Option<Event> {
        let request = take(&mut self.sent, id)?;
        let (result, error) = match answer {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        match request {
            Sent::Initialize => {
                let result = result?;
                Some(Event::Initialized {
                    protocol_version: result.protocol_version?,
                    async_tasks: result.async_tasks,
                })
            }
            Sent::Open => Some(Event::SessionOpened {
                session_id: result?.session_id?,
            }),
            Sent::Resume(session_id) => Some(Event::ResumeAnswered { session_id, error }),
            Sent::Close(session_id) => Some(Event::CloseAnswered { session_id, error }),
            Sent::Delete(session_id) => result.map(|_| Event::SessionDeleted { session_id }),
            Sent::Prompt => Some(Event::PromptAnswered {
                request_id: id.clone(),
                stop_reason: result.and_then(|result| result.stop_reason),
                error,
            }),
            Sent::Stop => Some(Event::StopAnswered {
                request_id: id.clone(),
                stopped: result.and_then(|result| result.stopped),
                error,
            }),
        }
    }

    fn client_answer(
        &mut self,
        request_id: RequestId,
        answer: Result<Box<ResultFields>, RpcError>,
    ) -> Option<Event> {
        let exit = |session, terminal_id, status| {
            terminal_event(
                session,
                TerminalUpdate {
                    terminal_id,
                    exit: Patch::Value(status),
                    ..TerminalUpdate::default()
                },
            )
        };
        match take(&mut self.received, &request_id)? {
            Received::Ask => Some(Event::RequestAnswered { request_id }),
            Received::CreateTerminal(new) => Some(terminal_event(
                new.session,
                TerminalUpdate {
                    terminal_id: answer.ok()?.terminal_id?,
                    command: new.command.map_or(Patch::Omitted, Patch::Value),
                    cwd: new.cwd.map_or(Patch::Omitted, Patch::Value),
                    ..TerminalUpdate::default()
                },
            )),
            Received::TerminalOutput((session, terminal)) => {
                Some(exit(session, terminal, answer.ok()?.exit_status?))
            }
            Received::TerminalWait((session, terminal)) => {
                let ExitStatus { exit_code, signal } = answer.ok()?.exit;
                Some(exit(session, terminal, ExitStatus { exit_code, signal }))
            }
        }
    }
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

fn terminal_event(session_id: String, update: TerminalUpdate) -> Event {
    Event::Update {
        session_id,
        update: Update::Terminal(Box::new(update)),
    }
}

fn stop(request_id: &RequestId, session_id: String, target: StopTarget) -> Event {
    Event::StopSent {
        request_id: request_id.clone(),
        session_id,
        target,
    }
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
