//! A state as a flat list of plain values, and back. Each part goes through a [`Pass`], which either writes it or
//! fills it in: one order for both, and half the code. Reading never stops half-way: what is not what was saved
//! leaves the default and is noted.

use alloc::{boxed::Box, string::String, vec::Vec};
use serde::{Serialize, Serializer};

use crate::event::{ExitStatus, RequestId};
use crate::number::whole;

/// A plain value of a saved state.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Atom {
    #[default]
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

/// The values of a state, one after the other, on their way out or in.
#[derive(Debug)]
pub(crate) struct Pass {
    atoms: Vec<Atom>,
    /// The next value to be read; none when writing.
    next: Option<usize>,
    is_faulty: bool,
}

impl Pass {
    /// Writes what goes through it.
    pub(crate) fn writer() -> Self {
        Self {
            atoms: Vec::new(),
            next: None,
            is_faulty: false,
        }
    }

    /// Fills in what goes through it.
    pub(crate) fn reader(atoms: Vec<Atom>) -> Self {
        Self {
            atoms,
            next: Some(0),
            is_faulty: false,
        }
    }

    /// What was written.
    pub(crate) fn into_atoms(self) -> Vec<Atom> {
        self.atoms
    }

    pub(crate) fn is_reading(&self) -> bool {
        self.next.is_some()
    }

    /// Notes that something else was read than was saved.
    pub(crate) fn fault(&mut self) {
        self.is_faulty = true;
    }

    /// Whether everything was read, and was what had been saved.
    pub(crate) fn is_complete(&self) -> bool {
        !self.is_faulty && self.next == Some(self.atoms.len())
    }

    /// How many values are left to be read.
    fn left(&self) -> usize {
        self.atoms.len().saturating_sub(self.next.unwrap_or(0))
    }

    /// The next value, which is taken out.
    fn read(&mut self) -> Option<Atom> {
        let next = self.next.as_mut()?;
        let atom = self.atoms.get_mut(*next).map(core::mem::take);
        match atom {
            Some(_) => *next += 1,
            None => self.is_faulty = true,
        }
        atom
    }

    #[inline(never)]
    pub(crate) fn number(&mut self, number: &mut f64) {
        match self.next {
            None => self.atoms.push(Atom::Number(*number)),
            Some(_) => match self.read() {
                Some(Atom::Number(read)) => *number = read,
                _ => self.fault(),
            },
        }
    }

    /// A whole number from `least` to `most`.
    #[inline(never)]
    #[expect(
        clippy::cast_precision_loss,
        reason = "ids, codes and counts are safe integers"
    )]
    pub(crate) fn integer(&mut self, integer: &mut i64, least: i64, most: i64) {
        let mut number = *integer as f64;
        self.number(&mut number);
        match whole(number) {
            Some(read) if least <= read && read <= most => *integer = read,
            _ => self.fault(),
        }
    }

    /// A whole number from 0 to `most`.
    #[inline(never)]
    pub(crate) fn count(&mut self, count: u64, most: u64) -> u64 {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let mut integer = i64::try_from(count).unwrap_or(most);
        self.integer(&mut integer, 0, most);
        u64::try_from(integer).unwrap_or_default()
    }

    #[inline(never)]
    pub(crate) fn boolean(&mut self, boolean: &mut bool) {
        match self.next {
            None => self.atoms.push(Atom::Boolean(*boolean)),
            Some(_) => match self.read() {
                Some(Atom::Boolean(read)) => *boolean = read,
                _ => self.fault(),
            },
        }
    }

    #[inline(never)]
    pub(crate) fn text(&mut self, text: &mut Box<str>) {
        match self.next {
            None => self.atoms.push(Atom::Text(text.clone())),
            Some(_) => match self.read() {
                Some(Atom::Text(read)) => *text = read,
                _ => self.fault(),
            },
        }
    }
}

/// What is saved. Reading fills in the default.
pub(crate) trait Saved: Default {
    fn pass(&mut self, through: &mut Pass);
}

