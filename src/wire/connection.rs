//! JSON-RPC in both directions: turns a message into the event that it means. Remembers only which
//! requests are in flight; ids of the agent's requests and of the client's are separate.

use super::message::{Answer, Message, Method};
use crate::event::{
    Event, ExitStatus, Patch, RequestId, RpcError, StopTarget, TerminalUpdate, Unreadable,
};
use crate::saved::{saved_enum, saved_struct};
use alloc::{boxed::Box, string::String, vec::Vec};

/// The requests in flight on one connection.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Connection {
    sent: Vec<(RequestId, Sent)>,
    served: Vec<(RequestId, Served)>,
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

/// A request of the agent that the client serves by itself (rule V3). Those that the user answers need no
/// memory here: any other answer of the client is one to them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Served {
    service: Service,
    session: String,
    /// Empty until the answer names it, when it is to be created.
    terminal: String,
    command: Option<String>,
    cwd: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Service {
    #[default]
    Create,
    Output,
    Wait,
}

/// What a message comes to.
#[derive(Debug, PartialEq)]
pub(crate) enum Meaning<'a> {
    Event(Event<&'a str>),
    /// What the client does for a terminal of that session (rule V3).
    Terminal(&'a str, Box<TerminalUpdate<&'a str>>),
    Unreadable(Unreadable, Option<&'a str>),
    /// A response that cannot be read, and what it means all the same.
    Broken(Unreadable, Option<Box<Event<&'a str>>>),
    Nothing,
}

impl Connection {
    /// Forgets what is in flight, as the connection was lost (rule R3).
    pub(crate) fn reset(&mut self) {
        self.sent.clear();
        self.served.clear();
    }

    /// Takes out the request of the client that a message from the agent answers.
    pub(crate) fn answered_by_agent(&mut self, message: &Message<'_>) -> Option<Sent> {
        take(&mut self.sent, message.answers()?)
    }

    /// Takes out the request of the agent that a message to it answers.
    pub(crate) fn answered_by_client(&mut self, message: &Message<'_>) -> Option<Served> {
        take(&mut self.served, message.answers()?)
    }

    /// What a message from the agent means; `answered` is the request that it answers.
    pub(crate) fn received<'a>(
        &mut self,
        message: Message<'a>,
        answered: Option<&'a Sent>,
    ) -> Meaning<'a> {
        match message {
            Message::Call { id, call } => self.agent_call(id, call).unwrap_or(Meaning::Nothing),
            Message::Response { id, answer } => match answered {
                Some(request) => agent_answer(request, id, answer),
                None => Meaning::Nothing,
            },
            Message::BrokenResponse { id } => {
                let answer = Err(no_answer());
                let event = match answered.map(|request| agent_answer(request, id, answer)) {
                    Some(Meaning::Event(event)) => Some(Box::new(event)),
                    _ => None,
                };
                Meaning::Broken(NO_ANSWER, event)
            }
            Message::Unreadable(what, session) => Meaning::Unreadable(what, session),
            Message::Ignored => Meaning::Nothing,
        }
    }

    /// What a message to the agent means; `answered` is the request that it answers. One that cannot be
    /// read is for the agent to refuse: the problems of an outcome are the agent's.
    pub(crate) fn sent<'a>(
        &mut self,
        message: Message<'a>,
        answered: Option<&'a Served>,
    ) -> Meaning<'a> {
        let meaning = match message {
            Message::Call { id, call } => self.client_call(id, call).map(Meaning::Event),
            Message::Response { id, answer } => client_answer(answered, id, answer),
            Message::BrokenResponse { id } => client_answer(answered, id, Err(no_answer())),
            Message::Unreadable(..) | Message::Ignored => None,
        };
        meaning.unwrap_or(Meaning::Nothing)
    }

    fn agent_call<'a>(&mut self, id: Option<RequestId>, call: Method<'a>) -> Option<Meaning<'a>> {
        let event = match call {
            Method::Update(session_id, update) => Event::Update { session_id, update },
            Method::Permission(session_id, subject) => Event::PermissionRequested {
                request_id: self.ask(id?),
                session_id,
                subject,
            },
            Method::Elicitation(session_id) => Event::ElicitationRequested {
                request_id: self.ask(id?),
                session_id,
            },
            Method::CancelRequest(request_id) => Event::RequestCancelled { request_id },
            Method::TerminalCreate(new) => {
                let request = Served {
                    session: new.session,
                    command: new.command,
                    cwd: new.cwd,
                    ..Served::default()
                };
                self.serve(id?, request)
            }
            Method::TerminalOutput(session, terminal) => {
                self.serve(id?, Served::about(Service::Output, session, terminal))
            }
            Method::TerminalWait(session, terminal) => {
                self.serve(id?, Served::about(Service::Wait, session, terminal))
            }
            Method::TerminalRelease(session_id, terminal_id) => {
                let release = TerminalUpdate {
                    terminal_id,
                    released: true,
                    ..TerminalUpdate::default()
                };
                return Some(Meaning::Terminal(session_id, Box::new(release)));
            }
            Method::TurnStart(session_id) => Event::AgentTurnStarted { session_id },
            Method::TurnEnd(session_id) => Event::AgentTurnEnded {
                session_id,
                stop_reason: None,
            },
            Method::Initialize
            | Method::Open
            | Method::Resume(_)
            | Method::Close(_)
            | Method::Delete(_)
            | Method::Prompt(_)
            | Method::Cancel(_)
            | Method::StopToolCall(..)
            | Method::StopTerminal(..)
            | Method::StopTask(..) => return None,
        };
        Some(Meaning::Event(event))
    }

    /// Remembers a request of the agent. One that the user was to answer under the same id is replaced
    /// (rule P1): no answer can reach it any more.
    fn serve<'a>(&mut self, request_id: RequestId, request: Served) -> Event<&'a str> {
        put(&mut self.served, request_id.clone(), request);
        Event::RequestAnswered { request_id }
    }

    /// The id of a request that the user answers, which replaces any other.
    fn ask(&mut self, id: RequestId) -> RequestId {
        take(&mut self.served, &id);
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

impl Served {
    fn about(service: Service, session: &str, terminal: &str) -> Self {
        Self {
            service,
            session: session.into(),
            terminal: terminal.into(),
            ..Self::default()
        }
    }
}

/// What the agent's answer to a request of the client means.
fn agent_answer<'a>(request: &'a Sent, request_id: RequestId, answer: Answer<'a>) -> Meaning<'a> {
    let (result, error) = match answer {
        Ok(result) => (Some(result), None),
        Err(error) => (None, Some(error)),
    };
    Meaning::Event(match (request, &result) {
        (Sent::Initialize | Sent::Open | Sent::Delete(_), None) => return Meaning::Nothing,
        (Sent::Initialize, Some(result)) => match result.protocol_version {
            Some(protocol_version) => Event::Initialized {
                protocol_version,
                async_tasks: result.async_tasks,
            },
            None => return Meaning::Unreadable(NO_VERSION, None),
        },
        (Sent::Open, Some(result)) => match result.session_id {
            Some(session_id) => Event::SessionOpened { session_id },
            None => return Meaning::Unreadable(NO_SESSION, None),
        },
        (Sent::Delete(session_id), Some(_)) => Event::SessionDeleted { session_id },
        (Sent::Resume(session_id), _) => Event::ResumeAnswered { session_id, error },
        (Sent::Close(session_id), _) => Event::CloseAnswered { session_id, error },
        (Sent::Prompt, _) => Event::PromptAnswered {
            request_id,
            stop_reason: result.and_then(|result| result.stop_reason),
            error,
        },
        (Sent::Stop, _) => Event::StopAnswered {
            request_id,
            stopped: result.and_then(|result| result.stopped),
            error,
        },
    })
}

/// What an answer of the client means, to a request that it served or else to one of the user's.
fn client_answer<'a>(
    request: Option<&'a Served>,
    request_id: RequestId,
    answer: Answer<'a>,
) -> Option<Meaning<'a>> {
    let Some(request) = request else {
        return Some(Meaning::Event(Event::RequestAnswered { request_id }));
    };
    let answer = answer.ok()?;
    let update = match request.service {
        Service::Create => TerminalUpdate {
            terminal_id: answer.terminal_id?,
            command: request
                .command
                .as_deref()
                .map_or(Patch::Omitted, Patch::Value),
            cwd: request.cwd.as_deref().map_or(Patch::Omitted, Patch::Value),
            ..TerminalUpdate::default()
        },
        Service::Output => exited(&request.terminal, answer.exit_status?),
        Service::Wait => exited(&request.terminal, answer.exit),
    };
    Some(Meaning::Terminal(&request.session, Box::new(update)))
}

