// What the declarations accept without a cast: values typed by the official SDK, in its stable and
// unstable entries of both protocol versions. Compiled, never run.

import type * as v1 from "@agentclientprotocol/sdk";
import type * as v1unstable from "@agentclientprotocol/sdk/unstable";
import type * as v2 from "@agentclientprotocol/sdk/experimental/v2";
import type * as v2unstable from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { ClientState, ClientStateError } from "acp-client-state";
import type {
  Activity,
  ClosePlan,
  Event,
  Outcome,
  PendingRequest,
  RequestId,
  SessionSnapshot,
  StopPlan,
  StopTarget,
  WorkItem,
} from "acp-client-state";
import { ClientState as Slim, init } from "acp-client-state/slim";

declare const bytes: Uint8Array;

// Making, saving, restoring.
const state: ClientState = new ClientState();
new ClientState({});
new ClientState({ cancelUnattributed: false });
const restored: ClientState = ClientState.fromJSON(JSON.stringify(state));
ClientState.fromJSON(state.toJSON());
restored.free();
const failure: Error = new ClientStateError("x");
const undo: () => void = state.subscribe((outcome) => outcome.changed.map((id) => id.length));
init(bytes);
init(bytes.buffer);
const same: ClientState = new Slim();

// Messages: text, anything that a transport types as an object, with or without a time.
const first: Outcome = state.received("{}", 1);
state.received({ jsonrpc: "2.0", method: "x" });
state.sent({}, Date.now());
declare const v1message: v1.AnyMessage;
declare const v2message: v2.AnyMessage;
state.received(v1message);
state.sent(v2message);

// Updates and permission requests.
declare const updates:
  | v1.SessionNotification
  | v1unstable.SessionNotification
  | v2.UpdateSessionNotification
  | v2unstable.UpdateSessionNotification;
const { sessionId, update } = updates;
state.apply({ type: "update", sessionId, update });

declare const v1permission: v1.RequestPermissionRequest | v1unstable.RequestPermissionRequest;
declare const v1id: v1.RequestId;
state.apply({
  type: "permission_requested",
  requestId: v1id,
  sessionId: v1permission.sessionId,
  subject: v1permission.toolCall,
});

declare const v2permission: v2.RequestPermissionRequest | v2unstable.RequestPermissionRequest;
declare const v2id: v2.RequestId | v2unstable.RequestId;
state.apply({
  type: "permission_requested",
  requestId: v2id,
  sessionId: v2permission.sessionId,
  subject: v2permission.subject,
});

// Answers.
declare const answered: v1.PromptResponse;
state.apply({ type: "prompt_answered", requestId: 1, stopReason: answered.stopReason });
declare const error: v1.Error | v1unstable.Error | v2.Error | v2unstable.Error;
state.apply({ type: "prompt_answered", requestId: v2id, error });
declare const maybe: { code: number; message: string } | undefined;
state.apply({ type: "close_answered", sessionId, error: maybe });
declare const initialized: v1.InitializeResponse | v2unstable.InitializeResponse;
state.apply({ type: "initialized", protocolVersion: initialized.protocolVersion, asyncTasks: false });

// The way of stops: what an item offers is what a plan takes.
declare const item: WorkItem;
if (item.stopTarget !== null) {
  const plan: StopPlan = state.stopPlan(item.sessionId, item.stopTarget);
  if (plan.ok) {
    const { method, params }: { method: string; params: object } = plan;
    void [method, params];
  } else {
    const reason: "closed" | "unknown" | "finished" | "already_requested" | "not_cancellable" =
      plan.reason;
    void reason;
  }
}
const target: StopTarget = { asyncTaskId: "a" };

// What answers are.
const activity: Activity = state.activity(sessionId);
const quiet: boolean = state.isQuiet(sessionId);
const since: number | null = state.quietSince(sessionId);
const releasable: boolean = state.isReleasable(sessionId, 1, 2) && state.isReleasable(sessionId);
const plan: ClosePlan = state.closePlan(sessionId);
const requests: PendingRequest[] = state.requests(sessionId, true);
const snapshot: SessionSnapshot = state.snapshot(sessionId);
const nested: WorkItem[] = snapshot.background.flatMap((each) => each.background);
const ids: RequestId[] = state.cancelPlan(sessionId).answerCancelled;
const shown: string | undefined = state.toolCall(sessionId, "c")?.shown;
const exit: number | null | undefined = state.terminal(sessionId, "t")?.exit?.exitCode;
const events: Event[] = [
  { type: "disconnected" },
  { type: "stop_sent", requestId: null, sessionId, terminalId: "t" },
  { type: "stop_answered", requestId: "r", stopped: true },
];

/** A `switch` over activities needs no default. */
function icon(value: Activity): string {
  switch (value) {
    case "busy":
    case "requires_action":
      return "spinner";
    case "background":
    case "scheduled":
    case "unknown":
      return "dot";
    case "quiet":
    case "closed":
      return "none";
  }
}

void [failure, undo, same, first, target, activity, quiet, since, releasable, plan, requests, nested];
void [ids, shown, exit, events, icon];
