//! What an event changed (section 13): collected where it happened, settled upwards, and told once.

use super::client::ClientState;
use super::effects::Effects;
use super::session::SessionNo;
use super::sorted::{Numbers, Sorted};
use super::tracking::Tracked;
use crate::answers::{Outcome, WorkItem};
use alloc::{string::String, vec::Vec};

/// What one event changed, as it is collected.
#[derive(Debug, Default)]
struct Changes {
    changed: Sorted<String>,
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
        if !self.deleted.is_empty() {
            // What ended is viewed before it is forgotten, hence settled before.
            self.settle();
        }
        for no in core::mem::take(&mut self.deleted) {
            self.take_changes(no, effects.at, &mut changes);
            self.view_changes(&mut changes);
            if let Some(session) = self.sessions.get(no) {
                changes.changed.add(no, session.id.as_ref().into());
            }
            self.forget(no);
        }
        self.settle();
        let visited = core::mem::take(&mut self.visited);
        for no in visited.keys() {
            self.take_changes(no, effects.at, &mut changes);
        }
        for (no, _) in changes.changed.iter() {
            if let Some(session) = self.sessions.get_mut(no) {
                session.version = session.version.saturating_add(1);
            }
        }
        self.view_changes(&mut changes);
        let (mut started, mut ended) = (Vec::new(), Vec::new());
        for (began, over) in changes.views.into_values() {
            started.extend(began);
            ended.extend(over);
        }
        Outcome {
            changed: changes.changed.into_values().collect(),
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
        let mut waiting = self.visited.clone();
        while let Some(no) = waiting.pop_last() {
            let Some(session) = self.sessions.get_mut(no) else {
                continue;
            };
            if !session.dirty.relist && !session.dirty.outward {
                continue;
            }
            session.list_tasks();
            let standing = session.standing();
            let Some(parent) = session.parent else {
                continue;
            };
            let Some(family) = self.sessions.get_mut(parent) else {
                continue;
            };
            let child = family.children.get(no);
            let Some(entry) = child.and_then(|child| family.kids.get_mut(child)) else {
                continue;
            };
            if entry.standing != standing {
                entry.standing = standing;
                if family.closed {
                    // It shows none of its children's work.
                    continue;
                }
                family.touch_outward();
                family.dirty.relist = true;
                self.visited.add(parent);
                waiting.add(parent);
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
            changes.tracked.push((no, tracked));
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
        changes.changed.add(no, session.id.as_ref().into());
        if dirty.outward || asks {
            self.name_ancestors(no, asks, changes);
        }
    }

    /// Names the ancestors whose answers may have changed with those of a session (rule N2): each one
    /// that shows its child, and all of them where it is about who waits for the user.
    fn name_ancestors(&self, no: SessionNo, asks: bool, changes: &mut Changes) {
        // Several sessions of a tree may change at once: none is climbed through twice.
        let is_climbed = |climbed: &mut Numbers, no| {
            let is_climbed = climbed.get(no).is_some();
            climbed.add(no);
            is_climbed
        };
        let climbed = if asks {
            &mut changes.asked
        } else {
            &mut changes.climbed
        };
        is_climbed(climbed, no);
        let mut child = no;
        for ancestor in self.line(no).skip(1) {
            let Some(session) = self.sessions.get(ancestor) else {
                return;
            };
            let link = session.children.get(child);
            let entry = link.and_then(|link| session.kids.get(link));
            let is_listed = entry.is_some_and(|entry| entry.work.listed);
            // One that only runs stands in the parent's close plan (rule X2), and nowhere above.
            let is_stopped =
                entry.is_some_and(|entry| entry.standing.runs) && !session.foreground().is_busy();
            if !is_listed && !is_stopped && !asks {
                return;
            }
            changes.changed.add(ancestor, session.id.as_ref().into());
            if is_climbed(climbed, ancestor) || !(is_listed || asks) {
                return;
            }
            child = ancestor;
        }
    }

    /// Makes the items of what began and ended, as they are after the event.
    fn view_changes(&self, changes: &mut Changes) {
        for (no, tracked) in core::mem::take(&mut changes.tracked) {
            let Tracked { started, ended } = tracked;
            let started = started.iter().filter_map(|key| self.work_item(no, *key));
            let ended = ended.iter().filter_map(|key| self.ended_item(no, *key));
            let views = (started.collect(), ended.collect());
            changes.views.add(no, views);
        }
    }
}
