//! A state as a flat list of plain values, and back: each part writes itself and reads itself in the
//! same order. Reading never stops half-way: what is not what was saved reads as a default and is
//! noted, so that each part is one call and the wasm stays small.

use alloc::{boxed::Box, string::String, vec::Vec};
use serde::{Serialize, Serializer};

use crate::answers::RequestKind;
use crate::event::{ExitStatus, RequestId, StopTarget};
use crate::number::whole;

/// A plain value of a saved state.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Atom {
    Null,
    Boolean(bool),
    Number(f64),
    Text(Box<str>),
}

impl Serialize for Atom {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Boolean(boolean) => serializer.serialize_bool(*boolean),
            Self::Number(number) => crate::answers::instant(number, serializer),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// The values of a state, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) atoms: Vec<Atom>,
}

impl Writer {
    #[inline(never)]
    pub(crate) fn number(&mut self, number: f64) {
        self.atoms.push(Atom::Number(number));
    }

    #[inline(never)]
    pub(crate) fn boolean(&mut self, boolean: bool) {
        self.atoms.push(Atom::Boolean(boolean));
    }

    #[inline(never)]
    pub(crate) fn text(&mut self, text: &str) {
        self.atoms.push(Atom::Text(text.into()));
    }
}

/// Reads what a [`Writer`] wrote.
#[derive(Debug)]
pub(crate) struct Reader {
    atoms: alloc::vec::IntoIter<Atom>,
    is_faulty: bool,
}

impl Reader {
    pub(crate) fn new(atoms: Vec<Atom>) -> Self {
        Self {
            atoms: atoms.into_iter(),
            is_faulty: false,
        }
    }

    /// Notes that something else was read than was saved.
    pub(crate) fn fault(&mut self) {
        self.is_faulty = true;
    }

    /// Whether everything was read, and was what had been saved.
    pub(crate) fn is_complete(&self) -> bool {
        !self.is_faulty && self.atoms.as_slice().is_empty()
    }

    #[inline(never)]
    fn atom(&mut self) -> Atom {
        self.atoms.next().unwrap_or_else(|| {
            self.is_faulty = true;
            Atom::Null
        })
    }

    #[inline(never)]
    pub(crate) fn number(&mut self) -> f64 {
        match self.atom() {
            Atom::Number(number) => number,
            Atom::Null | Atom::Boolean(_) | Atom::Text(_) => {
                self.fault();
                0.0
            }
        }
    }

    /// An integer from 0 to `most`.
    #[inline(never)]
    pub(crate) fn count(&mut self, most: u64) -> u64 {
        let count = u64::try_from(self.integer()).ok();
        count.filter(|count| *count <= most).unwrap_or_else(|| {
            self.fault();
            0
        })
    }

    #[inline(never)]
    fn integer(&mut self) -> i64 {
        let number = self.number();
        whole(number).unwrap_or_else(|| {
            self.fault();
            0
        })
    }

    #[inline(never)]
    pub(crate) fn boolean(&mut self) -> bool {
        match self.atom() {
            Atom::Boolean(boolean) => boolean,
            Atom::Null | Atom::Number(_) | Atom::Text(_) => {
                self.fault();
                false
            }
        }
    }

    #[inline(never)]
    pub(crate) fn text(&mut self) -> Box<str> {
        match self.atom() {
            Atom::Text(text) => text,
            Atom::Null | Atom::Boolean(_) | Atom::Number(_) => {
                self.fault();
                Box::default()
            }
        }
    }

    /// Whether a text comes next.
    pub(crate) fn is_at_text(&self) -> bool {
        matches!(self.atoms.as_slice().first(), Some(Atom::Text(_)))
    }

    /// How many items follow; no more than there are values left.
    fn length(&mut self) -> u64 {
        let left = self.atoms.as_slice().len() as u64;
        self.count(left)
    }
}

/// What is saved.
pub(crate) trait Saved {
    fn save(&self, to: &mut Writer);
    fn restore(from: &mut Reader) -> Self;
}

/// [`Saved`] for a struct: its fields in this order, and defaults for those that are not saved.
macro_rules! saved_struct {
    ($name:ident { $($field:ident)* } $(default { $($skipped:ident)* })?) => {
        impl $crate::saved::Saved for $name {
            #[inline(never)]
            fn save(&self, to: &mut $crate::saved::Writer) {
                $($crate::saved::Saved::save(&self.$field, to);)*
            }

            #[inline(never)]
            fn restore(from: &mut $crate::saved::Reader) -> Self {
                Self {
                    $($field: $crate::saved::Saved::restore(from),)*
                    $($($skipped: Default::default(),)*)?
                }
            }
        }
    };
}

