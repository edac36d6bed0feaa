// A client that starts an agent, prompts it once, shows what it is doing, and asks before it closes a session
// in which something still runs.
//
//   node client.mjs                       with the scripted agent beside this file
//   node client.mjs COMMAND [ARGUMENT…]   with an agent of yours

import readline from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { AgentProcess } from "./agent-process.mjs";

const scripted = [process.execPath, fileURLToPath(new URL("scripted-agent.mjs", import.meta.url))];
const [command, ...args] = process.argv.length > 2 ? process.argv.slice(2) : scripted;
const agent = new AgentProcess(command, args);
const { state } = agent;

// This client grants nothing.
agent.onRequest = (method) =>
  method === "session/request_permission" ? { outcome: { outcome: "cancelled" } } : undefined;

state.subscribe((outcome) => {
  for (const sessionId of outcome.changed) show(sessionId);
  for (const { title, id, outcome: end } of outcome.ended) console.log(`ended: ${title ?? id} (${end})`);
});

let shown;
function show(sessionId) {
  const { activity, background } = state.snapshot(sessionId);
  const titles = background.map(({ title, id, status }) => `${title ?? id} (${status})`);
  const line = [activity, ...titles].join("  ");
  if (line !== shown) console.log(line);
  shown = line;
}

/** Resolves when the state, after some event, is as wanted. */
function until(wanted) {
  return new Promise((resolve) => {
    const look = () => {
      if (!wanted()) return;
      undo();
      resolve();
    };
    const undo = state.subscribe(look);
    look();
  });
}

async function talk() {
  const info = { name: "example-client", version: "0.0.0" };
  // Fields of ACP v2 and of v1: the agent's answer says which it speaks.
  const offer = { protocolVersion: 2, info, clientInfo: info, capabilities: {}, clientCapabilities: {} };
  await agent.request("initialize", offer);
  const { sessionId } = await agent.request("session/new", { cwd: process.cwd(), mcpServers: [] });
  const turnEnded = new Promise((resolve) => {
    state.subscribe(({ turnsEnded }) => turnsEnded.some((turn) => turn.sessionId === sessionId) && resolve());
  });
  await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "Start the dev server." }] });
  await turnEnded;
  await close(sessionId);
}

async function close(sessionId) {
  const { warning, stops } = state.closePlan(sessionId);
  if (warning !== null && !(await agreed(`${warning}. Close anyway? [y/N] `))) {
    console.log(`waiting for ${stops.map(({ title, id }) => title ?? id).join(", ")}`);
    await until(() => ["quiet", "unknown", "closed"].includes(state.activity(sessionId)));
  }
  await agent.request("session/close", { sessionId });
}

async function agreed(question) {
  const prompt = readline.createInterface({ input: process.stdin, output: process.stdout });
  // The end of the input is a no.
  const closed = new Promise((resolve) => prompt.once("close", () => resolve("")));
  const answer = await Promise.race([prompt.question(question), closed]);
  prompt.close();
  return /^y/i.test(answer);
}

const lost = agent.exited.then((reason) => {
  throw new Error(`The agent ended: ${reason}.`);
});
try {
  await Promise.race([talk(), lost]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
agent.end();
await agent.exited;
state.free();
