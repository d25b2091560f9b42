/** A process that cannot be mistaken for another: boot, pid and start together. Written `boot:pid:start`. */
export interface ProcessId {
  boot: string;
  pid: number;
  start: string;
}

/** One process as one look saw it. */
export interface ProcessEntry {
  pid: number;
  ppid: number;
  pgid: number;
  sid: number;
  /** Opaque start token: with boot id and pid it is the process's identity. Never contains `:`. */
  start: string;
  /** Orders starts on this boot: greater is younger (Linux: clock ticks since boot; elsewhere epoch ms). */
  startOrder: number;
  state: 'alive' | 'stopped' | 'uninterruptible' | 'zombie';
  /** Short command name, for people; never trusted. */
  command: string;
  /** CPU time of the process and of the children that it has waited for, ms. */
  cpuMs: number;
}

/** Marks that a worker's descendants inherit, read from one live process. */
export interface ProcessMarks {
  /** Value of PRUN_UNIT in the environment it was started with. */
  unit?: string;
  /** Values of CODEX_THREAD_ID and CODEX_SESSION_ID, and the ids in PRUN_LEASE. */
  threads: string[];
  /** Soft RLIMIT_RSS in bytes as the system prints it (Linux only). */
  rss?: string;
}

/** Variable with the ids of the leases that a process runs under, outermost first, parted by `/`. */
export const LEASES = 'PRUN_LEASE';

/** Bytes moved by one process through read and write calls, sockets and pipes included. */
export interface ProcessIo {
  read: number;
  written: number;
}

/**
 * What prun needs of an operating system's process table. Injected, so that each platform's logic can be
 * tested anywhere.
 */
export interface ProcessHost {
  readonly platform: 'linux' | 'darwin' | 'win32';
  /** Id of this boot, without `:`. */
  bootId(): string;
  /** The process now, zombies included, or undefined. */
  entry(pid: number): ProcessEntry | undefined;
  /**
   * One pass over the table, youngest information first seen first: entries whose startOrder is at least
   * `since`. Lazily on Linux, so that a caller can act on an entry before the pass is over.
   */
  look(since: number): Iterable<ProcessEntry>;
  /** Inherited marks, or undefined where they cannot be read. */
  marks(entry: ProcessEntry): ProcessMarks | undefined;
  /** I/O counters, or undefined where the system has none. */
  io(pid: number): ProcessIo | undefined;
  /** The pid handed out last, where the system tells (Linux): lets a look chase newcomers. */
  lastPid(): number | undefined;
  /** Why the last look or entry could not be had, or undefined when it could. Linux always can. */
  trouble?(): string | undefined;
  /** Ends exactly these processes at once, where single signals are dear (Windows); gives those that it ended. */
  endAll?(ids: readonly ProcessId[]): ProcessId[];
  /** Sends a signal to one pid; false when there is no such process or it may not be signalled. */
  signal(pid: number, signal: NodeJS.Signals): boolean;
}
