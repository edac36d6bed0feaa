//! What agents and clients say, read into plain data. Knows the shapes of the protocol and no rules.

mod connection;
mod event;
#[cfg(feature = "json")]
mod json;
mod message;
pub(crate) mod name;
mod patch;
#[cfg(feature = "json")]
mod text;
mod update;
pub(crate) mod value;

pub(crate) use connection::{Connection, Meaning};
#[cfg(feature = "json")]
pub(crate) use event::BadEvent;
#[cfg(any(feature = "wasm", feature = "json"))]
pub(crate) use event::read_event;
#[cfg(feature = "wasm")]
pub(crate) use event::read_stop_target;
pub(crate) use message::Message;
#[cfg(any(feature = "wasm", feature = "json"))]
pub(crate) use message::read_message;
#[cfg(feature = "wasm")]
pub(crate) use message::{METHODS, unreadable};
#[cfg(feature = "json")]
pub(crate) use text::read_text;
#[cfg(feature = "wasm")]
pub(crate) use update::KINDS;
