//! What an update does to a tool call (section 3) and lifts from it (rules B7, C2, X4, J4).

use super::session::{Foreground, Session};
use super::table::{Identified, No};
use super::tool_call::{CancelMark, Mark, Status, ToolCall};
use super::work::{Key, Moment, Place, add_reference, remove_reference};
use crate::event::{Patch, TerminalMeta, TerminalUpdate, ToolCallContent, ToolCallUpdate};
use alloc::{string::String, vec::Vec};

impl Session {
    /// The number of a call that an update is about, which creates it (rules T1, T4).
    fn announce_call(&mut self, id: &str, at: f64) -> No {
        let no = self.calls.number(id);
        if self.calls.get(no).is_some_and(ToolCall::is_announced) {
            return no;
        }
        let seq = self.next_seq();
        if let Some(call) = self.calls.get_mut(no) {
            call.seq = seq;
            call.started_at = Moment::at(at);
        }
        self.unfinished.insert(seq.into(), no);
        self.touch_item();
        self.dirty.relist = true;
        no
    }

    /// Applies a patch (rules T1 to T3, T5).
    pub(crate) fn update_call(&mut self, update: &ToolCallUpdate<&str>, at: f64) {
        let is_v1 = self.protocol.is_v1;
        let meta = update.meta.as_deref();
        if let Some((terminal_id, cwd)) = meta.and_then(|meta| meta.info) {
            self.update_terminal(
                &TerminalUpdate {
                    terminal_id,
                    cwd: cwd.map_or(Patch::Omitted, Patch::Value),
                    ..TerminalUpdate::default()
                },
                at,
            );
        }
        let no = self.announce_call(update.tool_call_id, at);
        if let Some(content) = change(update.content.as_ref(), is_v1) {
            self.set_content(no, content.map_or(&[], Vec::as_slice));
        }
        let status = change(update.status, is_v1);
        if let Some(call) = self.calls.get_mut(no) {
            let mut is_changed = false;
            if let Some(title) = change(update.title, is_v1)
                && call.title() != title
            {
                call.more_mut().title = title.map(Into::into);
                is_changed = true;
            }
            if let Some(kind) = change(update.kind, is_v1) {
                let kind = kind.filter(|kind| *kind != "other");
                if call.kind() != kind.unwrap_or("other") {
                    call.more_mut().kind = kind.map(Into::into);
                    is_changed = true;
                }
            }
            if is_changed {
                self.touch_item();
            }
        }
        if let Some(cancel) = change(update.cancel, is_v1) {
            self.set_call_cancel(no, cancel.unwrap_or_default());
        }
        if let Some(status) = status {
            self.set_status(no, status.unwrap_or("pending"), at);
            // Afterwards: what runs on by its own word does not end in between, nor do its stops.
            self.drop_revival(Key::ToolCall(no));
        }
        self.lift_marks(no, status.is_some());
        self.refresh_call(no);
        self.look_at_call(no);
        if let Some(meta) = meta {
            self.update_meta(meta, at);
        }
    }

    /// Appends a content item (rule T4).
    pub(crate) fn append_content(
        &mut self,
        id: &str,
        item: Option<ToolCallContent<&str>>,
        at: f64,
    ) {
        let no = self.announce_call(id, at);
        if let Some(item) = item {
            self.add_content(no, item);
        }
        self.lift_marks(no, false);
        self.refresh_call(no);
        self.look_at_call(no);
    }

    fn set_content(&mut self, no: No, items: &[ToolCallContent<&str>]) {
        let mut references = Vec::new();
        for item in items {
            let target = self.number_content(item);
            put_reference(&mut references, target);
        }
        let Some(call) = self.calls.get_mut(no) else {
            return;
        };
        if call.references() == references {
            return;
        }
        let before = core::mem::replace(&mut call.more_mut().references, references.clone());
        for target in &references {
            if let Some((calls, place)) = self.way_back(no, *target) {
                add_reference(calls, place);
            }
        }
        for target in before.into_iter().filter(|it| !references.contains(it)) {
            if let Some((calls, place)) = self.way_back(no, target) {
                remove_reference(calls, place);
            }
            // A live task of this call keeps it running no more (rule J3).
            self.refresh(target);
        }
        self.reference_changed();
    }

    fn add_content(&mut self, no: No, item: ToolCallContent<&str>) {
        let target = self.number_content(&item);
        let Some(call) = self.calls.get_mut(no) else {
            return;
        };
        if !put_reference(&mut call.more_mut().references, target) {
            return;
        }
        if let Some((calls, place)) = self.way_back(no, target) {
            add_reference(calls, place);
        }
        self.reference_changed();
    }

    fn number_content(&mut self, item: &ToolCallContent<&str>) -> Key {
        match item {
            ToolCallContent::Terminal(id) => Key::Terminal(self.terminals.number(id)),
            ToolCallContent::Session(id) => Key::Subagent(self.kids.number(id)),
        }
    }

