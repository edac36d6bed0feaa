// What the declarations refuse. Compiled, never run.

import { ClientState, type Event, type SessionSnapshot } from "acp-client-state";

const state = new ClientState();

// @ts-expect-error the option is a boolean
new ClientState({ cancelUnattributed: "no" });
// @ts-expect-error there is no such option
new ClientState({ cancelUnatributed: true });
// @ts-expect-error no message
state.received(1);
// @ts-expect-error no message
state.sent(null);
// @ts-expect-error a time is a number
state.received("{}", new Date());
// @ts-expect-error no event of this type
state.apply({ type: "session_open", sessionId: "S" });
// @ts-expect-error the session is missing
state.apply({ type: "session_opened" });
// @ts-expect-error an update is an object
state.apply({ type: "update", sessionId: "S", update: "x" });
// @ts-expect-error a stop names what it stops
state.apply({ type: "stop_sent", requestId: 1, sessionId: "S" });
// @ts-expect-error an id is a string, a number or null
state.apply({ type: "request_answered", requestId: {} });
// @ts-expect-error the capability must be said
state.apply({ type: "initialized", protocolVersion: 1 });
// @ts-expect-error an id is a string
state.activity(1);
// @ts-expect-error the session is missing
state.snapshot();
// @ts-expect-error a target names what it stops
state.stopPlan("S", {});
// @ts-expect-error the call may be missing
state.toolCall("S", "c").shown;
// @ts-expect-error no listener
state.subscribe({});
// @ts-expect-error no saved state
ClientState.fromJSON(1);
// @ts-expect-error slim's init is not part of the default entry
import { init } from "acp-client-state";
// @ts-expect-error params come only with a plan that is ok
state.stopPlan("S", { terminalId: "t" }).params;
// @ts-expect-error no activity of this name
const idle: boolean = state.activity("S") === "idle";
// @ts-expect-error private to the package
import { RawState } from "acp-client-state/dist/core.js";

declare const snapshot: SessionSnapshot;
// @ts-expect-error may be null
const since: number = snapshot.quietSince;
// @ts-expect-error no such event
const event: Event = { type: "closed" };

void [init, idle, RawState, since, event];
