import { type CommandRunner, createCommandRunner } from './command-runner.ts';
import { identityOf, isAlive, type ProcessId, signalIfSame } from './identity.ts';
import type { ProcessEntry, ProcessHost } from './types.ts';

/** The function of the npm package `tree-kill`. */
export type TreeKill = (pid: number, signal: string, done: (error?: Error) => void) => void;

/** What sweepTree needs to know, and what tests put in its place. */
export interface SweepOptions {
  platform: NodeJS.Platform;
  /** Whether the program that tree-kill asks on this platform works: see sweepToolWorks. */
  hasPs: () => boolean;
  /** Longest wait for tree-kill, ms. */
  timeoutMs?: number;
  /** Own pid: a tree that holds it is not swept. */
  self?: number;
  load?: () => Promise<TreeKill>;
}

/** A host on which bare parent numbers lie, and which can end many processes at once (Windows). */
interface StaleAwareHost extends ProcessHost {
  staleChildren(pid: number): readonly number[];
  endAll(ids: readonly ProcessId[]): ProcessId[];
}

/**
 * tree-kill starts one `ps` for each process (501 processes: 14.7 s). Larger trees are ended pid by pid from the
 * look that is there anyway.
 */
export const TREE_KILL_LIMIT = 50;

const FREEZE_ROUNDS = 5;

/**
 * The last sweep, when everything else is done: ends the tree below `id` with the npm package tree-kill, SIGKILL.
 *
 * tree-kill signals bare numbers, which it collects one `ps` after the other. Therefore the tree is checked
 * first: the root by its identity, every other process by its parent in the same look. On Unix it is then stopped
 * (SIGSTOP by identity): a stopped process neither exits nor forks, so that no number changes hands while
 * tree-kill walks. On Windows, where `taskkill /T` takes a stale parent number for kinship and has ended
 * strangers, one stale number anywhere below means that the known processes are ended one by one. What tree-kill
 * leaves (it gives up at the first EPERM) is ended by identity, too.
 *
 * - `swept`: signals were sent. It does not say that nothing lives: look again.
 * - `gone`: no such process, nothing was sent.
 * - `unavailable`: nothing was sent: no working `ps` or `taskkill`, no readable process table, or this process
 *   itself is in the tree.
 *
 * Bounded in time; never throws. Orphans have left the tree and are out of its reach.
 */
export async function sweepTree(
  host: ProcessHost,
  id: ProcessId,
  options: SweepOptions,
): Promise<'swept' | 'unavailable' | 'gone'> {
  const { self = process.pid, timeoutMs = 10_000, load = loadTreeKill } = options;
  let frozen: readonly ProcessId[] = [];
  try {
    if (id.boot !== host.bootId()) return 'gone';
    if (!options.hasPs()) return 'unavailable';
    const treeKill = await load();
    // After all waiting, so that nothing lies between this look and the signals.
    let tree = lookAtTree(host, id);
    if (tree === 'unreadable') return 'unavailable';
    if (tree === 'gone') return 'gone';
    if (tree.some((member) => member.pid === self)) return 'unavailable';

    const unix = options.platform !== 'win32';
    let settled = !unix && soundOnWindows(host, tree);
    if (unix && tree.length <= TREE_KILL_LIMIT) ({ tree, settled } = freeze(host, id, tree));
    frozen = tree;
    // tree-kill starts at a bare number, so that the root is compared once more.
    if (settled && tree.length <= TREE_KILL_LIMIT && isAlive(host, id)) {
      await within(timeoutMs, (done) => treeKill(id.pid, 'SIGKILL', done));
    }
    endAllOf(host, tree);
    return 'swept';
  } catch {
    // Stopped processes must not be left behind.
    try {
      endAllOf(host, frozen);
    } catch {}
    return frozen.length > 0 ? 'swept' : 'unavailable';
  }
}

/**
 * Whether the program that tree-kill asks does what tree-kill expects: without `ps` tree-kill crashes the
 * process (tree-kill#29), and BusyBox `ps` has none of its options, so that it kills the root alone and reports
 * success (#25, #38). One spawn.
 */
