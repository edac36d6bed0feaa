// The one instance of the wasm in a program, and how it comes to be. Private to the package; `glue.js`
// beside it is what wasm-bindgen writes (`--target web --omit-default-module-path --out-name glue`).

import { initSync, kinds, methods, RawState } from "./glue.js";
import { Names } from "./names.js";

/** What the face works with. */
export interface Core {
  RawState: typeof RawState;
  /** The values of `sessionUpdate` that matter. */
  kinds: Names;
  /** The methods that matter. */
  methods: Names;
}

let core: Core | undefined;
let provided: (() => object) | undefined;

/** Says where the wasm comes from when the first state is made: bytes, or a compiled module. */
export function provide(source: () => object): void {
  provided ??= source;
}

/** Instantiates the wasm; without effect when that has happened already. */
export function instantiate(source: object): void {
  if (core !== undefined) return;
  initSync({ module: source });
  core = { RawState, kinds: new Names(kinds()), methods: new Names(methods()) };
}

/** The core, instantiated now at the latest; `undefined` when nobody has said where it comes from. */
export function start(): Core | undefined {
  if (core === undefined && provided !== undefined) instantiate(provided());
  return core;
}
