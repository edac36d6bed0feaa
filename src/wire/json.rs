//! `serde_json::Value` as a value with fields.

use super::value::Value;
use alloc::{string::String, vec::Vec};

impl Value for &serde_json::Value {
    fn field(&self, name: &'static str) -> Option<Self> {
        self.as_object()?.get(name)
    }

    fn is_null(&self) -> bool {
        (**self).is_null()
    }

    fn is_object(&self) -> bool {
        (**self).is_object()
    }

    fn text(&self) -> Option<String> {
        self.as_str().map(String::from)
    }

    fn number(&self) -> Option<f64> {
        self.as_f64().filter(|number| number.is_finite())
    }

    fn boolean(&self) -> Option<bool> {
        self.as_bool()
    }

    fn items(&self) -> Option<Vec<Self>> {
        self.as_array().map(|items| items.iter().collect())
    }
}
