//! Section 2: the background list.

use serde_json::json;

use crate::transcript::*;

#[test]
fn b1_a_concrete_array_replaces_the_previous_list() {
    let mut client = Client::new();
    client.idle("S", &[terminal("t"), call("c")]);
    assert_eq!(
        client.background("S"),
        ["terminal t running", "tool_call c running"]
    );
    client.state("S", "running", &[child("K"), terminal("u")]);
    assert_eq!(
        client.background("S"),
        ["subagent K running", "terminal u running"]
    );
    assert_eq!(client.reported("S"), "listed");
}

#[test]
fn b1_an_empty_array_means_that_nothing_runs() {
    let mut client = Client::new();
    client.idle("S", &[terminal("t")]).idle("S", &[]);
    assert_eq!(client.background("S"), NONE);
    assert_eq!(client.reported("S"), "listed");
    assert_eq!(client.activity("S"), "quiet");
}

#[test]
fn b2_omitted_and_null_mean_not_reported_never_at_first_and_lost_later() {
    for absent in [json!({}), json!({ "background": null })] {
        let mut client = Client::new();
        client.snapshot("S", "idle", absent.clone());
        assert_eq!(client.reported("S"), "never");
        client
            .idle("S", &[terminal("t")])
            .snapshot("S", "idle", absent.clone());
        assert_eq!(client.reported("S"), "lost");
        assert_eq!(client.background("S"), NONE);
        client.snapshot("S", "idle", absent);
        assert_eq!(client.reported("S"), "lost");
        client.idle("S", &[]);
        assert_eq!(client.reported("S"), "listed");
    }
}

#[test]
fn b3_a_malformed_list_counts_as_not_reported_as_a_whole() {
    let good = terminal("t");
    for (list, path) in [
        (json!("t"), "background"),
        (json!(0), "background"),
        (json!(false), "background"),
        (json!({ "0": good }), "background"),
        (json!([good, 3]), "background[1]"),
        (json!([good, null]), "background[1]"),
        (json!([good, []]), "background[1]"),
        (json!([{}, good]), "background[0].type"),
        (json!([good, { "type": null }]), "background[1].type"),
        (
            json!([good, { "type": 3, "terminalId": "u" }]),
            "background[1].type",
        ),
        (
            json!([good, { "type": "terminal" }]),
            "background[1].terminalId",
        ),
        (
            json!([good, { "type": "terminal", "terminalId": 3 }]),
            "background[1].terminalId",
        ),
        (
            json!([good, { "type": "tool_call", "terminalId": "u" }]),
            "background[1].toolCallId",
        ),
        (
            json!([good, { "type": "subagent", "sessionId": null }]),
            "background[1].sessionId",
        ),
    ] {
        let mut client = Client::new();
        client
            .terminal("S", "t")
            .terminal("S", "u")
            .call("S", "c", "in_progress");
        client.snapshot("S", "idle", json!({ "background": list }));
        assert_eq!(
            client.problems(),
            [format!("malformed_background update.{path}")]
        );
        assert_eq!(client.reported("S"), "never", "{list}");
        assert_eq!(client.background("S"), NONE, "{list}");
        assert_eq!(client.abandoned("S"), NONE, "{list}");
        assert_eq!(client.foreground("S"), "idle", "{list}");
        client.idle("S", &[terminal("t")]);
        client.snapshot("S", "idle", json!({ "background": list }));
        assert_eq!(client.reported("S"), "lost", "{list}");
        assert_eq!(client.started(), NONE, "{list}");
        assert_eq!(client.ended(), NONE, "{list}");
    }
}

#[test]
fn b4_an_item_of_an_unknown_type_is_one_running_piece_of_work() {
    let mut client = Client::new();
    client.idle(
        "S",
        &[terminal("t"), json!({ "type": "_remote", "sessionId": 3 })],
    );
    assert_eq!(client.problems(), NONE);
    assert_eq!(
        client.background("S"),
        ["terminal t running", "other 1 running"]
    );
    assert_eq!(client.item("S", 1)["kind"], "_remote");
    assert_eq!(client.close_plan("S")["counts"]["other"], 1);
    assert_eq!(client.close_plan("S")["counts"]["running"], 2);
    client.idle("S", &[json!({ "type": "_remote" })]);
    assert_eq!(client.activity("S"), "background");
}

#[test]
fn b5_the_same_type_and_id_twice_in_one_list_is_one_item() {
    let mut client = Client::new();
    client.idle(
        "S",
        &[
            terminal("x"),
            call("x"),
            terminal("x"),
            child("x"),
            call("x"),
            child("x"),
        ],
    );
    let once = [
        "terminal x running",
        "tool_call x running",
        "subagent x running",
    ];
    assert_eq!(client.background("S"), once);
    assert_eq!(
        client.started(),
        ["S terminal x", "S tool_call x", "S subagent x"]
    );
}

#[test]
fn b6_a_listed_id_that_was_never_announced_is_listed_and_runs() {
    let mut client = Client::new();
    client.idle("S", &[terminal("t"), call("c"), child("K")]);
    let all = [
        "terminal t running",
        "tool_call c running",
        "subagent K running",
    ];
    assert_eq!(client.background("S"), all);
    for position in 0..3 {
        let item = client.item("S", position);
        assert_eq!(item["announced"], false);
        assert_eq!(item["startedAt"], json!(null));
        assert_eq!(item["stopTarget"], json!(null));
    }
    assert_eq!(client.session_ids(), ["S"]);
    client
        .terminal("S", "t")
        .call("S", "c", "in_progress")
        .child("S", "K", "running");
    for position in 0..3 {
        assert_eq!(client.item("S", position)["announced"], true);
    }
}

