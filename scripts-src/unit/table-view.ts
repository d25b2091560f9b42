import type { ProcessEntry, ProcessHost } from '../process/types.ts';

/** A watcher's view of the process table, priced by operating system. */
export interface TableView {
  host(): ProcessHost;
  /** Begins a new look: what was remembered of the last one is forgotten. */
  refresh(): void;
  /** Longest pause between two rounds of looks, ms. */
  roundMs: number;
}

/** Rounds apart in ms. Linux reads one small file a process; elsewhere a look starts a program (`ps`, PowerShell). */
const ROUND_MS = { linux: 1000, darwin: 5000, win32: 15_000 } as const;

/**
 * On Linux the table itself. Elsewhere one snapshot serves all units of a look, taken when the first of them asks:
 * a program started for each of a thousand units would cost more than the units.
 */
export function createTableView(host: ProcessHost): TableView {
  let snapshot: Map<number, ProcessEntry> | undefined;
  const remembering: ProcessHost = {
    ...host,
    entry(pid) {
      snapshot ??= new Map([...host.look(0)].map((entry) => [entry.pid, entry]));
      return snapshot.get(pid);
    },
  };
  return {
    host: () => (host.platform === 'linux' ? host : remembering),
    refresh: () => {
      snapshot = undefined;
    },
    roundMs: ROUND_MS[host.platform],
  };
}
