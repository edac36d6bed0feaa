import * as check from "./check.js";
import { start, type Core } from "./core.js";
import type { RawState } from "./glue.js";
import { Listeners } from "./listeners.js";
import { isUnicode, type Names } from "./names.js";
import type {
  Abandoned,
  Activity,
  CancelPlan,
  ClientStateOptions,
  ClosePlan,
  Event,
  Outcome,
  PendingRequest,
  SessionSnapshot,
  StopPlan,
  StopTarget,
  Terminal,
  ToolCall,
} from "./types.js";

declare global {
  interface SymbolConstructor {
    // As in `lib.esnext.disposable` and in Node's types, for programs that compile without them.
    readonly dispose: unique symbol;
  }
}

/**
 * A `ClientState` that cannot be used: it was freed, its WebAssembly failed (`cause` says how; this is a
 * bug, and lasts), or, with the entry `slim`, `init` was not called.
 */
export class ClientStateError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ClientStateError";
  }
}

/** Snapshots that are kept of ids without a session. */
const STRANGERS = 256;

/** A snapshot of an id without a session, and when it was asked for. */
interface Stranger {
  snapshot: SessionSnapshot;
  events: number;
}

/** What `fromJSON` restored, on its way through the constructor. */
let restored: RawState | undefined;

function started(): Core {
  const core = start();
  if (core === undefined) {
    throw new ClientStateError(
      "acp-client-state/slim: call init(moduleOrBytes) before the first ClientState",
    );
  }
  return core;
}

/** The host's mistakes as they are; what else the wasm throws (it trapped) with a name of its own. */
function toThrow(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof ClientStateError) return error;
  return new ClientStateError(
    "the WebAssembly of this ClientState failed; this is a bug in acp-client-state",
    error,
  );
}

/** The outcome of an event that did nothing but change sessions. */
function only(changed: string[]): Outcome {
  return {
    changed,
    turnsEnded: [],
    becameQuiet: [],
    started: [],
    ended: [],
    stop: null,
    answerDue: [],
    problems: [],
  };
}

/** The outcome of most events, which is one for all: to make a new one takes longer than to find that nothing happened. */
const NOTHING = only([]);
for (const part of [NOTHING, ...Object.values(NOTHING)]) Object.freeze(part);

/** Whether an outcome says more than what could not be read: what a lost event did may change no answer, and end all the same. */
function saysAnything({ changed, problems: _, stop, ...lists }: Outcome): boolean {
  return changed.length > 0 || stop !== null || Object.values(lists).some((list) => list.length > 0);
}

/** Any object, as far as it is looked into here. */
interface Loose {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: unknown;
  readonly type?: unknown;
  readonly sessionId?: unknown;
  readonly update?: unknown;
  readonly sessionUpdate?: unknown;
}

/** Whether a value is an update of a kind that does not matter. May throw whatever its getters throw. */
function isIgnoredUpdate(update: unknown, kinds: Names): boolean {
  if (typeof update !== "object" || update === null || Array.isArray(update)) return false;
  const kind = (update as Loose).sessionUpdate;
  return typeof kind === "string" && !kinds.matter(kind);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && isUnicode(value);
}

/**
 * Whether a message is well formed and of a method or kind that does not matter: most are, and need not be
 * read in wasm. What is malformed is never ignored here, so that it is the problem that it is in Rust.
 */
function isIgnored(message: unknown, core: Core): boolean {
  if (typeof message !== "object" || message === null) return false;
  try {
    const { method, id, params } = message as Loose;
    if (typeof method !== "string") return false;
    if (id !== undefined && id !== null && !Number.isSafeInteger(id) && !isText(id)) return false;
    if (method !== "session/update") return !core.methods.matter(method) && !Array.isArray(message);
    if (typeof params !== "object" || params === null) return false;
    const { sessionId, update } = params as Loose;
    return isIgnoredUpdate(update, core.kinds) && isText(sessionId);
  } catch {
    // To be found unreadable where all else is read.
    return false;
  }
}

