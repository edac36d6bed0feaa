// What a client might write by hand: a plain JavaScript reducer that keeps the facts which the questions need, and
// knows no rule. No checks, no outcome, no marks, nothing abandoned: a lower bound, not a rival.

export class Plain {
  sessions = new Map();
  prompts = new Map();
  requests = new Map();

  #session(id) {
    let session = this.sessions.get(id);
    if (session === undefined) {
      session = { foreground: "idle", stopReason: null, background: undefined, calls: new Map(), terminals: new Map(), children: new Map() };
      this.sessions.set(id, session);
    }
    return session;
  }

  received(message) {
    const { method, params } = message;
    if (method === "session/update") this.#update(this.#session(params.sessionId), params.update);
    else if (method === "session/request_permission") this.requests.set(message.id, params);
    else if (method === undefined) this.prompts.delete(message.id);
  }

  sent(message) {
    if (message.method === "session/prompt") this.prompts.set(message.id, message.params.sessionId);
    else if (message.method === undefined) this.requests.delete(message.id);
  }

  #update(session, update) {
    switch (update.sessionUpdate) {
      case "state_update":
        session.foreground = update.state;
        session.stopReason = update.stopReason ?? null;
        session.background = update.background ?? undefined;
        break;
      case "tool_call":
      case "tool_call_update": {
        const call = item(session.calls, update.toolCallId, newCall);
        if (update.status !== undefined) call.status = update.status ?? "pending";
        if (update.title !== undefined) call.title = update.title;
        if (update.kind !== undefined) call.kind = update.kind ?? "other";
        if (update.capabilities !== undefined) call.cancel = update.capabilities?.cancel !== undefined;
        if (update.content !== undefined) call.terminals = terminals(update.content);
        break;
      }
      case "tool_call_content_chunk":
        item(session.calls, update.toolCallId, newCall).terminals.push(...terminals([update.content]));
        break;
      case "terminal_update": {
        const terminal = item(session.terminals, update.terminalId, newTerminal);
        if (update.command !== undefined) terminal.command = update.command;
        if (update.exitStatus !== undefined) terminal.exit = update.exitStatus;
        if (update.capabilities !== undefined) terminal.cancel = update.capabilities?.cancel !== undefined;
        break;
      }
      case "subagent_update": {
        const child = item(session.children, update.sessionId, newChild);
        if (update.title !== undefined) child.title = update.title;
        if (update.state) this.#update(this.#session(update.sessionId), { sessionUpdate: "state_update", ...update.state });
        break;
      }
    }
  }
}

function item(items, id, make) {
  let found = items.get(id);
  if (found === undefined) items.set(id, (found = make()));
  return found;
}

const newCall = () => ({ status: "pending", title: null, kind: "other", cancel: false, terminals: [] });
const newTerminal = () => ({ command: null, exit: null, cancel: false });
const newChild = () => ({ title: null });

function terminals(content) {
  const found = [];
  for (const each of content ?? []) if (each?.type === "terminal") found.push(each.terminalId);
  return found;
}
