//! Small maps in the order of their keys. Keys are handed out in growing order, so that adding is
//! appending; one concrete type for numbers keeps the wasm small.

use super::work::Key;
use crate::saved::{Pass, Saved, saved_struct};
use alloc::vec::Vec;

/// Numbers by number, in the order of the keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Numbers {
    entries: Vec<(u64, u32)>,
}

impl Numbers {
    fn place(&self, key: u64) -> Result<usize, usize> {
        match self.entries.last() {
            Some((last, _)) if *last < key => Err(self.entries.len()),
            _ => self.entries.binary_search_by_key(&key, |(key, _)| *key),
        }
    }

    pub(crate) fn insert(&mut self, key: u64, value: u32) {
        match self.place(key) {
            Ok(place) => {
                if let Some(entry) = self.entries.get_mut(place) {
                    entry.1 = value;
                }
            }
            Err(place) => self.entries.insert(place, (key, value)),
        }
    }

    /// Adds a number that stands for nothing else.
    pub(crate) fn add(&mut self, key: u64) {
        self.insert(key, 0);
    }

    pub(crate) fn remove(&mut self, key: u64) -> Option<u32> {
        let place = self.place(key).ok()?;
        Some(self.entries.remove(place).1)
    }

    pub(crate) fn get(&self, key: u64) -> Option<u32> {
        let (_, value) = self.entries.get(self.place(key).ok()?)?;
        Some(*value)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(crate) fn last(&self) -> Option<u64> {
        self.entries.last().map(|(key, _)| *key)
    }

    pub(crate) fn pop_last(&mut self) -> Option<u64> {
        self.entries.pop().map(|(key, _)| key)
    }

    pub(crate) fn keys(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.entries.iter().map(|(key, _)| *key)
    }

    /// Those from `key` on.
    pub(crate) fn keys_from(&self, key: u64) -> impl Iterator<Item = u64> {
        let place = self.place(key).unwrap_or_else(|place| place);
        self.keys().skip(place)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = u32> {
        self.entries.iter().map(|(_, value)| *value)
    }
}

/// Values by number, in the order of the keys.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sorted<V> {
    entries: Vec<(u64, V)>,
}

impl<V> Default for Sorted<V> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<V> Sorted<V> {
    fn place(&self, key: u64) -> Result<usize, usize> {
        match self.entries.last() {
            Some((last, _)) if *last < key => Err(self.entries.len()),
            _ => self.entries.binary_search_by_key(&key, |(key, _)| *key),
        }
    }

    /// Adds a value, unless there is one of that key.
    pub(crate) fn add(&mut self, key: u64, value: V) {
        if let Err(place) = self.place(key) {
            self.entries.insert(place, (key, value));
        }
    }

    pub(crate) fn remove(&mut self, key: u64) -> Option<V> {
        let place = self.place(key).ok()?;
        Some(self.entries.remove(place).1)
    }

    pub(crate) fn get(&self, key: u64) -> Option<&V> {
        let (_, value) = self.entries.get(self.place(key).ok()?)?;
        Some(value)
    }

    pub(crate) fn get_mut(&mut self, key: u64) -> Option<&mut V> {
        let place = self.place(key).ok()?;
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    pub(crate) fn retain(&mut self, is_kept: impl Fn(u64, &V) -> bool) {
        self.entries.retain(|(key, value)| is_kept(*key, value));
    }

    pub(crate) fn last(&self) -> Option<&V> {
        self.entries.last().map(|(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &V)> {
        self.entries.iter().map(|(key, value)| (*key, value))
    }

    pub(crate) fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|(_, value)| value)
    }
}

/// Pieces of work, each once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Keys {
    keys: Vec<Key>,
}

impl Keys {
    /// Adds one; whether it was not there.
    pub(crate) fn insert(&mut self, key: Key) -> bool {
        match self.keys.binary_search(&key) {
            Ok(_) => false,
            Err(place) => {
                self.keys.insert(place, key);
                true
            }
        }
    }

    /// Takes one out; whether it was there.
    pub(crate) fn remove(&mut self, key: Key) -> bool {
        match self.keys.binary_search(&key) {
            Ok(place) => {
                self.keys.remove(place);
                true
            }
            Err(_) => false,
        }
    }

    pub(crate) fn contains(&self, key: Key) -> bool {
        self.keys.binary_search(&key).is_ok()
    }

    pub(crate) fn iter(&self) -> core::slice::Iter<'_, Key> {
        self.keys.iter()
    }

    pub(crate) fn take(&mut self) -> Vec<Key> {
        core::mem::take(&mut self.keys)
    }
}

saved_struct!(Keys { keys });

impl<V: Saved> Saved for Sorted<V> {
    fn pass(&mut self, through: &mut Pass) {
        self.entries.pass(through);
        // In no other order were they saved.
        if !self.entries.is_sorted_by(|(one, _), (next, _)| one < next) {
            through.fault();
        }
    }
}
