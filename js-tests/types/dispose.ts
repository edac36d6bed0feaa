// `using`, for programs that compile with `lib.esnext.disposable`. Compiled, never run.

import { ClientState } from "acp-client-state";

export function once(line: string): string[] {
  using state = new ClientState();
  return state.received(line).changed;
}
