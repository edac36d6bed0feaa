//! What Debian's packages give when nothing else does.

use std::path::{Path, PathBuf};

use crate::{paths, process};

/// Where `rust-web-src` puts the sources of the standard library.
pub(crate) const SOURCES: &str = "/usr/lib/rustlib/src/rust";

const RUSTC: &str = "/usr/bin/rustc";

/// Debian's compiler with a standard library for wasm, which is built once and kept under `target/`.
pub(crate) fn wasm_rustc() -> Result<PathBuf, String> {
    let sources = Path::new(SOURCES).join("library/std");
    if !Path::new(RUSTC).exists() || !sources.exists() {
        install(&["rustc-web", "rust-web-src"]).map_err(|_| {
            "No standard library for wasm32-unknown-unknown: run `rustup target add wasm32-unknown-unknown` \
             where rustup has a network, or as root on Debian `apt-get install rustc-web rust-web-src`."
        })?;
    }
    let mut version = process::command(RUSTC);
    version.arg("-V");
    // The package moves with security updates: another compiler or another script is another library.
    let key = format!(
        "{}\n{}",
        process::output(version)?,
        paths::read(&paths::at("xtask/mk-sysroot.sh"))?
    );
    let folder = paths::at("target/sysroot");
    let stamp = folder.join("key");
    if std::fs::read_to_string(&stamp).is_ok_and(|built| built == key) {
        return Ok(folder.join("bin/rustc"));
    }
    let mut script = process::command("bash");
    script.arg(paths::at("xtask/mk-sysroot.sh")).arg(&folder);
    process::run(
        "the standard library for wasm, from Debian's sources (once, about a minute)",
        script,
    )?;
    // cargo tells compilers apart by their version and cannot see that the library under one has changed.
    paths::empty_folder(&paths::at("target/wasm"))?;
    paths::write(&stamp, key)?;
    Ok(folder.join("bin/rustc"))
}

/// Installs packages, where there is an apt and we may.
pub(crate) fn install(packages: &[&str]) -> Result<(), String> {
    let list = packages.join(" ");
    if paths::in_path("apt-get").is_none() || !is_root() {
        return Err(format!("Missing: {list}."));
    }
    let apt = |arguments: &[&str]| {
        let mut apt = process::command("apt-get");
        apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        apt
    };
    process::run("apt-get update", apt(&["update", "-qq"]))?;
    let mut install = apt(&["install", "-y", "-qq", "--no-install-recommends"]);
    install.args(packages);
    process::run(&format!("apt-get install {list}"), install)
}

fn is_root() -> bool {
    let mut id = process::command("id");
    id.arg("-u");
    process::output(id).is_ok_and(|user| user == "0")
}
