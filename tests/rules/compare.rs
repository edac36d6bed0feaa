//! What holds after every step of every transcript. Rule N2: `changed` names each session of which any
//! answer is not what it was, and beside them only their ancestors; a version counts those events. And
//! a state that was saved answers as it did.

use std::collections::{BTreeMap, BTreeSet};

use acp_client_state::{
    Abandoned, Activity, CancelPlan, ClientState, ClosePlan, Outcome, PendingRequest,
    SessionSnapshot, StopPlan, StopTarget, Terminal, ToolCall,
};
use serde_json::Value;

/// Beyond so many ids the questions are too many to ask each time; transcripts of that size are about
/// something else.
const MANY: usize = 24;

/// The ids that a transcript has named, whatever for, and what was answered about them last.
#[derive(Default)]
pub(crate) struct Named {
    sessions: BTreeSet<String>,
    items: BTreeSet<String>,
    last: Answers,
}

/// What is answered about each session.
type Answers = BTreeMap<String, Answer>;

/// Every answer about a session.
#[derive(Debug, PartialEq)]
struct Answer {
    exists: bool,
    snapshot: SessionSnapshot,
    abandoned: Abandoned,
    cancel: CancelPlan,
    close: ClosePlan,
    requests: Vec<PendingRequest>,
    is_releasable: bool,
    items: Vec<(Option<ToolCall>, Option<Terminal>, [StopPlan; 4])>,
}

impl Named {
    /// Takes note of the ids in an event or a message, and asks what is answered before it.
    pub(crate) fn before(&mut self, state: &ClientState, event: &Value) {
        let known = (self.sessions.len(), self.items.len());
        self.note(event);
        if known != (self.sessions.len(), self.items.len()) {
            self.last = self.answers(state);
        }
    }

    /// Fails when what changed is not what the outcome says.
    pub(crate) fn after(&mut self, state: &ClientState, outcome: &Outcome, event: &Value) {
        let now = self.answers(state);
        check(&self.last, &now, outcome, event);
        if !now.is_empty() {
            let saved = serde_json::to_string(state).unwrap();
            let restored = self.answers(&serde_json::from_str(&saved).unwrap());
            assert!(restored == now, "after {event}, restored from {saved}");
        }
        self.last = now;
    }

    fn note(&mut self, value: &Value) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    if let Value::String(id) = value
                        && name.to_lowercase().ends_with("id")
                    {
                        self.items.insert(id.clone());
                        if name.to_lowercase().ends_with("sessionid") {
                            self.sessions.insert(id.clone());
                        }
                    }
                    self.note(value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.note(item)),
            _ => {}
        }
    }

    /// All answers about all sessions, unless they are too many.
    fn answers(&self, state: &ClientState) -> Answers {
        if self.sessions.len() > MANY || self.items.len() > MANY {
            return Answers::default();
        }
        let ids = state.session_ids();
        let sessions = self.sessions.iter();
        sessions
            .map(|id| (id.clone(), self.about(state, id, ids.contains(id))))
            .collect()
    }

    fn about(&self, state: &ClientState, id: &str, exists: bool) -> Answer {
        let session = state.session(id);
        let items = self.items.iter().map(|item| {
            let targets = [
                StopTarget::ToolCall {
                    tool_call_id: item.clone(),
                },
                StopTarget::Terminal {
                    terminal_id: item.clone(),
                },
                StopTarget::Session {
                    session_id: item.clone(),
                },
                StopTarget::Task {
                    async_task_id: item.clone(),
                },
            ];
            (
                session.tool_call(item),
                session.terminal(item),
                targets.map(|target| session.stop_plan(&target)),
            )
        });
        // What is answered twice is answered alike.
        let is_quiet = session.activity() == Activity::Quiet;
        assert_eq!(session.is_quiet(), is_quiet, "A3: {id}");
        let snapshot = session.snapshot();
        assert_eq!(session.quiet_since(), snapshot.quiet_since, "A6: {id}");
        Answer {
            exists,
            snapshot,
            abandoned: session.abandoned(),
            cancel: session.cancel_plan(),
            close: session.close_plan(),
            requests: session.requests(true),
            // So late that only events decide.
            is_releasable: session.is_releasable(1e12, 0.0),
            items: items.collect(),
        }
    }
}

fn check(before: &Answers, after: &Answers, outcome: &Outcome, event: &Value) {
    let has_changed = |id: &str| match (before.get(id), after.get(id)) {
        (Some(before), Some(after)) => !is_same(before, after),
        _ => false,
    };
    let named: BTreeSet<&str> = outcome.changed.iter().map(String::as_str).collect();
    let mut may_be_named = BTreeSet::new();
    for id in after.keys().filter(|id| has_changed(id)) {
        assert!(
            named.contains(id.as_str()),
            "N2: {id} is not named after {event}\n{:#?}\n{:#?}",
            before.get(id),
            after.get(id)
        );
        for answers in [before, after] {
            may_be_named.extend(line(answers, id));
        }
    }
    for id in named.iter().filter(|id| after.contains_key(**id)) {
        assert!(may_be_named.contains(id), "N2: {id} is named after {event}");
    }
    for (id, answer) in after.iter().filter(|(_, answer)| answer.exists) {
        let old = before.get(id).map_or(0, |answer| answer.snapshot.version);
        let expected = old + u32::from(named.contains(id.as_str()));
        assert_eq!(answer.snapshot.version, expected, "N2: {id} after {event}");
    }
}

/// Whether nothing differs but the version, which is held apart.
fn is_same(before: &Answer, after: &Answer) -> bool {
    let version = after.snapshot.version;
    let mut snapshot = before.snapshot.clone();
    snapshot.version = version;
    let is_same_view = snapshot == after.snapshot;
    is_same_view
        && before.exists == after.exists
        && before.abandoned == after.abandoned
        && before.cancel == after.cancel
        && before.close == after.close
        && before.requests == after.requests
        && before.is_releasable == after.is_releasable
        && before.items == after.items
}

/// A session and its ancestors.
fn line<'a>(answers: &'a Answers, id: &'a str) -> impl Iterator<Item = &'a str> {
    std::iter::successors(Some(id), |id| {
        answers.get(*id)?.snapshot.parent_id.as_deref()
    })
}
