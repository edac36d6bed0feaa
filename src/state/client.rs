//! Every session, request, prompt and stop of one connection, and the one way in: `apply`.

use super::effects::Effects;
use super::ledger::Ledger;
use super::request::{Prompt, Request};
use super::resume::Resume;
use super::session::{Foreground, Protocol, Session, SessionNo};
use super::sorted::{Keys, Numbers, Sorted};
use super::stop::SentStop;
use super::table::{Identified, Index, No};
use super::work::{Key, Other, Work};
use crate::answers::Outcome;
use crate::event::{BackgroundItem, BackgroundList, Event, StateUpdate, StopTarget, Update};
#[cfg(any(feature = "wasm", feature = "json"))]
use crate::event::{Patch, TerminalUpdate};
use crate::wire::Connection;
use alloc::{boxed::Box, string::String, vec::Vec};

/// How a [`ClientState`] decides what the protocol's texts leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether `cancel_sent` makes requests due that cannot be shown to belong to the cancelled work
    /// (rule C4). `true`, as the "v2 Background Work" proposal has it, unless set otherwise.
    pub cancel_unattributed: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cancel_unattributed: true,
        }
    }
}

/// Every session on one connection, as a pure function of the events that were applied.
///
/// Feed it each JSON-RPC message of both directions ([`Self::received`], [`Self::sent`]) or one typed
/// [`Event`] at a time ([`Self::apply`]); ask [`Self::session`] the questions.
#[derive(Debug, Clone, Default)]
pub struct ClientState {
    pub(crate) options: Options,
    pub(crate) protocol: Protocol,
    pub(crate) connection: Connection,
    pub(crate) sessions: Sorted<Box<Session>>,
    pub(crate) by_id: Index,
    pub(crate) next_session: SessionNo,
    pub(crate) requests: Ledger<Request>,
    pub(crate) prompts: Ledger<Prompt>,
    pub(crate) stops: Ledger<SentStop>,
    pub(crate) resumes: Vec<Resume>,
    pub(crate) next_resume: u64,
    /// The sessions in a window of rule R4, by the session that keeps it open.
    pub(crate) windows: Sorted<Numbers>,
    /// The sessions that require action by their own word.
    pub(crate) requiring_action: Numbers,
    /// The time of the current event.
    pub(crate) now: f64,
    /// The sessions that the current event looked at to change them.
    pub(crate) visited: Numbers,
    /// The sessions that the current event deletes.
    pub(crate) deleted: Vec<SessionNo>,
}

impl ClientState {
    /// A state in which nothing has happened yet.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// The ids of the sessions that exist (rule F6), in the order in which they first existed.
    #[must_use]
    pub fn session_ids(&self) -> Vec<String> {
        let ids = self
            .sessions
            .iter()
            .map(|(_, session)| session.id.as_ref().into());
        ids.collect()
    }

    /// Applies one event that happened `at` that time, in ms; says what it changed.
    ///
    /// Never fails: what an agent sent that cannot be read comes back in [`Outcome::problems`]. A time
    /// that is no finite number counts as 0.
    pub fn apply(&mut self, event: Event, at: f64) -> Outcome {
        self.happened(event.borrowed(), at)
    }

    /// Applies one event that is not kept.
    pub(crate) fn happened(&mut self, event: Event<&str>, at: f64) -> Outcome {
        // Adding 0 makes -0, which JSON does not tell apart, 0.
        self.now = if at.is_finite() { at + 0.0 } else { 0.0 };
        let mut effects = Effects::new(self.now);
        self.dispatch(event, &mut effects);
        self.conclude(effects)
    }

    /// Takes a message from the agent, already read.
    #[cfg(any(feature = "wasm", feature = "json"))]
    pub(crate) fn receive(&mut self, message: crate::wire::Message<'_>, at: f64) -> Outcome {
        let answered = self.connection.answered_by_agent(&message);
        let meaning = self.connection.received(message, answered.as_ref());
        self.apply_meaning(meaning, at)
    }

    /// Takes a message to the agent, already read.
    #[cfg(any(feature = "wasm", feature = "json"))]
    pub(crate) fn send(&mut self, message: crate::wire::Message<'_>, at: f64) -> Outcome {
        let answered = self.connection.answered_by_client(&message);
        let meaning = self.connection.sent(message, answered.as_ref());
        self.apply_meaning(meaning, at)
    }

