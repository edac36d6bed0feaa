//! Permission requests, and what v1's terminals answer.

use acp_client_state::{ClientState, Event, ExitStatus, RequestId, Subject};
use agent_client_protocol_schema::{v1, v2};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::convert::{v1_subject, v2_subject};
use super::exceptions::{
    Exception, arrays_to_wrong_type, names_from_objects, number_to_wrong_type, safe_integer,
    tags_of_items,
};
use super::inputs::{all_damages, config, damaged, damaged_ones, places, updates, wild};
use super::{Version, event, prepared};

/// Where a permission request is read otherwise on purpose, besides [`Exception`] in its tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asking {
    /// Title and options are for the user interface. A request without them waits for an answer like
    /// any other; the official crate refuses it.
    RequestWithoutForm,
    /// Arrays, numbers and objects where serde takes them for objects, tags and names.
    Serde,
    /// A command is known by its ids; the official crate refuses one without command or directory.
    CommandWithoutCommand,
    /// A subject that is not readable is an unrecognised one; the official crate refuses the request.
    UnreadableSubject,
    /// v1's `toolCall` is the subject on v2 too, where there is none.
    ToolCallOnV2,
    /// What a v1 tool call says is read as [`Exception`] lists it for updates.
    CallOfV1,
}

use Asking::*;

impl Asking {
    const ALL: [Self; 6] = [
        RequestWithoutForm,
        Serde,
        ToolCallOnV2,
        CommandWithoutCommand,
        UnreadableSubject,
        CallOfV1,
    ];

    fn examples(self) -> (&'static str, Vec<(Version, Value)>) {
        use Version::{V1, V2};
        let good = |subject: Value| {
            let mut request = requests(V2).remove(0);
            request["subject"] = subject;
            request
        };
        let v1 = |call: Value| {
            let mut request = requests(V1).remove(0);
            request["toolCall"] = call;
            request
        };
        match self {
            RequestWithoutForm => (
                "P1, P2",
                vec![
                    (V2, json!({ "sessionId": "S1" })),
                    (
                        V2,
                        json!({ "sessionId": "S1", "title": "Go?", "options": [] }),
                    ),
                    (
                        V1,
                        json!({ "sessionId": "S1", "toolCall": { "toolCallId": "c1" } }),
                    ),
                ],
            ),
            Serde => (
                "C4, T2",
                vec![
                    (V2, good(json!(["tool_call", { "toolCallId": "c1" }]))),
                    (
                        V2,
                        good(json!({ "type": 0, "toolCall": { "toolCallId": "c1" } })),
                    ),
                    (
                        V2,
                        good(json!({
                            "type": "tool_call",
                            "toolCall": { "toolCallId": "c1", "status": { "completed": null } },
                        })),
                    ),
                ],
            ),
            ToolCallOnV2 => (
                "V2",
                vec![(
                    V2,
                    json!({
                        "sessionId": "S1", "title": "Go?", "options": options(),
                        "toolCall": { "toolCallId": "c1" },
                    }),
                )],
            ),
            CommandWithoutCommand => (
                "C3, C4",
                vec![(V2, good(json!({ "type": "command", "terminalId": "t1" })))],
            ),
            UnreadableSubject => (
                "C4",
                vec![
                    (V2, good(json!({ "type": "tool_call" }))),
                    (V2, good(json!(3))),
                    (V1, v1(json!({ "title": "Make" }))),
                ],
            ),
            CallOfV1 => (
                "T2, V2",
                vec![(V1, v1(json!({ "toolCallId": "c1", "status": "cancelled" })))],
            ),
        }
    }
}

fn options() -> Value {
    json!([{ "optionId": "yes", "name": "Yes", "kind": "allow_once" }])
}

/// Well-formed requests.
fn requests(version: Version) -> Vec<Value> {
    let calls: Vec<Value> = updates()
        .into_iter()
        .filter(|update| update["sessionUpdate"] == "tool_call_update")
        .map(|mut call| {
            call.as_object_mut().unwrap().remove("sessionUpdate");
            call
        })
        .collect();
    match version {
        Version::V1 => calls
            .into_iter()
            .map(|call| json!({ "sessionId": "S1", "toolCall": call, "options": options() }))
            .collect(),
        Version::V2 => {
            let mut subjects: Vec<Value> = calls
                .into_iter()
                .map(|call| json!({ "type": "tool_call", "toolCall": call }))
                .collect();
            let command = |ids: &[(&str, &str)]| {
                let mut subject = json!({ "type": "command", "command": "make", "cwd": "/w" });
                for (name, id) in ids {
                    subject[*name] = json!(id);
                }
                subject
            };
            subjects.push(command(&[("toolCallId", "c1"), ("terminalId", "t1")]));
            subjects.push(command(&[("toolCallId", "c1")]));
            subjects.push(command(&[("terminalId", "t2")]));
            subjects.push(command(&[]));
            subjects.push(json!({ "type": "_odd", "toolCallId": "c1" }));
            subjects.push(json!(null));
            let request = |subject| {
                json!({
                    "sessionId": "S1", "title": "Go?", "description": "d", "options": options(),
                    "subject": subject, "_meta": {},
                })
            };
            subjects.into_iter().map(request).collect()
        }
    }
}

