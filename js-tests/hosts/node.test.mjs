// Node: ES modules, CommonJS, and the entry without bytes.

import assert from "node:assert/strict";
import test from "node:test";
import { NAME, PROGRAM, app, run, write } from "../support/app.mjs";
import { DONE } from "./scenario.mjs";

const folder = app("node");

async function prints(name, program) {
  const file = write(folder, name, program);
  assert.equal(await run(process.execPath, [file], folder), DONE);
}

test("ES module", () => prints("main.mjs", PROGRAM));

test("CommonJS", () =>
  prints(
    "main.cjs",
    `const { ClientState } = require("${NAME}");
    import("./scenario.mjs").then(({ scenario }) => console.log(scenario(ClientState)));`,
  ));

const SLIM = `
  const missing = (() => { try { new ClientState(); } catch (error) { return error; } })();
  if (!(missing instanceof Error)) throw new Error("a state before init() is no error");
`;

test("slim, ES module, with bytes from the package", () =>
  prints(
    "slim.mjs",
    `import fs from "node:fs";
    import { createRequire } from "node:module";
    import { ClientState, init } from "${NAME}/slim";
    import { scenario } from "./scenario.mjs";
    ${SLIM}
    await init(fs.readFileSync(createRequire(import.meta.url).resolve("${NAME}/acp_client_state.wasm")));
    console.log(scenario(ClientState));`,
  ));

test("slim, CommonJS, with a module", () =>
  prints(
    "slim.cjs",
    `const fs = require("node:fs");
    const { ClientState, init } = require("${NAME}/slim");
    ${SLIM}
    (async () => {
      const bytes = fs.readFileSync(require.resolve("${NAME}/acp_client_state.wasm"));
      await init(await WebAssembly.compile(bytes));
      const { scenario } = await import("./scenario.mjs");
      console.log(scenario(ClientState));
    })();`,
  ));

test("index and slim are one class and one instance", () =>
  prints(
    "shared.mjs",
    `import { ClientState } from "${NAME}";
    import { ClientState as Slim } from "${NAME}/slim";
    import { scenario } from "./scenario.mjs";
    if (ClientState !== Slim) throw new Error("two classes");
    console.log(scenario(Slim));`,
  ));
