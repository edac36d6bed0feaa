//! What will closing stop? (section 10)

use super::Session;
use crate::answers::{ClosePlan, WorkCounts, WorkItem, WorkItemType, WorkStatus};
use crate::state::{self, Foreground, Key, Mark, Reported};
use alloc::{string::String, vec::Vec};

impl Session<'_> {
    /// What a close sent now would stop (rules X1, X2). A pure look: `close_answered` does it.
    #[must_use]
    pub fn close_plan(&self) -> ClosePlan {
        let session = &*self.session;
        let foreground =
            !session.closed && (session.foreground().is_busy() || !session.prompts.is_empty());
        let certain = session.closed
            || (session.list.is_reported() && *session.foreground() != Foreground::Unknown);
        let waiting = self.client.waiting();
        let stops: Vec<WorkItem> = match self.no.filter(|_| !session.closed) {
            Some(no) => session
                .stopped_by_close()
                .iter()
                .filter_map(|key| self.client.work_item(no, *key, &waiting))
                .collect(),
            None => Vec::new(),
        };
        let requests = self.deep_requests().into_iter();
        let is_doubtful = !certain && session.may_do_more();
        ClosePlan {
            certain,
            foreground,
            counts: count(&stops),
            warning: warning(foreground, stops.len(), is_doubtful),
            stops,
            answer_cancelled: requests
                .filter_map(|arrival| self.client.requests.get(arrival))
                .map(|(id, _)| id.clone())
                .collect(),
        }
    }
}

impl state::Session {
    /// The listed items that have not finished (rule X1) and, while the foreground is not busy, the
    /// children that run without being listed (rule X2).
    fn stopped_by_close(&self) -> Vec<Key> {
        let listed = self.list.items().iter();
        let mut stops: Vec<Key> = listed
            .filter(|key| !self.has_finished(**key))
            .copied()
            .collect();
        let children = self.running_children().map(Key::Subagent);
        stops.extend(children.filter(|key| self.runs_unlisted(*key)));
        stops
    }

    /// Whether closing stops a child that is not listed (rule X2).
    pub(crate) fn runs_unlisted(&self, key: Key) -> bool {
        let Key::Subagent(no) = key else {
            return false;
        };
        let child = self.kids.get(no);
        let runs = child.is_some_and(|child| child.standing.runs && !child.work.listed);
        runs && !self.foreground().is_busy()
    }

    /// Whether there is reason to doubt a plan that is uncertain ("The close warning" in the rules).
    fn may_do_more(&self) -> bool {
        if *self.foreground() == Foreground::Unknown {
            return true;
        }
        match self.list.reported() {
            Reported::Listed => false,
            Reported::Lost => true,
            Reported::Never => {
                let is_old =
                    |seq: u64| !self.foreground().is_busy() || seq <= self.busy_after.into();
                let mut calls = self.unfinished.values().filter_map(|no| self.calls.get(no));
                calls.any(|call| call.mark() == Mark::None && is_old(call.seq.into()))
                    || self.running.keys().any(is_old)
            }
        }
    }
}

fn count(stops: &[WorkItem]) -> WorkCounts {
    let mut counts = WorkCounts::default();
    for item in stops {
        *match item.r#type {
            WorkItemType::Terminal => &mut counts.terminals,
            WorkItemType::ToolCall => &mut counts.tool_calls,
            WorkItemType::Subagent => &mut counts.subagents,
            WorkItemType::Task => &mut counts.tasks,
            WorkItemType::Other => &mut counts.other,
        } += 1;
        match item.status {
            WorkStatus::Running => counts.running += 1,
            WorkStatus::Pending | WorkStatus::Paused => counts.waiting += 1,
            WorkStatus::Finished => {}
        }
    }
    counts
}

/// What to ask before closing, in plain English ("The close warning" in the rules).
fn warning(foreground: bool, stops: usize, is_doubtful: bool) -> Option<String> {
    let work = match stops {
        0 => None,
        1 => Some("1 background task".into()),
        more => Some([&*crate::number::decimal(more), " background tasks"].concat()),
    };
    let certain = match (foreground, work) {
        (true, Some(work)) => Some(["the current response and ", &work].concat()),
        (true, None) => Some("the current response".into()),
        (false, work) => work,
    };
    match (certain, is_doubtful) {
        (Some(certain), false) => Some(["Closing will stop ", &certain].concat()),
        (Some(certain), true) => Some(
            [
                "Closing will stop ",
                &certain,
                " and may stop work that the agent is not reporting",
            ]
            .concat(),
        ),
        (None, true) => Some("Closing may stop work that the agent is not reporting".into()),
        (None, false) => None,
    }
}
