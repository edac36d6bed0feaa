//! Chromium and its driver.

use std::path::PathBuf;
use std::process::Command;

use crate::{debian, paths};

pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
    chromedriver: PathBuf,
}

impl Browser {
    /// From `CHROMIUM` and `CHROMEDRIVER`, from `PATH`, or installed from Debian.
    pub(crate) fn find() -> Result<Self, String> {
        if let Some(found) = Self::look() {
            return Ok(found);
        }
        debian::install(&["chromium", "chromium-driver"]).ok().and_then(|()| Self::look()).ok_or_else(|| {
            "Install Chromium or Chrome and the chromedriver of the same version, or name them in the variables \
             CHROMIUM and CHROMEDRIVER, then run this again."
                .to_owned()
        })
    }

    fn look() -> Option<Self> {
        let first = |variable: &str, names: &[&str]| {
            let named = std::env::var_os(variable).map(PathBuf::from);
            named.or_else(|| names.iter().find_map(|name| paths::in_path(name)))
        };
        let chromium = first(
            "CHROMIUM",
            &[
                "chromium",
                "chromium-browser",
                "google-chrome",
                "google-chrome-stable",
                "chrome",
            ],
        )
        .or_else(|| {
            let mac = PathBuf::from("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
            mac.exists().then_some(mac)
        })?;
        Some(Self {
            chromium,
            chromedriver: first("CHROMEDRIVER", &["chromedriver"])?,
        })
    }

    /// Makes wasm-bindgen's test runner use this browser, with the arguments of `webdriver.json`.
    pub(crate) fn drive(&self, command: &mut Command) -> Result<(), String> {
        let file = paths::at("webdriver.json");
        let mut settings: serde_json::Value = serde_json::from_str(&paths::read(&file)?)
            .map_err(|error| format!("{} is no JSON: {error}.", file.display()))?;
        if let Some(options) = settings
            .get_mut("goog:chromeOptions")
            .and_then(serde_json::Value::as_object_mut)
        {
            options.insert(
                "binary".to_owned(),
                self.chromium.display().to_string().into(),
            );
        }
        let ours = paths::scratch("webdriver.json");
        paths::write(&ours, settings.to_string())?;
        command
            .env("WASM_BINDGEN_USE_BROWSER", "1")
            .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", ours)
            .env("CHROMEDRIVER", &self.chromedriver);
        Ok(())
    }
}
