import type { Outcome } from "./types.js";

interface Subscription {
  readonly listener: (outcome: Outcome) => void;
  active: boolean;
}

interface Delivery {
  readonly outcome: Outcome;
  readonly to: readonly Subscription[];
}

/** What the timers and reports of every runtime look like, as far as it has them. */
interface Runtime {
  reportError?: (error: unknown) => void;
  queueMicrotask?: (task: () => void) => void;
}

/** An error of a listener's is nobody's here: the runtime shows it as uncaught, the others go on. */
function report(error: unknown): void {
  const runtime = globalThis as Runtime;
  if (typeof runtime.reportError === "function") {
    try {
      runtime.reportError(error);
      return;
    } catch {
      // Somebody's own that throws: the other way then.
    }
  }
  const rethrow = (): never => {
    throw error;
  };
  if (typeof runtime.queueMicrotask === "function") runtime.queueMicrotask(rethrow);
  else void Promise.resolve().then(rethrow);
}

/**
 * Tells listeners of outcomes, in order: an event that a listener applies is delivered, to all, after the
 * one that it is being told of.
 */
export class Listeners {
  // Never changed in place: a delivery keeps the list as it was at its event.
  #subscriptions: readonly Subscription[] = [];
  readonly #due: Delivery[] = [];
  #delivering = false;

  add(listener: (outcome: Outcome) => void): () => void {
    const subscription = { listener, active: true };
    this.#subscriptions = [...this.#subscriptions, subscription];
    return () => {
      subscription.active = false;
      this.#subscriptions = this.#subscriptions.filter((other) => other !== subscription);
    };
  }

  tell(outcome: Outcome): void {
    if (this.#subscriptions.length === 0) return;
    this.#due.push({ outcome, to: this.#subscriptions });
    if (this.#delivering) return;
    this.#delivering = true;
    for (let next = this.#due.shift(); next !== undefined; next = this.#due.shift()) {
      for (const subscription of next.to) {
        if (!subscription.active) continue;
        try {
          subscription.listener(next.outcome);
        } catch (error) {
          report(error);
        }
      }
    }
    this.#delivering = false;
  }

  /** Tells nobody any more, not even what is due. */
  clear(): void {
    for (const { to } of this.#due) for (const subscription of to) subscription.active = false;
    for (const subscription of this.#subscriptions) subscription.active = false;
    this.#subscriptions = [];
  }
}
