//! What updates do to async tasks (rules J2 to J6).

use super::session::{EndOfTurn, Session};
use super::table::No;
use super::task::Task;
use super::tool_call::TaskEnd;
use super::work::{Key, Moment};
use super::work::{add_reference, remove_reference};
use crate::answers::{CallBackground, CallShown, StopRefusal, TerminalShown};
use crate::event::TaskSpawned;
use alloc::vec::Vec;

/// What a task may change of a call that it names and of the call's terminals, as far as answers show it.
#[derive(PartialEq)]
struct Seen {
    shown: CallShown,
    background: Option<CallBackground>,
    handed_off: Option<Key>,
    stop: Option<Key>,
    refusal: Option<StopRefusal>,
    terminals: Vec<(TerminalShown, bool, Option<StopRefusal>)>,
}

impl Session {
    /// A task was spawned, or spawned again. What comes back is the end of a turn, when it was one and is
    /// work from now on.
    pub(crate) fn task_spawned(
        &mut self,
        spawned: &TaskSpawned<&str>,
        at: f64,
    ) -> Option<EndOfTurn> {
        let no = self.tasks.number(spawned.async_task_id);
        let call = spawned.tool_call_id.map(|id| self.calls.number(id));
        let task = self.tasks.get(no)?;
        let was_live = task.is_live();
        let was_named = task.call;
        // One path for all else: out with its old name, call and type, in with the new.
        let keeps_place = was_live
            && call.is_none_or(|call| was_named == Some(call))
            && spawned
                .task_type
                .is_none_or(|kind| (kind == "turn") == task.is_turn);
        let named: Vec<No> = was_named.into_iter().chain(call).collect();
        let shown_before = self.look(&named);
        if was_live && !keeps_place {
            self.withdraw_task(no);
        }
        let seq = self.last_task_seq.saturating_add(1);
        let task = self.tasks.get_mut(no)?;
        let before = task.clone();
        if task.seq == 0 {
            task.seq = seq;
            task.started_at = Moment::at(at);
            self.last_task_seq = seq;
        }
        task.end = None;
        task.ended_at = Moment::default();
        task.unconfirmed = false;
        if !was_live {
            task.paused = false;
        }
        if let Some(name) = spawned.name {
            task.name = Some(name.into());
        }
        if let Some(task_type) = spawned.task_type {
            task.is_turn = task_type == "turn";
        }
        if let Some(can_stop) = spawned.can_stop {
            task.can_stop = can_stop;
        }
        let place = (task.seq, no);
        if call.is_some() {
            task.call = call;
        }
        let was_turn = was_live && before.is_turn;
        let is_turn = task.is_turn;
        let (old, new) = (before.call, task.call);
        let is_shown = task.is_work() || before.is_work();
        let is_changed = task.is_work() != before.is_work()
            || task.is_live() != before.is_live()
            || ((task.name != before.name || task.call != before.call) && task.work.listed)
            || (task.can_stop != before.can_stop && task.work.requested == 0);
        if old != new
            && let Some(call) = old.and_then(|old| self.calls.get_mut(old))
        {
            remove_reference(&mut call.more_mut().tasks, place);
        }
        if let Some(call) = new.and_then(|new| self.calls.get_mut(new)) {
            add_reference(&mut call.more_mut().tasks, place);
        }
        if let Some(new) = new.filter(|_| !is_turn) {
            self.look_at_call(new);
        }
        if !keeps_place {
            self.enter_task(no);
        }
        if is_turn && !was_turn {
            self.begin_v1_turn();
        }
        self.dirty.relist = true;
        if (is_shown && is_changed) || self.look(&named) != shown_before {
            self.touch_outward();
        }
        if was_turn && !is_turn {
            return self.end_v1_turn(EndOfTurn::default());
        }
        None
    }

    fn look(&self, calls: &[No]) -> Vec<Seen> {
        let look_at = |no: No| {
            let terminal = self.terminals.get(no).filter(|it| it.is_announced())?;
            let refusal = self.stop_refusal(Some(Key::Terminal(no)));
            let is_listed = self.is_terminal_listed(terminal);
            Some((self.terminal_shown(terminal), is_listed, refusal))
        };
        let look = |no: &No| {
            let call = self.calls.get(*no).filter(|call| call.is_announced())?;
            Some(Seen {
                shown: self.call_shown(call),
                background: self.call_background(call),
                handed_off: call.more().and_then(|more| more.handed_off),
                stop: self.call_stop(*no),
                refusal: self.stop_refusal(Some(Key::ToolCall(*no))),
                terminals: call.terminals().filter_map(look_at).collect(),
            })
        };
        calls.iter().filter_map(look).collect()
    }

