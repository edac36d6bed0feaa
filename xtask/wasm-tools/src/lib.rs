//! wasm-bindgen command-line tools, locked by our Cargo.lock.
