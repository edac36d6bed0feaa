// Rule E2: what the host hands in wrongly throws a TypeError that names the argument.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientState } from "acp-client-state";
import { LONE, QUESTIONS, chunk, idle, quiet, running } from "./given.mjs";

const names = (argument) => (error) =>
  error instanceof TypeError && error.message.includes(argument);

const NO_STRINGS = [undefined, null, 1, true, {}, [], Symbol("s"), new String("S"), LONE, "\udc00"];
const NO_NUMBERS = [null, "1", NaN, Infinity, -Infinity, {}, 1n, new Date()];
const NO_OBJECTS = [undefined, null, 1, true, "x", () => {}, Symbol("s"), 1n];

test("E2 session ids", () => {
  const state = quiet();
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    for (const id of NO_STRINGS) {
      assert.throws(() => ask(state, id), names("sessionId"), `${name}(${String(id)})`);
    }
  }
});

test("E2 ids of tool calls and terminals", () => {
  const state = quiet();
  for (const id of NO_STRINGS) {
    assert.throws(() => state.toolCall("S", id), names("toolCallId"));
    assert.throws(() => state.terminal("S", id), names("terminalId"));
  }
});

test("E2 times", () => {
  const state = quiet();
  for (const at of NO_NUMBERS) {
    assert.throws(() => state.received(idle("S", []), at), names("at"));
    assert.throws(() => state.received(chunk("S"), at), names("at"));
    assert.throws(() => state.received("{", at), names("at"));
    assert.throws(() => state.sent({ method: "x" }, at), names("at"));
    assert.throws(() => state.apply({ type: "disconnected" }, at), names("at"));
    assert.throws(() => state.isReleasable("S", at), names("now"));
    assert.throws(() => state.isReleasable("S", 0, at), names("graceMs"));
  }
  assert.equal(state.quietSince("S"), 1000, "nothing was applied");
});

test("omitted times are now", () => {
  const before = Date.now();
  const state = new ClientState();
  state.received(idle("S", []));
  const since = state.quietSince("S");
  assert.ok(since >= before && since <= Date.now());
  assert.equal(state.isReleasable("S"), false);
  assert.equal(state.isReleasable("S", undefined, 0), true);
  assert.equal(state.isReleasable("S", since + 4999), false);
  assert.equal(state.isReleasable("S", since + 5000), true);
});

test("E2 messages", () => {
  const state = new ClientState();
  for (const message of [undefined, null, 1, true, () => {}, Symbol("s"), 1n, new Uint8Array(2)]) {
    assert.throws(() => state.received(message), names("message"));
    assert.throws(() => state.sent(message), names("message"));
  }
});

test("E2 events", () => {
  const state = new ClientState();
  for (const event of NO_OBJECTS) assert.throws(() => state.apply(event), names("event"));
  for (const event of [[], {}, { type: 1 }, { type: "" }, { type: "made_up" }, { type: LONE }]) {
    assert.throws(() => state.apply(event), names("event"));
  }
  const wrong = [
    ["sessionId", { type: "session_opened" }],
    ["sessionId", { type: "session_opened", sessionId: 1 }],
    ["sessionId", { type: "session_opened", sessionId: LONE }],
    ["sessionId", { type: "update", update: chunk("S").params.update }],
    ["sessionId", { type: "update", sessionId: LONE, update: chunk("S").params.update }],
    ["requestId", { type: "permission_requested", sessionId: "S" }],
    ["requestId", { type: "request_answered", requestId: {} }],
    ["requestId", { type: "request_answered", requestId: LONE }],
    ["requestId", { type: "prompt_sent", requestId: true, sessionId: "S" }],
    ["sessionId", { type: "prompt_sent", requestId: 1 }],
    ["sessionId", { type: "stop_sent", requestId: 1, terminalId: "t" }],
    ["protocolVersion", { type: "initialized", protocolVersion: "1", asyncTasks: false }],
    ["asyncTasks", { type: "initialized", protocolVersion: 1, asyncTasks: 1 }],
    ["event", { type: "stop_sent", requestId: 1, sessionId: "S" }],
  ];
  for (const [argument, event] of wrong) {
    assert.throws(() => state.apply(event), names(argument), JSON.stringify(event));
  }
  assert.deepEqual(state.sessionIds(), []);
});

