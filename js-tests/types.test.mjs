// The declarations as a user's compiler reads them: without the DOM's names and without skipLibCheck.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { TESTS, app, run, write } from "./support/app.mjs";

const folder = app("types");
const sources = path.join(TESTS, "types");
const files = fs.readdirSync(sources).filter((name) => /\.[cm]?ts$/.test(name));
for (const name of files) fs.copyFileSync(path.join(sources, name), path.join(folder, name));

const RESOLUTIONS = {
  node16: { module: "node16", moduleResolution: "node16" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};
const FORMATS = { node16: /\.[cm]?ts$/, bundler: /\.m?ts$/ };

for (const compiler of ["typescript", "typescript-5"]) {
  const tsc = path.join(TESTS, "node_modules", compiler, "bin/tsc");
  for (const [name, resolution] of Object.entries(RESOLUTIONS)) {
    test(`${compiler}, ${name} resolution`, async () => {
      const included = files.filter((file) => FORMATS[name].test(file));
      assert.ok(included.length > 0, "no file in js-tests/types");
      const compilerOptions = {
        ...resolution,
        target: "es2022",
        lib: ["es2022"],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
      };
      const config = write(folder, `tsconfig.${compiler}.${name}.json`, JSON.stringify({ compilerOptions, files: included }));
      await run(process.execPath, [tsc, "--project", config], folder);
    });
  }
}
