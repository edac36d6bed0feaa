//! Resumed sessions and lost connections (section 11).

use super::background::{List, SeenList};
use super::client::ClientState;
use super::effects::Effects;
use super::session::{EndOfTurn, Foreground, Session, SessionNo};
use super::sorted::Numbers;
use crate::event::RpcError;
use crate::saved::saved_struct;
use alloc::{boxed::Box, vec::Vec};

/// A resume that is sent and unanswered.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Resume {
    pub(crate) session: SessionNo,
    /// Tells apart what each of several resumes kept.
    serial: u64,
    /// The session and its descendants as of then (rule R1).
    members: Vec<SessionNo>,
}

/// A window of rule R4, in which replays pass through old states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Window {
    /// The session whose first snapshot ends it.
    pub(crate) owner: SessionNo,
    /// The resume whose answer ends it; none after a lost connection.
    resume: Option<u64>,
}

/// What an error response to a resume restores (rule R2).
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Kept {
    /// The resume that kept it: of two in flight, the first (rule R2).
    by: u64,
    foreground: Foreground,
    awaits_snapshot: bool,
    stop_reason: Option<Box<str>>,
    list: List,
    closed: bool,
    quiet_since: Option<f64>,
    awaits_resume: bool,
}

impl ClientState {
    /// `session/resume` was sent (rule R1).
    pub(crate) fn resume_sent(&mut self, session_id: &str) {
        // One more resume is no other reason to exist (rule R2).
        let known = self.find(session_id);
        let owner = known.unwrap_or_else(|| self.open(session_id));
        if known.is_none()
            && let Some(session) = self.session_mut(owner)
        {
            session.exists_by_resume = true;
        }
        let members = self.tree(owner);
        let serial = self.next_resume;
        self.next_resume += 1;
        for no in &members {
            if let Some(session) = self.session_mut(*no) {
                session.keep(serial);
                session.begin_resume();
            }
            let resume = Some(serial);
            self.enter_window(*no, Window { owner, resume });
        }
        self.resumes.push(Resume {
            session: owner,
            serial,
            members,
        });
    }

    /// It was answered (rules R2, R4, V1, J1, J2). An answer to a resume that nobody sent changes
    /// nothing.
    pub(crate) fn resume_answered(
        &mut self,
        session_id: &str,
        error: Option<&RpcError>,
        effects: &mut Effects,
    ) {
        let Some(owner) = self.find(session_id) else {
            return;
        };
        let sent = self.resumes.iter().position(|it| it.session == owner);
        let Some(resume) = sent.map(|sent| self.resumes.remove(sent)) else {
            return;
        };
        let is_only_by_resume = self
            .sessions
            .get(owner)
            .is_some_and(|session| session.exists_by_resume);
        // Children first: whether a parent is quiet again depends on theirs.
        let mut parents = Numbers::default();
        for no in resume.members.iter().rev() {
            if let Some(session) = self.session_mut(*no) {
                match error {
                    None => session.resume_succeeded(resume.serial, effects.at),
                    Some(_) => session.restore(resume.serial),
                }
            }
            if error.is_some() {
                self.settle_one(*no, &mut parents);
            }
        }
        while let Some(parent) = parents.pop_last() {
            self.visited.add(parent);
        }
        if error.is_none()
            && let Some(session) = self.session_mut(owner)
        {
            session.exists_by_resume = false;
            let session_id = session.id.clone();
            if let Some(end) = session.resume_v1() {
                effects.end_turn(&session_id, end);
            }
        }
        self.end_window(owner, Some(resume.serial));
        let is_awaited = self.resumes.iter().any(|it| it.session == owner);
        if error.is_some() && is_only_by_resume && !is_awaited {
            self.delete_one(owner, effects);
        }
    }

    /// The connection was lost (rule R3).
    pub(crate) fn disconnected(&mut self) {
        self.connection.reset();
        self.resumes.clear();
        let sessions: Vec<SessionNo> = self.sessions.iter().map(|(no, _)| no).collect();
        for no in sessions {
            self.lose(no);
        }
    }

    /// The agent does not have the session any more (rules P6, R3).
    pub(crate) fn lose_tree(&mut self, root: SessionNo) {
        let tree = self.tree(root);
        self.resumes
            .retain(|resume| !tree.contains(&resume.session));
        for no in tree {
            self.lose(no);
        }
    }

    fn lose(&mut self, no: SessionNo) {
        for arrival in self.requests.arrivals(|request| request.session == no) {
            if let Some(request) = self.requests.take(arrival) {
                self.forget_request(arrival, &request);
            }
        }
        let prompts = self.prompts.arrivals(|prompt| prompt.session == no);
        for arrival in &prompts {
            self.prompts.take(*arrival);
        }
        self.void_stops(no);
        let now = self.now;
        let Some(session) = self.session_mut(no) else {
            return;
        };
        if !prompts.is_empty() {
            session.prompts.clear();
            session.touch();
        }
        session.lose(now);
        if !session.closed {
            let (owner, resume) = (no, None);
            self.enter_window(no, Window { owner, resume });
        }
    }

    /// A window of rule R4 begins, or begins again for another owner.
    fn enter_window(&mut self, no: SessionNo, window: Window) {
        self.leave_window(no);
        if let Some(session) = self.session_mut(no) {
            session.window = Some(window);
            self.watch_window(no, window);
        }
    }

    pub(crate) fn watch_window(&mut self, no: SessionNo, window: Window) {
        self.windows.add(window.owner, Numbers::default());
        if let Some(members) = self.windows.get_mut(window.owner) {
            members.add(no);
        }
    }

