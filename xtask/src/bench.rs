//! `cargo xtask bench`: the numbers of the README, as ratios of what is measured in the same run.

use std::path::Path;

use serde_json::Value;

use crate::browser::Browser;
use crate::{build, npm, paths, process};

const BEGIN: &str = "<!-- numbers -->";
const END: &str = "<!-- /numbers -->";

/// Measures, prints the tables, and with `write` puts them into the README.
pub(crate) fn bench(write: bool) -> Result<bool, String> {
    let browser = Browser::find()?;
    let built = build::build()?;
    let folder = paths::scratch("bench");
    paths::empty_folder(&folder)?;
    let native = native(&folder)?;

    let result = folder.join("package.json");
    let mut node = npm::node(&paths::at("benches/package.mjs"));
    node.arg(&result).arg(built.wasm_gzip.to_string());
    process::run("the package in Node", node)?;
    let package = json(&result)?;
    let page = in_chromium(&browser)?;

    let text = tables(&package, &page, &native)?;
    println!("{text}");
    if write {
        into_readme(&text)?;
    }
    Ok(true)
}

/// The table of messages, measured in a page.
fn in_chromium(browser: &Browser) -> Result<Value, String> {
    let folder = paths::scratch("bench-page");
    paths::empty_folder(&folder)?;
    let result = folder.join("result.json");
    let mut node = npm::node(&paths::at("benches/chromium.mjs"));
    node.arg(&folder)
        .arg(&result)
        .env("CHROMIUM", &browser.chromium);
    process::run("the package in Chromium", node)?;
    json(&result)
}

/// What was measured natively.
struct Native {
    /// Bytes that are kept of a finished call.
    bytes: u64,
    inputs: Vec<Skipping>,
}

/// From a line to the new state, beside skipping the line.
struct Skipping {
    name: String,
    nanoseconds: f64,
    /// How often it could be done in the time that skipping once takes.
    speed: f64,
}

fn native(folder: &Path) -> Result<Native, String> {
    let bench = |name: &str| {
        let mut cargo = process::cargo();
        cargo.args(["bench", "--package", "acp-client-state", "--bench", name]);
        cargo
    };
    let mut timing = bench("reducer");
    timing
        .args(["--", "--noplot"])
        .env("CRITERION_HOME", folder);
    process::run("the crate natively (the first time it is compiled)", timing)?;
    let mut memory = bench("memory");
    memory.arg("--quiet");
    eprintln!("▸ memory of finished calls, natively");
    let bytes = process::output(memory)?;
    Ok(Native {
        bytes: bytes
            .parse()
            .map_err(|_| format!("benches/memory.rs printed {bytes:?} instead of a number."))?,
        inputs: skipping(folder)?,
    })
}

/// Reads what criterion wrote: `INPUT/WAY/ROUND/new/estimates.json`.
fn skipping(folder: &Path) -> Result<Vec<Skipping>, String> {
    let mut inputs = Vec::new();
    for input in paths::entries(folder)? {
        let Some(name) = input.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let [ours, skip] = ["new state", "skip"].map(|way| medians(&input.join(way)));
        let (ours, skip) = (ours?, skip?);
        let speeds = ours.iter().zip(&skip).map(|(ours, skip)| skip / ours);
        inputs.push(Skipping {
            name: name.to_owned(),
            nanoseconds: median(ours.clone()),
            speed: median(speeds.collect()),
        });
    }
    Ok(inputs)
}

