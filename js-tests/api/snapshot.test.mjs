// The same frozen object until something in it changed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientState } from "acp-client-state";
import { chunk, idle, quiet, running, update } from "./given.mjs";

function frozen(value) {
  return (
    typeof value !== "object" ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(frozen))
  );
}

test("a snapshot is frozen, with all that is in it", () => {
  const state = quiet();
  const terminal = { sessionUpdate: "terminal_update", terminalId: "t", command: "npm run dev" };
  state.received(update("S", terminal), 2);
  state.received(idle("S", [{ type: "terminal", terminalId: "t" }]), 3);
  state.apply({ type: "permission_requested", requestId: 1, sessionId: "S" }, 4);
  const snapshot = state.snapshot("S");
  assert.ok(frozen(snapshot));
  assert.equal(snapshot.background.length, 1);
  assert.equal(snapshot.requests.length, 1);
  assert.equal(Object.getPrototypeOf(snapshot), Object.prototype);
});

test("two ids of which one looks like the other's bytes are two (E3)", () => {
  for (const id of ["é", "€", "😀", "\u00e9\u00ff"]) {
    const bytes = String.fromCharCode(...new TextEncoder().encode(id));
    const state = new ClientState();
    for (const each of [bytes, id]) state.received(idle(each, []), 1);
    state.snapshot(id);
    state.received(update(bytes, { sessionUpdate: "tool_call_update", toolCallId: "c" }), 2);
    assert.deepEqual(state.received(running(id), 3).changed, [id]);
    assert.equal(state.snapshot(id).activity, "busy");
  }
});

test("the same object as long as nothing changed", () => {
  const state = quiet();
  const snapshot = state.snapshot("S");
  assert.equal(state.snapshot("S"), snapshot);
  state.received(chunk("S"), 2);
  state.received(idle("S", []), 3);
  state.received(running("T"), 4);
  state.received("{", 5);
  state.isReleasable("S");
  assert.equal(state.snapshot("S"), snapshot, "other sessions and repetitions leave it");
  assert.equal(state.snapshot("T").activity, "busy");
  state.received(running("S"), 6);
  const next = state.snapshot("S");
  assert.notEqual(next, snapshot);
  assert.equal(next.version, snapshot.version + 1);
  assert.equal(snapshot.activity, "quiet", "the old one is as it was");
});

test("of an id without a session: as of a new one, the same until it exists", () => {
  const state = new ClientState();
  const snapshot = state.snapshot("S");
  assert.equal(state.snapshot("S"), snapshot);
  const { activity, foreground, backgroundReported, version } = snapshot;
  assert.deepEqual(
    { activity, foreground, backgroundReported, version },
    { activity: "unknown", foreground: "idle", backgroundReported: "never", version: 0 },
  );
  assert.deepEqual(state.sessionIds(), []);
  state.received(idle("S", []), 1);
  assert.notEqual(state.snapshot("S"), snapshot);
  assert.equal(state.snapshot("S").activity, "quiet");
});

test("asking about any number of ids keeps no memory of them", { skip: typeof gc !== "function" }, () => {
  const state = new ClientState();
  const used = () => {
    gc();
    return process.memoryUsage().heapUsed;
  };
  const ask = (from) => {
    for (let id = from; id < from + 20_000; id++) state.snapshot(`${"x".repeat(200)}${id}`);
  };
  ask(0);
  const before = used();
  ask(100_000);
  ask(200_000);
  assert.ok(used() - before < 2_000_000);
});

test("a deleted session is unknown again", () => {
  const state = quiet();
  state.snapshot("S");
  state.apply({ type: "session_deleted", sessionId: "S" }, 2);
  assert.equal(state.snapshot("S").activity, "unknown");
});

test("all data fields of the contract are there, and null where there is nothing", () => {
  const state = quiet();
  assert.deepEqual(Object.keys(state.snapshot("S")).sort(), [
    "activity", "background", "backgroundReported", "children", "foreground", "parentId", "prompts",
    "quietSince", "requests", "runningTerminals", "sessionId", "stopReason", "title",
    "unfinishedToolCalls", "version",
  ]);
  assert.deepEqual(Object.keys(state.received(running("S"))).sort(), [
    "answerDue", "becameQuiet", "changed", "ended", "problems", "started", "stop", "turnsEnded",
  ]);
});
