// Rules E1 and E3: nothing that an agent writes throws, panics or poisons the state.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientState } from "acp-client-state";
import { EMPTY, LONE, chunk, idle, quiet, running, update } from "./given.mjs";

const codes = (outcome) => outcome.problems.map((problem) => problem.code);

test("E1 a text that is no JSON, and JSON that is no message", () => {
  const state = quiet();
  for (const text of ["", "{", "\u0000", "undefined", "{'a':1}", "[1", "null", "1", '"x"', "[]", "true"]) {
    const outcome = state.received(text);
    assert.deepEqual(codes(outcome), ["malformed_message"], text);
    assert.deepEqual(outcome.changed, []);
    const [problem] = outcome.problems;
    assert.deepEqual(Object.keys(problem).sort(), ["code", "message", "path", "sessionId"]);
    assert.equal(problem.sessionId, null);
    assert.deepEqual(state.sent(text).changed, []);
  }
  assert.deepEqual(codes(state.received([idle("S", [])])), ["malformed_message"]);
  assert.equal(state.activity("S"), "quiet");
});

test("E1 updates that cannot be read are problems and change nothing", () => {
  const state = quiet();
  const before = JSON.stringify(state);
  const malformed = [
    {},
    { sessionUpdate: null },
    { sessionUpdate: 1 },
    { sessionUpdate: LONE },
    { sessionUpdate: "state_update" },
    { sessionUpdate: "state_update", state: 1 },
    { sessionUpdate: "state_update", state: LONE },
    { sessionUpdate: "tool_call_update" },
    { sessionUpdate: "tool_call_update", toolCallId: 1 },
    { sessionUpdate: "tool_call_update", toolCallId: LONE },
    { sessionUpdate: "terminal_update", terminalId: {} },
    { sessionUpdate: "subagent_update", sessionId: [] },
  ];
  for (const fields of malformed) {
    const outcome = state.received(update("S", fields));
    assert.deepEqual(codes(outcome), ["malformed_update"], JSON.stringify(fields));
    assert.equal(outcome.problems[0].sessionId, "S");
    assert.deepEqual(outcome.changed, []);
  }
  assert.equal(JSON.stringify(state), before);
});

test("E1 unknown kinds and methods are ignored, not problems", () => {
  const state = quiet();
  const before = JSON.stringify(state);
  const ignored = [
    chunk("S"),
    update("S", { sessionUpdate: "made_up_kind", toolCallId: 1 }),
    update("S", { sessionUpdate: "plan", entries: [] }),
    { jsonrpc: "2.0", method: "made/up", id: 1 },
    { jsonrpc: "2.0", method: "fs/read_text_file", id: 2, params: {} },
  ];
  for (const message of ignored) {
    for (const form of [message, JSON.stringify(message)]) {
      assert.deepEqual(state.received(form), EMPTY);
      assert.deepEqual(state.sent(form), EMPTY);
    }
  }
  const { update: fields } = chunk("S").params;
  assert.deepEqual(state.apply({ type: "update", sessionId: "S", update: fields }), EMPTY);
  assert.equal(JSON.stringify(state), before);
});

test("E1 what is malformed in a message of no matter is a problem nonetheless", () => {
  const state = quiet();
  const malformed = [
    { jsonrpc: "2.0", method: "made/up", id: {} },
    { jsonrpc: "2.0", method: LONE },
    { ...chunk("S"), id: 1.5 },
    chunk(1),
    chunk(LONE),
    { jsonrpc: "2.0", method: "session/update", params: { update: chunk("S").params.update } },
  ];
  for (const message of malformed) {
    assert.deepEqual(codes(state.received(message)), ["malformed_message"], JSON.stringify(message));
  }
});

