//! Running other programs, with progress on standard error: standard output is for results.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::paths;
use crate::tally::Tally;

/// How long a step may be silent before a line says that it is still at work.
const SILENCE: Duration = Duration::from_secs(15);

/// A program, run from the repository and free of what cargo set for its own children.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(paths::root());
    // A caller's compiler and flags are for that caller: ours come from `toolchain`, host tools need none.
    for name in [
        "RUSTC",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_BUILD_TARGET",
        "CARGO_TARGET_DIR",
    ] {
        command.env_remove(name);
    }
    command
}

/// cargo, as the toolchain that runs us.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a step and fails when the program does.
pub(crate) fn run(label: &str, command: Command) -> Result<(), String> {
    let tally = counted(label, command)?;
    if tally.succeeded {
        Ok(())
    } else {
        Err(format!("{label} failed: see the lines above."))
    }
}

/// Runs a step, passes its output on and counts the tests that it reports.
pub(crate) fn counted(label: &str, command: Command) -> Result<Tally, String> {
    let mut tally = Tally::default();
    tally.succeeded = watched(label, command, |line| {
        tally.read(line);
        true
    })?;
    Ok(tally)
}

/// Runs a step and gives each line of its output to `watch`, which says whether to pass it on; whether
/// the program ended well.
pub(crate) fn watched(
    label: &str,
    mut command: Command,
    mut watch: impl FnMut(&str) -> bool,
) -> Result<bool, String> {
    let started = Instant::now();
    eprintln!("▸ {label}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_run(&command, &error))?;
    let (lines, received) = channel();
    let mut readers = Vec::new();
    let pipes: [Option<Box<dyn Read + Send>>; 2] = [
        child
            .stdout
            .take()
            .map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        child
            .stderr
            .take()
            .map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
    ];
    for pipe in pipes.into_iter().flatten() {
        let lines = lines.clone();
        readers.push(thread::spawn(move || {
            for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
                if lines
                    .send(String::from_utf8_lossy(&line).into_owned())
                    .is_err()
                {
                    return;
                }
            }
        }));
    }
    drop(lines);

    loop {
        match received.recv_timeout(SILENCE) {
            Ok(line) => {
                if watch(&line) {
                    eprintln!("    {line}");
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                eprintln!("  … {label}, {} s", started.elapsed().as_secs())
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    for reader in readers {
        reader.join().unwrap_or_default();
    }
    let status = child.wait().map_err(|error| cannot_run(&command, &error))?;
    let word = if status.success() { "done" } else { "FAILED" };
    eprintln!(
        "  {word}: {label}, {:.1} s",
        started.elapsed().as_secs_f64()
    );
    Ok(status.success())
}

/// What a program prints, without its line end; an error when it fails.
pub(crate) fn output(mut command: Command) -> Result<String, String> {
    let output = command
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| cannot_run(&command, &error))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned())
    } else {
        let said = String::from_utf8_lossy(&output.stderr)
            .trim_end()
            .to_owned();
        Err(format!(
            "{} failed: {said}",
            command.get_program().to_string_lossy()
        ))
    }
}

fn cannot_run(command: &Command, error: &std::io::Error) -> String {
    format!(
        "Cannot run {}: {error}.",
        command.get_program().to_string_lossy()
    )
}
