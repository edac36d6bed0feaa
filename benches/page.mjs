// The bench of messages in a page, bundled by chromium.mjs: measures what it is given there, and leaves the table.

import { table } from "./messages.mjs";

// Only then is the clock fine enough.
if (!crossOriginIsolated) throw new Error("the page is not isolated");
const given = await (await fetch("given.json")).json();
// The clock ticks every 5 µs here: more messages at a time than in Node.
const [, browser] = /Chrome\/(\d+)/.exec(navigator.userAgent);
globalThis.result = { ...table({ ...given, batch: 256 }), browser };