test("E1 getters and proxies that throw read as missing", () => {
  const state = quiet();
  const thrower = new Proxy({}, {
    get() { throw new Error("trap"); },
    has() { throw new Error("trap"); },
    ownKeys() { throw new Error("trap"); },
    getPrototypeOf() { throw new Error("trap"); },
  });
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  const { proxy: revokedList, revoke: revokeList } = Proxy.revocable([], {});
  revoke();
  revokeList();
  const shy = { get method() { throw new Error("getter"); } };
  for (const message of [thrower, revoked, revokedList, shy, new Proxy([], {})]) {
    state.received(message);
    state.sent(message);
  }
  for (const hidden of [thrower, revoked, revokedList]) {
    state.received({ jsonrpc: "2.0", method: "session/update", params: hidden });
    state.received({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "S", update: hidden } });
    state.apply({ type: "update", sessionId: "S", update: hidden });
    assert.throws(() => state.apply(hidden), TypeError);
    assert.throws(() => state.stopPlan("S", hidden), TypeError);
  }
  const call = {
    sessionUpdate: "tool_call_update",
    toolCallId: "c",
    get title() { throw new Error("getter"); },
    status: "in_progress",
    content: new Proxy([{ type: "terminal", terminalId: "t" }], {
      get(target, key) {
        if (key === "0") throw new Error("trap");
        return Reflect.get(target, key);
      },
    }),
  };
  state.received(update("S", call), 5);
  const { title, status, terminals } = state.toolCall("S", "c");
  assert.deepEqual({ title, status, terminals }, { title: null, status: "in_progress", terminals: [] });
  assert.equal(state.activity("S"), "quiet", "the state is as usable as before");
});

test("E1 a getter may call back into the same state", () => {
  const state = quiet();
  const inside = [];
  const message = {
    jsonrpc: "2.0",
    method: "session/update",
    params: {
      get sessionId() {
        inside.push(state.activity("S"));
        state.received(idle("nested", []), 2);
        inside.push(state.snapshot("nested").activity);
        state.apply({ type: "session_opened", sessionId: "opened" }, 2);
        return "S";
      },
      update: { sessionUpdate: "state_update", state: "running" },
    },
  };
  const outcome = state.received(message, 3);
  assert.deepEqual(outcome.changed, ["S"]);
  assert.ok(inside.length >= 2);
  assert.deepEqual(inside.slice(0, 2), ["quiet", "quiet"]);
  assert.equal(state.activity("S"), "busy");
  assert.equal(state.activity("nested"), "quiet");
});

test("a getter may even free the state", () => {
  const state = quiet();
  const freeing = {
    sessionUpdate: "state_update",
    get state() {
      state.free();
      return "running";
    },
  };
  try {
    state.received(update("S", freeing));
  } catch (error) {
    assert.match(error.message, /freed/);
  }
  assert.throws(() => state.activity("S"), /freed/);
  const other = quiet();
  assert.equal(other.activity("S"), "quiet");
});

