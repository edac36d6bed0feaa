//! Times as JSON: milliseconds, written as an integer when they are one.

use serde::Serializer;

pub(crate) fn instant<S: Serializer>(time: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    if time.fract() == 0.0 && time.abs() <= SAFE {
        #[expect(clippy::cast_possible_truncation, reason = "checked just above")]
        serializer.serialize_i64(*time as i64)
    } else {
        serializer.serialize_f64(*time)
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
