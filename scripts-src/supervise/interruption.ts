/** Signals that ask a supervisor to end. SIGKILL cannot be caught: that is what the guardian is for. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Whether this is the name of a signal that asks a supervisor to end. */
export function isStopSignal(name: string | undefined): name is (typeof SIGNALS)[number] {
  return SIGNALS.some((signal) => signal === name);
}

/** The wish of somebody outside that this process should end. */
export interface Interruption {
  /** The first signal that came, or undefined. */
  signal(): NodeJS.Signals | undefined;
  /** Resolves with the first signal; never otherwise. */
  arrived: Promise<NodeJS.Signals>;
  /** True after a second signal: no more asking. */
  isUrgent(): boolean;
  /** Somebody wants this unit to end, and not the process that supervises it; undefined as long as nobody does. */
  cancelled?(): Cancellation | undefined;
  /** Resolves when somebody wants that; never otherwise. */
  cancelArrived?: Promise<unknown>;
}

/** The wish that one unit ends. */
export interface Cancellation {
  /** Who wants it, for the outcome's text. */
  by: string;
  /** Time for the worker to end in good order, ms. */
  graceMs: number;
}

/** What a supervisor of many units holds of one: no signal reaches it, but it can be cancelled once. */
export interface Cancellable {
  interruption: Interruption;
  cancel(wish: Cancellation): void;
}

/** A unit that can be cancelled. The first wish counts. */
export function cancellable(): Cancellable {
  let wish: Cancellation | undefined;
  let arrive = () => {};
  const cancelArrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    interruption: {
      signal: () => undefined,
      arrived: new Promise(() => {}),
      isUrgent: () => false,
      cancelled: () => wish,
      cancelArrived,
    },
    cancel(wanted) {
      wish ??= wanted;
      arrive();
    },
  };
}

/** Starts to listen. From now on these signals do not end the process by themselves. */
export function listenForInterruption(): Interruption {
  let first: NodeJS.Signals | undefined;
  let count = 0;
  const arrived = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        count++;
        first ??= signal;
        resolve(signal);
      });
    }
  });
  return { signal: () => first, arrived, isUrgent: () => count > 1 };
}
