import { constants } from 'node:os';

/** Signals that ask `resource-run` to end. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/** What a terminal does with those in its foreground. */
export interface TerminalCalls {
  resized(): void;
  stopped(): void;
  continued(): void;
}

/** The wish of somebody outside that this process ends. */
export interface LeaseStop {
  /** Resolves with the first signal; never otherwise. */
  arrived: Promise<NodeJS.Signals>;
  /** Resolves with the second: no more asking. */
  hurried: Promise<void>;
  signal(): NodeJS.Signals | undefined;
  /** 128+n, or undefined where nobody wanted an end. */
  exitCode(): number | undefined;
  /** Stops and goes on with a command that does not hear its terminal. Returns what ends that. */
  followTerminal(calls: TerminalCalls): () => void;
}

/** Starts to listen: from now on these signals do not end the process by themselves. */
export function listenForStop(): LeaseStop {
  let first: NodeJS.Signals | undefined;
  let hurry = (): void => {};
  const hurried = new Promise<void>((resolve) => {
    hurry = resolve;
  });
  const arrived = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (first !== undefined) hurry();
        first ??= signal;
        resolve(signal);
      });
    }
  });
  return {
    arrived,
    hurried,
    signal: () => first,
    exitCode: () => (first === undefined ? undefined : 128 + constants.signals[first]),
    followTerminal,
  };
}

function followTerminal({ resized, stopped, continued }: TerminalCalls): () => void {
  // Windows has none of these.
  if (process.platform === 'win32') return () => {};
  const stop = (): void => {
    stopped();
    process.kill(process.pid, 'SIGSTOP');
  };
  process.on('SIGWINCH', resized);
  process.on('SIGTSTP', stop);
  process.on('SIGCONT', continued);
  return () => {
    process.off('SIGWINCH', resized);
    process.off('SIGTSTP', stop);
    process.off('SIGCONT', continued);
  };
}
