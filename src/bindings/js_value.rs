//! Reads a JavaScript value: `host.js` writes what anything here reads of it as a flat list, which comes over in
//! one piece; payloads that nobody asks for do not cross the boundary.
//!
//! A value is a word of 32 bits with its kind in the low four, followed by what the kind needs:
//!
//! ```text
//! NULL | FALSE | TRUE | OTHER
//! NUMBER low high                     the two halves of an f64
//! TEXT | length<<4, bytes             UTF-8, filled up to a whole word
//! LIST | words<<4, value*             `words` is what it takes with all that is in it
//! OBJECT | words<<4, (name, words, value)*   a name is its number
//! NAME | name<<4                      a text that is a name, in a field that holds one
//! ```

use alloc::{vec, vec::Vec};
use core::iter::successors;

use wasm_bindgen::prelude::*;

use super::tape::answer;
use crate::wire::name::Name;
use crate::wire::value::Value;

#[wasm_bindgen(module = "/src/bindings/host.js")]
extern "C" {
    fn attach(memory: &JsValue);
    fn matter(names: &JsValue, holders: u32, fields: u32);
    /// Writes a value; how many words it takes.
    fn write(value: &JsValue) -> u32;
    /// Copies what was written last to memory, and forgets it.
    fn take(to: u32);
}

mod kind {
    pub(super) const NULL: u32 = 0;
    pub(super) const FALSE: u32 = 1;
    pub(super) const TRUE: u32 = 2;
    pub(super) const NUMBER: u32 = 4;
    pub(super) const TEXT: u32 = 5;
    pub(super) const LIST: u32 = 6;
    pub(super) const OBJECT: u32 = 7;
    pub(super) const NAME: u32 = 8;
}

/// Tells `host.js` where to write, and which fields matter.
pub(super) fn start() {
    attach(&wasm_bindgen::memory());
    matter(&texts(Name::ALL), Name::HOLDERS, Name::FIELDS);
}

/// Names as they are written.
pub(super) fn texts(names: &[Name]) -> JsValue {
    let texts: Vec<&str> = names.iter().map(|name| name.text()).collect();
    answer(&texts)
}

/// A value of the host's, copied. Its getters and proxies run in here, so no state may be borrowed.
pub(super) struct Copied(Vec<Word>);

/// 32 bits, the lowest first.
type Word = [u8; 4];

impl Copied {
    pub(super) fn of(value: &JsValue) -> Self {
        let mut words = vec![Word::default(); write(value) as usize];
        take(words.as_mut_ptr() as u32);
        Self(words)
    }

    pub(super) fn value(&self) -> JsNode<'_> {
        JsNode {
            words: &self.0,
            at: 0,
        }
    }
}

/// A value by its place, in words.
#[derive(Clone, Copy)]
pub(super) struct JsNode<'a> {
    words: &'a [Word],
    at: usize,
}

// Inlined by hand: optimised for size each would be a call, and there are hundreds of them a message.
impl<'a> JsNode<'a> {
    fn bytes(self, at: usize, length: usize) -> Option<&'a [u8]> {
        self.words.get(at..)?.as_flattened().get(..length)
    }

    #[inline(always)]
    fn word(self, at: usize) -> u32 {
        let word = self.words.get(at).copied();
        word.map_or(kind::NULL, u32::from_le_bytes)
    }

    #[inline(always)]
    fn kind(self) -> u32 {
        self.word(self.at) & 15
    }

    /// The length that stands beside the kind.
    #[inline(always)]
    fn extent(self) -> usize {
        (self.word(self.at) >> 4) as usize
    }

    /// Where the next value starts.
    fn end(self) -> usize {
        self.at
            + match self.kind() {
                kind::NUMBER => 3,
                kind::TEXT => 1 + self.extent().div_ceil(4),
                // At least one, so that nothing is walked for ever.
                kind::LIST | kind::OBJECT => self.extent().max(1),
                _ => 1,
            }
    }

    fn at(self, at: usize) -> Self {
        Self { at, ..self }
    }
}

impl<'a> Value<'a> for JsNode<'a> {
    fn field(self, name: Name) -> Option<Self> {
        if !self.is_object() {
            return None;
        }
        let end = self.end();
        let mut at = self.at + 1;
        while at < end {
            if self.word(at) == name as u32 {
                return Some(self.at(at + 2));
            }
            at += 2 + self.word(at + 1) as usize;
        }
        None
    }

    fn is_null(self) -> bool {
        self.kind() == kind::NULL
    }

    fn is_object(self) -> bool {
        self.kind() == kind::OBJECT
    }

    fn text(self) -> Option<&'a str> {
        match self.kind() {
            kind::TEXT => core::str::from_utf8(self.bytes(self.at + 1, self.extent())?).ok(),
            _ => self.name().map(Name::text),
        }
    }

    fn name(self) -> Option<Name> {
        if self.kind() != kind::NAME {
            return None;
        }
        Name::ALL.get(self.extent()).copied()
    }

    fn number(self) -> Option<f64> {
        if self.kind() != kind::NUMBER {
            return None;
        }
        let bytes = self.bytes(self.at + 1, 8)?.try_into().ok()?;
        Some(f64::from_le_bytes(bytes))
    }

    fn boolean(self) -> Option<bool> {
        match self.kind() {
            kind::TRUE => Some(true),
            kind::FALSE => Some(false),
            _ => None,
        }
    }

    fn items(self) -> Option<impl Iterator<Item = Self>> {
        if self.kind() != kind::LIST {
            return None;
        }
        let end = self.end();
        let first = self.at(self.at + 1);
        Some(
            successors(Some(first), |item| Some(item.at(item.end())))
                .take_while(move |item| item.at < end),
        )
    }
}
