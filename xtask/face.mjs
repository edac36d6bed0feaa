// Builds the JavaScript face of the package: every file of `pkg-template/src` becomes one ES module and one
// CommonJS file of the same name, and its declarations. Two more modules are made here, whose declarations the
// sources have by hand: `glue`, what wasm-bindgen wrote with its snippets, and `bytes`, the wasm as base64.
// The modules stay separate so that `index` and `slim` share one instance.
//   node face.mjs SOURCES GLUE_FOLDER WASM SCRATCH DIST

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [sources, glue, wasm, scratch, dist] = process.argv.slice(2).map((argument) => path.resolve(argument));
const require = createRequire(new URL("../js-tests/package.json", import.meta.url));
const esbuild = require("esbuild");

// These entries exist as ES modules only: workerd knows no CommonJS.
const ONLY_ESM = new Set(["workerd"]);
// What the template's `exports` name: declarations that none of these reaches stay private.
const ENTRIES = ["index", "slim", "workerd"];
// Private, types included.
const MADE_HERE = ["glue", "bytes"];

function stage() {
  fs.rmSync(scratch, { recursive: true, force: true });
  fs.cpSync(sources, scratch, { recursive: true });
  fs.cpSync(glue, path.join(scratch, "bindgen"), { recursive: true });
  // `export *` leaves the default export behind, and with it the only code that fetches.
  fs.writeFileSync(path.join(scratch, "glue.js"), 'export * from "./bindgen/glue.js";\n');
  fs.writeFileSync(path.join(scratch, "bytes.js"), `export default "${fs.readFileSync(wasm).toString("base64")}";\n`);
  fs.copyFileSync(wasm, path.join(dist, path.basename(wasm)));
}

/** The names of the modules to build, without their endings. */
function modules() {
  const typescript = fs.readdirSync(scratch).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
  return [...typescript.map((name) => name.replace(/\.ts$/, "")), ...MADE_HERE];
}

/** Leaves imports between the modules as they are, but for the ending. */
function keepApart(ending) {
  return {
    name: "keep-apart",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ kind, path: target, importer }) => {
        const inBindgen = target.startsWith("./bindgen/") || path.dirname(importer) !== scratch;
        if (kind === "entry-point" || inBindgen) return undefined;
        return { path: target.replace(/\.js$/, ending), external: true };
      });
    },
  };
}

async function transpile(names, format, ending) {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: scratch,
    entryPoints: names.map((name) => {
      const typescript = path.join(scratch, `${name}.ts`);
      return fs.existsSync(typescript) ? typescript : path.join(scratch, `${name}.js`);
    }),
    bundle: true,
    format,
    // A class that names itself would otherwise be called `_ClientState`.
    keepNames: true,
    platform: "neutral",
    target: "es2022",
    charset: "utf8",
    outdir: dist,
    outbase: scratch,
    outExtension: { ".js": ending },
    plugins: [keepApart(ending)],
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    logLevel: "warning",
    // wasm-bindgen names a snippet once for each kind of import that it serves, each time with the same module.
    logOverride: { "duplicate-object-key": "silent" },
    write: false,
  });
  return outputFiles.map(({ path: file, text }) => ({ name: path.basename(file, ending), file, text }));
}

async function write(names) {
  const modules = await transpile(names, "esm", ".js");
  // A file of nothing but types leaves no code.
  const code = modules.filter(({ text }) => text.replace(/^\/\/ .*$/gm, "").trim() !== "");
  const both = code.map(({ name }) => name).filter((name) => !ONLY_ESM.has(name));
  for (const { file, text } of [...code, ...(await transpile(both, "cjs", ".cjs"))]) fs.writeFileSync(file, text);
}

function declare() {
  const config = path.join(scratch, "tsconfig.json");
  const settings = {
    extends: path.join(sources, "../tsconfig.json"),
    compilerOptions: { declaration: true, emitDeclarationOnly: true, rootDir: scratch, outDir: dist },
    files: fs.readdirSync(scratch).filter((name) => name.endsWith(".ts")),
    include: [],
  };
  fs.writeFileSync(config, JSON.stringify(settings));
  const tsc = path.join(path.dirname(require.resolve("typescript/package.json")), "bin/tsc");
  const { status } = spawnSync(process.execPath, [tsc, "--project", config], { stdio: "inherit" });
  if (status !== 0) throw new Error("tsc refuses the face: see the lines above.");

  const reached = new Set(ENTRIES);
  for (const name of reached) {
    const text = fs.readFileSync(path.join(dist, `${name}.d.ts`), "utf8");
    for (const [, imported] of text.matchAll(/["']\.\/([^"']+)\.js["']/g)) reached.add(imported);
    if (MADE_HERE.some((made) => reached.has(made))) throw new Error(`${name}.d.ts lets a private module's types out.`);
    if (ONLY_ESM.has(name)) continue;
    fs.writeFileSync(path.join(dist, `${name}.d.cts`), text.replace(/(["']\.\/[^"']+)\.js(["'])/g, "$1.cjs$2"));
  }
  for (const file of fs.readdirSync(dist).filter((name) => name.endsWith(".d.ts"))) {
    if (!reached.has(file.replace(".d.ts", ""))) fs.rmSync(path.join(dist, file));
  }
}

try {
  stage();
  await write(modules());
  declare();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
