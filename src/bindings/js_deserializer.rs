//! Restores what `tape.rs` wrote, from a JavaScript value: what serde asks for is looked up in place.

use std::fmt::Display;

use serde::de::{
    self, DeserializeOwned, DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

use super::js_value::JsNode;
use crate::wire::value::Value;

/// Reads a whole value; the error says where it is not what was saved.
pub(super) fn from_node<T: DeserializeOwned>(node: &JsNode) -> Result<T, NotSaved> {
    T::deserialize(Node(*node))
}

/// Where a saved value is not what was saved, and what should be there. Made without formatting.
/// One pointer, as each of the many places where reading can fail hands it on.
#[derive(Debug)]
pub(super) struct NotSaved(Box<Fault>);

#[derive(Debug)]
struct Fault {
    expected: &'static str,
    path: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Field(&'static str),
    Key(String),
}

impl NotSaved {
    #[cold]
    #[inline(never)]
    fn expected(expected: &'static str) -> Self {
        Self(Box::new(Fault {
            expected,
            path: Vec::new(),
        }))
    }

    /// The same error, one level further out.
    #[cold]
    #[inline(never)]
    fn under(mut self, step: Step) -> Self {
        self.0.path.push(step);
        self
    }

    /// What should be there.
    pub(super) fn what(&self) -> &'static str {
        self.0.expected
    }

    /// Where, as `root.field.key`.
    pub(super) fn place(&self, root: &str) -> String {
        let mut place = String::from(root);
        for step in self.0.path.iter().rev() {
            place.push('.');
            match step {
                Step::Field(name) => place.push_str(name),
                Step::Key(key) => place.push_str(key),
            }
        }
        place
    }
}

impl Display for NotSaved {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.0.expected)
    }
}

impl std::error::Error for NotSaved {}

impl de::Error for NotSaved {
    fn custom<T: Display>(_: T) -> Self {
        Self::expected("what was saved")
    }

    fn missing_field(field: &'static str) -> Self {
        Self::expected("there").under(Step::Field(field))
    }
}

struct Node(JsNode);

/// What serde tells apart among numbers.
enum Number {
    Float(f64),
    Negative(i64),
    Positive(u64),
}

// Serde's visitors are generic: what does not depend on them is kept out of line, once.
impl Node {
    #[inline(never)]
    fn number(&self) -> Result<Number, NotSaved> {
        let number = self
            .0
            .number()
            .ok_or_else(|| NotSaved::expected("a number"))?;
        // Integers of a state are counts and positions, below 2^53. Minus zero is no integer.
        Ok(
            if number.fract() != 0.0 || number.abs() > 9_007_199_254_740_991.0 {
                Number::Float(number)
            } else if number.is_sign_positive() {
                Number::Positive(number as u64)
            } else if number == 0.0 {
                Number::Float(number)
            } else {
                Number::Negative(number as i64)
            },
        )
    }

    #[inline(never)]
    fn text(&self) -> Result<String, NotSaved> {
        self.0.text().ok_or_else(|| NotSaved::expected("a string"))
    }

    #[inline(never)]
    fn items(&self) -> Result<Items, NotSaved> {
        match self.0.items() {
            Some(items) => Ok(Items {
                items: items.into_iter(),
            }),
            None => Err(NotSaved::expected("an array")),
        }
    }

    #[inline(never)]
    fn entries(&self) -> Result<Entries, NotSaved> {
        match self.0.entries() {
            Some(entries) => Ok(Entries {
                entries: entries.into_iter(),
                value: None,
            }),
            None => Err(NotSaved::expected("an object")),
        }
    }

    #[inline(never)]
    fn fields(&self, names: Names) -> Result<Fields, NotSaved> {
        if !self.0.is_object() {
            return Err(NotSaved::expected("an object"));
        }
        Ok(Fields {
            object: self.0,
            names,
            next: 0,
            value: None,
        })
    }

    #[inline(never)]
    fn variant(&self, variants: Names) -> Result<Variant, NotSaved> {
        if let Some(name) = self.0.text() {
            return Variant::named(&name, variants, None);
        }
        let mut entries = self.0.entries().unwrap_or_default().into_iter();
        match (entries.next(), entries.next()) {
            (Some((key, content)), None) => {
                Variant::named(&Node(key).text()?, variants, Some(content))
            }
            _ => Err(NotSaved::expected("a string or an object with one field")),
        }
    }

    fn visit_number<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        match self.number()? {
            Number::Float(number) => visitor.visit_f64(number),
            Number::Negative(number) => visitor.visit_i64(number),
            Number::Positive(number) => visitor.visit_u64(number),
        }
    }

    fn visit_text<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        visitor.visit_string(self.text()?)
    }

    fn visit_items<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        visitor.visit_seq(self.items()?)
    }

    fn visit_entries<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        visitor.visit_map(self.entries()?)
    }

    fn visit_fields<'de, V: Visitor<'de>>(
        self,
        names: Names,
        visitor: V,
    ) -> Result<V::Value, NotSaved> {
        visitor.visit_map(self.fields(names)?)
    }
}

macro_rules! numbers {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
            self.visit_number(visitor)
        })*
    };
}

macro_rules! texts {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
            self.visit_text(visitor)
        })*
    };
}

impl<'de> de::Deserializer<'de> for Node {
    type Error = NotSaved;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        if self.0.is_null() {
            visitor.visit_unit()
        } else if let Some(value) = self.0.boolean() {
            visitor.visit_bool(value)
        } else if self.0.is_object() {
            self.visit_entries(visitor)
        } else if self.0.is_text() {
            self.visit_text(visitor)
        } else if self.0.is_number() {
            self.visit_number(visitor)
        } else {
            self.visit_items(visitor)
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        visitor.visit_bool(
            self.0
                .boolean()
                .ok_or_else(|| NotSaved::expected("a boolean"))?,
        )
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64
    }

