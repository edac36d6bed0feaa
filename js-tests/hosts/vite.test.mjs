// vite: the development server, which pre-bundles the package, and the production build.

import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import * as vite from "vite";
import { PROGRAM, app, write } from "../support/app.mjs";
import { result, serve } from "../support/chromium.mjs";
import { DONE } from "./scenario.mjs";

const folder = app("vite");
write(folder, "index.html", '<!doctype html><script type="module" src="/main.js"></script>');
write(folder, "main.js", PROGRAM.replace("console.log(scenario(ClientState))", "globalThis.result = scenario(ClientState)"));
const base = { root: folder, configFile: false, logLevel: "error", cacheDir: path.join(folder, ".vite") };

test("development server", async () => {
  const server = await vite.createServer({ ...base, server: { port: 0, host: "127.0.0.1", hmr: false, watch: null } });
  try {
    await server.listen();
    const { port } = server.httpServer.address();
    assert.equal(await result(`http://127.0.0.1:${port}/`), DONE);
  } finally {
    await server.close();
  }
});

test("production build", async () => {
  const outDir = path.join(folder, "built");
  await vite.build({ ...base, build: { outDir } });
  assert.equal(await serve(outDir, {}, result), DONE);
});