    /// The session is in no window any more, without the event having ended it.
    pub(crate) fn leave_window(&mut self, no: SessionNo) {
        let window = self.sessions.get_mut(no).and_then(|it| it.window.take());
        if let Some(Window { owner, .. }) = window
            && let Some(members) = self.windows.get_mut(owner)
        {
            members.remove(no);
            if members.is_empty() {
                self.windows.remove(owner);
            }
        }
    }

    /// The windows that `owner` keeps open end by this event: by its snapshot, or by the answer to the
    /// resume that began them (rule R4).
    pub(crate) fn end_window(&mut self, owner: SessionNo, answered: Option<u64>) {
        let members: Vec<SessionNo> = match self.windows.get(owner) {
            Some(members) => members.keys().collect(),
            None => return,
        };
        for no in members {
            let window = self.sessions.get(no).and_then(|session| session.window);
            if answered.is_some() && window.and_then(|window| window.resume) != answered {
                continue;
            }
            self.leave_window(no);
            if let Some(session) = self.session_mut(no) {
                session.dirty.left_window = true;
                session.dirty.relist = true;
                if session.has_abandoned() {
                    // The window had hidden it (rule D1).
                    session.touch_outward();
                }
            }
        }
    }
}

impl Session {
    /// Keeps what an error response restores; of two resumes in flight the first keeps it.
    fn keep(&mut self, by: u64) {
        if self.kept.is_none() {
            self.kept = Some(Box::new(Kept {
                by,
                foreground: self.stored_foreground().clone(),
                awaits_snapshot: self.awaits_snapshot,
                stop_reason: self.stop_reason.clone(),
                list: self.list.clone(),
                closed: self.closed,
                quiet_since: self.quiet_since,
                awaits_resume: self.awaits_resume,
            }));
        }
    }

    fn begin_resume(&mut self) {
        if core::mem::take(&mut self.closed) {
            self.refresh_tasks();
            self.touch_outward();
        }
        self.awaits_resume = true;
        self.make_unknown();
        self.dirty.relist = true;
    }

    /// Puts back what the resume `by` kept, if no state has arrived since.
    fn restore(&mut self, by: u64) {
        if self.kept.is_none() {
            // A state has arrived: what it says holds, and the resume was answered (rule J1).
            self.awaits_resume = false;
            self.dirty.relist = true;
        }
        let Some(kept) = self.kept.take_if(|kept| kept.by == by) else {
            return;
        };
        let before = self.look_whole();
        let was_quiet = self.quiet_since.is_some();
        let Kept {
            foreground,
            awaits_snapshot,
            stop_reason,
            list,
            closed,
            quiet_since,
            awaits_resume,
            by: _,
        } = *kept;
        self.restore_list(list);
        self.closed = closed;
        // A turn of v1 may have begun or ended meanwhile; one that nobody ends would hang the client.
        let follows_turns = self.protocol.is_v1 && !closed;
        if !(follows_turns && self.is_running() && self.has_open_turn()) {
            let is_over =
                follows_turns && foreground == Foreground::Running && !self.has_open_turn();
            self.put_foreground(if is_over {
                Foreground::Idle
            } else {
                foreground
            });
            self.awaits_snapshot = awaits_snapshot && !is_over;
            self.stop_reason = stop_reason;
            // A turn has ended like by a snapshot (rule C2).
            self.idle_snapshots = self.idle_snapshots.saturating_add(is_over.into());
        }
        if closed {
            self.void_accepted_stops();
        }
        self.refresh_tasks();
        self.awaits_resume = awaits_resume;
        self.list_tasks();
        self.quiet_since = quiet_since.filter(|_| self.is_quiet());
        self.dirty.quiet_again = !was_quiet && self.quiet_since.is_some();
        if self.look_whole() != before {
            self.touch_requests();
        }
        self.dirty.relist = true;
    }

    /// What a resume may change of a session as a whole, as far as answers show it.
    fn look_whole(&self) -> (Foreground, Option<Box<str>>, SeenList, bool, Option<f64>) {
        let foreground = self.foreground().clone();
        let stop_reason = self.stop_reason.clone();
        (
            foreground,
            stop_reason,
            self.list.seen(),
            self.closed,
            self.quiet_since,
        )
    }

    fn resume_succeeded(&mut self, by: u64, at: f64) {
        self.kept.take_if(|kept| kept.by == by);
        self.awaits_resume = false;
        self.drop_unconfirmed_tasks(at);
        self.dirty.relist = true;
    }

    /// v1 has no snapshot that says what a resumed session does (rule V1).
    fn resume_v1(&mut self) -> Option<EndOfTurn> {
        if !self.protocol.is_v1 || self.closed {
            return None;
        }
        if self.prompts.is_empty() {
            let is_muted = self.window.is_some();
            self.become_idle(EndOfTurn::default()).filter(|_| !is_muted)
        } else {
            self.awaits_snapshot = false;
            self.set_foreground(Foreground::Running);
            None
        }
    }

    /// What a lost connection leaves of it (rule R3); requests, prompts and stops are void already.
    fn lose(&mut self, at: f64) {
        self.closes = 0;
        self.kept = None;
        self.agent_turns = 0;
        self.unconfirm_tasks(at);
        self.cancel_requested = false;
        self.void_accepted_stops();
        if !self.closed {
            self.awaits_resume = true;
            self.make_unknown();
        }
        self.dirty.relist = true;
    }
}

saved_struct!(Resume { session serial members });
saved_struct!(Window { owner resume });
saved_struct!(Kept {
    by foreground awaits_snapshot stop_reason list closed quiet_since awaits_resume
});
