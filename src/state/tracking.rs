//! What began and what ended (section 13): tracked are the listed items that have not finished.

use super::session::Session;
use super::sorted::Keys;
use super::table::No;
use super::tool_call::TaskEnd;
use super::work::{Key, Work};
use alloc::{vec, vec::Vec};

/// What one event began and ended in a session (rule N1).
#[derive(Debug, Default)]
pub(crate) struct Tracked {
    pub(crate) started: Vec<Key>,
    pub(crate) ended: Vec<Key>,
}

impl Session {
    /// Compares what was tracked with what is listed now. In a window of rule R4 nothing is reported;
    /// while the list is not reported only what has finished ends.
    pub(crate) fn track(&mut self, at: f64) -> Tracked {
        if self.window.is_some() && !self.closed {
            // What was tracked before may be listed again; what is new waits for the window's end.
            for key in self.begun.clone().take() {
                self.hand_off(key);
            }
            return Tracked::default();
        }
        let tracked = self.retrack(at);
        let begun = self.begun.take().into_iter();
        for key in begun.chain(tracked.started.iter().copied()) {
            self.hand_off(key);
        }
        tracked
    }

    fn retrack(&mut self, at: f64) -> Tracked {
        let source = if self.closed {
            &[]
        } else if self.list.is_reported() {
            self.list.items()
        } else {
            &self.tracked[..]
        };
        let now = || source.iter().filter(|key| !self.has_finished(**key));
        if now().eq(&self.tracked) {
            return Tracked::default();
        }
        let is_tracked = |key: Key| self.work(key).is_some_and(|it| it.since.get().is_some());
        let tracked: Vec<Key> = now().copied().collect();
        let started: Vec<Key> = now().filter(|key| !is_tracked(**key)).copied().collect();
        let mut kept = Keys::default();
        for key in &tracked {
            kept.insert(*key);
        }
        let before = core::mem::replace(&mut self.tracked, tracked).into_iter();
        let ended: Vec<Key> = before.filter(|key| !kept.contains(*key)).collect();
        for key in &ended {
            let outcome = self.outcome(*key);
            let ended_at = self.ended_at(*key, at);
            if let Some(work) = self.work_mut(*key) {
                work.end(ended_at, outcome);
            }
        }
        for key in &started {
            if let Some(work) = self.work_mut(*key) {
                work.begin(at);
            }
        }
        if !started.is_empty() || ended.iter().any(|key| self.is_end_shown(*key)) {
            self.touch_outward();
        }
        Tracked { started, ended }
    }

    /// When work ended that is tracked no longer: its own end, unless the list is the later word.
    fn ended_at(&self, key: Key, at: f64) -> f64 {
        let own = match key {
            Key::Terminal(no) => self.terminals.get(no).and_then(|it| it.ended_at.get()),
            Key::ToolCall(no) => self.calls.get(no).and_then(|it| it.ended_at.get()),
            Key::Task(no) => self.tasks.get(no).and_then(|it| it.ended_at.get()),
            Key::Subagent(_) | Key::Other(_) => None,
        };
        let since = self.work(key).and_then(|work| work.since.get());
        own.filter(|own| since.is_none_or(|since| *own >= since))
            .unwrap_or(at)
    }

    /// How work ended that is tracked no longer (rule N4).
    pub(crate) fn outcome(&self, key: Key) -> &'static str {
        if self.closed {
            return "closed";
        }
        if !self.has_finished(key) {
            return "dropped";
        }
        match key {
            Key::Terminal(no) => {
                let terminal = self.terminals.get(no);
                let was_stopped = terminal.is_some_and(|terminal| terminal.work.stopped);
                if was_stopped { "stopped" } else { "exited" }
            }
            Key::ToolCall(no) => self.calls.get(no).map_or("dropped", |call| {
                match (call.status.is_final(), call.task_end()) {
                    // As it is shown (rule J4).
                    (false, Some(TaskEnd::Stopped)) => "cancelled",
                    (false, Some(end)) => end.text(),
                    (_, _) => call.status.text().unwrap_or("dropped"),
                }
            }),
            Key::Subagent(_) => "idle",
            Key::Task(no) => self
                .tasks
                .get(no)
                .and_then(|task| task.end)
                .map_or("dropped", |end| end.text()),
            Key::Other(_) => "dropped",
        }
    }

    /// Remembers for the calls around a newly listed item what they became (rule N3).
    fn hand_off(&mut self, begun: Key) {
        for call in self.calls_around(begun) {
            self.hand_off_call(call);
        }
    }

    /// The calls that may have become an item: itself, those that reference or show it, its task's.
    fn calls_around(&self, key: Key) -> Vec<No> {
        match key {
            Key::ToolCall(no) => vec![no],
            Key::Task(no) => {
                let call = self.tasks.get(no).and_then(|task| task.call);
                call.into_iter().collect()
            }
            Key::Terminal(_) | Key::Subagent(_) | Key::Other(_) => {
                let calls = self.work(key).map_or(&[][..], |work| &work.calls);
                calls.iter().map(|(_, no)| *no).collect()
            }
        }
    }

    /// Whether any answer tells the end of an item: it is listed still, a call became it, or it is a child
    /// that runs without being listed (rule X2).
    fn is_end_shown(&self, key: Key) -> bool {
        let is_told = |work: &Work| work.listed || work.is_handed;
        self.work(key).is_some_and(is_told) || (!self.closed && self.runs_unlisted(key))
    }

    /// [`Self::hand_off_call`], once the list is made when it is one of tasks: this event may change it.
    pub(crate) fn look_at_call(&mut self, no: No) {
        if self.list.of_tasks {
            self.begun.insert(Key::ToolCall(no));
            self.dirty.relist = true;
        } else {
            self.hand_off_call(no);
        }
    }

    /// The first listed of: the call itself, its tasks, its terminals, the sessions that it shows.
    fn hand_off_call(&mut self, no: No) {
        let Some(call) = self.calls.get(no).filter(|call| call.is_announced()) else {
            return;
        };
        let Some(more) = call.more().filter(|more| more.handed_off.is_none()) else {
            return;
        };
        let itself = core::iter::once(Key::ToolCall(no));
        let tasks = more.tasks.iter().map(|(_, no)| Key::Task(*no));
        let terminals = call.terminals().map(Key::Terminal);
        let sessions = call.sessions().map(Key::Subagent);
        let first = itself
            .chain(tasks)
            .chain(terminals)
            .chain(sessions)
            .filter_map(|key| {
                let work = self.work(key).filter(|work| work.listed)?;
                let past = || work.past.as_deref().map(|past| past.since);
                let since = work.since.get().or_else(past)?;
                Some((key, since))
            })
            .reduce(|first, next| if next.1 < first.1 { next } else { first });
        if let (Some((key, _)), Some(call)) = (first, self.calls.get_mut(no)) {
            call.more_mut().handed_off = Some(key);
            if let Some(work) = self.work_mut(key) {
                work.is_handed = true;
            }
            self.touch_item();
        }
    }
}
