import { existsSync } from 'node:fs';
import path from 'node:path';
import { type PrunError, usageError } from '../platform/errors.ts';
import { stateHome as usualStateHome } from '../platform/state-home.ts';
import { commandTextFor, quotedWord } from '../run/command-text.ts';
import { keptPatch } from '../run/kept-patches.ts';
import type { RunView } from '../run/run-view.ts';

const MAX_PATCHES = 5;

/** What is said where a run has no folder of workspaces: it never had one, or its patches are what is left. */
export function workspacesGone({ run, units }: RunView, wanted: readonly string[]): PrunError {
  const { id } = run.record;
  const patches = wanted.map((unit) => keptPatch(run, unit)).filter((file) => existsSync(file));
  if (patches.length > 0) {
    const names = patches.slice(0, MAX_PATCHES).map(quotedWord).join(' ');
    const more = patches.length > MAX_PATCHES ? ' and the others there' : '';
    return usageError(
      `the workspaces of run ${id} have gone (prun cleanup): the patches of its deltas are in ${path.dirname(keptPatch(run, 'any'))}`,
      `prun apply ${names}${more} --to TREE --check says whether they fit, and without --check puts them in by their text`,
    );
  }
  const isWithout = [...units.values()].every(
    ({ spec: { mode } }) => mode === 'scratch' || mode === 'inplace',
  );
  if (isWithout) {
    return usageError(
      `no unit of run ${id} has a workspace, so there are no deltas`,
      'its results are what it left: prun status names them',
    );
  }
  const status = commandTextFor(run, usualStateHome(process.env))('status');
  return usageError(
    `run ${id} has no workspaces, and no patches of ${wanted.length > 0 ? wanted.slice(0, MAX_PATCHES).join(', ') : 'good units'} were kept`,
    `see ${status}`,
  );
}
