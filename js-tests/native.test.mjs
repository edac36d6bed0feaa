// The same messages three ways: through the package as objects, through it as JSON text, and through the crate natively,
// as text and as `serde_json::Value`. All come to the same outcomes, the same saved state and the same answers.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { ClientState } from "acp-client-state";
import { native } from "./support/app.mjs";
import { answers, randomNumbers } from "./support/corpus.mjs";
import { DAMAGES, damaged, dressed, misspelled, places, plain, spelled } from "./support/damage.mjs";
import { NAMES, generator } from "./support/messages.mjs";

/** Sequences of random steps, and steps of each. More, or others, by these variables. */
const SEQUENCES = Number(process.env.NATIVE_CASES ?? 250);
const STEPS = 40;
const SEED = Number(process.env.TEST_SEED ?? 1);

/** Times that a host may hand in. */
const TIMES = [-1, 0, 12.5, 1_764_000_000_000, 2 ** 53, 1e300, -0.25];

// ---- steps: what the package is given, and the line that the crate is given ----

const fresh = { line: ["new"], take: () => null };
const saved = { line: ["state"], take: (state) => state.toJSON() };
const asked = { line: ["ask", NAMES], take: everything };

function everything(state) {
  const all = (ask) => NAMES.map(ask);
  const sessions = all((session) => ({
    ...answers(state, session),
    isReleasable: state.isReleasable(session, 2e12, 1e3),
    toolCalls: all((id) => state.toolCall(session, id)),
    terminals: all((id) => state.terminal(session, id)),
    callStops: all((toolCallId) => state.stopPlan(session, { toolCallId })),
    terminalStops: all((terminalId) => state.stopPlan(session, { terminalId })),
    sessionStops: all((sessionId) => state.stopPlan(session, { sessionId })),
    taskStops: all((asyncTaskId) => state.stopPlan(session, { asyncTaskId })),
  }));
  return { sessionIds: state.sessionIds(), sessions };
}

/** Hands a message over: its text, or the object, when it is one. Else the text is all that there is. */
function message(way, value, text, at, random) {
  const object = typeof value === "object" && value !== null ? dressed(value, random) : text;
  return {
    line: [way, at, text, value === undefined ? null : JSON.stringify(plain(value))],
    take: (state, asText) => state[way](asText ? text : object, at),
  };
}

function spelling(way, value, at, random) {
  const text = spelled(value, random);
  assert.deepEqual(JSON.parse(text), value, text);
  return message(way, value, text, at, random);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function event(value, at) {
  const refused = (error) => {
    if (error instanceof TypeError) return { refused: error.message };
    throw error;
  };
  return {
    line: ["apply", at, plain(value)],
    take(state) {
      try {
        return state.apply(value, at);
      } catch (error) {
        return refused(error);
      }
    },
  };
}

/** A sequence of random steps, some of them damaged. */
function* sequence(seed) {
  const random = randomNumbers(seed);
  const make = generator(random);
  const tools = { random, of: make.of };
  let at = 0;
  yield fresh;
  const version = random(3);
  if (version > 0) for (const [way, value] of make.initialize(version, random(2) ? ["asyncTasks"] : [])) yield spelling(way, value, at, random);
  for (let step = 0; step < STEPS; step += 1) {
    at = random(10) === 0 ? make.of(TIMES) : at + random(1000);
    if (random(6) === 0) {
      yield event(random(3) === 0 ? damaged(make.event(), tools) : make.event(), at);
    } else {
      let [way, value] = make.message();
      if (random(3) === 0) value = damaged(value, tools);
      if (random(12) > 0) {
        yield spelling(way, value, at, random);
      } else {
        const text = misspelled(spelled(value, random), tools);
        yield message(way, parsed(text), text, at, random);
      }
    }
    if (step % 4 === 3) yield saved;
    if (step % 20 === 19) yield asked;
  }
}

/** Every damage in every place of a message of each kind and an event of each type. */
function* everyDamage() {
  const random = randomNumbers(SEED);
  const make = generator(random);
  let count = 0;
  function* each(sample, step) {
    for (const [index] of places({ sample }).entries()) {
      for (const damage of DAMAGES) {
        if (count++ % 100 === 0) yield* prepared(make, random);
        const root = { sample: structuredClone(sample) };
        damage(...places(root)[index]);
        if (!("sample" in root)) continue;
        yield step(root.sample);
        if (count % 4 === 0) yield saved;
      }
    }
    yield asked;
  }
  for (const [way, sample] of make.messages()) yield* each(sample, (value) => spelling(way, value, count, random));
  for (const sample of make.events()) yield* each(sample, (value) => event(value, count));
}

/** A new state in which much is known and in flight. */
function* prepared(make, random) {
  yield fresh;
  for (const [way, value] of make.messages()) {
    if (value.method !== "session/delete" && value.method !== "session/close") yield spelling(way, value, 1, random);
  }
}

// ---- both sides ----

/** The lines that the crate answers. Not by `node:readline`, for which U+2028 ends a line too. */
async function natively(how, lines) {
  const child = spawn(native(), [how], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  child.stdin.end(lines);
  const chunks = await child.stdout.setEncoding("utf8").toArray();
  assert.deepEqual(await ended, [0, null]);
  return chunks.join("").trimEnd().split("\n");
}

/** Where two values differ first. */
function difference(one, other) {
  const [left, right] = [one, other].map((value) => (typeof value === "string" ? value : JSON.stringify(value) ?? ""));
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return [left, right].map((text) => text.slice(Math.max(0, at - 60), at + 60)).join("\n");
}

async function agree(steps) {
  const lines = steps.map(({ line }) => `${JSON.stringify(line)}\n`).join("");
  const [texts, values] = await Promise.all([natively("text", lines), natively("value", lines)]);
  assert.deepEqual([texts.length, values.length], [steps.length, steps.length]);
  let byText;
  let byObject;
  for (const [index, step] of steps.entries()) {
    const same = (one, other, who) => {
      if (isDeepStrictEqual(one, other)) return;
      assert.fail(`step ${index}, ${who}: ${JSON.stringify(step.line)}\n${difference(one, other)}`);
    };
    same(values[index], texts[index], "natively as a value and as text");
    if (step === fresh) {
      for (const state of [byText, byObject]) state?.free();
      [byText, byObject] = [new ClientState(), new ClientState()];
    }
    const expected = JSON.parse(texts[index]);
    same(step.take(byText, true), expected, "the package, given text, and the crate");
    same(step.take(byObject, false), expected, "the package, given objects, and the crate");
  }
}

test("every damage in every place of a message or an event (E1, E2, E3)", async () => {
  const steps = [...everyDamage()];
  assert.ok(steps.length > 25_000, `${steps.length} steps`);
  await agree(steps);
});

test("random sequences of messages and events", async () => {
  const steps = Array.from({ length: SEQUENCES }, (_, index) => [...sequence(SEED * 1_000_003 + index)]).flat();
  await agree(steps);
});
