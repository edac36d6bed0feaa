/**
 * What a session is doing, in one word (rules A1 to A5).
 *
 * - `busy`: a response is running.
 * - `requires_action`: the agent waits for the user.
 * - `background`: no response is running, and listed work goes on.
 * - `scheduled`: all that is left is pending or paused; nothing runs right now.
 * - `quiet`: the agent said that nothing runs. Only this is quiet.
 * - `unknown`: nobody said what runs; work may go on unreported.
 * - `closed`: the session was closed.
 */
export type Activity =
  | "busy"
  | "requires_action"
  | "background"
  | "scheduled"
  | "quiet"
  | "unknown"
  | "closed";

/** The id of a JSON-RPC request: an integer or a string. `1` and `"1"` are two ids (rule P1). */
export type RequestId = string | number | null;

/** The error of a JSON-RPC response. */
export type RpcError = { code: number; message: string };

/** How a client state behaves where agents and clients may differ. */
export interface ClientStateOptions {
  /**
   * Whether `session/cancel` also makes those permission requests due for `cancelled` that cannot be
   * shown to belong to the cancelled work (rule C4). Default `true`.
   */
  cancelUnattributed?: boolean | undefined;
}

/**
 * One thing that happened on the connection, for clients whose SDK hides the messages.
 *
 * Values that the agent wrote (`update`, `subject`) are handed in as they came: what is wrong in them
 * becomes a {@link Problem}, never an exception.
 *
 * A `requestId` is the `id` of the JSON-RPC request, an integer or a string; those of the agent's requests and
 * of the client's are two series.
 */
export type Event =
  /** `session/new` or `session/fork` was answered. */
  | { type: "session_opened"; sessionId: string }
  /** A `session/update` came; `update` is its `params.update`. */
  | { type: "update"; sessionId: string; update: object }
  /** `session/request_permission` came; `subject` is its subject (on ACP v1, which has none: its `toolCall`). */
  | {
      type: "permission_requested";
      requestId: RequestId;
      sessionId: string;
      subject?: object | null | undefined;
    }
  /** `elicitation/create` came. */
  | { type: "elicitation_requested"; requestId: RequestId; sessionId: string }
  /** The client answered a request of the agent's. */
  | { type: "request_answered"; requestId: RequestId }
  /** The agent sent `$/cancel_request` for a request of its own. */
  | { type: "request_cancelled"; requestId: RequestId }
  /** The client sent `session/prompt`. */
  | { type: "prompt_sent"; requestId: RequestId; sessionId: string }
  /** A prompt was answered; `stopReason` is that of ACP v1. */
  | {
      type: "prompt_answered";
      requestId: RequestId;
      stopReason?: string | undefined;
      error?: RpcError | undefined;
    }
  /** The client sent `session/cancel`. */
  | { type: "cancel_sent"; sessionId: string }
  /** The client sent `tool_call/cancel`. */
  | { type: "stop_sent"; requestId: RequestId; sessionId: string; toolCallId: string }
  /** The client sent `terminal/cancel`. */
  | { type: "stop_sent"; requestId: RequestId; sessionId: string; terminalId: string }
  /** The client sent `_session/async_task/stop`. */
  | { type: "stop_sent"; requestId: RequestId; sessionId: string; asyncTaskId: string }
  /** An individual stop was answered; `stopped` is that of an async task's stop. */
  | {
      type: "stop_answered";
      requestId: RequestId;
      stopped?: boolean | undefined;
      error?: RpcError | undefined;
    }
  /** The client sent `session/close`. */
  | { type: "close_sent"; sessionId: string }
  /** `session/close` was answered. */
  | { type: "close_answered"; sessionId: string; error?: RpcError | undefined }
  /** The client sent `session/resume` or `session/load`. */
  | { type: "resume_sent"; sessionId: string }
  /** The resume was answered. */
  | { type: "resume_answered"; sessionId: string; error?: RpcError | undefined }
  /** `session/delete` was answered. */
  | { type: "session_deleted"; sessionId: string }
  /**
   * The agent's `initialize` result (section 15 of the rules). The first event: without it the agent is taken
   * for one of ACP v2. `asyncTasks` is whether `_meta.jetbrains.air.capabilities` of the result holds
   * `"asyncTasks"`.
   */
  | { type: "initialized"; protocolVersion: number; asyncTasks: boolean }
  /** The agent began a turn by itself, and said so (rule V6). */
  | { type: "agent_turn_started"; sessionId: string }
  /** The agent ended such a turn. */
  | { type: "agent_turn_ended"; sessionId: string; stopReason?: string | undefined }
  /** The connection was lost. */
  | { type: "disconnected" };

