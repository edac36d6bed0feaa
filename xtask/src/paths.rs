//! Where things are.

use std::path::{Path, PathBuf};

/// The repository.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// A path in the repository.
pub(crate) fn at(relative: &str) -> PathBuf {
    root().join(relative)
}

/// A path in xtask's own folder under `target/`.
pub(crate) fn scratch(relative: &str) -> PathBuf {
    at("target/xtask").join(relative)
}

/// The file `name` (with the system's suffix of executables) in one of the folders of `PATH`.
pub(crate) fn in_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(&file))
        .find(|candidate| candidate.is_file())
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("Cannot read {}: {error}.", path.display()))
}

/// The bytes of a file.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("Cannot read {}: {error}.", path.display()))
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, content))
        .map_err(|error| format!("Cannot write {}: {error}.", path.display()))
}

/// Copies a file, creating the folders above the copy.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    write(to, read_bytes(from)?)
}

/// An empty folder, whatever was there before.
pub(crate) fn empty_folder(path: &Path) -> Result<(), String> {
    if path.exists() {
        std::fs::remove_dir_all(path)
            .map_err(|error| format!("Cannot empty {}: {error}.", path.display()))?;
    }
    std::fs::create_dir_all(path)
        .map_err(|error| format!("Cannot create {}: {error}.", path.display()))
}

/// What is directly in a folder, in order.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut found: Vec<PathBuf> =
        entries.map_err(|error| format!("Cannot list {}: {error}.", folder.display()))?;
    found.sort();
    Ok(found)
}

/// Every file under a folder, in order.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}
