//! Every answer that a state gives.

use std::collections::{BTreeMap, BTreeSet};

use acp_client_state::{
    Abandoned, Activity, CancelPlan, ClientState, ClosePlan, PendingRequest, SessionSnapshot,
    StopPlan, StopRefusal, StopTarget, Terminal, ToolCall,
};
use serde_json::Value;

/// How many sessions and ids are asked for: more of them cost time and show nothing new.
pub(crate) const MOST_SESSIONS: usize = 12;
const MOST_IDS: usize = 60;

/// What may be an id: the texts in the saved state, and one that is in none.
pub(crate) fn ids(state: &ClientState) -> BTreeSet<String> {
    let saved = serde_json::to_value(state).unwrap();
    let values = saved["state"].as_array().into_iter().flatten();
    let texts = values.filter_map(Value::as_str).map(str::to_owned);
    texts.take(MOST_IDS).chain(["nobody".to_owned()]).collect()
}

/// What a session answers to all questions.
#[derive(Debug, PartialEq)]
pub(crate) struct Answers {
    snapshot: SessionSnapshot,
    activity: Activity,
    is_quiet: bool,
    quiet_since: Option<f64>,
    is_releasable: bool,
    abandoned: Abandoned,
    cancel_plan: CancelPlan,
    close_plan: ClosePlan,
    requests: Vec<PendingRequest>,
    deep_requests: Vec<PendingRequest>,
    calls: Vec<ToolCall>,
    terminals: Vec<Terminal>,
    stops: Vec<(StopTarget, StopPlan)>,
}

/// The answers of each session; of those of `more` too, though they do not exist. With `versions` or
/// without: they count what `changed` says.
pub(crate) fn answers(
    state: &ClientState,
    ids: &BTreeSet<String>,
    more: &[String],
    versions: bool,
) -> BTreeMap<String, Answers> {
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

fn about(state: &ClientState, id: &str, ids: &BTreeSet<String>, versions: bool) -> Answers {
    let session = state.session(id);
    let mut snapshot = session.snapshot();
    if !versions {
        snapshot.version = 0;
    }
    let targets = ids.iter().flat_map(|id| targets(id));
    let plans = targets.map(|target| {
        let plan = session.stop_plan(&target);
        (target, plan)
    });
    Answers {
        snapshot,
        activity: session.activity(),
        is_quiet: session.is_quiet(),
        quiet_since: session.quiet_since(),
        is_releasable: session.is_releasable(1e15, 5000.0),
        abandoned: session.abandoned(),
        cancel_plan: session.cancel_plan(),
        close_plan: session.close_plan(),
        requests: session.requests(false),
        deep_requests: session.requests(true),
        calls: ids.iter().filter_map(|id| session.tool_call(id)).collect(),
        terminals: ids.iter().filter_map(|id| session.terminal(id)).collect(),
        // Most ids are of another kind.
        stops: plans
            .filter(|(_, plan)| *plan != StopPlan::Refused(StopRefusal::Unknown))
            .collect(),
    }
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

/// Two states that give the same answers, and are saved the same.
pub(crate) fn assert_same(one: &ClientState, other: &ClientState) {
    let [saved_one, saved_other] = [one, other].map(|state| serde_json::to_string(state).unwrap());
    assert_eq!(saved_one, saved_other);
    let ids = ids(one);
    assert_eq!(
        answers(one, &ids, &[], true),
        answers(other, &ids, &[], true)
    );
}
