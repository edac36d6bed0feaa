//! JSON text as a value with fields: one pass that keeps the fields which anything here reads, and
//! skips all others unread, so that a diff or a text of megabytes costs no more than finding its end.

use alloc::borrow::Cow;
use alloc::{string::String, vec::Vec};
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::message::{Message, read_message, unreadable};
use super::name::Name;
use super::value::Value;

/// How deep anything here reads: `result._meta.jetbrains.air.capabilities[0]`, with room to spare.
const DEPTH: u8 = 12;

/// Room for what most messages hold that anything reads.
const PARTS: usize = 64;

/// Reads one line of JSON text, then goes on with it; what is no JSON reads as an unreadable message.
pub(crate) fn read_text<T>(text: &str, then: impl FnOnce(Message<'_>) -> T) -> T {
    if let Ok(parts) = parse(text) {
        return then(read_message(Place::first(&parts)));
    }
    // Text that JavaScript parses and Rust does not: a lone surrogate half, a number beyond f64.
    match parse(&replace_unrepresentable(text)) {
        Ok(parts) => then(read_message(Place::first(&parts))),
        Err(_) => then(unreadable()),
    }
}

fn parse(text: &str) -> serde_json::Result<Vec<Part<'_>>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut parts = Vec::with_capacity(PARTS);
    let into = Into {
        parts: &mut parts,
        depth: DEPTH,
    };
    into.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(parts)
}

/// A value of the text, or a piece of it: lists and objects are followed by what is in them.
enum Part<'a> {
    Null,
    Boolean(bool),
    Number(f64),
    Text(Cow<'a, str>),
    /// Its items, and where it ends.
    List(usize),
    /// The fields that anything reads, a name before each value, and where it ends.
    Object(usize),
    Name(Name),
}

/// A value by its place among the parts.
#[derive(Clone, Copy)]
struct Place<'a> {
    parts: &'a [Part<'a>],
    at: usize,
}

impl<'a> Place<'a> {
    fn first(parts: &'a [Part<'a>]) -> Self {
        Self { parts, at: 0 }
    }

    fn part(self) -> Option<&'a Part<'a>> {
        self.parts.get(self.at)
    }

    /// Where this value ends.
    fn end(self) -> usize {
        match self.part() {
            Some(Part::List(end) | Part::Object(end)) => *end,
            _ => self.at + 1,
        }
    }

    /// The values up to `end`, one after the other.
    fn values(self, end: usize) -> impl Iterator<Item = Self> {
        let first = Self {
            at: self.at + 1,
            ..self
        };
        let next = |value: &Self| {
            Some(Self {
                at: value.end(),
                ..*value
            })
        };
        core::iter::successors(Some(first), next).take_while(move |value| value.at < end)
    }
}

impl<'a> Value<'a> for Place<'a> {
    fn field(self, name: Name) -> Option<Self> {
        let Some(Part::Object(end)) = self.part() else {
            return None;
        };
        let mut found = None;
        let mut parts = self.values(*end);
        while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
            // The last of two with the same name counts.
            if matches!(key.part(), Some(Part::Name(key)) if *key == name) {
                found = Some(value);
            }
        }
        found
    }

    fn is_null(self) -> bool {
        matches!(self.part(), Some(Part::Null))
    }

    fn is_object(self) -> bool {
        matches!(self.part(), Some(Part::Object(_)))
    }

    fn text(self) -> Option<&'a str> {
        match self.part() {
            Some(Part::Text(text)) => Some(text),
            _ => None,
        }
    }

    fn name(self) -> Option<Name> {
        Name::of(self.text()?)
    }

    fn number(self) -> Option<f64> {
        match self.part() {
            Some(Part::Number(number)) => Some(*number),
            _ => None,
        }
    }

    fn boolean(self) -> Option<bool> {
        match self.part() {
            Some(Part::Boolean(boolean)) => Some(*boolean),
            _ => None,
        }
    }

    fn items(self) -> Option<impl Iterator<Item = Self>> {
        match self.part() {
            Some(Part::List(end)) => Some(self.values(*end)),
            _ => None,
        }
    }
}

/// Reads a value down to so many levels; deeper objects and arrays are empty.
struct Into<'p, 'a> {
    parts: &'p mut Vec<Part<'a>>,
    depth: u8,
}

impl<'a> Into<'_, 'a> {
    fn push<E>(self, part: Part<'a>) -> Result<(), E> {
        self.parts.push(part);
        Ok(())
    }

    /// For the values one level down, when anything is read there.
    fn deeper(&mut self) -> Option<Into<'_, 'a>> {
        Some(Into {
            parts: self.parts,
            depth: self.depth.checked_sub(1)?,
        })
    }

    /// Says in the list or object that began at `start` where it ends.
    fn close(self, start: usize) {
        let parts = self.parts.len();
        if let Some(Part::List(end) | Part::Object(end)) = self.parts.get_mut(start) {
            *end = parts;
        }
    }
}

