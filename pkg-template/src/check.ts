// What the host hands in (rule E2): a wrong type is the host's mistake, and the error names the argument.

import { isUnicode } from "./names.js";

export function mustBe(argument: string, expected: string): TypeError {
  return new TypeError(`${argument} must be ${expected}`);
}

export function id(value: unknown, argument: string): string {
  if (typeof value !== "string") throw mustBe(argument, "a string");
  if (!isUnicode(value)) throw mustBe(argument, "a string without lone surrogate halves");
  return value;
}

export function finite(value: unknown, argument: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw mustBe(argument, "a finite number of milliseconds");
  }
  return value;
}

export function object(value: unknown, argument: string): object {
  if (typeof value !== "object" || value === null) throw mustBe(argument, "an object");
  return value;
}

/** A time: now, when it is omitted. */
export function time(value: unknown, argument: string): number {
  return value === undefined ? Date.now() : finite(value, argument);
}

export function flag(value: unknown, argument: string, whenOmitted: boolean): boolean {
  if (value === undefined) return whenOmitted;
  if (typeof value !== "boolean") throw mustBe(argument, "a boolean");
  return value;
}
