//! The fuzz targets of `fuzz/`, on their seeds: what `cargo xtask fuzz` starts from holds, and the
//! targets work. With `FUZZ_CORPUS` the seeds are written into that folder too.

#![cfg(all(feature = "json", not(target_arch = "wasm32")))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail where it stands"
)]

mod fuzzed;

use std::path::{Path, PathBuf};

use acp_client_state::{ClientState, Event};
use fuzzed::random::{self, Random};
use serde_json::{Value, json};

/// How long a seed may be: shorter ones are run more often.
const LONGEST: usize = 4096;

/// Holds the seeds against the target, and writes them where `cargo xtask fuzz` wants them.
fn hold(target: &str, run: fn(&[u8]), seeds: &[Vec<u8>]) {
    let corpus = std::env::var_os("FUZZ_CORPUS").map(|folder| PathBuf::from(folder).join(target));
    for (number, seed) in seeds.iter().enumerate() {
        run(seed);
        if let Some(folder) = &corpus {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join(format!("seed-{number}")), seed).unwrap();
        }
    }
}

/// The files below a folder of `tests/`, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.to_str().unwrap().ends_with(ending) {
            found.push(path);
        }
    }
    found
}

fn tests(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(folder)
}

/// The recorded sessions, each line with the direction first.
fn traces() -> Vec<Vec<String>> {
    let mut traces = Vec::new();
    for file in files(&tests("traces"), ".jsonl") {
        if file.to_str().unwrap().ends_with(".expected.jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(file).unwrap();
        let line = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap();
            let way = if line["dir"] == "send" { '>' } else { '<' };
            format!("{way}{}", line["msg"])
        };
        traces.push(text.lines().map(line).collect());
    }
    assert!(!traces.is_empty());
    traces
}

/// The events of each vector, one a line.
fn vectors() -> Vec<Vec<String>> {
    let mut vectors = Vec::new();
    for file in files(&tests("vectors"), ".json") {
        let vector: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let steps = vector["steps"].as_array().unwrap();
        vectors.push(steps.iter().map(|step| step["event"].to_string()).collect());
    }
    assert!(!vectors.is_empty());
    vectors
}

/// Parts that are short enough, each after the first lines, which say what the connection is.
fn parts(lines: &[String], head: usize) -> Vec<Vec<u8>> {
    let (head, rest) = lines.split_at(head.min(lines.len()));
    let head = head.join("\n");
    let mut parts = Vec::new();
    let mut part = head.clone();
    for line in rest {
        if part.len() + line.len() > LONGEST && part.len() > head.len() {
            parts.push(std::mem::replace(&mut part, head.clone()).into_bytes());
        }
        part.push('\n');
        part.push_str(line);
    }
    parts.push(part.into_bytes());
    parts
}

/// Lines that the target draws events from.
fn drawn(seed: u64, count: usize) -> Vec<u8> {
    let random = &mut Random::new(seed);
    let mut bytes = Vec::new();
    for number in 0..count * 17 {
        let drawn = u8::try_from(random.next(256)).unwrap();
        bytes.push(match drawn {
            _ if number % 17 == 0 => b'\n',
            b'\n' => 0,
            _ => drawn,
        });
    }
    bytes
}

#[test]
fn messages() {
    let seeds: Vec<Vec<u8>> = traces()
        .iter()
        .flat_map(|lines| {
            let is_prompt = |line: &String| line.contains("\"session/prompt\"");
            let head = lines.iter().position(is_prompt).unwrap_or(0);
            parts(lines, head.min(6))
        })
        .collect();
    hold("message", fuzzed::message::run, &seeds);
}

#[test]
fn events() {
    let mut seeds: Vec<Vec<u8>> = vectors()
        .iter()
        .flat_map(|events| {
            parts(
                &[vec!["\u{1}\u{0}\u{0}\u{2}".to_owned()], events.clone()].concat(),
                1,
            )
        })
        .collect();
    for seed in 0..100 {
        let mut options = drawn(seed, 1).split_off(12);
        options.extend(drawn(seed + 1000, 12));
        seeds.push(options);
    }
    hold("events", fuzzed::events::run, &seeds);
}

