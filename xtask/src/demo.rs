//! `cargo xtask demo`.

use std::path::Path;

use crate::{build, npm, paths};

const TRACE: &str = "tests/traces/claude-agent-acp/02-background-shell-exits.jsonl";

/// Builds the package and hands the arguments to the script that replays a session through it; `Ok(false)` when
/// the script failed and has said why.
pub(crate) fn demo(arguments: &[String]) -> Result<bool, String> {
    let flag = |argument: &String| argument.starts_with("--");
    if let Some(unknown) = arguments
        .iter()
        .find(|argument| flag(argument) && *argument != "--json")
    {
        return Err(format!(
            "The demo does not know {unknown}: cargo xtask demo [TRACE] [--json]"
        ));
    }
    let mut traces = arguments.iter().filter(|argument| !flag(argument));
    // A path is the caller's: relative to where they stand, and to the repository as the default is.
    let trace = match (traces.next(), traces.next()) {
        (None, _) => paths::at(TRACE),
        (Some(trace), None) if Path::new(trace).exists() => {
            std::path::absolute(trace).unwrap_or_else(|_| trace.into())
        }
        (Some(trace), None) => paths::at(trace),
        (Some(_), Some(second)) => {
            return Err(format!("The demo replays one trace: what is {second} for?"));
        }
    };
    if !trace.is_file() {
        return Err(format!("There is no trace {}.", trace.display()));
    }
    build::build()?;
    let mut node = npm::node(&paths::at("xtask/demo.mjs"));
    node.arg(&trace)
        .args(arguments.iter().filter(|argument| flag(argument)));
    let status = node
        .status()
        .map_err(|error| format!("Cannot run node: {error}."))?;
    Ok(status.success())
}