    /// The calls that reference or show `target`, and the place of this one among them.
    fn way_back(&mut self, no: No, target: Key) -> Option<(&mut Vec<Place>, Place)> {
        let place = (self.calls.get(no)?.seq, no);
        Some((&mut self.work_mut(target)?.calls, place))
    }

    fn reference_changed(&mut self) {
        self.touch_item();
        self.dirty.relist = true;
    }

    fn set_call_cancel(&mut self, no: No, cancel: bool) {
        let Some(call) = self.calls.get_mut(no) else {
            return;
        };
        if call.cancel != cancel {
            call.cancel = cancel;
            // Only a stop plan says it, and only where nothing before it refuses (rule S1).
            if self.calls.get(no).is_some_and(|call| {
                !self.has_call_finished(call) && call.work().is_none_or(|work| work.requested == 0)
            }) {
                self.touch_item();
            }
        }
    }

    fn set_status(&mut self, no: No, text: &str, at: f64) {
        let Some(call) = self.calls.get_mut(no) else {
            return;
        };
        if call.task_end().is_some() {
            // The card's own word is the later one (rule J4).
            call.more_mut().task_end = None;
            self.touch_item();
            self.dirty.relist = true;
        }
        let Some(call) = self.calls.get_mut(no) else {
            return;
        };
        if call.status_text() == text {
            return;
        }
        let status = Status::read(text);
        if status.is_final() && call.ended_at.get().is_none() {
            call.ended_at = Moment::at(at);
        } else if !status.is_final() {
            call.ended_at = Moment::default();
        }
        call.status = status;
        if status == Status::Other {
            call.more_mut().status = Some(text.into());
        } else if call.more().is_some_and(|more| more.status.is_some()) {
            call.more_mut().status = None;
        }
        self.touch_item();
        self.dirty.relist = true;
    }

    /// What an update of the call lifts from it; `has_status` when it carries one, `null` included.
    fn lift_marks(&mut self, no: No, has_status: bool) {
        if self.list.of_tasks {
            // The update may have changed it, and what is live with it.
            self.list_tasks();
        }
        let Some(call) = self.calls.get(no) else {
            return;
        };
        let is_lifted = match call.mark() {
            Mark::None => false,
            Mark::Closed => true,
            Mark::Cancelled(at) => {
                let turn_is_over = at.settled || self.idle_snapshots > at.idle_snapshots;
                call.status.is_final() || (has_status && turn_is_over) || self.is_call_live(call)
            }
        };
        if !is_lifted {
            return;
        }
        // It hides behind the end of a task (rule J4).
        let seen = |it: &Self| {
            let call = it.calls.get(no)?;
            Some((it.call_shown(call), it.has_call_finished(call)))
        };
        let before = seen(self);
        if let Some(call) = self.calls.get_mut(no) {
            call.more_mut().mark = Mark::None;
        }
        if seen(self) != before {
            self.touch_item();
            self.dirty.relist = true;
        }
    }

    /// What `_meta` of a call says of output and exit (rule V3).
    fn update_meta(&mut self, meta: &TerminalMeta<&str>, at: f64) {
        if let Some((id, data)) = meta.output {
            self.replace_plain_output(id, data);
        }
        if let Some((id, data)) = meta.output_delta {
            self.append_plain_output(id, data);
        }
        if let Some((terminal_id, exit)) = &meta.exit {
            self.update_terminal(
                &TerminalUpdate {
                    terminal_id,
                    exit: Patch::Value(exit.clone()),
                    ..TerminalUpdate::default()
                },
                at,
            );
        }
    }

    /// Marks what a cancel sent now covers (rules C1, C2).
    pub(crate) fn mark_cancelled(&mut self, calls: &[No]) {
        let mark = Mark::Cancelled(CancelMark {
            idle_snapshots: self.idle_snapshots,
            settled: matches!(self.foreground(), Foreground::Idle | Foreground::Unknown),
        });
        for no in calls {
            if let Some(call) = self.calls.get_mut(*no) {
                let was_marked = matches!(call.mark(), Mark::Cancelled(_));
                call.more_mut().mark = mark;
                if !was_marked {
                    self.touch_item();
                }
            }
        }
    }

    /// The id of a call, for answers.
    pub(crate) fn call_id(&self, no: No) -> Option<String> {
        self.calls.get(no).map(|call| call.id().into())
    }
}

/// Adds a reference, unless it is there: terminals first, since answers show them and sessions apart.
fn put_reference(references: &mut Vec<Key>, target: Key) -> bool {
    if references.contains(&target) {
        return false;
    }
    let is_terminal = |key: &&Key| matches!(key, Key::Terminal(_));
    let place = match target {
        Key::Terminal(_) => references.iter().take_while(is_terminal).count(),
        _ => references.len(),
    };
    references.insert(place, target);
    true
}

/// What a patch changes; on v1 `null` counts as omitted (rule V2).
fn change<T>(patch: Patch<T>, is_v1: bool) -> Option<Option<T>> {
    patch
        .into_change()
        .filter(|change| !is_v1 || change.is_some())
}