    #[cfg(any(feature = "wasm", feature = "json"))]
    fn apply_meaning(&mut self, meaning: crate::wire::Meaning<'_>, at: f64) -> Outcome {
        use crate::wire::Meaning;
        match meaning {
            Meaning::Event(event) => self.happened(event, at),
            Meaning::Terminal(session_id, update) => self.terminal_served(session_id, update, at),
            Meaning::Unreadable(what, session_id) => {
                let mut effects = Effects::new(at);
                effects.malformed("malformed_message", session_id, what);
                self.conclude(effects)
            }
            Meaning::Broken(what, event) => {
                let mut outcome =
                    event.map_or(Outcome::default(), |event| self.happened(*event, at));
                let mut effects = Effects::new(at);
                effects.malformed("malformed_message", None, what);
                outcome.problems.append(&mut effects.problems);
                outcome
            }
            Meaning::Nothing => Outcome::default(),
        }
    }

    /// What the client itself does for a terminal (rule V3). In a closed session nothing, and no problem of
    /// the agent's: what the close stopped exits and is released afterwards. A new terminal of a closed
    /// child is a sign of life (rule X5).
    #[cfg(any(feature = "wasm", feature = "json"))]
    fn terminal_served(
        &mut self,
        session_id: &str,
        update: Box<TerminalUpdate<&str>>,
        at: f64,
    ) -> Outcome {
        let says_end = update.released || update.exit != Patch::Omitted;
        let session = self.find(session_id).and_then(|no| self.sessions.get(no));
        if session.is_some_and(|it| it.closed && (says_end || !self.may_reopen(it))) {
            return Outcome::default();
        }
        let update = Update::Terminal(update);
        self.happened(Event::Update { session_id, update }, at)
    }

    fn dispatch(&mut self, event: Event<&str>, effects: &mut Effects) {
        match event {
            Event::SessionOpened { session_id } => {
                self.open(session_id);
            }
            Event::Update { session_id, update } => self.updated(session_id, update, effects),
            Event::PermissionRequested {
                request_id,
                session_id,
                subject,
            } => self.permission_requested(request_id, session_id, &subject, effects),
            Event::ElicitationRequested {
                request_id,
                session_id,
            } => self.elicitation_requested(request_id, session_id, effects),
            Event::RequestAnswered { request_id } => self.remove_request(&request_id),
            Event::RequestCancelled { request_id } => self.request_cancelled(&request_id, effects),
            Event::PromptSent {
                request_id,
                session_id,
            } => self.prompt_sent(request_id, session_id),
            Event::PromptAnswered {
                request_id,
                stop_reason,
                error,
            } => self.prompt_answered(&request_id, stop_reason, error, effects),
            Event::CancelSent { session_id } => self.cancel_sent(session_id, effects),
            // A child is stopped by a cancel of it (rule S5).
            Event::StopSent {
                target: StopTarget::Session { session_id },
                ..
            } => self.cancel_sent(&session_id, effects),
            Event::StopSent {
                request_id,
                session_id,
                target,
            } => self.stop_sent(request_id, session_id, &target),
            Event::StopAnswered {
                request_id,
                stopped,
                error,
            } => self.stop_answered(&request_id, stopped, error, effects),
            Event::CloseSent { session_id } => self.close_sent(session_id, effects),
            Event::CloseAnswered { session_id, error } => {
                self.close_answered(session_id, error.as_ref(), effects);
            }
            Event::ResumeSent { session_id } => self.resume_sent(session_id),
            Event::ResumeAnswered { session_id, error } => {
                self.resume_answered(session_id, error.as_ref(), effects);
            }
            Event::SessionDeleted { session_id } => self.delete(session_id, effects),
            Event::Initialized {
                protocol_version,
                async_tasks,
            } => self.initialized(Protocol {
                is_v1: protocol_version == 1,
                has_async_tasks: async_tasks,
            }),
            Event::AgentTurnStarted { session_id } => self.agent_turn_started(session_id),
            Event::AgentTurnEnded {
                session_id,
                stop_reason,
            } => self.agent_turn_ended(session_id, stop_reason, effects),
            Event::Disconnected => self.disconnected(),
        }
    }

    fn initialized(&mut self, protocol: Protocol) {
        self.protocol = protocol;
        let sessions: Vec<SessionNo> = self.sessions.iter().map(|(no, _)| no).collect();
        for no in sessions {
            if let Some(session) = self.session_mut(no)
                && session.protocol != protocol
            {
                let before = session.foreground().clone();
                session.protocol = protocol;
                if *session.foreground() != before {
                    session.touch_outward();
                }
                session.dirty.relist = true;
            }
        }
    }

