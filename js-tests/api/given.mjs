// Messages as agents send them, and states that know something.

import { ClientState } from "acp-client-state";

export const EMPTY = {
  changed: [],
  turnsEnded: [],
  becameQuiet: [],
  started: [],
  ended: [],
  stop: null,
  answerDue: [],
  problems: [],
};

/** A lone surrogate half: in a JavaScript string, and in no Unicode text. */
export const LONE = "s\ud800";

export function update(sessionId, fields) {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update: fields } };
}

export function idle(sessionId, background) {
  return update(sessionId, { sessionUpdate: "state_update", state: "idle", background });
}

export function running(sessionId) {
  return update(sessionId, { sessionUpdate: "state_update", state: "running" });
}

export function chunk(sessionId) {
  const content = { type: "text", text: "Hello" };
  return update(sessionId, { sessionUpdate: "agent_message_chunk", content });
}

/** A state with one quiet session. */
export function quiet(sessionId = "S") {
  const state = new ClientState();
  state.received(idle(sessionId, []), 1000);
  return state;
}

/** A call of every question, by name, for sessions, calls and terminals of the id. */
export const QUESTIONS = {
  activity: (state, id) => state.activity(id),
  isQuiet: (state, id) => state.isQuiet(id),
  quietSince: (state, id) => state.quietSince(id),
  isReleasable: (state, id) => state.isReleasable(id, 0),
  abandoned: (state, id) => state.abandoned(id),
  cancelPlan: (state, id) => state.cancelPlan(id),
  closePlan: (state, id) => state.closePlan(id),
  stopPlan: (state, id) => state.stopPlan(id, { terminalId: "t" }),
  requests: (state, id) => state.requests(id),
  toolCall: (state, id) => state.toolCall(id, "c"),
  terminal: (state, id) => state.terminal(id, "t"),
  snapshot: (state, id) => state.snapshot(id),
};
