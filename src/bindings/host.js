// The JavaScript half of the bindings, bundled into the package's private `core.js`.
//
// In: what anything reads of a value of the host's is written as a flat list, see js_value.rs: the fields with
// names that matter, from the top down. Whatever the host's getters and proxies throw reads as missing.
//
// Out: an answer comes as a tape of numbers and one text, see tape.rs.

let memory;
// Views of the memory: empty, and to be made anew, after it has grown.
let bytes = new Uint8Array(0);
let numbers = new Float64Array(0);

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Called once, at start-up, with the instance's memory. */
export function attach(instanceMemory) {
  memory = instanceMemory;
}

// Static texts of the wasm, by their place × 256 + length: decoded once each, as they stand within a few thousand
// bytes. Two in one slot would only take turns.
const SPAN = 1 << 14;
const keys = new Int32Array(SPAN);
const statics = new Array(SPAN).fill("");

function nameOf(key) {
  const slot = (key >>> 8) % SPAN;
  return keys[slot] === key ? statics[slot] : learn(key, slot);
}

function learn(key, slot) {
  const place = key >>> 8;
  statics[slot] = utf8.decode(new Uint8Array(memory.buffer, place, key & 255));
  keys[slot] = key;
  return statics[slot];
}

// ---- in ----

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const OTHER = 3;
const NUMBER = 4;
const TEXT = 5;
const LIST = 6;
const OBJECT = 7;
const NAME = 8;

/** How deep anything is read: `result._meta.jetbrains.air.capabilities[0]`, with room to spare. */
const DEPTH = 12;
/** Longer arrays (holes cost nothing) are not read, and no more objects: each takes memory. */
const LONGEST = 0x2000000;
/** Longer texts are not read either: their length in UTF-8 must fit beside the kind. */
const LONGEST_TEXT = 0x5000000;

/** The names of the fields that anything reads, by number, and the numbers of all names. The first fields hold names. */
let fields = [];
const numberOf = new Map();
/** What those fields held last, and its number: they tend to hold it again, and finding a new text takes long. */
let held = [];
let heldNumbers = [];

/** Called once, at start-up. */
export function matter(all, holders, fieldCount) {
  fields = all.slice(0, fieldCount);
  held = Array(holders).fill(undefined);
  heldNumbers = Array(holders).fill(undefined);
  all.forEach((name, number) => numberOf.set(name, number));
}

/** Room for what most messages hold; more is given back. */
const USUAL = 1 << 16;

let words = new Uint32Array(USUAL / 4);
let text = new Uint8Array(words.buffer);
/** The first free word, and where what was written last begins: a getter may have another value read meanwhile. */
let top = 0;
let start = 0;
/** How many objects were read: one that holds itself twice is as many as its depth allows. */
let containers = 0;

const half = new Float64Array(1);
const halves = new Uint32Array(half.buffer);

/** Makes room for so many more words. */
function room(count) {
  if (top + count <= words.length) return;
  const more = new Uint32Array(Math.max(words.length * 2, top + count));
  more.set(words.subarray(0, top));
  words = more;
  text = new Uint8Array(words.buffer);
}

// With the flag `u`, only a half without its other half is a surrogate.
const LONE_HALF = /\p{Surrogate}/u;

function wellFormed(value) {
  return typeof value.isWellFormed === "function" ? value.isWellFormed() : !LONE_HALF.test(value);
}

const encoder = new TextEncoder();

function putText(value) {
  const units = value.length;
  if (units <= LONGEST_TEXT) room(2 + units);
  const from = (top + 1) * 4;
  let at = 0;
  // Ids and the like are short and plain.
  if (units <= 128) {
    let word = top + 1;
    for (; at + 4 <= units; at += 4) {
      const one = value.charCodeAt(at);
      const two = value.charCodeAt(at + 1);
      const three = value.charCodeAt(at + 2);
      const four = value.charCodeAt(at + 3);
      if ((one | two | three | four) > 0x7f) break;
      words[word++] = one | (two << 8) | (three << 16) | (four << 24);
    }
    for (; at < units; at++) {
      const unit = value.charCodeAt(at);
      if (unit > 0x7f) break;
      text[from + at] = unit;
    }
  }
  if (at < units) {
    if (units > LONGEST_TEXT || !wellFormed(value)) {
      words[top++] = OTHER;
      return;
    }
    at = encoder.encodeInto(value, text.subarray(from, from + units * 3)).written;
  }
  words[top] = TEXT | (at << 4);
  top += 1 + ((at + 3) >> 2);
}