#[test]
fn b6_what_another_session_announced_was_not_announced_here() {
    let mut client = Client::new();
    client
        .exit("P", "t")
        .call("P", "c", "completed")
        .idle_child("P", "K", &[]);
    client.idle("S", &[terminal("t"), call("c"), child("K")]);
    let all = [
        "terminal t running",
        "tool_call c running",
        "subagent K running",
    ];
    assert_eq!(client.background("S"), all);
    for position in 0..3 {
        assert_eq!(client.item("S", position)["announced"], false, "{position}");
    }
}

#[test]
fn b7_an_item_that_finishes_while_listed_is_finished_until_it_is_dropped() {
    let mut client = Client::new();
    let list = [terminal("t"), call("c"), child("K")];
    client
        .terminal("S", "t")
        .call("S", "c", "in_progress")
        .child("S", "K", "running");
    client.idle("S", &list);
    client
        .exit("S", "t")
        .call("S", "c", "failed")
        .idle_child("S", "K", &[]);
    let finished = [
        "terminal t finished",
        "tool_call c finished",
        "subagent K finished",
    ];
    assert_eq!(client.background("S"), finished);
    assert_eq!(client.stops("S"), NONE);
    client.idle("S", &list);
    assert_eq!(client.background("S"), finished);
    client.idle("S", &[]);
    assert_eq!(client.background("S"), NONE);
}

#[test]
fn b7_an_item_that_finished_before_it_is_listed_runs() {
    let mut client = Client::new();
    let list = [terminal("t"), call("c"), child("K")];
    client
        .exit("S", "t")
        .call("S", "c", "completed")
        .idle_child("S", "K", &[]);
    client.idle("S", &[]).idle("S", &list);
    let running = [
        "terminal t running",
        "tool_call c running",
        "subagent K running",
    ];
    assert_eq!(client.background("S"), running);
    assert_eq!(client.stops("S"), running);
    client.idle("S", &list);
    assert_eq!(client.background("S"), running);
}

#[test]
fn b7_an_item_that_finished_while_listed_runs_when_it_is_listed_after_no_report() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .idle("S", &[terminal("t")])
        .exit("S", "t");
    client.bare("S", "idle").idle("S", &[terminal("t")]);
    assert_eq!(client.background("S"), ["terminal t running"]);
}

#[test]
fn b7_it_runs_until_the_agent_reports_its_state_again() {
    let mut client = Client::new();
    client
        .exit("S", "t")
        .call("S", "c", "completed")
        .idle_child("S", "K", &[]);
    client.idle("S", &[terminal("t"), call("c"), child("K")]);
    client.terminal_with("S", "t", json!({ "command": "make", "exitStatus": 3 }));
    client.call_with("S", "c", json!({ "title": "Build", "status": 3 }));
    client.child_with("S", "K", json!({ "title": "Worker", "state": "idle" }));
    let running = [
        "terminal t running",
        "tool_call c running",
        "subagent K running",
    ];
    assert_eq!(client.background("S"), running);
    client
        .exit("S", "t")
        .call("S", "c", "completed")
        .idle("K", &[]);
    let finished = [
        "terminal t finished",
        "tool_call c finished",
        "subagent K finished",
    ];
    assert_eq!(client.background("S"), finished);
}

#[test]
fn b7_a_null_status_is_a_report_of_the_state() {
    let mut client = Client::new();
    client
        .exit("S", "t")
        .call("S", "c", "completed")
        .idle("S", &[terminal("t"), call("c")]);
    client.terminal_with("S", "t", json!({ "exitStatus": null }));
    client.call_with("S", "c", json!({ "status": null }));
    assert_eq!(
        client.background("S"),
        ["terminal t running", "tool_call c pending"]
    );
    assert_eq!(client.unfinished("S"), ["c"]);
    client.idle("S", &[]);
    assert_eq!(client.running_terminals("S"), ["t"]);
    assert_eq!(client.abandoned("S"), ["c", "t"]);
}

#[test]
fn b7_it_runs_until_the_list_drops_it() {
    let mut client = Client::new();
    client.exit("S", "t").idle("S", &[terminal("t")]);
    assert_eq!(client.the_terminal("S", "t")["exit"], json!(null));
    client.idle("S", &[]);
    let exit = json!({ "exitCode": 0, "signal": null });
    assert_eq!(client.the_terminal("S", "t")["exit"], exit);
    assert_eq!(client.abandoned("S"), NONE);
}

#[test]
fn b7_of_a_call_so_revived_only_the_item_reads_running() {
    let mut client = Client::new();
    client
        .call("S", "c", "in_progress")
        .call("S", "c", "completed")
        .idle("S", &[call("c")]);
    assert_eq!(client.background("S"), ["tool_call c running"]);
    let call = client.the_call("S", "c");
    assert_eq!(call["status"], "completed");
    assert_eq!(call["shown"], "completed");
    assert_eq!(call["endedAt"], 2000);
    assert_eq!(client.unfinished("S"), NONE);
}
