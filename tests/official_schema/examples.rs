//! Each exception by example, with the rules that ask for it.

use serde_json::{Value, json};

use super::Version;
use super::exceptions::Exception::{self, *};

impl Exception {
    /// The rules that ask for it, and an example or more: with this exception left out, the two differ.
    pub fn examples(self) -> (&'static str, Vec<(Version, Value)>) {
        use Version::{V1, V2};
        let call = |fields: Value| {
            let mut call = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c1" });
            extend(&mut call, &fields);
            call
        };
        let terminal = |fields: Value| {
            let mut update = json!({ "sessionUpdate": "terminal_update", "terminalId": "t1" });
            extend(&mut update, &fields);
            update
        };
        let state = |state: &str, fields: Value| {
            let mut update = json!({ "sessionUpdate": "state_update", "state": state });
            extend(&mut update, &fields);
            update
        };
        let child = |fields: Value| {
            let mut update = json!({ "sessionUpdate": "subagent_update", "sessionId": "K1" });
            extend(&mut update, &fields);
            update
        };
        match self {
            ArrayForObject => (
                "B3, G2, M1, M2, T2, T3",
                vec![
                    (V2, json!(["state_update", "running"])),
                    (
                        V2,
                        state("idle", json!({ "background": [["terminal", "t1"]] })),
                    ),
                    (V2, call(json!({ "capabilities": [] }))),
                    (V2, call(json!({ "capabilities": { "cancel": [] } }))),
                    (V2, call(json!({ "content": [["terminal", "t1"]] }))),
                    (V1, call(json!({ "content": [["terminal", "t1"]] }))),
                    (V2, terminal(json!({ "exitStatus": [0] }))),
                    (V2, terminal(json!({ "output": ["YQ=="] }))),
                    (V2, child(json!({ "state": ["running"] }))),
                ],
            ),
            NumberForTag => (
                "B3, E1, F2, F4, T2",
                vec![
                    (V2, json!({ "sessionUpdate": 6, "state": "running" })),
                    (V2, json!({ "sessionUpdate": "state_update", "state": 0 })),
                    (V2, state("idle", json!({ "stopReason": 0 }))),
                    (
                        V2,
                        state(
                            "idle",
                            json!({ "background": [{ "type": 0, "terminalId": "t1" }] }),
                        ),
                    ),
                    (
                        V2,
                        call(json!({ "content": [{ "type": 2, "terminalId": "t1" }] })),
                    ),
                ],
            ),
            ObjectForName => (
                "T2",
                vec![
                    (V2, call(json!({ "status": { "completed": null } }))),
                    (V1, call(json!({ "status": { "completed": null } }))),
                    (V2, call(json!({ "kind": { "read": null } }))),
                ],
            ),
            IntegersOfJavaScript => (
                "M1",
                vec![
                    (V2, terminal(json!({ "exitStatus": { "exitCode": 1.0 } }))),
                    (V2, terminal(json!({ "exitStatus": { "exitCode": -0.0 } }))),
                    (
                        V2,
                        terminal(
                            json!({ "exitStatus": { "exitCode": 9_007_199_254_740_992_i64 } }),
                        ),
                    ),
                ],
            ),
            ErrorOfEveryStop => (
                "F4",
                vec![
                    (
                        V2,
                        state(
                            "idle",
                            json!({ "stopReason": "refusal", "error": { "code": 1, "message": "no" } }),
                        ),
                    ),
                    (
                        V2,
                        state("idle", json!({ "stopReason": "error", "error": {} })),
                    ),
                    (
                        V2,
                        state("idle", json!({ "error": { "code": 1, "message": "no" } })),
                    ),
                ],
            ),
            EndOfEveryState => (
                "F5",
                vec![
                    (V2, state("running", json!({ "stopReason": "end_turn" }))),
                    (V2, state("_dreaming", json!({ "error": {} }))),
                ],
            ),
            ListOfUnrecognisedState => (
                "F3",
                vec![(V2, state("_dreaming", json!({ "background": [] })))],
            ),
            V1KindOnV2 => (
                "V2",
                vec![(
                    V2,
                    json!({ "sessionUpdate": "tool_call", "toolCallId": "c1" }),
                )],
            ),
            V2KindOnV1 => (
                "V1 and the preface of section 15",
                vec![
                    (V1, state("idle", json!({}))),
                    (V1, terminal(json!({ "command": "make" }))),
                ],
            ),
            ToolCallIsAnUpsert => (
                "V2",
                vec![
                    (
                        V1,
                        json!({ "sessionUpdate": "tool_call", "toolCallId": "c1" }),
                    ),
                    (
                        V1,
                        json!({ "sessionUpdate": "tool_call", "toolCallId": "c1", "title": "Make" }),
                    ),
                ],
            ),
            NullOnV1 => (
                "V2",
                vec![(
                    V1,
                    call(json!({ "status": null, "title": null, "content": null })),
                )],
            ),
            NamesOnV1 => (
                "T2 and the preface",
                vec![
                    (V1, call(json!({ "status": "cancelled" }))),
                    (V1, call(json!({ "kind": "_weave" }))),
                ],
            ),
            CapabilitiesOnV1 => (
                "T3 and the preface of section 15",
                vec![(V1, call(json!({ "capabilities": { "cancel": {} } })))],
            ),
            ListOfV1Child => (
                "G2, V5",
                vec![(
                    V1,
                    child(json!({ "state": { "state": "idle", "background": [] } })),
                )],
            ),
            StateObjectOfChild => ("X5", vec![(V2, child(json!({ "state": {} })))]),
            DirectoriesOfChild => (
                "E4",
                vec![
                    (V2, child(json!({ "cwd": 3 }))),
                    (V1, child(json!({ "additionalDirectories": "/w" }))),
                ],
            ),
            ChunkOfNothing => (
                "T4",
                vec![(
                    V2,
                    json!({
                        "sessionUpdate": "tool_call_content_chunk", "toolCallId": "c1",
                        "content": { "type": "terminal" },
                    }),
                )],
            ),
            OutputOfNothing => (
                "M2, E4",
                vec![(
                    V2,
                    json!({ "sessionUpdate": "terminal_output_chunk", "terminalId": "t1", "data": 3 }),
                )],
            ),
            KindsThatDoNotMatter => (
                "E1",
                vec![
                    (V2, json!({ "sessionUpdate": "plan_update", "plan": 3 })),
                    (V1, json!({ "sessionUpdate": "_odd" })),
                ],
            ),
        }
    }
}

fn extend(object: &mut Value, fields: &Value) {
    for (name, field) in fields.as_object().unwrap() {
        object[name] = field.clone();
    }
}
