//! wasm-bindgen's tools, compiled once from our Cargo.lock.

use std::path::PathBuf;

use crate::{paths, process};

pub(crate) struct Tools {
    pub(crate) bindgen: PathBuf,
    pub(crate) test_runner: PathBuf,
}

impl Tools {
    pub(crate) fn compile() -> Result<Self, String> {
        let target = paths::at("target");
        let mut cargo = process::cargo();
        cargo
            .args(["build", "--package", "wasm-tools", "--target-dir"])
            .arg(&target);
        // Two old packages in there earn a warning that nobody here can act on.
        cargo.env("CARGO_FUTURE_INCOMPAT_REPORT_FREQUENCY", "never");
        process::run(
            "wasm-bindgen's tools (the first time about a minute)",
            cargo,
        )?;
        let program = |name: &str| {
            target
                .join("debug")
                .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
        };
        Ok(Self {
            bindgen: program("bindgen"),
            test_runner: program("wasm-bindgen-test-runner"),
        })
    }
}
