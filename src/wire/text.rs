//! JSON text as a value with fields: one pass that keeps the fields which anything here reads, and
//! skips all others unread, so that a diff or a text of megabytes costs no more than finding its end.

use alloc::borrow::Cow;
use alloc::{string::String, vec::Vec};
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::message::{Message, read_message, unreadable};
use super::value::Value;

/// How deep anything here reads: `result._meta.jetbrains.air.capabilities[0]`, with room to spare.
const DEPTH: u8 = 12;

/// Reads one line of JSON text; what is no JSON reads as an unreadable message.
pub(crate) fn read_text(text: &str) -> Message {
    if let Ok(node) = parse(text) {
        return read_message(&&node);
    }
    // Text that JavaScript parses and Rust does not: a lone surrogate half, a number beyond f64.
    match parse(&replace_unrepresentable(text)) {
        Ok(node) => read_message(&&node),
        Err(_) => unreadable(),
    }
}

fn parse(text: &str) -> serde_json::Result<Node<'_>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let node = Depth(DEPTH).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(node)
}

/// A value of the text.
enum Node<'a> {
    Null,
    Boolean(bool),
    Number(f64),
    Text(Cow<'a, str>),
    List(Vec<Node<'a>>),
    /// The fields that anything reads; the last of two with the same name counts.
    Object(Vec<(&'static str, Node<'a>)>),
}

impl Value for &Node<'_> {
    fn field(&self, name: &'static str) -> Option<Self> {
        match self {
            Node::Object(fields) => fields
                .iter()
                .rev()
                .find_map(|(field, node)| (*field == name).then_some(node)),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self, Node::Null)
    }

    fn is_object(&self) -> bool {
        matches!(self, Node::Object(_))
    }

    fn text(&self) -> Option<String> {
        match self {
            Node::Text(text) => Some(text.clone().into_owned()),
            _ => None,
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Node::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn boolean(&self) -> Option<bool> {
        match self {
            Node::Boolean(boolean) => Some(*boolean),
            _ => None,
        }
    }

    fn items(&self) -> Option<Vec<Self>> {
        match self {
            Node::List(items) => Some(items.iter().collect()),
            _ => None,
        }
    }
}

/// Reads a value down to so many levels; deeper objects and arrays are empty.
#[derive(Clone, Copy)]
struct Depth(u8);

impl<'de> DeserializeSeed<'de> for Depth {
    type Value = Node<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Depth {
    type Value = Node<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node<'de>, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, boolean: bool) -> Result<Node<'de>, E> {
        Ok(Node::Boolean(boolean))
    }

    #[expect(clippy::cast_precision_loss, reason = "as JavaScript reads it")]
    fn visit_i64<E>(self, number: i64) -> Result<Node<'de>, E> {
        Ok(Node::Number(number as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "as JavaScript reads it")]
    fn visit_u64<E>(self, number: u64) -> Result<Node<'de>, E> {
        Ok(Node::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Node<'de>, E> {
        Ok(Node::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Node<'de>, E> {
        Ok(Node::Text(Cow::Owned(text.into())))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Node<'de>, E> {
        Ok(Node::Text(Cow::Borrowed(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node<'de>, A::Error> {
        let mut list = Vec::new();
        match self.0.checked_sub(1) {
            Some(depth) => {
                while let Some(item) = items.next_element_seed(Self(depth))? {
                    list.push(item);
                }
            }
            None => while items.next_element::<IgnoredAny>()?.is_some() {},
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some(key) = entries.next_key_seed(Key)? {
            match (key, self.0.checked_sub(1)) {
                (Some(key), Some(depth)) => {
                    fields.push((key, entries.next_value_seed(Self(depth))?));
                }
                _ => {
                    entries.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Node::Object(fields))
    }
}

/// Reads a key as the name that [`super`] reads it by; `None` for a key that nothing reads.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Option<&'static str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(known(key))
    }
}

/// Makes `known` from the names that the readers of this folder use.
macro_rules! known {
    ($($name:literal)+) => {
        fn known(key: &str) -> Option<&'static str> {
            match key {
                $($name => Some($name),)+
                _ => None,
            }
        }
    };
}

known! {
    "_meta" "air" "args" "asyncTaskId" "asyncTasks" "background" "canStop" "cancel" "capabilities"
    "code" "command" "content" "cwd" "data" "error" "exitCode" "exitStatus" "exit_code" "id"
    "jetbrains" "kind" "message" "method" "name" "output" "params" "protocolVersion" "requestId"
    "result" "sessionId" "sessionUpdate" "signal" "state" "status" "stopReason" "stopped"
    "subagentSessionId" "subject" "taskType" "terminalId" "terminal_exit" "terminal_id"
    "terminal_info" "terminal_output" "terminal_output_delta" "title" "toolCall" "toolCallId" "type"
    "update"
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
