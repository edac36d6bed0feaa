// A client that starts an agent, prompts it once, shows what it is doing, and asks before it closes a session
// in which something still runs, or may run.
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

/** Resolves to whether the session is to stay open. */
async function talk() {
  const info = { name: "example-client", version: "0.0.0" };
  // Fields of ACP v2 and of v1: the agent's answer says which it speaks.
  const offer = { protocolVersion: 2, info, clientInfo: info, capabilities: {}, clientCapabilities: {} };
  const initialized = await agent.request("initialize", offer);
  const { sessionId } = await agent.request("session/new", { cwd: process.cwd(), mcpServers: [] });
  const turnEnded = new Promise((resolve) => {
    state.subscribe(({ turnsEnded }) => turnsEnded.some((turn) => turn.sessionId === sessionId) && resolve());
  });
  await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "Start the dev server." }] });
  await turnEnded;
  return !(await close(sessionId, offersClose(initialized)));
}

/** Whether the agent has `session/close`: on ACP v2 with its sessions, on v1 as a capability of its own. */
function offersClose({ capabilities, agentCapabilities }) {
  return Boolean(capabilities?.session ?? agentCapabilities?.sessionCapabilities?.close);
}

/** Resolves to whether the session may end: `false` when the user, or what is not known, says no. */
async function close(sessionId, isOffered) {
  const { warning, certain, stops } = state.closePlan(sessionId);
  const before = state.activity(sessionId);
  // No warning is no promise: of a plan that is not certain the user hears as well.
  const question = warning ?? (certain ? null : "The agent does not report all that runs");
  if (question !== null && !(await agreed(`${question}. Close anyway? [y/N] `))) {
    if (!certain) return false;
    const titles = stops.map(({ title, id }) => title ?? id);
    console.log(`waiting for ${titles.length === 0 ? "the agent" : titles.join(", ")}`);
    const ends = ["quiet", "closed", ...(before === "unknown" ? [] : ["unknown"])];
    await until(() => ends.includes(state.activity(sessionId)));
    // The wait is over, but nobody said that the work is.
    if (state.activity(sessionId) === "unknown") return false;
  }
  if (isOffered) await agent.request("session/close", { sessionId });
  else console.log("The agent offers no session/close: ending it.");
  return true;
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
  if (await Promise.race([talk(), lost])) {
    // To end the agent would end its work.
    console.log("The session stays open, as its work may go on unreported. Ctrl+C ends the agent.");
    await agent.exited;
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
agent.end();
await agent.exited;
state.free();
