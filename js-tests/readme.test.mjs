// Each JavaScript snippet of the README, as a program of its own beside the installed package. What it prints
// is what its comments say: `console.log(…); // this`.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { TESTS, app, run, write } from "./support/app.mjs";

const folder = app("readme");
const readme = fs.readFileSync(path.join(path.dirname(TESTS), "README.md"), "utf8");
const blocks = (language) => [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, text]) => text);
const snippets = blocks("js");

assert.ok(snippets.length > 0, "the README has no JavaScript");

for (const [index, snippet] of snippets.entries()) {
  test(`snippet ${index + 1}`, async () => {
    const promised = [...snippet.matchAll(/console\.log\(.*\); +\/\/ (.*)$/gm)].map(([, text]) => text);
    const printed = await run(process.execPath, [write(folder, `snippet-${index + 1}.mjs`, snippet)], folder);
    assert.deepEqual(printed.split("\n"), promised);
  });
}

test("no other JavaScript or TypeScript stands there unrun", () => {
  for (const language of ["javascript", "mjs", "cjs", "ts", "tsx", "jsx", "typescript"]) {
    assert.deepEqual(blocks(language), [], language);
  }
});

test("every file that it names is there", () => {
  const named = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, name]) => name);
  assert.ok(named.length > 0);
  for (const name of named) assert.ok(fs.existsSync(path.join(path.dirname(TESTS), name)), name);
});

test("every file that ARCHITECTURE.md names is there", () => {
  const root = path.dirname(TESTS);
  const text = fs.readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
  const named = [...text.matchAll(/`((?:src|tests|js-tests|pkg-template|docs)\/[\w./-]*)`/g)].map(([, name]) => name);
  assert.ok(named.length > 30);
  for (const name of named) assert.ok(fs.existsSync(path.join(root, name)), name);
});

test("every line of the table of agents names recorded sessions that are there", () => {
  const lines = readme.split("\n").filter((line) => /^\| \S+-?\S* .*v[12]/.test(line));
  assert.ok(lines.length >= 9, `${lines.length} lines`);
  for (const line of lines) {
    const traces = [...line.matchAll(/`([a-z-]+\/[\w.-]+)`/g)].map(([, name]) => name);
    assert.ok(traces.length > 0, line);
    for (const name of traces) {
      assert.ok(fs.existsSync(path.join(path.dirname(TESTS), "tests/traces", `${name}.jsonl`)), name);
    }
  }
});
