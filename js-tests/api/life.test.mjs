// Making, saving, restoring and freeing a state.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientState } from "acp-client-state";
import { QUESTIONS, chunk, idle, quiet, running } from "./given.mjs";

const USES = {
  ...QUESTIONS,
  received: (state) => state.received(idle("S", [])),
  ignored: (state) => state.received(chunk("S")),
  text: (state) => state.received("{"),
  sent: (state) => state.sent({ method: "x" }),
  apply: (state) => state.apply({ type: "disconnected" }),
  sessionIds: (state) => state.sessionIds(),
  subscribe: (state) => state.subscribe(() => {}),
  toJSON: (state) => state.toJSON(),
};

test("free is idempotent, and any use afterwards says so", () => {
  const state = quiet();
  state.snapshot("S");
  state.snapshot("nobody");
  const undo = state.subscribe(() => {});
  state.free();
  state.free();
  for (const [name, use] of Object.entries(USES)) {
    assert.throws(() => use(state, "S"), /this ClientState was freed/, name);
  }
  assert.throws(() => state.snapshot("nobody"), /freed/);
  undo();
});

test("Symbol.dispose, where the runtime has it", () => {
  const state = quiet();
  assert.equal(Symbol.dispose in state, typeof Symbol.dispose === "symbol");
  if (typeof Symbol.dispose === "symbol") {
    state[Symbol.dispose]();
    state[Symbol.dispose]();
    assert.throws(() => state.activity("S"), /freed/);
  }
  assert.equal("undefined" in state, false);
});

test("states are independent", () => {
  const [a, b] = [quiet("A"), quiet("B")];
  assert.deepEqual([a.sessionIds(), b.sessionIds()], [["A"], ["B"]]);
  a.free();
  assert.deepEqual(b.sessionIds(), ["B"]);
});

test("toJSON is plain JSON, and fromJSON goes on from it", () => {
  const state = quiet();
  state.received(running("T"), 2000);
  const saved = state.toJSON();
  assert.equal(Object.getPrototypeOf(saved), Object.prototype);
  assert.deepEqual(JSON.parse(JSON.stringify(saved)), saved);
  const forms = [saved, JSON.stringify(state), JSON.stringify(saved, null, 2), structuredClone(saved)];
  for (const form of forms) {
    const restored = ClientState.fromJSON(form);
    assert.ok(restored instanceof ClientState);
    assert.deepEqual(restored.toJSON(), saved);
    assert.equal(JSON.stringify(restored), JSON.stringify(state));
    for (const [name, ask] of Object.entries(QUESTIONS)) {
      for (const id of ["S", "T", "nobody"]) {
        assert.deepEqual(ask(restored, id), ask(state, id), `${name} ${id}`);
      }
    }
    assert.deepEqual(restored.received(idle("T", []), 3000).becameQuiet, ["T"]);
    assert.equal(state.activity("T"), "busy", "the one saved is another");
  }
});

test("the option is saved with the state", () => {
  const due = (state) => {
    const restored = ClientState.fromJSON(JSON.stringify(state));
    restored.received(running("S"));
    restored.apply({ type: "permission_requested", requestId: 7, sessionId: "S" });
    return restored.apply({ type: "cancel_sent", sessionId: "S" }).answerDue;
  };
  assert.deepEqual(due(new ClientState()), [7]);
  assert.deepEqual(due(new ClientState({ cancelUnattributed: false })), []);
});

test("answers are the caller's own, save the snapshot", () => {
  const state = quiet();
  state.sessionIds().push("x");
  state.cancelPlan("S").keepOpen.push("x");
  assert.deepEqual(state.sessionIds(), ["S"]);
  assert.deepEqual(state.cancelPlan("S").keepOpen, []);
});

test("many states, freed and forgotten", () => {
  for (let count = 0; count < 2000; count++) {
    const state = quiet();
    if (count % 2 === 0) state.free();
  }
  assert.equal(quiet().activity("S"), "quiet");
});