/// The subject of a request, by way of the official crate; `None` when there is no request.
fn read(version: Version, raw: &Value, but: Option<Asking>) -> Option<Subject> {
    let is_on = |asking| but != Some(asking);
    let mut input = raw.clone();
    // Without a session there is no request, and an array is none in JSON-RPC either.
    let is_request = raw.is_object() && raw["sessionId"].is_string();
    if !is_request {
        return None;
    }
    if is_on(RequestWithoutForm) {
        if !input["title"].is_string() {
            input["title"] = json!("Go?");
        }
        input["options"] = options();
    }
    if is_on(ToolCallOnV2)
        && version == Version::V2
        && raw.get("subject").is_none()
        && let Some(call) = raw.get("toolCall")
    {
        input["subject"] = json!({ "type": "tool_call", "toolCall": call });
    }
    if is_on(Serde) {
        if input.get("subject").is_some_and(Value::is_array) {
            input["subject"] = json!(true);
        }
        if let Some(subject) = input.get_mut("subject") {
            number_to_wrong_type(subject, "type");
            tame_call(subject);
        }
        tame_call(&mut input);
    }
    if is_on(CommandWithoutCommand) && input["subject"]["type"] == "command" {
        for name in ["command", "cwd"] {
            if !input["subject"][name].is_string() {
                input["subject"][name] = json!("");
            }
        }
    }
    let official = match version {
        Version::V2 => {
            let subject = input.get("subject").cloned().unwrap_or_default();
            let read = serde_json::from_value::<Option<v2::RequestPermissionSubject>>(subject);
            if is_on(UnreadableSubject) && read.is_err() {
                input["subject"] = Value::Null;
            }
            serde_json::from_value(input).map(v2_subject)
        }
        Version::V1 => {
            let call = input.get("toolCall").cloned().unwrap_or_default();
            if is_on(UnreadableSubject)
                && serde_json::from_value::<v1::ToolCallUpdate>(call).is_err()
            {
                return Some(Subject::None);
            }
            serde_json::from_value(input.clone()).map(|request| {
                let mut subject = v1_subject(request);
                if let Subject::ToolCall(call) = &mut subject
                    && is_on(CallOfV1)
                {
                    for exception in Exception::ALL {
                        exception.correct_v1_call(&raw["toolCall"], &input["toolCall"], call);
                    }
                }
                subject
            })
        }
    };
    official.ok()
}

/// [`Serde`] in `toolCall`.
fn tame_call(holder: &mut Value) {
    if let Some(call) = holder.get_mut("toolCall") {
        if call.is_array() {
            *call = json!(true);
        }
        arrays_to_wrong_type(call);
        tags_of_items(call);
        names_from_objects(call);
    }
}

/// The subject that ours reads in a typed event.
fn ours(version: Version, raw: &Value) -> Option<Subject> {
    raw.as_object()?.get("sessionId")?.as_str()?;
    let subject = match (version, raw.get("subject"), raw.get("toolCall")) {
        (Version::V2, Some(subject), _) => subject.clone(),
        (_, _, Some(call)) => json!({ "type": "tool_call", "toolCall": call }),
        (_, _, None) => Value::Null,
    };
    let asked = json!({
        "type": "permission_requested", "requestId": 7, "sessionId": "S1", "subject": subject,
    });
    match event(asked) {
        // v1's, which nobody else may leave out the type of.
        Event::PermissionRequested {
            subject: Subject::Untyped(_),
            ..
        } => Some(Subject::None),
        Event::PermissionRequested { subject, .. } => Some(subject),
        other => panic!("{other:?}"),
    }
}

/// What there is to know about the session of [`prepared`], without the connection's own memory.
fn known(state: &ClientState) -> Value {
    let session = state.session("S1");
    let calls = ["c1", "c2"].map(|id| serde_json::to_value(session.tool_call(id)).unwrap());
    json!({
        "snapshot": session.snapshot(),
        "cancelPlan": session.cancel_plan(),
        "calls": calls,
    })
}

fn check(version: Version, raw: &Value) -> Result<(), TestCaseError> {
    let read = read(version, raw, None);
    prop_assert_eq!(&ours(version, raw), &read, "{:?} {}", version, raw);
    let mut by_event = prepared(version);
    let message = json!({
        "jsonrpc": "2.0", "id": 7, "method": "session/request_permission", "params": raw,
    });
    let mut by_message = prepared(version);
    let outcome = by_message.received(&message, 9.0);
    let mut by_text = prepared(version);
    prop_assert_eq!(&by_text.received(&message.to_string(), 9.0), &outcome);
    if let Some(subject) = read {
        let wanted = by_event.apply(
            Event::PermissionRequested {
                request_id: RequestId::Number(7),
                session_id: raw["sessionId"].as_str().unwrap().into(),
                subject,
            },
            9.0,
        );
        prop_assert_eq!(outcome, wanted, "{:?} {}", version, raw);
    } else {
        let codes: Vec<&str> = outcome.problems.iter().map(|it| it.code.as_str()).collect();
        prop_assert_eq!(codes, ["malformed_message"], "{}", raw);
    }
    prop_assert_eq!(
        known(&by_message),
        known(&by_event),
        "{:?} {}",
        version,
        raw
    );
    prop_assert_eq!(known(&by_text), known(&by_event), "{:?} {}", version, raw);
    Ok(())
}

