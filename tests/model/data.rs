//! What the model remembers. No indices, no caches.

use serde_json::{Value, json};

/// An item of a background list.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    ToolCall(String),
    Terminal(String),
    Subagent(String),
    Task(String),
    /// Position in the list and wire type.
    Other(usize, String),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Terminal(String),
    Session(String),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    None,
    /// C2; liftable once a non-final status may take it away.
    Cancelled {
        liftable: bool,
    },
    /// X4
    Closed,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub id: String,
    pub title: Option<String>,
    pub kind: String,
    pub status: String,
    pub can_cancel: bool,
    pub content: Vec<Content>,
    pub mark: Mark,
    /// J4: what the call is shown as because its task ended.
    pub task_end: Option<String>,
    /// N3: the item that the call became.
    pub handed_off: Option<Key>,
    pub started_at: f64,
    pub ended_at: Option<f64>,
    /// Number of the event that created it.
    pub created: u64,
}

#[derive(Clone, Debug)]
pub struct Terminal {
    pub id: String,
    pub command: Option<String>,
    pub cwd: Option<String>,
    pub exit: Option<(Option<i64>, Option<String>)>,
    pub can_cancel: bool,
    /// X4: the mark of a close.
    pub closed_mark: bool,
    /// J4: exited because the task of its call ended.
    pub task_exit: bool,
    /// N4: it finished while a stop of it was accepted.
    pub stopped: bool,
    pub output: Vec<u8>,
    pub started_at: f64,
    pub ended_at: Option<f64>,
    pub created: u64,
}

#[derive(Clone, Debug)]
pub struct Task {
    pub id: String,
    pub name: Option<String>,
    pub task_type: Option<String>,
    pub can_stop: bool,
    pub call: Option<String>,
    pub end: Option<String>,
    pub paused: bool,
    /// J2: spawned before a connection was lost and not again since.
    pub stale: bool,
    pub started_at: f64,
    pub ended_at: Option<f64>,
}

/// R4
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// The session whose first state ends it.
    pub owner: String,
    /// The resume whose answer ends it.
    pub resume: Option<u64>,
}

/// When an item was tracked, last.
#[derive(Clone, Debug)]
pub struct LogEntry {
    pub key: Key,
    pub since: f64,
    pub ended_at: Option<f64>,
    pub outcome: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Session {
    pub id: String,
    pub parent: Option<String>,
    pub title: Option<String>,
    pub can_cancel: bool,
    pub foreground: String,
    pub stop_reason: Option<String>,
    /// The list of the latest snapshot, when it carried one.
    pub list: Option<Vec<Key>>,
    pub had_list: bool,
    /// J1: a v2 list was reported at some time.
    pub had_v2_list: bool,
    pub closed: bool,
    /// It had finished when it was closed (G3).
    pub was_done: bool,
    pub calls: Vec<Call>,
    pub terminals: Vec<Terminal>,
    pub tasks: Vec<Task>,
    /// B7: items that had finished when a list began to hold them.
    pub revived: Vec<Key>,
    pub tracked: Vec<(Key, f64)>,
    pub log: Vec<LogEntry>,
    pub quiet_since: Option<f64>,
    pub window: Option<Window>,
    /// F4: the next snapshot ends no turn.
    pub first_snapshot: bool,
    /// J1: after R1 or R3, until a resume is answered.
    pub tasks_unreported: bool,
    /// Number of the event with which the foreground last became busy.
    pub busy_from: u64,
    /// V6: turns that the agent began and did not end.
    pub agent_turns: usize,
    /// S5
    pub stop_requested: bool,
    pub prompt_answered_at: Option<f64>,
    /// R2: exists only because it was resumed.
    pub only_resumed: bool,
    pub started_at: f64,
}

#[derive(Clone, Debug, Default)]
pub struct Subject {
    pub tool_call: Option<String>,
    pub terminal: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Request {
    pub id: Value,
    pub session: String,
    /// `None`: an elicitation.
    pub subject: Option<Subject>,
    pub due: bool,
    pub since: f64,
}

#[derive(Clone, Debug)]
pub struct Prompt {
    pub id: Value,
    pub session: String,
}

#[derive(Clone, Debug)]
pub struct Stop {
    pub id: Value,
    pub session: String,
    pub target: Key,
    pub accepted: bool,
}

/// R2: what an error restores.
#[derive(Clone, Debug)]
pub struct Saved {
    pub id: String,
    pub foreground: String,
    pub list: Option<Vec<Key>>,
    pub closed: bool,
    pub quiet_since: Option<f64>,
    pub stop_reason: Option<String>,
    pub first_snapshot: bool,
    pub tasks_unreported: bool,
}

#[derive(Clone, Debug)]
pub struct Resume {
    pub number: u64,
    pub session: String,
    pub sessions: Vec<String>,
    pub saved: Vec<Saved>,
}

#[derive(Clone, Debug)]
pub struct InFlight {
    pub id: Value,
    pub method: String,
    pub params: Value,
}

/// What the event at hand has to say, as far as it is said while it is applied.
#[derive(Clone, Debug, Default)]
pub struct Said {
    pub turns_ended: Vec<(String, Value)>,
    pub started: Vec<(String, Value)>,
    pub ended: Vec<(String, Value)>,
    pub answer_due: Vec<Value>,
    pub stop: Value,
    pub problems: Vec<Value>,
}

#[derive(Clone, Debug, Default)]
pub struct Model {
    pub(super) cancel_unattributed: bool,
    pub(super) v1: bool,
    pub(super) async_tasks: bool,
    pub(super) sessions: Vec<Session>,
    pub(super) requests: Vec<Request>,
    pub(super) prompts: Vec<Prompt>,
    pub(super) stops: Vec<Stop>,
    /// Sessions of the closes that are not answered.
    pub(super) closes: Vec<String>,
    pub(super) resumes: Vec<Resume>,
    /// The client's requests in flight, and the agent's.
    pub(super) client_requests: Vec<InFlight>,
    pub(super) agent_requests: Vec<InFlight>,
    pub(super) now: f64,
    /// Number of the event at hand.
    pub(super) event: u64,
    pub(super) said: Said,
}

impl Session {
    /// F1
    pub fn new(id: &str, at: f64) -> Session {
        Session {
            id: id.to_owned(),
            parent: None,
            title: None,
            can_cancel: false,
            foreground: "idle".to_owned(),
            stop_reason: None,
            list: None,
            had_list: false,
            had_v2_list: false,
            closed: false,
            was_done: false,
            calls: Vec::new(),
            terminals: Vec::new(),
            tasks: Vec::new(),
            revived: Vec::new(),
            tracked: Vec::new(),
            log: Vec::new(),
            quiet_since: None,
            window: None,
            first_snapshot: false,
            tasks_unreported: false,
            busy_from: 0,
            agent_turns: 0,
            stop_requested: false,
            prompt_answered_at: None,
            only_resumed: false,
            started_at: at,
        }
    }

