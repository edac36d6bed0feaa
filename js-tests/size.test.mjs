// Long, wide and deep: nothing overflows or takes for ever, and what is not kept takes no memory. As tests/laws/size.rs.

import assert from "node:assert/strict";
import test from "node:test";
import { ClientState } from "acp-client-state";
import { MEBIBYTE, isFlat, sizes, staysFlat } from "./support/memory.mjs";

const S = "S";
const update = (sessionId, sessionUpdate, fields) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update: { sessionUpdate, ...fields } },
});
const call = (toolCallId, fields) => update(S, "tool_call_update", { toolCallId, ...fields });

/** A new string of its own each time, of so many letters. */
const long = (length, letter) => letter.repeat(length - 1) + String.fromCharCode(97 + Math.floor(Math.random() * 26));

const MEGABYTES_10 = 10_000_000;

test("messages of 10 MB of which nothing is kept cost the wasm no memory", () => {
  const state = new ClientState();
  state.received(call("c", { title: "x" }), 1);
  const text = long(MEGABYTES_10, "é");
  const messages = [
    update(S, "agent_message_chunk", { content: { type: "text", text } }),
    call("c", { rawInput: { diff: text }, content: [{ type: "diff", path: "/a", newText: text }] }),
    { jsonrpc: "2.0", method: text, params: { text } },
    call("c", { [text]: 1, _meta: { [text]: text } }),
    { jsonrpc: "2.0", id: 1, result: { text } },
  ];
  // Before what is compared: writing makes the text one piece.
  const given = messages.flatMap((message) => [JSON.stringify(message), message]);
  const before = sizes();
  for (const message of given) {
    const { changed, problems } = state.received(message, 2);
    assert.deepEqual([changed, problems], [[], []]);
  }
  isFlat(before, sizes());
  assert.ok(given.length > 0);
  assert.ok(JSON.stringify(state).length < 1000);
  state.free();
});

test("of 10 MB of terminal output little is kept, and of titles of 10 MB the last", () => {
  const state = new ClientState();
  const data = "eHh4".repeat(MEGABYTES_10 / 4);
  let title;
  const each = () => {
    state.received(update(S, "terminal_update", { terminalId: "t", output: { data } }), 1);
    state.received(update(S, "terminal_output_chunk", { terminalId: "t", data }), 2);
    title = long(MEGABYTES_10, "é");
    state.received(call("c", { title }), 3);
    state.received(JSON.stringify(call("c", { title: `${title}!` })), 4);
  };
  for (let count = 0; count < 3; count += 1) each();
  const before = sizes();
  for (let count = 0; count < 5; count += 1) each();
  isFlat(before, sizes());
  assert.equal(state.toolCall(S, "c").title, `${title}!`);
  state.received(call("c", { title: null }), 5);
  assert.ok(JSON.stringify(state).length < 100_000);
  state.free();
});

test("ids of 1 MB are ids like others (E3)", () =>
  staysFlat(() => {
    const state = new ClientState();
    const one = long(500_000, "é");
    const ids = [one, `${one}!`];
    for (const id of ids) {
      state.received(update(id, "tool_call", { toolCallId: id, title: "x" }), 1);
      const listed = update(id, "state_update", { state: "idle", background: [{ type: "tool_call", toolCallId: id }] });
      const { started } = state.received(JSON.stringify(listed), 2);
      assert.deepEqual(started.map((item) => [item.sessionId === id, item.id === id]), [[true, true]]);
      state.received({ jsonrpc: "2.0", id, method: "elicitation/create", params: { sessionId: id } }, 3);
      assert.deepEqual(state.closePlan(id).answerCancelled, [id]);
      assert.equal(state.toolCall(id, id).title, "x");
      assert.equal(state.snapshot(id).requests[0].requestId, id);
    }
    assert.deepEqual(state.sessionIds(), ids);
    const restored = ClientState.fromJSON(JSON.stringify(state));
    assert.deepEqual(restored.sessionIds(), ids);
    restored.free();
    state.free();
  }));

