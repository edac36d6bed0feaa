//! `serde_json::Value` as a value with fields.

use super::name::Name;
use super::value::Value;

impl<'a> Value<'a> for &'a serde_json::Value {
    fn field(self, name: Name) -> Option<Self> {
        self.as_object()?.get(name.text())
    }

    fn is_null(self) -> bool {
        self.is_null()
    }

    fn is_object(self) -> bool {
        self.is_object()
    }

    fn text(self) -> Option<&'a str> {
        self.as_str()
    }

    fn name(self) -> Option<Name> {
        Name::of(self.as_str()?)
    }

    fn number(self) -> Option<f64> {
        self.as_f64().filter(|number| number.is_finite())
    }

    fn boolean(self) -> Option<bool> {
        self.as_bool()
    }

    fn items(self) -> Option<impl Iterator<Item = Self>> {
        self.as_array().map(|items| items.iter())
    }
}
