//! Numbers for ids: each session numbers the tool calls, terminals, children and tasks that it has
//! heard of, so that state refers to numbers and only the edges see strings (rule E3).

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of an entry in its table.
pub(crate) type No = u32;

/// Something that is known by an id.
pub(crate) trait Identified {
    /// A first-heard entry: an id that nothing is known of.
    fn unheard(id: &str) -> Self;
    /// Its id.
    fn id(&self) -> &str;
}

/// Entries in the order in which they were first heard of, found by id.
#[derive(Debug, Clone)]
pub(crate) struct Table<T> {
    entries: Vec<T>,
    index: HashTable<No>,
    hasher: DefaultHashBuilder,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            index: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }
}

impl<T: Identified> Table<T> {
    /// The number of `id`, when it was heard of.
    pub(crate) fn find(&self, id: &str) -> Option<No> {
        let hash = self.hasher.hash_one(id);
        let is_id = |no: &No| self.get(*no).is_some_and(|entry| entry.id() == id);
        self.index.find(hash, is_id).copied()
    }

    /// The number of `id`, from now on at the latest.
    pub(crate) fn number(&mut self, id: &str) -> No {
        if let Some(no) = self.find(id) {
            return no;
        }
        let no = No::try_from(self.entries.len()).unwrap_or(No::MAX);
        self.push(T::unheard(id));
        no
    }

    fn push(&mut self, entry: T) {
        let Self {
            entries,
            index,
            hasher,
        } = self;
        if entries.len() == entries.capacity() {
            // Finished calls stay for good; doubling would waste a third of their memory.
            entries.reserve_exact(entries.len() / 8 + 4);
        }
        let no = No::try_from(entries.len()).unwrap_or(No::MAX);
        let hash = hasher.hash_one(entry.id());
        entries.push(entry);
        index.insert_unique(hash, no, |no| {
            let id = entries.get(*no as usize).map_or("", Identified::id);
            hasher.hash_one(id)
        });
    }
}

impl<T> Table<T> {
    pub(crate) fn get(&self, no: No) -> Option<&T> {
        self.entries.get(no as usize)
    }

    pub(crate) fn get_mut(&mut self, no: No) -> Option<&mut T> {
        self.entries.get_mut(no as usize)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (No, &T)> {
        (0..).zip(&self.entries)
    }
}

impl<T: PartialEq> PartialEq for Table<T> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl<T: Serialize> Serialize for Table<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.entries.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de> + Identified> Deserialize<'de> for Table<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = Self::default();
        for entry in Vec::deserialize(deserializer)? {
            table.push(entry);
        }
        Ok(table)
    }
}
