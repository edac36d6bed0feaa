// What is measured with, the same as in support/inputs.rs.

import fs from "node:fs";

const here = new URL("./", import.meta.url);
const [chunk, call, state] = fs.readFileSync(new URL("messages.jsonl", here), "utf8").trimEnd().split("\n");

/** The session of the messages. */
export const SESSION = JSON.parse(chunk).params.sessionId;

/** How many lines each input has: enough that no cache holds but the one of the moment, and each changes something. */
const LINES = 64;

/** A message of each kind, as lines to be handed in over and over: each changes what the one before it said. */
export const inputs = {
  "message chunk, 385 B": Array(LINES).fill(chunk),
  "tool call update, 416 B": calls(call),
  "the same, with 8 kB of text": calls(call.replace(/"text":"/, `$&${"The build goes on. ".repeat(8000 / 19)}`)),
  "state update, 3 items": Array.from({ length: LINES }, (_, n) => (n % 2 ? state.replace("running", "idle") : state)),
};

function calls(line) {
  return Array.from({ length: LINES }, (_, n) => {
    const id = String(n % (LINES / 2)).padStart(2, "0");
    return line.replaceAll("Kx00", `Kx${id}`).replace("in_progress", n < LINES / 2 ? "in_progress" : "pending");
  });
}

/** A `session/update`. */
export function update(fields, sessionId = SESSION) {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update: fields } };
}

/** What the agent said before: the session runs, and what the state update lists is known. */
export const before = [
  update({ sessionUpdate: "state_update", state: "running", background: [] }),
  update({ sessionUpdate: "terminal_update", terminalId: "term_01Kx00", command: "npm run build" }),
  update({ sessionUpdate: "tool_call_update", toolCallId: "toolu_01Kx01", status: "in_progress" }),
  update({ sessionUpdate: "subagent_update", sessionId: "0199b2f4-8a11-7d03-b6c4-2f9d7e5a1b08", title: "Review" }),
];

const BACKGROUND = [
  ...Array.from({ length: 6 }, (_, n) => ({ type: "terminal", terminalId: `term_${n}` })),
  ...Array.from({ length: 3 }, (_, n) => ({ type: "tool_call", toolCallId: `call_${n}` })),
  { type: "subagent" },
];

/** Messages that give a session ten live items in the background. */
export function live(session) {
  const capabilities = { cancel: {} };
  const items = BACKGROUND.map(({ type, ...id }) => {
    if (type === "terminal") return { sessionUpdate: "terminal_update", ...id, command: "npm run dev", capabilities };
    if (type === "subagent") return { sessionUpdate: "subagent_update", sessionId: `${session}-child`, title: "Review" };
    return { sessionUpdate: "tool_call_update", ...id, status: "in_progress", title: "Wait", capabilities };
  });
  const background = BACKGROUND.map((item) => (item.type === "subagent" ? { ...item, sessionId: `${session}-child` } : item));
  return [...items, { sessionUpdate: "state_update", state: "idle", background }].map((fields) => update(fields, session));
}

/** Two messages that undo each other: handed in by turns, each changes one live item. */
export function changes(session) {
  const change = (command) => update({ sessionUpdate: "terminal_update", terminalId: "term_0", command }, session);
  return ["npm run dev", "npm run test"].map(change);
}

/** The message that a call has finished; its id has 12 characters. */
export function finished(n) {
  return update({ sessionUpdate: "tool_call_update", toolCallId: `call${String(n).padStart(8, "0")}`, status: "completed" });
}

/** Every recorded session, as `[fromAgent, line]`s. */
export const sessions = fs.readdirSync(new URL("../tests/traces/", here)).flatMap((agent) => {
  const folder = new URL(`../tests/traces/${agent}/`, here);
  const names = fs.readdirSync(folder).filter((name) => !name.endsWith(".expected.jsonl"));
  return names.map((name) => {
    const lines = fs.readFileSync(new URL(name, folder), "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line)).map(({ dir, msg }) => [dir === "recv", JSON.stringify(msg)]);
  });
});
