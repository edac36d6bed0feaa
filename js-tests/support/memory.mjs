// How much memory the package takes: that of its wasm, and the JavaScript heap. To be run with --expose-gc.

import assert from "node:assert/strict";
import { ClientState } from "acp-client-state";

export const MEBIBYTE = 1 << 20;

// The wasm's memory is private to the package: note it down when it is made.
const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(module, imports) {
    super(module, imports);
    memories.push(this.exports.memory);
  }
};
new ClientState().free();

export function sizes() {
  assert.equal(typeof globalThis.gc, "function", "run with --expose-gc");
  globalThis.gc();
  globalThis.gc();
  assert.equal(memories.length, 1);
  return { wasm: memories[0].buffer.byteLength, heap: process.memoryUsage().heapUsed };
}

/** The wasm's memory is what it was, or at most `wasm` bytes more, and the heap hardly more. */
export function isFlat(before, after, { wasm = 0 } = {}) {
  assert.ok(after.wasm - before.wasm <= wasm, `the wasm's memory grew by ${after.wasm - before.wasm} bytes`);
  assert.ok(after.heap - before.heap < MEBIBYTE, `the heap grew by ${after.heap - before.heap} bytes`);
}

/** Runs `work` until everything is warm, then again, and compares. */
export async function staysFlat(work, limits) {
  await work();
  const before = sizes();
  await work();
  isFlat(before, sizes(), limits);
}