/// The median of each round, in the order of the rounds.
fn medians(way: &Path) -> Result<Vec<f64>, String> {
    // Criterion writes spaces in names as underscores.
    let way = if way.exists() {
        way.to_path_buf()
    } else {
        way.with_file_name(
            way.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .replace(' ', "_"),
        )
    };
    let rounds = paths::entries(&way)?;
    let rounds = rounds.iter().filter(|round| round.join("new").is_dir());
    let median = |round: &std::path::PathBuf| {
        let file = round.join("new/estimates.json");
        json(&file)?
            .pointer("/median/point_estimate")
            .and_then(Value::as_f64)
            .ok_or_else(|| format!("{} has no median.", file.display()))
    };
    rounds.map(median).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The tables of the README.
fn tables(package: &Value, page: &Value, native: &Native) -> Result<String, String> {
    let text = |name: &str| package.get(name).and_then(Value::as_str).unwrap_or("?");
    let mut out = format!(
        "Measured on {} ({}), by `cargo xtask bench --write`, in rounds that take turns; medians.\n\nA message, from \
         the parsed object to the outcome, and in brackets as a multiple of `JSON.parse` of its line:\n\n",
        text("date"),
        text("machine"),
    );
    messages(&mut out, package)?;
    let browser = page.get("browser").and_then(Value::as_str).unwrap_or("?");
    out.push_str(&format!(
        "\nThe same in a page, in headless Chromium {browser}:\n\n"
    ));
    messages(&mut out, page)?;

    out.push_str("\nWhat it should be:\n\n");
    row(&mut out, ["", "goal", "measured", "reached"]);
    row(&mut out, ["---"; 4]);
    for goal in list(package, "goals")? {
        let field = |name: &str| goal.get(name).and_then(Value::as_str).unwrap_or("?");
        let reached = goal.get("reached") == Some(&Value::Bool(true));
        row(
            &mut out,
            [
                field("what"),
                field("limit"),
                field("measured"),
                yes(reached),
            ],
        );
    }
    for input in &native.inputs {
        row(
            &mut out,
            [
                &format!(
                    "natively, {}: line to state, beside skipping the line",
                    input.name.replace('_', " ")
                ),
                "≥ 0.8 × the speed",
                &format!("{:.2} ({})", input.speed, time(input.nanoseconds)),
                yes(input.speed >= 0.8),
            ],
        );
    }
    row(
        &mut out,
        [
            "natively, memory for each of 10⁵ finished calls",
            "≤ 100 bytes",
            &format!("{} bytes", native.bytes),
            yes(native.bytes <= 100),
        ],
    );
    Ok(out)
}

/// What a message costs, each way in a row.
fn messages(out: &mut String, measured: &Value) -> Result<(), String> {
    let columns = list(measured, "columns")?;
    row(out, std::iter::once("").chain(words(columns)));
    row(out, std::iter::repeat_n("---", columns.len() + 1));
    for way in list(measured, "ways")? {
        let [name, cells] = pair(way)?;
        let cells = cells.as_array().map(Vec::as_slice).unwrap_or_default();
        row(out, words([name]).chain(words(cells)));
    }
    Ok(())
}

fn list<'a>(measured: &'a Value, name: &str) -> Result<&'a Vec<Value>, String> {
    measured
        .get(name)
        .and_then(Value::as_array)
        .ok_or_else(|| format!("The bench wrote no {name}."))
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ..1e3 => format!("{nanoseconds:.0} ns"),
        ..1e6 => format!("{:.2} µs", nanoseconds / 1e3),
        _ => format!("{:.1} ms for all", nanoseconds / 1e6),
    }
}

fn yes(reached: bool) -> &'static str {
    if reached { "yes" } else { "**no**" }
}

fn row<'a>(out: &mut String, cells: impl IntoIterator<Item = &'a str>) {
    for cell in cells {
        out.push_str("| ");
        out.push_str(cell);
        out.push(' ');
    }
    out.push_str("|\n");
}

fn words<'a>(cells: impl IntoIterator<Item = &'a Value>) -> impl Iterator<Item = &'a str> {
    cells.into_iter().map(|cell| cell.as_str().unwrap_or("?"))
}

fn pair(value: &Value) -> Result<[&Value; 2], String> {
    match value.as_array().map(Vec::as_slice) {
        Some([first, second]) => Ok([first, second]),
        _ => Err(format!("The bench wrote {value} instead of a pair.")),
    }
}

fn json(file: &Path) -> Result<Value, String> {
    serde_json::from_str(&paths::read(file)?)
        .map_err(|error| format!("{} is not JSON: {error}.", file.display()))
}

fn into_readme(text: &str) -> Result<(), String> {
    let file = paths::at("README.md");
    let readme = paths::read(&file)?;
    let parts = readme
        .split_once(BEGIN)
        .and_then(|(head, rest)| Some((head, rest.split_once(END)?.1)));
    let Some((head, tail)) = parts else {
        return Err(format!("README.md has no {BEGIN} and {END}."));
    };
    paths::write(&file, format!("{head}{BEGIN}\n{text}{END}{tail}"))
}