test("of 10⁵ finished calls each keeps at most 150 bytes, which are given back", () => {
  const CALLS = 100_000;
  const fill = () => {
    const state = new ClientState();
    const finish = (n) => state.received(call(`call${String(n).padStart(8, "0")}`, { status: "completed" }), n);
    for (let n = 0; n < 100; n += 1) finish(n);
    const few = sizes();
    for (let n = 100; n < CALLS; n += 1) finish(n);
    return { state, few };
  };
  const { state, few } = fill();
  const many = sizes();
  assert.ok(many.wasm - few.wasm <= 150 * CALLS, `${(many.wasm - few.wasm) / CALLS} bytes`);
  assert.ok(many.heap - few.heap < MEBIBYTE, `the heap grew by ${many.heap - few.heap} bytes`);
  assert.equal(state.toolCall(S, "call00099999").shown, "completed");
  assert.deepEqual(state.snapshot(S).unfinishedToolCalls, []);
  state.free();
  fill().state.free();
  isFlat(many, sizes());
});

// ---- children ----

const CHILDREN = 10_000;
const SHELL = { type: "terminal", terminalId: "t" };
const listed = (number) => ({ type: "subagent", sessionId: String(number) });

/** The message that a session has a child, which runs and lists something. */
function child(parent, number, item = SHELL) {
  const state = { state: "running", background: [item] };
  return update(String(parent), "subagent_update", { sessionId: String(number), state });
}

/** Asks about, closes, saves, restores and deletes session 0 and its descendants. So many items end. */
function end(state, items) {
  const all = CHILDREN + 1;
  const last = String(CHILDREN);
  state.received({ jsonrpc: "2.0", id: 1, method: "elicitation/create", params: { sessionId: last } }, 2);
  assert.equal(state.requests("0", true).length, 1);
  assert.deepEqual(state.closePlan("0").answerCancelled, [1]);
  assert.equal(state.sessionIds().length, all);

  state.apply({ type: "close_sent", sessionId: "0" }, 3);
  const { ended, answerDue } = state.apply({ type: "close_answered", sessionId: "0" }, 4);
  assert.deepEqual([ended.length, answerDue], [items, [1]]);
  assert.equal(state.activity(last), "closed");

  state.apply({ type: "resume_sent", sessionId: "0" }, 5);
  const restored = ClientState.fromJSON(JSON.stringify(state));
  state.free();
  assert.equal(restored.activity(last), "unknown");
  assert.equal(restored.apply({ type: "session_deleted", sessionId: "0" }, 6).changed.length, all);
  assert.deepEqual(restored.sessionIds(), []);
  restored.free();
}

test("10⁴ children in a chain (G4)", () => {
  const state = new ClientState();
  for (let number = CHILDREN; number > 0; number -= 1) {
    state.received(child(number - 1, number, number === CHILDREN ? SHELL : listed(number + 1)), 1);
  }
  state.received(update("0", "state_update", { state: "idle", background: [listed(1)] }), 1);
  assert.deepEqual(state.received(child(CHILDREN, 0), 1).changed, []);
  let depth = 0;
  for (let { background } = state.snapshot("0"); background.length > 0; [{ background }] = background) depth += 1;
  assert.equal(depth, 101);
  end(state, CHILDREN + 1);
});

test("10⁴ children of one session (G4)", () =>
  staysFlat(() => {
    const state = new ClientState();
    const numbers = Array.from({ length: CHILDREN }, (_, index) => index + 1);
    for (const number of numbers) state.received(child(0, number), 1);
    const idle = { state: "idle", background: numbers.map(listed) };
    assert.equal(state.received(update("0", "state_update", idle), 1).started.length, CHILDREN);
    assert.equal(state.snapshot("0").children.length, CHILDREN);
    assert.equal(state.closePlan("0").stops.length, CHILDREN);
    end(state, 2 * CHILDREN);
  }));
