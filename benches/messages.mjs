// What a message costs through the package, beside what a client does anyway or might do instead. In Node and in pages.

import { zUpdateSessionNotification } from "../js-tests/node_modules/@agentclientprotocol/sdk/dist/v2/unstable/schema/zod.gen.js";
import { ClientState } from "../pkg/dist/index.js";
import { rounds, timed, timedAfter } from "./measure.mjs";
import { Plain } from "./plain.mjs";

const WAYS = ["`JSON.parse` of the line", "this package", "a plain JavaScript reducer", "the SDK's schema"];
const [PARSE, OURS, PLAIN, SDK] = WAYS;

export const time = (ns) => (ns < 1000 ? `${ns.toFixed(ns < 10 ? 1 : 0)} ns` : `${(ns / 1000).toFixed(ns < 10_000 ? 2 : 1)} µs`);
export const times = (ratio) => ratio.toFixed(ratio < 0.1 ? 3 : 2);

/** A state that was handed all that. */
export function fed(...messages) {
  const state = new ClientState();
  for (const message of messages.flat()) state.received(message);
  return state;
}

/**
 * The time of handing in freshly parsed messages, in 8 batches. `batch` of them are parsed, then handed in: enough for the
 * clock not to matter, and few enough to be in the cache still, as what was just parsed is.
 */
function afterParsing(lines, batch, work, batches = 8) {
  let next = 0;
  let messages;
  const parse = () => {
    messages = Array.from({ length: batch }, () => JSON.parse(lines[next++ % lines.length]));
  };
  return () =>
    timedAfter(batches, parse, () => {
      for (const message of messages) work(message);
    }) / batch;
}

/** Hands in the lines of one input, over and over; `before` is what was said before. By way, as `rounds` gives it. */
export function ofLines(lines, before, batch) {
  const state = fed(before);
  const plain = new Plain();
  for (const message of before) plain.received(message);
  return rounds(
    {
      [PARSE]: () => timed(8 * batch, () => {
        for (let n = 0; n < 8 * batch; n++) JSON.parse(lines[n % lines.length]);
      }),
      [OURS]: afterParsing(lines, batch, (message) => state.received(message)),
      [PLAIN]: afterParsing(lines, batch, (message) => plain.received(message)),
      // Slow enough for few to tell.
      [SDK]: afterParsing(lines, 32, (message) => zUpdateSessionNotification.parse(message.params), 1),
    },
    300,
  );
}

/** The same of recorded sessions, each with a state of its own. */
export function ofSessions(sessions) {
  const count = sessions.reduce((sum, lines) => sum + lines.length, 0);
  const parsed = () => sessions.map((lines) => lines.map(([fromAgent, line]) => [fromAgent, JSON.parse(line)]));
  const each = (make, end) => () => {
    const all = parsed();
    return timed(count, () => {
      for (const messages of all) {
        const state = make();
        for (const [fromAgent, message] of messages) fromAgent ? state.received(message) : state.sent(message);
        end(state);
      }
    });
  };
  return rounds(
    {
      [PARSE]: () => timed(count, parsed),
      [OURS]: each(() => new ClientState(), (state) => state.free()),
      [PLAIN]: each(() => new Plain(), () => {}),
    },
    60,
  );
}

/** The table of messages: its columns, what stands in each row, and the ratio of this package in each column. */
export function table({ inputs, before, sessions, batch, say = () => {} }) {
  const columns = [];
  const ways = WAYS.map((way) => [way, []]);
  const ratios = [];
  const add = (name, measure) => {
    say(name);
    const measured = measure();
    columns.push(name);
    ratios.push(measured[OURS].ratio);
    for (const [way, cells] of ways) {
      const cell = measured[way];
      cells.push(cell === undefined ? "" : `${time(cell.ns)} (${times(cell.ratio)})`);
    }
  };
  for (const [name, lines] of Object.entries(inputs)) add(name, () => ofLines(lines, before, batch));
  add(`a message of the ${sessions.length} recorded sessions`, () => ofSessions(sessions));
  return { columns, ways, ratios };
}
