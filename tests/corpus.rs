//! Every vector and every recorded session, natively and in wasm (in Node and in a browser).

#![cfg(feature = "json")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

mod support;

use acp_client_state::{ClientState, Event, Options};
use include_dir::{Dir, include_dir};
use serde_json::{Value, json};
use support::{answers, array, object, ours, text};

static VECTORS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/tests/vectors");
static TRACES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/tests/traces");

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
fn every_vector_gives_its_answers_after_each_event() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in VECTORS.files() {
        let vector: Value = serde_json::from_str(file.contents_utf8().unwrap()).unwrap();
        run_vector(&vector, &mut wrong);
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(count, 25);
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
fn every_trace_gives_its_answers_after_each_message() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for agent in TRACES.dirs() {
        for file in agent.files() {
            let path = file.path().to_str().unwrap();
            if path.ends_with(".expected.jsonl") {
                continue;
            }
            let expected = path.replace(".jsonl", ".expected.jsonl");
            let expected = TRACES.get_file(expected).unwrap();
            let [trace, expected] = [file, expected].map(|file| file.contents_utf8().unwrap());
            for as_text in [true, false] {
                run_trace(path, trace, expected, as_text, &mut wrong);
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(count, 46);
}

fn run_vector(vector: &Value, wrong: &mut Vec<String>) {
    let mut state = ClientState::new(Options::default());
    let name = text(&vector["name"]);
    for step in array(&vector["steps"]) {
        let at = step["at"].as_f64().unwrap();
        let event: Event = serde_json::from_value(step["event"].clone()).unwrap();
        let outcome = ours(&state.apply(event, at));
        let place = format!("{name} at {at}");
        for (field, expected) in object(&step["outcome"]) {
            let said = said(&outcome, field);
            check(&format!("{place}: {field}"), &said, expected, wrong);
        }
        for (session, expected) in object(&step["answers"]) {
            for (question, expected) in object(expected) {
                let mut answer = answers(&state, session)[question].clone();
                if question == "closePlan" {
                    answer["stops"] = array(&answer["stops"])
                        .iter()
                        .map(|item| json!([item["type"], item["id"]]))
                        .collect();
                }
                check(
                    &format!("{place}: {session} {question}"),
                    &answer,
                    expected,
                    wrong,
                );
            }
        }
    }
    for (session, items) in object(&vector["items"]) {
        let session = state.session(session);
        for call in array(&items["toolCalls"]) {
            let answer = ours(&session.tool_call(text(&call["toolCallId"])));
            check_fields(name, &answer, call, wrong);
        }
        for terminal in array(&items["terminals"]) {
            let answer = ours(&session.terminal(text(&terminal["terminalId"])));
            check_fields(name, &answer, terminal, wrong);
        }
        for plan in array(&items["stopPlans"]) {
            let target = serde_json::from_value(plan["target"].clone()).unwrap();
            check(
                name,
                &ours(&session.stop_plan(&target)),
                &plan["plan"],
                wrong,
            );
        }
    }
}

/// What a vector or a trace says of an outcome's field.
fn said(outcome: &Value, field: &str) -> Value {
    match field {
        "turnsEnded" => array(&outcome[field])
            .iter()
            .map(|turn| json!({ "sessionId": turn["sessionId"], "stopReason": turn["stopReason"] }))
            .collect(),
        "started" | "ended" => array(&outcome[field])
            .iter()
            .map(|item| json!([item["sessionId"], item["type"], item["id"]]))
            .collect(),
        _ => outcome[field].clone(),
    }
}

fn run_trace(path: &str, trace: &str, expected: &str, as_text: bool, wrong: &mut Vec<String>) {
    let mut state = ClientState::new(Options::default());
    let mut expected = expected
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut next = expected.next();
    let mut shown = json!({});
    for (number, line) in (1..).zip(trace.lines()) {
        let line: Value = serde_json::from_str(line).unwrap();
        let at = line["t"].as_f64().unwrap();
        let message = line["msg"].to_string();
        let outcome = match (text(&line["dir"]), as_text) {
            ("recv", true) => state.received(&message, at),
            ("recv", false) => state.received(&line["msg"], at),
            (_, true) => state.sent(&message, at),
            (_, false) => state.sent(&line["msg"], at),
        };
        assert!(
            outcome.problems.is_empty(),
            "{path} {number}: {:?}",
            outcome.problems
        );
        let outcome = ours(&outcome);
        let mut outcome_says = json!({});
        for field in [
            "turnsEnded",
            "becameQuiet",
            "started",
            "ended",
            "stop",
            "answerDue",
        ] {
            let value = said(&outcome, field);
            if !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()) {
                outcome_says[field] = value;
            }
        }
        let mut sessions = json!({});
        for id in state.session_ids() {
            let view = trace_view(&state, &id, &trace_ids(trace, &id));
            if shown[&id] != view {
                shown[&id] = view.clone();
                sessions[&id] = view;
            }
        }
        let says_something = outcome_says != json!({}) || sessions != json!({});
        let mut line = json!({ "line": number, "t": at });
        if outcome_says != json!({}) {
            line["outcome"] = outcome_says;
        }
        if sessions != json!({}) {
            line["sessions"] = sessions;
        }
        let is_expected = next.as_ref().is_some_and(|next| next["line"] == number);
        match (is_expected, says_something) {
            (true, _) => {
                let wanted = next.take().unwrap();
                next = expected.next();
                for field in ["outcome", "sessions"] {
                    let place = format!("{path} line {number}: {field}");
                    check(&place, &line[field], &wanted[field], wrong);
                }
            }
            (false, true) => wrong.push(format!("{path} line {number}: unexpected {line}")),
            (false, false) => {}
        }
    }
    assert!(next.is_none(), "{path}: expected lines left over");
}

/// The ids of calls and terminals that a trace names.
fn trace_ids(trace: &str, _session: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for name in ["toolCallId", "terminalId", "terminal_id"] {
        let key = format!("\"{name}\":\"");
        for part in trace.split(&key).skip(1) {
            let id = part.split('"').next().unwrap().to_owned();
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
    }
    ids
}

fn trace_view(state: &ClientState, id: &str, ids: &[String]) -> Value {
    let session = state.session(id);
    let cancel = ours(&session.cancel_plan());
    let snapshot = ours(&session.snapshot());
    let mut shown = json!({});
    let mut terminals = json!({});
    for id in ids {
        if let Some(call) = session.tool_call(id) {
            shown[id] = ours(&call.shown);
        }
        if let Some(terminal) = session.terminal(id) {
            terminals[id] = ours(&terminal.shown);
        }
    }
    json!({
        "activity": ours(&session.activity()),
        "background": array(&snapshot["background"])
            .iter()
            .map(|item| {
                format!("{} {} {}", text(&item["type"]), text(&item["id"]), text(&item["status"]))
            })
            .collect::<Vec<_>>(),
        "abandoned": ours(&session.abandoned()),
        "markCancelled": cancel["markCancelled"],
        "answerCancelled": cancel["answerCancelled"],
        "keepOpen": cancel["keepOpen"],
        "warning": ours(&session.close_plan())["warning"],
        "shown": shown,
        "terminals": terminals,
    })
}

fn check_fields(name: &str, got: &Value, expected: &Value, wrong: &mut Vec<String>) {
    for (field, value) in object(expected) {
        check(&format!("{name}: {field}"), &got[field], value, wrong);
    }
}

fn check(place: &str, got: &Value, expected: &Value, wrong: &mut Vec<String>) {
    if got != expected {
        wrong.push(format!("{place}:\n  got      {got}\n  expected {expected}"));
    }
}
