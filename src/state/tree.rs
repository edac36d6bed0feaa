//! Parents and children (section 12), and what goes down the tree: closing (section 10), deleting
//! (rule R6). Trees are walked without recursion, whatever their depth (rule G4).

use super::client::{ClientState, in_index};
use super::effects::Effects;
use super::request::SESSION_NOT_FOUND;
use super::session::{Foreground, Session, SessionNo};
use super::tool_call::Mark;
use super::work::Key;
use crate::event::{Patch, RpcError, SubagentUpdate};
use alloc::{vec, vec::Vec};

impl ClientState {
    /// The session and its descendants, parents first.
    pub(crate) fn tree(&self, root: SessionNo) -> Vec<SessionNo> {
        let mut tree = vec![root];
        let mut next = 0;
        while let Some(no) = tree.get(next).copied() {
            next += 1;
            if let Some(session) = self.sessions.get(no) {
                tree.extend(session.children.keys());
            }
        }
        tree
    }

    /// The session and its ancestors, the nearest first.
    pub(crate) fn line(&self, no: SessionNo) -> impl Iterator<Item = SessionNo> {
        core::iter::successors(Some(no), |no| self.sessions.get(*no)?.parent)
    }

    /// A session names another its child (rules G1, G2, G4).
    pub(crate) fn subagent_updated(
        &mut self,
        parent: SessionNo,
        update: &SubagentUpdate<&str>,
        effects: &mut Effects,
    ) {
        let Some((child, link)) = self.adopt(parent, update.session_id) else {
            return;
        };
        if let Some(title) = update.title.into_change()
            && let Some(session) = self.session_mut(child)
            && session.title.as_deref() != title
        {
            session.title = title.map(Into::into);
            session.touch_outward();
        }
        if let Some(cancel) = update.cancel.into_change()
            && let Some(session) = self.session_mut(parent)
        {
            session.set_child_cancel(link, cancel.unwrap_or_default());
        }
        if update.has_state {
            self.reopen(child);
        }
        match &update.state {
            Patch::Omitted => {}
            Patch::Null => {
                if let Some(session) = self.session_mut(child).filter(|session| !session.closed) {
                    session.set_foreground(Foreground::Unknown);
                    session.list_not_reported();
                }
            }
            Patch::Value(state) => self.state_updated(child, state, effects),
        }
    }

    /// The child of that id, made one when it has no parent yet; `None` when it may not be one.
    fn adopt(
        &mut self,
        parent: SessionNo,
        session_id: &str,
    ) -> Option<(SessionNo, super::table::No)> {
        let child = match self.find(session_id) {
            Some(child) => {
                let session = self.sessions.get(child)?;
                match session.parent {
                    Some(other) if other != parent => return None,
                    Some(_) => {}
                    // Only a session with children of its own can be an ancestor of its parent.
                    None if child == parent => return None,
                    None if session.children.is_empty() => {}
                    None if self.line(parent).any(|ancestor| ancestor == child) => return None,
                    None => {}
                }
                self.stays(child);
                child
            }
            None => {
                let child = self.open(session_id);
                let session = self.session_mut(child)?;
                session.awaits_snapshot = true;
                session.set_foreground(Foreground::Unknown);
                child
            }
        };
        let session = self.session_mut(child)?;
        let is_new = session.parent.is_none();
        session.parent = Some(parent);
        let standing = session.standing();
        if is_new {
            // With it come the requests of its descendants.
            session.touch_requests();
        }
        let family = self.session_mut(parent)?;
        let link = family.kids.number(session_id);
        if is_new {
            family.children.insert(child, link);
            let entry = family.kids.get_mut(link)?;
            entry.is_adopted = true;
            entry.standing = standing;
            family.touch_outward();
            family.dirty.relist = true;
        }
        Some((child, link))
    }

    /// The state of a child was reported: its parent's list is no longer the later word (rule B7).
    pub(crate) fn child_reported(&mut self, child: SessionNo) {
        let parent = self.sessions.get(child).and_then(|child| child.parent);
        if let Some(parent) = parent
            && let Some(family) = self.session_mut(parent)
            && let Some(link) = family.children.get(child)
        {
            let key = Key::Subagent(link);
            family.drop_revival(key);
        }
    }

    /// A closed child goes on: it is open again, and nothing is known of what it does (rule X5).
    pub(crate) fn reopen(&mut self, no: SessionNo) {
        let session = self.sessions.get(no).filter(|session| session.closed);
        if session.is_some_and(|session| self.may_reopen(session))
            && let Some(session) = self.session_mut(no)
        {
            session.closed = false;
            session.refresh_tasks();
            session.make_unknown();
            session.touch_outward();
        }
    }

    /// Whether a closed session is a child that may go on.
    pub(crate) fn may_reopen(&self, session: &Session) -> bool {
        let parent = session.parent.and_then(|parent| self.sessions.get(parent));
        parent.is_some_and(|parent| !parent.closed)
    }

