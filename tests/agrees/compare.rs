//! What must be equal, and rule N2: which sessions an event has to name.

use serde_json::Value;

use super::pair::Answers;
use crate::support::random::SESSIONS;

/// Where two values differ, for a readable report.
pub(crate) fn differences(path: &str, ours: &Value, model: &Value, found: &mut Vec<String>) {
    if equal(ours, model) {
        return;
    }
    match (ours, model) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for key in keys {
                let null = Value::Null;
                let (a, b) = (a.get(key).unwrap_or(&null), b.get(key).unwrap_or(&null));
                differences(&format!("{path}.{key}"), a, b, found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                differences(&format!("{path}[{index}]"), a, b, found);
            }
        }
        (a, b) => found.push(format!("{path}: ours {a}, model {b}")),
    }
}

/// Equal but for how numbers are written: `1` is `1.0`.
fn equal(ours: &Value, model: &Value) -> bool {
    match (ours, model) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (a, b) => a == b,
    }
}

/// Rule N2: every session whose answers changed is named, and only its ancestors beside it. Its
/// version counts the events that named it.
pub(crate) fn check_changed(
    named: &[String],
    before: &Answers,
    after: &Answers,
    found: &mut Vec<String>,
) {
    let mut differ = Vec::new();
    for (at, id) in SESSIONS.into_iter().enumerate() {
        let (was, is) = (before.exists(id), after.exists(id));
        let is_named = named.iter().any(|one| one == id);
        let differs = before.sessions[at] != after.sessions[at];
        if differs || was != is {
            differ.push(id);
        }
        if differs && (was || is) && !is_named {
            found.push(format!("N2: {id} changed and is not named"));
        }
        let counted = if was { before.versions[at] } else { 0 } + u32::from(is_named);
        if is && after.versions[at] != counted {
            let version = after.versions[at];
            found.push(format!(
                "N2: the version of {id} is {version}, not {counted}"
            ));
        }
    }
    for id in named.iter().map(String::as_str) {
        let has_reason = differ.contains(&id)
            || differ
                .iter()
                .any(|other| before.is_ancestor(id, other) || after.is_ancestor(id, other));
        if !has_reason {
            found.push(format!("N2: {id} is named and did not change"));
        }
    }
}

impl Answers {
    fn exists(&self, id: &str) -> bool {
        self.session_ids.iter().any(|one| one == id)
    }

    fn parent(&self, id: &str) -> Option<&str> {
        let at = SESSIONS.iter().position(|one| *one == id)?;
        self.sessions[at].snapshot.parent_id.as_deref()
    }

    fn is_ancestor(&self, ancestor: &str, of: &str) -> bool {
        std::iter::successors(self.parent(of), |id| self.parent(id)).any(|id| id == ancestor)
    }
}
