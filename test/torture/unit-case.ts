import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';
import { writeCodexBin } from '../helpers/codex-bin.ts';
import { processesOf, readProcess, type Seen } from '../helpers/process-table.ts';
import {
  type Dispatched,
  type DispatchOptions,
  dispatchTask,
  program,
  SCRIPTS,
  scratch,
} from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { stopAsTheHostDoes } from './faults.ts';
import { type Tree, treeFile } from './trees.ts';

/** The ways in which a unit comes to its end. */
export const ENDS = ['stall', 'timeout', 'TERM', 'INT', 'KILL', 'normal'] as const;
/** `host`: as the host stops a task, TERM to everything that is found by parent, and KILL after 1.4 s. */
export type End = (typeof ENDS)[number] | 'host';

/** What every case must end in. */
const EXPECTED: Record<End, { status: string; reason: string; exit: number; by: string }> = {
  stall: { status: 'failed', reason: 'idle-stall', exit: 124, by: 'dispatch-task' },
  timeout: { status: 'failed', reason: 'hard-timeout', exit: 124, by: 'dispatch-task' },
  TERM: { status: 'interrupted', reason: 'signal', exit: 143, by: 'dispatch-task' },
  INT: { status: 'interrupted', reason: 'signal', exit: 130, by: 'dispatch-task' },
  host: { status: 'interrupted', reason: 'signal', exit: 143, by: 'dispatch-task' },
  KILL: { status: 'interrupted', reason: 'dispatch-dead', exit: 137, by: 'guardian' },
  normal: { status: 'succeeded', reason: 'ok', exit: 0, by: 'dispatch-task' },
};

/** One unit with one tree below it that ends in one way. */
export interface UnitCase {
  tree: Tree;
  end: End;
  worker: 'plain' | 'codex';
  /** Whether the worker wrote its result before it hung. A worker that ends well always does. */
  hasText: boolean;
  uid?: number;
  /** With `--contain`. */
  contain?: boolean;
}

/** Where the compiled scripts are: PRUN_TORTURE_SCRIPTS, for a build that nobody replaces meanwhile. */
export function compiled(script: 'dispatch-task' | 'reap-watch'): string {
  return path.join(process.env.PRUN_TORTURE_SCRIPTS ?? SCRIPTS, `${script}.cjs`);
}

/** A place of a case, with the word that gives all its processes away. */
export interface Place {
  folder: string;
  /** A fifo that nobody writes to; its name ends in the word. */
  fifo: string;
  word: string;
  ready: string;
}

let words = 0;

