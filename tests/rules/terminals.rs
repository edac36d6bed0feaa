//! Section 4: terminals.

use serde_json::json;

use crate::transcript::*;

#[test]
fn m1_first_seen_a_terminal_runs() {
    let mut client = Client::new();
    client.terminal_with("S", "t", json!({}));
    let expected = json!({
        "terminalId": "t", "command": null, "cwd": null, "exit": null, "shown": "running",
        "listed": false, "toolCallIds": [], "stopTarget": null, "stop": "none",
        "outputTail": null, "startedAt": 1000, "endedAt": null,
    });
    assert_eq!(client.the_terminal("S", "t"), expected);
    assert_eq!(client.running_terminals("S"), ["t"]);
}

#[test]
fn m1_an_update_is_a_patch() {
    let mut client = Client::new();
    client.terminal_with("S", "t", json!({ "command": "make", "cwd": "/src" }));
    client.terminal_with("S", "t", json!({ "command": 3, "cwd": [] }));
    assert_eq!(client.the_terminal("S", "t")["command"], "make");
    assert_eq!(client.the_terminal("S", "t")["cwd"], "/src");
    client.terminal_with("S", "t", json!({ "command": null, "cwd": "/tmp" }));
    assert_eq!(client.the_terminal("S", "t")["command"], json!(null));
    assert_eq!(client.the_terminal("S", "t")["cwd"], "/tmp");
    assert_eq!(client.running_terminals("S"), ["t"]);
}

#[test]
fn m1_capabilities_are_patched_as_those_of_a_call() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .terminal_with("S", "t", json!({ "capabilities": [] }));
    assert_eq!(client.how_to_stop("S", &terminal("t")), "terminal/cancel");
    client.terminal_with("S", "t", json!({ "capabilities": { "cancel": true } }));
    assert_eq!(client.how_to_stop("S", &terminal("t")), "not_cancellable");
    client
        .terminal("S", "t")
        .terminal_with("S", "t", json!({ "capabilities": null }));
    assert_eq!(client.how_to_stop("S", &terminal("t")), "not_cancellable");
}

#[test]
fn m1_an_exit_status_that_is_an_object_means_exited() {
    for (status, code, signal) in [
        (json!({}), json!(null), json!(null)),
        (json!({ "exitCode": 3 }), json!(3), json!(null)),
        (
            json!({ "exitCode": -1, "signal": "TERM" }),
            json!(-1),
            json!("TERM"),
        ),
        (
            json!({ "exitCode": 1.5, "signal": 9 }),
            json!(null),
            json!(null),
        ),
        (
            json!({ "exitCode": "0", "signal": [] }),
            json!(null),
            json!(null),
        ),
        (
            json!({ "exitCode": 9_007_199_254_740_991_i64 }),
            json!(9_007_199_254_740_991_i64),
            json!(null),
        ),
        (
            json!({ "exitCode": 9_007_199_254_740_992_i64 }),
            json!(null),
            json!(null),
        ),
        (json!({ "exitCode": 1e300 }), json!(null), json!(null)),
    ] {
        let mut client = Client::new();
        client.terminal_with("S", "t", json!({ "exitStatus": status }));
        let exit = json!({ "exitCode": code, "signal": signal });
        assert_eq!(client.the_terminal("S", "t")["exit"], exit, "{status}");
        assert_eq!(client.terminal_shown("S", "t"), "exited", "{status}");
        assert_eq!(client.running_terminals("S"), NONE, "{status}");
    }
}

#[test]
fn m1_a_null_exit_status_means_not_exited() {
    let mut client = Client::new();
    client
        .exit("S", "t")
        .terminal_with("S", "t", json!({ "exitStatus": null }));
    assert_eq!(client.the_terminal("S", "t")["exit"], json!(null));
    assert_eq!(client.running_terminals("S"), ["t"]);
}

#[test]
fn m1_any_other_exit_status_counts_as_omitted() {
    for wrong in [json!(0), json!("exited"), json!([]), json!(true)] {
        let mut client = Client::new();
        client.terminal_with("S", "t", json!({ "exitStatus": wrong }));
        assert_eq!(client.running_terminals("S"), ["t"], "{wrong}");
        client
            .exit("S", "t")
            .terminal_with("S", "t", json!({ "exitStatus": wrong }));
        assert_eq!(client.running_terminals("S"), NONE, "{wrong}");
    }
}

#[test]
fn m2_output_neither_creates_a_terminal_nor_changes_what_runs() {
    let mut client = Client::new();
    client.idle("S", &[]).output("S", "t", b"hello");
    assert_eq!(client.the_terminal("S", "t"), json!(null));
    assert_eq!(client.activity("S"), "quiet");
    assert_eq!(client.changed(), NONE);

    client.exit("S", "u").output("S", "u", b"hello");
    assert_eq!(client.terminal_shown("S", "u"), "exited");
    assert_eq!(client.running_terminals("S"), NONE);
    assert_eq!(client.tail("S", "u"), "hello");
    client.terminal_with("S", "t", json!({}));
    assert_eq!(client.tail("S", "t"), json!(null));
}

