//! `cargo run --example replay -- TRACE`: replays a recorded session and prints a line for each moment at
//! which an answer changes: a shorter form of what `cargo xtask demo` prints, without the npm package.

use std::collections::HashMap;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use acp_client_state::{BackgroundReported, CallShown, ClientState, Options, Session, StopState};
use serde_json::Value;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(trace), None) = (arguments.next(), arguments.next()) else {
        eprintln!("Which trace? cargo run --example replay -- TRACE");
        return ExitCode::FAILURE;
    };
    let text = match std::fs::read_to_string(&trace) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("Cannot read the trace {trace}: {error}.");
            return ExitCode::FAILURE;
        }
    };
    let messages = match recorded(&text) {
        Ok(messages) => messages,
        Err(what) => {
            eprintln!("{trace} is no recorded session: {what}.");
            return ExitCode::FAILURE;
        }
    };
    match replay(&messages, &mut io::stdout().lock()) {
        // A reader that has seen enough (`| head`) closes the pipe.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("Cannot print: {error}.");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// One line of a trace.
struct Recorded {
    at: f64,
    is_received: bool,
    message: Value,
}

fn recorded(text: &str) -> Result<Vec<Recorded>, String> {
    let mut messages = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let wrong = |what: &str| format!("line {} {what}", index + 1);
        let record: Value = serde_json::from_str(line).map_err(|_| wrong("is not JSON"))?;
        let time = record.get("t").and_then(Value::as_f64);
        messages.push(Recorded {
            at: time.ok_or_else(|| wrong("has no time, a number t of milliseconds"))?,
            is_received: match text_at(&record, "/dir") {
                Some("recv") => true,
                Some("send") => false,
                _ => return Err(wrong(r#"has no direction, a dir of "recv" or "send""#)),
            },
            message: match record.get("msg") {
                Some(message) if message.is_object() => message.clone(),
                _ => return Err(wrong("has no message, an object msg")),
            },
        });
    }
    if messages.is_empty() {
        return Err("line 1 is missing, the file is empty".to_owned());
    }
    Ok(messages)
}

/// One line of the output. `session_id` is of a moment's first line: there the session has a name of its own when
/// there are several.
struct Line {
    start: String,
    session_id: Option<String>,
    text: String,
}

fn replay(messages: &[Recorded], out: &mut impl Write) -> io::Result<()> {
    let lines = lines(messages);
    let mut sessions: Vec<&str> = Vec::new();
    for id in lines.iter().filter_map(|line| line.session_id.as_deref()) {
        if !sessions.contains(&id) {
            sessions.push(id);
        }
    }
    writeln!(out, "{:>10}  {:<15}  what happened", "seconds", "activity")?;
    for line in &lines {
        let session = line.session_id.as_deref();
        let number = sessions.iter().position(|id| Some(*id) == session);
        let label = match number {
            Some(index) if sessions.len() > 1 => format!("[session {}] ", index + 1),
            _ => String::new(),
        };
        writeln!(out, "{}  {label}{}", line.start, line.text)?;
    }
    Ok(())
}

fn lines(messages: &[Recorded]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut state = ClientState::new(Options::default());
    let mut asked = HashMap::new();
    let mut shown = HashMap::new();
    let nothing = answers(&state.session("")); // of a session that nobody has heard of
    for recorded in messages {
        let Recorded { at, message, .. } = recorded;
        let outcome = if recorded.is_received {
            state.received(message, *at)
        } else {
            state.sent(message, *at)
        };
        let happened = describe(recorded, &state, &mut asked);
        for problem in &outcome.problems {
            let seconds = at / 1000.0;
            let (code, what) = (&problem.code, &problem.message);
            lines.push(Line {
                start: format!("{seconds:>10.3}  {:<15}", "problem"),
                session_id: None,
                text: format!("{code}: {what}"),
            });
        }
        for session_id in outcome.changed {
            let session = state.session(&session_id);
            let activity = word(&session.activity());
            let answers = answers(&session);
            let now = (activity, answers, calls(&session));
            let before = shown.get(&session_id);
            if before == Some(&now) {
                continue;
            }
            let (seconds, activity) = (at / 1000.0, &now.0);
            lines.push(Line {
                start: format!("{seconds:>10.3}  {activity:<15}"),
                session_id: Some(session_id.clone()),
                text: happened.clone(),
            });
            let old = before.map_or(&nothing, |(_, answers, _)| answers);
            for ((what, answer), (_, old)) in now.1.iter().zip(old) {
                if answer != old {
                    lines.push(Line {
                        start: format!("{what:>27}"),
                        session_id: None,
                        text: answer.clone(),
                    });
                }
            }
            shown.insert(session_id, now);
        }
    }
    lines
}

/// The answers that stand below a moment, when they are not what they were.
fn answers(session: &Session<'_>) -> [(&'static str, String); 4] {
    let snapshot = session.snapshot();
    let mut background = Vec::new();
    for item in &snapshot.background {
        let title = short(item.title.as_ref().unwrap_or(&item.id));
        let (kind, status) = (spaced(&item.kind), word(&item.status));
        let stop = match item.stop {
            StopState::None => String::new(),
            StopState::Requested | StopState::Accepted => format!(", stop {}", word(&item.stop)),
        };
        background.push(format!("{kind} “{title}” {status}{stop}"));
    }
    match snapshot.background_reported {
        BackgroundReported::Listed => {}
        BackgroundReported::Never => background.push("not reported by the agent".to_owned()),
        BackgroundReported::Lost => background.push("not reported any more".to_owned()),
    }
    let abandoned = session.abandoned();
    let abandoned = abandoned.tool_calls.iter().chain(&abandoned.terminals);
    let mut pending = Vec::new();
    for request in session.requests(false) {
        let (kind, id) = (word(&request.kind), word(&request.request_id));
        let due = if request.answer_due {
            ", answer cancelled now"
        } else {
            ""
        };
        pending.push(format!("{kind} request {id}{due}"));
    }
    let plan = session.close_plan();
    let closing = match plan.warning {
        Some(warning) => warning,
        None if plan.certain => "stops nothing that needs a warning".to_owned(),
        None => "no warning, but the plan is not certain".to_owned(),
    };
    let or = |items: Vec<String>, none: &str| match items.as_slice() {
        [] => none.to_owned(),
        items => items.join(", "),
    };
    let abandoned = abandoned.map(|id| short(id)).collect();
    [
        ("background", or(background, "nothing")),
        ("abandoned", or(abandoned, "nothing")),
        ("pending", or(pending, "no request")),
        ("closing", closing),
    ]
}

/// How the unfinished calls are shown: a moment in itself, told by what happened.
fn calls(session: &Session<'_>) -> Vec<(String, Option<String>, CallShown)> {
    let calls = session.snapshot().unfinished_tool_calls.into_iter();
    calls
        .map(|call| (call.tool_call_id, call.title, call.shown))
        .collect()
}

/// A message in words. `asked` remembers the requests, to name them when they are answered.
fn describe(
    recorded: &Recorded,
    state: &ClientState,
    asked: &mut HashMap<(bool, String), String>,
) -> String {
    let Recorded {
        is_received,
        message,
        ..
    } = recorded;
    let who = if *is_received { "agent" } else { "client" };
    let id = message.get("id").map(Value::to_string);
    let Some(method) = text_at(message, "/method") else {
        let request = id.and_then(|id| asked.remove(&(!is_received, id)));
        let request = request.unwrap_or_else(|| "an unknown request".to_owned());
        let verb = if message.get("error").is_some() {
            "refuses"
        } else {
            "answers"
        };
        return format!("{who}: {verb} {request}");
    };
    if let Some(id) = id {
        asked.insert((*is_received, id), method.to_owned());
    }
    if method != "session/update" {
        return format!("{who}: {}", short(method));
    }
    let at = |pointer| text_at(message, pointer);
    let kind = at("/params/update/sessionUpdate").unwrap_or("an update without a kind");
    let session = state.session(at("/params/sessionId").unwrap_or_default());
    let status = at("/params/update/status").map(|status| format!(" is {}", spaced(status)));
    let what = match kind {
        "state_update" => format!("state is {}", at("/params/update/state").unwrap_or("?")),
        "tool_call" | "tool_call_update" => {
            let id = at("/params/update/toolCallId").unwrap_or("?");
            let title = session.tool_call(id).and_then(|call| call.title);
            let title = short(&title.unwrap_or_else(|| id.to_owned()));
            let status = status.unwrap_or_else(|| " is updated".to_owned());
            format!("tool call “{title}”{status}")
        }
        "terminal_update" => {
            let id = at("/params/update/terminalId").unwrap_or("?");
            let command = session.terminal(id).and_then(|terminal| terminal.command);
            let command = short(&command.unwrap_or_else(|| id.to_owned()));
            let has_exited = message
                .pointer("/params/update/exitStatus")
                .is_some_and(Value::is_object);
            let verb = if has_exited { "exited" } else { "is updated" };
            format!("terminal “{command}” {verb}")
        }
        other => spaced(other.trim_start_matches('_')),
    };
    format!("{who}: {what}")
}

fn text_at<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str)
}

/// An answer's name on the wire.
fn word(answer: &impl serde::Serialize) -> String {
    match serde_json::to_value(answer) {
        Ok(Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(_) => "?".to_owned(),
    }
}

fn spaced(name: &str) -> String {
    short(&name.replace('_', " "))
}

/// One line of plain text. Agents write titles: no control character gets through.
fn short(text: &str) -> String {
    let line = text.replace(|character: char| character.is_control(), " ");
    let words: Vec<&str> = line.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= 60 {
        return line;
    }
    line.chars().take(59).chain(['…']).collect()
}