#[test]
fn each_request_with_one_damage_is_read_as_the_official_crate_reads_it() {
    for version in [Version::V1, Version::V2] {
        let requests = requests(version);
        for request in &requests {
            check(version, request).unwrap();
        }
        // One with a whole tool call, and the last ones, which have none.
        for request in requests.iter().take(1).chain(requests.iter().rev().take(6)) {
            for place in places(request) {
                for damage in all_damages() {
                    check(version, &damaged(request.clone(), &place, &damage)).unwrap();
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn v2_requests_with_several_damages_are_read_as_the_official_crate_reads_them(
        raw in damaged_ones(requests(Version::V2)),
    ) {
        check(Version::V2, &raw)?;
    }

    #[test]
    fn v1_requests_with_several_damages_are_read_as_the_official_crate_reads_them(
        raw in damaged_ones(requests(Version::V1)),
    ) {
        check(Version::V1, &raw)?;
    }
}

#[test]
fn every_exception_of_requests_is_one() {
    for asking in Asking::ALL {
        let (rule, examples) = asking.examples();
        for (version, raw) in examples {
            check(version, &raw).unwrap();
            let without = read(version, &raw, Some(asking));
            assert_ne!(
                ours(version, &raw),
                without,
                "{asking:?} ({rule}) is none: {raw}"
            );
        }
    }
}

/// The subject of a v1 request is its `toolCall` (rule V2), whatever else stands beside it.
#[test]
fn v2_a_null_subject_beside_the_tool_call_of_v1() {
    let mut state = prepared(Version::V1);
    let message = json!({
        "jsonrpc": "2.0", "id": 7, "method": "session/request_permission",
        "params": {
            "sessionId": "S1", "subject": null, "options": options(),
            "toolCall": { "toolCallId": "c1", "title": "Asked" },
        },
    });
    let outcome = state.received(&message, 9.0);
    assert!(outcome.problems.is_empty());
    let known = known(&state);
    assert_eq!(known["calls"][0]["title"], "Asked");
    assert_eq!(known["snapshot"]["requests"][0]["toolCallId"], "c1");
}

/// What the client answers to `terminal/output` and `terminal/wait_for_exit` (rule V3): the exit status
/// that the official v1 reads, save that each safe integer is a code (rule M1), not each u32 only, and
/// that the rest of an answer does not matter.
#[test]
fn v3_m1_exit_status_in_the_answers_of_v1_terminals() {
    let mut statuses = wild();
    for wild in wild() {
        statuses.push(json!({ "exitCode": wild, "signal": "SIGHUP" }));
        statuses.push(json!({ "exitCode": 0, "signal": wild }));
    }
    let ids = json!({ "sessionId": "S1", "terminalId": "t1" });
    let ask = |method| json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": ids });
    let mut beyond_u32 = 0;
    for status in statuses {
        let output = json!({ "output": "", "truncated": false, "exitStatus": status });
        for (method, result) in [
            ("terminal/output", output),
            ("terminal/wait_for_exit", status.clone()),
        ] {
            let mut input = result.clone();
            let holder = if method == "terminal/output" {
                &mut input["exitStatus"]
            } else {
                &mut input
            };
            let raw_code = safe_integer(&holder["exitCode"]);
            if !(holder.is_object() || holder.is_null()) {
                *holder = Value::Null;
            }
            let is_u32 = raw_code.is_none_or(|code| u32::try_from(code).is_ok());
            if holder.is_object() {
                holder["exitCode"] = json!(raw_code.filter(|_| is_u32));
            }
            let read = if method == "terminal/output" {
                let read: v1::TerminalOutputResponse = serde_json::from_value(input).unwrap();
                read.exit_status
            } else {
                let read: v1::WaitForTerminalExitResponse = serde_json::from_value(input).unwrap();
                Some(read.exit_status)
            };
            let expected = read.map(|read| ExitStatus {
                exit_code: read.exit_code.map(i64::from).or(raw_code),
                signal: read.signal,
            });
            beyond_u32 += usize::from(!is_u32);
            let mut state = prepared(Version::V1);
            let _ = state.received(&ask(method), 8.0);
            let answer = json!({ "jsonrpc": "2.0", "id": 7, "result": result });
            let _ = state.sent(&answer, 9.0);
            let terminal = state.session("S1").terminal("t1").unwrap();
            assert_eq!(terminal.exit, expected, "{method} {answer}");
        }
    }
    assert!(beyond_u32 > 0);
}
