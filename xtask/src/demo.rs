//! `cargo xtask demo`.

use std::path::{Path, PathBuf};

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
    let trace = match (traces.next(), traces.next()) {
        (trace, None) => find(trace.map_or(TRACE, String::as_str))?,
        (_, Some(second)) => {
            return Err(format!("The demo replays one trace: what is {second} for?"));
        }
    };
    build::build()?;
    let mut node = npm::node(&paths::at("xtask/demo.mjs"));
    node.arg(&trace)
        .args(arguments.iter().filter(|argument| flag(argument)));
    let status = node
        .status()
        .map_err(|error| format!("Cannot run node: {error}."))?;
    Ok(status.success())
}

/// The file of a trace. A path is the caller's: relative to where they stand, and to the repository as the
/// default is. A name is that of a file in `tests/traces`, with or without its ending.
fn find(trace: &str) -> Result<PathBuf, String> {
    let own = Path::new(trace);
    let own = std::path::absolute(own).unwrap_or_else(|_| own.into());
    let named = paths::at("tests/traces").join(trace);
    let with_ending = paths::at("tests/traces").join(format!("{trace}.jsonl"));
    [own, paths::at(trace), named, with_ending]
        .into_iter()
        .find(|file| file.is_file())
        .ok_or_else(|| format!("There is no trace {trace}: give a path such as {TRACE}."))
}
