// The entry without bytes: the wasm is handed over, in each form, in a process of its own.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

function run(program) {
  const prelude = `
    import { readFileSync } from "node:fs";
    import { fileURLToPath } from "node:url";
    import { ClientState, ClientStateError, init } from "acp-client-state/slim";
    const bytes = readFileSync(fileURLToPath(import.meta.resolve("acp-client-state/acp_client_state.wasm")));
    const attempt = (run) => { try { return run(); } catch (error) { return error.name + ": " + error.message; } };
  `;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", prelude + program],
    { cwd: import.meta.dirname, encoding: "utf8" },
  );
  assert.equal(stderr, "");
  return stdout.trim();
}

test("without init, making a state says what is missing", () => {
  const out = run(`
    console.log(attempt(() => new ClientState()));
    console.log(attempt(() => ClientState.fromJSON({})));
  `);
  for (const line of out.split("\n")) assert.match(line, /^ClientStateError: .*init/);
  assert.equal(out.split("\n").length, 2);
});

for (const form of ["bytes", "bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)", "new WebAssembly.Module(bytes)"]) {
  test(`init(${form.slice(0, 30)})`, () => {
    const out = run(`
      init(${form});
      init(bytes);
      console.log(new ClientState().activity("S"));
    `);
    assert.equal(out, "unknown");
  });
}

test("E2 init takes nothing else, and may be called again", () => {
  const out = run(`
    for (const wrong of [undefined, null, 1, "x", {}, [], Promise.resolve(bytes)]) {
      console.log(attempt(() => init(wrong)));
    }
    console.log(attempt(() => init(new Uint8Array(8))));
    init(bytes);
    console.log(new ClientState().activity("S"));
  `).split("\n");
  for (const line of out.slice(0, 7)) assert.match(line, /^TypeError: moduleOrBytes/);
  assert.match(out[7], /^CompileError/);
  assert.equal(out[8], "unknown");
});

test("the default entry shares its instance and its class", () => {
  const out = run(`
    const index = await import("acp-client-state");
    console.log(index.ClientState === ClientState, index.ClientStateError === ClientStateError);
    console.log(new ClientState().activity("S"));
  `);
  assert.equal(out, "true true\nunknown");
});

test("making a state without WebAssembly throws, importing does not", () => {
  const { stdout } = spawnSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `delete globalThis.WebAssembly;
       const { ClientState } = await import("acp-client-state");
       for (let time = 0; time < 2; time++) try { new ClientState() } catch (error) { console.log("threw") }`,
    ],
    { cwd: import.meta.dirname, encoding: "utf8" },
  );
  assert.equal(stdout, "threw\nthrew\n");
});
