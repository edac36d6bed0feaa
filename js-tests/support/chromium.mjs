// Pages in headless Chromium, with the arguments that the wasm tests use as well.

import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { chromium as playwright } from "playwright-core";
import { TESTS, chromium } from "./app.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Opens an address and gives what the page leaves in `globalThis.result`, with what it complained about. */
export async function result(address, timeout = 60_000) {
  const webdriver = JSON.parse(fs.readFileSync(path.join(path.dirname(TESTS), "webdriver.json"), "utf8"));
  const { args } = webdriver["goog:chromeOptions"];
  const browser = await playwright.launch({ executablePath: chromium(), args });
  try {
    const page = await browser.newPage();
    const complaints = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    const broken = new Promise((_, reject) => page.once("pageerror", reject));
    broken.catch(() => {}); // It may break before anyone waits for it below.
    await page.goto(address);
    const left = page.waitForFunction(() => globalThis.result, null, { timeout });
    const handle = await Promise.race([left, broken]).catch((error) => {
      throw new Error([error.message, ...complaints].join("\n"));
    });
    return await handle.jsonValue();
  } finally {
    await browser.close();
  }
}

/** Serves a folder while `use(address)` runs, with more headers if wanted. */
export async function serve(folder, headers, use) {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = path.join(folder, pathname === "/" ? "index.html" : path.normalize(pathname));
    if (!fs.existsSync(file)) return response.writeHead(404).end();
    const type = TYPES[path.extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, ...headers }).end(fs.readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