    /// `session/close` was sent (rule X3).
    pub(crate) fn close_sent(&mut self, session_id: &str, effects: &mut Effects) {
        let Some(no) = self.find(session_id) else {
            return;
        };
        self.make_cancelled_due(no, true, effects);
        if let Some(session) = self.session_mut(no) {
            let was_releasable = session.may_be_released();
            session.closes = session.closes.saturating_add(1);
            if was_releasable {
                session.touch();
            }
        }
    }

    /// It was answered (rules X4, X5). An answer to a close that nobody sent changes nothing.
    pub(crate) fn close_answered(
        &mut self,
        session_id: &str,
        error: Option<&RpcError>,
        effects: &mut Effects,
    ) {
        let Some(no) = self.find(session_id) else {
            return;
        };
        let Some(session) = self.session_mut(no).filter(|session| session.closes > 0) else {
            return;
        };
        session.closes -= 1;
        if session.may_be_released() {
            session.touch();
        }
        if error.is_none_or(|error| error.code == SESSION_NOT_FOUND) {
            for no in self.tree(no) {
                self.finalise(no, effects);
            }
        }
    }

    /// Closes one session (rule X4).
    fn finalise(&mut self, no: SessionNo, effects: &mut Effects) {
        self.make_all_due(no, effects);
        self.leave_window(no);
        if let Some(session) = self.session_mut(no) {
            session.finalise();
        }
    }

    /// The session is forgotten, with its descendants (rules R6, P5). What it tracked ends as closed.
    pub(crate) fn delete(&mut self, session_id: &str, effects: &mut Effects) {
        let Some(root) = self.find(session_id) else {
            return;
        };
        for no in self.tree(root) {
            self.delete_one(no, effects);
        }
    }

    /// The session goes when all that is to be said of it was said.
    pub(crate) fn delete_one(&mut self, no: SessionNo, effects: &mut Effects) {
        self.finalise(no, effects);
        self.void_stops(no);
        self.deleted.push(no);
    }

    /// Takes a session out, once all that is to be said of it was said.
    pub(crate) fn forget(&mut self, no: SessionNo) {
        self.leave_window(no);
        self.resumes.retain(|resume| resume.session != no);
        let Some(session) = self.sessions.remove(no) else {
            return;
        };
        self.by_id.remove(&session.id, in_index(no));
        self.requiring_action.remove(no);
        for arrival in self.requests.arrivals(|request| request.session == no) {
            self.requests.take(arrival);
        }
        for arrival in self.prompts.arrivals(|prompt| prompt.session == no) {
            self.prompts.take(arrival);
        }
        self.void_stops(no);
        for child in session.children.keys() {
            if let Some(child) = self.sessions.get_mut(child) {
                child.parent = None;
            }
        }
        if let Some(family) = session.parent.and_then(|parent| self.session_mut(parent))
            && let Some(link) = family.children.remove(no)
            && let Some(entry) = family.kids.get_mut(link)
        {
            // Listed, it is listed as never announced.
            entry.is_adopted = false;
            entry.standing = super::child::Standing::default();
            entry.cancel = false;
            family.touch_requests();
        }
    }
}

impl Session {
    fn set_child_cancel(&mut self, link: super::table::No, cancel: bool) {
        let Some(child) = self.kids.get_mut(link) else {
            return;
        };
        if child.cancel != cancel {
            child.cancel = cancel;
            let key = Key::Subagent(link);
            // Only a stop plan says it, and only where nothing before it refuses (rule S1).
            if !self.is_past_stopping(key)
                && self.stop_state(key) != crate::answers::StopState::Requested
            {
                self.touch_outward();
            }
        }
    }

    /// What a successful close makes of it (rule X4).
    fn finalise(&mut self) {
        self.closes = 0;
        self.agent_turns = 0;
        if self.closed {
            return;
        }
        self.was_done = self.standing().is_done;
        self.list_not_reported();
        self.set_foreground(Foreground::Idle);
        self.awaits_snapshot = false;
        self.closed = true;
        for key in self.revived.take() {
            if let Some(work) = self.work_mut(key) {
                work.revived = false;
            }
        }
        self.void_accepted_stops();
        self.refresh_tasks();
        let calls: Vec<_> = self.unfinished.values().collect();
        for no in calls {
            if let Some(call) = self.calls.get_mut(no) {
                call.more_mut().mark = Mark::Closed;
            }
            self.refresh_call(no);
        }
        let terminals: Vec<_> = self.running.values().collect();
        for no in terminals {
            if let Some(terminal) = self.terminals.get_mut(no) {
                terminal.presumed_exited = terminal.exit.is_none();
            }
            self.refresh_terminal(no);
        }
        self.touch_outward();
        self.dirty.relist = true;
    }
}
