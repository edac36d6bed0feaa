//! One piece of background work, as lists, plans and outcomes show it.

use crate::answers::{WorkItem, WorkItemType, WorkStatus};
use crate::state::{ClientState, Foreground, Identified, Key, Numbers, Session, SessionNo, Status};
use alloc::{string::String, vec::Vec};

/// How deep the lists of children are shown inside each other; deeper ones are in the snapshots of
/// their own sessions. An answer must not overflow the stack of whoever walks it (rule G4).
const NESTING: u8 = 100;

impl ClientState {
    /// An item of the background list of the session `no`; `waiting` are the sessions that wait for the user.
    pub(crate) fn work_item(&self, no: SessionNo, key: Key, waiting: &Numbers) -> Option<WorkItem> {
        self.item(no, key, NESTING, waiting)
    }

    /// An item that is tracked no longer: it has ended, whatever the list said of it last.
    pub(crate) fn ended_item(
        &self,
        no: SessionNo,
        key: Key,
        waiting: &Numbers,
    ) -> Option<WorkItem> {
        let session = self.sessions.get(no)?;
        let past = session.work(key).and_then(|work| work.past.as_deref());
        let outcome = past.map_or_else(|| session.outcome(key), |past| &past.outcome);
        let item = self.work_item(no, key, waiting)?;
        Some(WorkItem {
            status: WorkStatus::Finished,
            outcome: Some(outcome.into()),
            ended_at: past.map(|past| past.ended_at).or(Some(self.now)),
            ..item
        })
    }

    fn item(&self, no: SessionNo, key: Key, depth: u8, waiting: &Numbers) -> Option<WorkItem> {
        let session = self.sessions.get(no)?;
        let has_finished = session.has_finished(key);
        let work = session.work(key);
        let blank = WorkItem {
            session_id: session.id.as_ref().into(),
            r#type: WorkItemType::Other,
            id: String::new(),
            kind: String::new(),
            title: None,
            status: if has_finished {
                WorkStatus::Finished
            } else {
                WorkStatus::Running
            },
            // A task is listed by being announced.
            announced: matches!(key, Key::Task(_)) || session.is_announced(key),
            stop_target: session.stop_target(key),
            stop: session.stop_state(key),
            since: work.and_then(|work| work.since.get()),
            started_at: None,
            ended_at: None,
            outcome: has_finished.then(|| session.outcome(key).into()),
            tool_call_ids: Vec::new(),
            output_tail: None,
            waits_for_user: false,
            background: Vec::new(),
        };
        match key {
            Key::Terminal(no) => {
                let terminal = session.terminals.get(no)?;
                let title_of_call = || {
                    let (_, call) = terminal.work.calls.first()?;
                    session.calls.get(*call)?.title()
                };
                Some(WorkItem {
                    r#type: WorkItemType::Terminal,
                    id: terminal.id().into(),
                    kind: "terminal".into(),
                    title: terminal
                        .command
                        .as_deref()
                        .or_else(title_of_call)
                        .map(Into::into),
                    started_at: terminal.started_at.get(),
                    ended_at: terminal.ended_at.get().filter(|_| has_finished),
                    tool_call_ids: session.call_ids(&terminal.work.calls),
                    output_tail: terminal.output.last_line(),
                    ..blank
                })
            }
            Key::ToolCall(no) => {
                let call = session.calls.get(no)?;
                let status = match call.status {
                    _ if has_finished => WorkStatus::Finished,
                    Status::Pending if call.is_announced() => WorkStatus::Pending,
                    Status::Paused => WorkStatus::Paused,
                    Status::Pending
                    | Status::InProgress
                    | Status::Other
                    | Status::Completed
                    | Status::Failed
                    | Status::Cancelled => WorkStatus::Running,
                };
                Some(WorkItem {
                    r#type: WorkItemType::ToolCall,
                    id: call.id().into(),
                    kind: "tool_call".into(),
                    title: call.title().map(Into::into),
                    status,
                    started_at: call.started_at.get(),
                    ended_at: call.ended_at.get().filter(|_| has_finished),
                    ..blank
                })
            }
            Key::Subagent(link) => {
                let child = session.kids.get(link)?;
                let adopted = self.find(child.id()).filter(|_| child.is_adopted);
                let own = adopted.and_then(|no| self.sessions.get(no));
                Some(WorkItem {
                    r#type: WorkItemType::Subagent,
                    id: child.id().into(),
                    kind: "subagent".into(),
                    title: own.and_then(|own| own.title.as_deref()).map(Into::into),
                    started_at: own.map(|own| own.created_at),
                    ended_at: own.and_then(|own| own.quiet_since).filter(|_| has_finished),
                    tool_call_ids: session.call_ids(&child.work.calls),
                    waits_for_user: adopted.is_some_and(|no| waiting.get(no).is_some()),
                    background: match (adopted, own, depth.checked_sub(1)) {
                        (Some(no), Some(own), Some(depth)) => own
                            .list
                            .items()
                            .iter()
                            .filter_map(|key| self.item(no, *key, depth, waiting))
                            .collect(),
                        _ => Vec::new(),
                    },
                    ..blank
                })
            }
            Key::Task(no) => {
                let task = session.tasks.get(no)?;
                Some(WorkItem {
                    r#type: WorkItemType::Task,
                    id: task.id().into(),
                    kind: "task".into(),
                    title: task.name.as_deref().map(Into::into),
                    status: match (has_finished, task.paused) {
                        (true, _) => WorkStatus::Finished,
                        (false, true) => WorkStatus::Paused,
                        (false, false) => WorkStatus::Running,
                    },
                    started_at: task.started_at.get(),
                    ended_at: task.ended_at.get().filter(|_| has_finished),
                    tool_call_ids: task
                        .call
                        .and_then(|no| session.call_id(no))
                        .into_iter()
                        .collect(),
                    ..blank
                })
            }
            Key::Other(no) => {
                let other = session.others.get(no.into())?;
                Some(WorkItem {
                    id: crate::number::decimal(other.position as usize),
                    kind: other.kind.as_ref().into(),
                    ..blank
                })
            }
        }
    }

    /// The sessions that wait for the user: those that require action or have a pending request, and their
    /// ancestors. Climbs from the former, through no session twice: what does not wait costs nothing.
    pub(crate) fn waiting(&self) -> Numbers {
        let asking = self.requests.iter().map(|(_, _, request)| request.session);
        let mut waiting = Numbers::default();
        for no in asking.chain(self.requiring_action.keys()) {
            let is_new = |no: &SessionNo| waiting.get(*no).is_none();
            let line: Vec<SessionNo> = self.line(no).take_while(is_new).collect();
            // Parents first, as they mostly are the older ones.
            for no in line.into_iter().rev() {
                waiting.add(no);
            }
        }
        waiting
    }
}

impl Session {
    /// Whether it requires action by its own word.
    pub(crate) fn requires_action(&self) -> bool {
        !self.closed && *self.foreground() == Foreground::RequiresAction
    }
}
