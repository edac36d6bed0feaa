// examples/node, with the packed tarball in place of the folder that its package.json names.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { TESTS, app } from "../support/app.mjs";

const folder = app("example-node");
const example = path.join(path.dirname(TESTS), "examples/node");
const manifest = JSON.parse(fs.readFileSync(path.join(example, "package.json"), "utf8"));
for (const name of fs.readdirSync(example).filter((name) => name.endsWith(".mjs"))) {
  fs.copyFileSync(path.join(example, name), path.join(folder, name));
}

const client = (input, ...agent) =>
  spawnSync(process.execPath, ["client.mjs", ...agent], { cwd: folder, input, encoding: "utf8", timeout: 60_000 });

test("the example names the package that is built", () => {
  assert.deepEqual(manifest.dependencies, { "acp-client-state": "file:../../pkg" });
});

test("closing warns of the dev server; a yes closes at once", () => {
  const { status, stdout, stderr } = client("y\n");
  assert.equal(stderr, "");
  assert.equal(status, 0);
  assert.match(stdout, /^background {2}npm run dev \(running\)$/m);
  assert.match(stdout, /^Closing will stop 1 background task\. Close anyway\? \[y\/N\] closed$/m);
  assert.match(stdout, /^ended: npm run dev \(closed\)$/m);
});

test("a no waits until the session is quiet, and then closes", () => {
  const { status, stdout } = client("n\n");
  assert.equal(status, 0);
  assert.match(stdout, /waiting for npm run dev\n/);
  assert.match(stdout, /ended: npm run dev \(exited\)\nquiet\nclosed\n$/);
});

test("the end of the input is a no", () => {
  assert.match(client("").stdout, /waiting for npm run dev\n[^]*\nquiet\nclosed\n$/);
});

test("an agent that ends, and one that is not there, are told of", () => {
  const gone = client("", process.execPath, "-e", "process.exit(3)");
  assert.deepEqual([gone.status, gone.stderr], [1, "The agent ended: exit code 3.\n"]);
  const missing = client("", path.join(folder, "no-such-agent"));
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /^The agent ended: .*ENOENT\.\n$/);
});
