//! Times as JSON: milliseconds, written as an integer when they are one.

use serde::Serializer;

use crate::number::whole;

pub(crate) fn instant<S: Serializer>(time: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match whole(*time) {
        Some(integer) => serializer.serialize_i64(integer),
        None => serializer.serialize_f64(*time),
    }
}

pub(crate) fn optional_instant<S: Serializer>(
    time: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => instant(time, serializer),
        None => serializer.serialize_none(),
    }
}
