//! The crate and the model side by side, and every answer that they give.

use acp_client_state::{
    Abandoned, Activity, CancelPlan, ClientState, ClosePlan, Event, Options, Outcome,
    PendingRequest, SessionSnapshot, StopPlan, StopTarget, Terminal, ToolCall,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::model::Model;
use crate::support::random::{CALLS, Random, SESSIONS, TASKS, TERMINALS};

/// Both after each other's event.
pub(crate) struct Pair {
    state: ClientState,
    model: Model,
    targets: Vec<(Value, StopTarget)>,
    at: f64,
}

/// Every answer of the crate: `sessionIds`, and the questions about each id that events use. The
/// versions of the snapshots stand apart: they follow from what `changed` says.
pub(crate) struct Answers {
    pub(crate) session_ids: Vec<String>,
    pub(crate) versions: Vec<u32>,
    pub(crate) sessions: Vec<SessionAnswers>,
}

/// Every answer about one session.
#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionAnswers {
    activity: Activity,
    is_quiet: bool,
    quiet_since: Option<f64>,
    is_releasable_later: bool,
    abandoned: Abandoned,
    cancel_plan: CancelPlan,
    close_plan: ClosePlan,
    requests: Vec<PendingRequest>,
    deep_requests: Vec<PendingRequest>,
    pub(crate) snapshot: SessionSnapshot,
    tool_calls: Vec<Option<ToolCall>>,
    terminals: Vec<Option<Terminal>>,
    stop_plans: Vec<StopPlan>,
}

/// A time after any grace period, and one soon after the event.
const LATER: f64 = 1e6;
const SOON: f64 = 50.0;
const GRACE: f64 = 200.0;

impl Pair {
    pub(crate) fn new(seed: u64) -> Self {
        let setup = Self::setup(seed);
        let cancel_unattributed = setup["cancelUnattributed"] == true;
        let mut pair = Self {
            state: ClientState::new(Options {
                cancel_unattributed,
            }),
            model: Model::new(cancel_unattributed),
            targets: targets(),
            at: 0.0,
        };
        let _ = pair.apply(&setup);
        pair
    }

    /// The first event, with the option of rule C4 beside it.
    pub(crate) fn setup(seed: u64) -> Value {
        let random = &mut Random::new(seed);
        json!({
            "type": "initialized",
            "protocolVersion": 1 + random.next(2),
            "asyncTasks": random.next(2) == 0,
            "cancelUnattributed": random.next(4) > 0,
        })
    }

    /// What both say of an event.
    pub(crate) fn apply(&mut self, event: &Value) -> (Outcome, Value) {
        self.at += 100.0;
        let (at, message) = (self.at, &event["message"]);
        match event["type"].as_str() {
            Some("received") => (
                self.state.received(message, at),
                self.model.received(message, at),
            ),
            Some("sent") => (self.state.sent(message, at), self.model.sent(message, at)),
            _ => {
                let read = Event::deserialize(event).unwrap();
                (self.state.apply(read, at), self.model.apply(event, at))
            }
        }
    }

    /// Every answer of the crate, but for those that change with time alone.
    pub(crate) fn answers(&self) -> Answers {
        let mut sessions: Vec<SessionAnswers> = SESSIONS.map(|id| self.answers_about(id)).into();
        Answers {
            session_ids: self.state.session_ids(),
            versions: sessions
                .iter_mut()
                .map(|session| std::mem::take(&mut session.snapshot.version))
                .collect(),
            sessions,
        }
    }

    fn answers_about(&self, id: &str) -> SessionAnswers {
        let session = self.state.session(id);
        SessionAnswers {
            activity: session.activity(),
            is_quiet: session.is_quiet(),
            quiet_since: session.quiet_since(),
            is_releasable_later: session.is_releasable(self.at + LATER, GRACE),
            abandoned: session.abandoned(),
            cancel_plan: session.cancel_plan(),
            close_plan: session.close_plan(),
            requests: session.requests(false),
            deep_requests: session.requests(true),
            snapshot: session.snapshot(),
            tool_calls: CALLS.map(|id| session.tool_call(id)).into(),
            terminals: TERMINALS.map(|id| session.terminal(id)).into(),
            stop_plans: self
                .targets
                .iter()
                .map(|(_, target)| session.stop_plan(target))
                .collect(),
        }
    }

    /// Whether each session may be released soon after the event, as both say.
    pub(crate) fn releasable_soon(&self) -> (Value, Value) {
        let now = self.at + SOON;
        let ours = SESSIONS.map(|id| self.state.session(id).is_releasable(now, GRACE));
        let model = SESSIONS.map(|id| self.model.is_releasable(id, now, GRACE));
        (json!(ours), json!(model))
    }

    /// `answers`, as the model has them.
    pub(crate) fn model_session_ids(&self) -> Value {
        self.model.session_ids()
    }

    pub(crate) fn model_answers_about(&self, id: &str) -> Value {
        let model = &self.model;
        let calls: Value = CALLS.iter().map(|call| model.tool_call(id, call)).collect();
        let terminals: Value = TERMINALS
            .iter()
            .map(|one| model.terminal(id, one))
            .collect();
        let plans: Value = self
            .targets
            .iter()
            .map(|(target, _)| model.stop_plan(id, target))
            .collect();
        json!({
            "activity": model.activity(id),
            "isQuiet": model.is_quiet(id),
            "quietSince": model.quiet_since(id),
            "isReleasableLater": model.is_releasable(id, self.at + LATER, GRACE),
            "abandoned": model.abandoned(id),
            "cancelPlan": model.cancel_plan(id),
            "closePlan": model.close_plan(id),
            "requests": model.requests(id, false),
            "deepRequests": model.requests(id, true),
            "snapshot": model.snapshot(id),
            "toolCalls": calls,
            "terminals": terminals,
            "stopPlans": plans,
        })
    }
}

fn targets() -> Vec<(Value, StopTarget)> {
    let calls = CALLS.map(|id| json!({ "toolCallId": id }));
    let terminals = TERMINALS.map(|id| json!({ "terminalId": id }));
    let tasks = TASKS.map(|id| json!({ "asyncTaskId": id }));
    let sessions = SESSIONS.map(|id| json!({ "sessionId": id }));
    [&calls[..], &terminals, &tasks, &sessions]
        .concat()
        .into_iter()
        .map(|target| {
            let read = StopTarget::deserialize(&target).unwrap();
            (target, read)
        })
        .collect()
}