/** What one event changed. When nothing happened, it is frozen, the same for all such events. */
export interface Outcome {
  /** The sessions of which any answer is not what it was (rule N2). Empty: nothing changed. */
  changed: string[];
  /** The turns that ended with the event (rule F4). */
  turnsEnded: { sessionId: string; stopReason: string | null; error: RpcError | null }[];
  /** The sessions that are quiet now and were not before the event. */
  becameQuiet: string[];
  /** The background work that began to be listed, each item once (rule N1). */
  started: WorkItem[];
  /** The background work that ended, each item once, with its `outcome` (rules N1, N4). */
  ended: WorkItem[];
  /** How an individual stop was answered, when the event was such an answer (rule S3). */
  stop: StopOutcome | null;
  /** The requests that became due for the answer `cancelled`: answer them now. */
  answerDue: RequestId[];
  /** What the agent wrote and could not be read. Nothing is thrown for it (rule E1). */
  problems: Problem[];
}

/** Something that the agent wrote and that could not be read. */
export interface Problem {
  /**
   * `malformed_message`, `malformed_update`, `malformed_background`, `update_after_close`; there may be
   * more in later versions.
   */
  code: string;
  /** What was expected, in plain English. */
  message: string;
  /** The session that it concerns, when one was named. */
  sessionId: string | null;
  /** Where in the message. */
  path: string;
}

/** How an individual stop was answered (rule S3). */
export interface StopOutcome {
  sessionId: string;
  target: StopTarget;
  /**
   * - `accepted`: the agent will stop it; it runs until the agent reports its end.
   * - `finished`: it has finished by now.
   * - `unknown`: there is no such item.
   * - `refused`: it runs on; a new stop may be planned.
   */
  result: "accepted" | "finished" | "unknown" | "refused";
  /** The error of the answer, when it was one. */
  error: RpcError | null;
}

/** Work that will not be reported any more: the agent is idle and does not list it (rules D1 to D3). */
export interface Abandoned {
  /** Ids of unfinished tool calls. */
  toolCalls: string[];
  /** Ids of running terminals. */
  terminals: string[];
}

/** What `session/cancel` means for a session right now (section 7 of the rules). */
export interface CancelPlan {
  /** The tool calls to show as cancelled (rule C1). */
  markCancelled: string[];
  /** The unfinished tool calls that run on: listed, or referencing a listed terminal. */
  keepRunning: string[];
  /** The permission requests to answer `cancelled` (rule C3). */
  answerCancelled: RequestId[];
  /** The part of `answerCancelled` that cannot be shown to belong to the cancelled work (rule C4). */
  unattributed: RequestId[];
  /** The other pending requests, elicitations included. */
  keepOpen: RequestId[];
  /** The prompts still unanswered (rule C6). */
  withdraws: RequestId[];
}

/** What `session/close` would stop right now (section 10 of the rules). */
export interface ClosePlan {
  /**
   * Whether the agent's own word covers all that runs: the session is closed, or its background list is
   * reported and its state is known (rule X1). When `false`, more may run than the plan tells of.
   */
  certain: boolean;
  /** Whether a response is running or a prompt unanswered. */
  foreground: boolean;
  /** The background work that closing stops. */
  stops: WorkItem[];
  /** `stops` by type and by whether they run or wait (pending and paused). */
  counts: {
    /** How many of `stops` are terminals. */
    terminals: number;
    /** How many are tool calls. */
    toolCalls: number;
    /** How many are subagents. */
    subagents: number;
    /** How many are async tasks. */
    tasks: number;
    /** How many are of a type not known here. */
    other: number;
    /** How many of `stops`, of any type, run. */
    running: number;
    /** How many of `stops`, of any type, are pending or paused. */
    waiting: number;
  };
  /** Every pending request of the session and its descendants: to answer `cancelled`. */
  answerCancelled: RequestId[];
  /**
   * One sentence to show before closing, in plain English ("The close warning" in the rules). `null` is no
   * promise: read `certain`. When that is `false`, work may run of which nobody has told.
   */
  warning: string | null;
}

