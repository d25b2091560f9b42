import path from 'node:path';
import { EXIT } from '../platform/errors.ts';
import { provideSet } from '../workspace/create-set.ts';
import { makeWorkspaces } from '../workspace/make-workspaces.ts';
import { SET_FILES } from '../workspace/workspace-set.ts';
import { CLONE_HELP, parseClone } from './clone-arguments.ts';

/** `prun clone`: workspaces for units, from one frozen base. */
export async function clone(argv: readonly string[]): Promise<number> {
  const request = parseClone(argv, process.env, process.cwd());
  if (!request) {
    process.stdout.write(CLONE_HELP);
    return EXIT.ok;
  }
  const set = await provideSet(request.stateHome, request.repository, request.run);
  const workspaces = await makeWorkspaces(set, {
    units: request.units,
    mode: request.worktree ? 'worktree' : 'clone',
    claimPorts: async () => null,
    onMade: ({ folder }) => {
      if (!request.json) process.stdout.write(`CLONE ${folder}\n`);
    },
  });
  if (request.json) {
    const { base, id } = set.record;
    const note = path.join(set.folder, SET_FILES.note);
    process.stdout.write(
      `${JSON.stringify({ run: id, folder: set.folder, note, base, workspaces }, null, 2)}\n`,
    );
  }
  return EXIT.ok;
}
