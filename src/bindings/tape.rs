//! Answers on their way out: a tape of numbers and one text with all strings, which `host.js` makes
//! plain objects of in one pass. Much cheaper than a call for each field, and much smaller than JSON.
//!
//! A value is an op, followed by what the op needs:
//!
//! ```text
//! NULL | FALSE | TRUE
//! NUMBER value
//! TEXT length                     the next `length` UTF-16 units of the text
//! NAME name                       a static text
//! LIST value* END
//! STRUCT (name value)* 0          the names of fields are static
//! MAP (key value)* 0              a key is `length+1`, like TEXT, or `-1 number`
//! ```
//!
//! A name is the place of a static text in memory × 256 + its length: `host.js` decodes each once.

use alloc::{string::String, vec::Vec};
use serde::ser::{
    self, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct,
    SerializeStructVariant, SerializeTuple, SerializeTupleStruct, SerializeTupleVariant,
};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/bindings/host.js")]
extern "C" {
    fn emit(ops: u32, text: u32, text_length: u32, frozen: bool) -> JsValue;
    fn again(text: u32, length: u32) -> JsValue;
}

/// A text that is likely the one that went out last.
pub(super) fn id(text: &str) -> JsValue {
    again(text.as_ptr() as u32, text.len() as u32)
}

/// The plain JavaScript value of an answer.
pub(super) fn answer(value: &(impl Serialize + ?Sized)) -> JsValue {
    write(value, false)
}

/// The same, frozen with all that is in it.
pub(super) fn frozen(value: &(impl Serialize + ?Sized)) -> JsValue {
    write(value, true)
}

fn write(value: &(impl Serialize + ?Sized), frozen: bool) -> JsValue {
    let mut tape = Tape {
        ops: Vec::with_capacity(128),
        text: String::with_capacity(256),
    };
    if value.serialize(&mut tape).is_err() {
        // Only a map with keys that are no strings fails: no answer has one.
        return JsValue::UNDEFINED;
    }
    emit(
        tape.ops.as_ptr() as u32,
        tape.text.as_ptr() as u32,
        tape.text.len() as u32,
        frozen,
    )
}

mod op {
    pub(super) const NULL: f64 = 0.0;
    pub(super) const FALSE: f64 = 1.0;
    pub(super) const TRUE: f64 = 2.0;
    pub(super) const NUMBER: f64 = 3.0;
    pub(super) const TEXT: f64 = 4.0;
    pub(super) const NAME: f64 = 5.0;
    pub(super) const LIST: f64 = 6.0;
    pub(super) const STRUCT: f64 = 7.0;
    pub(super) const MAP: f64 = 8.0;
    pub(super) const END: f64 = 9.0;
    pub(super) const NUMBER_KEY: f64 = -1.0;
    /// Where the next name or key would stand.
    pub(super) const LAST: f64 = 0.0;
}

struct Tape {
    ops: Vec<f64>,
    text: String,
}

impl Tape {
    fn op(&mut self, op: f64) {
        self.ops.push(op);
    }

    fn number(&mut self, number: f64) {
        self.ops.push(op::NUMBER);
        self.ops.push(number);
    }

    /// Appends to the text; the length that it has in JavaScript.
    fn append(&mut self, text: &str) -> f64 {
        self.text.push_str(text);
        let unit = |&byte: &u8| u32::from(byte & 0xC0 != 0x80) + u32::from(byte >= 0xF0);
        f64::from(text.as_bytes().iter().map(unit).sum::<u32>())
    }

    fn name(&mut self, name: &'static str) {
        self.ops
            .push(name.as_ptr() as u32 as f64 * 256.0 + name.len() as f64);
    }

    /// `{ variant: value }`, as serde writes variants with content; to be ended with `LAST`.
    fn variant(&mut self, variant: &'static str) {
        self.op(op::STRUCT);
        self.name(variant);
    }
}

macro_rules! number {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(fn $method(self, value: $type) -> Written {
            self.number(value as f64);
            Ok(())
        })*
    };
}

type Written = Result<(), NotWritten>;

/// Nothing that answers consist of fails to be written.
#[derive(Debug)]
pub(super) struct NotWritten;

impl core::fmt::Display for NotWritten {
    fn fmt(&self, _: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        Ok(())
    }
}

impl core::error::Error for NotWritten {}

impl ser::Error for NotWritten {
    fn custom<T: core::fmt::Display>(_: T) -> Self {
        Self
    }
}

impl<'a> ser::Serializer for &'a mut Tape {
    type Ok = ();
    type Error = NotWritten;
    type SerializeSeq = Open<'a>;
    type SerializeTuple = Open<'a>;
    type SerializeTupleStruct = Open<'a>;
    type SerializeTupleVariant = Open<'a>;
    type SerializeMap = Open<'a>;
    type SerializeStruct = Open<'a>;
    type SerializeStructVariant = Open<'a>;

    fn serialize_bool(self, value: bool) -> Written {
        self.op(if value { op::TRUE } else { op::FALSE });
        Ok(())
    }

