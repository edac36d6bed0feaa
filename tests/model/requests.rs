//! Section 8 and rules C3 and C4: whom a request of the agent belongs to.

use serde_json::{Value, json};

use super::data::{Model, Request, Subject, number};

impl Model {
    /// C3: is it one that a cancel answers?
    pub(super) fn answered_by_cancel(&self, request: &Request) -> bool {
        request
            .subject
            .as_ref()
            .is_some_and(|subject| !self.subject_listed(&request.session, subject))
    }

    fn subject_listed(&self, session: &str, subject: &Subject) -> bool {
        let session = self.session_or_new(session);
        let call = subject.tool_call.as_ref().is_some_and(|id| {
            self.call_listed(&session, id)
                || session
                    .call(id)
                    .is_some_and(|call| self.references_listed(&session, call))
        });
        let terminal = subject
            .terminal
            .as_ref()
            .is_some_and(|id| self.terminal_listed(&session, id));
        call || terminal
    }

    /// P3, C4; `None` for an elicitation.
    pub(super) fn belongs_to(&self, request: &Request) -> Option<&'static str> {
        let subject = request.subject.as_ref()?;
        if self.subject_listed(&request.session, subject) {
            return Some("background");
        }
        let session = self.session_or_new(&request.session);
        let known = subject
            .tool_call
            .as_ref()
            .is_some_and(|id| session.call(id).is_some())
            || subject
                .terminal
                .as_ref()
                .is_some_and(|id| session.terminal(id).is_some());
        if !known || self.list(&session).is_none() {
            Some("unattributed")
        } else {
            Some("foreground")
        }
    }

    pub(super) fn request_json(&self, request: &Request) -> Value {
        let subject = request.subject.clone().unwrap_or_default();
        json!({
            "requestId": request.id,
            "sessionId": request.session,
            "kind": if request.subject.is_some() { "permission" } else { "elicitation" },
            "belongsTo": self.belongs_to(request),
            "answerDue": request.due,
            "toolCallId": subject.tool_call,
            "terminalId": subject.terminal,
            "since": number(request.since),
        })
    }

    pub fn requests(&self, session: &str, deep: bool) -> Value {
        let sessions = if deep {
            self.with_descendants(session)
        } else {
            vec![session.to_owned()]
        };
        self.requests
            .iter()
            .filter(|request| sessions.contains(&request.session))
            .map(|request| self.request_json(request))
            .collect()
    }

    /// Ids of the pending requests of a session and its descendants.
    pub(super) fn requests_deep(&self, session: &str) -> Vec<Value> {
        let sessions = self.with_descendants(session);
        self.requests
            .iter()
            .filter(|request| sessions.contains(&request.session))
            .map(|request| request.id.clone())
            .collect()
    }

    /// Make the requests due that `which` names, and say so.
    pub(super) fn make_due(&mut self, which: impl Fn(&Model, &Request) -> bool) {
        let due: Vec<usize> = (0..self.requests.len())
            .filter(|at| !self.requests[*at].due && which(self, &self.requests[*at]))
            .collect();
        for at in due {
            self.requests[at].due = true;
            self.said.answer_due.push(self.requests[at].id.clone());
        }
    }
}

/// The ids that a subject names. Those of an unrecognised subject are not read (C4).
pub(super) fn read_subject(subject: &Value) -> Subject {
    let id = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    match subject.get("type").and_then(Value::as_str) {
        Some("tool_call") => Subject {
            tool_call: subject
                .get("toolCall")
                .and_then(|call| id(call, "toolCallId")),
            terminal: None,
        },
        Some("command") => Subject {
            tool_call: id(subject, "toolCallId"),
            terminal: id(subject, "terminalId"),
        },
        _ => Subject::default(),
    }
}