    pub fn call(&self, id: &str) -> Option<&Call> {
        self.calls.iter().find(|call| call.id == id)
    }

    pub fn terminal(&self, id: &str) -> Option<&Terminal> {
        self.terminals.iter().find(|terminal| terminal.id == id)
    }

    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }
}

impl Call {
    pub fn is_final(&self) -> bool {
        is_final(&self.status)
    }

    /// J4: a call whose task ended counts as finished.
    pub fn unfinished(&self) -> bool {
        !self.is_final() && self.task_end.is_none()
    }

    pub fn terminals(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = Vec::new();
        for item in &self.content {
            if let Content::Terminal(id) = item
                && !ids.contains(&id.as_str())
            {
                ids.push(id);
            }
        }
        ids
    }

    pub fn sessions(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = Vec::new();
        for item in &self.content {
            if let Content::Session(id) = item
                && !ids.contains(&id.as_str())
            {
                ids.push(id);
            }
        }
        ids
    }
}

impl Terminal {
    /// An exit status, or one of the client's marks.
    pub fn exited(&self) -> bool {
        self.exit.is_some() || self.closed_mark || self.task_exit
    }
}

impl Task {
    pub fn is_turn(&self) -> bool {
        self.task_type.as_deref() == Some("turn")
    }

    pub fn live(&self) -> bool {
        self.end.is_none()
    }
}

impl Key {
    pub fn type_name(&self) -> &'static str {
        match self {
            Key::ToolCall(_) => "tool_call",
            Key::Terminal(_) => "terminal",
            Key::Subagent(_) => "subagent",
            Key::Task(_) => "task",
            Key::Other(..) => "other",
        }
    }

    pub fn id(&self) -> String {
        match self {
            Key::ToolCall(id) | Key::Terminal(id) | Key::Subagent(id) | Key::Task(id) => id.clone(),
            Key::Other(position, _) => position.to_string(),
        }
    }

    /// The `StopTarget`.
    pub fn target(&self) -> Value {
        match self {
            Key::ToolCall(id) => json!({ "toolCallId": id }),
            Key::Terminal(id) => json!({ "terminalId": id }),
            Key::Subagent(id) => json!({ "sessionId": id }),
            Key::Task(id) => json!({ "asyncTaskId": id }),
            Key::Other(..) => Value::Null,
        }
    }
}

pub fn is_final(status: &str) -> bool {
    matches!(status, "completed" | "failed" | "cancelled")
}

pub fn is_busy(foreground: &str) -> bool {
    !matches!(foreground, "idle" | "unknown")
}

/// Times stay whole numbers in JSON when they are.
pub fn number(at: f64) -> Value {
    if at.fract() == 0.0 && at.abs() < 9_007_199_254_740_992.0 {
        json!(at as i64)
    } else {
        json!(at)
    }
}

pub fn maybe_number(at: Option<f64>) -> Value {
    at.map_or(Value::Null, number)
}
