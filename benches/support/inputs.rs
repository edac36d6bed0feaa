//! What is measured with, the same as in inputs.mjs.

use include_dir::{Dir, include_dir};

static TRACES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/tests/traces");

/// How many lines each input has: enough that no cache holds but the one of the moment, and each changes something.
const LINES: usize = 64;

const SESSION: &str = "0199b2f4-7c1e-7a52-9d3f-5b8e6a1c2d30";

/// A message of each kind, as lines to be handed in over and over: each changes what the one before it said.
pub(crate) fn inputs() -> Vec<(&'static str, Vec<String>)> {
    let mut messages = include_str!("../messages.jsonl").lines();
    let mut next = || messages.next().unwrap_or_default();
    let (chunk, call, state) = (next(), next(), next());
    let long = "The build goes on. ".repeat(8000 / 19);
    let state = (0..LINES).map(|n| match n % 2 {
        0 => state.into(),
        _ => state.replace("running", "idle"),
    });
    vec![
        ("message chunk", vec![chunk.into(); LINES]),
        ("tool call update", calls(call)),
        (
            "tool call update, 8 kB",
            calls(&call.replace("\"text\":\"", &format!("\"text\":\"{long}"))),
        ),
        ("state update", state.collect()),
    ]
}

fn calls(line: &str) -> Vec<String> {
    let half = LINES / 2;
    let call = |n| {
        let status = if n < half { "in_progress" } else { "pending" };
        line.replace("Kx00", &format!("Kx{:02}", n % half))
            .replace("in_progress", status)
    };
    (0..LINES).map(call).collect()
}

/// A `session/update` of the session's.
pub(crate) fn update(fields: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"{SESSION}","update":{{{fields}}}}}}}"#
    )
}

/// What the agent said before: the session runs, and what the state update lists is known.
pub(crate) fn before() -> Vec<String> {
    [
        r#""sessionUpdate":"state_update","state":"running","background":[]"#,
        r#""sessionUpdate":"terminal_update","terminalId":"term_01Kx00","command":"npm run build""#,
        r#""sessionUpdate":"tool_call_update","toolCallId":"toolu_01Kx01","status":"in_progress""#,
        r#""sessionUpdate":"subagent_update","sessionId":"0199b2f4-8a11-7d03-b6c4-2f9d7e5a1b08","title":"Review""#,
    ]
    .map(update)
    .into()
}

/// The message that a call has finished; its id has 12 characters.
pub(crate) fn finished(n: usize) -> String {
    update(&format!(
        r#""sessionUpdate":"tool_call_update","toolCallId":"call{n:08}","status":"completed""#
    ))
}

/// Every recorded session, its lines with whether the agent sent them.
pub(crate) fn sessions() -> Vec<Vec<(bool, String)>> {
    let files = TRACES.dirs().flat_map(Dir::files);
    let traces = files.filter(|file| !file.path().to_string_lossy().ends_with(".expected.jsonl"));
    let lines = traces.map(|file| file.contents_utf8().unwrap_or_default().lines());
    lines
        .map(|lines| lines.filter_map(message).collect())
        .collect()
}

fn message(line: &str) -> Option<(bool, String)> {
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    Some((line.get("dir")? == "recv", line.get("msg")?.to_string()))
}
