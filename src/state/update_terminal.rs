//! What an update does to a terminal (section 4).

use super::session::Session;
use super::table::No;
use super::terminal::Terminal;
use super::work::{Key, Moment};
use crate::event::{ExitStatus, TerminalUpdate};
use alloc::boxed::Box;

impl Session {
    /// The number of a terminal that an update is about, which creates it (rule M1).
    fn announce_terminal(&mut self, id: &str, at: f64) -> No {
        let no = self.terminals.number(id);
        if self.terminals.get(no).is_some_and(Terminal::is_announced) {
            return no;
        }
        let seq = self.next_seq();
        if let Some(terminal) = self.terminals.get_mut(no) {
            terminal.seq = seq;
            terminal.started_at = Moment::at(at);
        }
        self.running.insert(seq.into(), no);
        self.touch_item();
        self.dirty.relist = true;
        no
    }

    /// Applies a patch (rule M1).
    pub(crate) fn update_terminal(&mut self, update: &TerminalUpdate<&str>, at: f64) {
        let no = self.announce_terminal(update.terminal_id, at);
        let shown = self.exit_shown(no);
        let Some(terminal) = self.terminals.get_mut(no) else {
            return;
        };
        let mut is_changed = false;
        for (field, patch) in [
            (&mut terminal.command, update.command),
            (&mut terminal.cwd, update.cwd),
        ] {
            if let Some(change) = patch.into_change()
                && field.as_deref() != change
            {
                *field = change.map(Into::into);
                is_changed = true;
            }
        }
        let was_presumed = core::mem::take(&mut terminal.presumed_exited);
        if let Some(output) = update.output.into_change() {
            let before = terminal.output.last_line();
            match output {
                Some(data) => terminal.output.replace_base64(data),
                None => terminal.output.clear(),
            }
            is_changed |= terminal.output.last_line() != before;
        }
        let has_exited = terminal.exit.is_some() && !terminal.work.revived;
        let exit = match update.exit.clone().into_change() {
            None if update.released && !has_exited => Some(Some(ExitStatus::default())),
            change => change,
        };
        if is_changed {
            self.touch_item();
        }
        if was_presumed {
            self.dirty.relist = true;
            // Not so while a live task keeps it running (rule J3).
            if self.exit_shown(no) != shown {
                self.touch_item();
            }
        }
        if let Some(exit) = exit {
            let before = self.exit_shown(no);
            self.set_exit(no, exit, at);
            // Afterwards: what runs on by its own word does not end in between, nor do its stops.
            self.end_revival(Key::Terminal(no));
            if self.exit_shown(no) != before {
                self.touch_item();
            }
        }
        if let Some(cancel) = update.cancel.into_change() {
            self.set_terminal_cancel(no, cancel.unwrap_or_default());
        }
        self.refresh_terminal(no);
    }

    fn set_exit(&mut self, no: No, exit: Option<ExitStatus>, at: f64) {
        let Some(terminal) = self.terminals.get_mut(no) else {
            return;
        };
        // Revived it ran on, so that it ends now, whatever it had exited with before (rule T7).
        let ran_on = terminal.work.revived;
        if terminal.exit.as_deref() == exit.as_ref() && !ran_on {
            return;
        }
        if exit.is_none() {
            terminal.ended_at = Moment::default();
            terminal.work.stopped = false;
        } else if terminal.exit.is_none() || ran_on {
            terminal.ended_at = Moment::at(at);
        }
        terminal.exit = exit.map(Box::new);
        self.dirty.relist = true;
    }

    /// What answers say of a terminal's exit: nothing while it runs, by whatever word (rules B7, J3).
    fn exit_shown(&self, no: No) -> Option<(Option<ExitStatus>, Moment)> {
        let terminal = self.terminals.get(no)?;
        let exit = (terminal.exit.as_deref().cloned(), terminal.ended_at);
        (!self.is_terminal_running(terminal)).then_some(exit)
    }

    fn set_terminal_cancel(&mut self, no: No, cancel: bool) {
        let Some(terminal) = self.terminals.get_mut(no) else {
            return;
        };
        if terminal.cancel != cancel {
            terminal.cancel = cancel;
            // Only a stop plan says it, and only where nothing before it refuses (rule S1).
            if self.terminals.get(no).is_some_and(|terminal| {
                self.is_terminal_running(terminal) && terminal.work.requested == 0
            }) {
                self.touch_item();
            }
        }
    }

    /// Output of a terminal that was announced moves its tail, and nothing else (rule M2).
    pub(crate) fn append_output(&mut self, id: &str, data: &str) {
        self.change_output(id, |terminal| {
            terminal.output.append_base64(data);
        });
    }

    pub(crate) fn append_plain_output(&mut self, id: &str, text: &str) {
        self.change_output(id, |terminal| terminal.output.append(text.as_bytes()));
    }

    pub(crate) fn replace_plain_output(&mut self, id: &str, text: &str) {
        self.change_output(id, |terminal| {
            terminal.output.clear();
            terminal.output.append(text.as_bytes());
        });
    }

    fn change_output(&mut self, id: &str, change: impl FnOnce(&mut Terminal)) {
        let Some(no) = self.terminals.find(id) else {
            return;
        };
        let Some(terminal) = self.terminals.get_mut(no).filter(|it| it.is_announced()) else {
            return;
        };
        let before = terminal.output.last_line();
        change(terminal);
        if terminal.output.last_line() != before {
            self.touch_item();
        }
    }
}
