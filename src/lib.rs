//! What an agent of the [Agent Client Protocol](https://agentclientprotocol.com) is still doing, from what it said.
//!
//! Start from [`ClientState`]: it takes every message of one connection, in both directions, and
//! [`ClientState::session`] answers the questions about one session.
//!
//! ```
//! use acp_client_state::{Activity, ClientState, Options};
//!
//! let mut state = ClientState::new(Options::default());
//! let outcome = state.received(
//!     r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":
//!         {"sessionUpdate":"state_update","state":"idle","background":[{"type":"terminal","terminalId":"t1"}]}}}"#,
//!     1_000.0,
//! );
//!
//! assert_eq!(outcome.changed, ["s1"]);
//! assert_eq!(state.session("s1").activity(), Activity::Background);
//! ```
//!
//! The state is a pure function of its events: no clock, no I/O, no randomness. What an agent sends never fails;
//! what cannot be read comes back in [`Outcome::problems`]. Times are milliseconds, handed in with the event.
//! Rules that are named (A3, X1) are those of `docs/rules.md` in the repository.

#![no_std]
#![cfg_attr(not(feature = "wasm"), forbid(unsafe_code))]

extern crate alloc;
#[cfg(any(feature = "json", test))]
extern crate std;

mod answers;
#[cfg(feature = "wasm")]
mod bindings;
mod event;
#[cfg(feature = "json")]
mod json;
mod number;
mod questions;
#[cfg_attr(
    not(any(feature = "json", feature = "wasm")),
    allow(dead_code, reason = "a state is saved as JSON or for JavaScript")
)]
mod saved;
mod state;
#[cfg_attr(
    not(any(feature = "json", feature = "wasm")),
    allow(dead_code, unused_imports, reason = "only typed events are left")
)]
mod wire;

pub use answers::{
    Abandoned, Activity, BackgroundReported, BelongsTo, CallBackground, CallShown, CancelPlan,
    ClosePlan, HandedOff, Outcome, PendingRequest, Problem, RequestKind, SessionSnapshot,
    StopMethod, StopOutcome, StopPlan, StopRefusal, StopResult, StopState, Terminal, TerminalShown,
    ToolCall, TurnEnd, WorkCounts, WorkItem, WorkItemType, WorkStatus,
};
pub use event::{
    BackgroundItem, BackgroundList, Event, ExitStatus, Patch, RequestId, RpcError, StateUpdate,
    StopTarget, SubagentUpdate, Subject, TaskSpawned, TerminalMeta, TerminalUpdate,
    ToolCallContent, ToolCallUpdate, Unreadable, Update,
};
#[cfg(feature = "json")]
pub use json::Message;
pub use questions::Session;
pub use state::{ClientState, Options};

/// The README's Rust is run as a test.
#[cfg(all(doctest, feature = "json"))]
#[doc = include_str!("../README.md")]
struct Readme;
