//! Faults that were found, each as the shortest input that showed it.

mod names;
mod state;
mod wire;

use acp_client_state::{ClientState, Event, Outcome};
use serde_json::{Value, json};

/// A state that is fed typed events and messages, a second apart.
#[derive(Default)]
struct Fed {
    state: ClientState,
    at: f64,
}

impl Fed {
    fn apply(&mut self, event: Value) -> Outcome {
        self.at += 1000.0;
        let event: Event = serde_json::from_value(event).unwrap();
        self.state.apply(event, self.at)
    }

    fn update(&mut self, session: &str, update: Value) -> Outcome {
        self.apply(json!({ "type": "update", "sessionId": session, "update": update }))
    }

    fn child(&mut self, parent: &str, child: &str) -> Outcome {
        let update =
            json!({ "sessionUpdate": "subagent_update", "sessionId": child, "state": null });
        self.update(parent, update)
    }

    fn received(&mut self, message: Value) -> Outcome {
        self.at += 1000.0;
        self.state.received(&message, self.at)
    }

    fn sent(&mut self, message: Value) -> Outcome {
        self.at += 1000.0;
        self.state.sent(&message, self.at)
    }
}