/// [`Saved`] for a struct: these of its fields, in this order.
macro_rules! saved_struct {
    ($name:ident { $($field:ident)* }) => {
        impl $crate::saved::Saved for $name {
            #[inline(never)]
            fn pass(&mut self, through: &mut $crate::saved::Pass) {
                $($crate::saved::Saved::pass(&mut self.$field, through);)*
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
            fn pass(&mut self, through: &mut $crate::saved::Pass) {
                let number = match self {
                    Self::$first => 0,
                    $(Self::$unit => $number,)*
                    $($(Self::$variant(_) => $tag,)*)?
                };
                let read = through.count(number, 255);
                if through.is_reading() {
                    *self = match read {
                        0 => Self::$first,
                        $($number => Self::$unit,)*
                        $($($tag => Self::$variant(Default::default()),)*)?
                        _ => return through.fault(),
                    };
                }
                $(match self {
                    $(Self::$variant(content) => $crate::saved::Saved::pass(content, through),)*
                    _ => {}
                })?
            }
        }
    };
}

pub(crate) use {saved_enum, saved_struct};

impl Saved for bool {
    fn pass(&mut self, through: &mut Pass) {
        through.boolean(self);
    }
}

impl Saved for f64 {
    fn pass(&mut self, through: &mut Pass) {
        through.number(self);
    }
}

// Numbers are handed out by counting, and none comes as far as these: restored with more, a state could run out.
impl Saved for u32 {
    #[inline(never)]
    fn pass(&mut self, through: &mut Pass) {
        let read = through.count((*self).into(), (Self::MAX / 2).into());
        *self = read.try_into().unwrap_or_default();
    }
}

impl Saved for u64 {
    fn pass(&mut self, through: &mut Pass) {
        *self = through.count(*self, 1 << 52);
    }
}

impl Saved for i64 {
    fn pass(&mut self, through: &mut Pass) {
        through.integer(self, Self::MIN, Self::MAX);
    }
}

impl Saved for Box<str> {
    fn pass(&mut self, through: &mut Pass) {
        through.text(self);
    }
}

impl Saved for String {
    #[inline(never)]
    fn pass(&mut self, through: &mut Pass) {
        let mut text = core::mem::take(self).into_boxed_str();
        through.text(&mut text);
        *self = text.into();
    }
}

impl<T: Saved> Saved for Box<T> {
    fn pass(&mut self, through: &mut Pass) {
        T::pass(self, through);
    }
}

impl<T: Saved> Saved for Option<T> {
    fn pass(&mut self, through: &mut Pass) {
        let mut is_some = self.is_some();
        through.boolean(&mut is_some);
        if is_some {
            self.get_or_insert_default().pass(through);
        }
    }
}

impl<T: Saved> Saved for Vec<T> {
    fn pass(&mut self, through: &mut Pass) {
        // No more items than there are values left: a number that was not saved must not take all memory.
        let most = if through.is_reading() {
            through.left()
        } else {
            usize::MAX
        };
        let length = through.count(self.len() as u64, most as u64);
        if through.is_reading() {
            for _ in 0..length {
                let mut item = T::default();
                item.pass(through);
                self.push(item);
            }
        } else {
            for item in self {
                item.pass(through);
            }
        }
    }
}

impl<A: Saved, B: Saved> Saved for (A, B) {
    fn pass(&mut self, through: &mut Pass) {
        self.0.pass(through);
        self.1.pass(through);
    }
}

impl Saved for RequestId {
    fn pass(&mut self, through: &mut Pass) {
        if !through.is_reading() {
            through.atoms.push(match self {
                Self::Null => Atom::Null,
                #[expect(clippy::cast_precision_loss, reason = "ids are safe integers")]
                Self::Number(number) => Atom::Number(*number as f64),
                Self::Text(text) => Atom::Text(text.as_str().into()),
            });
            return;
        }
        *self = match through.read() {
            Some(Atom::Text(text)) => Self::Text(text.into()),
            Some(Atom::Null) => Self::Null,
            Some(Atom::Number(number)) if whole(number).is_some() => {
                Self::Number(whole(number).unwrap_or_default())
            }
            _ => return through.fault(),
        };
    }
}

saved_struct!(ExitStatus { exit_code signal });
