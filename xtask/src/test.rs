//! `cargo xtask test`: every check there is. A failing one does not keep the others from running.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::browser::Browser;
use crate::build::{self, Built};
use crate::tally::Tally;
use crate::{package, paths, process};

/// How much the wasm may weigh, in bytes after gzip. The README repeats it.
const WASM_BUDGET: usize = 75_500;

/// The sum of all steps.
#[derive(Default)]
struct Report {
    passed: u64,
    left_out: u64,
    failed: u64,
    complaints: Vec<String>,
}

impl Report {
    /// A check that passes or fails as a whole.
    fn check(&mut self, label: &str, result: Result<(), String>) {
        match result {
            Ok(()) => self.passed += 1,
            Err(sentence) => self.fail(1, format!("{label}: {sentence}")),
        }
    }

    fn command(&mut self, label: &str, command: Command) {
        let result = process::run(label, command);
        self.check(label, result);
    }

    /// A program that counts its tests. One that ran none has failed: nothing is skipped in silence.
    fn tests(&mut self, label: &str, command: Command) {
        let tally = match process::counted(label, command) {
            Ok(tally) => tally,
            Err(sentence) => return self.fail(1, format!("{label}: {sentence}")),
        };
        let Tally {
            passed,
            failed,
            left_out,
            succeeded,
        } = tally;
        self.passed += passed;
        self.left_out += left_out;
        if failed > 0 {
            self.fail(failed, format!("{label}: {failed} failed"));
        } else if !succeeded {
            self.fail(1, format!("{label}: ended with an error"));
        } else if passed == 0 {
            self.fail(1, format!("{label}: ran no test"));
        }
    }

    fn fail(&mut self, count: u64, complaint: String) {
        self.failed += count;
        self.complaints.push(complaint);
    }
}

/// Runs everything; `Ok(false)` when something failed.
pub(crate) fn test() -> Result<bool, String> {
    let started = Instant::now();
    let browser = Browser::find()?;
    let mut report = Report::default();
    rust(&mut report);
    match build::build() {
        Ok(built) => {
            let weight = built.wasm_gzip;
            report.check("the package", Ok(()));
            report.check("the wasm's size", within_budget(weight));
            report.check("the wasm's size in the README", in_readme(weight));
            wasm(&mut report, &built, &browser)?;
            match package::pack(&built.package) {
                Ok(tarball) => javascript(&mut report, &tarball, &browser)?,
                Err(sentence) => report.fail(
                    1,
                    format!("the tarball (its tests did not run): {sentence}"),
                ),
            }
            println!("wasm: {weight} bytes gzip of {WASM_BUDGET}");
        }
        Err(sentence) => report.fail(
            1,
            format!("the package (its tests did not run): {sentence}"),
        ),
    }

    for complaint in &report.complaints {
        println!("FAILED {complaint}");
    }
    if report.left_out > 0 {
        println!("{} tests are marked to be left out", report.left_out);
    }
    println!("{} s", started.elapsed().as_secs());
    println!("{} passed, {} failed", report.passed, report.failed);
    Ok(report.failed == 0)
}

fn within_budget(gzip: usize) -> Result<(), String> {
    if gzip <= WASM_BUDGET {
        Ok(())
    } else {
        Err(format!(
            "{gzip} bytes gzip are more than the budget of {WASM_BUDGET}."
        ))
    }
}

/// Whether the README says how much the wasm weighs.
fn in_readme(gzip: usize) -> Result<(), String> {
    let claim = format!("{} kB after gzip", gzip.div_ceil(1000));
    if paths::read(&paths::at("README.md"))?.contains(&claim) {
        Ok(())
    } else {
        Err(format!("it should say \"{claim}\"."))
    }
}

/// Format, lints, tests and documentation of the crates, on the host.
fn rust(report: &mut Report) {
    let cargo = |arguments: &[&str]| {
        let mut cargo = process::cargo();
        cargo.args(arguments);
        cargo
    };
    report.command("cargo fmt", cargo(&["fmt", "--all", "--check"]));
    let fuzz = ["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"];
    report.command("cargo fmt, fuzz", cargo(&fuzz));
    for (label, features) in [
        ("all features", "--all-features"),
        ("no features", "--no-default-features"),
    ] {
        let lint = cargo(&["clippy", "--all-targets", features, "--", "-D", "warnings"]);
        report.command(&format!("cargo clippy, {label}"), lint);
    }
    report.tests("cargo test", cargo(&["test", "--all-features"]));
    let mut doc = cargo(&["doc", "--no-deps", "--package", "acp-client-state"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    report.command("cargo doc", doc);
}

/// The test files that run in wasm too.
const WASM_TESTS: [&str; 1] = ["corpus"];

/// Vectors and recorded sessions, compiled to wasm, in Node and in Chromium.
fn wasm(report: &mut Report, built: &Built, browser: &Browser) -> Result<(), String> {
    let command = || {
        let mut cargo = built.toolchain.cargo("test");
        // The corpus is JSON.
        cargo.args(["--features", "json"]);
        for name in WASM_TESTS {
            cargo.args(["--test", name]);
        }
        cargo.env(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
            &built.tools.test_runner,
        );
        cargo
    };
    report.tests("wasm tests in Node", command());
    let mut in_browser = command();
    browser.drive(&mut in_browser)?;
    report.tests("wasm tests in Chromium", in_browser);
    Ok(())
}

/// The files `js-tests/**/*.test.mjs`, against the packed tarball.
fn javascript(report: &mut Report, tarball: &Path, browser: &Browser) -> Result<(), String> {
    package::install(tarball, &paths::at("js-tests"))?;
    let hosts = paths::scratch("hosts");
    paths::empty_folder(&hosts)?;
    let answers = native_answers()?;
    for file in test_files()? {
        let name = file
            .strip_prefix(paths::root())
            .unwrap_or(&file)
            .display()
            .to_string();
        let mut node = process::command("node");
        // The spec reporter is the one whose counts `tally` reads.
        node.args(["--expose-gc", "--test-reporter=spec"])
            .arg(&file);
        node.env("PACKAGE_TARBALL", tarball)
            .env("HOSTS_FOLDER", &hosts)
            .env("CHROMIUM", &browser.chromium)
            .env("NATIVE_ANSWERS", &answers);
        report.tests(&name, node);
    }
    Ok(())
}

/// The program that answers what the package is asked, natively. `cargo test` has compiled it already.
fn native_answers() -> Result<PathBuf, String> {
    let mut cargo = process::cargo();
    cargo.args(["build", "--all-features", "--profile", "test"]);
    cargo
        .args(["--example", "answers", "--target-dir"])
        .arg(paths::at("target"));
    process::run("the crate natively, for comparison", cargo)?;
    let file = format!("answers{}", std::env::consts::EXE_SUFFIX);
    Ok(paths::at("target/debug/examples").join(file))
}

fn test_files() -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for entry in paths::entries(&paths::at("js-tests"))? {
        if entry.ends_with("node_modules") {
            continue;
        }
        found.extend(if entry.is_dir() {
            paths::files(&entry)?
        } else {
            vec![entry]
        });
    }
    found.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    if found.is_empty() {
        Err("There are no files js-tests/**/*.test.mjs.".to_owned())
    } else {
        Ok(found)
    }
}