fn exited(terminal_id: &str, status: ExitStatus) -> TerminalUpdate<&str> {
    TerminalUpdate {
        terminal_id,
        exit: Patch::Value(status),
        ..TerminalUpdate::default()
    }
}

/// What a broken response should have held.
const NO_ANSWER: Unreadable = Unreadable {
    path: "result",
    expected: "a result or an error",
};

/// What the results of `initialize` and `session/new` must hold.
const NO_VERSION: Unreadable = Unreadable {
    path: "result.protocolVersion",
    expected: "a number",
};
const NO_SESSION: Unreadable = Unreadable {
    path: "result.sessionId",
    expected: "a string",
};

fn no_answer() -> RpcError {
    RpcError {
        code: 0,
        message: String::new(),
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
fn put<T>(requests: &mut Vec<(RequestId, T)>, id: RequestId, request: T) {
    take(requests, &id);
    requests.push((id, request));
}

/// Takes a request out. Few are in flight, so that it is found by looking at each.
fn take<T>(requests: &mut Vec<(RequestId, T)>, id: &RequestId) -> Option<T> {
    let place = requests.iter().position(|(pending, _)| pending == id)?;
    Some(requests.swap_remove(place).1)
}

saved_struct!(Connection { sent served });
saved_struct!(Served { service session terminal command cwd });
saved_enum!(Sent { Initialize 1 Open 2 Prompt 3 Stop } { 4 Resume 5 Close 6 Delete });
saved_enum!(Service { Create 1 Output 2 Wait });
