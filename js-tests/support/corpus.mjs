// The corpus: `tests/vectors` and `tests/traces`, and what they say of an answer. As tests/corpus.rs has it.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../tests/", import.meta.url));
const read = (...names) => fs.readFileSync(path.join(root, ...names), "utf8");
const jsonLines = (text) => text.trimEnd().split("\n").map((line) => JSON.parse(line));

/** Every vector: `name`, `steps` and `items`, see tests/README.md. */
export const vectors = fs.readdirSync(path.join(root, "vectors")).map((name) => JSON.parse(read("vectors", name)));

/** Every recorded session: its `name`, its `messages`, and the `expected` line after a message, by number. */
export const traces = fs.readdirSync(path.join(root, "traces")).flatMap((agent) => {
  const names = fs.readdirSync(path.join(root, "traces", agent)).filter((name) => !name.endsWith(".expected.jsonl"));
  return names.map((name) => {
    const text = read("traces", agent, name);
    const expected = jsonLines(read("traces", agent, name.replace(".jsonl", ".expected.jsonl")));
    return {
      name: `${agent}/${name}`,
      messages: jsonLines(text),
      expected: new Map(expected.map((line) => [line.line, line])),
      ids: [...new Set([...text.matchAll(/"(?:toolCallId|terminalId|terminal_id)":"([^"]*)"/g)].map(([, id]) => id))],
    };
  });
});

/** Hands one message of a recorded session to a state. */
export function feed(state, { dir, msg, t }, as = (message) => message) {
  return dir === "recv" ? state.received(as(msg), t) : state.sent(as(msg), t);
}

/** The answers to all questions about a session that take no other argument, by their names. */
export function answers(state, id) {
  return {
    activity: state.activity(id),
    isQuiet: state.isQuiet(id),
    quietSince: state.quietSince(id),
    abandoned: state.abandoned(id),
    cancelPlan: state.cancelPlan(id),
    closePlan: state.closePlan(id),
    requests: state.requests(id),
    deepRequests: state.requests(id, true),
    snapshot: state.snapshot(id),
  };
}

/** What a vector or a trace says of an outcome's field. */
export function said(outcome, field) {
  switch (field) {
    case "turnsEnded":
      return outcome.turnsEnded.map(({ sessionId, stopReason }) => ({ sessionId, stopReason }));
    case "started":
    case "ended":
      return outcome[field].map(({ sessionId, type, id }) => [sessionId, type, id]);
    default:
      return outcome[field];
  }
}

/** A generator of random numbers that gives the same ones everywhere. */
export function randomNumbers(seed) {
  let state = (seed * 0x9e3779b9) | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const recorded = traces.map(({ name, messages }) => [name, messages.map((message) => (state) => feed(state, message))]);
const applied = vectors.map(({ name, steps }) => [name, steps.map(({ event, at }) => (state) => state.apply(event, at))]);
// The vectors use few ids, so that their events, in any order, meet each other's items.
const pool = vectors.flatMap(({ steps }) => steps.map(({ event }) => event));
const shuffled = Array.from({ length: 150 }, (_, seed) => {
  const random = randomNumbers(seed + 1);
  return [`shuffle ${seed}`, Array.from({ length: 60 }, (_, at) => {
    const event = pool[random(pool.length)];
    return (state) => state.apply(event, at * 1000);
  })];
});
/** Sequences of events, each with its name: functions that hand the event to a state and give the outcome. */
export const sequences = [...recorded, ...applied, ...shuffled];
