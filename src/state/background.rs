//! The background list (section 2) and the three small questions that every other one rests on:
//! what is listed, what is live by reference, what has finished (rule B7).

use super::session::{Foreground, Protocol, Session};
use super::table::No;
use super::terminal::Terminal;
use super::tool_call::{Mark, ToolCall};
use super::work::Key;
use crate::saved::{saved_enum, saved_struct};
use alloc::vec::Vec;

/// The latest background list.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct List {
    reported: Reported,
    items: Vec<Key>,
    /// Whether it is made of async tasks and children, as nobody reports one (rule J1).
    pub(crate) of_tasks: bool,
    /// What is reported when async tasks do not stand for the list.
    beneath: Reported,
    /// Whether the agent ever reported one; async tasks count no more then (rule J1).
    pub(crate) was_sent: bool,
}

/// Whether the list is known (rule B2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Reported {
    #[default]
    Never,
    Lost,
    Listed,
}

/// What answers show of a list.
pub(crate) type SeenList = (Reported, Vec<Key>);

impl List {
    pub(crate) fn new(protocol: Protocol) -> Self {
        Self {
            reported: if protocol.has_async_tasks {
                Reported::Listed
            } else {
                Reported::Never
            },
            items: Vec::new(),
            of_tasks: protocol.has_async_tasks,
            beneath: Reported::Never,
            was_sent: false,
        }
    }

    pub(crate) fn reported(&self) -> Reported {
        self.reported
    }

    pub(crate) fn is_reported(&self) -> bool {
        self.reported == Reported::Listed
    }

    pub(crate) fn is_reported_empty(&self) -> bool {
        self.is_reported() && self.items.is_empty()
    }

    /// What answers show of it, apart from how it came about.
    pub(crate) fn seen(&self) -> SeenList {
        (self.reported, self.items.clone())
    }

    /// What is listed; nothing when no list is reported.
    pub(crate) fn items(&self) -> &[Key] {
        &self.items
    }
}

impl Session {
    /// Whether a call counts as listed: it is, or a live task names it (rule J3).
    pub(crate) fn is_call_listed(&self, call: &ToolCall) -> bool {
        call.is_listed_itself()
            || (self.list.of_tasks && self.list.is_reported() && call.has_live_task())
    }

    /// Whether a terminal counts as listed: it is, or a live task names a call that references it.
    pub(crate) fn is_terminal_listed(&self, terminal: &Terminal) -> bool {
        terminal.work.listed || self.is_kept_by_task(terminal)
    }

    /// Whether a terminal counts as listed by a live task, and so runs whatever is said of its exit.
    pub(crate) fn is_kept_by_task(&self, terminal: &Terminal) -> bool {
        self.list.of_tasks && self.list.is_reported() && self.has_terminal_live_task(terminal)
    }

    /// Whether a call references a listed terminal.
    pub(crate) fn references_listed(&self, call: &ToolCall) -> bool {
        self.some_terminal(call, &|terminal| self.is_terminal_listed(terminal))
    }

    /// Whether any terminal that a call references is one of those.
    pub(crate) fn some_terminal(&self, call: &ToolCall, is_it: &dyn Fn(&Terminal) -> bool) -> bool {
        let mut terminals = call.terminals().filter_map(|no| self.terminals.get(no));
        terminals.any(is_it)
    }

    /// Whether a call is live by the list: listed, or referencing a listed terminal (rule D2).
    pub(crate) fn is_call_live(&self, call: &ToolCall) -> bool {
        self.is_call_listed(call) || self.references_listed(call)
    }

    /// Whether live tasks keep what they name running (rule J3): not beside a list of the agent's own,
    /// nor in a closed session (rule X4).
    fn tasks_count(&self) -> bool {
        !self.list.was_sent && !self.closed
    }

    /// Whether a live task keeps a terminal running, whatever was said of its exit (rule J3).
    fn has_terminal_live_task(&self, terminal: &Terminal) -> bool {
        self.tasks_count()
            && terminal
                .work
                .calls
                .iter()
                .any(|(_, no)| self.calls.get(*no).is_some_and(ToolCall::has_live_task))
    }

    /// Whether the list or a live task says that a terminal runs, exited or not (rules B7, J3).
    pub(crate) fn is_terminal_revived(&self, terminal: &Terminal) -> bool {
        terminal.work.revived || self.has_terminal_live_task(terminal)
    }

