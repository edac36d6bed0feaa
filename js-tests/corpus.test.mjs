// Every vector and every recorded session through the package, and what holds of every sequence of events.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientState } from "acp-client-state";
import { answers, feed, randomNumbers, said, sequences, traces, vectors } from "./support/corpus.mjs";

test("every vector and every recorded session is there", () => {
  assert.equal(vectors.length, 25);
  assert.equal(traces.length, 46);
});

for (const vector of vectors) {
  test(`vector ${vector.name}`, () => {
    const state = new ClientState();
    for (const step of vector.steps) {
      const outcome = state.apply(step.event, step.at);
      for (const [field, expected] of Object.entries(step.outcome)) {
        assert.deepEqual(said(outcome, field), expected, `at ${step.at}: ${field}`);
      }
      for (const [session, questions] of Object.entries(step.answers)) {
        const given = answers(state, session);
        given.closePlan.stops = given.closePlan.stops.map(({ type, id }) => [type, id]);
        for (const [question, expected] of Object.entries(questions)) {
          assert.deepEqual(given[question], expected, `at ${step.at}: ${session} ${question}`);
        }
      }
    }
    for (const [session, { toolCalls = [], terminals = [], stopPlans = [] }] of Object.entries(vector.items)) {
      for (const call of toolCalls) agrees(state.toolCall(session, call.toolCallId), call);
      for (const terminal of terminals) agrees(state.terminal(session, terminal.terminalId), terminal);
      for (const { target, plan } of stopPlans) assert.deepEqual(state.stopPlan(session, target), plan);
    }
  });
}

/** The fields that are expected are as expected. */
function agrees(given, expected) {
  for (const [field, value] of Object.entries(expected)) assert.deepEqual(given[field], value, field);
}

for (const trace of traces) {
  test(`trace ${trace.name}`, () => {
    for (const as of [(message) => message, (message) => JSON.stringify(message)]) replay(trace, as);
  });
}

const REPORTED = ["turnsEnded", "becameQuiet", "started", "ended", "stop", "answerDue"];

function replay({ messages, expected, ids }, as) {
  const state = new ClientState();
  const shown = new Map();
  for (const [index, message] of messages.entries()) {
    const outcome = feed(state, message, as);
    assert.deepEqual(outcome.problems, [], `line ${index + 1}`);
    const line = {};
    for (const field of REPORTED) {
      const value = said(outcome, field);
      if (value !== null && value.length !== 0) line.outcome = { ...line.outcome, [field]: value };
    }
    for (const session of state.sessionIds()) {
      const view = traceView(state, session, ids);
      const text = JSON.stringify(view);
      if (shown.get(session) !== text) line.sessions = { ...line.sessions, [session]: view };
      shown.set(session, text);
    }
    const { outcome: wanted, sessions } = expected.get(index + 1) ?? {};
    assert.deepEqual(line.outcome, wanted, `line ${index + 1}: outcome`);
    assert.deepEqual(line.sessions, sessions, `line ${index + 1}: sessions`);
  }
  for (const line of expected.keys()) assert.ok(line <= messages.length, `expected line ${line} is left over`);
}

/** What the expected lines of a trace say of a session. */
function traceView(state, session, ids) {
  const { markCancelled, answerCancelled, keepOpen } = state.cancelPlan(session);
  const shown = (items) => Object.fromEntries(items.filter(([, item]) => item !== null).map(([id, item]) => [id, item.shown]));
  return {
    activity: state.activity(session),
    background: state.snapshot(session).background.map(({ type, id, status }) => `${type} ${id} ${status}`),
    abandoned: state.abandoned(session),
    markCancelled,
    answerCancelled,
    keepOpen,
    warning: state.closePlan(session).warning,
    shown: shown(ids.map((id) => [id, state.toolCall(session, id)])),
    terminals: shown(ids.map((id) => [id, state.terminal(session, id)])),
  };
}

// ---- what holds of every sequence of events ----

/** Every answer about every session. */
const everything = (state) => state.sessionIds().map((id) => [id, answers(state, id)]);

const restored = (state) => ClientState.fromJSON(JSON.stringify(state));

test("a state that is saved and restored at random points goes on as if it had not been", () => {
  for (const [index, [name, events]] of sequences.entries()) {
    const random = randomNumbers(index + 1);
    const state = new ClientState();
    let other = new ClientState();
    for (const [step, event] of events.entries()) {
      if (random(4) === 0) {
        const before = other;
        other = restored(before);
        before.free();
      }
      assert.deepEqual(event(other), event(state), `${name}, event ${step + 1}`);
      assert.deepEqual(everything(other), everything(state), `${name}, after event ${step + 1}`);
    }
    assert.deepEqual(other.toJSON(), state.toJSON(), name);
    assert.deepEqual(JSON.parse(JSON.stringify(state)), state.toJSON(), "what is saved is plain JSON");
    state.free();
    other.free();
  }
});

test("a snapshot is the same object until its session is named as changed, and never out of date (N2)", () => {
  for (const [name, events] of sequences) {
    const state = new ClientState();
    for (const [step, event] of events.entries()) {
      const before = new Map(state.sessionIds().map((id) => [id, answers(state, id)]));
      const { changed } = event(state);
      const fresh = restored(state);
      for (const [id, old] of before) {
        const place = `${name}, after event ${step + 1}: ${id}`;
        const now = answers(state, id);
        if (changed.includes(id)) {
          assert.notEqual(now.snapshot, old.snapshot, place);
          const exists = state.sessionIds().includes(id);
          if (exists) assert.equal(now.snapshot.version, old.snapshot.version + 1, place);
        } else {
          assert.equal(now.snapshot, old.snapshot, place);
          assert.deepEqual(now, old, place);
        }
        assert.equal(state.snapshot(id), now.snapshot, place);
        assert.deepEqual(now.snapshot, fresh.snapshot(id), place);
      }
      fresh.free();
    }
    state.free();
  }
});

// What a new session is depends on what the agent announced (J1).
test("the snapshot of an id without a session follows when the agent has announced async tasks (F6)", () => {
  const state = new ClientState();
  assert.equal(state.snapshot("nobody").activity, state.activity("nobody"));
  state.apply({ type: "initialized", protocolVersion: 1, asyncTasks: true }, 1);
  assert.equal(state.snapshot("nobody").activity, state.activity("nobody"));
});
