// `cargo xtask demo [TRACE] [--json]`: replays a recorded session through the built package, and prints a
// line for each moment at which an answer changes.

import fs from "node:fs";
import path from "node:path";
import { Wording, short } from "./wording.mjs";

const EXAMPLE = "tests/traces/claude-agent-acp/02-background-shell-exits.jsonl";

/** What went wrong, in one sentence for the person who runs the demo. */
class Fault extends Error {}

async function library() {
  try {
    return await import(new URL("../pkg/dist/index.js", import.meta.url));
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Fault("The package is not built: run cargo xtask build first.");
  }
}

/** The messages of a trace: `{t, dir, msg}`, one line each. */
function recorded(file) {
  const name = path.basename(file);
  let text;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") throw new Fault(`There is no trace ${file}: give a path such as ${EXAMPLE}.`);
    const reason = { EISDIR: "it is a folder", EACCES: "it may not be read" }[error.code];
    throw new Fault(`Cannot read the trace ${file}: ${reason ?? error.message}.`);
  }
  const messages = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const wrong = (what) => new Fault(`${name} is no recorded session: line ${index + 1} ${what}.`);
    let record;
    try {
      record = JSON.parse(line);
    } catch {
      throw wrong("is not JSON");
    }
    if (typeof record !== "object" || record === null || Array.isArray(record)) throw wrong("is no JSON object");
    const { t, dir, msg } = record;
    if (typeof t !== "number") throw wrong("has no time, a number t of milliseconds");
    if (dir !== "recv" && dir !== "send") throw wrong('has no direction, a dir of "recv" or "send"');
    if (typeof msg !== "object" || msg === null) throw wrong("has no message, an object msg");
    messages.push({ line: index + 1, at: t, direction: dir, message: msg });
  }
  if (messages.length === 0) throw new Fault(`${name} is no recorded session: line 1 is missing, the file is empty.`);
  return messages;
}

/** The answers that the demo shows of one session. */
function answers(state, sessionId) {
  const { background, backgroundReported, unfinishedToolCalls } = state.snapshot(sessionId);
  const { toolCalls, terminals } = state.abandoned(sessionId);
  const call = (id) => state.toolCall(sessionId, id)?.title ?? id;
  const terminal = (id) => state.terminal(sessionId, id)?.command ?? id;
  const { warning, certain } = state.closePlan(sessionId);
  return {
    activity: state.activity(sessionId),
    background: background.map(({ type, id, title, status, stop }) => ({ type, id, title, status, stop })),
    backgroundReported,
    abandoned: {
      toolCalls: toolCalls.map((id) => ({ id, title: call(id) })),
      terminals: terminals.map((id) => ({ id, title: terminal(id) })),
    },
    toolCalls: unfinishedToolCalls.map(({ toolCallId, title, shown }) => ({ id: toolCallId, title, shown })),
    requests: state.requests(sessionId).map(({ requestId, kind, belongsTo, answerDue, toolCallId }) => ({
      id: requestId,
      kind,
      belongsTo,
      answerDue,
      title: toolCallId === null ? null : call(toolCallId),
    })),
    closeWarning: warning,
    closeCertain: certain,
  };
}

/** Each moment at which an answer of a session changes. */
function* moments(messages, state) {
  const wording = new Wording(state);
  const before = new Map();
  for (const { line, at, direction, message } of messages) {
    const outcome = direction === "recv" ? state.received(message, at) : state.sent(message, at);
    const happened = wording.describe(direction, message);
    for (const sessionId of outcome.changed) {
      const now = answers(state, sessionId);
      const text = JSON.stringify(now);
      if (before.get(sessionId) === text) continue;
      before.set(sessionId, text);
      yield { line, at, sessionId, happened, ...now };
    }
    for (const { code, message: expected, path: place } of outcome.problems) {
      yield { line, at, problem: `${code} at ${place}: ${expected}` };
    }
  }
}

// The text

const COLOURS = {
  busy: 33, requires_action: 35, background: 36, scheduled: 34, quiet: 32, unknown: 90, closed: 90, warning: 33, faint: 90,
};

function painter(stream) {
  const wanted = stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";
  return (text, colour) => (wanted && COLOURS[colour] ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text);
}

const name = ({ title, id }) => `“${short(title ?? id, 60)}”`;