    number! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_f32: f32, serialize_f64: f64,
    }

    fn serialize_char(self, value: char) -> Written {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Written {
        let length = self.append(value);
        self.op(op::TEXT);
        self.op(length);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Written {
        self.op(op::LIST);
        for byte in value {
            self.number((*byte).into());
        }
        self.op(op::END);
        Ok(())
    }

    fn serialize_none(self) -> Written {
        self.op(op::NULL);
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.op(op::NULL);
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.op(op::NULL);
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.op(op::NAME);
        self.name(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        self.variant(variant);
        value.serialize(&mut *self)?;
        self.op(op::LAST);
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Open<'a>, NotWritten> {
        self.op(op::LIST);
        Ok(Open::new(self, op::END))
    }

    fn serialize_tuple(self, _: usize) -> Result<Open<'a>, NotWritten> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Open<'a>, NotWritten> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Open<'a>, NotWritten> {
        self.variant(variant);
        self.op(op::LIST);
        Ok(Open::in_variant(self, op::END))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Open<'a>, NotWritten> {
        self.op(op::MAP);
        Ok(Open::new(self, op::LAST))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Open<'a>, NotWritten> {
        self.op(op::STRUCT);
        Ok(Open::new(self, op::LAST))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Open<'a>, NotWritten> {
        self.variant(variant);
        self.op(op::STRUCT);
        Ok(Open::in_variant(self, op::LAST))
    }
}

/// A list, map or struct that is being written.
pub(super) struct Open<'a> {
    tape: &'a mut Tape,
    end: f64,
    in_variant: bool,
}

impl<'a> Open<'a> {
    fn new(tape: &'a mut Tape, end: f64) -> Self {
        Self {
            tape,
            end,
            in_variant: false,
        }
    }

    fn in_variant(tape: &'a mut Tape, end: f64) -> Self {
        Self {
            tape,
            end,
            in_variant: true,
        }
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        value.serialize(&mut *self.tape)
    }

    fn named<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Written {
        self.tape.name(name);
        self.value(value)
    }

    fn close(self) -> Written {
        self.tape.op(self.end);
        if self.in_variant {
            self.tape.op(op::LAST);
        }
        Ok(())
    }
}

impl SerializeSeq for Open<'_> {
    type Ok = ();
    type Error = NotWritten;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.value(value)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl SerializeTuple for Open<'_> {
    type Ok = ();
    type Error = NotWritten;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.value(value)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl SerializeTupleStruct for Open<'_> {
    type Ok = ();
    type Error = NotWritten;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.value(value)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl SerializeTupleVariant for Open<'_> {
    type Ok = ();
    type Error = NotWritten;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.value(value)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl SerializeMap for Open<'_> {
    type Ok = ();
    type Error = NotWritten;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        key.serialize(Key(&mut *self.tape))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.value(value)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl SerializeStruct for Open<'_> {
    type Ok = ();
    type Error = NotWritten;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Written {
        self.named(name, value)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl SerializeStructVariant for Open<'_> {
    type Ok = ();
    type Error = NotWritten;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Written {
        self.named(name, value)
    }

    fn end(self) -> Written {
        self.close()
    }
}

/// The key of a map: a string or an integer.
struct Key<'a>(&'a mut Tape);

impl Key<'_> {
    fn number(self, key: f64) -> Written {
        self.0.op(op::NUMBER_KEY);
        self.0.op(key);
        Ok(())
    }
}

macro_rules! number_key {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(fn $method(self, key: $type) -> Written {
            self.number(key as f64)
        })*
    };
}

macro_rules! no_key {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(fn $method(self, _: $type) -> Written {
            Err(NotWritten)
        })*
    };
}

impl ser::Serializer for Key<'_> {
    type Ok = ();
    type Error = NotWritten;
    type SerializeSeq = Impossible<(), NotWritten>;
    type SerializeTuple = Impossible<(), NotWritten>;
    type SerializeTupleStruct = Impossible<(), NotWritten>;
    type SerializeTupleVariant = Impossible<(), NotWritten>;
    type SerializeMap = Impossible<(), NotWritten>;
    type SerializeStruct = Impossible<(), NotWritten>;
    type SerializeStructVariant = Impossible<(), NotWritten>;

    fn serialize_str(self, key: &str) -> Written {
        let length = self.0.append(key);
        self.0.op(length + 1.0);
        Ok(())
    }

    fn serialize_char(self, key: char) -> Written {
        self.serialize_str(key.encode_utf8(&mut [0; 4]))
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, key: &T) -> Written {
        key.serialize(self)
    }

    number_key! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
    }

    no_key! {
        serialize_bool: bool, serialize_f32: f32, serialize_f64: f64, serialize_bytes: &[u8],
        serialize_unit_struct: &'static str,
    }

    fn serialize_none(self) -> Written {
        Err(NotWritten)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, key: &T) -> Written {
        key.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        Err(NotWritten)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Written {
        Err(NotWritten)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, NotWritten> {
        Err(NotWritten)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, NotWritten> {
        Err(NotWritten)
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, NotWritten> {
        Err(NotWritten)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, NotWritten> {
        Err(NotWritten)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, NotWritten> {
        Err(NotWritten)
    }

    fn serialize_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStruct, NotWritten> {
        Err(NotWritten)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, NotWritten> {
        Err(NotWritten)
    }
}