    /// A task's state was reported. What comes back is the end of a turn.
    pub(crate) fn task_state(&mut self, id: &str, state: &str, at: f64) -> Option<EndOfTurn> {
        let no = self.tasks.find(id)?;
        let task = self.tasks.get_mut(no).filter(|task| task.is_live())?;
        let end = match state {
            "completed" => TaskEnd::Completed,
            "failed" => TaskEnd::Failed,
            "stopped" => TaskEnd::Stopped,
            other => {
                let paused = other == "paused";
                let is_shown = task.work.listed;
                if core::mem::replace(&mut task.paused, paused) != paused && is_shown {
                    self.touch_item();
                }
                return None;
            }
        };
        let is_turn = task.is_turn;
        self.end_task(no, end, at);
        if !is_turn {
            return None;
        }
        // A turn has no stop reason (rule J6).
        self.end_v1_turn(EndOfTurn::default())
    }

    /// After a lost connection a task lives only if the agent spawns it again (rule J2). A turn ends
    /// like a prompt (rule R3).
    pub(crate) fn unconfirm_tasks(&mut self, at: f64) {
        let live: Vec<No> = self.live_tasks.values().collect();
        for no in live {
            match self.tasks.get_mut(no) {
                Some(task) if task.is_turn => self.end_task(no, TaskEnd::Dropped, at),
                Some(task) => task.unconfirmed = true,
                None => {}
            }
        }
    }

    /// Those that the agent did not spawn again end with the answer to the next resume (rule J2).
    pub(crate) fn drop_unconfirmed_tasks(&mut self, at: f64) {
        let is_unconfirmed = |no: &No| self.tasks.get(*no).is_some_and(|task| task.unconfirmed);
        let dropped: Vec<No> = self.live_tasks.values().filter(is_unconfirmed).collect();
        for no in dropped {
            self.end_task(no, TaskEnd::Dropped, at);
        }
    }

    /// Live tasks that are work, in order: a turn is none (rule J6).
    pub(crate) fn tasks_at_work(&self) -> impl Iterator<Item = No> {
        let is_work = |no: &No| self.tasks.get(*no).is_some_and(Task::is_work);
        self.live_tasks.values().filter(is_work)
    }

    pub(crate) fn has_live_turn(&self) -> bool {
        let is_turn = |no: No| self.tasks.get(no).is_some_and(|task| task.is_turn);
        self.live_tasks.values().any(is_turn)
    }

    fn end_task(&mut self, no: No, end: TaskEnd, at: f64) {
        self.withdraw_task(no);
        let Some(task) = self.tasks.get_mut(no) else {
            return;
        };
        task.end = Some(end);
        task.ended_at = Moment::at(at);
        task.work.settle_stop();
        self.accepted.remove(Key::Task(no));
        let call = task.call.filter(|_| !task.is_turn);
        // A closed session shows no task, and what it became had ended with the close (rule X4).
        if task.is_work() && !self.closed {
            self.touch_outward();
        }
        self.dirty.relist = true;
        if let Some(call) = call
            && end != TaskEnd::Dropped
        {
            self.presume_call_over(call, end);
        }
    }

    /// A card whose task ended may end later, differently or never (rule J4).
    fn presume_call_over(&mut self, no: No, end: TaskEnd) {
        let Some(call) = self.calls.get_mut(no) else {
            return;
        };
        if !call.is_unfinished() || call.is_listed_itself() || call.has_live_task() {
            return;
        }
        call.more_mut().task_end = Some(end);
        for terminal in call.terminals().collect::<Vec<_>>() {
            let is_kept = self.terminals.get(terminal).is_none_or(|terminal| {
                !terminal.is_announced()
                    || terminal.exit.is_some()
                    || self.is_terminal_listed(terminal)
                    || self.is_terminal_revived(terminal)
            });
            if let Some(terminal) = self.terminals.get_mut(terminal).filter(|_| !is_kept) {
                terminal.presumed_exited = true;
            }
        }
        self.refresh_call(no);
    }

    /// A live task takes its place: an item, or a turn of v1 (rule J6).
    fn enter_task(&mut self, no: No) {
        let Some(task) = self.tasks.get(no) else {
            return;
        };
        self.live_tasks.insert(task.seq.into(), no);
        if let Some(call_no) = task.call.filter(|_| !task.is_turn) {
            if let Some(call) = self.calls.get_mut(call_no) {
                let more = call.more_mut();
                more.live_tasks = more.live_tasks.saturating_add(1);
            }
            self.refresh_call(call_no);
        }
    }

    /// A live task leaves its place.
    fn withdraw_task(&mut self, no: No) {
        let Some(task) = self.tasks.get(no) else {
            return;
        };
        self.live_tasks.remove(task.seq.into());
        if let Some(call_no) = task.call.filter(|_| !task.is_turn) {
            if let Some(call) = self.calls.get_mut(call_no) {
                let more = call.more_mut();
                more.live_tasks = more.live_tasks.saturating_sub(1);
            }
            self.refresh_call(call_no);
        }
    }
}
