import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathFromJson, shownPath } from '../platform/byte-path.ts';
import { diskUse } from '../platform/disk-use.ts';
import { EXIT, PrunError, usageError } from '../platform/errors.ts';
import { readFlags } from '../platform/read-flags.ts';
import { bytesText } from '../render/figures.ts';
import { removeSet, removeWorkspace } from '../workspace/clone/remove-workspace.ts';
import { collectDelta } from '../workspace/delta/collect.ts';
import type { Included } from '../workspace/delta/take-workspace.ts';
import type { DeltaRecord } from '../workspace/records.ts';
import { readDelta, type WorkspaceSet } from '../workspace/workspace-set.ts';
import { runningAttempt } from './running-attempt.ts';
import { targetsFrom, type WorkspaceTarget } from './workspace-targets.ts';

/** What `prun cleanup` prints for --help. */
export const CLEANUP_HELP = `usage: prun cleanup <clone>… [flags]
       prun cleanup --run NAME [--unit ID]… [flags]

Removes clones. First the delta of each is collected and archived: record, patch, and both trees in the run's store, so
that conflicts and apply still work. A clone is left alone while a unit runs in it, and where its delta cannot hold
everything (LOST lines of prun collect). Ignored files are not part of a delta: they go.

  --run NAME         all units of the run, or those that --unit names
  --unit ID          with --run (repeat it)
  --force            also where something is lost, or where the delta cannot be taken
  --everything       with --run: the records, patches and the store as well, when all its clones are gone
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             what was done as JSON

exit: 0 removed; 2 wrong arguments; 30 one was left alone
`;

const GONE = 'it was gone already';

interface Removed {
  unit: string;
  folder: string;
  removed: boolean;
  /** Why it was left alone, or what stays behind. */
  notes: string[];
  bytes: number;
  patch: string | null;
}

/** `prun cleanup`: clones go when their deltas are archived (promise P6). */
export async function cleanup(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, {
    values: ['--run', '--unit', '--state-home'],
    switches: ['--force', '--everything', '--json'],
  });
  if (flags.help) {
    process.stdout.write(CLEANUP_HELP);
    return EXIT.ok;
  }
  const everything = flags.switches.has('--everything');
  if (everything && !flags.values.has('--run'))
    throw usageError('--everything needs --run', 'name the run with --run');
  const targets = targetsFrom(flags, { mayBeEmpty: everything });
  const json = flags.switches.has('--json');
  const results: Removed[] = [];
  for (const target of targets.workspaces) {
    const result = await removeOne(target, flags.switches.has('--force'));
    results.push(result);
    const isNews = !everything || !result.notes.includes(GONE);
    if (!json && isNews) process.stdout.write(`${lines(result, everything).join('\n')}\n`);
  }
  const kept = results.some(({ removed }) => !removed);
  if (everything && !kept && targets.set) finishSet(targets.set, json);
  if (json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  return kept ? EXIT.unitFailed : EXIT.ok;
}

async function removeOne({ set, workspace }: WorkspaceTarget, force: boolean): Promise<Removed> {
  const { unit, folder } = workspace;
  const alone = (note: string, patch: string | null): Removed => ({
    unit,
    folder,
    removed: false,
    notes: [note],
    bytes: 0,
    patch,
  });
  const kept = readDelta(set, unit);
  if (!existsSync(folder)) {
    return {
      unit,
      folder,
      removed: true,
      notes: [GONE],
      bytes: 0,
      patch: kept?.patch.path ?? null,
    };
  }
  const attempt = await runningAttempt(set, unit);
  if (attempt !== undefined)
    return alone(`a unit runs in it (state dir ${attempt}): wait for it, or stop it first`, null);
  const archived = await archive(set, workspace, force);
  if (typeof archived === 'string') return alone(archived, kept?.patch.path ?? null);
  const [lost] = (archived?.problems ?? []).filter((problem) => problem.lost);
  if (lost && !force) {
    const note = `${shownPath(pathFromJson(lost.path))} ${lost.what}: save it, then use --force`;
    return alone(note, archived?.patch.path ?? null);
  }
  const { bytes } = await diskUse(folder);
  const notes = await removeWorkspace(set, workspace);
  return { unit, folder, removed: true, notes, bytes, patch: archived?.patch.path ?? null };
}

/** What somebody took in on purpose stays in. */
function includedBefore(set: WorkspaceSet, unit: string): Included {
  const included = readDelta(set, unit)?.included;
  return { everything: included?.everything ?? false, paths: (included?.paths ?? []).map(pathFromJson) };
}

/** The delta, or why there is none. With force a clone may go without one. */
async function archive(
  set: WorkspaceSet,
  workspace: WorkspaceTarget['workspace'],
  force: boolean,
): Promise<DeltaRecord | undefined | string> {
  try {
    return await collectDelta(set, workspace, { ignored: includedBefore(set, workspace.unit) });
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    return force
      ? undefined
      : `its delta cannot be taken (${error.message}): with --force it goes all the same`;
  }
}

/** With `everything` the patches go too, and are not worth a line. */
function lines({ unit, folder, removed, notes, bytes, patch }: Removed, everything: boolean): string[] {
  const head = removed ? `REMOVED ${unit} ${bytesText(bytes)} ${folder}` : `KEPT ${unit} ${folder}`;
  const kept = patch === null || everything ? [] : [`PATCH ${patch}`];
  return [head, ...kept, ...notes.map((note) => `NOTE ${unit} ${note}`)];
}

function finishSet(set: WorkspaceSet, json: boolean): void {
  const gone = removeSet(set);
  if (json) return;
  const name = path.basename(set.folder);
  process.stdout.write(
    gone ? `REMOVED run ${name} ${set.folder}\n` : `KEPT run ${name}: it still has clones\n`,
  );
}
