//! Sections 1, 2 and 15: the foreground, the list, what is listed and what has finished.

use std::borrow::Cow;

use super::data::{Call, Content, Key, Model, Session, Task, Terminal, is_busy};

impl Model {
    pub(super) fn find(&self, id: &str) -> Option<&Session> {
        self.sessions.iter().find(|session| session.id == id)
    }

    /// For questions: F6, an unknown id answers as a new session.
    pub(super) fn session_or_new(&self, id: &str) -> Cow<'_, Session> {
        match self.find(id) {
            Some(session) => Cow::Borrowed(session),
            None => Cow::Owned(Session::new(id, self.now)),
        }
    }

    pub(super) fn children(&self, id: &str) -> Vec<&Session> {
        self.sessions
            .iter()
            .filter(|session| session.parent.as_deref() == Some(id))
            .collect()
    }

    /// The session itself, then its children, theirs, and so on.
    pub(super) fn with_descendants(&self, id: &str) -> Vec<String> {
        let mut all = vec![id.to_owned()];
        let mut next = 0;
        while next < all.len() {
            for child in self.children(&all[next]) {
                all.push(child.id.clone());
            }
            next += 1;
        }
        all
    }

    /// The foreground as it reads (V1: `requires_action` while a request waits; X4: idle when closed).
    pub(super) fn foreground<'a>(&self, session: &'a Session) -> &'a str {
        if session.closed {
            return "idle";
        }
        let waits = self
            .requests
            .iter()
            .any(|request| request.session == session.id && !request.due);
        if self.v1 && session.foreground == "running" && waits {
            return "requires_action";
        }
        &session.foreground
    }

    pub(super) fn busy(&self, session: &Session) -> bool {
        is_busy(self.foreground(session))
    }

    fn live_tasks(session: &Session) -> impl Iterator<Item = &Task> {
        session
            .tasks
            .iter()
            .filter(|task| task.live() && !task.is_turn())
    }

    /// J1: the session's list is that of its tasks.
    pub(super) fn lists_tasks(&self, session: &Session) -> bool {
        !session.had_v2_list && (self.async_tasks || Model::live_tasks(session).next().is_some())
    }

    /// The reported background list; `None`: not reported.
    pub(super) fn list<'a>(&self, session: &'a Session) -> Option<Cow<'a, [Key]>> {
        if session.closed {
            return None;
        }
        if !self.lists_tasks(session) {
            return session.list.as_deref().map(Cow::Borrowed);
        }
        if session.tasks_unreported {
            return None;
        }
        let unannounced = session.calls.iter().any(|call| {
            call.unfinished()
                && self.references_running(session, call)
                && !session
                    .tasks
                    .iter()
                    .any(|task| task.call.as_ref() == Some(&call.id))
        });
        if self.foreground(session) == "idle" && unannounced {
            return None;
        }
        let mut items: Vec<Key> = Model::live_tasks(session)
            .map(|task| Key::Task(task.id.clone()))
            .collect();
        if !self.busy(session) {
            for child in self.children(&session.id) {
                if self.runs_by_its_reports(child) {
                    items.push(Key::Subagent(child.id.clone()));
                }
            }
        }
        Some(Cow::Owned(items))
    }

    pub(super) fn list_word(&self, session: &Session) -> &'static str {
        if self.list(session).is_some() {
            "listed"
        } else if self.lists_tasks(session) || !session.had_list {
            "never"
        } else {
            "lost"
        }
    }

    /// X2
    pub(super) fn runs_by_its_reports(&self, child: &Session) -> bool {
        !child.closed
            && (self.busy(child)
                || self
                    .list(child)
                    .is_some_and(|items| items.iter().any(|key| !self.finished(child, key))))
    }

    /// Listed, as an item or by J3.
    pub(super) fn listed(&self, session: &Session, key: &Key) -> bool {
        self.list(session)
            .is_some_and(|items| items.contains(key) || self.kept_by_task(session, key))
    }

    /// J3: a live task names the call, or a call that references the terminal, while the tasks are the
    /// reported list.
    fn kept_by_task(&self, session: &Session, key: &Key) -> bool {
        if !self.lists_tasks(session) || session.closed {
            return false;
        }
        Model::live_tasks(session).any(|task| match key {
            Key::ToolCall(id) => task.call.as_ref() == Some(id),
            Key::Terminal(id) => task
                .call
                .as_ref()
                .and_then(|call| session.call(call))
                .is_some_and(|call| call.content.contains(&Content::Terminal(id.clone()))),
            _ => false,
        })
    }

    pub(super) fn call_listed(&self, session: &Session, id: &str) -> bool {
        self.listed(session, &Key::ToolCall(id.to_owned()))
    }

    pub(super) fn terminal_listed(&self, session: &Session, id: &str) -> bool {
        self.listed(session, &Key::Terminal(id.to_owned()))
    }

    pub(super) fn references_listed(&self, session: &Session, call: &Call) -> bool {
        call.terminals()
            .iter()
            .any(|id| self.terminal_listed(session, id))
    }

    /// Listed itself or through a terminal.
    pub(super) fn live_by_list(&self, session: &Session, call: &Call) -> bool {
        self.call_listed(session, &call.id) || self.references_listed(session, call)
    }

    /// A known terminal of the call runs, by what was said of the terminal itself.
    pub(super) fn references_running(&self, session: &Session, call: &Call) -> bool {
        call.terminals().iter().any(|id| {
            session
                .terminal(id)
                .is_some_and(|terminal| !terminal.exited() || is_revived_terminal(session, id))
        })
    }

    /// B7 (its second half) and J3: it runs whatever its own status says.
    pub(super) fn runs_by_list(&self, session: &Session, key: &Key) -> bool {
        session.revived.contains(key) || self.kept_by_task(session, key)
    }

    pub(super) fn terminal_runs(&self, session: &Session, terminal: &Terminal) -> bool {
        !terminal.exited() || self.runs_by_list(session, &Key::Terminal(terminal.id.clone()))
    }

    /// B7: has the item finished? An id that was never announced runs (B6).
    pub(super) fn finished(&self, session: &Session, key: &Key) -> bool {
        !self.runs_by_list(session, key) && self.finished_itself(session, key)
    }

    pub(super) fn finished_itself(&self, session: &Session, key: &Key) -> bool {
        match key {
            Key::ToolCall(id) => session.call(id).is_some_and(|call| !call.unfinished()),
            Key::Terminal(id) => session.terminal(id).is_some_and(Terminal::exited),
            Key::Subagent(id) => self.child(session, id).is_some_and(|child| {
                if child.closed {
                    child.was_done
                } else {
                    self.is_done(child)
                }
            }),
            Key::Task(id) => session.task(id).is_some_and(|task| !task.live()),
            Key::Other(..) => false,
        }
    }

    /// G3: idle with a reported empty list.
    pub(super) fn is_done(&self, child: &Session) -> bool {
        self.foreground(child) == "idle" && self.list(child).is_some_and(|items| items.is_empty())
    }

    /// A child of this session.
    pub(super) fn child(&self, session: &Session, id: &str) -> Option<&Session> {
        self.find(id)
            .filter(|child| child.parent.as_deref() == Some(session.id.as_str()))
    }
}

fn is_revived_terminal(session: &Session, id: &str) -> bool {
    session.revived.contains(&Key::Terminal(id.to_owned()))
}
