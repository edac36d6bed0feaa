// Deno and Bun, with the package from node_modules.

import assert from "node:assert/strict";
import test from "node:test";
import { NAME, PROGRAM, app, run, tool, write } from "../support/app.mjs";
import { DONE } from "./scenario.mjs";

const folder = app("runtimes");
const main = write(folder, "main.mjs", PROGRAM);
const common = write(
  folder,
  "main.cjs",
  `const { ClientState } = require("${NAME}");
  import("./scenario.mjs").then(({ scenario }) => console.log(scenario(ClientState)));`,
);
const deno = ["run", "--no-remote", "--node-modules-dir=manual"];
const env = { DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };

test("Deno, without any permission", async () => {
  assert.equal(await run(tool("deno"), [...deno, main], folder, env), DONE);
});

test("Bun, ES module", async () => {
  assert.equal(await run(tool("bun"), ["run", main], folder, env), DONE);
});

test("Bun, CommonJS", async () => {
  assert.equal(await run(tool("bun"), ["run", common], folder, env), DONE);
});
