//! `cargo xtask fuzz SECONDS`: each target of `fuzz/` for that long, with cargo-fuzz.

use std::process::Command;

use crate::{paths, process};

/// cargo-fuzz itself, compiled once unless it is installed.
const VERSION: &str = "0.13.2";

/// The targets, with how long an input may be: longer ones cost time and reach no further.
const TARGETS: [(&str, u32); 3] = [("message", 8192), ("saved", 4096), ("events", 1024)];

/// Seconds that one input may take, and megabytes that all may take: more of either is a finding.
const SLOWEST: &str = "-timeout=10";
const LARGEST: &str = "-rss_limit_mb=1024";

/// What one target did.
#[derive(Debug, Default, PartialEq)]
struct Run {
    executions: u64,
    /// Places in the code that were reached.
    coverage: u64,
    /// The file that holds the input which was found.
    found: Option<String>,
}

impl Run {
    /// Takes in one line of libFuzzer's.
    fn read(&mut self, line: &str) {
        if let Some(count) = line.strip_prefix("stat::number_of_executed_units:") {
            self.executions = count.trim().parse().unwrap_or(self.executions);
        } else if let Some((_, file)) = line.split_once("Test unit written to ") {
            self.found = Some(file.trim().to_owned());
        } else if let Some((_, rest)) = line.split_once(" cov: ") {
            let count = rest.split_whitespace().next();
            let count = count.and_then(|count| count.parse().ok());
            self.coverage = count.unwrap_or(self.coverage);
        }
    }
}

/// Writes the seeds and runs every target; `Ok(false)` when one found something.
pub(crate) fn fuzz(arguments: &[String]) -> Result<bool, String> {
    let seconds = seconds(arguments)?;
    has_compiler()?;
    let cargo_fuzz = cargo_fuzz()?;
    let corpus = paths::at("fuzz/corpus");
    let mut seeds = process::cargo();
    seeds.args(["test", "--package", "acp-client-state", "--test", "fuzz"]);
    seeds.env("FUZZ_CORPUS", &corpus);
    process::run("the seeds, from tests/traces and tests/vectors", seeds)?;

    let mut lines = Vec::new();
    let mut is_clean = true;
    for (target, longest) in TARGETS {
        let mut command = cargo_fuzz();
        command.args(["run", "--sanitizer", "none", target, "--"]);
        command.args([SLOWEST, LARGEST, "-print_final_stats=1"]);
        command.arg(format!("-max_len={longest}"));
        command.arg(format!("-max_total_time={seconds}"));
        let mut run = Run::default();
        let ended_well = process::watched(&format!("fuzz {target}"), command, |line| {
            run.read(line);
            // One line for each input that reaches something new is too much to read.
            !is_progress(line)
        })?;
        if !ended_well && run == Run::default() {
            return Err(format!("fuzz {target} did not start: see the lines above."));
        }
        is_clean &= ended_well;
        lines.push(summary(target, &run, ended_well));
    }
    for line in lines {
        println!("{line}");
    }
    Ok(is_clean)
}

fn seconds(arguments: &[String]) -> Result<u32, String> {
    let [seconds] = arguments else {
        return Err(
            "Say for how many seconds each target runs, as in: cargo xtask fuzz 60".to_owned(),
        );
    };
    match seconds.parse() {
        // For libFuzzer 0 is without end.
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!(
            "{seconds:?} is no number of seconds from 1 on, as in: cargo xtask fuzz 60"
        )),
    }
}

/// libFuzzer is C++, which its crate compiles.
fn has_compiler() -> Result<(), String> {
    let has_one = std::env::var_os("CXX").is_some() || paths::in_path("c++").is_some();
    if cfg!(unix) && !has_one {
        return Err(
            "Install a C++ compiler (Debian: apt install g++), then run this again.".into(),
        );
    }
    Ok(())
}

/// How to run cargo-fuzz in the repository, installed when it is missing.
fn cargo_fuzz() -> Result<impl Fn() -> Command, String> {
    let root = paths::scratch("cargo-fuzz");
    let name = format!("cargo-fuzz{}", std::env::consts::EXE_SUFFIX);
    let own = root.join("bin").join(name);
    if paths::in_path("cargo-fuzz").is_none() && !own.is_file() {
        let mut install = process::cargo();
        install
            .args(["install", "cargo-fuzz", "--locked", "--version", VERSION])
            .arg("--root")
            .arg(&root);
        process::run("cargo-fuzz (the first time about two minutes)", install)?;
    }
    let program = paths::in_path("cargo-fuzz").unwrap_or(own);
    Ok(move || process::command(&program))
}

/// Whether a line of libFuzzer's says only that it goes on.
fn is_progress(line: &str) -> bool {
    line.starts_with('#') && !line.contains("INITED") && !line.contains("DONE")
}

fn summary(target: &str, run: &Run, ended_well: bool) -> String {
    let Run {
        executions,
        coverage,
        found,
    } = run;
    let found = match (found, ended_well) {
        (Some(file), _) => format!("FOUND something: {file}"),
        (None, false) => "FAILED: see the lines above".to_owned(),
        (None, true) => "found nothing".to_owned(),
    };
    format!("{target}: {executions} executions, {coverage} places reached, {found}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_libfuzzer_says_is_read() {
        let mut run = Run::default();
        for line in [
            "#2\tINITED cov: 12 ft: 13 corp: 1/1b exec/s: 0 rss: 30Mb",
            "#512\tpulse  cov: 40 ft: 90 corp: 9/88b lim: 4 exec/s: 256 rss: 31Mb",
            "artifact_prefix='a/'; Test unit written to fuzz/artifacts/saved/crash-1",
            "stat::number_of_executed_units: 1024",
        ] {
            run.read(line);
        }
        let found = Some("fuzz/artifacts/saved/crash-1".to_owned());
        assert_eq!(
            run,
            Run {
                executions: 1024,
                coverage: 40,
                found: found.clone()
            }
        );
        assert_eq!(
            summary("saved", &run, false),
            "saved: 1024 executions, 40 places reached, FOUND something: fuzz/artifacts/saved/crash-1"
        );
    }

    #[test]
    fn seconds_are_a_number_from_1_on() {
        let given = |text: &str| seconds(&[text.to_owned()]);
        assert_eq!(given("60"), Ok(60));
        for wrong in ["", "0", "-1", "1.5", "ten"] {
            assert!(given(wrong).is_err_and(|why| why.contains("cargo xtask fuzz 60")));
        }
        assert!(seconds(&[]).is_err_and(|why| why.contains("how many seconds")));
    }
}
