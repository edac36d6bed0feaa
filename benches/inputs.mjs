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

/** A `session/update` of the session's. */
export function update(fields) {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId: SESSION, update: fields } };
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
  { type: "subagent", sessionId: "child" },
];

/** Messages that give the session ten live items in the background. */
export const live = [
  ...BACKGROUND.map(({ type, ...id }) =>
    type === "terminal"
      ? update({ sessionUpdate: "terminal_update", ...id, command: "npm run dev", capabilities: { cancel: {} } })
      : type === "tool_call"
        ? update({ sessionUpdate: "tool_call_update", ...id, status: "in_progress", title: "Wait", capabilities: { cancel: {} } })
        : update({ sessionUpdate: "subagent_update", ...id, title: "Review", state: { state: "running" } }),
  ),
  update({ sessionUpdate: "state_update", state: "idle", background: BACKGROUND }),
];

/** Two messages that undo each other: handed in by turns, each changes one live item. */
export const changes = ["npm run dev", "npm run test"].map((command) =>
  update({ sessionUpdate: "terminal_update", terminalId: "term_0", command }),
);

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
