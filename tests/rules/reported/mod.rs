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

    fn close(&mut self, session: &str) -> Outcome {
        self.apply(json!({ "type": "close_sent", "sessionId": session }));
        self.apply(json!({ "type": "close_answered", "sessionId": session }))
    }

    fn resume_fails(&mut self, session: &str) -> Outcome {
        let error = json!({ "code": 1, "message": "no" });
        self.apply(json!({ "type": "resume_answered", "sessionId": session, "error": error }))
    }

    /// A running terminal `t`, the call `c` that references it, and the task `a` that names the call.
    fn shell_of_task(&mut self, session: &str) {
        for update in [
            json!({ "sessionUpdate": "terminal_update", "terminalId": "t" }),
            json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c",
                "content": [{ "type": "terminal", "terminalId": "t" }] }),
            json!({ "sessionUpdate": "async_task_spawned", "asyncTaskId": "a", "toolCallId": "c" }),
        ] {
            self.update(session, update);
        }
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
