// The real workerd, Cloudflare's runtime: it compiles no bytes, so the wasm must arrive as a module.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { build } from "esbuild";
import { NAME, app, run, tool, write } from "../support/app.mjs";
import { DONE } from "./scenario.mjs";

const WASM = "acp_client_state.wasm";

test("a worker, bundled as wrangler bundles it", async () => {
  const folder = app("workerd");
  const entry = write(
    folder,
    "worker.mjs",
    `import { ClientState } from "${NAME}";
    import { scenario } from "./scenario.mjs";
    export default { async test() { console.log(scenario(ClientState)); } };`,
  );
  const out = path.join(folder, "out");
  const keepWasm = {
    name: "keep-wasm",
    setup: ({ onResolve }) => onResolve({ filter: /\.wasm$/ }, () => ({ path: `./${WASM}`, external: true })),
  };
  await build({
    entryPoints: [entry],
    outfile: path.join(out, "worker.js"),
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    plugins: [keepWasm],
  });
  fs.copyFileSync(path.join(folder, "node_modules", NAME, "dist", WASM), path.join(out, WASM));
  write(
    out,
    "config.capnp",
    `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (services = [(name = "main", worker = (
      compatibilityDate = "2026-01-01",
      modules = [
        (name = "worker", esModule = embed "worker.js"),
        (name = "${WASM}", wasm = embed "${WASM}"),
      ],
    ))]);`,
  );
  const output = await run(tool("workerd"), ["test", "config.capnp"], out);
  assert.ok(output.includes(DONE), output);
});
