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

// ACP v1, reports nothing in the background. With an argument it goes by itself, once prompted.
const plain = path.join(folder, "plain-agent.mjs");
fs.writeFileSync(
  plain,
  `import readline from "node:readline";
const results = { initialize: { protocolVersion: 1, agentCapabilities: {} }, "session/new": { sessionId: "s" }, "session/prompt": { stopReason: "end_turn" } };
const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (!results[method]) throw new Error("no method " + method);
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }) + "\\n");
  if (method === "session/prompt" && process.argv[2] === "goes") setTimeout(() => process.exit(), 1000);
});
`,
);

test("a no to a plan that is not certain leaves the session open", () => {
  for (const input of ["n\n", ""]) {
    const { status, stdout, stderr } = client(input, process.execPath, plain, "goes");
    assert.deepEqual([status, stderr], [0, ""]);
    assert.match(stdout, /^The agent does not report all that runs\. Close anyway\? \[y\/N\] /m);
    assert.match(stdout, /The session stays open, .* Ctrl\+C ends the agent\.\n/);
    assert.ok(!/waiting|session\/close/.test(stdout), stdout);
  }
});

test("an agent that offers no session/close is ended", () => {
  const { status, stdout, stderr } = client("y\n", process.execPath, plain);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.match(stdout, /The agent offers no session\/close: ending it\.\n/);
});

test("an agent that ends, and one that is not there, are told of", () => {
  const gone = client("", process.execPath, "-e", "process.exit(3)");
  assert.deepEqual([gone.status, gone.stderr], [1, "The agent ended: exit code 3.\n"]);
  const missing = client("", path.join(folder, "no-such-agent"));
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /^The agent ended: .*ENOENT\.\n$/);
});