    /// A `session/update` (sections 1 to 4, 12 and 15).
    fn updated(&mut self, session_id: &str, update: Update<&str>, effects: &mut Effects) {
        match &update {
            Update::Ignored => return,
            Update::Unreadable(what) => {
                effects.malformed("malformed_update", Some(session_id), *what);
                return;
            }
            // Output is no sign of life (rule M2), so it makes no session exist either (rule F6).
            Update::TerminalOutput { terminal_id, data } => {
                let session = self.find_mut(session_id).filter(|session| !session.closed);
                if let (Some(session), Some(data)) = (session, data) {
                    session.append_output(terminal_id, data);
                }
                return;
            }
            Update::State(_)
            | Update::ToolCall(_)
            | Update::ToolCallContent { .. }
            | Update::Terminal(_)
            | Update::Subagent(_)
            | Update::TaskSpawned(_)
            | Update::TaskState { .. }
            | Update::TaskProgress { .. } => {}
        }
        let no = self.open(session_id);
        self.reopen(no);
        let at = effects.at;
        let Some(session) = self.session_mut(no) else {
            return;
        };
        if session.closed {
            effects.update_after_close(session_id);
            return;
        }
        match update {
            Update::State(state) => {
                if let BackgroundList::Malformed { path, expected } = &state.background
                    && !matches!(Foreground::read(state.state), Foreground::Other(_))
                {
                    effects.problem(
                        "malformed_background",
                        Some(session_id),
                        ["update.", path].concat(),
                        expected,
                    );
                }
                self.state_updated(no, &state, effects);
            }
            Update::ToolCall(call) => session.update_call(&call, at),
            Update::ToolCallContent {
                tool_call_id,
                content,
            } => session.append_content(tool_call_id, content, at),
            Update::Terminal(terminal) => session.update_terminal(&terminal, at),
            Update::Subagent(child) => self.subagent_updated(no, &child, effects),
            Update::TaskSpawned(task) => {
                if let Some(end) = session.task_spawned(&task, at) {
                    effects.end_turn(session_id, end);
                }
            }
            Update::TaskState {
                async_task_id,
                state,
            } => {
                if let Some(end) = session.task_state(async_task_id, state, at) {
                    effects.end_turn(session_id, end);
                }
            }
            Update::TaskProgress { .. }
            | Update::TerminalOutput { .. }
            | Update::Ignored
            | Update::Unreadable(_) => {}
        }
    }

    /// A snapshot of the foreground and the background list (sections 1 and 2).
    pub(crate) fn state_updated(
        &mut self,
        no: SessionNo,
        update: &StateUpdate<&str>,
        effects: &mut Effects,
    ) {
        let foreground = Foreground::read(update.state);
        let Some(session) = self.session_mut(no).filter(|session| !session.closed) else {
            return;
        };
        session.kept = None;
        let is_muted = session.window.is_some();
        let reports_list = !matches!(foreground, Foreground::Other(_));
        if foreground == Foreground::Idle {
            let end = super::session::EndOfTurn {
                stop_reason: update.stop_reason.map(Into::into),
                error: update.error.clone(),
            };
            if let Some(end) = session.become_idle(end).filter(|_| !is_muted) {
                let session_id = session.id.clone();
                effects.end_turn(&session_id, end);
            }
        } else {
            session.awaits_snapshot = false;
            session.set_foreground(foreground);
        }
        self.child_reported(no);
        self.background_updated(no, &update.background, reports_list);
        self.end_window(no, None);
    }

    fn background_updated(
        &mut self,
        no: SessionNo,
        background: &BackgroundList<&str>,
        reports_list: bool,
    ) {
        let Some(session) = self.session_mut(no) else {
            return;
        };
        let items = match background {
            BackgroundList::Listed(items) if reports_list => items,
            BackgroundList::Ended if reports_list => {
                session.report_ended();
                return;
            }
            BackgroundList::Listed(_)
            | BackgroundList::Ended
            | BackgroundList::Malformed { .. }
            | BackgroundList::NotReported => {
                session.list_not_reported();
                return;
            }
        };
        let keys = session.number_items(items);
        let closed: Vec<Box<str>> = keys
            .iter()
            .filter_map(|key| match key {
                Key::Subagent(link) => session.kids.get(*link),
                Key::Terminal(_) | Key::ToolCall(_) | Key::Task(_) | Key::Other(_) => None,
            })
            .filter(|child| child.is_adopted && child.standing.is_closed && !child.work.listed)
            .map(|child| child.id().into())
            .collect();
        for id in closed {
            if let Some(child) = self.find(&id) {
                self.reopen(child);
            }
        }
        if let Some(session) = self.session_mut(no) {
            session.report_list(keys);
        }
    }