/// [`Saved`] for an enum: a number for each variant, then its content. The first variant stands for
/// what cannot be read.
macro_rules! saved_enum {
    ($name:ident { $first:ident $($number:literal $unit:ident)* } $({ $($tag:literal $variant:ident)* })?) => {
        impl $crate::saved::Saved for $name {
            #[inline(never)]
            fn save(&self, to: &mut $crate::saved::Writer) {
                match self {
                    Self::$first => to.number(0.0),
                    $(Self::$unit => to.number(f64::from($number)),)*
                    $($(Self::$variant(content) => {
                        to.number(f64::from($tag));
                        $crate::saved::Saved::save(content, to);
                    })*)?
                }
            }

            #[inline(never)]
            fn restore(from: &mut $crate::saved::Reader) -> Self {
                match from.count(255) {
                    0 => Self::$first,
                    $($number => Self::$unit,)*
                    $($($tag => Self::$variant($crate::saved::Saved::restore(from)),)*)?
                    _ => {
                        from.fault();
                        Self::$first
                    }
                }
            }
        }
    };
}

pub(crate) use {saved_enum, saved_struct};

impl Saved for bool {
    fn save(&self, to: &mut Writer) {
        to.boolean(*self);
    }

    fn restore(from: &mut Reader) -> Self {
        from.boolean()
    }
}

impl Saved for f64 {
    fn save(&self, to: &mut Writer) {
        to.number(*self);
    }

    fn restore(from: &mut Reader) -> Self {
        from.number()
    }
}

impl Saved for u32 {
    fn save(&self, to: &mut Writer) {
        to.number(f64::from(*self));
    }

    fn restore(from: &mut Reader) -> Self {
        from.count(Self::MAX.into()).try_into().unwrap_or_default()
    }
}

impl Saved for u64 {
    #[expect(clippy::cast_precision_loss, reason = "no count gets that far")]
    fn save(&self, to: &mut Writer) {
        to.number(*self as f64);
    }

    fn restore(from: &mut Reader) -> Self {
        from.count(Self::MAX)
    }
}

impl Saved for i64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "ids and codes are safe integers"
    )]
    fn save(&self, to: &mut Writer) {
        to.number(*self as f64);
    }

    fn restore(from: &mut Reader) -> Self {
        from.integer()
    }
}

impl Saved for Box<str> {
    fn save(&self, to: &mut Writer) {
        to.text(self);
    }

    fn restore(from: &mut Reader) -> Self {
        from.text()
    }
}

impl Saved for String {
    fn save(&self, to: &mut Writer) {
        to.text(self);
    }

    fn restore(from: &mut Reader) -> Self {
        from.text().into()
    }
}

impl<T: Saved> Saved for Box<T> {
    fn save(&self, to: &mut Writer) {
        T::save(self, to);
    }

    fn restore(from: &mut Reader) -> Self {
        Self::new(T::restore(from))
    }
}

impl<T: Saved> Saved for Option<T> {
    fn save(&self, to: &mut Writer) {
        to.boolean(self.is_some());
        if let Some(value) = self {
            value.save(to);
        }
    }

    fn restore(from: &mut Reader) -> Self {
        from.boolean().then(|| T::restore(from))
    }
}

impl<T: Saved> Saved for Vec<T> {
    #[expect(clippy::cast_precision_loss, reason = "no list is that long")]
    fn save(&self, to: &mut Writer) {
        to.number(self.len() as f64);
        for item in self {
            item.save(to);
        }
    }

    fn restore(from: &mut Reader) -> Self {
        let length = from.length();
        let mut items = Self::new();
        for _ in 0..length {
            items.push(T::restore(from));
        }
        items
    }
}

impl<A: Saved, B: Saved> Saved for (A, B) {
    fn save(&self, to: &mut Writer) {
        self.0.save(to);
        self.1.save(to);
    }

    fn restore(from: &mut Reader) -> Self {
        (A::restore(from), B::restore(from))
    }
}

impl Saved for RequestId {
    fn save(&self, to: &mut Writer) {
        match self {
            Self::Null => to.atoms.push(Atom::Null),
            Self::Number(number) => number.save(to),
            Self::Text(text) => to.text(text),
        }
    }

    fn restore(from: &mut Reader) -> Self {
        match from.atoms.as_slice().first() {
            Some(Atom::Number(_)) => Self::Number(i64::restore(from)),
            Some(Atom::Text(_)) => Self::Text(from.text().into()),
            Some(Atom::Null) => {
                from.atom();
                Self::Null
            }
            Some(Atom::Boolean(_)) | None => {
                from.fault();
                Self::Null
            }
        }
    }
}

impl Saved for StopTarget {
    fn save(&self, to: &mut Writer) {
        let (kind, id) = match self {
            Self::ToolCall { tool_call_id } => (0.0, tool_call_id),
            Self::Terminal { terminal_id } => (1.0, terminal_id),
            Self::Session { session_id } => (2.0, session_id),
            Self::Task { async_task_id } => (3.0, async_task_id),
        };
        to.number(kind);
        to.text(id);
    }

    fn restore(from: &mut Reader) -> Self {
        let kind = from.count(3);
        let id = from.text().into();
        match kind {
            0 => Self::ToolCall { tool_call_id: id },
            1 => Self::Terminal { terminal_id: id },
            2 => Self::Session { session_id: id },
            _ => Self::Task { async_task_id: id },
        }
    }
}

saved_struct!(ExitStatus { exit_code signal });
saved_enum!(RequestKind { Permission 1 Elicitation });
