//! Requests that wait for an answer, in the order of arrival.

use super::sorted::Sorted;
use crate::event::RequestId;
use crate::saved::{Pass, Saved};
use alloc::vec::Vec;

/// Pending requests of one kind. There are few of them, so that they are found by looking at each.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ledger<T> {
    pending: Sorted<(RequestId, T)>,
    next: u64,
}

impl<T> Default for Ledger<T> {
    fn default() -> Self {
        Self {
            pending: Sorted::default(),
            next: 0,
        }
    }
}

impl<T> Ledger<T> {
    /// Adds a request, last; an earlier one of the same id must have been removed.
    pub(crate) fn insert(&mut self, id: RequestId, request: T) -> u64 {
        let arrival = self.next;
        self.next += 1;
        self.pending.add(arrival, (id, request));
        arrival
    }

    /// Takes a request out; `None` when there is none of that id.
    pub(crate) fn remove(&mut self, id: &RequestId) -> Option<(u64, T)> {
        let arrival = self.arrival(id)?;
        let (_, request) = self.pending.remove(arrival)?;
        Some((arrival, request))
    }

    /// When a request arrived, as a number to walk by.
    pub(crate) fn arrival(&self, id: &RequestId) -> Option<u64> {
        let found = self.iter().find(|(_, pending, _)| *pending == id);
        found.map(|(arrival, _, _)| arrival)
    }

    pub(crate) fn get(&self, arrival: u64) -> Option<(&RequestId, &T)> {
        self.pending.get(arrival).map(|(id, request)| (id, request))
    }

    pub(crate) fn get_mut(&mut self, arrival: u64) -> Option<(&RequestId, &mut T)> {
        self.pending
            .get_mut(arrival)
            .map(|(id, request)| (&*id, request))
    }

    /// The one that arrived last.
    pub(crate) fn last(&self) -> Option<(&RequestId, &T)> {
        self.pending.last().map(|(id, request)| (id, request))
    }

    /// All of them, in the order of arrival.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &RequestId, &T)> {
        self.pending
            .iter()
            .map(|(arrival, (id, request))| (arrival, id, request))
    }

    /// The arrivals of those for which `is_meant` holds.
    pub(crate) fn arrivals(&self, is_meant: impl Fn(&T) -> bool) -> Vec<u64> {
        self.iter()
            .filter(|(_, _, request)| is_meant(request))
            .map(|(arrival, _, _)| arrival)
            .collect()
    }

    /// Takes out the request of that arrival.
    pub(crate) fn take(&mut self, arrival: u64) -> Option<T> {
        self.pending.remove(arrival).map(|(_, request)| request)
    }
}

impl<T: Saved> Saved for Ledger<T> {
    fn pass(&mut self, through: &mut Pass) {
        self.pending.pass(through);
        self.next.pass(through);
        // A later request of that number would be dropped.
        if self.iter().any(|(arrival, _, _)| arrival >= self.next) {
            through.fault();
        }
    }
}
