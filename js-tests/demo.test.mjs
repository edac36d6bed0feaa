// xtask/demo.mjs, with the built package.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { TESTS, app, write } from "./support/app.mjs";

const root = path.dirname(TESTS);
const script = path.join(root, "xtask/demo.mjs");
const trace = path.join(root, "tests/traces/claude-agent-acp/02-background-shell-exits.jsonl");
const folder = app("demo");

const demo = (...args) => spawnSync(process.execPath, [script, ...args], { encoding: "utf8", timeout: 60_000 });

test("a session with a background shell, for a reader", () => {
  const { status, stdout, stderr } = demo(trace);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.ok(!stdout.includes("\u001b"), "no colours in a pipe");
  for (const part of [
    /^ {5}7\.179 {2}background {7}agent: state is idle \(end_turn\), lists 1 in the background$/m,
    /^ +background {2}terminal “for i in .*” running$/m,
    /^ +closing {2}Closing will stop 1 background task$/m,
    /^ {4}19\.117 {2}quiet /m,
  ]) {
    assert.match(stdout, part);
  }
});

test("no warning is told from a certain plan that has nothing to warn of", () => {
  const update = { sessionUpdate: "state_update", state: "idle" };
  const idle = (more) => ({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: { ...update, ...more } } });
  const lines = [idle({}), idle({ background: [] })].map((msg, index) => JSON.stringify({ t: index, dir: "recv", msg }));
  const file = write(folder, "uncertain.jsonl", lines.join("\n"));
  assert.match(
    demo(file).stdout,
    /0\.000 {2}unknown .*\n[^]* closing {2}no warning, but the plan is not certain\n[^]*0\.001 {2}quiet [^]* closing {2}stops nothing that needs a warning\n/,
  );
  const moments = demo(file, "--json").stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(moments.map(({ closeWarning, closeCertain }) => [closeWarning, closeCertain]), [[null, false], [null, true]]);
});

test("one JSON object a line", () => {
  const { status, stdout } = demo(trace, "--json");
  assert.equal(status, 0);
  const moments = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  const idle = moments.find(({ at }) => at === 7179);
  assert.equal(idle.activity, "background");
  assert.equal(idle.closeWarning, "Closing will stop 1 background task");
  assert.deepEqual(idle.background.map(({ type, status }) => [type, status]), [["terminal", "running"]]);
  assert.equal(moments.at(-1).activity, "quiet");
});

test("every recorded session is told without a gap in the words", () => {
  const folders = fs.readdirSync(path.join(root, "tests/traces"));
  const files = folders.flatMap((agent) => {
    const names = fs.readdirSync(path.join(root, "tests/traces", agent));
    return names.filter((name) => !name.endsWith(".expected.jsonl")).map((name) => path.join(agent, name));
  });
  assert.equal(files.length, 46);
  for (const name of files) {
    const { status, stdout } = demo(path.join(root, "tests/traces", name));
    assert.equal(status, 0, name);
    assert.ok(!/undefined|\[object|unknown request|“null”/.test(stdout), name);
  }
});

test("what is no trace gets one sentence", () => {
  const cases = [
    ["text.jsonl", "hello\n", "text.jsonl is no recorded session: line 1 is not JSON.\n"],
    ["cut.jsonl", '{"t":1,"dir":"send","msg":{}}\n{"t":2,', "cut.jsonl is no recorded session: line 2 is not JSON.\n"],
    ["list.jsonl", "\n[]\n", "list.jsonl is no recorded session: line 2 is no JSON object.\n"],
    ["time.jsonl", '{"dir":"send","msg":{}}', "line 1 has no time, a number t of milliseconds.\n"],
    ["dir.jsonl", '{"t":1,"msg":{}}', 'line 1 has no direction, a dir of "recv" or "send".\n'],
    ["msg.jsonl", '{"t":1,"dir":"recv","msg":3}', "line 1 has no message, an object msg.\n"],
    ["empty.jsonl", "", "line 1 is missing, the file is empty.\n"],
  ];
  for (const [name, text, sentence] of cases) {
    const { status, stdout, stderr } = demo(write(folder, name, text));
    assert.deepEqual([status, stdout], [1, ""], name);
    assert.ok(stderr.endsWith(sentence) && stderr.split("\n").length === 2, stderr);
  }
});

test("a missing file gets one sentence", () => {
  const { status, stderr } = demo(path.join(folder, "missing.jsonl"));
  assert.equal(status, 1);
  assert.match(stderr, /^There is no trace .*missing\.jsonl: give a path such as tests\/traces\/\S+\/02-background-shell-exits\.jsonl\.\n$/);
});

test("what an agent wrote sends no control characters to the terminal", () => {
  const update = { sessionUpdate: "tool_call_update", toolCallId: "c", title: "\u001b[31mred\nalert\u0007" };
  const msg = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } };
  const file = write(folder, "escape.jsonl", JSON.stringify({ t: 1, dir: "recv", msg }));
  assert.match(demo(file).stdout, /tool call “\[31mred alert” is updated/);
});

test("a reader that closes the pipe ends it", async () => {
  const child = spawn(process.execPath, [script, trace], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (data) => (stderr += data));
  const [code] = await once(child, "close");
  assert.deepEqual([code, stderr], [0, ""]);
});
