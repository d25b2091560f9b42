import { constants, copyFileSync, statSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from './errors.ts';
import { randomHex } from './random.ts';

/** Whether copies share their blocks with the original until one of them is written. */
export type Reflinks = 'yes' | 'no' | 'unknown';

/** What file systems and systems without reflinks answer. */
const CANNOT = ['ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EINVAL', 'ENOTTY', 'ENOSYS'];

const known = new Map<string, Reflinks>();

/**
 * Whether a file like `file` can be reflinked into `folder`: tried once for each pair of file systems, with a copy that
 * goes at once. `file` is a regular file that is not empty; unknown where it cannot be read or `folder` not be written.
 */
export function reflinksBetween(file: string | Buffer, folder: string): Reflinks {
  let pair: string;
  try {
    pair = `${statSync(file).dev}:${statSync(folder).dev}`;
  } catch {
    // Gone meanwhile: another file will tell.
    return 'unknown';
  }
  const before = known.get(pair);
  if (before !== undefined) return before;
  const answer = tryReflink(file, path.join(folder, `.prun-reflink-${process.pid}-${randomHex(8)}`));
  if (answer !== 'unknown') known.set(pair, answer);
  return answer;
}

function tryReflink(file: string | Buffer, probe: string): Reflinks {
  try {
    copyFileSync(file, probe, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
  } catch (error) {
    return CANNOT.includes(errnoOf(error) ?? '') ? 'no' : 'unknown';
  }
  unlinkSync(probe);
  return 'yes';
}