/** The same of an event. Only of one in which all that the host must get right is right. */
function isIgnoredEvent(event: object, core: Core): boolean {
  try {
    const { type, sessionId, update } = event as Loose;
    return type === "update" && isIgnoredUpdate(update, core.kinds) && isText(sessionId);
  } catch {
    return false;
  }
}

/**
 * Every session on one connection, as the events that were handed in have it: a pure reducer, without
 * clock, I/O or randomness.
 *
 * Hand in what passes over the connection with {@link received} and {@link sent}, or, where an SDK hides
 * the messages, with {@link apply}; then ask. Questions change nothing. About an id without a session they
 * answer as for a new session.
 *
 * All times are milliseconds, as `Date.now()` gives them. What an agent writes never makes a method throw;
 * arguments of a wrong type throw a `TypeError`.
 *
 * ```ts
 * const state = new ClientState();
 * const { answerDue, becameQuiet } = state.received(line);
 * state.activity(sessionId); // "background"
 * ```
 */
export class ClientState {
  readonly #core: Core;
  #raw: RawState | undefined;
  /** Why every use throws from now on. */
  #unusable: ClientStateError | undefined;
  /** How many values are being read: their getters may call back, even `free`. */
  #reading = 0;
  readonly #listeners = new Listeners();
  readonly #snapshots = new Map<string, SessionSnapshot>();
  readonly #strangers = new Map<string, Stranger>();
  /** How many events have come. */
  #events = 0;

  /** A state that knows of no session yet. */
  constructor(options?: ClientStateOptions) {
    if (options !== undefined) check.object(options, "options");
    const cancelUnattributed = check.flag(
      options?.cancelUnattributed,
      "options.cancelUnattributed",
      true,
    );
    this.#core = started();
    this.#raw = restored ?? new this.#core.RawState(cancelUnattributed);
  }

  /**
   * The state that {@link toJSON} gave, or its JSON text. Going on from it is the same as going on from the
   * state that was saved. Throws a `TypeError` when it is anything else.
   */
  static fromJSON(saved: object | string): ClientState {
    let value: unknown = saved;
    if (typeof saved === "string") {
      try {
        value = JSON.parse(saved);
      } catch {
        throw check.mustBe("saved", "what toJSON gave, or its JSON text");
      }
    }
    const object = check.object(value, "saved");
    const { RawState } = started();
    try {
      restored = RawState.restore(object);
      return new ClientState();
    } catch (error) {
      throw toThrow(error);
    } finally {
      restored = undefined;
    }
  }

  /** The whole state as plain JSON, so that `JSON.stringify(state)` saves it. */
  toJSON(): object {
    return this.#ask((raw) => raw.save());
  }

