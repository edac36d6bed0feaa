//! Section 8: requests.

use serde_json::json;

use crate::transcript::*;

#[test]
fn p1_one_and_the_text_one_are_two_ids() {
    let mut client = Client::new();
    client
        .permission("S", 1, json!(null))
        .permission("S", "1", json!(null));
    client.permission("S", json!(null), json!(null));
    assert_eq!(client.pending("S"), json!([1, "1", null]));
    client.answer("1");
    assert_eq!(client.pending("S"), json!([1, null]));
}

#[test]
fn p1_a_repeated_id_replaces_the_pending_one_and_comes_last() {
    let mut client = Client::new();
    client
        .permission("S", 1, for_call("c"))
        .permission("S", 2, json!(null));
    client.withdraw(1).permission("S", 1, for_call("d"));
    assert_eq!(client.pending("S"), json!([2, 1]));
    assert_eq!(client.requests("S")[1]["toolCallId"], "d");
    assert_eq!(client.requests("S")[1]["since"], 4000);
    assert_eq!(client.pending_due("S"), json!([]));
    client.elicitation("T", 1);
    assert_eq!(client.pending("S"), json!([2]));
    assert_eq!(client.pending("T"), json!([1]));
}

#[test]
fn p1_the_tool_call_of_a_subject_is_applied_before_anything_else() {
    let mut client = Client::new();
    client.state("S", "running", &[terminal("t")]);
    let tool_call = json!({ "toolCallId": "c", "title": "Build", "content": [terminal("t")] });
    client.permission(
        "S",
        1,
        json!({ "type": "tool_call", "toolCall": tool_call }),
    );
    assert_eq!(client.the_call("S", "c")["title"], "Build");
    assert_eq!(client.owners("S"), ["background"]);
    assert_eq!(client.requests("S")[0]["toolCallId"], "c");
    client.permission("S", 2, for_command("d", "u"));
    assert_eq!(client.the_call("S", "d"), json!(null));
    assert_eq!(client.requests("S")[1]["terminalId"], "u");
}

#[test]
fn p2_a_request_ends_when_the_client_answers_it() {
    let mut client = Client::new();
    client
        .permission("S", 1, json!(null))
        .elicitation("S", 2)
        .answer(1);
    assert_eq!(client.pending("S"), json!([2]));
    client.answer(2);
    assert_eq!(client.pending("S"), json!([]));
}

#[test]
fn p2_a_withdrawn_request_is_due_and_still_has_to_be_answered() {
    let mut client = Client::new();
    client.permission("S", 1, json!(null)).withdraw(1);
    assert_eq!(client.due(), json!([1]));
    assert_eq!(client.pending("S"), json!([1]));
    assert_eq!(client.pending_due("S"), json!([1]));
    client.withdraw(1);
    assert_eq!(client.due(), json!([]));
}

#[test]
fn p2_for_an_id_that_is_not_pending_it_changes_nothing() {
    let mut client = Client::new();
    client.permission("S", 1, json!(null)).withdraw("1");
    assert_eq!(client.due(), json!([]));
    assert_eq!(client.changed(), NONE);
    client.answer(1).withdraw(1);
    assert_eq!(client.due(), json!([]));
    assert_eq!(client.changed(), NONE);
}

#[test]
fn p3_each_permission_request_says_whom_it_belongs_to_as_of_now() {
    let mut client = Client::new();
    client
        .bare("S", "running")
        .permission("S", 1, for_call("c"));
    assert_eq!(client.owners("S"), ["unattributed"]);
    client.state("S", "running", &[]);
    assert_eq!(client.owners("S"), ["foreground"]);
    client.state("S", "running", &[call("c")]);
    assert_eq!(client.owners("S"), ["background"]);
    client.state("S", "running", &[terminal("t")]);
    assert_eq!(client.owners("S"), ["foreground"]);
    client.chunk("S", "c", terminal("t"));
    assert_eq!(client.owners("S"), ["background"]);
    client.permission("S", 2, json!(null));
    assert_eq!(client.owners("S"), ["background", "unattributed"]);
}

