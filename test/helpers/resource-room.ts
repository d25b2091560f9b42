import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { readProcess } from './process-table.ts';
import { SCRIPTS, testEnvironment } from './unit-run.ts';
import { waitFor } from './wait-for.ts';

/** A `resource-run` at work. */
export interface Leased {
  child: ChildProcess;
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Exit code, or the signal's name. */
  end: Promise<number | string>;
}

/** What tests look at in a table. */
export interface NewestTable {
  holders: { id: string; keepers: string[] }[];
  waiters: { id: string }[];
}

/** A resource home of its own, and what is started with it. */
export interface ResourceRoom {
  folder: string;
  home: string;
  /** Starts `resource-run` with these words. */
  start(
    words: readonly string[],
    options?: { env?: NodeJS.ProcessEnv; input?: string; cwd?: string },
  ): Leased;
  /** Starts it and waits for its end. */
  run(
    words: readonly string[],
    options?: { env?: NodeJS.ProcessEnv; input?: string; cwd?: string },
  ): Promise<{
    code: number | string;
    stdout: string;
    stderr: string;
  }>;
  /** Starts a holder, and resolves when its command runs; the command sleeps, and ends with everything else. */
  holder(...names: string[]): Promise<Leased>;
  list(): Promise<{ name: string; slots: number; holders: { pid: number }[]; waiters: { pid: number }[] }[]>;
  /** Resolves when so many wait for a name. */
  waiting(count: number): Promise<void>;
  /** The newest table; undefined where it was replaced at this moment, or there is none. */
  table(): NewestTable | undefined;
  /** Folders of leases. */
  leases(): string[];
  tables(): string[];
  /** Pid of the guardian of a holder; undefined where there is none (yet, or any more). */
  guardianOf(holder: Leased): number | undefined;
}

/** Opens a room; what was started in it is ended after the file's tests. */
export function openResourceRoom(): ResourceRoom {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun-resource-')));
  const home = path.join(folder, 'home');
  const started: ChildProcess[] = [];
  afterAll(async () => {
    for (const child of started) if (child.exitCode === null) child.kill('SIGTERM');
    await waitFor('the end of all', () =>
      started.every((one) => one.exitCode !== null || one.signalCode !== null),
    );
    rmSync(folder, { recursive: true, force: true });
  });
  const boot = path.join(home, readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const entries = (name: string): string[] =>
    existsSync(path.join(boot, name)) ? readdirSync(path.join(boot, name)) : [];

  const room: ResourceRoom = {
    folder,
    home,
    start(words, { env = {}, input, cwd = folder } = {}) {
      const child = spawn(process.execPath, [path.join(SCRIPTS, 'resource-run.cjs'), ...words], {
        cwd,
        env: { ...testEnvironment(folder), PRUN_RESOURCE_HOME: home, ...env },
        stdio: 'pipe',
      });
      started.push(child);
      let [out, err] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
      });
      child.stderr.on('data', (chunk: Buffer) => {
        err += chunk.toString();
      });
      child.stdin.on('error', () => {});
      child.stdin.end(input ?? '');
      const end = new Promise<number | string>((resolve) => {
        child.once('close', (code, signal) => resolve(code ?? signal ?? 'lost'));
      });
      return { child, pid: child.pid ?? -1, stdout: () => out, stderr: () => err, end };
    },
    async run(words, options) {
      const leased = room.start(words, options);
      const code = await leased.end;
      return { code, stdout: leased.stdout(), stderr: leased.stderr() };
    },
    async holder(...names) {
      const words = names.flatMap((name) => ['--resource', name]);
      const leased = room.start([...words, '--', 'sh', '-c', 'echo in; exec sleep 600']);
      await waitFor('the holder', () => leased.stdout() === 'in\n');
      return leased;
    },
    async list() {
      const { stdout } = await room.run(['--list', '--json']);
      return JSON.parse(stdout).slots;
    },
    async waiting(count) {
      await waitFor(`${count} waiters`, () => room.table()?.waiters.length === count);
    },
    table: () => newestIn(entries('tables'), path.join(boot, 'tables')),
    leases: () => entries('leases'),
    tables: () => entries('tables'),
    guardianOf({ pid }) {
      const lease = entries('leases').find((name) => name.startsWith(`${pid}-`));
      if (lease === undefined) return undefined;
      try {
        const pid = pidIn(readFileSync(path.join(boot, 'leases', lease, '.guardian-pid'), 'utf8'));
        // A pid that stands in a file may be a stranger's by now.
        return pid !== undefined && readProcess(pid)?.argv.includes('prun-guardian') ? pid : undefined;
      } catch {
        // Not written yet, or its folder has gone.
        return undefined;
      }
    },
  };
  return room;
}

function newestIn(names: readonly string[], folder: string): NewestTable | undefined {
  const newest = Math.max(0, ...names.filter((name) => /^\d+$/.test(name)).map(Number));
  try {
    return newest === 0
      ? { holders: [], waiters: [] }
      : JSON.parse(readFileSync(path.join(folder, String(newest)), 'utf8'));
  } catch {
    // Removed meanwhile: a newer one is there.
    return undefined;
  }
}

/** A pid that was written down; undefined for anything that is not the number of one process. */
export function pidIn(text: string | undefined): number | undefined {
  const pid = /^\d+$/.test(text?.trim() ?? '') ? Number(text) : 0;
  return pid >= 2 ? pid : undefined;
}

/** Whether a process is there and no zombie. */
export function isThere(pid: number): boolean {
  const seen = readProcess(pid);
  return seen !== undefined && !['Z', 'X'].includes(seen.state);
}

/**
 * Kills one process that may be gone; undefined: nobody. Refuses every number that is not a single process's: 0, 1 and
 * negative ones would reach groups, init or, with -1, every process of this user (kill(2)).
 */
export function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  if (!Number.isSafeInteger(pid) || pid < 2) throw new Error(`${pid} is not the pid of a process to kill`);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was quicker.
  }
}
