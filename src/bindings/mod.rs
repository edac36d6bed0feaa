//! What the npm package is made of: conversions between JavaScript and this crate, and no logic.
//!
//! The class here is private to the package; the one that users see is written in TypeScript and
//! checks what they hand in. Values are read first and the state is borrowed afterwards: reading
//! runs getters and proxies, which may call back into the same state.

// The code that `#[wasm_bindgen]` writes is unsafe and wants public items; nothing written by hand
// is unsafe.
#![allow(unsafe_code, unreachable_pub)]

mod js_value;
// With JSON comes the standard library, which has its own.
#[cfg(all(target_arch = "wasm32", not(feature = "json")))]
mod runtime;
mod tape;

use core::cell::RefCell;

use wasm_bindgen::prelude::*;

use self::js_value::Copied;
use self::tape::{answer, frozen, id};
use crate::wire;
use crate::{ClientState, Options, Outcome, Session};

#[wasm_bindgen(module = "/src/bindings/host.js")]
extern "C" {
    /// A `TypeError` that says what an argument must be.
    fn fault(argument: &str, expected: &str) -> JsValue;
}

#[wasm_bindgen(start)]
fn start() {
    js_value::start();
}

/// The kinds of update that matter, for the face: those of other names need not come here.
#[wasm_bindgen]
pub fn kinds() -> JsValue {
    js_value::texts(wire::KINDS)
}

/// The methods that matter.
#[wasm_bindgen]
pub fn methods() -> JsValue {
    js_value::texts(wire::METHODS)
}

/// A client state, as the face holds it.
#[wasm_bindgen]
pub struct RawState {
    state: RefCell<ClientState>,
}

impl RawState {
    fn of(state: ClientState) -> Self {
        Self {
            state: RefCell::new(state),
        }
    }

    /// Nothing that runs while the state is borrowed leads back here, so it is never borrowed twice;
    /// were it, the face would get `undefined` instead of a panic.
    fn change(&self, event: impl FnOnce(&mut ClientState) -> Outcome) -> JsValue {
        let Ok(mut state) = self.state.try_borrow_mut() else {
            return JsValue::UNDEFINED;
        };
        let outcome = event(&mut state);
        match outcome.only_changed() {
            Some([]) => JsValue::UNDEFINED,
            Some([session]) => id(session),
            Some(_) | None => answer(&outcome),
        }
    }

    fn ask<T: Default>(&self, session_id: &str, question: impl FnOnce(&Session<'_>) -> T) -> T {
        match self.state.try_borrow() {
            Ok(state) => question(&state.session(session_id)),
            Err(_) => T::default(),
        }
    }

    fn look(&self, at: impl FnOnce(&ClientState) -> JsValue) -> JsValue {
        match self.state.try_borrow() {
            Ok(state) => at(&state),
            Err(_) => JsValue::UNDEFINED,
        }
    }
}

#[wasm_bindgen]
impl RawState {
    /// A state that knows nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new(cancel_unattributed: bool) -> Self {
        Self::of(ClientState::new(Options {
            cancel_unattributed,
        }))
    }

    /// The state that `save` gave.
    pub fn restore(saved: &JsValue) -> Result<RawState, JsValue> {
        match ClientState::restore(Copied::of(saved).value()) {
            Some(state) => Ok(Self::of(state)),
            None => Err(fault("saved", "what toJSON gave")),
        }
    }

    /// The state as plain data.
    pub fn save(&self) -> JsValue {
        match self.state.try_borrow_mut() {
            Ok(mut state) => answer(&state.save()),
            Err(_) => JsValue::UNDEFINED,
        }
    }

    /// A message from the agent. `undefined` is an outcome in which nothing happened, a text one in which nothing
    /// is to be said but that this session changed, as is most often so.
    pub fn received(&self, message: &JsValue, at: f64) -> JsValue {
        let copied = Copied::of(message);
        let message = wire::read_message(copied.value());
        self.change(|state| state.receive(message, at))
    }

