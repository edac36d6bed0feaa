//! Section 11: resumes and lost connections.

use super::data::{Model, Resume, Saved, Session, Window};
use super::update::set_foreground;

impl Model {
    /// R1, R2
    pub(super) fn resume_sent(&mut self, id: &str) {
        if self.find(id).is_none() {
            let mut new = Session::new(id, self.now);
            new.only_resumed = true;
            self.sessions.push(new);
        }
        let number = self.event;
        let sessions = self.with_descendants(id);
        let mut saved = Vec::new();
        for session in &mut self.sessions {
            if !sessions.contains(&session.id) {
                continue;
            }
            let kept = self
                .resumes
                .iter()
                .any(|resume| resume.saved.iter().any(|one| one.id == session.id));
            if !kept {
                saved.push(Saved {
                    id: session.id.clone(),
                    foreground: session.foreground.clone(),
                    list: session.list.clone(),
                    closed: session.closed,
                    quiet_since: session.quiet_since,
                    stop_reason: session.stop_reason.clone(),
                    first_snapshot: session.first_snapshot,
                    tasks_unreported: session.tasks_unreported,
                });
            }
            let window = Window {
                owner: id.to_owned(),
                resume: Some(number),
            };
            make_unknown(session, window);
        }
        self.resumes.push(Resume {
            number,
            session: id.to_owned(),
            sessions,
            saved,
        });
    }

    /// R2, R4, V1, J1, J2
    pub(super) fn resume_answered(&mut self, id: &str, failed: bool) {
        let Some(at) = self.resumes.iter().position(|one| one.session == id) else {
            return;
        };
        let resume = self.resumes.remove(at);
        let in_window: Vec<String> = self
            .sessions
            .iter()
            .filter(|session| session.window.is_some())
            .map(|session| session.id.clone())
            .collect();
        for session in &mut self.sessions {
            let of_this = |window: &Window| window.resume == Some(resume.number);
            if session.window.as_ref().is_some_and(of_this) {
                session.window = None;
            }
        }
        if failed {
            self.resume_failed(&resume);
            return;
        }
        let now = self.now;
        for session in &mut self.sessions {
            if !resume.sessions.contains(&session.id) {
                continue;
            }
            // R2: that it exists was said by the agent.
            if session.id == id {
                session.only_resumed = false;
            }
            session.tasks_unreported = false;
            for task in &mut session.tasks {
                if task.stale && task.live() {
                    task.end = Some("dropped".to_owned());
                    task.ended_at = Some(now);
                }
            }
        }
        let open = !self.prompts_of(id).is_empty();
        let (v1, event) = (self.v1, self.event);
        let Some(session) = self.find_mut(id).filter(|session| v1 && !session.closed) else {
            return;
        };
        let ended = session.foreground != "idle" && !session.first_snapshot && !open;
        let to = if open { "running" } else { "idle" };
        set_foreground(session, to, None, event);
        if ended && !in_window.iter().any(|one| one == id) {
            self.turn_ended(id, None, None);
        }
    }

    fn resume_failed(&mut self, resume: &Resume) {
        for saved in &resume.saved {
            let now = self
                .find(&saved.id)
                .map(|session| session.foreground.clone());
            if let Some(session) = self.find_mut(&saved.id) {
                session.foreground = saved.foreground.clone();
                session.list = saved.list.clone();
                session.closed = saved.closed;
                session.quiet_since = saved.quiet_since;
                session.stop_reason = saved.stop_reason.clone();
                session.first_snapshot = saved.first_snapshot;
                session.tasks_unreported = saved.tasks_unreported;
            }
            self.reconcile_v1(&saved.id, &now.unwrap_or_default());
        }
        for id in &resume.sessions {
            let kept = resume.saved.iter().any(|saved| saved.id == *id)
                || self
                    .resumes
                    .iter()
                    .any(|other| other.saved.iter().any(|saved| saved.id == *id));
            if !kept && let Some(session) = self.find_mut(id) {
                session.tasks_unreported = false;
            }
        }
        let again = self.resumes.iter().any(|one| one.session == resume.session);
        let gone = self
            .find(&resume.session)
            .is_some_and(|session| session.only_resumed && !again);
        if gone {
            self.forget(std::slice::from_ref(&resume.session));
        }
    }

    /// V1, own: a turn that began or ended while the foreground was unknown must not hang the client.
    fn reconcile_v1(&mut self, id: &str, now: &str) {
        let (v1, event) = (self.v1, self.event);
        let prompts = self.prompts_of(id).len();
        let Some(session) = self.find_mut(id).filter(|session| v1 && !session.closed) else {
            return;
        };
        let tasks = session
            .tasks
            .iter()
            .filter(|task| task.live() && task.is_turn());
        let open = prompts + session.agent_turns + tasks.count() > 0;
        if open && now == "running" {
            session.foreground = "running".to_owned();
            session.stop_reason = None;
            session.first_snapshot = false;
        } else if !open && session.foreground == "running" {
            set_foreground(session, "idle", None, event);
        }
    }

    /// R3
    pub(super) fn disconnected(&mut self) {
        let all: Vec<String> = self.sessions.iter().map(|one| one.id.clone()).collect();
        self.lost(&all);
        self.client_requests.clear();
        self.agent_requests.clear();
    }

    /// R3 for these sessions.
    pub(super) fn lost(&mut self, sessions: &[String]) {
        self.void(sessions);
        let now = self.now;
        for session in &mut self.sessions {
            if !sessions.contains(&session.id) {
                continue;
            }
            session.stop_requested = false;
            session.agent_turns = 0;
            for task in &mut session.tasks {
                if task.live() && task.is_turn() {
                    task.end = Some("dropped".to_owned());
                    task.ended_at = Some(now);
                } else {
                    task.stale = true;
                }
            }
            if !session.closed {
                let window = Window {
                    owner: session.id.clone(),
                    resume: None,
                };
                make_unknown(session, window);
            }
        }
    }
}

/// R1
fn make_unknown(session: &mut Session, window: Window) {
    session.foreground = "unknown".to_owned();
    session.stop_reason = None;
    session.list = None;
    session.closed = false;
    session.first_snapshot = true;
    session.tasks_unreported = true;
    session.window = Some(window);
}
