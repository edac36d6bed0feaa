// What a recorded message says, in words for someone who knows the protocol's terms and not this code.
// `examples/replay.rs` says the same in fewer.

/** One line of plain text, at most `most` characters of it. Agents write titles: no control character gets through. */
export function short(text, most = 48) {
  const line = String(text).replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join("").trimEnd()}…` : line;
}

const quoted = (text, most) => `“${short(text, most)}”`;

/** What is known of by two values: a request by its sender and id, a task by its session and id. */
const key = (...parts) => JSON.stringify(parts);

/** Describes the messages of one session, in their order. Asks the state for titles. */
export class Wording {
  #state;
  #requests = new Map();
  #tasks = new Map();

  constructor(state) {
    this.#state = state;
  }

  /** `direction` is `recv` (from the agent) or `send`. The state has taken the message already. */
  describe(direction, message) {
    const who = direction === "recv" ? "agent" : "client";
    return `${who}: ${this.#what(direction, message ?? {})}`;
  }

  #what(direction, { method, id, params, result, error }) {
    if (typeof method !== "string") {
      const asked = this.#requests.get(key(direction === "recv" ? "send" : "recv", id));
      return this.#answer(asked, result, error);
    }
    if (id !== undefined) this.#requests.set(key(direction, id), { method, params });
    const sessionId = params?.sessionId;
    switch (method) {
      case "session/update":
        return this.#update(sessionId, params?.update ?? {});
      case "initialize":
        return `initialize, offers ACP v${params?.protocolVersion}`;
      case "session/prompt": {
        const text = params?.prompt?.find?.((block) => block?.type === "text")?.text;
        return text === undefined ? method : `${method} ${quoted(text)}`;
      }
      case "session/request_permission":
        return `asks for permission${this.#subject(sessionId, params)}`;
      case "$/cancel_request":
        return `$/cancel_request for request ${short(JSON.stringify(params?.requestId ?? null))}`;
      case "tool_call/cancel":
        return `${method} ${this.#call(sessionId, params?.toolCallId)}`;
      case "terminal/cancel":
        return `${method} ${this.#terminal(sessionId, params?.terminalId)}`;
      case "_session/async_task/stop":
        return `${method} ${this.#taskName(sessionId, params?.asyncTaskId)}`;
      default:
        return short(method);
    }
  }

  #answer(asked, result, error) {
    const method = asked === undefined ? "an unknown request" : short(asked.method);
    if (error !== undefined) return `refuses ${method}: ${short(error?.message ?? error)}`;
    const outcome = result?.outcome;
    const detail =
      result?.stopReason ?? outcome?.optionId ?? outcome?.outcome ??
      (asked?.method === "initialize" ? `ACP v${result?.protocolVersion}` : undefined) ??
      (typeof result?.stopped === "boolean" ? `stopped: ${result.stopped}` : undefined);
    return `answers ${method}${detail === undefined ? "" : ` (${short(detail)})`}`;
  }

  #update(sessionId, update) {
    switch (update.sessionUpdate) {
      case "state_update":
        return `state is ${state(update)}`;
      case "tool_call":
      case "tool_call_update": {
        const verb = typeof update.status === "string" ? `is ${words(update.status)}` : "is updated";
        return `tool call ${this.#call(sessionId, update.toolCallId)} ${verb}`;
      }
      case "tool_call_content_chunk":
        return `tool call ${this.#call(sessionId, update.toolCallId)} has more content`;
      case "terminal_update": {
        const { exitStatus } = update;
        const code = typeof exitStatus?.exitCode === "number" ? ` with code ${exitStatus.exitCode}` : "";
        const verb = exitStatus ? `exited${code}` : "output" in update ? "has new output" : "is updated";
        return `terminal ${this.#terminal(sessionId, update.terminalId)} ${verb}`;
      }
      case "terminal_output_chunk":
        return `terminal ${this.#terminal(sessionId, update.terminalId)} has new output`;
      case "subagent_update": {
        const verb = typeof update.state?.state === "string" ? `state is ${state(update.state)}` : "is updated";
        return `subagent ${this.#subagent(update.sessionId)} ${verb}`;
      }
      case "subagent_spawned":
        return `subagent ${quoted(update.name ?? update.subagentSessionId)} starts`;
      case "subagent_state_update":
        return `subagent ${this.#subagent(update.subagentSessionId)} is ${words(update.state)}`;
      default:
        return this.#task(sessionId, update) ?? short(update.sessionUpdate ?? "an update without a kind");
    }
  }

  #task(sessionId, update) {
    const kind = String(update.sessionUpdate).replace(/^_/, "");
    if (!kind.startsWith("async_task_")) return undefined;
    if (typeof update.name === "string") this.#tasks.set(key(sessionId, update.asyncTaskId), update.name);
    const name = this.#taskName(sessionId, update.asyncTaskId);
    if (kind === "async_task_spawned") return `async task ${name} starts`;
    if (kind === "async_task_state_update") return `async task ${name} is ${words(update.state)}`;
    return `async task ${name} goes on`;
  }

  #subject(sessionId, params) {
    const subject = params?.subject;
    const toolCallId = subject?.toolCallId ?? subject?.toolCall?.toolCallId ?? params?.toolCall?.toolCallId;
    return typeof toolCallId === "string" ? ` for ${this.#call(sessionId, toolCallId)}` : "";
  }

  #taskName(sessionId, id) {
    return quoted(this.#tasks.get(key(sessionId, id)) ?? id);
  }

  #call(sessionId, id) {
    return quoted(this.#state.toolCall(String(sessionId), String(id))?.title ?? id);
  }

  #terminal(sessionId, id) {
    return quoted(this.#state.terminal(String(sessionId), String(id))?.command ?? id);
  }

  #subagent(sessionId) {
    return quoted(this.#state.snapshot(String(sessionId)).title ?? sessionId);
  }
}

const words = (name) => short(String(name).replaceAll("_", " "));

function state({ state, stopReason, background }) {
  const reason = typeof stopReason === "string" ? ` (${short(stopReason)})` : "";
  if (!Array.isArray(background)) return `${short(state)}${reason}`;
  const listed = background.length === 0 ? "lists nothing" : `lists ${background.length} in the background`;
  return `${short(state)}${reason}, ${listed}`;
}
