// The same few events and questions in every host. Needs nothing but the language, throws what it finds wrong
// and returns a line that the tests compare, so that a host in which nothing ran does not look well.

export const DONE = "scenario done";

const SESSION = "s1";

function same(what, got, wanted) {
  const [left, right] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (left !== right) throw new Error(`${what}: got ${left}, wanted ${right}`);
}

export function scenario(ClientState) {
  const state = new ClientState();
  const update = (fields, at) => state.apply({ type: "update", sessionId: SESSION, update: fields }, at);

  state.apply({ type: "session_opened", sessionId: SESSION }, 0);
  same("activity at first", state.activity(SESSION), "unknown");
  same("sessions", state.sessionIds(), [SESSION]);

  update({ sessionUpdate: "state_update", state: "running", background: [] }, 1);
  update({ sessionUpdate: "terminal_update", terminalId: "t1", command: "sleep 60" }, 2);
  same("activity while it runs", state.activity(SESSION), "busy");

  const background = [{ type: "terminal", terminalId: "t1" }];
  const idle = update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", background }, 3);
  same("changed", idle.changed, [SESSION]);
  same("stop reasons", idle.turnsEnded.map((turn) => turn.stopReason), ["end_turn"]);
  same("problems", idle.problems, []);
  same("activity with a shell", state.activity(SESSION), "background");

  const snapshot = state.snapshot(SESSION);
  const [item] = snapshot.background;
  same("the shell", [item.type, item.id, item.title, item.status], ["terminal", "t1", "sleep 60", "running"]);
  same("the snapshot is kept", state.snapshot(SESSION) === snapshot, true);

  const plan = state.closePlan(SESSION);
  same("the close plan", [plan.certain, plan.foreground, plan.stops.length, plan.counts.terminals], [true, false, 1, 1]);
  same("the warning", plan.warning, "Closing will stop 1 background task");

  const restored = ClientState.fromJSON(JSON.parse(JSON.stringify(state)));
  same("activity when restored", restored.activity(SESSION), "background");
  restored.free();

  update({ sessionUpdate: "terminal_update", terminalId: "t1", exitStatus: { exitCode: 0 } }, 4);
  update({ sessionUpdate: "state_update", state: "idle", background: [] }, 5);
  same("quiet at last", [state.activity(SESSION), state.isQuiet(SESSION)], ["quiet", true]);

  state.free();
  state.free();
  let complaint = null;
  try {
    state.activity(SESSION);
    state.apply({ type: "disconnected" }, 6);
  } catch (error) {
    complaint = error;
  }
  same("a freed state says so", complaint instanceof Error, true);
  return DONE;
}
