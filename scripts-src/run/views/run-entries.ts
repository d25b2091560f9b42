import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { errnoOf, messageOf, PrunError, usageError } from '../../platform/errors.ts';
import { entriesOf } from '../../platform/files.ts';
import { readSet, setsFolder } from '../../workspace/workspace-set.ts';
import { RUN_FILES, readRun, runsFolder } from '../run-folder.ts';
import { type RunView, viewRun } from '../run-view.ts';
import { overlayOutcomes } from './outcome-overlay.ts';

/** Something in a state home that takes space. */
export interface RunEntry {
  name: string;
  /**
   * `clones`: workspaces that `prun clone` made without a run. `broken`: a folder that is no run (any more). `copied`: a run
   * that was made under another name or place, and is only read.
   */
  kind: 'run' | 'clones' | 'broken' | 'copied';
  /** Wall time, ISO 8601, by the record or by the folder. */
  createdAt: string;
  /** Why it is broken, or where it was copied from, one line; empty otherwise. */
  why: string;
  /** Absolute: the run's folder and its workspaces. The first is what it is known by. */
  folders: string[];
  /** Only of a run, also a copied one. Read when it is asked for. */
  view(): RunView | undefined;
}

/** A draft is filled within moments: an older one was left by a process that died. */
const DRAFT_MS = 60_000;

/**
 * All runs of a state home, sets of clones without a run, and what is neither; newest first. Throws a usage error where the
 * folder of the runs cannot be read.
 */
export function runEntries(stateHome: string, nowEpochMs: number): RunEntry[] {
  const runs = runFoldersIn(stateHome);
  const names = new Set(runs.map(({ name }) => name));
  const entries = runs.flatMap(({ name }) => entryOf(stateHome, name, nowEpochMs) ?? []);
  for (const { name } of entriesOf(setsFolder(stateHome))) {
    const folder = path.join(setsFolder(stateHome), name);
    const set = names.has(name) || name.startsWith('.') ? undefined : readableSet(folder);
    if (set === undefined) continue;
    entries.push({ ...NO_RUN, name, kind: 'clones', createdAt: set.createdAt, folders: [folder] });
  }
  return entries.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** Throws a usage error where nobody may look: that there are no runs would be a lie. */
function runFoldersIn(stateHome: string): Dirent[] {
  const folder = runsFolder(stateHome);
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw usageError(
      `${folder} cannot be read (${messageOf(error)})`,
      'give another --state-home, or its rights',
    );
  }
}

const NO_RUN = { why: '', view: () => undefined };

function entryOf(stateHome: string, name: string, nowEpochMs: number): RunEntry | undefined {
  const folder = path.join(runsFolder(stateHome), name);
  const madeMs = madeAt(folder);
  if (name.startsWith('.')) {
    if (nowEpochMs - madeMs < DRAFT_MS) return undefined;
    return broken(name, folder, madeMs, 'it was never finished: its maker died');
  }
  try {
    const run = readRun(folder, stateHome);
    if (!run) {
      const file = path.join(folder, RUN_FILES.record);
      return broken(
        name,
        folder,
        madeMs,
        `${RUN_FILES.record} ${existsSync(file) ? 'cannot be read' : 'is missing'}`,
      );
    }
    const { isHome, record } = run;
    return {
      name,
      kind: isHome ? 'run' : 'copied',
      why: isHome ? '' : `it was made as ${record.folder}: a copy, or moved; it is only read`,
      createdAt: record.createdAt,
      // The workspaces are those of the run that it was copied from.
      folders: [folder, ...(isHome ? [path.join(setsFolder(stateHome), record.id)] : [])],
      view() {
        const view = viewRun(run);
        overlayOutcomes(view);
        return view;
      },
    };
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    return broken(name, folder, madeMs, error.message);
  }
}

function broken(name: string, folder: string, madeMs: number, why: string): RunEntry {
  return {
    ...NO_RUN,
    name,
    kind: 'broken',
    createdAt: new Date(madeMs).toISOString(),
    why,
    folders: [folder],
  };
}

function madeAt(folder: string): number {
  try {
    return statSync(folder).mtimeMs;
  } catch {
    // It has just gone.
    return 0;
  }
}

function readableSet(folder: string): { createdAt: string } | undefined {
  try {
    return readSet(folder)?.record;
  } catch (error) {
    // By a newer prun: its clones are that one's.
    if (error instanceof PrunError) return { createdAt: new Date(madeAt(folder)).toISOString() };
    throw error;
  }
}
