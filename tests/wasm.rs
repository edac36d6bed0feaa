//! Tests that run in wasm, once in Node and once in Chromium.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn runs_in_wasm() {
    assert_eq!(usize::BITS, 32);
}
