// What can be wrong in a message, and the many texts and objects that are the same message.

/** Strings that are no Unicode text (rule E3). */
const LONE = ["\ud800", "a\udc00b", "\udc00\ud800"];

/** Values of every type, most of them wrong wherever they stand. */
export const WILD = [
  null, true, false, 0, -0, 1, 2, -1, 1.5, 5e-324, 2 ** 53 - 1, 2 ** 53, 1e300, Infinity, -Infinity,
  "", "S", "K", "idle", "completed", "__proto__", "a\u0000\n\"\\/\u2028", "x".repeat(128), "é".repeat(128), ...LONE,
  [], [null], [[["S"]]], ["asyncTasks"], [{ type: "terminal", terminalId: "K" }], [{ type: "terminal" }, 3],
  {}, { cancel: {} }, { cancel: [] }, { "": null }, { type: "_odd" }, { state: "idle", background: [] },
  { sessionId: "K", toolCallId: "K", terminalId: "K" }, owning("__proto__", { state: "idle", type: "terminal" }),
  nested(100),
];

/** Names that are read in one place or another. */
const FIELDS = [
  "id", "method", "params", "result", "error", "code", "message", "sessionId", "update", "sessionUpdate", "state", "status",
  "title", "kind", "content", "capabilities", "cancel", "background", "type", "terminalId", "toolCallId", "stopReason",
  "exitStatus", "exitCode", "output", "data", "subject", "toolCall", "_meta", "requestId", "protocolVersion", "stopped",
  "__proto__", "constructor", "toString", "length", "",
];

function nested(depth) {
  return depth === 0 ? [] : depth % 2 ? [nested(depth - 1)] : { content: nested(depth - 1) };
}

/** Assigned, the name `__proto__` would set the prototype. */
function own(object, name, value) {
  return Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

function owning(name, value) {
  return own({}, name, value);
}

const isObject = (value) => typeof value === "object" && value !== null;

/** Every place of a value, as `[container, key]`, down to some depth. */
export function places(value, depth = 8) {
  if (!isObject(value) || depth === 0) return [];
  return Object.keys(value).flatMap((key) => [[value, key], ...places(value[key], depth - 1)]);
}

/** Every damage that is done in every place. */
export const DAMAGES = [
  ...WILD.map((wild) => (container, key) => own(container, key, structuredClone(wild))),
  (container, key) => (Array.isArray(container) ? container.splice(Number(key), 1) : delete container[key]),
  (container, key) => own(container, key, [container[key]]),
  (container, key) => own(container, key, isObject(container[key]) ? Object.values(container[key]) : owning(String(container[key]), null)),
];

/** A message with something wrong in it, at random. */
export function damaged(message, { random, of }) {
  const root = { message: structuredClone(message) };
  for (let left = 1 + random(3); left > 0; left -= 1) {
    const all = places(root);
    if (all.length === 0) break;
    const [container, key] = of(all);
    const value = container[key];
    if (random(3) > 0 || !isObject(value) || Array.isArray(value)) of(DAMAGES)(container, key);
    else own(value, random(8) === 0 ? of(LONE) : of(FIELDS), structuredClone(of(WILD)));
  }
  return root.message ?? null;
}

// ---- as text ----

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
const SPACES = ["", "", "", " ", "\n\t", "\r "];

/** The message as JSON text, spelled like no serialiser spells it. Also of what JSON has no word for, beyond f64. */
export function spelled(message, random) {
  const of = (values) => values[random(values.length)];
  const space = () => of(SPACES);
  const list = (open, items, close) => open + space() + items.join(`,${space()}`) + close;

  function value(given) {
    if (typeof given === "string") return string(given);
    if (typeof given === "number") return number(given);
    if (Array.isArray(given)) return list("[", given.map(value), "]");
    if (isObject(given)) return list("{", Object.entries(given).flatMap(field), "}");
    return String(given);
  }

  /** The last of several fields of one name counts. */
  function field([name, given]) {
    const earlier = random(10) === 0 ? [`${string(name)}:${of(["null", "3", '"x"', "{}", "[[1]]", '{"state":"idle"}', "1e400", '"\\ud800"'])}`] : [];
    return [...earlier, `${string(name)}${space()}:${space()}${value(given)}`];
  }

  function string(text) {
    let out = '"';
    for (const unit of JSON.stringify(text).slice(1, -1)) {
      const plain = unit.length === 1 && unit !== "\\" && !out.endsWith("\\") && random(12) === 0 && !/\\u.{0,3}$/.test(out);
      out += plain ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}` : unit;
    }
    return `${out}"`;
  }

  return space() + value(message) + space();

  function number(given) {
    const plain = Object.is(given, -0) ? "-0" : String(given);
    if (!Number.isFinite(given)) return `${given < 0 ? "-" : ""}${of(["1e400", "1E+999", "123456789e999999999999"])}`;
    const spellings = [plain, plain, plain, given.toExponential(), given.toExponential(30).toUpperCase()];
    if (Number.isInteger(given)) {
      const sign = plain.startsWith("-") ? "-" : "";
      const digits = `${sign}${BigInt(Math.abs(given))}`;
      spellings.push(digits, `${digits}.0`, `${digits}0e-1`, `${digits}.00000000000000000000000001`, `${digits}e+00`);
      // Above and below, and nearest to it all the same.
      spellings.push(`${digits}1`.replace(/^(-?)9007199254740992\d*$/, "$19007199254740993"));
      if (Math.abs(given) > 0) spellings.push(`${sign}${BigInt(Math.abs(given)) - 1n}.99999999999999999999999999`);
      else spellings.push(`${sign}1e-400`, `${sign}0e5`);
    }
    return of(spellings.filter((spelling) => NUMBER.test(spelling) && Object.is(Number(spelling), given)));
  }
}

/** A text with a letter wrong: most are no JSON. */
export function misspelled(text, { random, of }) {
  const at = random(text.length + 1);
  const letters = [..."{}[]\",:\\/u0123456789eE+-.dD8tfn \t\n\u0000\u001fé\u{1f600}\u2028\ufeff'", ""];
  return text.slice(0, at) + of(letters) + text.slice(at + random(2));
}

/** The message as JSON that any parser holds: what does not fit is of the wrong type all the same. */
export function plain(message) {
  if (typeof message === "string") return message.isWellFormed() ? message : 0.5;
  if (typeof message === "number") return Number.isFinite(message) ? message : 0.5;
  if (Array.isArray(message)) return message.map(plain);
  if (!isObject(message)) return message;
  const fields = Object.entries(message).map(([name, field]) => [name.isWellFormed() ? name : "?", plain(field)]);
  return Object.fromEntries(fields);
}

// ---- as objects ----

/** The message as objects of other makes: without a prototype, of a class with getters, frozen, or behind proxies. */
export function dressed(message, random) {
  if (!isObject(message)) return message;
  const fields = Object.entries(message).map(([name, field]) => [name, dressed(field, random)]);
  if (Array.isArray(message)) {
    const list = fields.map(([, field]) => field);
    return [() => list, () => Object.freeze(list), () => new Proxy(list, {})][random(3)]();
  }
  const fill = (object) => fields.reduce((filled, [name, field]) => own(filled, name, field), object);
  return [
    () => fill({}),
    () => own(own(fill({}), "unread", undefined), Symbol("unread"), 1),
    () => Object.freeze(fill(Object.create(null))),
    () => new Proxy(fill({}), {}),
    () => {
      class Made {}
      for (const [name, field] of fields) {
        if (name === "constructor") continue;
        Object.defineProperty(Made.prototype, name, { get: () => field });
      }
      return new Made();
    },
  ][random(5)]();
}