function request({ id, kind, belongsTo, answerDue, title }) {
  const about = [title === null ? null : name({ title }), belongsTo, answerDue ? "answer cancelled now" : null];
  const details = about.filter((part) => part !== null).join(", ");
  return `${kind} request ${short(JSON.stringify(id))}${details === "" ? "" : ` (${details})`}`;
}

/** The lists that stand below a moment, when they are not what they were. */
function details(moment) {
  const { background, backgroundReported, abandoned, toolCalls, requests, closeWarning, closeCertain } = moment;
  const type = { tool_call: "tool call ", terminal: "terminal ", subagent: "subagent ", task: "async task " };
  const items = background.map((item) => {
    const stop = item.stop === "none" ? "" : `, stop ${item.stop}`;
    return `${type[item.type] ?? ""}${name(item)} ${item.status}${stop}`;
  });
  const unlisted = { never: "not reported by the agent", lost: "not reported any more" };
  const cancelled = toolCalls.filter(({ shown }) => shown === "cancelled");
  // No warning is no promise while the plan is uncertain.
  const closing = closeWarning ?? (closeCertain ? null : "no warning, but the plan is not certain");
  return [
    ["background", [...items, ...(unlisted[backgroundReported] ? [unlisted[backgroundReported]] : [])], "nothing"],
    ["abandoned", [...abandoned.toolCalls, ...abandoned.terminals].map(name), "nothing"],
    ["cancelled", cancelled.map(name), "nothing"],
    ["pending", requests.map(request), "no request"],
    ["closing", closing === null ? [] : [closing], "stops nothing that needs a warning"],
  ];
}

const WIDTH = { time: 10, activity: 15 };

/** The text of the moments; a session has a name of its own when there are several. */
function* lines(all, paint) {
  const sessions = [...new Set(all.map(({ sessionId }) => sessionId).filter((id) => id !== undefined))];
  const label = (id) => (sessions.length > 1 ? `[session ${sessions.indexOf(id) + 1}] ` : "");
  const shown = new Map();
  const indent = " ".repeat(WIDTH.time + 2);
  yield paint(`${"seconds".padStart(WIDTH.time)}  ${"activity".padEnd(WIDTH.activity)}  what happened`, "faint");
  for (const moment of all) {
    const time = (moment.at / 1000).toFixed(3).padStart(WIDTH.time);
    if (moment.problem !== undefined) {
      yield `${time}  ${paint("problem".padEnd(WIDTH.activity), "warning")}  ${short(moment.problem, 200)}`;
      continue;
    }
    const { activity, sessionId, happened } = moment;
    yield `${time}  ${paint(activity.padEnd(WIDTH.activity), activity)}  ${label(sessionId)}${happened}`;
    const before = shown.get(sessionId) ?? new Map();
    shown.set(sessionId, before);
    for (const [what, parts, none] of details(moment)) {
      const texts = parts.length === 0 ? [none] : parts;
      const text = texts.join("\n");
      if (text === (before.get(what) ?? none)) continue;
      before.set(what, text);
      const colour = what === "closing" && moment.closeWarning !== null ? "warning" : undefined;
      for (const [index, one] of texts.entries()) {
        const heading = (index === 0 ? what : "").padStart(WIDTH.activity);
        yield `${indent}${paint(heading, "faint")}  ${paint(one, colour)}`;
      }
    }
  }
}

function title(file, messages) {
  const { result } = messages.find(({ message }) => message.result?.protocolVersion !== undefined)?.message ?? {};
  const info = result?.info ?? result?.agentInfo;
  const agent = info ? ` with ${short(`${info.name} ${info.version}`)}` : "";
  const version = result ? `, ACP v${result.protocolVersion}` : "";
  return `${path.basename(file)}: a recorded session${agent}${version}, ${messages.length} messages`;
}

async function main([file, ...flags]) {
  if (file === undefined) throw new Fault("Which trace? cargo xtask demo [TRACE] [--json]");
  const messages = recorded(file);
  const { ClientState } = await library();
  const state = new ClientState();
  const all = [...moments(messages, state)];
  const print = (line) => process.stdout.write(`${line}\n`);
  if (flags.includes("--json")) {
    for (const moment of all) print(JSON.stringify(moment));
    return;
  }
  const paint = painter(process.stdout);
  print(title(file, messages));
  print("");
  for (const line of lines(all, paint)) print(line);
  print("");
  const count = all.filter(({ problem }) => problem === undefined).length;
  print(`${count} moments at which an answer changed; the other messages changed none.`);
}

// A reader that has seen enough (`| head`) closes the pipe.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
