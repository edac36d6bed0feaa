//! `cargo xtask`: builds, tests and demonstrates the npm package.

mod bench;
mod browser;
mod build;
mod debian;
mod demo;
mod fuzz;
mod npm;
mod package;
mod paths;
mod process;
mod tally;
mod test;
mod toolchain;
mod tools;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask build                   the npm package, into pkg/
cargo xtask test                    every check there is
cargo xtask demo [TRACE] [--json]   replays a recorded session through the built package in Node
cargo xtask bench [--write]         measures, and writes the numbers into the README
cargo xtask fuzz SECONDS            each fuzz target for that long, from the recorded sessions";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let rest: Vec<String> = arguments.collect();
    let result = match (command.as_deref(), rest.as_slice()) {
        (Some("build"), []) => build::build().map(|_| true),
        (Some("test"), []) => test::test(),
        (Some("demo"), _) => demo::demo(&rest),
        (Some("bench"), []) => bench::bench(false),
        (Some("bench"), [flag]) if flag == "--write" => bench::bench(true),
        (Some("fuzz"), _) => fuzz::fuzz(&rest),
        _ => Err(format!("Usage:\n{USAGE}")),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}
