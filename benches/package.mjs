// The npm package of pkg/ in Node, beside what a client does anyway or might do instead. Run by `cargo xtask bench`.
//   node benches/package.mjs RESULT WASM_GZIP_BYTES

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import { fileURLToPath } from "node:url";
import { SESSION, before, changes, finished, inputs, live, sessions } from "./inputs.mjs";
import { median, rounds, timed, timedAfter } from "./measure.mjs";
import { fed, table, time, times } from "./messages.mjs";

// The wasm's memory is private to the package: note it down when it is made.
const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(module, imports) {
    super(module, imports);
    memories.push(this.exports.memory);
  }
};

const [result, wasmGzip] = process.argv.slice(2);
const FEW = 100;
const MANY = 100_000;

/** A row of the table of goals. */
const goals = [];
const goal = (what, limit, measured, reached) => goals.push({ what, limit, measured, reached });

function say(label) {
  console.error(`${label}, ${(performance.now() / 1000).toFixed(0)} s`);
}

// ---- memory: first, before anything has left free memory behind ----

const few = fed(live(SESSION));
for (let n = 0; n < FEW; n++) few.received(finished(n));
const many = fed(live(SESSION));
const size = () => memories[0].buffer.byteLength;
const empty = size();
for (let n = 0; n < MANY; n++) many.received(finished(n));
const perCall = (size() - empty) / MANY;

// ---- messages ----

/** So many messages are handed in at a time, or so many sessions changed, then asked about. */
const BATCH = 32;

const { columns, ways, ratios } = table({ inputs, before, sessions, batch: BATCH, say });
for (const [index, name] of Object.keys(inputs).entries()) {
  const ignored = name.startsWith("message chunk");
  const limit = ignored ? 0.03 : 1;
  goal(name, `≤ ${limit} × \`JSON.parse\``, times(ratios[index]), ratios[index] <= limit);
}

// ---- questions ----

const QUESTIONS = {
  activity: (state, id) => state.activity(id),
  isQuiet: (state, id) => state.isQuiet(id),
  isReleasable: (state, id) => state.isReleasable(id),
  abandoned: (state, id) => state.abandoned(id),
  cancelPlan: (state, id) => state.cancelPlan(id),
  closePlan: (state, id) => state.closePlan(id),
  stopPlan: (state, id) => state.stopPlan(id, { terminalId: "term_0" }),
  requests: (state, id) => state.requests(id),
  toolCall: (state, id) => state.toolCall(id, "call_0"),
  terminal: (state, id) => state.terminal(id, "term_0"),
  snapshot: (state, id) => state.snapshot(id),
};

const ids = Array.from({ length: BATCH }, (_, n) => `${SESSION.slice(0, -2)}${String(n).padStart(2, "0")}`);
const alive = fed(ids.flatMap(live));
const changing = ids.map(changes);
const grown = [];
{
  const [one, other] = changes(SESSION);
  const change = (state) => (n) => state.received(n % 2 ? one : other);
  const updates = (state) => () => timed(256, () => {
    for (let n = 0; n < 256; n++) change(state)(n);
  });
  grown.push(["an update", rounds({ few: updates(few), many: updates(many) }, 100).many.ratio]);

  for (const [name, ask] of Object.entries(QUESTIONS)) {
    say(name);
    const { after } = rounds({
      after: () =>
        timedAfter(8, (n) => changing.forEach((messages) => alive.received(messages[n % 2])), () => {
          for (const id of ids) ask(alive, id);
        }) / BATCH,
    }, 60);
    goal(`\`${name}\` right after a change, 10 live items`, "≤ 2 µs", time(after.ns), after.ns <= 2000);
    // Only snapshots are kept until something changes.
    const asked = (state) => () =>
      name === "snapshot"
        ? timedAfter(64, change(state), () => ask(state, SESSION))
        : timed(128, () => {
            for (let n = 0; n < 128; n++) ask(state, SESSION);
          });
    grown.push([name, rounds({ few: asked(few), many: asked(many) }, 60).many.ratio]);
  }
}
{
  const { unchanged } = rounds({ unchanged: () => timed(10_000, () => {
    for (let n = 0; n < 10_000; n++) few.snapshot(SESSION);
  }) }, 60);
  goal("`snapshot` when nothing changed", "≤ 50 ns", time(unchanged.ns), unchanged.ns <= 50);
}
{
  const [worst, ratio] = grown.reduce((worst, each) => (each[1] > worst[1] ? each : worst));
  const most = `${times(ratio)} (${worst === "an update" ? worst : `\`${worst}\``})`;
  goal("an update and each question at 10⁵ finished calls, beside 10²", "≤ 1.3 ×", `at most ${most}`, ratio <= 1.3);
}

// ---- the rest ----

goal("memory in wasm for each of 10⁵ finished calls", "≤ 150 bytes", `${perCall.toFixed(0)} bytes`, perCall <= 150);
{
  say("the first ClientState");
  const script = fileURLToPath(new URL("first.mjs", import.meta.url));
  const starts = Array.from({ length: 15 }, () => JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" })));
  const [imported, made] = [0, 1].map((part) => median(starts.map((start) => start[part])));
  const measured = `${made.toFixed(1)} ms (and the import ${imported.toFixed(1)} ms)`;
  goal("the first `ClientState` of a process", "≤ 5 ms", measured, made <= 5);
}
const gzip = Number(wasmGzip);
goal("the wasm after gzip", "≤ 45 kB", `${(gzip / 1000).toFixed(1)} kB`, gzip <= 45_000);

fs.writeFileSync(
  result,
  JSON.stringify({
    machine: `${os.cpus()[0]?.model ?? os.arch()}, ${os.cpus().length} cores, ${os.type()}, Node ${process.versions.node}`,
    date: new Date().toISOString().slice(0, 10),
    columns,
    ways,
    grown: grown.map(([name, ratio]) => [name, times(ratio)]),
    goals,
  }),
);
say("measured");
