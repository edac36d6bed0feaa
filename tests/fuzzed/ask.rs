//! Every answer that a state gives.

use std::collections::{BTreeMap, BTreeSet};

use acp_client_state::{ClientState, StopTarget};
use serde::Serialize;
use serde_json::Value;

/// How many sessions and ids are asked for: more of them cost time and show nothing new.
pub(crate) const MOST_SESSIONS: usize = 12;
const MOST_IDS: usize = 60;

/// What may be an id: every text in the saved states, one that is in none of them among them.
pub(crate) fn ids(states: &[&ClientState]) -> BTreeSet<String> {
    let mut ids = BTreeSet::from(["nobody".to_owned()]);
    for state in states {
        let saved = serde_json::to_value(state).unwrap();
        let values = saved["state"].as_array().into_iter().flatten();
        let texts = values.filter_map(Value::as_str).map(str::to_owned);
        ids.extend(texts.take(MOST_IDS));
    }
    ids
}

/// The answers to all questions about each session, as JSON; a session of `more` is asked about though
/// it does not exist. With `versions` or without: they count what `changed` says.
pub(crate) fn answers(
    state: &ClientState,
    ids: &BTreeSet<String>,
    more: &[String],
    versions: bool,
) -> BTreeMap<String, String> {
    let mut sessions = state.session_ids();
    sessions.truncate(MOST_SESSIONS);
    sessions.extend(more.iter().cloned());
    sessions.push("nobody".to_owned());
    let about = |id: String| {
        let answers = about(state, &id, ids, versions);
        (id, answers)
    };
    sessions.into_iter().map(about).collect()
}

fn about(state: &ClientState, id: &str, ids: &BTreeSet<String>, versions: bool) -> String {
    let session = state.session(id);
    let mut all = Vec::new();
    let mut snapshot = session.snapshot();
    if !versions {
        snapshot.version = 0;
    }
    write(&mut all, "snapshot", &snapshot);
    write(&mut all, "activity", &session.activity());
    write(&mut all, "isQuiet", &session.is_quiet());
    write(&mut all, "quietSince", &session.quiet_since());
    write(
        &mut all,
        "isReleasable",
        &session.is_releasable(1e15, 5000.0),
    );
    write(&mut all, "abandoned", &session.abandoned());
    write(&mut all, "cancelPlan", &session.cancel_plan());
    write(&mut all, "closePlan", &session.close_plan());
    write(&mut all, "requests", &session.requests(false));
    write(&mut all, "deepRequests", &session.requests(true));
    for id in ids {
        if let Some(call) = session.tool_call(id) {
            write(&mut all, "toolCall", &call);
        }
        if let Some(terminal) = session.terminal(id) {
            write(&mut all, "terminal", &terminal);
        }
        for target in targets(id) {
            write(&mut all, "stopPlan", &session.stop_plan(&target));
        }
    }
    String::from_utf8(all).unwrap()
}

fn targets(id: &str) -> [StopTarget; 4] {
    let id = || id.to_owned();
    [
        StopTarget::ToolCall { tool_call_id: id() },
        StopTarget::Terminal { terminal_id: id() },
        StopTarget::Session { session_id: id() },
        StopTarget::Task {
            async_task_id: id(),
        },
    ]
}

fn write<T: Serialize>(to: &mut Vec<u8>, question: &str, answer: &T) {
    to.extend(question.bytes());
    to.push(b' ');
    serde_json::to_writer(&mut *to, answer).unwrap();
    to.push(b'\n');
}

/// Two states that give the same answers, and are saved the same.
pub(crate) fn assert_same(one: &ClientState, other: &ClientState) {
    let [saved_one, saved_other] = [one, other].map(|state| serde_json::to_string(state).unwrap());
    assert_eq!(saved_one, saved_other);
    let ids = ids(&[one]);
    assert_eq!(
        answers(one, &ids, &[], true),
        answers(other, &ids, &[], true)
    );
}