#[test]
fn p4_an_elicitation_is_a_pending_request_of_its_own_kind() {
    let mut client = Client::new();
    client.state("S", "running", &[]).elicitation("S", 1);
    assert_eq!(client.requests("S")[0]["kind"], "elicitation");
    assert_eq!(client.requests("S")[0]["belongsTo"], json!(null));
    assert_eq!(client.cancel_plan("S")["keepOpen"], json!([1]));
    client.cancel("S");
    assert_eq!(client.pending_due("S"), json!([]));
    client.withdraw(1);
    assert_eq!(client.due(), json!([1]));
}

#[test]
fn p4_closing_makes_an_elicitation_due() {
    let mut client = Client::new();
    client
        .state("S", "running", &[])
        .elicitation("S", 1)
        .closed("S");
    assert_eq!(client.due(), json!([1]));
}

#[test]
fn p4_an_elicitation_without_a_session_is_none_of_a_session() {
    let mut client = Client::new();
    let message = json!({ "id": 1, "method": "elicitation/create", "params": { "message": "?" } });
    client.open("S").received(message);
    assert_eq!(client.pending("S"), json!([]));
    assert_eq!(client.problems(), NONE);
    let params = json!({ "sessionId": "S", "message": "?" });
    client.received(json!({ "id": 1, "method": "elicitation/create", "params": params }));
    assert_eq!(client.pending("S"), json!([1]));
}

#[test]
fn p5_a_request_for_a_closed_session_is_due_at_once_and_its_subject_not_applied() {
    let mut client = Client::new();
    client
        .idle("S", &[])
        .closed("S")
        .permission("S", 1, for_call("c"));
    assert_eq!(client.due(), json!([1]));
    assert_eq!(client.the_call("S", "c"), json!(null));
    client.elicitation("S", 2);
    assert_eq!(client.due(), json!([2]));
    assert_eq!(client.pending_due("S"), json!([1, 2]));
}

#[test]
fn p5_the_requests_of_a_deleted_session_become_due() {
    let mut client = Client::new();
    client
        .permission("S", 1, json!(null))
        .child("S", "K", "running")
        .elicitation("K", 2);
    client.permission("T", 3, json!(null)).delete("S");
    assert_eq!(client.due(), json!([1, 2]));
    assert_eq!(client.pending("T"), json!([3]));
}

#[test]
fn p6_a_prompt_is_pending_from_its_sending_to_its_answer() {
    let mut client = Client::new();
    client.prompt("S", 1).prompt("S", 2);
    assert_eq!(client.view("S")["prompts"], json!([1, 2]));
    client.prompt_answered(1).prompt_failed(2, 1);
    assert_eq!(client.view("S")["prompts"], json!([]));
    assert_eq!(client.foreground("S"), "idle");
    client.prompt_answered(3);
    assert_eq!(client.changed(), NONE);
}

#[test]
fn p6_the_error_32002_means_that_the_agent_does_not_have_the_session() {
    let mut client = Client::new();
    client
        .idle("S", &[terminal("t")])
        .idle_child("S", "K", &[])
        .idle("T", &[]);
    client
        .permission("S", 1, json!(null))
        .elicitation("K", 2)
        .prompt("S", 1);
    client.prompt_failed(1, -32002);
    for session in ["S", "K"] {
        assert_eq!(client.foreground(session), "unknown", "{session}");
        assert_eq!(client.reported(session), "lost", "{session}");
        assert_eq!(client.pending(session), json!([]), "{session}");
    }
    assert_eq!(client.activity("T"), "quiet");
}

#[test]
fn p6_not_for_a_child_which_may_take_no_prompts() {
    let mut client = Client::new();
    client
        .idle_child("S", "K", &[])
        .prompt("K", 1)
        .prompt_failed(1, -32002);
    assert_eq!(client.activity("K"), "quiet");
    assert_eq!(client.view("K")["prompts"], json!([]));
}