    texts! { deserialize_char deserialize_str deserialize_string deserialize_identifier }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        self.visit_items(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        self.visit_items(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        if self.0.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        if self.0.is_null() {
            visitor.visit_unit()
        } else {
            Err(NotSaved::expected("null"))
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, NotSaved> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, NotSaved> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        self.visit_items(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, NotSaved> {
        self.visit_items(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, NotSaved> {
        self.visit_items(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        self.visit_entries(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: Names,
        visitor: V,
    ) -> Result<V::Value, NotSaved> {
        self.visit_fields(fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: Names,
        visitor: V,
    ) -> Result<V::Value, NotSaved> {
        visitor.visit_enum(self.variant(variants)?)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        visitor.visit_unit()
    }
}

struct Items {
    items: std::vec::IntoIter<JsNode>,
}

impl<'de> SeqAccess<'de> for Items {
    type Error = NotSaved;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, NotSaved> {
        self.items
            .next()
            .map(|item| seed.deserialize(Node(item)))
            .transpose()
    }
}

/// The names of a struct's fields or an enum's variants, as serde knows them. Serde is answered with
/// the index of a name, which its generated code tells apart with much less code than texts; this
/// needs names without aliases.
type Names = &'static [&'static str];

/// A struct: the fields that serde knows, looked up one by one.
struct Fields {
    object: JsNode,
    names: Names,
    next: usize,
    value: Option<(&'static str, JsNode)>,
}

impl Fields {
    /// The index of the next field that is there.
    #[inline(never)]
    fn find(&mut self) -> Option<u64> {
        while let Some(name) = self.names.get(self.next) {
            let index = self.next;
            self.next += 1;
            if let Some(value) = self.object.field(name) {
                self.value = Some((name, value));
                return Some(index as u64);
            }
        }
        None
    }

    #[inline(never)]
    fn take(&mut self) -> Result<(&'static str, JsNode), NotSaved> {
        self.value.take().ok_or_else(|| NotSaved::expected("there"))
    }
}

impl<'de> MapAccess<'de> for Fields {
    type Error = NotSaved;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, NotSaved> {
        match self.find() {
            Some(index) => seed.deserialize(Index(index)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, NotSaved> {
        let (name, value) = self.take()?;
        seed.deserialize(Node(value))
            .map_err(|error| error.under(Step::Field(name)))
    }
}

/// A map: whatever the object has.
struct Entries {
    entries: std::vec::IntoIter<(JsNode, JsNode)>,
    value: Option<(String, JsNode)>,
}

impl<'de> MapAccess<'de> for Entries {
    type Error = NotSaved;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, NotSaved> {
        let Some((key, value)) = self.entries.next() else {
            return Ok(None);
        };
        let key = key.text().ok_or_else(|| NotSaved::expected("a string"))?;
        let read = seed.deserialize(Key(&key)).map(Some);
        self.value = Some((key, value));
        read
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, NotSaved> {
        let (key, value) = self
            .value
            .take()
            .ok_or_else(|| NotSaved::expected("there"))?;
        seed.deserialize(Node(value))
            .map_err(|error| error.under(Step::Key(key)))
    }
}

/// The key of a map: a string, read as an integer where serde asks for one.
struct Key<'a>(&'a str);

macro_rules! number_keys {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
            match self.0.parse::<i64>() {
                Ok(key) => visitor.visit_i64(key),
                Err(_) => Err(NotSaved::expected("an integer")),
            }
        })*
    };
}

impl<'de> de::Deserializer<'de> for Key<'_> {
    type Error = NotSaved;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        visitor.visit_str(self.0)
    }

    number_keys! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: Names,
        visitor: V,
    ) -> Result<V::Value, NotSaved> {
        visitor.visit_enum(Variant::named(self.0, variants, None)?)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, NotSaved> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct
        map struct identifier ignored_any
    }
}

/// An externally tagged variant: its name alone, or with its content.
struct Variant {
    index: u64,
    content: Content,
}

impl Variant {
    fn named(name: &str, variants: Names, node: Option<JsNode>) -> Result<Self, NotSaved> {
        match variants.iter().position(|variant| *variant == name) {
            Some(index) => Ok(Self {
                index: index as u64,
                content: Content(node),
            }),
            None => Err(NotSaved::expected("a known variant")),
        }
    }
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = NotSaved;
    type Variant = Content;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Content), NotSaved> {
        Ok((seed.deserialize(Index(self.index))?, self.content))
    }
}

/// Which field or variant, for the code that serde generated.
struct Index(u64);

impl<'de> de::Deserializer<'de> for Index {
    type Error = NotSaved;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NotSaved> {
        visitor.visit_u64(self.0)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Content(Option<JsNode>);

impl Content {
    fn node(self) -> Result<Node, NotSaved> {
        match self.0 {
            Some(content) => Ok(Node(content)),
            None => Err(NotSaved::expected("a variant with content")),
        }
    }
}

impl<'de> VariantAccess<'de> for Content {
    type Error = NotSaved;

    fn unit_variant(self) -> Result<(), NotSaved> {
        match self.0 {
            None => Ok(()),
            Some(content) if content.is_null() => Ok(()),
            Some(_) => Err(NotSaved::expected("a variant without content")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, NotSaved> {
        seed.deserialize(self.node()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, NotSaved> {
        self.node()?.visit_items(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: Names,
        visitor: V,
    ) -> Result<V::Value, NotSaved> {
        self.node()?.visit_fields(fields, visitor)
    }
}
