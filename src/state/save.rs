//! A state as plain JSON, and back. What can be worked out again is not saved.

use alloc::vec::Vec;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::client::{ClientState, Options};
use super::session::{Session, SessionNo};
use super::sorted::Numbers;
use super::work::Key;
use crate::saved::{Atom, Reader, Saved, Writer};
use crate::wire::name::Name;
use crate::wire::value::Value;

/// The format of what is saved; another one is refused.
const FORMAT: u32 = 1;

/// A plain object: the format, and the values of the state in an order of our own.
impl Serialize for ClientState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut to = Writer::default();
        self.save(&mut to);
        let mut saved = serializer.serialize_struct("ClientState", 2)?;
        saved.serialize_field("format", &FORMAT)?;
        saved.serialize_field("state", &to.atoms)?;
        saved.end()
    }
}

impl ClientState {
    /// The state that was saved; `None` when this is none.
    pub(crate) fn restore<'a, V: Value<'a>>(saved: V) -> Option<Self> {
        let format = saved.field(Name::Format).and_then(|format| format.number());
        if format != Some(f64::from(FORMAT)) {
            return None;
        }
        let items = saved.field(Name::State)?.items()?;
        let atoms: Option<Vec<Atom>> = items.map(read_atom).collect();
        let mut from = Reader::new(atoms?);
        let state = Self::load(&mut from)?;
        from.is_complete().then_some(state)
    }

    fn save(&self, to: &mut Writer) {
        self.options.cancel_unattributed.save(to);
        self.protocol.save(to);
        self.connection.save(to);
        self.next_session.save(to);
        self.requests.save(to);
        self.prompts.save(to);
        self.stops.save(to);
        self.resumes.save(to);
        self.next_resume.save(to);
        self.sessions.save(to);
    }

    fn load(from: &mut Reader) -> Option<Self> {
        let mut state = Self {
            options: Options {
                cancel_unattributed: bool::restore(from),
            },
            protocol: Saved::restore(from),
            connection: Saved::restore(from),
            next_session: Saved::restore(from),
            requests: Saved::restore(from),
            prompts: Saved::restore(from),
            stops: Saved::restore(from),
            resumes: Saved::restore(from),
            next_resume: Saved::restore(from),
            sessions: Saved::restore(from),
            ..Self::default()
        };
        let numbers: Vec<SessionNo> = state.sessions.iter().map(|(no, _)| no).collect();
        for no in numbers {
            let session = state.sessions.get_mut(no)?;
            session.fill_sets();
            let (id, window) = (session.id.clone(), session.window);
            if session.requires_action() {
                state.requiring_action.add(no);
            }
            if state.by_id.insert(id, no).is_some() || no >= state.next_session {
                return None;
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
    /// Fills the sets that the tables hold already.
    fn fill_sets(&mut self) {
        for (no, call) in self.calls.iter() {
            if call.is_unfinished() {
                self.unfinished.insert(call.seq.into(), no);
            }
            if call.is_revived() {
                self.revived.insert(&Key::ToolCall(no));
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
                self.revived.insert(&Key::Terminal(no));
            }
        }
        self.running = running;
        for (no, child) in self.kids.iter() {
            if child.work.revived {
                self.revived.insert(&Key::Subagent(no));
            }
        }
    }
}
