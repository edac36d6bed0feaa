//! Section 10, and deleting.

use serde_json::{Value, json};

use super::apply::is_gone;
use super::data::{Mark, Model, number};

impl Model {
    /// X3
    pub(super) fn close_sent(&mut self, session: &str) {
        if self.find(session).is_none() {
            return;
        }
        self.closes.push(session.to_owned());
        self.make_due(|model, request| {
            request.session == session && model.answered_by_cancel(request)
        });
    }

    /// X4, X5
    pub(super) fn close_answered(&mut self, session: &str, error: Option<Value>) {
        let Some(at) = self.closes.iter().position(|one| one == session) else {
            return;
        };
        self.closes.remove(at);
        if error.is_some_and(|error| !is_gone(&error)) {
            return;
        }
        let closed = self.with_descendants(session);
        self.closes.retain(|one| !closed.contains(one));
        self.make_due(|_, request| closed.contains(&request.session));
        let done: Vec<bool> = self.sessions.iter().map(|one| self.is_done(one)).collect();
        for (session, was_done) in self.sessions.iter_mut().zip(done) {
            if !closed.contains(&session.id) {
                continue;
            }
            session.window = None;
            if session.closed {
                continue;
            }
            session.was_done = was_done;
            for call in &mut session.calls {
                if call.unfinished() {
                    call.mark = Mark::Closed;
                }
            }
            for terminal in &mut session.terminals {
                if terminal.exit.is_none() {
                    terminal.closed_mark = true;
                }
            }
            session.closed = true;
            session.foreground = "idle".to_owned();
            session.list = None;
            session.revived.clear();
            // Own: a turn that the close ended would hang the client once it is open again.
            session.agent_turns = 0;
        }
    }

    /// R6, P5, N1
    pub(super) fn session_deleted(&mut self, session: &str) {
        if self.find(session).is_none() {
            return;
        }
        let gone = self.with_descendants(session);
        for session in self.sessions.clone() {
            if !gone.contains(&session.id) {
                continue;
            }
            for (key, since) in &session.tracked {
                let mut item = self.item(&session, key);
                item["endedAt"] = number(self.end_of(&session, key, *since));
                item["status"] = json!("finished");
                item["since"] = Value::Null;
                item["outcome"] = json!("closed");
                item["stopTarget"] = Value::Null;
                item["stop"] = json!("none");
                self.said.ended.push((session.id.clone(), item));
            }
        }
        self.make_due(|_, request| gone.contains(&request.session));
        self.forget(&gone);
    }

    pub(super) fn forget(&mut self, gone: &[String]) {
        let stays = |id: &String| !gone.contains(id);
        self.sessions.retain(|one| stays(&one.id));
        self.void(gone);
        for resume in &mut self.resumes {
            resume.sessions.retain(stays);
            resume.saved.retain(|saved| stays(&saved.id));
        }
    }

    /// R3: what is pending of these sessions is void.
    pub(super) fn void(&mut self, sessions: &[String]) {
        let stays = |id: &String| !sessions.contains(id);
        self.requests.retain(|one| stays(&one.session));
        self.prompts.retain(|one| stays(&one.session));
        self.stops.retain(|one| stays(&one.session));
        self.resumes.retain(|one| stays(&one.session));
        self.closes.retain(stays);
    }
}
