//! Which events a sequence is made of ("swarm testing").

use serde_json::Value;

use super::messages::drawn_message;
use super::random::{Random, SESSIONS, drawn_event};

/// What the events of one sequence keep to: where all are as likely, few meet that have to meet.
#[derive(Clone, Copy)]
pub(crate) struct Swarm {
    /// A bit for each kind of event; several kinds may share one.
    kinds: u64,
    ids: usize,
    /// Whether they are messages.
    is_wire: bool,
}

impl Swarm {
    /// Every kind of event and all ids in half of the cases; messages in a third.
    pub(crate) fn random(random: &mut Random<'_>) -> Self {
        let is_whole = random.next(2) == 0;
        let (kinds, ids) = (random.seed(), 1 + random.next(SESSIONS.len()));
        Self {
            kinds: if is_whole { u64::MAX } else { kinds },
            ids: if is_whole { usize::MAX } else { ids },
            is_wire: random.next(3) == 0,
        }
    }

    fn has(self, event: &Value) -> bool {
        let message = &event["message"];
        let kinds = [
            &event["type"],
            &event["update"]["sessionUpdate"],
            &message["method"],
            &message["params"]["update"]["sessionUpdate"],
        ];
        let names = kinds.into_iter().filter_map(Value::as_str);
        let bit = names.flat_map(str::bytes).map(u32::from).sum::<u32>() % 64;
        self.kinds >> bit & 1 == 1
    }

    /// The event of a seed; one that it does not keep to when none else comes.
    pub(crate) fn event(self, seed: u64) -> Value {
        let mut seed = seed;
        let mut tries = 0;
        loop {
            tries += 1;
            let random = &mut Random::new(seed);
            random.ids = self.ids;
            let event = if self.is_wire {
                drawn_message(random)
            } else {
                drawn_event(random)
            };
            if self.has(&event) || tries == 20 {
                return event;
            }
            seed = random.seed();
        }
    }
}