#[test]
fn m2_output_as_an_object_replaces_the_output_and_null_clears_it() {
    let mut client = Client::new();
    client.terminal("S", "t").output("S", "t", b"one");
    client.terminal_with("S", "t", json!({ "output": { "data": base64(b"two") } }));
    assert_eq!(client.tail("S", "t"), "two");
    client.output("S", "t", b" three");
    assert_eq!(client.tail("S", "t"), "two three");
    for omitted in [json!(3), json!("x"), json!([])] {
        client.terminal_with("S", "t", json!({ "output": omitted }));
        assert_eq!(client.tail("S", "t"), "two three");
    }
    client.terminal_with("S", "t", json!({ "output": null }));
    assert_eq!(client.tail("S", "t"), json!(null));
}

#[test]
fn m2_the_tail_is_the_last_line_that_says_anything() {
    for (output, tail) in [
        ("one\ntwo\n", json!("two")),
        ("one\ntwo\n\n  \t\n", json!("two")),
        ("10%\r50%\r100%", json!("100%")),
        ("100%\r   ", json!("100%")),
        ("one\r\n", json!("one")),
        ("  padded\t ", json!("padded")),
        ("\u{1b}[31mred\u{1b}[0m", json!("red")),
        ("one\n\u{1b}[2K\u{1b}[1;1H\n", json!("one")),
        ("\u{1b}]0;title\u{7}prompt", json!("prompt")),
        (
            "\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\",
            json!("link"),
        ),
        ("", json!(null)),
        (" \n\r\n\u{1b}[0m", json!(null)),
        ("héllo ⠋", json!("héllo ⠋")),
    ] {
        let mut client = Client::new();
        client
            .terminal("S", "t")
            .output("S", "t", output.as_bytes());
        assert_eq!(client.tail("S", "t"), tail, "{output:?}");
    }
}

#[test]
fn m2_utf8_and_lines_and_escape_sequences_join_across_chunks() {
    for output in ["é ⠋ 😀 done", "\u{1b}[38;5;12mblue\u{1b}[0m", "one\r\ntwo"] {
        let mut whole = Client::new();
        whole.terminal("S", "t").output("S", "t", output.as_bytes());
        let mut parts = Client::new();
        parts.terminal("S", "t");
        for byte in output.as_bytes() {
            parts.output("S", "t", &[*byte]);
        }
        assert_eq!(parts.tail("S", "t"), whole.tail("S", "t"), "{output:?}");
        assert!(whole.tail("S", "t").is_string());
    }
}

#[test]
fn m2_only_the_last_4_kib_count() {
    let mut client = Client::new();
    client.terminal("S", "t").output("S", "t", b"first\n");
    client.output("S", "t", &[b'\n'; 4090]);
    assert_eq!(client.tail("S", "t"), "first");
    client.output("S", "t", &[b'\n'; 4096]);
    assert_eq!(client.tail("S", "t"), json!(null));
    client.output("S", "t", &[b'x'; 10_000]);
    assert_eq!(client.tail("S", "t"), "x".repeat(4096));
}

#[test]
fn m3_a_terminal_that_has_exited_cannot_be_stopped_whatever_it_advertises() {
    let mut client = Client::new();
    client.exit("S", "t").terminal("S", "t");
    assert_eq!(client.how_to_stop("S", &terminal("t")), "finished");
    assert_eq!(client.the_terminal("S", "t")["stopTarget"], json!(null));
}

#[test]
fn m3_unless_it_runs_by_the_list_then_it_is_shown_so() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .exit("S", "t")
        .idle("S", &[terminal("t")]);
    assert_eq!(client.how_to_stop("S", &terminal("t")), "terminal/cancel");
    assert_eq!(client.the_terminal("S", "t")["exit"], json!(null));
    assert_eq!(client.terminal_shown("S", "t"), "running");
    assert_eq!(client.running_terminals("S"), ["t"]);
}

#[test]
fn m2_a_tab_is_part_of_a_line_and_other_controls_are_not() {
    let mut client = Client::new();
    client
        .terminal("S", "t")
        .output("S", "t", b"one\ttwo\x07\x08 three");
    assert_eq!(client.tail("S", "t"), "one\ttwo three");
}

#[test]
fn m2_the_end_of_a_long_chunk_is_read_wherever_it_is_cut() {
    for length in 4090..4130 {
        let mut output = vec![b'x'; length];
        output.extend(b"\nlast line");
        let mut client = Client::new();
        client.terminal("S", "t").output("S", "t", &output);
        assert_eq!(client.tail("S", "t"), "last line", "{length}");
    }
}

#[test]
fn m2_the_tail_stays_after_the_exit() {
    for output in ["one\ntwo", "one\ntwo\n", "one\r\ntwo\r\n \r\n", "two"] {
        let mut client = Client::new();
        client
            .terminal("S", "t")
            .output("S", "t", output.as_bytes())
            .exit("S", "t");
        assert_eq!(client.tail("S", "t"), "two", "{output:?}");
    }
}

#[test]
fn m2_no_more_output_is_kept_than_may_be_answered() {
    let mut client = Client::new();
    client.terminal("S", "t");
    let empty = client.saved().len();
    for _ in 0..20 {
        client.output("S", "t", &[b'x'; 4000]);
        client.output("S", "t", b"\nlast line\n");
    }
    assert!(client.saved().len() - empty <= 10_000);
    client.exit("S", "t");
    assert!(client.saved().len() - empty <= 200);
    assert_eq!(client.tail("S", "t"), "last line");
}
