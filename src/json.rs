//! JSON-RPC messages as text or as `serde_json::Value`, and events from JSON.

use alloc::string::String;
mod write;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::answers::Outcome;
use crate::event::Event;
use crate::state::ClientState;
use crate::wire;

/// One JSON-RPC message: a line of JSON text, or a value that was parsed already.
#[derive(Debug, Clone, Copy)]
pub enum Message<'a> {
    /// JSON text.
    Text(&'a str),
    /// A parsed value.
    Value(&'a serde_json::Value),
}

impl<'a> From<&'a str> for Message<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Message<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a serde_json::Value> for Message<'a> {
    fn from(value: &'a serde_json::Value) -> Self {
        Self::Value(value)
    }
}

impl Message<'_> {
    fn read<T>(self, then: impl FnOnce(wire::Message<'_>) -> T) -> T {
        match self {
            Self::Text(text) => wire::read_text(text, then),
            Self::Value(value) => then(wire::read_message(value)),
        }
    }
}

impl ClientState {
    /// Takes one JSON-RPC message from the agent, as it came `at` that time, in ms.
    ///
    /// Messages that no rule reads change nothing; one that cannot be read is a problem in the outcome
    /// (rule E1).
    pub fn received<'a>(&mut self, message: impl Into<Message<'a>>, at: f64) -> Outcome {
        message.into().read(|message| self.receive(message, at))
    }

    /// Takes one JSON-RPC message to the agent, as it was sent `at` that time, in ms.
    pub fn sent<'a>(&mut self, message: impl Into<Message<'a>>, at: f64) -> Outcome {
        message.into().read(|message| self.send(message, at))
    }
}

/// Reads exactly the JSON of the package's `Event` (types.ts); what an agent sent inside it is read tolerantly.
impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        match wire::read_event(&value) {
            Ok(event) => Ok(event.owned()),
            Err(wire::BadEvent { argument, expected }) => {
                Err(D::Error::custom([argument, " must be ", expected].concat()))
            }
        }
    }
}

/// Writes the JSON of the package's `Event` (types.ts). In an update it is what was read of it; one that
/// could not be read stays so.
impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write::event(self).serialize(serializer)
    }
}

/// Reads what `Serialize` wrote, in this version's format.
impl<'de> Deserialize<'de> for ClientState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Self::restore(&value).ok_or_else(|| D::Error::custom("not a saved client state"))
    }
}
