//! The answers: what an event changed and what a question says, in exactly the JSON of the package's
//! declarations (types.ts).

mod outcome;
mod plans;
mod time;
mod views;

pub use outcome::{Outcome, Problem, StopOutcome, StopResult, TurnEnd};
pub use plans::{Abandoned, CancelPlan, ClosePlan, StopMethod, StopPlan, StopRefusal, WorkCounts};
pub(crate) use time::{instant, optional_instant};
pub use views::{
    Activity, BackgroundReported, BelongsTo, CallBackground, CallShown, HandedOff, PendingRequest,
    RequestKind, SessionSnapshot, StopState, Terminal, TerminalShown, ToolCall, WorkItem,
    WorkItemType, WorkStatus,
};
