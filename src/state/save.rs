//! A state as plain JSON, and back. What can be worked out again is not saved.

use alloc::vec::Vec;
use serde::Serialize;

use super::client::{ClientState, in_index};
use super::session::{Session, SessionNo};
use super::sorted::Numbers;
use super::table::No;
use super::work::Key;
use crate::saved::{Atom, Pass, Saved};
use crate::wire::name::Name;
use crate::wire::value::Value;

/// The format of what is saved; another one is refused.
const FORMAT: u32 = 1;

/// A state as a plain object: the format, and the values of the state in an order of our own.
#[derive(Serialize)]
pub(crate) struct SavedState {
    format: u32,
    state: Vec<Atom>,
}

#[cfg(feature = "json")]
impl Serialize for ClientState {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.clone().save().serialize(serializer)
    }
}

impl ClientState {
    /// What is to be saved. It changes nothing; each part goes the way on which it is also read.
    pub(crate) fn save(&mut self) -> SavedState {
        let mut through = Pass::writer();
        self.pass(&mut through);
        SavedState {
            format: FORMAT,
            state: through.into_atoms(),
        }
    }

    /// The state that was saved; `None` when this is none.
    pub(crate) fn restore<'a, V: Value<'a>>(saved: V) -> Option<Self> {
        let format = saved.field(Name::Format).and_then(|format| format.number());
        if format != Some(f64::from(FORMAT)) {
            return None;
        }
        let items = saved.field(Name::State)?.items()?;
        let atoms: Option<Vec<Atom>> = items.map(read_atom).collect();
        let mut from = Pass::reader(atoms?);
        let state = Self::load(&mut from)?;
        from.is_complete().then_some(state)
    }

    fn pass(&mut self, through: &mut Pass) {
        self.options.cancel_unattributed.pass(through);
        self.protocol.pass(through);
        self.connection.pass(through);
        self.next_session.pass(through);
        self.requests.pass(through);
        self.prompts.pass(through);
        self.stops.pass(through);
        self.resumes.pass(through);
        self.next_resume.pass(through);
        self.sessions.pass(through);
    }

    fn load(from: &mut Pass) -> Option<Self> {
        let mut state = Self::default();
        state.pass(from);
        // What leaves no room for more sessions was not saved by us.
        if in_index(state.next_session) > No::MAX / 2 {
            return None;
        }
        let numbers: Vec<SessionNo> = state.sessions.iter().map(|(no, _)| no).collect();
        for no in numbers {
            let id = state.sessions.get(no)?.id.clone();
            if state.find(&id).is_some() || no >= state.next_session {
                return None;
            }
            state.by_id.insert(&id, in_index(no));
            let session = state.sessions.get_mut(no)?;
            session.fill_sets();
            if !session.counts() {
                return None;
            }
            let window = session.window;
            if session.requires_action() {
                state.requiring_action.add(no);
            }
            if let Some(window) = window {
                state.watch_window(no, window);
            }
        }
        for (arrival, _, request) in state.requests.iter() {
            let session = state.sessions.get_mut(request.session)?;
            session.requests.add(arrival);
            session.open_requests += u32::from(!request.is_due);
        }
        for (arrival, _, prompt) in state.prompts.iter() {
            state.sessions.get_mut(prompt.session)?.prompts.add(arrival);
        }
        state.link_children()?;
        Some(state)
    }

    /// Gives parents their children back; refuses a session that would be its own ancestor.
    fn link_children(&mut self) -> Option<()> {
        let parents: Vec<(SessionNo, SessionNo)> = self
            .sessions
            .iter()
            .filter_map(|(no, session)| Some((no, session.parent?)))
            .collect();
        for (child, parent) in &parents {
            let id = self.sessions.get(*child)?.id.clone();
            let parent = self.sessions.get_mut(*parent)?;
            let link = parent.kids.number(&id);
            parent.children.insert(*child, link);
        }
        // From the roots down every session is met, unless some of them are a ring.
        let roots = self
            .sessions
            .iter()
            .filter(|(_, session)| session.parent.is_none());
        let met: usize = roots.map(|(root, _)| self.tree(root).len()).sum();
        (met == self.sessions.iter().count()).then_some(())
    }
}

fn read_atom<'a, V: Value<'a>>(value: V) -> Option<Atom> {
    if value.is_null() {
        Some(Atom::Null)
    } else if let Some(number) = value.number() {
        Some(Atom::Number(number))
    } else if let Some(boolean) = value.boolean() {
        Some(Atom::Boolean(boolean))
    } else {
        value.text().map(|text| Atom::Text(text.into()))
    }
}

impl Session {
    /// Whether no number was handed out beyond the last one.
    fn counts(&self) -> bool {
        let calls = self.calls.iter().map(|(_, call)| call.seq);
        let terminals = self.terminals.iter().map(|(_, terminal)| terminal.seq);
        let mut tasks = self.tasks.iter().map(|(_, task)| task.seq);
        let mut others = self.others.iter().map(|(no, _)| no);
        calls.chain(terminals).all(|seq| seq <= self.last_seq)
            && tasks.all(|seq| seq <= self.last_task_seq)
            && others.all(|no| no <= self.last_other.into())
    }

    /// Fills the sets that the tables hold already.
    fn fill_sets(&mut self) {
        for (no, call) in self.calls.iter() {
            if call.is_unfinished() {
                self.unfinished.insert(call.seq.into(), no);
            }
            if call.is_revived() {
                self.revived.insert(Key::ToolCall(no));
            }
        }
        for (no, task) in self.tasks.iter() {
            if task.is_live() {
                self.live_tasks.insert(task.seq.into(), no);
            }
        }
        let mut running = Numbers::default();
        for (no, terminal) in self.terminals.iter() {
            if self.is_terminal_running(terminal) {
                running.insert(terminal.seq.into(), no);
            }
            if terminal.work.revived {
                self.revived.insert(Key::Terminal(no));
            }
        }
        self.running = running;
        for (no, child) in self.kids.iter() {
            if child.work.revived {
                self.revived.insert(Key::Subagent(no));
            }
        }
    }
}
