// `subscribe`: after each event that changed something, in order, whatever listeners do.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { ClientState } from "acp-client-state";
import { EMPTY, chunk, idle, quiet, running } from "./given.mjs";

test("a listener gets the outcome of each event that changed something", () => {
  const state = new ClientState();
  const heard = [];
  const undo = state.subscribe((outcome) => heard.push(outcome));
  const first = state.received(idle("S", []), 1);
  assert.deepEqual(heard, [first]);
  state.received(chunk("S"), 2);
  state.received(idle("S", []), 3);
  state.received("{", 4);
  assert.equal(heard.length, 1, "nothing changed");
  state.apply({ type: "session_opened", sessionId: "T" }, 5);
  assert.equal(heard.length, 2);
  undo();
  undo();
  state.received(running("S"), 6);
  assert.equal(heard.length, 2);
});

test("an outcome that changes no answer is told when it ends something", () => {
  const state = new ClientState();
  const told = [];
  state.received(idle("S", [{ type: "terminal", terminalId: "t" }]), 1);
  state.subscribe((outcome) => told.push(outcome));
  state.apply({ type: "resume_sent", sessionId: "S" }, 2);
  const exit = { sessionUpdate: "terminal_update", terminalId: "t", exitStatus: {} };
  state.apply({ type: "update", sessionId: "S", update: exit }, 3);
  const outcome = state.apply({ type: "resume_answered", sessionId: "S" }, 4);
  assert.equal(outcome.ended.length, 1);
  assert.deepEqual(outcome.changed, []);
  assert.equal(told.at(-1), outcome);
});

test("the outcome of an event that did nothing is one for all, which nobody can change", () => {
  const state = new ClientState();
  const first = state.received(chunk("S"), 1);
  assert.deepEqual(first, EMPTY);
  assert.throws(() => first.changed.push("S"), TypeError);
  assert.throws(() => { first.stop = 1; }, TypeError);
  assert.equal(new ClientState().received(chunk("T"), 2), first);
});

test("the same function twice is two subscriptions", () => {
  const state = new ClientState();
  let calls = 0;
  const listener = () => calls++;
  const undo = state.subscribe(listener);
  state.subscribe(listener);
  state.received(idle("S", []));
  assert.equal(calls, 2);
  undo();
  undo();
  state.received(running("S"));
  assert.equal(calls, 3);
});

test("a listener sees the state after the event, with a fresh snapshot", () => {
  const state = quiet();
  const before = state.snapshot("S");
  let seen;
  state.subscribe(() => { seen = state.snapshot("S"); });
  state.received(running("S"));
  assert.notEqual(seen, before);
  assert.equal(seen.activity, "busy");
});

test("events that a listener applies are told to all, in order", () => {
  const state = new ClientState();
  const heard = [];
  state.subscribe((outcome) => {
    heard.push(["first", ...outcome.changed]);
    if (outcome.changed[0] === "A") {
      const inner = state.received(idle("B", []));
      assert.deepEqual(inner.changed, ["B"], "applied at once");
      assert.equal(state.activity("B"), "quiet");
    }
  });
  state.subscribe((outcome) => heard.push(["second", ...outcome.changed]));
  state.received(idle("A", []));
  assert.deepEqual(heard, [["first", "A"], ["second", "A"], ["first", "B"], ["second", "B"]]);
});

test("listeners added or removed while one is being told", () => {
  const state = new ClientState();
  const heard = [];
  let removeLast;
  let added = false;
  state.subscribe(() => {
    removeLast();
    if (!added) state.subscribe((outcome) => heard.push(["added", ...outcome.changed]));
    added = true;
  });
  removeLast = state.subscribe(() => heard.push(["removed"]));
  state.received(idle("A", []));
  assert.deepEqual(heard, [], "removed: not told any more; added: not yet");
  state.received(idle("B", []));
  assert.deepEqual(heard, [["added", "B"]]);
});

test("a listener may free the state; nobody is told afterwards", () => {
  const state = new ClientState();
  const heard = [];
  state.subscribe(() => state.free());
  state.subscribe((outcome) => heard.push(outcome));
  const outcome = state.received(idle("A", []));
  assert.deepEqual(outcome.changed, ["A"]);
  assert.deepEqual(heard, []);
  assert.throws(() => state.activity("A"), /freed/);
});

/** What a program prints. */
function printed(program) {
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  assert.equal(run.stderr, "");
  return run.stdout.trim().split("\n");
}

test("one that throws stops no other, and its error is reported as uncaught", () => {
  const program = `
    import { ClientState } from "acp-client-state";
    process.on("uncaughtException", (error) => console.log("uncaught", error.message));
    const state = new ClientState();
    state.subscribe(() => { throw new Error("mine"); });
    state.subscribe((outcome) => console.log("told", outcome.changed.join()));
    const message = (id) => ({ type: "session_opened", sessionId: id });
    console.log("returned", state.apply(message("A")).changed.join());
    state.apply(message("B"));
  `;
  assert.deepEqual(printed(program), ["told A", "returned A", "told B", "uncaught mine", "uncaught mine"]);
});

test("a reportError of somebody's that throws stops nobody either", () => {
  const program = `
    import { ClientState } from "acp-client-state";
    process.on("uncaughtException", (error) => console.log("uncaught", error.message));
    globalThis.reportError = () => { throw new Error("worse"); };
    const state = new ClientState();
    state.subscribe(() => { throw new Error("mine"); });
    state.subscribe((outcome) => console.log("told", outcome.changed.join()));
    for (const sessionId of ["A", "B"]) state.apply({ type: "session_opened", sessionId });
  `;
  assert.deepEqual(printed(program), ["told A", "told B", "uncaught mine", "uncaught mine"]);
});
