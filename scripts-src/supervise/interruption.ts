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
