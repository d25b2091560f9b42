import path from 'node:path';
import { EXIT } from '../platform/errors.ts';
import { lastValue } from '../platform/read-flags.ts';
import { readRun, runsFolder } from '../run/run-folder.ts';
import { removeSet } from '../workspace/clone/remove-workspace.ts';
import type { WorkspaceSet } from '../workspace/workspace-set.ts';
import { CLEANUP_HELP, type CleanupArguments, parseCleanup } from './cleanup-arguments.ts';
import { GONE, type Removed, removedLines, removeOne } from './cleanup-workspaces.ts';
import { stateHomeFrom } from './clone-arguments.ts';
import { targetsFrom } from './workspace-targets.ts';

/** `prun cleanup`: clones go when their deltas are archived (promise P6), and what a run has made. */
export async function cleanup(argv: readonly string[]): Promise<number> {
  const request = parseCleanup(argv);
  if (!request) {
    process.stdout.write(CLEANUP_HELP);
    return EXIT.ok;
  }
  if (request.olderThanMs !== undefined) {
    return (await import('./cleanup-age.ts')).cleanupByAge(request, request.olderThanMs);
  }
  if (isOfRun(request)) return (await import('./cleanup-run.ts')).cleanupNamedRun(request);
  return cleanupClones(request);
}

/** Whether the name is that of a run, and not only of a set of clones. */
function isOfRun({ flags }: CleanupArguments): boolean {
  const id = lastValue(flags, '--run');
  if (id === undefined || flags.operands.length > 0) return false;
  const stateHome = stateHomeFrom(flags, process.env, process.cwd());
  return readRun(path.join(runsFolder(stateHome), id), stateHome) !== undefined;
}

async function cleanupClones({ flags, force, all, json }: CleanupArguments): Promise<number> {
  const targets = targetsFrom(flags, { mayBeEmpty: all });
  const results: Removed[] = [];
  for (const target of targets.workspaces) {
    const result = await removeOne(target, force);
    results.push(result);
    const isNews = !all || !result.notes.includes(GONE);
    if (!json && isNews) process.stdout.write(`${removedLines(result, all).join('\n')}\n`);
  }
  let kept = results.some(({ removed }) => !removed);
  if (all && !kept && targets.set) kept = !finishSet(targets.set, json);
  if (json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  return kept ? EXIT.unitFailed : EXIT.ok;
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
