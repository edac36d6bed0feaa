//! A value with fields: what a JSON text, a `serde_json::Value` and a JavaScript object have in
//! common. The one decoder of the wire reads through this trait, so all three meet the same tolerance.

use super::name::Name;

/// One value as an agent, a client or a host wrote it; a place in what is read, cheap to copy. Reading
/// never fails: what is not of the asked type reads as `None`.
pub(crate) trait Value<'a>: Copy {
    /// The field `name` of an object; `None` when this is no object (arrays are none), the field is
    /// missing or `undefined`, or reading it throws.
    fn field(self, name: Name) -> Option<Self>;

    /// Whether this is `null`.
    fn is_null(self) -> bool;

    /// Whether this is an object and no array.
    fn is_object(self) -> bool;

    /// The text of a string; `None` for one with a lone surrogate half (rule E3).
    fn text(self) -> Option<&'a str>;

    /// The name that a string is; `None` for one that is none here.
    fn name(self) -> Option<Name>;

    /// The value of a finite number.
    fn number(self) -> Option<f64>;

    /// The value of a boolean.
    fn boolean(self) -> Option<bool>;

    /// The items of an array, in order; a hole reads as `null`.
    fn items(self) -> Option<impl Iterator<Item = Self>>;
}
