//! What an agent is still doing, from what it said.

mod answers;
#[cfg(feature = "wasm")]
mod bindings;
mod event;
#[cfg(feature = "json")]
mod json;
mod questions;
mod saved;
mod state;
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

/// A number as decimal text; `format!` would bring its machinery into the wasm.
fn decimal(number: usize) -> String {
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