/// The values of a saved state.
fn values(state: &ClientState) -> Vec<Value> {
    let saved = serde_json::to_value(state).unwrap();
    saved["state"].as_array().unwrap().clone()
}

/// Values as the target reads them, and what comes after them.
fn saved_lines(values: &[Value], rest: &[u8]) -> Vec<u8> {
    let lines: Vec<String> = values.iter().map(Value::to_string).collect();
    [lines.join("\n").as_bytes(), b"\n", rest].concat()
}

/// A state after random events.
fn random_state(number: u64, events: u64) -> ClientState {
    let mut state = ClientState::default();
    for step in 0..events {
        let event = random::event(1000 * number + step);
        let event: Event = serde_json::from_value(event).unwrap();
        let _ = state.apply(event, 100.0);
    }
    state
}

#[test]
fn saved_states() {
    let mut seeds = Vec::new();
    let mut seed = |state: &ClientState, rest: &[u8]| {
        let seed = saved_lines(&values(state), rest);
        if seed.len() <= LONGEST {
            seeds.push(seed);
        }
    };
    for lines in traces() {
        let mut state = ClientState::default();
        for (line, at) in lines.iter().zip(1_u32..) {
            let (way, message) = line.split_at(1);
            let _ = match way {
                ">" => state.sent(message, f64::from(at)),
                _ => state.received(message, f64::from(at)),
            };
            if at % 20 == 0 {
                seed(&state, b"");
            }
        }
    }
    for number in 0..100_u64 {
        let state = random_state(number, 1 + number / 4);
        seed(&state, &drawn(number, 5));
    }
    assert!(seeds.len() > 50, "{}", seeds.len());
    hold("saved", fuzzed::saved::run, &seeds);
}

/// Numbers at the ends of those that a state counts with. The largest safe integer is not among them:
/// from there no event can be counted any more.
const ODD: [f64; 6] = [0.0, 1.0, 255.0, 4_294_967_294.0, 4_294_967_295.0, 9e15];

/// Events that count everything that is counted, about the ids of random events.
fn counting_events() -> String {
    let update = |update: Value| json!({ "type": "update", "sessionId": "S1", "update": update });
    let mut events = vec![
        json!({ "type": "resume_sent", "sessionId": "S1" }),
        json!({ "type": "prompt_sent", "requestId": 7, "sessionId": "S1" }),
        json!({ "type": "elicitation_requested", "requestId": 8, "sessionId": "S2" }),
        json!({ "type": "close_sent", "sessionId": "S1" }),
        json!({ "type": "session_opened", "sessionId": "new" }),
        update(json!({ "sessionUpdate": "state_update", "state": "running" })),
        update(json!({ "sessionUpdate": "state_update", "state": "idle" })),
    ];
    for call in random::CALLS {
        let task = format!("task of {call}");
        events.push(json!({
            "type": "stop_sent", "requestId": call, "sessionId": "S1", "toolCallId": call,
        }));
        events.push(update(json!({
            "sessionUpdate": "async_task_spawned", "asyncTaskId": task, "toolCallId": call,
        })));
        events.push(update(json!({
            "sessionUpdate": "async_task_state_update", "asyncTaskId": task, "state": "completed",
        })));
    }
    for terminal in random::TERMINALS {
        events.push(json!({
            "type": "stop_sent", "requestId": terminal, "sessionId": "S1", "terminalId": terminal,
        }));
    }
    events
        .iter()
        .fold(String::new(), |lines, event| format!("{lines}\n{event}"))
}

/// A state that somebody made up is refused, or it works.
#[test]
fn saved_states_with_one_number_replaced() {
    let events = counting_events();
    for number in 0..3 {
        let values = values(&random_state(number, 20));
        for (place, value) in values.iter().enumerate() {
            if !value.is_number() {
                continue;
            }
            for odd in ODD {
                let mut values = values.clone();
                values[place] = json!(odd);
                fuzzed::saved::run(&saved_lines(&values, events.as_bytes()));
            }
        }
    }
}