test("frozen messages, class instances, objects without prototype, proxies", () => {
  const freeze = (value) => {
    if (typeof value === "object" && value !== null) Object.values(value).forEach(freeze);
    return Object.freeze(value);
  };
  class Message {
    #update;
    constructor(fields) { this.#update = fields; }
    get method() { return "session/update"; }
    get params() { return { sessionId: "S", update: this.#update }; }
  }
  const { update: fields } = running("S").params;
  const bare = (value) => Object.assign(Object.create(null), value);
  const forms = [
    freeze(running("S")),
    new Message(fields),
    bare({ method: "session/update", params: bare({ sessionId: "S", update: bare(fields) }) }),
    new Proxy(running("S"), {}),
    JSON.stringify(running("S")),
    ` ${JSON.stringify(running("S"))}\r\n`,
  ];
  for (const message of forms) {
    const state = quiet();
    assert.deepEqual(state.received(message, 5).changed, ["S"]);
    assert.equal(state.activity("S"), "busy");
  }
});

test("E3 any text is an id, and two ids never become one", () => {
  const ids = [
    "", " ", "__proto__", "constructor", "toString", "hasOwnProperty", "length", "0", "-0", "null",
    "undefined", "é", "e\u0301", "\u0000", "a\u0000b", "\ufeff", "\ufeffa", "\ufffd", "😀", "\u2028",
    "x".repeat(100_000), "é".repeat(50_000), "a".repeat(127), "a".repeat(128), "a".repeat(129),
    "é".repeat(42), "é".repeat(43), "é".repeat(64), `${"a".repeat(127)}é`, `${"a".repeat(60)}😀`,
  ];
  const state = new ClientState();
  ids.forEach((id, at) => {
    const outcome = state.received(idle(id, []), at);
    assert.deepEqual(outcome.changed, [id]);
    assert.deepEqual(outcome.becameQuiet, [id]);
  });
  assert.deepEqual(state.sessionIds(), ids);
  ids.forEach((id, at) => {
    assert.equal(state.quietSince(id), at);
    assert.equal(state.snapshot(id).sessionId, id);
    state.received(update(id, { sessionUpdate: "tool_call_update", toolCallId: id, title: id }), at);
    assert.equal(state.toolCall(id, id).toolCallId, id);
    assert.equal(state.toolCall(id, id).title, id);
    assert.equal(state.toolCall(id, `${id}x`), null);
  });
  const restored = ClientState.fromJSON(JSON.stringify(state));
  assert.deepEqual(restored.sessionIds(), ids);
  for (const id of ids) assert.deepEqual(restored.snapshot(id), state.snapshot(id));
  assert.equal({}.sessionId, undefined, "no prototype was touched");
});

test("E3 a replacement character is text, a lone surrogate half is not", () => {
  const state = new ClientState();
  state.received(idle("\ufffd", []), 1);
  assert.deepEqual(state.sessionIds(), ["\ufffd"]);
  for (const half of ["\ud800", "\udc00", "a\ud800", "\udc00\ud800", `${"x".repeat(500)}\ud800`]) {
    assert.deepEqual(state.received(idle(half, [])).changed, []);
    const unread = { sessionUpdate: "tool_call_update", toolCallId: half };
    assert.deepEqual(codes(state.received(update("\ufffd", unread))), ["malformed_update"]);
  }
  assert.deepEqual(state.sessionIds(), ["\ufffd"]);
});

test("E1 odd values in known fields", () => {
  const odd = [null, true, 0, -1, NaN, 1e308, 1n, "x", "", [], {}, [[]], () => {}, Symbol("s"), new Date(0)];
  const state = quiet();
  const kinds = {
    state_update: ["state", "stopReason", "error", "background"],
    tool_call_update: ["toolCallId", "status", "title", "kind", "capabilities", "content", "_meta"],
    tool_call: ["toolCallId", "status", "title", "kind", "content"],
    tool_call_content_chunk: ["toolCallId", "content"],
    terminal_update: ["terminalId", "command", "cwd", "exitStatus", "output", "capabilities"],
    terminal_output_chunk: ["terminalId", "data"],
    subagent_update: ["sessionId", "title", "capabilities", "state"],
  };
  const good = { state: "idle", toolCallId: "c", terminalId: "t", sessionId: "child", background: [] };
  for (const [sessionUpdate, fields] of Object.entries(kinds)) {
    for (const field of fields) {
      for (const value of odd) {
        state.received(update("S", { sessionUpdate, ...good, [field]: value }), 5);
        state.snapshot("S");
      }
    }
  }
  state.received(idle("S", []), 9);
  assert.equal(state.activity("S"), "quiet");
});

test("E1 enormous and deep payloads that nobody reads", () => {
  const state = quiet();
  let deep = {};
  for (let level = 0; level < 100_000; level++) deep = { deep };
  const holes = new Array(2 ** 32 - 1);
  const fields = { sessionUpdate: "tool_call_update", toolCallId: "c", rawInput: deep, content: holes };
  state.received(update("S", fields), 5);
  state.received(idle("S", holes), 6);
  state.received(idle("S", []), 7);
  assert.equal(state.activity("S"), "quiet");
});
