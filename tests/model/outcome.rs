//! One event from its beginning to its `Outcome` (section 13).

use serde_json::{Value, json};

use super::data::{Model, Said};

/// What has to be known of a session as it was.
struct Before {
    id: String,
    quiet: bool,
    in_window: bool,
}

impl Model {
    pub(super) fn run(&mut self, at: f64, event: impl FnOnce(&mut Model)) -> Value {
        let before: Vec<Before> = self
            .sessions
            .iter()
            .map(|session| Before {
                id: session.id.clone(),
                quiet: self.activity_of(session) == "quiet",
                in_window: session.window.is_some(),
            })
            .collect();
        self.said = Said::default();
        self.now = at;
        self.event += 1;
        event(self);
        self.settle();

        let mut order: Vec<String> = before.iter().map(|one| one.id.clone()).collect();
        for session in &self.sessions {
            if !order.contains(&session.id) {
                order.push(session.id.clone());
            }
        }
        let quiet: Vec<&String> = order
            .iter()
            .filter(|id| {
                let was = before.iter().find(|one| one.id == **id);
                let Some(new) = self.find(id) else {
                    return false;
                };
                self.activity_of(new) == "quiet"
                    && was.is_none_or(|was| !was.quiet && !was.in_window)
                    && new.window.is_none()
            })
            .collect();
        let sorted = |said: &[(String, Value)]| {
            let mut said = said.to_vec();
            said.sort_by_key(|(id, _)| order.iter().position(|one| one == id));
            said.into_iter().map(|(_, value)| value).collect::<Value>()
        };
        let outcome = json!({
            "turnsEnded": sorted(&self.said.turns_ended),
            "becameQuiet": quiet,
            "started": sorted(&self.said.started),
            "ended": sorted(&self.said.ended),
            "stop": self.said.stop,
            "answerDue": self.said.answer_due,
            "problems": self.said.problems,
        });
        self.said = Said::default();
        outcome
    }
}
