// Messages and events of every kind that is read, of both versions, over few ids, so that they meet.

/** Every id: of sessions, calls, terminals and tasks alike. The last two are longer than what is copied in one piece. */
export const NAMES = ["S", "K", "L", "", "__proto__", "é\u{1f600}", `${"x".repeat(128)}y`, "é€".repeat(22)];
const REQUESTS = [0, 1, "1", 2, null];
const WORDS = ["pending", "in_progress", "paused", "completed", "failed", "cancelled", "_odd"];
const STATES = ["running", "idle", "idle", "requires_action", "unknown", "_dreaming"];

/** What is generated is chosen by `random(below)`. */
export function generator(random) {
  const of = (values) => values[random(values.length)];
  const session = () => (random(3) > 0 ? "S" : of(NAMES));
  const id = () => (random(4) > 0 ? of(["K", "L"]) : of(NAMES));
  const cancel = () => ({ cancel: {} });

  function item() {
    return of([
      () => ({ type: "terminal", terminalId: id() }),
      () => ({ type: "tool_call", toolCallId: id() }),
      () => ({ type: "subagent", sessionId: id() }),
      () => ({ type: "session", sessionId: id() }),
      () => ({ type: "_remote", terminalId: 3 }),
    ])();
  }
  const items = () => Array.from({ length: random(4) }, item);
  const error = () => ({ code: of([-32002, -32603, 1]), message: "no", data: {} });
  const exit = () => ({ exitCode: of([0, 1, null]), signal: of(["SIGHUP", null]) });

  function state() {
    const state = { state: of(STATES) };
    if (random(4) > 0) state.background = items();
    if (random(3) === 0) Object.assign(state, { stopReason: of(["end_turn", "error"]), error: error() });
    return state;
  }

  function meta() {
    const terminal_id = id();
    return of([
      { terminal_info: { terminal_id, cwd: "/w" } },
      { terminal_output: { terminal_id, data: "whole" } },
      { terminal_output_delta: { terminal_id, data: "more\n" } },
      { terminal_exit: { terminal_id, exit_code: 1, signal: null } },
    ]);
  }

  function call() {
    const title = of(["A", null, "é\u{1f600}"]);
    return { toolCallId: id(), title, kind: "read", status: of(WORDS), capabilities: cancel(), content: items() };
  }

  const UPDATES = {
    state_update: state,
    tool_call: () => ({ ...call(), _meta: meta() }),
    tool_call_update: () => ({ ...call(), _meta: meta() }),
    tool_call_content_chunk: () => ({ toolCallId: id(), content: item() }),
    terminal_update: () => ({
      terminalId: id(),
      command: "make",
      cwd: "/w",
      capabilities: cancel(),
      output: { data: of(["YQ==", "!"]) },
      ...(random(3) === 0 && { exitStatus: exit() }),
    }),
    terminal_output_chunk: () => ({ terminalId: id(), data: of(["4oKs", "G1szMW0=", "YQ0KYg=="]) }),
    subagent_update: () => ({ sessionId: id(), title: "Kid", capabilities: cancel(), state: state() }),
    subagent_spawned: () => ({ subagentSessionId: id(), name: "Kid" }),
    subagent_state_update: () => ({ subagentSessionId: id(), state: of(["completed", "running", "_odd"]) }),
    async_task_spawned: () => ({
      asyncTaskId: id(),
      name: "Build",
      taskType: of(["shell", "turn"]),
      canStop: random(2) === 0,
      toolCallId: id(),
    }),
    async_task_state_update: () => ({ asyncTaskId: id(), state: of(["running", "paused", "completed", "stopped"]) }),
    async_task_progress: () => ({ asyncTaskId: id() }),
    agent_message_chunk: () => ({ content: { type: "text", text: "Hm" } }),
    _odd: () => ({ toolCallId: id(), state: "running" }),
  };
  // Async tasks are spoken of in two ways.
  for (const kind of Object.keys(UPDATES)) if (kind.startsWith("async")) UPDATES[`_${kind}`] = UPDATES[kind];

  function update(kind = of(Object.keys(UPDATES))) {
    return { sessionUpdate: kind, ...UPDATES[kind]() };
  }

  const work = () => ({ sessionId: session(), terminalId: id() });
  const ASKED = {
    "session/request_permission": () => ({
      sessionId: session(),
      ...of([
        { subject: { type: "tool_call", toolCall: call() } },
        { subject: { type: "command", toolCallId: id(), terminalId: id() } },
        { toolCall: call() },
      ]),
    }),
    "elicitation/create": () => ({ sessionId: session(), mode: "form" }),
    "terminal/create": () => ({ sessionId: session(), command: "ls", args: ["-l", "é"], cwd: "/w" }),
    "terminal/output": work,
    "terminal/wait_for_exit": work,
    "terminal/release": work,
    "_qwencode/start_turn": () => ({ sessionId: session() }),
    "fs/read_text_file": () => ({ sessionId: session(), path: "/a" }),
  };
  const SENT = {
    initialize: () => ({}),
    "session/new": () => ({ cwd: "/w" }),
    "session/fork": () => ({ sessionId: session() }),
    "session/load": () => ({ sessionId: session() }),
    "session/resume": () => ({ sessionId: session() }),
    "session/close": () => ({ sessionId: session() }),
    "session/delete": () => ({ sessionId: session() }),
    "session/prompt": () => ({ sessionId: session(), prompt: [] }),
    "tool_call/cancel": () => ({ sessionId: session(), toolCallId: id() }),
    "terminal/cancel": work,
    "_session/async_task/stop": () => ({ sessionId: session(), asyncTaskId: id() }),
  };

  const call_ = (method, params, more) => ({ jsonrpc: "2.0", ...more, method, params });
  const request = (method, params) => call_(method, params, { id: of(REQUESTS) });
  const answer = (more) => ({ jsonrpc: "2.0", id: of(REQUESTS), ...more });
  const names = (of_) => Object.keys(of_);

  /** Messages by their direction, each a function that makes one. */
  const KINDS = [
    ...names(UPDATES).map((kind) => ["received", () => call_("session/update", { sessionId: session(), update: update(kind) })]),
    ...names(ASKED).map((method) => ["received", () => request(method, ASKED[method]())]),
    ...names(SENT).map((method) => ["sent", () => request(method, SENT[method]())]),
    ["received", () => call_("$/cancel_request", { requestId: of(REQUESTS) })],
    ["received", () => call_("_qwencode/end_turn", { sessionId: session() })],
    ["sent", () => call_("session/cancel", { sessionId: session() })],
    ["received", () => answer({ result: { protocolVersion: of([1, 2]), _meta: air(of([["asyncTasks"], { asyncTasks: {} }, []])) } })],
    ["received", () => answer({ result: { sessionId: session() } })],
    ["received", () => answer({ result: { stopReason: "end_turn" } })],
    ["received", () => answer({ result: { stopped: random(2) === 0 } })],
    ["received", () => answer({ error: error() })],
    ["sent", () => answer({ result: { outcome: { outcome: "cancelled" } } })],
    ["sent", () => answer({ result: { terminalId: id() } })],
    ["sent", () => answer({ result: exit() })],
    ["sent", () => answer({ result: { exitStatus: exit() } })],
    ["sent", () => answer({ error: error() })],
  ];
  const air = (capabilities) => ({ jetbrains: { air: { capabilities } } });

  const EVENTS = {
    update: () => ({ sessionId: session(), update: update() }),
    permission_requested: () => ({ requestId: of(REQUESTS), ...ASKED["session/request_permission"]() }),
    stop_sent: () => ({ requestId: of(REQUESTS), sessionId: session(), ...of([{ toolCallId: id() }, { terminalId: id() }, { asyncTaskId: id() }]) }),
    stop_answered: () => ({ requestId: of(REQUESTS), ...of([{ stopped: true }, { error: error() }, {}]) }),
    prompt_answered: () => ({ requestId: of(REQUESTS), ...of([{ stopReason: "end_turn" }, { error: error() }, {}]) }),
    initialized: () => ({ protocolVersion: of([1, 2]), asyncTasks: random(2) === 0 }),
    agent_turn_ended: () => ({ sessionId: session(), ...of([{ stopReason: "end_turn" }, {}]) }),
    disconnected: () => ({}),
  };
  for (const type of ["elicitation_requested", "prompt_sent"]) {
    EVENTS[type] = () => ({ requestId: of(REQUESTS), sessionId: session() });
  }
  for (const type of ["request_answered", "request_cancelled"]) EVENTS[type] = () => ({ requestId: of(REQUESTS) });
  for (const type of ["session_opened", "cancel_sent", "close_sent", "resume_sent", "session_deleted", "agent_turn_started"]) {
    EVENTS[type] = () => ({ sessionId: session() });
  }
  for (const type of ["close_answered", "resume_answered"]) {
    EVENTS[type] = () => ({ sessionId: session(), ...(random(3) === 0 && { error: error() }) });
  }

  return {
    of,
    /** One message of each kind, with its direction. */
    messages: () => KINDS.map(([way, make]) => [way, make()]),
    message() {
      const [way, make] = of(KINDS);
      return [way, make()];
    },
    /** One event of each type. */
    events: () => names(EVENTS).map((type) => ({ type, ...EVENTS[type]() })),
    event() {
      const type = of(names(EVENTS));
      return { type, ...EVENTS[type]() };
    },
    initialize: (version, capabilities) => [
      ["sent", { jsonrpc: "2.0", id: 0, method: "initialize", params: {} }],
      ["received", { jsonrpc: "2.0", id: 0, result: { protocolVersion: version, _meta: air(capabilities) } }],
    ],
  };
}
