//! Reads a JavaScript value in place: look-ups cross the boundary, payloads that nobody asks for do not.

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use wasm_bindgen::prelude::*;

use crate::wire::value::Value;

#[wasm_bindgen(module = "/src/bindings/host.js")]
extern "C" {
    fn attach(memory: &JsValue);
    fn root(value: &JsValue) -> u32;
    fn release(place: u32);
    fn field(place: u32, name: u32, length: u32) -> u32;
    fn number(place: u32) -> f64;
    fn text(place: u32, to: u32, room: u32) -> i32;
    #[wasm_bindgen(js_name = longText)]
    fn long_text(place: u32) -> String;
    fn length(place: u32) -> u32;
    fn item(place: u32, index: u32) -> u32;
}

/// What a node is, as `host.js` writes it into the low four bits.
mod kind {
    pub(super) const MISSING: u32 = 0;
    pub(super) const NULL: u32 = 1;
    pub(super) const FALSE: u32 = 2;
    pub(super) const TRUE: u32 = 3;
    pub(super) const NUMBER: u32 = 4;
    pub(super) const TEXT: u32 = 5;
    pub(super) const OBJECT: u32 = 6;
    pub(super) const ARRAY: u32 = 7;
}

/// What `length` answers for an array that cannot be read.
const UNREADABLE: u32 = u32::MAX;

/// What `text` answers for a string with a lone surrogate half.
const MALFORMED: i32 = -1;
/// What `text` answers for a string that may need more than `SHORT` bytes.
const LONG: i32 = -2;
const SHORT: usize = 128;

/// Hands the instance's memory to `host.js`, which reads names and tapes from it.
pub(super) fn start() {
    attach(&wasm_bindgen::memory());
}

/// Reads a value of the host's. Its getters and proxies run in here, so no state may be borrowed.
pub(super) fn read<T>(value: &JsValue, reader: impl FnOnce(&JsNode) -> T) -> T {
    let node = JsNode(root(value));
    let read = reader(&node);
    release(node.place());
    read
}

/// One value of the host's, as long as `read` runs.
#[derive(Clone, Copy)]
pub(super) struct JsNode(u32);

impl JsNode {
    fn found(node: u32) -> Option<Self> {
        (node & 15 != kind::MISSING).then_some(Self(node))
    }

    fn kind(self) -> u32 {
        self.0 & 15
    }

    fn place(self) -> u32 {
        self.0 >> 4
    }
}

impl Value for JsNode {
    fn field(&self, name: &'static str) -> Option<Self> {
        if !self.is_object() {
            return None;
        }
        // The place of a static text stands for the text: `host.js` decodes it once.
        Self::found(field(self.place(), name.as_ptr() as u32, name.len() as u32))
    }

    fn is_null(&self) -> bool {
        self.kind() == kind::NULL
    }

    fn is_object(&self) -> bool {
        self.kind() == kind::OBJECT
    }

    fn text(&self) -> Option<String> {
        if self.kind() != kind::TEXT {
            return None;
        }
        // Ids and the like are short: written to a place of ours, they cost no buffer of their own.
        let mut short = [0; SHORT];
        match text(self.place(), short.as_mut_ptr() as u32, SHORT as u32) {
            MALFORMED => None,
            LONG => Some(long_text(self.place())),
            length => {
                let bytes = short.get(..usize::try_from(length).ok()?)?;
                Some(core::str::from_utf8(bytes).ok()?.to_owned())
            }
        }
    }

    fn number(&self) -> Option<f64> {
        (self.kind() == kind::NUMBER).then(|| number(self.place()))
    }

    fn boolean(&self) -> Option<bool> {
        match self.kind() {
            kind::TRUE => Some(true),
            kind::FALSE => Some(false),
            _ => None,
        }
    }

    fn items(&self) -> Option<Vec<Self>> {
        if self.kind() != kind::ARRAY {
            return None;
        }
        let count = match length(self.place()) {
            UNREADABLE => return None,
            count => count,
        };
        let item = |index| Self::found(item(self.place(), index)).unwrap_or(Self(kind::NULL));
        Some((0..count).map(item).collect())
    }
}
