// Real answers against the declarations: one of each shape that the corpus gives, as a literal for tsc, which
// refuses a field that is not declared and one that is missing.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ClientState } from "acp-client-state";
import { TESTS, app, run, write } from "./support/app.mjs";
import { sequences } from "./support/corpus.mjs";

const folder = app("declared");

/** The declared type of each answer. */
const QUESTIONS = {
  activity: "Activity",
  isQuiet: "boolean",
  quietSince: "number | null",
  isReleasable: "boolean",
  abandoned: "Abandoned",
  cancelPlan: "CancelPlan",
  closePlan: "ClosePlan",
  requests: "PendingRequest[]",
  snapshot: "SessionSnapshot",
};

/** Fields that hold lists of a declared type, whose items are taken apart: else each mixture were a shape. */
const LISTS = {
  background: "WorkItem",
  stops: "WorkItem",
  started: "WorkItem",
  ended: "WorkItem",
  unfinishedToolCalls: "ToolCall",
  runningTerminals: "Terminal",
  requests: "PendingRequest",
};

/** Fields whose words are a closed set: each word is a shape. */
const WORDS = new Set([
  "activity", "background", "backgroundReported", "belongsTo", "kind", "method", "reason", "result", "shown",
  "status", "stop", "type",
]);

/** What of a value can be right or wrong: its keys, its types, and the words of closed sets. */
function shape(value, key) {
  if (Array.isArray(value)) return LISTS[key] ? "list" : [...new Set(value.map((item) => JSON.stringify(shape(item))))].sort();
  if (value !== null && typeof value === "object") {
    return Object.entries(value).sort().map(([name, field]) => [name, shape(field, name)]);
  }
  if (typeof value === "string") return WORDS.has(key) ? `"${value}"` : "string";
  return value === null ? "null" : typeof value;
}

/** The first answer of each shape, by type and shape. */
const found = new Map();

function meet(type, value) {
  const key = `${type} ${JSON.stringify(shape(value, "activity"))}`;
  if (!found.has(key)) found.set(key, { type, value });
  if (value === null || typeof value !== "object") return;
  for (const [name, item] of Object.entries(LISTS)) {
    if (Array.isArray(value[name])) for (const each of value[name]) meet(item, each);
  }
}

function ask(state) {
  meet("string[]", state.sessionIds());
  for (const id of [...state.sessionIds(), "nobody"]) {
    for (const [question, type] of Object.entries(QUESTIONS)) meet(type, state[question](id));
    meet("PendingRequest[]", state.requests(id, true));
    const { unfinishedToolCalls, runningTerminals, background, children } = state.snapshot(id);
    const targets = [
      ...unfinishedToolCalls.map(({ toolCallId }) => ({ toolCallId })),
      ...runningTerminals.map(({ terminalId }) => ({ terminalId })),
      ...children.map((sessionId) => ({ sessionId })),
      ...background.flatMap(({ type, id: asyncTaskId }) => (type === "task" ? [{ asyncTaskId }] : [])),
      { toolCallId: "nothing" },
    ];
    for (const target of targets) {
      meet("StopPlan", state.stopPlan(id, target));
      if (target.toolCallId !== undefined) meet("ToolCall | null", state.toolCall(id, target.toolCallId));
      if (target.terminalId !== undefined) meet("Terminal | null", state.terminal(id, target.terminalId));
    }
  }
}

for (const [, events] of sequences) {
  const state = new ClientState();
  const ids = { toolCall: new Set(), terminal: new Set() };
  for (const event of events) {
    const outcome = event(state);
    meet("Outcome", outcome);
    // Finished calls and terminals are in no list: remembered from when they were.
    for (const session of state.sessionIds()) {
      const { unfinishedToolCalls, runningTerminals } = state.snapshot(session);
      for (const { toolCallId } of unfinishedToolCalls) ids.toolCall.add(JSON.stringify([session, toolCallId]));
      for (const { terminalId } of runningTerminals) ids.terminal.add(JSON.stringify([session, terminalId]));
    }
    ask(state);
    for (const each of ids.toolCall) meet("ToolCall | null", state.toolCall(...JSON.parse(each)));
    for (const each of ids.terminal) meet("Terminal | null", state.terminal(...JSON.parse(each)));
  }
  state.free();
}

// An agent's mistakes, for the problems that no recorded session has.
const broken = new ClientState();
for (const line of ["{", '{"method":3}', '{"method":"session/update","params":{"sessionId":"s","update":{}}}']) {
  meet("Outcome", broken.received(line, 1));
}

/** Single sample of a type, for lines that tsc must refuse. */
const sample = (type) => [...found.values()].find((each) => each.type === type && each.value !== null).value;

test("the corpus gives answers of many shapes", () => {
  const types = ["Outcome", "StopPlan", "ToolCall | null", "Terminal | null", "WorkItem", ...Object.values(QUESTIONS)];
  for (const type of types) assert.ok([...found.values()].some((each) => each.type === type), type);
  assert.ok(found.size > 200, `${found.size} shapes`);
});

test("no field of an answer is declared optional, so that a missing one is refused", () => {
  const declared = fs.readFileSync(path.join(TESTS, "../pkg-template/src/types.ts"), "utf8");
  const answers = declared.slice(declared.indexOf("export interface Outcome"));
  assert.ok(answers.includes("export interface SessionSnapshot"));
  assert.doesNotMatch(answers, /\?:/);
});

test("what says where work is to be stopped names one thing", () => {
  for (const { value } of found.values()) {
    const target = value?.stopTarget ?? value?.stop?.target;
    if (target) assert.equal(Object.keys(target).length, 1, JSON.stringify(value));
  }
});

test("tsc accepts an answer of each shape", async () => {
  const lines = [...found.values()].map(({ type, value }, index) => `export const a${index}: ${type} = ${JSON.stringify(value)};`);
  // That it would not accept anything.
  for (const type of ["SessionSnapshot", "WorkItem", "Outcome", "StopPlan", "ClosePlan"]) {
    const whole = sample(type);
    const [first, ...others] = Object.entries(whole);
    const refused = [{ ...whole, undeclared: 1 }, Object.fromEntries(others), { ...whole, [first[0]]: { wrong: 1 } }];
    for (const [index, value] of refused.entries()) {
      lines.push("// @ts-expect-error", `export const no${type}${index}: ${type} = ${JSON.stringify(value)};`);
    }
  }
  const names = [...new Set(lines.join("\n").match(/(?<=: )[A-Z]\w+(?=(?:\[\]| \| null)? = )/g))];
  const program = [`import type { ${names.join(", ")} } from "acp-client-state";`, ...lines].join("\n");
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    module: "node16",
    moduleResolution: "node16",
    noEmit: true,
  };
  write(folder, "answers.ts", program);
  write(folder, "tsconfig.json", JSON.stringify({ compilerOptions, files: ["answers.ts"] }));
  await run(process.execPath, [path.join(TESTS, "node_modules/typescript/bin/tsc"), "--project", "tsconfig.json"], folder);
});
