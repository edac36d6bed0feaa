//! What an event changed (section 13): collected where it happened, settled upwards, and told once.

use super::client::ClientState;
use super::effects::Effects;
use super::session::SessionNo;
use super::sorted::{Numbers, Sorted};
use super::tracking::Tracked;
use super::work::Key;
use crate::answers::{Outcome, WorkItem};
use alloc::{string::String, vec::Vec};

/// What one event changed, as it is collected.
#[derive(Debug, Default)]
struct Changes {
    changed: Numbers,
    /// The ids of those that the event deletes.
    gone: Sorted<String>,
    /// The sessions whose ancestors were named, those that show them and all of them.
    climbed: Numbers,
    asked: Numbers,
    became_quiet: Vec<String>,
    tracked: Vec<(SessionNo, Tracked)>,
    /// What began and what ended, by session.
    views: Sorted<(Vec<WorkItem>, Vec<WorkItem>)>,
}

impl ClientState {
    /// Settles what follows from the event and says what it changed (section 13).
    pub(super) fn conclude(&mut self, effects: Effects) -> Outcome {
        if self.visited.is_empty() {
            return Outcome {
                stop: effects.stop,
                problems: effects.problems,
                ..Outcome::default()
            };
        }
        let mut changes = Changes::default();
        let deleted = core::mem::take(&mut self.deleted);
        if !deleted.is_empty() {
            // What ended is viewed before it is forgotten, hence settled before.
            self.settle();
            // Parents are forgotten first, which changes nothing of who waits below them.
            let waiting = self.waiting();
            for no in deleted {
                self.take_changes(no, effects.at, &mut changes);
                self.view_changes(&mut changes, &waiting);
                if let Some(session) = self.sessions.get(no) {
                    changes.gone.add(no, session.id.as_ref().into());
                    changes.changed.add(no);
                }
                self.forget(no);
            }
        }
        self.settle();
        let mut visited = core::mem::take(&mut self.visited);
        for no in visited.keys() {
            self.take_changes(no, effects.at, &mut changes);
        }
        // Its memory serves the next event.
        visited.clear();
        self.visited = visited;
        let mut changed = Vec::new();
        for no in changes.changed.keys() {
            if let Some(session) = self.sessions.get_mut(no) {
                session.version = session.version.saturating_add(1);
                changed.push(session.id.as_ref().into());
            } else if let Some(id) = changes.gone.remove(no) {
                changed.push(id);
            }
        }
        if !changes.tracked.is_empty() {
            let waiting = self.waiting();
            self.view_changes(&mut changes, &waiting);
        }
        let (mut started, mut ended) = (Vec::new(), Vec::new());
        for (began, over) in changes.views.into_values() {
            started.extend(began);
            ended.extend(over);
        }
        Outcome {
            changed,
            turns_ended: effects.turns,
            became_quiet: changes.became_quiet,
            started,
            ended,
            stop: effects.stop,
            answer_due: effects.due.into_values().collect(),
            problems: effects.problems,
        }
    }

    /// Brings lists of tasks and what parents know of their children up to date, upwards.
    fn settle(&mut self) {
        let mut visited = core::mem::take(&mut self.visited);
        // The parents of those that were visited, and theirs, as far as a change goes up.
        let mut parents = Numbers::default();
        for no in visited.keys().rev() {
            self.settle_one(no, &mut parents);
        }
        while let Some(parent) = parents.pop_last() {
            visited.add(parent);
            self.settle_one(parent, &mut parents);
        }
        self.visited = visited;
    }

    /// The same of one session. Its parent is one of those to come when what it knows has changed.
    pub(super) fn settle_one(&mut self, no: SessionNo, parents: &mut Numbers) {
        let Some(session) = self.sessions.get_mut(no) else {
            return;
        };
        if !session.dirty.relist && !session.dirty.outward {
            return;
        }
        session.list_tasks();
        let standing = session.standing();
        let Some(parent) = session.parent else {
            return;
        };
        let Some(family) = self.sessions.get_mut(parent) else {
            return;
        };
        let child = family.children.get(no);
        let Some(entry) = child.and_then(|child| family.kids.get_mut(child)) else {
            return;
        };
        if entry.standing != standing {
            entry.standing = standing;
            // Closed it shows none of its children's work.
            if !family.closed {
                family.touch_outward();
                family.dirty.relist = true;
                parents.add(parent);
            }
        }
    }

    /// Collects what the event did to one session.
    fn take_changes(&mut self, no: SessionNo, at: f64, changes: &mut Changes) {
        let Some(session) = self.sessions.get_mut(no) else {
            return;
        };
        if session.dirty.relist {
            let tracked = session.track(at);
            if !tracked.started.is_empty() || !tracked.ended.is_empty() {
                changes.tracked.push((no, tracked));
            }
        }
        let dirty = core::mem::take(&mut session.dirty);
        if !dirty.touched {
            return;
        }
        if session.requires_action() {
            self.requiring_action.add(no);
        } else {
            self.requiring_action.remove(no);
        }
        let is_quiet = session.is_quiet();
        if is_quiet && (session.quiet_since.is_none() || dirty.quiet_again) {
            session.quiet_since.get_or_insert(at);
            if session.window.is_none() && !dirty.left_window {
                changes.became_quiet.push(session.id.as_ref().into());
            }
        } else if !is_quiet {
            session.quiet_since = None;
        }
        let asks = dirty.asks || !session.requests.is_empty();
        changes.changed.add(no);
        if dirty.outward || asks {
            self.name_ancestors(no, asks, changes);
        }
    }

    /// Names the ancestors whose answers may have changed with those of a session (rule N2): each one
    /// that shows its child, and all of them where it is about who waits for the user.
    fn name_ancestors(&self, no: SessionNo, asks: bool, changes: &mut Changes) {
        // Several sessions of a tree may change at once: none is climbed through twice.
        let climbed = if asks {
            &mut changes.asked
        } else {
            &mut changes.climbed
        };
        let mut line = Vec::new();
        let mut last = None;
        let mut child = no;
        for ancestor in self.line(no).skip(1) {
            let Some(session) = self.sessions.get(ancestor) else {
                break;
            };
            let link = session.children.get(child);
            let entry = link.and_then(|link| session.kids.get(link));
            let is_listed = entry.is_some_and(|entry| entry.work.listed);
            if !is_listed && !asks {
                // One that only runs stands in the parent's close plan (rule X2), and nowhere above.
                let runs = entry.is_some_and(|entry| entry.standing.runs);
                last = Some(ancestor).filter(|_| runs && !session.foreground().is_busy());
                break;
            }
            line.push(ancestor);
            if climbed.get(ancestor).is_some() {
                break;
            }
            child = ancestor;
        }
        // Parents first, as they mostly are the older ones.
        for ancestor in last.into_iter().chain(line.iter().rev().copied()) {
            changes.changed.add(ancestor);
        }
        for ancestor in line.into_iter().rev() {
            climbed.add(ancestor);
        }
        climbed.add(no);
    }

    /// Makes the items of what began and ended, as they are after the event.
    fn view_changes(&self, changes: &mut Changes, waiting: &Numbers) {
        for (no, Tracked { started, ended }) in core::mem::take(&mut changes.tracked) {
            let began = |key: &Key| self.work_item(no, *key, waiting);
            let over = |key: &Key| self.ended_item(no, *key, waiting);
            let began = started.iter().filter_map(began).collect();
            let over = ended.iter().filter_map(over).collect();
            changes.views.add(no, (began, over));
        }
    }
}
