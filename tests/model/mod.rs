//! A deliberately naive reference model of the reducer of RULES.md: plain vectors keyed by strings,
//! everything recomputed by scanning at each question. Rule numbers stand where a rule is applied.

mod apply;
mod close;
mod data;
mod list;
mod outcome;
mod plans;
mod read;
mod requests;
mod resume;
mod settle;
mod tail;
mod update;
mod update_other;
mod view;
mod wire;

use serde_json::Value;

pub use self::data::Model;

impl Model {
    /// A connection on which nothing has happened; the option is that of rule C4.
    pub fn new(cancel_unattributed: bool) -> Model {
        Model {
            cancel_unattributed,
            ..Model::default()
        }
    }

    /// One typed event of API.md.
    pub fn apply(&mut self, event: &Value, at: f64) -> Value {
        self.run(at, |model| model.dispatch(event))
    }

    /// One JSON-RPC message, agent to client.
    pub fn received(&mut self, message: &Value, at: f64) -> Value {
        self.run(at, |model| model.decode_received(message))
    }

    /// One JSON-RPC message, client to agent.
    pub fn sent(&mut self, message: &Value, at: f64) -> Value {
        self.run(at, |model| model.decode_sent(message))
    }
}
