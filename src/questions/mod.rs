//! What is answered: each question in a file of its own, which reads like its section of the rules.

mod abandoned;
mod activity;
mod cancel;
mod close;
mod requests;
mod stop;
mod view;
mod work_item;

use alloc::borrow::Cow;

use crate::state::{self, ClientState};

/// The questions about one session. They read and change nothing.
///
/// For an id that no session has, the answers are those of a new session (rules F1, F6).
#[derive(Debug, Clone)]
pub struct Session<'a> {
    client: &'a ClientState,
    no: Option<state::SessionNo>,
    session: Cow<'a, state::Session>,
}

impl ClientState {
    /// The questions about the session of that id.
    #[must_use]
    pub fn session(&self, session_id: &str) -> Session<'_> {
        let no = self.find(session_id);
        let known = no.and_then(|no| self.sessions.get(no));
        Session {
            client: self,
            no,
            session: known.map_or_else(
                || Cow::Owned(state::Session::new(session_id, self.protocol, 0.0)),
                |known| Cow::Borrowed(&**known),
            ),
        }
    }
}
