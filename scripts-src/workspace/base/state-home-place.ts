import { realpathSync } from 'node:fs';
import path from 'node:path';
import { bytePathOf, shownPath } from '../../platform/byte-path.ts';
import { usageError } from '../../platform/errors.ts';
import { runGit } from '../../platform/git.ts';
import { liesIn } from '../delta/take-files.ts';
import { OWN_FOLDERS } from './snapshot-source.ts';
import { type SourceRepository, sourcePlace } from './source-repo.ts';
import { refuseWaitingRules } from './waiting-rules.ts';

/**
 * Refuses a state home among the files of the repository: prun's own state would be part of the base and of every work.
 * Where git ignores it, or in the folder that a coordinator keeps there, it is no part of them.
 */
export async function refuseStateAmongFiles(source: SourceRepository, stateHome: string): Promise<void> {
  const where = path.relative(source.workTree, realPlace(stateHome));
  if (where === '..' || where.startsWith(`..${path.sep}`) || path.isAbsolute(where)) return;
  const names = where === '' ? [] : where.split(path.sep);
  if (names[0]?.toLowerCase() === '.git') return;
  const folder = bytePathOf(names.join('/'));
  if (liesIn(OWN_FOLDERS, folder)) return;
  // A rule for a folder holds for what is in it, also before the folder is there.
  const inside = [...names, 'workspaces'].join('/');
  refuseWaitingRules(source.workTree, [bytePathOf(inside)]);
  // `./`: a name that begins with a colon would be a pattern.
  const asked = ['check-ignore', '--quiet', '--', `./${inside}`];
  const { code } = await runGit(sourcePlace(source), asked, { answers: [0, 1, 128] });
  if (code === 0) return;
  throw usageError(
    `the state home ${stateHome} lies in the working tree of ${source.workTree}, and git does not ignore it: prun's own files would be part of every base`,
    names.length === 0
      ? 'give a folder elsewhere with --state-home or PRUN_STATE_HOME'
      : `give a folder elsewhere with --state-home or PRUN_STATE_HOME, or add /${shownPath(folder)}/ to ${path.join(source.commonDir, 'info', 'exclude')}`,
  );
}

/** A path with the links on its way resolved, as far as it is there. */
export function realPlace(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    // Not there yet: what is above it is.
    const above = path.dirname(place);
    return above === place ? place : path.join(realPlace(above), path.basename(place));
  }
}