  /** Gives its memory back. Using the state afterwards throws; freeing it again does nothing. */
  free(): void {
    const raw = this.#raw;
    if (raw === undefined) return;
    this.#give(new ClientStateError("this ClientState was freed"));
    if (this.#reading === 0) raw.free();
  }

  /**
   * A message came from the agent. A string is JSON text, one message; an object is the message. Messages
   * that do not matter cost next to nothing.
   *
   * @param at when, in ms; now when omitted.
   */
  received(message: object | string, at?: number): Outcome {
    return this.#message(message, at, false);
  }

  /**
   * A message was sent to the agent: the requests and notifications of the client, and its responses.
   *
   * @param at when, in ms; now when omitted.
   */
  sent(message: object | string, at?: number): Outcome {
    return this.#message(message, at, true);
  }

  /**
   * One thing happened, for clients that do not see the messages themselves.
   *
   * @param at when, in ms; now when omitted.
   */
  apply(event: Event, at?: number): Outcome {
    this.#usable();
    const value = check.object(event, "event");
    if (at !== undefined) check.finite(at, "at");
    if (isIgnoredEvent(value, this.#core)) return NOTHING;
    const time = at ?? Date.now();
    return this.#change((raw) => raw.apply(value, time));
  }

  /** What the session is doing, in one word. */
  activity(sessionId: string): Activity {
    check.id(sessionId, "sessionId");
    return this.#ask((raw) => raw.activity(sessionId) as Activity);
  }

  /** Whether the agent said that nothing runs (rule A3). */
  isQuiet(sessionId: string): boolean {
    check.id(sessionId, "sessionId");
    return this.#ask((raw) => raw.isQuiet(sessionId));
  }

  /** Since when the session has been quiet, in ms; `null` when it is not. */
  quietSince(sessionId: string): number | null {
    check.id(sessionId, "sessionId");
    return this.#ask((raw) => raw.quietSince(sessionId) ?? null);
  }

  /**
   * Whether the session's resources may be released (rule A6): it has been quiet for a while, and nothing
   * that the client sent is unanswered.
   *
   * @param now in ms; now when omitted.
   * @param graceMs how long it must have been quiet: agents start follow-up turns shortly after.
   * Default 5000.
   */
  isReleasable(sessionId: string, now?: number, graceMs = 5000): boolean {
    check.id(sessionId, "sessionId");
    const time = check.time(now, "now");
    check.finite(graceMs, "graceMs");
    return this.#ask((raw) => raw.isReleasable(sessionId, time, graceMs));
  }

  /** The work of the session that the agent left unfinished and does not list (section 6 of the rules). */
  abandoned(sessionId: string): Abandoned {
    check.id(sessionId, "sessionId");
    return this.#ask((raw) => raw.abandoned(sessionId) as Abandoned);
  }

  /** What `session/cancel` would mean now: what to mark, what to answer, what goes on. */
  cancelPlan(sessionId: string): CancelPlan {
    check.id(sessionId, "sessionId");
    return this.#ask((raw) => raw.cancelPlan(sessionId) as CancelPlan);
  }

  /** What `session/close` would stop now, with a warning to show before. */
  closePlan(sessionId: string): ClosePlan {
    check.id(sessionId, "sessionId");
    return this.#ask((raw) => raw.closePlan(sessionId) as ClosePlan);
  }

  /** How to stop one piece of work of the session, or why that cannot be done. */
  stopPlan(sessionId: string, target: StopTarget): StopPlan {
    check.id(sessionId, "sessionId");
    const value = check.object(target, "target");
    return this.#read((raw) => raw.stopPlan(sessionId, value) as StopPlan);
  }

  /**
   * The agent's requests that the client has not answered, in the order of arrival.
   *
   * @param deep whether those of its descendants are wanted as well. Default `false`.
   */
  requests(sessionId: string, deep?: boolean): PendingRequest[] {
    check.id(sessionId, "sessionId");
    const all = check.flag(deep, "deep", false);
    return this.#ask((raw) => raw.requests(sessionId, all) as PendingRequest[]);
  }

  /** One tool call of the session; `null` when it has none of this id. */
  toolCall(sessionId: string, toolCallId: string): ToolCall | null {
    check.id(sessionId, "sessionId");
    check.id(toolCallId, "toolCallId");
    return this.#ask((raw) => raw.toolCall(sessionId, toolCallId) as ToolCall | null);
  }

  /** One terminal of the session; `null` when it has none of this id. */
  terminal(sessionId: string, terminalId: string): Terminal | null {
    check.id(sessionId, "sessionId");
    check.id(terminalId, "terminalId");
    return this.#ask((raw) => raw.terminal(sessionId, terminalId) as Terminal | null);
  }

  /**
   * All that there is to show of the session, frozen: the same object until something in it changed, as
   * React's `useSyncExternalStore` wants it.
   */
  snapshot(sessionId: string): SessionSnapshot {
    const kept = this.#snapshots.get(sessionId);
    if (kept !== undefined) return kept;
    const stranger = this.#strangers.get(sessionId);
    if (stranger?.events === this.#events) return stranger.snapshot;
    check.id(sessionId, "sessionId");
    let snapshot = this.#ask((raw) => raw.snapshot(sessionId) as SessionSnapshot);
    if (snapshot.version > 0) {
      this.#snapshots.set(sessionId, snapshot);
    } else {
      // No outcome names an id without a session; only what the connection speaks changes its answers.
      if (stranger?.snapshot.activity === snapshot.activity) snapshot = stranger.snapshot;
      // Ids that no event has named may be any number: the oldest goes.
      for (const oldest of this.#strangers.keys()) {
        if (this.#strangers.size < STRANGERS) break;
        this.#strangers.delete(oldest);
      }
      this.#strangers.set(sessionId, { snapshot, events: this.#events });
    }
    return snapshot;
  }

  /** The ids of all sessions, in the order in which they first existed (rule F6). */
  sessionIds(): string[] {
    return this.#ask((raw) => raw.sessionIds() as string[]);
  }

  /**
   * Calls the listener after each event whose outcome says anything but problems. The result undoes it.
   *
   * A listener may ask and apply events; these are delivered after the one that it was called for. An error
   * that it throws is reported as uncaught and keeps no other listener from being called.
   */
  subscribe(listener: (outcome: Outcome) => void): () => void {
    this.#usable();
    if (typeof listener !== "function") throw check.mustBe("listener", "a function");
    return this.#listeners.add(listener);
  }

  #message(message: object | string, at: number | undefined, sent: boolean): Outcome {
    this.#usable();
    let value: unknown = message;
    let readable = true;
    if (typeof message === "string") {
      try {
        value = JSON.parse(message);
      } catch {
        readable = false;
      }
    } else if (typeof message !== "object" || message === null) {
      throw check.mustBe("message", "an object or a string of JSON");
    }
    if (at !== undefined) check.finite(at, "at");
    if (readable && isIgnored(value, this.#core)) return NOTHING;
    if (ArrayBuffer.isView(message)) {
      throw check.mustBe("message", "an object or a string of JSON, and no bytes");
    }
    // Looking at the clock costs more than a message that does not matter.
    const time = at ?? Date.now();
    if (!readable) {
      return this.#change((raw) => (sent ? raw.sentUnreadable(time) : raw.receivedUnreadable(time)));
    }
    return this.#change((raw) => (sent ? raw.sent(value, time) : raw.received(value, time)));
  }

  #usable(): RawState {
    if (this.#raw === undefined) throw this.#unusable ?? new ClientStateError("not made");
    return this.#raw;
  }

  #ask<T>(question: (raw: RawState) => T): T {
    const raw = this.#usable();
    try {
      return question(raw);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Asks what reads a value of the host's, whose getters may call back. */
  #read<T>(question: (raw: RawState) => T): T {
    const raw = this.#usable();
    this.#reading++;
    try {
      return question(raw);
    } catch (error) {
      throw this.#failed(error);
    } finally {
      this.#reading--;
      // A getter freed the state; after a failure it is not touched any more.
      if (this.#reading === 0 && this.#raw === undefined && this.#unusable?.cause === undefined) {
        raw.free();
      }
    }
  }

  #change(event: (raw: RawState) => Outcome | string | undefined): Outcome {
    const raw = this.#read(event);
    // Afterwards: a getter that was read may have asked for a snapshot.
    this.#events++;
    if (raw === undefined) return NOTHING;
    const outcome = typeof raw === "string" ? only([raw]) : raw;
    for (const sessionId of outcome.changed) {
      this.#snapshots.delete(sessionId);
      this.#strangers.delete(sessionId);
    }
    if (saysAnything(outcome)) this.#listeners.tell(outcome);
    return outcome;
  }

  /** Turns an error into what is thrown. What is nobody's mistake is a bug, and lasts. */
  #failed(error: unknown): unknown {
    const failure = toThrow(error);
    if (!(failure instanceof ClientStateError)) return failure;
    // Nor may the garbage collector free what failed in the middle.
    this.#raw?.__destroy_into_raw();
    this.#give(failure);
    return failure;
  }

  #give(reason: ClientStateError): void {
    this.#raw = undefined;
    this.#unusable = reason;
    this.#snapshots.clear();
    this.#strangers.clear();
    this.#listeners.clear();
  }
}

// With a method only where the runtime has the symbol, `using` works there and nothing breaks elsewhere.
export interface ClientState {
  /** {@link free}, for `using`; only where the runtime has `Symbol.dispose`. */
  [Symbol.dispose](): void;
}

if (typeof Symbol.dispose === "symbol") {
  Object.defineProperty(ClientState.prototype, Symbol.dispose, {
    value(this: ClientState): void {
      this.free();
    },
    writable: true,
    configurable: true,
  });
}
