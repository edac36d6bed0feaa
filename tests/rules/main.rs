//! The rules of the reducer, a module for each section of RULES.md. The name of a test begins with
//! the number of the rule that it holds. The corpus runs the same code in wasm; these run natively.

#![cfg(all(feature = "json", not(target_arch = "wasm32")))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds nothing there is a test that fails"
)]

mod compare;
mod transcript;

mod abandoned;
mod activity;
mod background_list;
mod bad_input;
mod cancel;
mod changes;
mod close;
mod foreground;
mod items;
mod reported;
mod requests;
mod resume;
mod saved;
mod stops;
mod subagents;
mod tasks;
mod terminals;
mod tool_calls;
mod v1_and_tasks;
