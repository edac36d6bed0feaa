//! Omitted, `null`, a value or something malformed: rule T2, once for all fields.

use super::name::Name;
use super::value::Value;
use crate::event::{Patch, RequestId, RpcError};
use crate::number::whole;

/// Reads the field `name` with `read`; what `read` cannot read counts as omitted.
pub(super) fn patch<'a, V: Value<'a>, T>(
    object: V,
    name: Name,
    read: impl FnOnce(V) -> Option<T>,
) -> Patch<T> {
    match object.field(name) {
        None => Patch::Omitted,
        Some(value) if value.is_null() => Patch::Null,
        Some(value) => read(value).map_or(Patch::Omitted, Patch::Value),
    }
}

pub(super) fn text_patch<'a, V: Value<'a>>(object: V, name: Name) -> Patch<&'a str> {
    patch(object, name, V::text)
}

/// The text of the field `name`, when it is a string.
pub(super) fn text<'a, V: Value<'a>>(object: V, name: Name) -> Option<&'a str> {
    object.field(name)?.text()
}

/// What stands in a field that holds a name.
pub(super) enum Named {
    Name(Name),
    /// A string that is none here.
    Other,
    /// No string.
    Missing,
}

/// The name in the field `name`.
pub(super) fn name<'a, V: Value<'a>>(object: V, name: Name) -> Named {
    let field = object.field(name);
    match field.and_then(V::name) {
        Some(name) => Named::Name(name),
        None if field.and_then(V::text).is_some() => Named::Other,
        None => Named::Missing,
    }
}

/// The integer of the field `name`, when it is one that JavaScript holds exactly.
pub(super) fn integer<'a, V: Value<'a>>(object: V, name: Name) -> Option<i64> {
    safe_integer(object.field(name)?)
}

pub(super) fn safe_integer<'a, V: Value<'a>>(value: V) -> Option<i64> {
    whole(value.number()?)
}

/// Whether `capabilities` advertises cancel (rule T3).
pub(super) fn cancel_patch<'a, V: Value<'a>>(object: V) -> Patch<bool> {
    patch(object, Name::Capabilities, |capabilities| {
        capabilities.is_object().then(|| {
            capabilities
                .field(Name::Cancel)
                .is_some_and(|cancel| cancel.is_object())
        })
    })
}

/// A JSON-RPC id; `None` when it is neither a string, an integer nor `null`.
pub(super) fn request_id<'a, V: Value<'a>>(value: V) -> Option<RequestId> {
    if value.is_null() {
        Some(RequestId::Null)
    } else if let Some(text) = value.text() {
        Some(RequestId::Text(text.into()))
    } else {
        safe_integer(value).map(RequestId::Number)
    }
}

/// A JSON-RPC error, read tolerantly: what is missing in it reads as 0 and as no text.
pub(super) fn rpc_error<'a, V: Value<'a>>(value: V) -> Option<RpcError> {
    value.is_object().then(|| RpcError {
        code: integer(value, Name::Code).unwrap_or_default(),
        message: text(value, Name::Message).unwrap_or_default().into(),
    })
}
