//! A state as plain JSON, and back. What can be worked out again is not saved.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::client::{ClientState, Options};
use super::ledger::Ledger;
use super::request::{Prompt, Request};
use super::resume::Resume;
use super::session::{Protocol, Session, SessionNo};
use super::stop::SentStop;
use super::table::Identified;
use super::work::Key;
use crate::wire::Connection;

/// The format of what is saved; another one is refused.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Saved<'a> {
    format: u32,
    cancel_unattributed: bool,
    protocol: Protocol,
    connection: &'a Connection,
    next_session: SessionNo,
    sessions: Vec<(SessionNo, &'a Session)>,
    requests: &'a Ledger<Request>,
    prompts: &'a Ledger<Prompt>,
    stops: &'a Ledger<SentStop>,
    resumes: &'a [Resume],
    next_resume: u64,
}

#[derive(Deserialize)]
struct Restored {
    format: u32,
    cancel_unattributed: bool,
    protocol: Protocol,
    connection: Connection,
    next_session: SessionNo,
    sessions: Vec<(SessionNo, Session)>,
    requests: Ledger<Request>,
    prompts: Ledger<Prompt>,
    stops: Ledger<SentStop>,
    resumes: Vec<Resume>,
    next_resume: u64,
}

impl Serialize for ClientState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Saved {
            format: FORMAT,
            cancel_unattributed: self.options.cancel_unattributed,
            protocol: self.protocol,
            connection: &self.connection,
            next_session: self.next_session,
            sessions: self
                .sessions
                .iter()
                .map(|(no, session)| (*no, session))
                .collect(),
            requests: &self.requests,
            prompts: &self.prompts,
            stops: &self.stops,
            resumes: &self.resumes,
            next_resume: self.next_resume,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ClientState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let restored = Restored::deserialize(deserializer)?;
        if restored.format != FORMAT {
            return Err(D::Error::custom("a state saved in another format"));
        }
        restored.into_state().map_err(D::Error::custom)
    }
}

impl Restored {
    fn into_state(self) -> Result<ClientState, &'static str> {
        let mut state = ClientState {
            options: Options {
                cancel_unattributed: self.cancel_unattributed,
            },
            protocol: self.protocol,
            connection: self.connection,
            next_session: self.next_session,
            sessions: self.sessions.into_iter().collect(),
            requests: self.requests,
            prompts: self.prompts,
            stops: self.stops,
            resumes: self.resumes,
            next_resume: self.next_resume,
            ..ClientState::default()
        };
        for (no, session) in &mut state.sessions {
            session.fill_sets();
            state.next_session = state.next_session.max(no.saturating_add(1));
            if state.by_id.insert(session.id.clone(), *no).is_some() {
                return Err("a session id that is there twice");
            }
            if let Some(window) = session.window {
                state.windows.entry(window.owner).or_default().insert(*no);
            }
        }
        state.link_children()?;
        let requiring = state
            .sessions
            .iter()
            .filter(|(_, session)| session.requires_action());
        state.requiring_action = requiring.map(|(no, _)| *no).collect();
        for (arrival, _, request) in state.requests.iter() {
            if let Some(session) = state.sessions.get_mut(&request.session) {
                session.requests.insert(arrival);
                session.open_requests += u32::from(!request.is_due);
            }
        }
        for (arrival, _, prompt) in state.prompts.iter() {
            if let Some(session) = state.sessions.get_mut(&prompt.session) {
                session.prompts.insert(arrival);
            }
        }
        Ok(state)
    }
}

impl ClientState {
    /// Gives parents their children back; refuses a session that would be its own ancestor.
    fn link_children(&mut self) -> Result<(), &'static str> {
        let mut rooted: BTreeSet<SessionNo> = BTreeSet::new();
        let parents: BTreeMap<SessionNo, SessionNo> = self
            .sessions
            .iter()
            .filter_map(|(no, session)| Some((*no, session.parent?)))
            .collect();
        for (no, session) in &self.sessions {
            let mut path = BTreeSet::new();
            let mut next = Some(*no);
            while let Some(no) = next.filter(|no| !rooted.contains(no)) {
                if !path.insert(no) {
                    return Err("a session that is its own ancestor");
                }
                next = parents.get(&no).copied();
            }
            rooted.append(&mut path);
            if session
                .parent
                .is_some_and(|parent| !self.sessions.contains_key(&parent))
            {
                return Err("a child of no session");
            }
        }
        for (child, parent) in parents {
            let Some(id) = self.sessions.get(&child).map(|child| child.id.clone()) else {
                continue;
            };
            if let Some(parent) = self.sessions.get_mut(&parent) {
                let link = parent.kids.number(&id);
                parent.children.insert(child, link);
            }
        }
        Ok(())
    }
}

impl Session {
    /// Fills the sets that the tables hold already.
    fn fill_sets(&mut self) {
        let unfinished = self.calls.iter().filter(|(_, call)| call.is_unfinished());
        self.unfinished = unfinished.map(|(no, call)| (call.seq, no)).collect();
        let running = self
            .terminals
            .iter()
            .filter(|(_, terminal)| self.is_terminal_running(terminal));
        self.running = running.map(|(no, terminal)| (terminal.seq, no)).collect();
        let live = self.tasks.iter().filter(|(_, task)| task.is_live());
        self.live_tasks = live.map(|(no, task)| (task.seq, no)).collect();
        let calls = self.calls.iter().map(|(no, _)| Key::ToolCall(no));
        let terminals = self.terminals.iter().map(|(no, _)| Key::Terminal(no));
        let kids = self.kids.iter().map(|(no, _)| Key::Subagent(no));
        self.revived = calls
            .chain(terminals)
            .chain(kids)
            .filter(|key| self.work(key).is_some_and(|work| work.revived))
            .collect();
    }

    /// The id of a child, for answers.
    pub(crate) fn kid_id(&self, no: super::table::No) -> Option<String> {
        self.kids.get(no).map(|child| child.id().into())
    }
}
