// The JavaScript half of the bindings, bundled into the package's private `core.js`.
//
// In: a value of the host's is read in place, through nodes. A node is one number, the place of the
// value in `nodes` and its kind in the low four bits, so that reading makes no handle and most
// questions about a value need no call. Whatever the host's getters and proxies throw reads as missing.
//
// Out: an answer comes as a tape of numbers and one text, see tape.rs.

let memory;
// Views of the memory: empty, and to be made anew, after it has grown.
let bytes = new Uint8Array(0);
let numbers = new Float64Array(0);

// Names that live in the wasm's data segment, by place and length: decoded once.
const names = new Map();
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Called once, at start-up, with the instance's memory. */
export function attach(instanceMemory) {
  memory = instanceMemory;
  names.clear();
  bytes = new Uint8Array(0);
  numbers = new Float64Array(0);
}

function learn(key) {
  const length = key % 256;
  const place = (key - length) / 256;
  const name = utf8.decode(new Uint8Array(memory.buffer, place, length));
  names.set(key, name);
  return name;
}

// ---- in ----

const MISSING = 0;
const NULL = 1;
const FALSE = 2;
const TRUE = 3;
const NUMBER = 4;
const TEXT = 5;
const OBJECT = 6;
const ARRAY = 7;
const OTHER = 8;

/** What `length` answers for an array that cannot be read. */
const UNREADABLE = 0xffffffff;
/** Longer arrays (holes cost nothing) are not read: each item would take memory. */
const LONGEST = 0x400000;

const nodes = [];
let top = 0;

function kindOf(value) {
  switch (typeof value) {
    case "string":
      return TEXT;
    case "object":
      if (value === null) return NULL;
      return Array.isArray(value) ? ARRAY : OBJECT;
    case "undefined":
      return MISSING;
    case "boolean":
      return value ? TRUE : FALSE;
    case "number":
      return Number.isFinite(value) ? NUMBER : OTHER;
    default:
      return OTHER;
  }
}

function push(value) {
  const kind = kindOf(value);
  if (kind < NUMBER) return kind;
  nodes[top] = value;
  return (top++ << 4) | kind;
}

/** The node that reading starts from; always has a place, to be handed to `release` afterwards. */
export function root(value) {
  let kind = OTHER;
  try {
    kind = kindOf(value);
  } catch {
    // A revoked proxy: an object of which nothing can be read.
    kind = OBJECT;
  }
  nodes[top] = value;
  return (top++ << 4) | kind;
}

/** Forgets the nodes from `place` on. A getter may have read another value meanwhile: readings nest. */
export function release(place) {
  while (top > place) nodes[--top] = undefined;
  if (place === 0 && nodes.length > 1024) nodes.length = 0;
}

export function field(place, name, length) {
  const key = name * 256 + length;
  try {
    return push(nodes[place][names.get(key) ?? learn(key)]);
  } catch {
    return MISSING;
  }
}

export function number(place) {
  return nodes[place];
}

// With the flag `u`, only a half without its other half is a surrogate.
const LONE_HALF = /\p{Surrogate}/u;

function wellFormed(text) {
  return typeof text.isWellFormed === "function" ? text.isWellFormed() : !LONE_HALF.test(text);
}

// What `text` answers instead of a number of bytes.
const MALFORMED = -1;
const LONG = -2;

const encoder = new TextEncoder();

/** Writes a string to memory as UTF-8, unless it is no Unicode text or there may be no room. */
export function text(place, to, room) {
  const value = nodes[place];
  const units = value.length;
  if (bytes.length === 0) bytes = new Uint8Array(memory.buffer);
  if (units <= room) {
    const view = bytes;
    let at = 0;
    for (; at < units; at++) {
      const unit = value.charCodeAt(at);
      if (unit > 0x7f) break;
      view[to + at] = unit;
    }
    if (at === units) return units;
  }
  if (!wellFormed(value)) return MALFORMED;
  if (units * 3 > room) return LONG;
  return encoder.encodeInto(value, bytes.subarray(to, to + room)).written;
}

/** A string for which `text` has no room. */
export function longText(place) {
  return nodes[place];
}

export function length(place) {
  try {
    const count = nodes[place].length;
    return Number.isInteger(count) && count >= 0 && count <= LONGEST ? count : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

export function item(place, index) {
  try {
    return push(nodes[place][index]);
  } catch {
    return MISSING;
  }
}

export function fault(argument, expected) {
  return new TypeError(`${argument} must be ${expected}`);
}

// ---- out ----

// The ops of tape.rs.
const OP_NULL = 0;
const OP_FALSE = 1;
const OP_TRUE = 2;
const OP_NUMBER = 3;
const OP_TEXT = 4;
const OP_NAME = 5;
const OP_LIST = 6;
const OP_STRUCT = 7;
const OP_MAP = 8;
const OP_END = 9;

/**
 * Makes the answer that a tape spells: plain objects, lists and values. Without recursion, so that
 * no depth of nested items overflows the stack.
 */
export function emit(ops, textPlace, textLength, frozen) {
  if (numbers.length === 0) numbers = new Float64Array(memory.buffer);
  const tape = numbers;
  const texts = textLength === 0 ? "" : utf8.decode(new Uint8Array(memory.buffer, textPlace, textLength));
  let at = ops / 8;
  let from = 0;
  // The container that is being filled, what it is (an op, or -1 outside), and those around it.
  let into = null;
  let shape = -1;
  let key;
  const around = [];

  for (;;) {
    let value;
    let op = OP_END;
    if (shape === OP_STRUCT) {
      const name = tape[at++];
      if (name !== 0) {
        key = names.get(name) ?? learn(name);
        op = tape[at++];
      }
    } else if (shape === OP_MAP) {
      const length = tape[at++];
      if (length < 0) {
        key = tape[at++];
        op = tape[at++];
      } else if (length > 0) {
        key = texts.slice(from, (from += length - 1));
        op = tape[at++];
      }
    } else {
      op = tape[at++];
    }

    switch (op) {
      case OP_NULL:
        value = null;
        break;
      case OP_FALSE:
        value = false;
        break;
      case OP_TRUE:
        value = true;
        break;
      case OP_NUMBER:
        value = tape[at++];
        break;
      case OP_TEXT:
        value = texts.slice(from, (from += tape[at++]));
        break;
      case OP_NAME: {
        const name = tape[at++];
        value = names.get(name) ?? learn(name);
        break;
      }
      case OP_LIST:
      case OP_STRUCT:
      case OP_MAP:
        around.push(into, shape, key);
        into = op === OP_LIST ? [] : {};
        shape = op;
        continue;
      default:
        value = frozen ? Object.freeze(into) : into;
        key = around.pop();
        shape = around.pop();
        into = around.pop();
    }

    if (shape === OP_LIST) {
      into.push(value);
    } else if (shape === -1) {
      return value;
    } else if (shape === OP_MAP && key === "__proto__") {
      // An id like others (rule E3); assigned it would set the prototype.
      Object.defineProperty(into, key, { value, writable: true, enumerable: true, configurable: true });
    } else {
      into[key] = value;
    }
  }
}
