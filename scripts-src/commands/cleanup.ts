import path from 'node:path';
import { pathFromJson, shownPath } from '../platform/byte-path.ts';
import { diskUse } from '../platform/disk-use.ts';
import { EXIT, messageOf, usageError } from '../platform/errors.ts';
import { readFlags } from '../platform/read-flags.ts';
import { bytesText } from '../render/figures.ts';
import { removeSet, removeWorkspace } from '../workspace/clone/remove-workspace.ts';
import { collectDelta } from '../workspace/delta/collect.ts';
import type { Included } from '../workspace/delta/take-workspace.ts';
import type { DeltaRecord } from '../workspace/records.ts';
import { presenceOf, readDelta, type WorkspaceSet } from '../workspace/workspace-set.ts';
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
const NEVER_COLLECTED = 'no delta of it was ever collected';

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
  let kept = results.some(({ removed }) => !removed);
  if (everything && !kept && targets.set) kept = !finishSet(targets.set, json);
  if (json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  return kept ? EXIT.unitFailed : EXIT.ok;
}

async function removeOne({ set, workspace }: WorkspaceTarget, force: boolean): Promise<Removed> {
  const { unit, folder } = workspace;
  const patch = readDelta(set, unit)?.patch.path ?? null;
  const end = (removed: boolean, notes: string[], bytes = 0): Removed => ({
    unit,
    folder,
    removed,
    notes,
    bytes,
    patch,
  });
  try {
    const presence = presenceOf(set, workspace);
    if (presence === 'gone') return end(true, [GONE, ...(patch === null ? [NEVER_COLLECTED] : [])]);
    if (presence === 'elsewhere') {
      return end(false, [
        'the way to it leads out of the run by a symlink: nothing is removed there, look at it',
      ]);
    }
    if (presence === 'replaced' && !force) {
      return end(false, [
        'it is no folder any more: look at what stands there; --force removes that name alone',
      ]);
    }
    if (presence === 'there') {
      const reason = await whyKept(set, workspace, force);
      if (reason !== undefined)
        return { ...end(false, [reason]), patch: readDelta(set, unit)?.patch.path ?? null };
    }
    // A figure for people: paths that are too long for the system are no reason to stop.
    const { bytes } = await diskUse(folder).catch(() => ({ bytes: 0 }));
    const notes = await removeWorkspace(set, workspace);
    return { ...end(true, notes, bytes), patch: readDelta(set, unit)?.patch.path ?? null };
  } catch (error) {
    // One that cannot be removed is no reason to leave the others: what is archived stays so, and the next call goes on.
    return end(false, [`it cannot be removed (${messageOf(error)}): put that right and run cleanup again`]);
  }
}

/** Archives the delta; why the workspace is to stay, or undefined. */
async function whyKept(
  set: WorkspaceSet,
  workspace: WorkspaceTarget['workspace'],
  force: boolean,
): Promise<string | undefined> {
  const attempt = await runningAttempt(set, workspace.unit);
  if (attempt !== undefined) return `a unit runs in it (state dir ${attempt}): wait for it, or stop it first`;
  const archived = await archive(set, workspace, force);
  if (typeof archived === 'string') return archived;
  const [lost] = (archived?.problems ?? []).filter((problem) => problem.lost);
  if (!lost || force) return undefined;
  return `${shownPath(pathFromJson(lost.path))} ${lost.what}: save it, then use --force`;
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
    if (force) return undefined;
    return `its delta cannot be taken (${messageOf(error)}): with --force it goes all the same`;
  }
}

/** With `everything` the patches go too, and are not worth a line. */
function lines({ unit, folder, removed, notes, bytes, patch }: Removed, everything: boolean): string[] {
  const head = removed ? `REMOVED ${unit} ${bytesText(bytes)} ${folder}` : `KEPT ${unit} ${folder}`;
  const kept = patch === null || everything ? [] : [`PATCH ${patch}`];
  return [head, ...kept, ...notes.map((note) => `NOTE ${unit} ${note}`)];
}

/** False where something is left among the clones. */
function finishSet(set: WorkspaceSet, json: boolean): boolean {
  const left = removeSet(set);
  const name = path.basename(set.folder);
  if (!json) {
    const names = `${left.slice(0, 5).join(', ')}${left.length > 5 ? ' and others' : ''}`;
    process.stdout.write(
      left.length === 0
        ? `REMOVED run ${name} ${set.folder}\n`
        : `KEPT run ${name}: it still has clones: ${names}\n`,
    );
  }
  return left.length === 0;
}