/** One piece of work that can be stopped by itself. `sessionId` is that of a subagent. */
export type StopTarget =
  | { toolCallId: string }
  | { terminalId: string }
  | { sessionId: string }
  | { asyncTaskId: string };

/** How to stop one piece of work, or why that cannot be done (rule S1). */
export type StopPlan =
  | {
      ok: true;
      /** The method to send. `session/cancel` is a notification, the others are requests. */
      method: "tool_call/cancel" | "terminal/cancel" | "session/cancel" | "_session/async_task/stop";
      /** Its params. */
      params: object;
    }
  | {
      ok: false;
      /**
       * Why not; the first that holds:
       *
       * - `closed`: the session is closed.
       * - `unknown`: the session has no such item.
       * - `finished`: it has finished.
       * - `already_requested`: a stop of it was sent and is not answered yet.
       * - `not_cancellable`: the agent does not offer to stop it now.
       */
      reason: "closed" | "unknown" | "finished" | "already_requested" | "not_cancellable";
    };

/** One item of background work. */
export interface WorkItem {
  /** The session whose background list it is in. */
  sessionId: string;
  /** What it is; `task` is an async task (section 15 of the rules), `other` a type not known here. */
  type: "terminal" | "tool_call" | "subagent" | "task" | "other";
  /** Its id; of an `other` its position in the list, as text. */
  id: string;
  /** The type as the agent wrote it. */
  kind: string;
  /** Of a terminal its command, else the title of the first tool call that references it. */
  title: string | null;
  /**
   * - `running`: it runs, as far as is known; also an item that the agent lists and has told nothing else of.
   * - `pending`, `paused`: it waits and does not run right now; a tool call, or a paused async task.
   * - `finished`: it has ended, also while the agent still lists it (rule B7).
   */
  status: "running" | "pending" | "paused" | "finished";
  /** Whether the agent has ever reported the item itself (rule B6). */
  announced: boolean;
  /** What to hand to `stopPlan`, when the plan would be ok. */
  stopTarget: StopTarget | null;
  /** Whether a stop of it was sent or accepted; an accepted one still runs (rule S2). */
  stop: "none" | "requested" | "accepted";
  /** When it was first tracked in the background, in ms (rule N1). */
  since: number | null;
  /** When it was created, in ms (rule T7); `null` when it was never announced. */
  startedAt: number | null;
  /** When it finished, in ms. */
  endedAt: number | null;
  /**
   * How it ended; `null` while it is live (rule N4): a tool call's final status, `exited`, `stopped`,
   * `idle`, `dropped`, `closed`, or a task's end.
   */
  outcome: string | null;
  /** The tool calls that reference the terminal, show the child, or are named by the task. */
  toolCallIds: string[];
  /** Of a terminal the last line that says anything, escape sequences removed. */
  outputTail: string | null;
  /** Of a subagent: it or a descendant requires action or has a pending request. */
  waitsForUser: boolean;
  /** Of a subagent: what it lists itself. */
  background: WorkItem[];
}

