// The bench of messages in headless Chromium. Run by `cargo xtask bench`.
//   CHROMIUM=PROGRAM node benches/chromium.mjs FOLDER RESULT

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../js-tests/node_modules/esbuild/lib/main.js";
import { result, serve } from "../js-tests/support/chromium.mjs";
import { before, inputs, sessions } from "./inputs.mjs";

const [folder, file] = process.argv.slice(2);
const entryPoints = [fileURLToPath(new URL("page.mjs", import.meta.url))];
await build({ entryPoints, outfile: path.join(folder, "page.js"), bundle: true, format: "esm", platform: "browser", logLevel: "error" });
fs.writeFileSync(path.join(folder, "given.json"), JSON.stringify({ inputs, before, sessions }));
fs.writeFileSync(path.join(folder, "index.html"), '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>');

const isolated = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
const measured = await serve(folder, isolated, (address) => result(address, 600_000));
fs.writeFileSync(file, JSON.stringify(measured));
