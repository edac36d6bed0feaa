// Memory under --expose-gc: neither updates nor discarded states may add up.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import test from "node:test";
import { NAME, app } from "./support/app.mjs";

const MEBIBYTE = 1 << 20;

// The wasm's memory is private to the package: note it down when it is made.
const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(module, imports) {
    super(module, imports);
    memories.push(this.exports.memory);
  }
};

const require = createRequire(path.join(app("memory"), "package.json"));
const { ClientState } = require(NAME);
new ClientState().free();

function sizes() {
  assert.equal(typeof globalThis.gc, "function", "run with --expose-gc");
  globalThis.gc();
  globalThis.gc();
  assert.equal(memories.length, 1);
  return { wasm: memories[0].buffer.byteLength, heap: process.memoryUsage().heapUsed };
}

/** Runs `work` until everything is warm, then again, and compares. */
function staysFlat(work) {
  work();
  const before = sizes();
  work();
  const after = sizes();
  assert.equal(after.wasm, before.wasm, "the wasm's memory grew");
  assert.ok(after.heap - before.heap < MEBIBYTE, `the heap grew by ${after.heap - before.heap} bytes`);
}

const SESSION = "s1";
const BACKGROUND = [{ type: "terminal", terminalId: "t1" }];

function turn(state, index) {
  const update = (fields) => state.apply({ type: "update", sessionId: SESSION, update: fields }, index);
  update({ sessionUpdate: "state_update", state: "running", background: [] });
  update({ sessionUpdate: "terminal_update", terminalId: "t1", command: "sleep 60" });
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x".repeat(100) } });
  update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", background: BACKGROUND });
  state.snapshot(SESSION);
  return state.closePlan(SESSION);
}

test("100000 updates in one state", () => {
  const state = new ClientState();
  staysFlat(() => {
    for (let index = 0; index < 25_000; index += 1) turn(state, index);
  });
  state.free();
});

test("5000 states that are freed", () => {
  staysFlat(() => {
    for (let index = 0; index < 5000; index += 1) {
      const state = new ClientState();
      turn(state, index);
      state.free();
    }
  });
});

test("states that are forgotten are collected", async () => {
  const forget = async () => {
    for (let round = 0; round < 20; round += 1) {
      for (let index = 0; index < 250; index += 1) turn(new ClientState(), index);
      globalThis.gc();
      // Finalisers run in a task of their own.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  await forget();
  const before = sizes();
  await forget();
  const after = sizes();
  assert.equal(after.wasm, before.wasm, "the wasm's memory grew");
});
