import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { EXIT, lineOf, plainError } from '../platform/errors.ts';
import { entriesOf } from '../platform/files.ts';
import { removeTree } from '../platform/remove-tree.ts';
import { stateHome } from '../platform/state-home.ts';
import { bytesText } from '../render/figures.ts';
import { commandTextFor } from '../run/command-text.ts';
import { REMOVED } from '../run/remove-run.ts';
import { listRuns, RUN_FILES, type Run, runFile, runsFolder } from '../run/run-folder.ts';
import { removeSet } from '../workspace/clone/remove-workspace.ts';
import {
  readSet,
  readWorkspace,
  setsFolder,
  unitFolder,
  unitsOf,
  type WorkspaceSet,
} from '../workspace/workspace-set.ts';
import type { CleanupArguments } from './cleanup-arguments.ts';
import { isAnythingKept } from './cleanup-parts.ts';
import { cleanRun } from './cleanup-run.ts';
import { removeOne } from './cleanup-workspaces.ts';
import { refuseOperands, stateHomeFrom } from './clone-arguments.ts';
import { fewLines } from './few-lines.ts';

/** What became of one run, or of one set of clones without a run. */
interface AgedCleanup {
  run: string;
  days: number;
  /** Whether nothing that was to go is left. */
  removed: boolean;
  workspaces: number;
  bytes: number;
  /** How much went beside its workspaces: store, integration worktree, folder. */
  parts: number;
  /** Why something stays, one line. */
  note: string | null;
}

const DAY_MS = 86_400_000;

/** `prun cleanup --older-than AGE`: all runs and sets of clones in which nothing has happened for so long. */
export async function cleanupByAge(request: CleanupArguments, olderThanMs: number): Promise<number> {
  refuseOperands(request.flags, 'cleanup');
  const home = stateHomeFrom(request.flags, process.env, process.cwd());
  sweepRemoved(home);
  const runs = listRuns(home);
  const results: AgedCleanup[] = [];
  for (const run of runs) {
    const age = Date.now() - lastTouched(run);
    if (run.isHome && age >= olderThanMs) results.push(await cleanAgedRun(run, age, request));
  }
  const names = new Set(runs.map(({ record }) => record.id));
  for (const set of setsWithoutRun(home, names)) {
    const age = Date.now() - lastUsed(set);
    if (age >= olderThanMs) results.push(await cleanAgedSet(set, age, request));
  }
  // What an earlier cleanup has freed is no news.
  const news = results.filter(({ removed, workspaces, parts }) => !removed || workspaces + parts > 0);
  process.stdout.write(request.json ? `${JSON.stringify(news, null, 2)}\n` : report(news));
  return results.some(({ removed }) => !removed) ? EXIT.unitFailed : EXIT.ok;
}

async function cleanAgedRun(run: Run, age: number, request: CleanupArguments): Promise<AgedCleanup> {
  const head = { run: run.record.id, days: Math.floor(age / DAY_MS) };
  const command = commandTextFor(run, stateHome(process.env));
  try {
    const done = await cleanRun({ run, command }, { ...request, units: [] });
    const kept = [...done.units, ...done.parts].find(({ removed }) => !removed);
    return {
      ...head,
      removed: !isAnythingKept(done),
      workspaces: done.units.filter(({ removed }) => removed).length,
      bytes: done.units.reduce((sum, { bytes }) => sum + bytes, 0),
      parts: done.parts.filter(({ removed }) => removed).length,
      note: kept ? `${'unit' in kept ? kept.unit : kept.part}: ${kept.notes[0] ?? 'left alone'}` : null,
    };
  } catch (thrown) {
    // One that cannot be cleaned is no reason to leave the others.
    const error = plainError(thrown);
    if (error === undefined) throw thrown;
    return { ...head, removed: false, workspaces: 0, bytes: 0, parts: 0, note: lineOf(error) };
  }
}

async function cleanAgedSet(set: WorkspaceSet, age: number, request: CleanupArguments): Promise<AgedCleanup> {
  const done = {
    run: set.record.id,
    days: Math.floor(age / DAY_MS),
    removed: true,
    workspaces: 0,
    bytes: 0,
    parts: 0,
  };
  let note: string | null = null;
  for (const unit of unitsOf(set)) {
    const workspace = readWorkspace(set, unit);
    if (!workspace) continue;
    const { removed, notes, bytes } = await removeOne({ set, workspace }, request.force);
    done.bytes += bytes;
    if (removed) done.workspaces += bytes > 0 ? 1 : 0;
    else note ??= `${unit}: ${notes[0] ?? 'left alone'}`;
  }
  if (note === null && request.all) {
    const left = removeSet(set);
    if (left.length > 0) note = `it still has clones: ${left.slice(0, 5).join(', ')}`;
    else done.parts = 1;
  }
  return { ...done, removed: note === null, note };
}

/** Last time at which anything was added, started or ended in a run, ms since 1970. */
export function lastTouched(run: Run): number {
  const times = (Object.keys(RUN_FILES) as (keyof typeof RUN_FILES)[]).map((name) =>
    mtimeOf(runFile(run, name)),
  );
  return Math.max(Date.parse(run.record.createdAt), ...times);
}

/** The same of a set: a unit was added, worked in, or collected. */
export function lastUsed(set: WorkspaceSet): number {
  const times = unitsOf(set).map((unit) => mtimeOf(unitFolder(set, unit)));
  return Math.max(Date.parse(set.record.createdAt), ...times);
}

function mtimeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Sets of clones that `prun clone` made without a run. `runs`: names of all runs. */
export function setsWithoutRun(home: string, runs: ReadonlySet<string>): WorkspaceSet[] {
  const folder = setsFolder(home);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && !runs.has(name))
    .flatMap((name) => readSet(path.join(folder, name)) ?? []);
}

/** What a removal that was killed has left has no name of a run any more. */
function sweepRemoved(home: string): void {
  for (const entry of entriesOf(runsFolder(home))) {
    if (entry.isDirectory() && entry.name.startsWith('.') && entry.name.endsWith(REMOVED)) {
      removeTree(path.join(runsFolder(home), entry.name));
    }
  }
}

function report(results: readonly AgedCleanup[]): string {
  const kept = results.filter(({ removed }) => !removed);
  const gone = results.filter(({ removed }) => removed);
  const line = ({ run, days, workspaces, bytes, note, removed }: AgedCleanup): string =>
    `${removed ? 'CLEANED' : 'KEPT'} ${run} age=${days}d removed=${workspaces} freed=${bytesText(bytes).replace(' ', '')}${note === null ? '' : ` ${note}`}`;
  return fewLines(
    [`CLEANUP runs=${results.length} kept=${kept.length}`],
    [...kept, ...gone].map(line),
    [],
    'prun cleanup --older-than AGE --json',
  );
}
