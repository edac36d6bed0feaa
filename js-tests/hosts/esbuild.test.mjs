// esbuild: one CommonJS file for Node, moved away from every node_modules (a desktop VS Code extension), and
// one script for a page with a content security policy (a webview).

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { build } from "esbuild";
import { NAME, PROGRAM, app, run, write } from "../support/app.mjs";
import { result, serve } from "../support/chromium.mjs";
import { DONE } from "./scenario.mjs";

const folder = app("esbuild");

test("one CommonJS file, moved elsewhere", async () => {
  const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), "moved-"));
  try {
    const outfile = path.join(elsewhere, "extension.cjs");
    const entryPoints = [write(folder, "extension.mjs", PROGRAM)];
    await build({ entryPoints, outfile, bundle: true, minify: true, platform: "node", format: "cjs", target: "node20" });
    assert.equal(await run(process.execPath, [outfile], elsewhere), DONE);
  } finally {
    fs.rmSync(elsewhere, { recursive: true });
  }
});

async function webview(name, scripts, program) {
  const entryPoints = [write(folder, `${name}.mjs`, program)];
  const site = path.join(folder, name);
  write(site, "index.html", '<!doctype html><meta charset="utf-8"><script src="/webview.js"></script>');
  const outfile = path.join(site, "webview.js");
  await build({ entryPoints, outfile, bundle: true, minify: true, platform: "browser", format: "iife" });
  const policy = `default-src 'none'; script-src ${scripts}`;
  return serve(site, { "content-security-policy": policy }, result);
}

test("one script in Chromium under a policy that allows wasm", async () => {
  const program = PROGRAM.replace("console.log(scenario(ClientState))", "globalThis.result = scenario(ClientState)");
  assert.equal(await webview("allowed", "'self' 'wasm-unsafe-eval'", program), DONE);
});

test("under a policy that forbids wasm, the constructor throws what can be caught", async () => {
  const program = `
    import { ClientState } from "${NAME}";
    try {
      new ClientState();
      globalThis.result = "constructed";
    } catch (error) {
      globalThis.result = { isError: error instanceof Error, message: String(error.message) };
    }`;
  const caught = await webview("forbidden", "'self'", program);
  assert.equal(caught.isError, true, JSON.stringify(caught));
  assert.notEqual(caught.message, "");
});
