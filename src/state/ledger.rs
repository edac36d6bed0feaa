//! Requests that wait for an answer: found by id, walked in the order of arrival.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::event::RequestId;

/// Pending requests of one kind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ledger<T> {
    by_arrival: BTreeMap<u64, (RequestId, T)>,
    by_id: BTreeMap<RequestId, u64>,
    next: u64,
}

impl<T> Default for Ledger<T> {
    fn default() -> Self {
        Self {
            by_arrival: BTreeMap::new(),
            by_id: BTreeMap::new(),
            next: 0,
        }
    }
}

impl<T> Ledger<T> {
    /// Adds a request, last; an earlier one of the same id must have been removed.
    pub(crate) fn insert(&mut self, id: RequestId, request: T) -> u64 {
        let arrival = self.next;
        self.next += 1;
        self.by_id.insert(id.clone(), arrival);
        self.by_arrival.insert(arrival, (id, request));
        arrival
    }

    /// Takes a request out; `None` when there is none of that id.
    pub(crate) fn remove(&mut self, id: &RequestId) -> Option<(u64, T)> {
        let arrival = self.by_id.remove(id)?;
        let (_, request) = self.by_arrival.remove(&arrival)?;
        Some((arrival, request))
    }

    /// When a request arrived, as a number to walk by.
    pub(crate) fn arrival(&self, id: &RequestId) -> Option<u64> {
        self.by_id.get(id).copied()
    }

    pub(crate) fn get(&self, arrival: u64) -> Option<(&RequestId, &T)> {
        self.by_arrival
            .get(&arrival)
            .map(|(id, request)| (id, request))
    }

    pub(crate) fn get_mut(&mut self, arrival: u64) -> Option<(&RequestId, &mut T)> {
        self.by_arrival
            .get_mut(&arrival)
            .map(|(id, request)| (&*id, request))
    }

    /// The one that arrived last.
    pub(crate) fn last(&self) -> Option<(&RequestId, &T)> {
        let (id, request) = self.by_arrival.values().next_back()?;
        Some((id, request))
    }

    /// All of them, in the order of arrival.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &RequestId, &T)> {
        self.by_arrival
            .iter()
            .map(|(arrival, (id, request))| (*arrival, id, request))
    }

    /// Takes out those for which `is_void` holds (rule R3).
    pub(crate) fn drain(&mut self, mut is_void: impl FnMut(&T) -> bool) -> Vec<(u64, T)> {
        let void: Vec<RequestId> = self
            .iter()
            .filter(|(_, _, request)| is_void(request))
            .map(|(_, id, _)| id.clone())
            .collect();
        void.iter().filter_map(|id| self.remove(id)).collect()
    }
}

impl<T: Serialize> Serialize for Ledger<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.by_arrival.values())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ledger<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut ledger = Self::default();
        for (id, request) in Vec::deserialize(deserializer)? {
            ledger.remove(&id);
            ledger.insert(id, request);
        }
        Ok(ledger)
    }
}
