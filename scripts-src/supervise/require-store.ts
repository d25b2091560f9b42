import { existsSync } from 'node:fs';
import path from 'node:path';
import { type KeptFolder, storeTrouble } from '../executor/pnpm-store.ts';
import { PrunError } from '../platform/errors.ts';
import { workspaceOf } from '../workspace/workspace-of.ts';
import type { DispatchRequest } from './running-unit.ts';

/** Throws PrunError (exit 2) where a store of pnpm cannot be granted to the worker that is about to be started. */
export async function requireStore(
  {
    program,
    workdir,
    stateHome,
    command,
  }: Pick<DispatchRequest, 'program' | 'workdir' | 'stateHome' | 'command'>,
  store: string,
): Promise<void> {
  // That it is missing is said by its attempt.
  if (program.kind !== 'found') return;
  const { sandbox, environment, passEnv } = command;
  const workspace = workdir ?? stateHome;
  const kept = workdir === undefined ? [] : keptFolders(workdir);
  const trouble = await storeTrouble({
    ...{ store, workspace, kept, sandbox, environment, passEnv },
    config: command.options?.config ?? [],
    program: program.path,
  });
  if (trouble === undefined) return;
  throw new PrunError(
    'E_PNPM_STORE',
    trouble,
    'nothing was started; references/executors.md says what is checked',
  );
}

/** The repository that a work dir lies in, and where it is a workspace, the others beside it and the user's repository. */
function keptFolders(workdir: string): KeptFolder[] {
  const place = workspaceOf(workdir);
  const folders = place?.source ? [path.dirname(place.source.commonDir)] : [];
  for (let folder = path.resolve(workdir); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) folders.push(folder);
    if (folder === path.dirname(folder)) break;
  }
  return [
    ...(place ? [{ path: place.set, what: 'the workspaces of the run' }] : []),
    ...folders.map((folder) => ({ path: folder, what: 'the repository' })),
  ];
}
