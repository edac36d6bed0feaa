// The declarations as a user's compiler reads them: without the DOM's names and without skipLibCheck.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { TESTS, app, run, write } from "./support/app.mjs";

const folder = app("types");
const sources = path.join(TESTS, "types");

// What single programs need beyond that.
const OPTIONS = {
  // The SDK's own declarations need the DOM's names and `Symbol.asyncDispose`.
  "accepts.ts": { lib: ["es2022", "dom", "esnext.disposable"] },
  "dispose.ts": { lib: ["es2022", "esnext.disposable"] },
};
const RESOLUTIONS = {
  node16: { module: "node16", moduleResolution: "node16" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};
const COMPILERS = ["typescript", "typescript-5"];

async function compile(compiler, resolution, file, options) {
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    ...RESOLUTIONS[resolution],
    ...options,
  };
  const name = `tsconfig.${compiler}.${resolution}.${path.basename(file)}.json`;
  const config = write(folder, name, JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = path.join(TESTS, "node_modules", compiler, "bin/tsc");
  await run(process.execPath, [tsc, "--project", config], folder);
}

const programs = fs.readdirSync(sources).filter((name) => name.endsWith(".ts"));

test("there are programs for what is accepted and what is refused", () => {
  for (const name of ["accepts.ts", "refuses.ts"]) assert.ok(programs.includes(name), name);
});

for (const compiler of COMPILERS) {
  for (const resolution of Object.keys(RESOLUTIONS)) {
    for (const name of programs) {
      test(`${name}, ${compiler}, ${resolution}`, () =>
        compile(compiler, resolution, path.join(sources, name), OPTIONS[name]));
    }
  }
  test(`refuses.ts as CommonJS, ${compiler}, node16`, () => {
    const copy = write(folder, "refuses.cts", fs.readFileSync(path.join(sources, "refuses.ts"), "utf8"));
    return compile(compiler, "node16", copy);
  });
}