export function sweepToolWorks(
  platform: NodeJS.Platform,
  run: CommandRunner = sweepRunner(),
  parent: number = process.ppid,
  self: number = process.pid,
): boolean {
  if (platform === 'win32') return run(taskkill(), ['/?'])?.includes('/T') ?? false;
  // macOS: pgrep leaves out its own ancestors, so that asking for this process would find nothing.
  if (platform === 'darwin') return /^\d+$/m.test(run('pgrep', ['-P', '1']) ?? '');
  const siblings = run('ps', ['-o', 'pid', '--no-headers', '--ppid', String(parent)]) ?? '';
  return siblings.split(/\s+/).includes(String(self));
}

function taskkill(): string {
  return `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
}

function sweepRunner(): CommandRunner {
  return createCommandRunner({ timeoutMs: 5000, maxOutput: 1024 * 1024, env: process.env });
}

async function loadTreeKill(): Promise<TreeKill> {
  // cmd.exe would look for `taskkill` in the current folder first, which is the user's repository.
  if (process.platform === 'win32') process.env.NoDefaultCurrentDirectoryInExePath = '1';
  return (await import('tree-kill')).default;
}

/** Identities of root and descendants, the root first. */
function lookAtTree(host: ProcessHost, root: ProcessId): ProcessId[] | 'unreadable' | 'gone' {
  const entries = [...host.look(0)];
  if (entries.length === 0) return 'unreadable';
  const found = entries.find((entry) => entry.pid === root.pid && entry.start === root.start);
  if (!found || found.state === 'zombie') return 'gone';
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of entries) {
    const siblings = children.get(entry.ppid);
    if (siblings) siblings.push(entry);
    else children.set(entry.ppid, [entry]);
  }
  const tree = [found];
  const seen = new Set([found.pid]);
  for (const member of tree) {
    for (const child of children.get(member.pid) ?? []) {
      if (seen.has(child.pid) || child.startOrder < member.startOrder) continue;
      seen.add(child.pid);
      tree.push(child);
    }
  }
  return tree.map((entry) => identityOf(host, entry));
}

/** Stops a tree until a look finds nothing new in it. */
function freeze(
  host: ProcessHost,
  root: ProcessId,
  first: ProcessId[],
): { tree: ProcessId[]; settled: boolean } {
  const stopped = new Map<number, ProcessId>();
  let tree: ProcessId[] | 'unreadable' | 'gone' = first;
  for (let round = 0; round < FREEZE_ROUNDS; round++) {
    const fresh = tree.filter((member) => stopped.get(member.pid)?.start !== member.start);
    if (fresh.length === 0) return { tree: [...stopped.values()], settled: true };
    for (const member of fresh) {
      stopped.set(member.pid, member);
      signalIfSame(host, member, 'SIGSTOP');
    }
    tree = lookAtTree(host, root);
    if (typeof tree === 'string') break;
  }
  return { tree: [...stopped.values()], settled: false };
}

function soundOnWindows(host: ProcessHost, tree: readonly ProcessId[]): boolean {
  return isStaleAware(host) && tree.every((member) => host.staleChildren(member.pid).length === 0);
}

function endAllOf(host: ProcessHost, tree: readonly ProcessId[]): void {
  if (isStaleAware(host)) {
    host.endAll(tree);
    return;
  }
  // Parents first: they are stopped or dying and cannot fork any more, and a parent that waits sees no child die.
  for (const member of tree) signalIfSame(host, member, 'SIGKILL');
}

function isStaleAware(host: ProcessHost): host is StaleAwareHost {
  return 'staleChildren' in host && 'endAll' in host;
}

function within(ms: number, start: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      process.off('uncaughtException', onUncaught);
      resolve();
    };
    // tree-kill listens to no `error` event: a `ps` that cannot be started in the middle of the walk (process
    // limit reached) would end this process. Everything else goes on as if nobody had listened.
    const onUncaught = (error: Error) => {
      if (!isSpawnFault(error)) throw error;
      done();
    };
    const timer = setTimeout(done, ms);
    process.on('uncaughtException', onUncaught);
    try {
      start(done);
    } catch {
      done();
    }
  });
}

function isSpawnFault(error: Error): boolean {
  return 'syscall' in error && /^spawn (ps|pgrep)$/.test(String(error.syscall));
}
