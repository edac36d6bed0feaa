// What wasm-bindgen writes as glue.js, as far as the face uses it. By hand: the declarations that it
// writes itself need DOM types.

import type { Outcome } from "./types.js";

export function initSync(source: { module: object }): unknown;

export function kinds(): string[];
export function methods(): string[];

/** A client state inside the instance. `undefined` is an outcome in which nothing happened. */
export class RawState {
  constructor(cancelUnattributed: boolean);
  static restore(saved: object): RawState;
  free(): void;
  /** Takes the place in memory out, so that nothing frees it. */
  __destroy_into_raw(): number;
  save(): object;
  received(message: unknown, at: number): Outcome | string | undefined;
  sent(message: unknown, at: number): Outcome | string | undefined;
  receivedUnreadable(at: number): Outcome | string | undefined;
  sentUnreadable(at: number): Outcome | string | undefined;
  apply(event: object, at: number): Outcome | string | undefined;
  activity(sessionId: string): unknown;
  isQuiet(sessionId: string): boolean;
  quietSince(sessionId: string): number | undefined;
  isReleasable(sessionId: string, now: number, graceMs: number): boolean;
  abandoned(sessionId: string): unknown;
  cancelPlan(sessionId: string): unknown;
  closePlan(sessionId: string): unknown;
  stopPlan(sessionId: string, target: object): unknown;
  requests(sessionId: string, deep: boolean): unknown;
  toolCall(sessionId: string, toolCallId: string): unknown;
  terminal(sessionId: string, terminalId: string): unknown;
  snapshot(sessionId: string): unknown;
  sessionIds(): unknown;
}