test("E1 what an agent wrote inside an event never throws", () => {
  const state = quiet();
  for (const update of [undefined, null, 1, "x", [], {}, { sessionUpdate: 1 }]) {
    const outcome = state.apply({ type: "update", sessionId: "S", update });
    assert.deepEqual(outcome.problems.map((problem) => problem.code), ["malformed_update"]);
  }
  for (const subject of [undefined, null, 1, "x", [], {}, { type: 1 }, { type: "tool_call" }]) {
    const outcome = state.apply({ type: "permission_requested", requestId: 1, sessionId: "S", subject });
    assert.deepEqual(outcome.problems, []);
    assert.equal(state.requests("S").length, 1);
  }
});

test("E2 options", () => {
  for (const options of [null, 1, "x", true, () => {}]) {
    assert.throws(() => new ClientState(options), names("options"));
  }
  for (const cancelUnattributed of [null, 0, "false", {}]) {
    assert.throws(() => new ClientState({ cancelUnattributed }), names("cancelUnattributed"));
  }
  for (const options of [undefined, {}, { cancelUnattributed: undefined }]) new ClientState(options);
});

test("E2 stop targets", () => {
  const state = quiet();
  for (const target of [...NO_OBJECTS, [], {}, { terminalId: 1 }, { terminalId: LONE }]) {
    assert.throws(() => state.stopPlan("S", target), names("target"));
  }
  assert.deepEqual(state.stopPlan("S", { asyncTaskId: "" }), { ok: false, reason: "unknown" });
});

test("E2 deep, listeners", () => {
  const state = quiet();
  for (const deep of [null, 1, "true"]) assert.throws(() => state.requests("S", deep), names("deep"));
  for (const listener of [undefined, null, 1, {}, "x"]) {
    assert.throws(() => state.subscribe(listener), names("listener"));
  }
});

test("E2 saved states", () => {
  const wrong = [...NO_OBJECTS, "", "{", "null", "1", "[]", [], {}, "{}", { sessions: 1 }];
  for (const saved of wrong) assert.throws(() => ClientState.fromJSON(saved), names("saved"));
  const saved = { get anything() { throw new Error("getter"); } };
  assert.throws(() => ClientState.fromJSON(saved), names("saved"));
  assert.throws(() => ClientState.fromJSON(new Proxy({}, { get() { throw 1; } })), names("saved"));
});

test("E2 a damaged saved state is refused or harmless, field by field", () => {
  const state = quiet();
  state.received(running("T"), 5);
  const text = JSON.stringify(state);
  const damage = (value, visit) => {
    if (typeof value !== "object" || value === null) return;
    for (const key of Object.keys(value)) {
      for (const wrong of [undefined, null, -1.5, "?", true, [], {}]) {
        const kept = value[key];
        value[key] = wrong;
        visit();
        value[key] = kept;
      }
      damage(value[key], visit);
    }
  };
  const saved = JSON.parse(text);
  damage(saved, () => {
    let restored;
    try {
      restored = ClientState.fromJSON(saved);
    } catch (error) {
      assert.ok(error instanceof TypeError, String(error));
      assert.match(error.message, /saved/);
      return;
    }
    for (const ask of Object.values(QUESTIONS)) ask(restored, "S");
    restored.received(idle("S", [{ type: "terminal", terminalId: "t" }]), 9);
    restored.received(running("T"), 9);
    restored.free();
  });
  assert.equal(JSON.stringify(ClientState.fromJSON(saved)), text);
});