impl<'de> DeserializeSeed<'de> for Into<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Into<'_, 'de> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.push(Part::Null)
    }

    fn visit_bool<E>(self, boolean: bool) -> Result<(), E> {
        self.push(Part::Boolean(boolean))
    }

    #[expect(clippy::cast_precision_loss, reason = "as JavaScript reads it")]
    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.push(Part::Number(number as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "as JavaScript reads it")]
    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.push(Part::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.push(Part::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.push(Part::Text(Cow::Owned(text.into())))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        self.push(Part::Text(Cow::Borrowed(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        let start = self.parts.len();
        self.parts.push(Part::List(start));
        loop {
            let is_more = match self.deeper() {
                Some(item) => items.next_element_seed(item)?.is_some(),
                None => items.next_element::<IgnoredAny>()?.is_some(),
            };
            if !is_more {
                break;
            }
        }
        self.close(start);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        let start = self.parts.len();
        self.parts.push(Part::Object(start));
        while let Some(key) = entries.next_key_seed(Key)? {
            match (key, self.deeper()) {
                (Some(key), Some(value)) => {
                    value.parts.push(Part::Name(key));
                    entries.next_value_seed(value)?;
                }
                _ => {
                    entries.next_value::<IgnoredAny>()?;
                }
            }
        }
        self.close(start);
        Ok(())
    }
}

/// Reads a key as the name that [`super`] reads it by; `None` for a key that nothing reads.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Option<Name>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Option<Name>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Name::of(key))
    }
}

/// The text with each string that holds a lone surrogate half (rule E3), and each number that no f64
/// holds, replaced by 0.5: a value of the wrong type wherever one is read. Such a key becomes one that
/// nothing reads.
fn replace_unrepresentable(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let end = match byte {
            b'"' => string_end(bytes, at),
            b'-' | b'0'..=b'9' => number_end(bytes, at),
            _ => at + 1,
        };
        // Every token begins and ends at an ASCII byte, or is one byte of a longer character outside
        // of strings, which is no JSON.
        let token = text.get(at..end).unwrap_or("\u{fffd}");
        // Only what is good JSON otherwise: the second reading must mend nothing else.
        let representable = match byte {
            b'"' => !is_json_string(token) || !holds_lone_surrogate(token),
            b'-' | b'0'..=b'9' => !is_json_number(token) || is_finite(token),
            _ => true,
        };
        let is_key = || {
            let rest = text.get(end..).unwrap_or_default();
            rest.trim_start().starts_with(':')
        };
        out.push_str(if representable {
            token
        } else if is_key() {
            "\"?\""
        } else {
            "0.5"
        });
        at = end;
    }
    out
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn number_end(bytes: &[u8], start: usize) -> usize {
    let is_part = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    start + bytes.iter().skip(start).take_while(is_part).count()
}

fn is_finite(token: &str) -> bool {
    token.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Whether a token is a number of JSON, of any size.
fn is_json_number(token: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = token.strip_prefix('-').unwrap_or(token);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (integer, fraction) = match mantissa.split_once('.') {
        Some((integer, fraction)) => (integer, Some(fraction)),
        None => (mantissa, None),
    };
    let has_no_leading_zero = integer == "0" || !integer.starts_with('0');
    digits(integer)
        && has_no_leading_zero
        && fraction.is_none_or(digits)
        && exponent
            .is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

/// Whether a token is a string of JSON, surrogate halves aside.
fn is_json_string(token: &str) -> bool {
    let Some(mut rest) = token
        .strip_prefix('"')
        .and_then(|token| token.strip_suffix('"'))
    else {
        return false;
    };
    if rest.bytes().any(|byte| byte < 0x20) {
        return false;
    }
    while let Some((_, escape)) = rest.split_once('\\') {
        let length = match escape.bytes().next() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 1,
            Some(b'u') => 5,
            _ => return false,
        };
        let digits = escape.get(1..length).unwrap_or("?");
        let Some(next) = escape.get(length..) else {
            return false;
        };
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return false;
        }
        rest = next;
    }
    true
}

fn holds_lone_surrogate(token: &str) -> bool {
    let mut rest = token;
    let mut high = false;
    while let Some(at) = rest.find('\\') {
        let escape = rest.get(at..).unwrap_or_default();
        let unit = escape
            .strip_prefix("\\u")
            .and_then(|digits| u16::from_str_radix(digits.get(..4)?, 16).ok());
        let adjacent = at == 0;
        let low = matches!(unit, Some(0xdc00..=0xdfff));
        let is_pair = high && adjacent && low;
        if (high || low) && !is_pair {
            return true;
        }
        high = matches!(unit, Some(0xd800..=0xdbff));
        rest = escape
            .get(if unit.is_some() { 6 } else { 2 }..)
            .unwrap_or_default();
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e3_a_lone_surrogate_half_is_malformed_and_a_pair_is_not() {
        for (text, lone) in [
            (r#""\ud83d\ude00""#, false),
            (r#""\ud83d""#, true),
            (r#""\ude00""#, true),
            (r#""\ud83d \ude00""#, true),
            (r#""\ud83d\ud83d\ude00""#, true),
            (r#""\\ud83d""#, false),
            (r#""\ud83d\n""#, true),
        ] {
            assert_eq!(holds_lone_surrogate(text), lone, "{text}");
        }
        let text = r#"{"title":"\ud800","\udc00":1,"id":1e999,"a":"\ud83d\ude00"}"#;
        assert_eq!(
            replace_unrepresentable(text),
            r#"{"title":0.5,"?":1,"id":0.5,"a":"\ud83d\ude00"}"#
        );
    }
}