    /// `session/cancel` was sent (section 7, rule S5).
    fn cancel_sent(&mut self, session_id: &str, effects: &mut Effects) {
        let Some(no) = self.find(session_id) else {
            return;
        };
        let all = self.options.cancel_unattributed || self.protocol.is_v1;
        self.make_cancelled_due(no, all, effects);
        let Some(session) = self.session_mut(no) else {
            return;
        };
        let calls = session.calls_to_cancel();
        session.mark_cancelled(&calls);
        let is_stop = session.parent.is_some()
            && !session.closed
            && *session.stored_foreground() != Foreground::Idle;
        if is_stop {
            // Its parent shows it, by the child's standing.
            session.cancel_requested = true;
            session.dirty.relist = true;
        }
    }

    /// The session of that id, which exists from now on (rule F6).
    pub(crate) fn open(&mut self, session_id: &str) -> SessionNo {
        if let Some(no) = self.find(session_id) {
            self.stays(no);
            return no;
        }
        let no = self.next_session;
        self.next_session += 1;
        let mut session = Session::new(session_id, self.protocol, self.now);
        session.touch_outward();
        session.dirty.relist = true;
        self.by_id.insert(session_id, in_index(no));
        self.sessions.add(no, Box::new(session));
        self.visited.add(no);
        no
    }

    /// The session exists for more than a resume (rule R2).
    pub(crate) fn stays(&mut self, no: SessionNo) {
        if let Some(session) = self.sessions.get_mut(no) {
            session.exists_by_resume = false;
        }
    }

    pub(crate) fn find(&self, session_id: &str) -> Option<SessionNo> {
        let is_it = |no: No| {
            let session = self.sessions.get(no.into());
            session.is_some_and(|session| *session.id == *session_id)
        };
        self.by_id.find(session_id, &is_it).map(SessionNo::from)
    }

    /// A session that the current event may change.
    pub(crate) fn session_mut(&mut self, no: SessionNo) -> Option<&mut Session> {
        let session = self.sessions.get_mut(no)?;
        self.visited.add(no);
        Some(session)
    }

    pub(crate) fn find_mut(&mut self, session_id: &str) -> Option<&mut Session> {
        let no = self.find(session_id)?;
        self.session_mut(no)
    }
}

/// The number of a session as the index has it: no connection has four billion.
pub(crate) fn in_index(no: SessionNo) -> No {
    No::try_from(no).unwrap_or(No::MAX)
}

/// A number by position first, so that those in one place of a list stand together.
fn in_place(position: u32, no: u64) -> u64 {
    u64::from(position) << 32 | no
}

impl Session {
    /// The keys of a list's items, each once (rule B5).
    fn number_items(&mut self, items: &[BackgroundItem<&str>]) -> Vec<Key> {
        self.forget_others();
        let known = self.others_in_place();
        let mut seen = Keys::default();
        let mut keys = Vec::with_capacity(items.len());
        for (position, item) in (0..).zip(items) {
            let key = match item {
                BackgroundItem::Terminal(id) => Key::Terminal(self.terminals.number(id)),
                BackgroundItem::ToolCall(id) => Key::ToolCall(self.calls.number(id)),
                BackgroundItem::Subagent(id) => Key::Subagent(self.kids.number(id)),
                BackgroundItem::Other(kind) => {
                    Key::Other(self.number_other(&known, position, kind))
                }
            };
            if seen.insert(key) {
                keys.push(key);
            }
        }
        keys
    }

    /// The number of an item of an unknown type: that of a known one in its place, when it is of its type.
    fn number_other(&mut self, known: &Numbers, position: u32, kind: &str) -> No {
        let is_here = |key: &u64| key >> 32 == u64::from(position);
        let here = known.keys_from(in_place(position, 0)).take_while(is_here);
        // The number is the lower half.
        let mut here = here.map(|key| key & u64::from(No::MAX));
        let is_it = |no: &u64| self.others.get(*no).is_some_and(|it| *it.kind == *kind);
        if let Some(no) = here.find(is_it) {
            return in_index(no);
        }
        self.last_other = self.last_other.saturating_add(1);
        let other = Other {
            position,
            kind: kind.into(),
            work: Work::default(),
        };
        self.others.add(self.last_other.into(), other);
        self.last_other
    }

    /// The items of unknown types, by [`in_place`].
    fn others_in_place(&self) -> Numbers {
        let mut places = Numbers::default();
        for (no, other) in self.others.iter() {
            places.add(in_place(other.position, no));
        }
        places
    }

    /// Forgets the items of unknown types that nothing shows any more. What a resume kept needs none: a snapshot came.
    fn forget_others(&mut self) {
        self.others
            .retain(|_, other| other.work.listed || other.work.since.get().is_some());
    }
}
