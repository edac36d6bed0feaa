// An ACP agent in a child process, with every line of both directions mirrored into a ClientState.

import { spawn } from "node:child_process";
import readline from "node:readline";
import { ClientState } from "acp-client-state";

export class AgentProcess {
  state = new ClientState();
  /** What to do with a request of the agent's; gives its result. */
  onRequest = () => undefined;
  #child;
  #nextId = 0;
  #waiting = new Map();

  constructor(command, args) {
    this.#child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    readline.createInterface({ input: this.#child.stdout }).on("line", (line) => this.#received(line));
    // Writing to an agent that has gone fails; `exited` tells of it.
    this.#child.stdin.on("error", () => {});
    /** Resolves, when the agent has ended, to how. */
    this.exited = new Promise((resolve) => {
      const gone = (reason) => {
        this.state.apply({ type: "disconnected" });
        for (const { reject } of this.#waiting.values()) reject(new Error(`The agent ended: ${reason}.`));
        this.#waiting.clear();
        resolve(reason);
      };
      this.#child.on("error", ({ message }) => gone(message));
      this.#child.on("exit", (code, signal) => gone(signal ?? `exit code ${code}`));
    });
  }

  /** Sends a request; resolves to its result. */
  request(method, params) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ jsonrpc: "2.0", id, method, params });
    });
  }

  end() {
    this.#child.stdin.end();
  }

  #received(line) {
    // The tap, agent to client. The line is JSON text and goes in as it is.
    const outcome = this.state.received(line);
    for (const problem of outcome.problems) console.error(`problem: ${problem.code}, ${problem.message}`);
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return; // The problem above has said so.
    }
    if (message?.method === undefined) this.#answered(message);
    else if (message.id !== undefined) this.#requested(message);
  }

  #answered({ id, result, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }

  #requested({ id, method, params }) {
    const result = this.onRequest(method, params);
    const error = { code: -32601, message: `${method} is not supported` };
    this.#send(result === undefined ? { jsonrpc: "2.0", id, error } : { jsonrpc: "2.0", id, result });
  }

  #send(message) {
    // The tap, client to agent. An object goes in as well.
    this.state.sent(message);
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }
}
