import { instantiate } from "./core.js";

export { ClientState, ClientStateError } from "./state.js";
export type * from "./types.js";

/**
 * Hands over the wasm, once, before the first `ClientState` is made: the compiled module or the bytes of
 * `acp-client-state/acp_client_state.wasm`. Later calls have no effect.
 *
 * Compiles bytes synchronously; hand in a `WebAssembly.Module` to compile elsewhere. Throws a `TypeError`
 * for anything else, and whatever the runtime throws when it does not allow WebAssembly.
 *
 * @param moduleOrBytes a `WebAssembly.Module`, an `ArrayBuffer`, or a view of one.
 */
export function init(moduleOrBytes: object): void {
  const kind: unknown = Object.prototype.toString.call(moduleOrBytes);
  const known =
    kind === "[object WebAssembly.Module]" ||
    kind === "[object ArrayBuffer]" ||
    kind === "[object SharedArrayBuffer]" ||
    ArrayBuffer.isView(moduleOrBytes);
  if (!known) throw new TypeError("moduleOrBytes must be a WebAssembly.Module or its bytes");
  instantiate(moduleOrBytes);
}
