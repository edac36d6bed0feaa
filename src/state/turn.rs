//! Turns of v1, which has no snapshots (rules V1, V6, J6).

use super::client::ClientState;
use super::effects::Effects;
use super::session::{EndOfTurn, Foreground, Session};

impl Session {
    /// A prompt was sent or the agent began a turn: on v1 the foreground runs.
    pub(crate) fn begin_v1_turn(&mut self) {
        if self.protocol.is_v1 && !self.closed {
            self.awaits_snapshot = false;
            self.set_foreground(Foreground::Running);
        }
    }

    /// A turn of v1 ended: with the last of them the foreground is idle, if it ran. What comes back is
    /// to be reported.
    pub(crate) fn end_v1_turn(&mut self, end: EndOfTurn) -> Option<EndOfTurn> {
        let is_last = self.protocol.is_v1 && self.is_running() && !self.has_open_turn();
        if !is_last {
            return None;
        }
        let is_muted = self.window.is_some();
        self.become_idle(end).filter(|_| !is_muted)
    }
}

impl ClientState {
    /// The agent began a turn by itself (rule V6).
    pub(crate) fn agent_turn_started(&mut self, session_id: &str) {
        if !self.protocol.is_v1 {
            return;
        }
        // It makes no session exist (rule F6).
        if let Some(session) = self.find_mut(session_id).filter(|session| !session.closed) {
            session.agent_turns = session.agent_turns.saturating_add(1);
            session.begin_v1_turn();
        }
    }

    /// That turn ended (rule V6).
    pub(crate) fn agent_turn_ended(
        &mut self,
        session_id: &str,
        stop_reason: Option<&str>,
        effects: &mut Effects,
    ) {
        if !self.protocol.is_v1 {
            return;
        }
        let Some(session) = self.find_mut(session_id) else {
            return;
        };
        let Some(rest) = session.agent_turns.checked_sub(1) else {
            return;
        };
        session.agent_turns = rest;
        let end = EndOfTurn {
            stop_reason: stop_reason.map(Into::into),
            error: None,
        };
        if let Some(end) = session.end_v1_turn(end) {
            effects.end_turn(session_id, end);
        }
    }
}