/** Makes a case's folder and fifo; whatever is left of its processes goes when the test ends. */
export function makePlace(uid?: number): Place {
  const folder = scratch('prun torture');
  // Not below `folder`, which stands in the dispatcher's own command line.
  const fifos = mkdtempSync(path.join(os.tmpdir(), 'prun-fifo-'));
  const word = `w${process.pid}x${++words}x${Math.random().toString(36).slice(2, 8)}`;
  const fifo = path.join(fifos, word);
  execFileSync('mkfifo', ['-m', '666', fifo]);
  chmodSync(fifos, 0o777);
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${uid}`, folder]);
  onTestFinished(async () => {
    rmSync(fifos, { recursive: true, force: true });
    await endAll(word);
  });
  return { folder, fifo, word, ready: `${fifo}.ready` };
}

/** Ends what a failed case left, by its word. */
async function endAll(word: string): Promise<void> {
  await waitFor(`the processes of ${word} to be gone`, () => {
    const left = processesOf({ word });
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone meanwhile.
      }
    }
    return left.length === 0;
  });
}

/** The lines of shell that build a tree and say that it stands. */
function treeLines(tree: Tree, place: Place): string {
  return `sh '${treeFile(tree)}' '${place.fifo}' </dev/null >/dev/null 2>&1; : >'${place.ready}'`;
}

/** A program that plays codex: builds the tree, perhaps writes its result, and hangs or ends. */
export function plainWorker(place: Place, tree: Tree, hasText: boolean, hangs: boolean): string {
  const lines = ['echo "building the tree"'];
  if (hasText) lines.push(`printf '# unit result\\nConclusion: written by the worker\\n' >"$RESULT"`);
  lines.push(treeLines(tree, place), hangs ? `exec cat '${place.fifo}'` : 'exit 0');
  return program(place.folder, 'worker', lines.join('\n'));
}

function codexWorker(place: Place, unit: UnitCase, port: number): string {
  const result = path.join(place.folder, 'result.md');
  const text = unit.hasText ? `printf '# unit result\\nConclusion: by codex\\n' >'${result}'; ` : '';
  const cmd = `${text}${treeLines(unit.tree, place)}`;
  const after = unit.end === 'normal' ? 'message' : 'hang';
  const bin = writeCodexBin(place.folder, { port, case: 'daemon', params: { cmd, after } });
  if (unit.uid !== undefined)
    execFileSync('chown', ['-R', `${unit.uid}:${unit.uid}`, path.join(place.folder, 'codex-home')]);
  return bin;
}

/** Somebody else's process, in a session of its own, with the same name as what the trees run. */
export interface Bystander {
  unharmed(): boolean;
}

/** Starts a stranger that has nothing to do with any unit. */
export function startBystander(place: Place, name: string): Bystander {
  const fifo = path.join(place.folder, `bystander-${name}`);
  execFileSync('mkfifo', ['-m', '666', fifo]);
  const child: ChildProcess = spawn('cat', [fifo], { detached: true, stdio: 'ignore' });
  const pid = child.pid ?? -1;
  const start = readProcess(pid)?.start;
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return {
    unharmed() {
      const now = readProcess(pid);
      return !ended && start !== undefined && now?.start === start && !'ZXT'.includes(now.state);
    },
  };
}

/** Every process of a tree that stands, or undefined while it is being built. */
export function standingTree(place: Place, tree: Tree): Seen[] | undefined {
  if (!existsSync(place.ready)) return undefined;
  const seen = processesOf({ word: place.word });
  return seen.length >= tree.processes ? seen : undefined;
}

/** Runs one case and checks everything that the promises say about it. */
export async function runUnitCase(unit: UnitCase, codexPort = 0): Promise<void> {
  const place = makePlace(unit.uid);
  const before = startBystander(place, 'before');
  const codexBin =
    unit.worker === 'codex'
      ? codexWorker(place, unit, codexPort)
      : plainWorker(place, unit.tree, unit.hasText, unit.end !== 'normal');
  const run = startDispatch(place, codexBin, {
    flags: limitFlags(unit),
    ...(unit.uid === undefined ? {} : { uid: unit.uid }),
  });
  await waitFor(
    `the tree ${unit.tree.name}; stderr: ${run.stderr()}`,
    () => standingTree(place, unit.tree) ?? hasEnded(run),
    30_000,
  );
  const after = startBystander(place, 'after');
  const signalledAt = performance.now();
  if (unit.end === 'TERM' || unit.end === 'INT' || unit.end === 'KILL') run.child.kill(`SIG${unit.end}`);
  const stopped = unit.end === 'host' ? stopAsTheHostDoes(run.child.pid ?? -1) : undefined;
  const { outcome, alive } = await run.outcome(30_000);
  const outcomeMs = Math.round(performance.now() - signalledAt);
  const exit = await run.exitCode;
  await stopped;
  // Nobody may come back either.
  const later = processesOf({ word: place.word });
  const strangers = [before, after].filter((bystander) => !bystander.unharmed()).length;
  record({ ...unit, tree: unit.tree.name, outcomeMs, survivors: alive.length + later.length, strangers });

  // A host that has waited for 1.4 s on a loaded machine kills, and the guardian says what the dispatcher wanted to.
  const wasCut = unit.end === 'host' && exit === 137;
  const expected = wasCut ? { ...EXPECTED.host, exit, by: 'guardian' } : EXPECTED[unit.end];
  const said = `${JSON.stringify(outcome)}\n${run.stderr()}`;
  expect(alive, said).toEqual([]);
  expect(later, said).toEqual([]);
  expect(strangers, said).toBe(0);
  expect(outcome.survivors).toEqual([]);
  expect({ status: outcome.status, reason: outcome.reason, exit, by: outcome.supervisor }, said).toEqual(
    expected,
  );
  expectResult(outcome, run.resultFile, unit.hasText ? ['worker'] : ['tail', 'last-message']);
  expectOneOutcome(await run.stateDir());
}

function hasEnded(run: Dispatched): boolean {
  return run.child.exitCode !== null;
}

/** Starts the compiled dispatch-task for a place. */
export function startDispatch(
  place: Place,
  codexBin: string,
  more: Partial<DispatchOptions> = {},
): Dispatched {
  return dispatchTask({
    folder: place.folder,
    codexBin,
    word: place.word,
    script: compiled('dispatch-task'),
    ...more,
  });
}

/** codex needs a while until it runs a command; the limits must leave it the time on a loaded machine. */
function limitFlags({ end, worker, contain }: Pick<UnitCase, 'end' | 'worker' | 'contain'>): string[] {
  if (contain) return ['--contain', ...limitFlags({ end, worker })];
  const seconds = worker === 'codex' ? '6' : '2';
  if (end === 'stall') return ['--stall-threshold', worker === 'codex' ? '5' : '1'];
  return end === 'timeout' ? ['--timeout', seconds] : [];
}

/** P3: a result with text in it, or the reason why there is none. */
export function expectResult(outcome: OutcomeRecord, resultFile: string, origins: string[]): void {
  if (outcome.result === null) {
    expect(outcome.resultError).toBeTruthy();
    return;
  }
  expect(origins).toContain(outcome.result.origin);
  const text = readFileSync(resultFile, 'utf8');
  expect(text.trim()).not.toBe('');
  expect(text.includes('result (FALLBACK, worker wrote no result file)')).toBe(
    outcome.result.origin !== 'worker',
  );
}

/** P1: one outcome, whole, and nothing that was meant to become another. */
export function expectOneOutcome(stateDir: string): void {
  const files = readdirSync(stateDir);
  expect(files.filter((file) => file.startsWith('outcome'))).toEqual(['outcome.json']);
}

/** Keeps the figures of a run: one line of JSON a case in PRUN_TORTURE_LOG. */
export function record(facts: Record<string, unknown>): void {
  const log = process.env.PRUN_TORTURE_LOG;
  if (log) appendFileSync(log, `${JSON.stringify(facts)}\n`);
}
