//! What runs, as starts and ends tell it (rule N1).

use std::collections::BTreeSet;

use serde_json::Value;

/// The items that started and did not end.
#[derive(Default)]
pub(crate) struct Live {
    pub(crate) keys: BTreeSet<String>,
}

impl Live {
    /// Takes in what an event started and ended; says what an item did that none does.
    pub(crate) fn follow(&mut self, outcome: &Value) -> Result<(), String> {
        for item in outcome["ended"].as_array().into_iter().flatten() {
            if !self.keys.remove(&key(item)) {
                return Err(format!("{} did not start", key(item)));
            }
            if !item["outcome"].is_string() {
                return Err(format!("ended without an outcome: {item}"));
            }
        }
        for item in outcome["started"].as_array().into_iter().flatten() {
            if !self.keys.insert(key(item)) {
                return Err(format!("{} started twice", key(item)));
            }
            if !item["outcome"].is_null() {
                return Err(format!("started with an outcome: {item}"));
            }
        }
        Ok(())
    }
}

/// A live item: its session, its type, its id and its type on the wire.
pub(crate) fn key(item: &Value) -> String {
    let [session, kind, id, wire] =
        ["sessionId", "type", "id", "kind"].map(|name| item[name].as_str().unwrap_or_default());
    format!("{session} {kind} {id} {wire}")
}