    /// A message to the agent.
    pub fn sent(&self, message: &JsValue, at: f64) -> JsValue {
        let copied = Copied::of(message);
        let message = wire::read_message(copied.value());
        self.change(|state| state.send(message, at))
    }

    /// A text from the agent that is no JSON.
    #[wasm_bindgen(js_name = receivedUnreadable)]
    pub fn received_unreadable(&self, at: f64) -> JsValue {
        self.change(|state| state.receive(wire::unreadable(), at))
    }

    /// A text to the agent that is no JSON.
    #[wasm_bindgen(js_name = sentUnreadable)]
    pub fn sent_unreadable(&self, at: f64) -> JsValue {
        self.change(|state| state.send(wire::unreadable(), at))
    }

    /// One typed event.
    pub fn apply(&self, event: &JsValue, at: f64) -> Result<JsValue, JsValue> {
        match wire::read_event(Copied::of(event).value()) {
            Ok(event) => Ok(self.change(|state| state.happened(event, at))),
            Err(bad) => Err(fault(bad.argument, bad.expected)),
        }
    }

    pub fn activity(&self, session_id: &str) -> JsValue {
        self.ask(session_id, |session| answer(&session.activity()))
    }

    #[wasm_bindgen(js_name = isQuiet)]
    pub fn is_quiet(&self, session_id: &str) -> bool {
        self.ask(session_id, |session| session.is_quiet())
    }

    #[wasm_bindgen(js_name = quietSince)]
    pub fn quiet_since(&self, session_id: &str) -> Option<f64> {
        self.ask(session_id, |session| session.quiet_since())
    }

    #[wasm_bindgen(js_name = isReleasable)]
    pub fn is_releasable(&self, session_id: &str, now: f64, grace_ms: f64) -> bool {
        self.ask(session_id, |session| session.is_releasable(now, grace_ms))
    }

    pub fn abandoned(&self, session_id: &str) -> JsValue {
        self.ask(session_id, |session| answer(&session.abandoned()))
    }

    #[wasm_bindgen(js_name = cancelPlan)]
    pub fn cancel_plan(&self, session_id: &str) -> JsValue {
        self.ask(session_id, |session| answer(&session.cancel_plan()))
    }

    #[wasm_bindgen(js_name = closePlan)]
    pub fn close_plan(&self, session_id: &str) -> JsValue {
        self.ask(session_id, |session| answer(&session.close_plan()))
    }

    #[wasm_bindgen(js_name = stopPlan)]
    pub fn stop_plan(&self, session_id: &str, target: &JsValue) -> Result<JsValue, JsValue> {
        match wire::read_stop_target(Copied::of(target).value()) {
            Some(target) => Ok(self.ask(session_id, |session| answer(&session.stop_plan(&target)))),
            None => Err(fault(
                "target",
                "an object with a toolCallId, a terminalId, a sessionId or an asyncTaskId",
            )),
        }
    }

    pub fn requests(&self, session_id: &str, deep: bool) -> JsValue {
        self.ask(session_id, |session| answer(&session.requests(deep)))
    }

    #[wasm_bindgen(js_name = toolCall)]
    pub fn tool_call(&self, session_id: &str, tool_call_id: &str) -> JsValue {
        self.ask(session_id, |session| {
            answer(&session.tool_call(tool_call_id))
        })
    }

    pub fn terminal(&self, session_id: &str, terminal_id: &str) -> JsValue {
        self.ask(session_id, |session| answer(&session.terminal(terminal_id)))
    }

    pub fn snapshot(&self, session_id: &str) -> JsValue {
        self.ask(session_id, |session| frozen(&session.snapshot()))
    }

    #[wasm_bindgen(js_name = sessionIds)]
    pub fn session_ids(&self) -> JsValue {
        self.look(|state| answer(&state.session_ids()))
    }
}
