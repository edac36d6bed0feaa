//! A compiler that knows wasm32-unknown-unknown.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{debian, paths, process};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// How to compile for wasm.
pub(crate) struct Toolchain {
    /// The compiler to use instead of cargo's own, when that one lacks the target.
    rustc: Option<PathBuf>,
}

impl Toolchain {
    /// The usual way first: the target is there, or rustup fetches it. Else Debian's compiler with a
    /// standard library that we build once.
    pub(crate) fn find() -> Result<Self, String> {
        if has_target() || (rustup_adds_target() && has_target()) {
            return Ok(Self { rustc: None });
        }
        eprintln!("  rustup has no standard library for {TARGET} here: trying Debian's");
        Ok(Self {
            rustc: Some(debian::wasm_rustc()?),
        })
    }

    /// `cargo SUBCOMMAND` for wasm, as the package is compiled: its binding, and no JSON.
    pub(crate) fn cargo(&self, subcommand: &str) -> Command {
        let mut cargo = process::cargo();
        cargo.args([
            subcommand,
            "--package",
            "acp-client-state",
            "--target",
            TARGET,
        ]);
        cargo.args(["--no-default-features", "--features", "wasm"]);
        // A folder of its own, so that two compilers do not take turns in the host's.
        cargo.arg("--target-dir").arg(paths::at("target/wasm"));
        cargo.env("CARGO_ENCODED_RUSTFLAGS", remap_flags().join("\u{1f}"));
        if let Some(rustc) = &self.rustc {
            cargo.env("RUSTC", rustc);
        }
        cargo
    }
}

/// Whether cargo's own compiler has a standard library for the target.
fn has_target() -> bool {
    let mut rustc = process::command("rustc");
    rustc.args(["--print", "target-libdir", "--target", TARGET]);
    process::output(rustc)
        .ok()
        .and_then(|folder| std::fs::read_dir(folder).ok())
        .is_some_and(|entries| {
            entries
                .flatten()
                .any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
        })
}

fn rustup_adds_target() -> bool {
    if paths::in_path("rustup").is_none() {
        return false;
    }
    let mut rustup = process::command("rustup");
    rustup.args(["target", "add", TARGET]);
    // Quietly: where it cannot, there is another way, and nothing has failed yet.
    eprintln!("▸ rustup target add {TARGET}");
    process::output(rustup).is_ok()
}

/// Panic locations carry the paths of sources: these flags keep this machine's out of the wasm.
fn remap_flags() -> Vec<String> {
    let mut flags = Vec::new();
    let mut remap =
        |from: &Path, to: &str| flags.push(format!("--remap-path-prefix={}={to}", from.display()));
    // The last flag that matches wins: the more particular ones come after the general.
    if let Some(home) = std::env::home_dir() {
        remap(&home, "/home");
    }
    for folder in private_folders() {
        remap(&folder, "/deps");
    }
    // One folder per registry, whose names differ between machines.
    let registries = private_folders()
        .first()
        .map(|cargo| cargo.join("registry/src"));
    for registry in registries
        .and_then(|folder| std::fs::read_dir(folder).ok())
        .into_iter()
        .flatten()
        .flatten()
    {
        remap(&registry.path(), "/deps");
    }
    remap(Path::new(debian::SOURCES), "/rustc");
    remap(&paths::root(), "/acp-client-state");
    flags
}

/// Cargo's and rustup's folders, wherever they are here.
fn private_folders() -> Vec<PathBuf> {
    let home = std::env::home_dir().unwrap_or_default();
    let folder = |name: &str, default: &str| {
        std::env::var_os(name).map_or_else(|| home.join(default), PathBuf::from)
    };
    vec![
        folder("CARGO_HOME", ".cargo"),
        folder("RUSTUP_HOME", ".rustup"),
    ]
}

/// The beginnings of paths that nothing we publish may contain.
pub(crate) fn machine_paths() -> Vec<String> {
    let mut folders = private_folders();
    folders.extend([paths::root(), std::env::temp_dir()]);
    folders.extend(std::env::home_dir());
    folders.push(Path::new(debian::SOURCES).into());
    let mut prefixes: Vec<String> = folders
        .iter()
        .map(|folder| format!("{}/", folder.display()))
        .collect();
    // A home folder may be `/`, which is in every path there is.
    prefixes.retain(|prefix| prefix.len() > 3);
    prefixes
}
