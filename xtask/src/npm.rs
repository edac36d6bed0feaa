//! Node and the tools from npm, as `js-tests/package-lock.json` has them.

use std::path::Path;
use std::process::Command;

use crate::{paths, process};

const OLDEST_NODE: u32 = 20;
const MISSING: &str =
    "Install Node 20 or newer with npm (https://nodejs.org), then run this again.";

/// Makes sure of Node and installs the locked tools, once for each lock file.
pub(crate) fn install() -> Result<(), String> {
    let mut version = process::command("node");
    version.arg("--version");
    let version = process::output(version).map_err(|_| MISSING)?;
    let major = version
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|major| major.parse::<u32>().ok());
    if major.is_none_or(|major| major < OLDEST_NODE) || paths::in_path("npm").is_none() {
        return Err(MISSING.to_owned());
    }
    let lock = paths::read(&paths::at("js-tests/package-lock.json"))?;
    let stamp = paths::at("js-tests/node_modules/.installed-lock");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let mut npm = npm(&paths::at("js-tests"));
    npm.args(["ci", "--no-audit", "--no-fund"]);
    process::run("npm ci in js-tests (about 600 MB the first time)", npm)?;
    paths::write(&stamp, lock)
}

/// npm in a folder.
pub(crate) fn npm(folder: &Path) -> Command {
    let mut npm = process::command("npm");
    npm.current_dir(folder);
    npm
}

/// A script for Node, from the repository.
pub(crate) fn node(script: &Path) -> Command {
    let mut node = process::command("node");
    node.arg(script);
    node
}

/// One of the installed tools.
pub(crate) fn tool(name: &str) -> Command {
    process::command(paths::at("js-tests/node_modules/.bin").join(name))
}