function putNumber(value) {
  if (!Number.isFinite(value)) {
    words[top++] = OTHER;
    return;
  }
  half[0] = value;
  words[top] = NUMBER;
  words[top + 1] = halves[0];
  words[top + 2] = halves[1];
  top += 3;
}

function put(value, depth) {
  room(4);
  switch (typeof value) {
    case "string":
      return putText(value);
    case "object":
      if (value === null) words[top++] = NULL;
      else if (Array.isArray(value)) putList(value, depth);
      else putObject(value, depth);
      return;
    case "boolean":
      words[top++] = value ? TRUE : FALSE;
      return;
    case "number":
      return putNumber(value);
    default:
      words[top++] = OTHER;
  }
}

function putList(list, depth) {
  const count = list.length;
  const head = top++;
  if (!Number.isInteger(count) || count < 0 || count > LONGEST) {
    words[head] = OTHER;
    return;
  }
  for (let index = 0; index < count && depth > 0; index++) {
    const before = top;
    try {
      put(list[index] ?? null, depth - 1);
    } catch {
      top = before;
      room(1);
      words[top++] = NULL;
    }
  }
  words[head] = LIST | ((top - head) << 4);
}

function putObject(object, depth) {
  const head = top++;
  if (depth > 0 && containers++ < LONGEST) {
    try {
      putListed(object, depth);
    } catch {
      // A getter that throws, or a proxy that does not say what it has.
      top = head + 1;
      putNamed(object, depth);
    }
  }
  words[head] = OBJECT | ((top - head) << 4);
}

/** The fields of an object as JSON has it. */
function putListed(object, depth) {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    // They may be the getters of a class, which cannot be listed.
    putNamed(object, depth);
    return;
  }
  for (const name in object) {
    const number = numberOf.get(name);
    if (number === undefined || number >= fields.length) continue;
    // In the loop itself engines know where this stands.
    const value = object[name];
    if (value !== undefined) putField(number, value, depth);
  }
}

function putNamed(object, depth) {
  for (let number = 0; number < fields.length; number++) {
    const before = top;
    try {
      const value = object[fields[number]];
      if (value !== undefined) putField(number, value, depth);
    } catch {
      top = before;
    }
  }
}

/** The number of a name that a field holds. */
function nameIn(field, value) {
  if (value !== held[field]) {
    const number = numberOf.get(value);
    if (number === undefined) return undefined;
    held[field] = value;
    heldNumbers[field] = number;
  }
  return heldNumbers[field];
}

function putField(number, value, depth) {
  const head = top;
  room(3);
  top += 2;
  const name = number < held.length && typeof value === "string" ? nameIn(number, value) : undefined;
  if (name === undefined) put(value, depth - 1);
  else words[top++] = NAME | (name << 4);
  words[head] = number;
  words[head + 1] = top - head - 2;
}

/** Writes a value; how many words it takes. They wait for `take`. */
export function write(value) {
  const first = top;
  if (first === 0) containers = 0;
  try {
    put(value, DEPTH);
  } catch {
    // A revoked proxy: an object of which nothing can be read.
    top = first;
    words[top++] = OBJECT | (1 << 4);
  }
  start = first;
  return top - first;
}

/** Copies what was written last to memory, and forgets it. */
export function take(to) {
  if (bytes.length === 0) bytes = new Uint8Array(memory.buffer);
  const from = start * 4;
  bytes.set(text.subarray(from, top * 4), to);
  top = start;
  if (top === 0 && text.length > USUAL) {
    words = new Uint32Array(USUAL / 4);
    text = new Uint8Array(words.buffer);
  }
}

export function fault(argument, expected) {
  return new TypeError(`${argument} must be ${expected}`);
}

// ---- out ----

let last = "";

/** The text there, most likely the last one: the id of the session that is being worked in. */
export function again(place, length) {
  if (bytes.length === 0) bytes = new Uint8Array(memory.buffer);
  let at = length === last.length ? 0 : -1;
  while (at >= 0 && at < length) {
    const unit = last.charCodeAt(at);
    // Beyond ASCII a byte is not what it looks like.
    at = unit < 0x80 && bytes[place + at] === unit ? at + 1 : -1;
  }
  if (at < 0) last = utf8.decode(bytes.subarray(place, place + length));
  return last;
}

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
      // A whole number below 2³¹ by its making, and found faster when known to be one.
      const name = tape[at++] | 0;
      if (name !== 0) {
        key = nameOf(name);
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
        const name = tape[at++] | 0;
        value = nameOf(name);
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
