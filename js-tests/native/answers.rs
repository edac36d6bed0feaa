//! The crate natively, for `js-tests/native.test.mjs`: steps come in as lines of JSON, and for each goes out a line with
//! what it came to. Run as `answers text` or `answers value`: whether messages are handed over as JSON text or parsed.
//!
//! ```text
//! ["new"]                          a new state
//! ["received", at, text, plain]    a message as text, and as text that a `serde_json::Value` can hold, or null
//! ["sent", at, text, plain]
//! ["apply", at, event]
//! ["state"]                        what is saved
//! ["ask", names]                   every answer, about sessions, calls, terminals and tasks of these names
//! ```

use std::io::{self, BufRead, BufWriter, Write};
use std::process::ExitCode;

use acp_client_state::{ClientState, Event, Options, Session, StopTarget};
use serde::Serialize;
use serde_json::{Value, json};

fn main() -> ExitCode {
    let as_text = match std::env::args().nth(1).as_deref() {
        Some("text") => true,
        Some("value") => false,
        _ => {
            eprintln!("Usage: answers text|value");
            return ExitCode::FAILURE;
        }
    };
    match answer_all(as_text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn answer_all(as_text: bool) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut state = ClientState::new(Options::default());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answer = take(&mut state, &line, as_text).ok_or_else(|| {
            let what = format!("This is no step: {line}");
            io::Error::new(io::ErrorKind::InvalidData, what)
        })?;
        serde_json::to_writer(&mut out, &answer)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Takes one step; `None` when it is none.
fn take(state: &mut ClientState, line: &str, as_text: bool) -> Option<Value> {
    let step: Value = serde_json::from_str(line).ok()?;
    let at = || step.get(1)?.as_f64();
    let kind = step.get(0)?.as_str()?;
    Some(match kind {
        "new" => {
            *state = ClientState::new(Options::default());
            Value::Null
        }
        "received" | "sent" => {
            let text = step.get(2)?.as_str()?;
            let plain = step.get(3)?.as_str().filter(|_| !as_text);
            // What no `Value` holds is text in both runs, so that both go on from the same state.
            let value: Option<Value> = plain.and_then(|plain| serde_json::from_str(plain).ok());
            json(&match (value, kind) {
                (Some(value), "sent") => state.sent(&value, at()?),
                (Some(value), _) => state.received(&value, at()?),
                (None, "sent") => state.sent(text, at()?),
                (None, _) => state.received(text, at()?),
            })
        }
        "apply" => match serde_json::from_value::<Event>(step.get(2)?.clone()) {
            Ok(event) => json(&state.apply(event, at()?)),
            Err(error) => json!({ "refused": error.to_string() }),
        },
        "state" => json(state),
        "ask" => {
            let names: Vec<&str> = step
                .get(1)?
                .as_array()?
                .iter()
                .flat_map(Value::as_str)
                .collect();
            let sessions = names.iter().map(|id| answers(&state.session(id), &names));
            json!({ "sessionIds": state.session_ids(), "sessions": sessions.collect::<Vec<_>>() })
        }
        _ => return None,
    })
}

fn answers(session: &Session<'_>, names: &[&str]) -> Value {
    let all = |answer: &dyn Fn(String) -> Value| -> Value {
        names
            .iter()
            .map(|name| answer((*name).to_owned()))
            .collect()
    };
    let plan = |target: StopTarget| json(&session.stop_plan(&target));
    json!({
        "activity": json(&session.activity()),
        "isQuiet": session.is_quiet(),
        "quietSince": session.quiet_since(),
        "isReleasable": session.is_releasable(2e12, 1e3),
        "abandoned": json(&session.abandoned()),
        "cancelPlan": json(&session.cancel_plan()),
        "closePlan": json(&session.close_plan()),
        "requests": json(&session.requests(false)),
        "deepRequests": json(&session.requests(true)),
        "snapshot": json(&session.snapshot()),
        "toolCalls": all(&|id| json(&session.tool_call(&id))),
        "terminals": all(&|id| json(&session.terminal(&id))),
        "callStops": all(&|tool_call_id| plan(StopTarget::ToolCall { tool_call_id })),
        "terminalStops": all(&|terminal_id| plan(StopTarget::Terminal { terminal_id })),
        "sessionStops": all(&|session_id| plan(StopTarget::Session { session_id })),
        "taskStops": all(&|async_task_id| plan(StopTarget::Task { async_task_id })),
    })
}

/// An answer as the JSON of the package. None of them fails to be written.
fn json(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).unwrap_or_else(|error| json!({ "unwritable": error.to_string() }))
}