/** A tool call. */
export interface ToolCall {
  toolCallId: string;
  title: string | null;
  /** The kind of tool, `other` when the agent names none. */
  kind: string;
  /** The status as the agent last reported it. */
  status: string;
  /**
   * The status to show. Besides the agent's: `cancelled` after a cancel or a close that the agent has not
   * confirmed yet, `abandoned` (rule D2), `unconfirmed` while nobody knows (rule D4).
   */
  shown:
    | "pending"
    | "in_progress"
    | "paused"
    | "completed"
    | "failed"
    | "cancelled"
    | "abandoned"
    | "unconfirmed";
  /**
   * Whether it is background work: listed itself, or through a listed terminal (also when the call has
   * finished and its terminal runs on).
   */
  background: "listed" | "by_terminal" | null;
  /** What it became in the background, also after that has ended (rule N3). Times in ms. */
  handedOff: {
    type: string;
    id: string;
    since: number;
    endedAt: number | null;
    /** How it ended, as {@link WorkItem.outcome}; `null` while it is live. */
    outcome: string | null;
  } | null;
  /** The terminals that it references. */
  terminals: string[];
  /** The sessions that it shows (rule T6). */
  sessions: string[];
  /** The call itself, else the first of its terminals, else its task, of which a stop plan is ok. */
  stopTarget: StopTarget | null;
  /** Whether a stop of it was sent or accepted; an accepted one still runs (rule S2). */
  stop: "none" | "requested" | "accepted";
  /** When it was created, in ms (rule T7). */
  startedAt: number;
  /** When its status became final, in ms; `null` while it is unfinished. */
  endedAt: number | null;
}

/** A terminal. */
export interface Terminal {
  terminalId: string;
  command: string | null;
  cwd: string | null;
  /** `null` while it runs; an exit may come with neither code nor signal (rule M1). */
  exit: { exitCode: number | null; signal: string | null } | null;
  /** `abandoned`: see rule D2; `unconfirmed`: nobody knows whether it runs (rule D4). */
  shown: "running" | "exited" | "abandoned" | "unconfirmed";
  /** Whether it is in the background list. */
  listed: boolean;
  /** The tool calls that reference it. */
  toolCallIds: string[];
  /** What to hand to `stopPlan`, when the plan would be ok. */
  stopTarget: StopTarget | null;
  /** Whether a stop of it was sent or accepted; an accepted one still runs (rule S2). */
  stop: "none" | "requested" | "accepted";
  /** The last line that says anything, escape sequences removed (rule M2). */
  outputTail: string | null;
  /** When it was created, in ms (rule T7). */
  startedAt: number;
  /** When it exited, in ms. */
  endedAt: number | null;
}

/** A request of the agent's that the client has not answered yet. */
export interface PendingRequest {
  requestId: RequestId;
  sessionId: string;
  kind: "permission" | "elicitation";
  /** Whose request it is (rules C3, C4, P3); `null` for an elicitation. */
  belongsTo: "background" | "foreground" | "unattributed" | null;
  /** Whether it is to be answered `cancelled` now. */
  answerDue: boolean;
  /** The tool call that its subject names. */
  toolCallId: string | null;
  /** The terminal that its subject names. */
  terminalId: string | null;
  /** When it came, in ms. */
  since: number;
}

/** All that there is to show of one session. Frozen, with all that is in it. */
export interface SessionSnapshot {
  sessionId: string;
  /** The session of which this one is a subagent. */
  parentId: string | null;
  /** Its subagents. */
  children: string[];
  title: string | null;
  activity: Activity;
  /** The state as the agent reported it: `idle`, `running`, `requires_action`, `unknown` or another. */
  foreground: string;
  /** Why the last turn stopped; `null` while one runs (rule F5). */
  stopReason: string | null;
  /** The background work, in the order of the agent's list. */
  background: WorkItem[];
  /** Whether the agent reports what runs: `never` so far, or `lost` when it did before (rule B2). */
  backgroundReported: "listed" | "never" | "lost";
  /** Since when it has been quiet, in ms; `null` when it is not (rule A6). */
  quietSince: number | null;
  /** The tool calls without a final status, also those that are shown as cancelled or abandoned. */
  unfinishedToolCalls: ToolCall[];
  /** The terminals that have not exited, also those that are shown as abandoned. */
  runningTerminals: Terminal[];
  /** The pending requests, in the order of arrival. */
  requests: PendingRequest[];
  /** The prompts still unanswered. */
  prompts: RequestId[];
  /** 0 at first; grows by 1 with each event that names the session in {@link Outcome.changed}. */
  version: number;
}