    pub(crate) fn is_terminal_running(&self, terminal: &Terminal) -> bool {
        terminal.is_announced() && (!terminal.has_exited() || self.is_terminal_revived(terminal))
    }

    pub(crate) fn has_call_finished(&self, call: &ToolCall) -> bool {
        if call.mark() == Mark::Closed {
            return true;
        }
        let is_revived = call.is_revived() || (self.tasks_count() && call.has_live_task());
        call.is_announced() && !call.is_unfinished() && !is_revived
    }

    /// Whether a piece of work has finished (rule B7), as far as a list is concerned. Work that was
    /// never announced runs (rule B6).
    pub(crate) fn has_finished(&self, key: Key) -> bool {
        match key {
            Key::Terminal(no) => self.terminals.get(no).is_some_and(|terminal| {
                terminal.is_announced() && !self.is_terminal_running(terminal)
            }),
            Key::ToolCall(no) => self
                .calls
                .get(no)
                .is_some_and(|call| self.has_call_finished(call)),
            Key::Subagent(no) => self.kids.get(no).is_some_and(|child| {
                child.is_adopted && child.standing.is_done && !child.work.revived
            }),
            Key::Task(no) => self.tasks.get(no).is_some_and(|task| !task.is_live()),
            Key::Other(_) => false,
        }
    }

    pub(crate) fn lists_unfinished(&self) -> bool {
        self.list.items.iter().any(|key| !self.has_finished(*key))
    }

    /// A snapshot reports a list (rule B1).
    pub(crate) fn report_list(&mut self, items: Vec<Key>) {
        let counted = self.tasks_count();
        self.list.was_sent = true;
        self.list.of_tasks = false;
        self.list.beneath = Reported::Listed;
        self.replace_list(Reported::Listed, items);
        if counted && !self.live_tasks.is_empty() {
            // What they named is no longer kept running by them, but may be by the list.
            self.refresh_tasks();
            self.dirty.relist = true;
        }
    }

    /// A snapshot reports none (rule B2). What stands for a list of async tasks is not the agent's to
    /// withhold (rule J1).
    pub(crate) fn list_not_reported(&mut self) {
        if self.list.beneath == Reported::Listed {
            self.list.beneath = Reported::Lost;
        }
        self.dirty.relist = true;
        if !self.list.of_tasks {
            self.replace_list(self.list.beneath, Vec::new());
        }
    }

    /// A v1 child that ended lists nothing, unless its tasks say more (rule V5).
    pub(crate) fn report_ended(&mut self) {
        self.list.beneath = Reported::Listed;
        self.dirty.relist = true;
        if !self.list.of_tasks {
            self.replace_list(Reported::Listed, Vec::new());
        }
    }

    /// Puts a list back as it was (rule R2); no snapshot says so, hence nothing is revived.
    pub(crate) fn restore_list(&mut self, list: List) {
        if !list.was_sent && (list.of_tasks || self.are_tasks_on()) {
            // It is made of what the tasks say now.
            self.list.beneath = list.beneath;
            self.list.of_tasks = true;
            return;
        }
        self.unlist();
        for key in &list.items {
            if let Some(work) = self.work_mut(*key) {
                work.listed = true;
            }
        }
        self.list = list;
        for key in self.list.items.clone() {
            self.begun.insert(key);
            self.lift_presumption(key);
            self.refresh(key);
        }
        self.lift_live_marks();
        self.dirty.relist = true;
    }

    fn unlist(&mut self) {
        for key in core::mem::take(&mut self.list.items) {
            if let Some(work) = self.work_mut(key) {
                work.listed = false;
            }
        }
    }

    fn replace_list(&mut self, reported: Reported, items: Vec<Key>) {
        if self.list.reported == reported && self.list.items == items {
            return;
        }
        let before = self.list.items.clone();
        let begun: Vec<Key> = items
            .iter()
            .filter(|key| !self.work(**key).is_some_and(|work| work.listed))
            .cloned()
            .collect();
        self.unlist();
        for key in &items {
            if let Some(work) = self.work_mut(*key) {
                work.listed = true;
            }
        }
        self.list.reported = reported;
        self.list.items = items;
        for key in &begun {
            if self.has_finished_by_report(*key) {
                self.revive(*key);
            }
            self.lift_presumption(*key);
        }
        if self.list.is_reported() {
            self.drop_unlisted_revivals();
            self.lift_live_marks();
        }
        for key in before.iter().chain(&begun) {
            self.refresh(*key);
        }
        for key in &begun {
            self.begun.insert(*key);
        }
        self.touch_outward();
        self.dirty.relist = true;
    }

