//! Numbers as JSON has them, and as text.

use alloc::{string::String, vec::Vec};

/// The largest integer that JSON and JavaScript hold exactly.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

/// The integer that a number is, when JavaScript holds it exactly.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "a number within these bounds is compared with itself"
)]
pub(crate) fn whole(number: f64) -> Option<i64> {
    let integer = number as i64;
    (number.abs() <= MAX_SAFE && integer as f64 == number).then_some(integer)
}

/// A number as decimal text; `format!` would bring its machinery into the wasm.
pub(crate) fn decimal(number: usize) -> String {
    let mut digits = Vec::new();
    let mut rest = number;
    loop {
        digits.push(char::from_digit((rest % 10) as u32, 10).unwrap_or('0'));
        rest /= 10;
        if rest == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}
