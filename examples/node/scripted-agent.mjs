// A stand-in for an agent, so that the example runs without one. Speaks enough of ACP v2: its one turn starts a
// dev server in a terminal that outlives the turn, and that ends by itself a little later.

import readline from "node:readline";

const sessionId = "session-1";
const terminalId = "terminal-1";
let server;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (sessionUpdate, fields) =>
  send({ method: "session/update", params: { sessionId, update: { sessionUpdate, ...fields } } });

function turn() {
  const call = { toolCallId: "call-1", title: "npm run dev", kind: "execute" };
  update("state_update", { state: "running", background: [] });
  update("terminal_update", { terminalId, command: "npm run dev", capabilities: { cancel: {} } });
  update("tool_call_update", { ...call, status: "in_progress", content: [{ type: "terminal", terminalId }] });
  update("tool_call_update", { toolCallId: "call-1", status: "completed" });
  update("state_update", { state: "idle", stopReason: "end_turn", background: [{ type: "terminal", terminalId }] });
  server = setTimeout(() => {
    update("terminal_update", { terminalId, exitStatus: { exitCode: 0 } });
    update("state_update", { state: "idle", background: [] });
  }, 1000);
}

const methods = {
  initialize: () => ({ protocolVersion: 2, info: { name: "scripted-agent", version: "0.0.0" }, capabilities: { session: {} } }),
  "session/new": () => ({ sessionId }),
  "session/prompt": () => {
    setTimeout(turn, 50);
    return {};
  },
  "session/close": () => {
    clearTimeout(server);
    return {};
  },
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = methods[method];
  if (answer) send({ id, result: answer(params) });
  else send({ id, error: { code: -32601, message: `no method ${method}` } });
});
