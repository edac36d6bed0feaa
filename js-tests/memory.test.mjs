// Neither events nor discarded states may add up.

import test from "node:test";
import { ClientState } from "acp-client-state";
import { isFlat, MEBIBYTE, sizes, staysFlat } from "./support/memory.mjs";

const SESSION = "s1";
const BACKGROUND = [{ type: "terminal", terminalId: "t1" }];

/** Four updates, and now and then two questions. */
function turn(state, index) {
  const update = (fields) => state.apply({ type: "update", sessionId: SESSION, update: fields }, index);
  update({ sessionUpdate: "state_update", state: "running", background: [] });
  update({ sessionUpdate: "terminal_update", terminalId: "t1", command: "sleep 60" });
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x".repeat(100) } });
  update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", background: BACKGROUND });
  if (index % 10 > 0) return;
  state.snapshot(SESSION);
  state.closePlan(SESSION);
}

/** What a connection sees again and again without there being more afterwards: 40 messages, under ids that are new. */
function round(state, index) {
  const gone = `session ${index}`;
  const child = `child ${index}`;
  let id = index * 10;
  const received = (method, params, more) => state.received({ jsonrpc: "2.0", method, params, ...more }, index);
  const update = (sessionId, sessionUpdate, fields) => received("session/update", { sessionId, update: { sessionUpdate, ...fields } });
  const ask = (method, params, result) => {
    id += 1;
    state.sent({ jsonrpc: "2.0", id, method, params }, index);
    state.received({ jsonrpc: "2.0", id, ...result }, index);
  };
  const asked = (method, params, result) => {
    id += 1;
    received(method, params, { id: `${id}` });
    state.sent({ jsonrpc: "2.0", id: `${id}`, result }, index);
  };
  const error = { code: 1, message: `no ${index}` };

  const s = { sessionId: SESSION };
  const terminal = { sessionId: SESSION, terminalId: "t1" };
  update(SESSION, "state_update", { state: "running", background: [] });
  update(SESSION, "tool_call", { toolCallId: "c1", title: `call ${index}`, status: "in_progress", content: [{ type: "terminal", terminalId: "t1" }] });
  update(SESSION, "tool_call_content_chunk", { toolCallId: "c1", content: { type: "session", sessionId: "k1" } });
  update(SESSION, "terminal_update", { terminalId: "t1", command: `sleep ${index}`, capabilities: { cancel: {} }, exitStatus: null });
  update(SESSION, "terminal_output_chunk", { terminalId: "t1", data: btoa(`line ${index}\n`) });
  update(SESSION, "subagent_update", { sessionId: "k1", state: { state: "running" } });
  update(SESSION, "async_task_spawned", { asyncTaskId: "a1", name: `task ${index}`, canStop: true, toolCallId: "c1" });
  update(SESSION, `_kind_${index}`, {});
  received(`_method_${index}`, s);
  received("session/update", { sessionId: SESSION, update: { sessionUpdate: index } });
  asked("session/request_permission", { ...s, toolCall: { toolCallId: "c1" } }, { outcome: { outcome: "cancelled" } });
  asked("elicitation/create", s, { action: "decline" });
  asked("terminal/create", { ...s, command: "ls" }, { terminalId: "t2" });
  asked("terminal/wait_for_exit", terminal, { exitCode: 1 });
  ask("session/prompt", s, { result: { stopReason: "end_turn" } });
  ask("terminal/cancel", terminal, index % 2 ? { error } : { result: {} });
  ask("session/resume", s, { error });
  update(SESSION, "state_update", { state: "idle", error, background: [...BACKGROUND, { type: `_odd_${index}` }] });
  update(SESSION, "async_task_state_update", { asyncTaskId: "a1", state: "completed" });
  ask("session/new", {}, { result: { sessionId: gone } });
  update(gone, "subagent_update", { sessionId: child, state: { state: "running", background: BACKGROUND } });
  received("session/request_permission", { sessionId: child }, { id: `${id}` });
  state.snapshot(gone);
  state.snapshot(`stranger ${index}`);
  state.subscribe(() => index)();
  ask("session/close", { sessionId: gone }, { result: {} });
  ask("session/delete", { sessionId: gone }, { result: null });
  state.sent({ jsonrpc: "2.0", method: "session/cancel", params: s }, index);
  state.snapshot(SESSION);
}

/** Runs `work` for 10⁶ messages and compares the memory with what it was after 10⁵. */
function flatAfter(messages, work) {
  const state = new ClientState();
  let before;
  for (let index = 0; index * messages < 1_000_000; index += 1) {
    work(state, index);
    if (before === undefined && (index + 1) * messages >= 100_000) before = sizes();
  }
  isFlat(before, sizes());
  state.free();
}

test("10⁶ updates of what is known", () => flatAfter(4, turn));

test("10⁶ messages of all kinds, with requests, sessions and kinds that are ever new", () => flatAfter(40, round));

test("10⁴ states that are freed", () =>
  staysFlat(() => {
    for (let index = 0; index < 10_000; index += 1) {
      const state = new ClientState();
      turn(state, index);
      state.free();
    }
  }));

// When a finaliser runs is the engine's choice, so how many states are there at once differs a little;
// 10⁴ that were kept would take over 10 MiB.
test("10⁴ states that are forgotten are collected", () =>
  staysFlat(
    async () => {
      for (let group = 0; group < 40; group += 1) {
        for (let index = 0; index < 250; index += 1) turn(new ClientState(), index);
        globalThis.gc();
        // Finalisers run in a task of their own.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    { wasm: MEBIBYTE },
  ));
