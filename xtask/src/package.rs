//! The published folder and its tarball.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{npm, paths, process, toolchain};

/// Files that the package takes from the repository as they are.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Puts `pkg/` together from the built files.
pub(crate) fn assemble(dist: &Path) -> Result<PathBuf, String> {
    let package = paths::at("pkg");
    paths::empty_folder(&package)?;
    for file in paths::files(dist)? {
        names_no_machine_path(&file)?;
        if let Ok(name) = file.strip_prefix(dist) {
            paths::copy(&file, &package.join("dist").join(name))?;
        }
    }
    for document in DOCUMENTS {
        paths::copy(&paths::at(document), &package.join(document))?;
    }
    let mut manifest = json(&paths::read(&paths::at("pkg-template/package.json"))?)?;
    if let Some(fields) = manifest.as_object_mut() {
        fields.insert("version".to_owned(), version()?.into());
    }
    paths::write(&package.join("package.json"), format!("{manifest:#}\n"))?;
    Ok(package)
}

/// Packs the folder as npm would publish it.
pub(crate) fn pack(package: &Path) -> Result<PathBuf, String> {
    let folder = paths::scratch("tarball");
    paths::empty_folder(&folder)?;
    let mut npm = npm::npm(package);
    npm.args(["pack", "--loglevel=warn", "--pack-destination"])
        .arg(&folder);
    process::run("npm pack", npm)?;
    match paths::files(&folder)?.as_slice() {
        [tarball] => Ok(tarball.clone()),
        _ => Err(format!(
            "npm pack left no single file in {}.",
            folder.display()
        )),
    }
}

/// Installs the tarball beside the locked tools of a folder, whose manifest and lock stay as they are.
pub(crate) fn install(tarball: &Path, folder: &Path) -> Result<(), String> {
    // What is there has the same version and other content: npm would keep it.
    paths::empty_folder(&folder.join("node_modules/acp-client-state"))?;
    let mut npm = npm::npm(folder);
    npm.args([
        "install",
        "--no-save",
        "--offline",
        "--no-audit",
        "--no-fund",
        "--silent",
    ])
    .arg(tarball);
    process::run("npm install of the tarball in js-tests", npm)
}

/// The crate's version, which is the package's.
fn version() -> Result<String, String> {
    let mut cargo = process::cargo();
    cargo.args(["metadata", "--no-deps", "--format-version", "1"]);
    let metadata = json(&process::output(cargo)?)?;
    let packages = metadata.get("packages").and_then(Value::as_array);
    let ours = packages.and_then(|all| {
        all.iter()
            .find(|one| one.get("name") == Some(&"acp-client-state".into()))
    });
    let version = ours
        .and_then(|one| one.get("version"))
        .and_then(Value::as_str);
    version
        .map(str::to_owned)
        .ok_or_else(|| "cargo metadata names no version of acp-client-state.".to_owned())
}

/// Panic locations and source maps like to carry paths of the machine that built them.
fn names_no_machine_path(file: &Path) -> Result<(), String> {
    let bytes = paths::read_bytes(file)?;
    for path in toolchain::machine_paths() {
        if bytes
            .windows(path.len())
            .any(|window| window == path.as_bytes())
        {
            return Err(format!(
                "{} contains a path of this machine: {path}",
                file.display()
            ));
        }
    }
    Ok(())
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("Not JSON: {error}."))
}