    /// Whether the agent reported that the work is over, marks and tasks aside.
    fn has_finished_by_report(&self, key: Key) -> bool {
        match key {
            Key::Terminal(no) => self
                .terminals
                .get(no)
                .is_some_and(|terminal| terminal.is_announced() && terminal.exit.is_some()),
            Key::ToolCall(no) => self
                .calls
                .get(no)
                .is_some_and(|call| call.is_announced() && call.status.is_final()),
            Key::Subagent(no) => self
                .kids
                .get(no)
                .is_some_and(|child| child.is_adopted && child.standing.is_done),
            Key::Task(_) | Key::Other(_) => false,
        }
    }

    /// The list is the later word: the item runs (rule B7).
    fn revive(&mut self, key: Key) {
        if let Some(work) = self.work_mut(key) {
            work.revived = true;
            work.stopped = false;
            self.revived.insert(key);
        }
    }

    /// The agent reported the item's state again, or the list dropped it (rule B7).
    pub(crate) fn drop_revival(&mut self, key: Key) {
        let shown = |it: &Self| (it.has_finished(key), it.is_past_stopping(key));
        let before = shown(self);
        if self.end_revival(key) && shown(self) != before {
            self.touch_item();
        }
    }

    /// [`Self::drop_revival`], without a word of whether an answer changed.
    pub(crate) fn end_revival(&mut self, key: Key) -> bool {
        if !self.revived.remove(key) {
            return false;
        }
        if let Some(work) = self.work_mut(key) {
            work.revived = false;
        }
        self.refresh(key);
        self.dirty.relist = true;
        true
    }

    fn drop_unlisted_revivals(&mut self) {
        let dropped: Vec<Key> = self
            .revived
            .iter()
            .filter(|key| !self.work(**key).is_some_and(|work| work.listed))
            .cloned()
            .collect();
        for key in &dropped {
            self.drop_revival(*key);
        }
    }

    /// What the client presumed to be over is listed again (rules X4, J4).
    fn lift_presumption(&mut self, key: Key) {
        match key {
            Key::Terminal(no) => {
                if let Some(terminal) = self.terminals.get_mut(no) {
                    terminal.presumed_exited = false;
                }
            }
            Key::ToolCall(no) => self.lift_call_presumption(no),
            Key::Task(no) => {
                if let Some(call) = self.tasks.get(no).and_then(|task| task.call) {
                    self.lift_call_presumption(call);
                }
            }
            Key::Subagent(_) | Key::Other(_) => {}
        }
    }

    fn lift_call_presumption(&mut self, no: No) {
        let Some(call) = self.calls.get_mut(no) else {
            return;
        };
        if call.mark() == Mark::Closed {
            call.more_mut().mark = Mark::None;
        }
        if call.task_end().is_some() {
            call.more_mut().task_end = None;
        }
        self.refresh_call(no);
    }

    /// A mark of a cancel goes when the call becomes live by the list (rule C2).
    pub(crate) fn lift_live_marks(&mut self) {
        let live: Vec<No> = self
            .unfinished
            .values()
            .filter(|no| {
                self.calls.get(*no).is_some_and(|call| {
                    matches!(call.mark(), Mark::Cancelled(_)) && self.is_call_live(call)
                })
            })
            .collect();
        for no in live {
            if let Some(call) = self.calls.get_mut(no) {
                call.more_mut().mark = Mark::None;
                self.touch_item();
            }
        }
    }

    /// Makes the list of what async tasks and children say, while nobody reports one (rule J1).
    pub(crate) fn list_tasks(&mut self) {
        if self.list.was_sent {
            return;
        }
        if !self.are_tasks_on() {
            if self.list.of_tasks {
                self.list.of_tasks = false;
                self.replace_list(self.list.beneath, Vec::new());
            }
            return;
        }
        self.list.of_tasks = true;
        if self.closed || self.awaits_resume || self.awaits_task() {
            self.replace_list(Reported::Never, Vec::new());
            return;
        }
        let mut items: Vec<Key> = self.tasks_at_work().map(Key::Task).collect();
        if !self.foreground().is_busy() {
            items.extend(self.running_children().map(Key::Subagent));
        }
        self.replace_list(Reported::Listed, items);
        self.lift_live_marks();
        if self.lift_marks_of_tasks() {
            // What runs again may be a shell that is yet to be announced.
            self.list_tasks();
        }
    }

