//! `cargo xtask build`: from Rust to the npm package.

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::{Compression, write::GzEncoder};

use crate::toolchain::{TARGET, Toolchain};
use crate::tools::Tools;
use crate::{npm, package, paths, process};

/// The wasm's name in the package.
const WASM: &str = "acp_client_state.wasm";

/// What a build made.
pub(crate) struct Built {
    pub(crate) toolchain: Toolchain,
    pub(crate) tools: Tools,
    /// The published folder.
    pub(crate) package: PathBuf,
    pub(crate) wasm_gzip: usize,
}

/// Builds the package into `pkg/`.
pub(crate) fn build() -> Result<Built, String> {
    npm::install()?;
    let toolchain = Toolchain::find()?;
    let tools = Tools::compile()?;

    let raw = compile(&toolchain)?;
    let glue = paths::scratch("glue");
    bind(&tools, &raw, &glue)?;
    let wasm = paths::scratch("wasm").join(WASM);
    optimise(&glue.join("glue_bg.wasm"), &wasm)?;

    let dist = paths::scratch("dist");
    paths::empty_folder(&dist)?;
    face(&glue, &wasm, &dist)?;
    let package = package::assemble(&dist)?;

    let bytes = paths::read_bytes(&wasm)?;
    let wasm_gzip = gzip(&bytes)?;
    eprintln!(
        "  {}: wasm {} bytes, {wasm_gzip} bytes gzip",
        package.display(),
        bytes.len()
    );
    Ok(Built {
        toolchain,
        tools,
        package,
        wasm_gzip,
    })
}

/// The library as wasm. `--crate-type` because a crate that is an rlib as well is silently built without LTO.
fn compile(toolchain: &Toolchain) -> Result<PathBuf, String> {
    let mut cargo = toolchain.cargo("rustc");
    cargo.args(["--release", "--lib", "--crate-type", "cdylib"]);
    process::run("the reducer, to wasm", cargo)?;
    Ok(paths::at("target/wasm")
        .join(TARGET)
        .join("release")
        .join(WASM))
}

/// wasm-bindgen's glue. Without a default path to the wasm, so that no `import.meta` gets in.
fn bind(tools: &Tools, raw: &Path, glue: &Path) -> Result<(), String> {
    paths::empty_folder(glue)?;
    let mut bindgen = process::command(&tools.bindgen);
    bindgen.args([
        "--target",
        "web",
        "--omit-default-module-path",
        "--out-name",
        "glue",
        "--out-dir",
    ]);
    bindgen.arg(glue).arg(raw);
    process::run("wasm-bindgen", bindgen)
}

fn optimise(from: &Path, to: &Path) -> Result<(), String> {
    paths::empty_folder(to.parent().unwrap_or(to))?;
    let mut optimiser = npm::tool("wasm-opt");
    optimiser
        // A twentieth faster than `-Os`, and no bigger after `opt-level = "z"`.
        .args(["-O3", "--strip-debug", "--strip-producers"])
        .arg(from)
        .arg("-o")
        .arg(to);
    process::run("wasm-opt", optimiser)
}

/// The JavaScript around the wasm, as ES modules and as CommonJS, with its declarations.
fn face(glue: &Path, wasm: &Path, dist: &Path) -> Result<(), String> {
    let mut script = npm::node(&paths::at("xtask/face.mjs"));
    script
        .arg(paths::at("pkg-template/src"))
        .arg(glue)
        .arg(wasm)
        .arg(paths::scratch("face"))
        .arg(dist);
    process::run("the JavaScript face and its declarations", script)
}

fn gzip(bytes: &[u8]) -> Result<usize, String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .map(|packed| packed.len())
        .map_err(|error| format!("Cannot compress the wasm: {error}."))
}
