//! What is known, and what an event does to it. Knows the rules and no JSON.

mod background;
mod child;
mod client;
mod effects;
mod ledger;
mod outcome;
mod output_tail;
mod request;
mod resume;
#[cfg(any(feature = "json", feature = "wasm"))]
mod save;
mod session;
mod sorted;
mod stop;
mod table;
mod task;
mod terminal;
mod tool_call;
mod tracking;
mod tree;
mod turn;
mod update_call;
mod update_task;
mod update_terminal;
mod work;

pub(crate) use background::Reported;
pub use client::{ClientState, Options};
pub(crate) use request::Request;
pub(crate) use session::{Foreground, Session, SessionNo};
pub(crate) use sorted::Numbers;
pub(crate) use table::{Identified, No};
pub(crate) use terminal::Terminal;
pub(crate) use tool_call::{Mark, Status, TaskEnd, ToolCall};
pub(crate) use work::Key;