    /// Whether tasks stand for a list that nobody reports (rule J1).
    fn are_tasks_on(&self) -> bool {
        self.protocol.has_async_tasks || self.tasks_at_work().next().is_some()
    }

    /// What live tasks list carries no mark of a close or of an earlier task's end (rules J3, J4, X4).
    /// Whether one went.
    fn lift_marks_of_tasks(&mut self) -> bool {
        let task_call = |no: No| self.tasks.get(no).and_then(|task| task.call);
        let calls: Vec<No> = self.tasks_at_work().filter_map(task_call).collect();
        let mut is_lifted = false;
        for no in calls {
            let Some(call) = self.calls.get(no) else {
                continue;
            };
            let is_marked = call.mark() == Mark::Closed || call.task_end().is_some();
            for terminal in call.terminals().collect::<Vec<_>>() {
                if let Some(terminal) = self.terminals.get_mut(terminal) {
                    is_lifted |= core::mem::take(&mut terminal.presumed_exited);
                }
            }
            if is_marked {
                self.lift_call_presumption(no);
                self.touch_item();
                is_lifted = true;
            }
        }
        is_lifted
    }

    /// The children that run by their own reports (rule X2), in order.
    pub(crate) fn running_children(&self) -> impl Iterator<Item = No> {
        let runs = |no: &No| self.kids.get(*no).is_some_and(|child| child.standing.runs);
        self.children.values().filter(runs)
    }

    /// Whether the idle session has a shell that may yet be announced as a task (rule J1).
    fn awaits_task(&self) -> bool {
        // By its own word: one that only a live task keeps running was announced with that.
        let runs = |terminal: &Terminal| terminal.is_announced() && !terminal.has_exited();
        *self.foreground() == Foreground::Idle
            && self
                .unfinished
                .values()
                .filter_map(|no| self.calls.get(no))
                .any(|call| {
                    let was_named = call.more().is_some_and(|more| !more.tasks.is_empty());
                    !was_named && self.some_terminal(call, &runs)
                })
    }

    /// [`Self::refresh`] for all that live tasks name, as they count again or no longer.
    pub(crate) fn refresh_tasks(&mut self) {
        let tasks: Vec<No> = self.live_tasks.values().collect();
        for no in tasks {
            self.refresh(Key::Task(no));
        }
    }

    /// Keeps the sets of unfinished calls and running terminals, and accepted stops (rule S2), in step
    /// with what a piece of work has come to.
    pub(crate) fn refresh(&mut self, key: Key) {
        match key {
            Key::Terminal(no) => self.refresh_terminal(no),
            Key::ToolCall(no) => self.refresh_call(no),
            Key::Task(no) => {
                if let Some(call) = self.tasks.get(no).and_then(|task| task.call) {
                    self.refresh_call(call);
                }
            }
            Key::Subagent(_) | Key::Other(_) => {}
        }
    }

    /// [`Self::refresh`] for a call and, since a live task keeps them running, its terminals.
    pub(crate) fn refresh_call(&mut self, no: No) {
        let Some(call) = self.calls.get(no) else {
            return;
        };
        if call.is_unfinished() {
            self.unfinished.insert(call.seq.into(), no);
        } else {
            self.unfinished.remove(call.seq.into());
        }
        let has_finished = self.has_call_finished(call);
        let terminals: Vec<No> = call.terminals().collect();
        if let Some(call) = self.calls.get_mut(no) {
            if has_finished && call.work().is_some() {
                call.more_mut().work.settle_stop();
                self.accepted.remove(Key::ToolCall(no));
            }
            call.compact();
        }
        for terminal in terminals {
            self.refresh_terminal(terminal);
        }
    }

    /// [`Self::refresh`] for a terminal.
    pub(crate) fn refresh_terminal(&mut self, no: No) {
        let Some(terminal) = self.terminals.get(no) else {
            return;
        };
        let seq = terminal.seq;
        if self.is_terminal_running(terminal) {
            self.running.insert(seq.into(), no);
            return;
        }
        self.running.remove(seq.into());
        if let Some(terminal) = self.terminals.get_mut(no)
            && terminal.is_announced()
        {
            terminal.work.settle_stop();
            self.accepted.remove(Key::Terminal(no));
            terminal.output.keep_last_line();
        }
    }
}

saved_struct!(List { reported items of_tasks beneath was_sent });
saved_enum!(Reported { Never 1 Lost 2 Listed });
