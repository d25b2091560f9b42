import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { messageOf } from '../platform/errors.ts';
import { createFamily, observerOf } from '../process/family.ts';
import type { ProcessHost } from '../process/types.ts';
import { endFamily } from './end-family.ts';
import { noteMembers } from './member-ledger.ts';
import { sleep } from './reap.ts';

/** A collection that takes longer is ended and named, ms. */
const LIMIT_MS = 120_000;
/** A record of a hundred thousand files has a tenth of this, bytes. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const MAX_COMPLAINT_BYTES = 4096;
/** What a collection left behind may hold its output open for so long after it, ms. */
const OUTPUT_MS = 1000;
/** Time for the processes of a collection that is given up to be gone, ms. */
const KILL_MS = 500;

/** What is to be collected, and by whom. */
export interface Collection {
  host: ProcessHost;
  /** The compiled `prun`. */
  prun: string;
  clone: string;
  stateDir: string;
  /** Marker of the unit: a guardian that takes over ends a collection that was left behind as the unit's own. */
  marker: string;
  since: number;
  /** Resolves when this process is to end. */
  stop?: Promise<unknown> | undefined;
  limitMs?: number;
}

/** What `prun collect --json` printed, or why there is nothing. */
export type Collected =
  | { kind: 'printed'; text: string }
  | { kind: 'stopped' }
  | { kind: 'failed'; detail: string };

/**
 * Runs `prun collect` for a clone, in a process of its own: it cannot take the supervisor down with it. Never rejects,
 * always ends, and leaves no process behind.
 */
export async function collectDelta(collection: Collection): Promise<Collected> {
  const { host, prun, clone, stateDir, marker, since, stop, limitMs = LIMIT_MS } = collection;
  if (!existsSync(prun)) return { kind: 'failed', detail: `${prun} is missing` };
  const mark = `${marker}/collect`;
  let child: ChildProcess;
  try {
    const argv = [prun, 'collect', clone, '--json', '--state-dir', stateDir];
    child = spawn(process.execPath, argv, {
      cwd: stateDir,
      env: { ...process.env, PRUN_UNIT: mark },
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    // No descriptor or no process left.
    return { kind: 'failed', detail: `prun collect could not be started (${messageOf(error)})` };
  }
  const family = createFamily(mark, null, since);
  const entry = host.entry(child.pid ?? -1);
  if (entry) family.members.set(entry.pid, entry);
  if (host.platform === 'darwin') noteMembers(host, stateDir, family, '');
  const end = endOf(child);
  const winner = await Promise.race([
    end,
    sleep(limitMs).then(() => 'late' as const),
    ...(stop ? [stop.then(() => 'stopped' as const)] : []),
  ]);
  await endFamily(host, family, child.pid ?? -1, observerOf(host), KILL_MS);
  if (winner === 'stopped') return { kind: 'stopped' };
  if (winner === 'late') {
    return { kind: 'failed', detail: `prun collect took more than ${limitMs / 1000} s and was ended` };
  }
  return winner;
}

function endOf(child: ChildProcess): Promise<Collected> {
  const output: Buffer[] = [];
  let bytes = 0;
  let complaint = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_OUTPUT_BYTES) output.push(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-MAX_COMPLAINT_BYTES);
  });
  return new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({ kind: 'failed', detail: `prun collect could not be started (${messageOf(error)})` }),
    );
    const settle = () => resolve(resultOf(child, output, bytes, complaint));
    child.once('exit', () => void sleep(OUTPUT_MS).then(settle));
    child.once('close', settle);
  });
}

function resultOf(child: ChildProcess, output: Buffer[], bytes: number, complaint: string): Collected {
  if (child.exitCode !== 0) {
    const how = child.signalCode ? `was ended by ${child.signalCode}` : `exited with ${child.exitCode}`;
    return { kind: 'failed', detail: lastLine(complaint) || `prun collect ${how} and said nothing` };
  }
  if (bytes > MAX_OUTPUT_BYTES) return { kind: 'failed', detail: 'prun collect printed too much' };
  return { kind: 'printed', text: Buffer.concat(output).toString('utf8') };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 400) ?? '';
}
