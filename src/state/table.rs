//! Numbers for ids: each session numbers the tool calls, terminals, children and tasks that it has
//! heard of, so that state refers to numbers and only the edges see strings (rule E3).

use alloc::vec::Vec;
use core::hash::BuildHasher;

use crate::saved::{Pass, Saved};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

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
    index: Index,
}

/// Numbers by the hashes of their ids; one type for all tables and for sessions keeps the wasm small.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    numbers: HashTable<(u32, No)>,
}

impl Index {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "half a hash tells ids apart well enough"
    )]
    fn hash(id: &str) -> u32 {
        FxBuildHasher.hash_one(id) as u32
    }

    /// Spreads half a hash over both ends of a whole one, which the table looks at.
    fn spread(hash: u32) -> u64 {
        u64::from(hash) << 32 | u64::from(hash)
    }

    /// The number of `id`, among those of which `is_it` says which has it.
    pub(crate) fn find(&self, id: &str, is_it: &dyn Fn(No) -> bool) -> Option<No> {
        let hash = Self::hash(id);
        let found = self.numbers.find(Self::spread(hash), |(other, no)| {
            *other == hash && is_it(*no)
        });
        found.map(|(_, no)| *no)
    }

    pub(crate) fn insert(&mut self, id: &str, no: No) {
        let hash = Self::hash(id);
        self.numbers
            .insert_unique(Self::spread(hash), (hash, no), |(hash, _)| {
                Self::spread(*hash)
            });
    }

    pub(crate) fn remove(&mut self, id: &str, no: No) {
        let found = self
            .numbers
            .find_entry(Self::spread(Self::hash(id)), |(_, other)| *other == no);
        if let Ok(entry) = found {
            entry.remove();
        }
    }
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            index: Index::default(),
        }
    }
}

impl<T: Identified> Table<T> {
    /// The number of `id`, when it was heard of.
    pub(crate) fn find(&self, id: &str) -> Option<No> {
        let is_id = |no| self.get(no).is_some_and(|entry| entry.id() == id);
        self.index.find(id, &is_id)
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
        let Self { entries, index } = self;
        if entries.len() == entries.capacity() {
            // Finished calls stay for good; doubling would waste a third of their memory.
            entries.reserve_exact(entries.len() / 8 + 4);
        }
        let no = No::try_from(entries.len()).unwrap_or(No::MAX);
        index.insert(entry.id(), no);
        entries.push(entry);
    }
}

impl<T> Table<T> {
    pub(crate) fn get(&self, no: No) -> Option<&T> {
        self.entries.get(no as usize)
    }

    pub(crate) fn get_mut(&mut self, no: No) -> Option<&mut T> {
        self.entries.get_mut(no as usize)
    }

    #[cfg(any(feature = "json", feature = "wasm"))]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (No, &T)> {
        (0..).zip(&self.entries)
    }
}

impl<T: PartialEq> PartialEq for Table<T> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl<T: Saved + Identified> Saved for Table<T> {
    fn pass(&mut self, through: &mut Pass) {
        self.entries.pass(through);
        if through.is_reading() {
            for entry in core::mem::take(&mut self.entries) {
                self.push(entry);
            }
        }
    }
}
