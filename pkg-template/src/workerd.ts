// Cloudflare's runtime may not compile bytes: the module comes compiled with the program.

import wasm from "./acp_client_state.wasm";
import { provide } from "./core.js";

export { ClientState, ClientStateError } from "./slim.js";
export type * from "./types.js";

provide(() => wasm);
