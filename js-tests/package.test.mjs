// The tarball itself: what is in it, what publint and are-the-types-wrong say, and what no module may use.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { NAME, app, run, tarball, tool } from "./support/app.mjs";

const folder = app("package");
const installed = path.join(folder, "node_modules", NAME);
const manifest = JSON.parse(fs.readFileSync(path.join(installed, "package.json"), "utf8"));

test("the documents are in the package", () => {
  const documents = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];
  const top = fs.readdirSync(installed, { withFileTypes: true });
  assert.deepEqual(top.filter((entry) => entry.isFile()).map(({ name }) => name).sort(), [...documents, "package.json"].sort());
});

test("it needs no other package and runs no script", () => {
  for (const field of ["dependencies", "peerDependencies", "optionalDependencies", "scripts"]) {
    assert.equal(manifest[field], undefined, field);
  }
});

test("every file that package.json names is there", () => {
  const named = [];
  const collect = (value) => (typeof value === "string" ? named.push(value) : Object.values(value).forEach(collect));
  collect([manifest.exports, manifest.main, manifest.module, manifest.types, manifest.sideEffects]);
  assert.ok(named.length > 10);
  for (const name of named) assert.ok(fs.existsSync(path.join(installed, name)), name);
});

test("the types come first in every condition", () => {
  const conditions = [manifest.exports["."], manifest.exports["./slim"]].flatMap((entry) => Object.values(entry));
  for (const condition of conditions) assert.deepEqual(Object.keys(condition), ["types", "default"]);
  assert.deepEqual(Object.keys(manifest.exports["."]), ["workerd", "import", "require"]);
});

// What breaks vite's optimizeDeps, Next.js, vitest, jest, CommonJS and service workers. `await` is welcome
// inside functions, which are indented.
const FORBIDDEN = [
  /\bimport\.meta\b/,
  /\bfetch\s*\(/,
  /\bnew URL\s*\(/,
  /["']node:/,
  /\bimport\s*\(/,
  /^(?:(?:const|let|var|export) .*= )?await\b/m,
];

test("no module uses what some host lacks", () => {
  const dist = path.join(installed, "dist");
  const modules = fs.readdirSync(dist).filter((name) => /\.c?js$/.test(name));
  for (const name of ["index.js", "glue.js", "glue.cjs"]) assert.ok(modules.includes(name), name);
  for (const name of modules) {
    const text = fs.readFileSync(path.join(dist, name), "utf8");
    for (const pattern of FORBIDDEN) assert.ok(!pattern.test(text), `${name} has ${pattern}`);
  }
});

test("publint finds nothing", async () => {
  await run(tool("publint"), ["run", tarball(), "--strict"], folder);
});

test("are-the-types-wrong finds nothing for node16 and bundlers", async () => {
  // `node10` cannot read `exports`; the wasm has no types to be wrong.
  await run(tool("attw"), [tarball(), "--profile", "node16", "--exclude-entrypoints", "acp_client_state.wasm"], folder);
});
