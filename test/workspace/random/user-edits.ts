import { createHash } from 'node:crypto';
import type { TreeEntry, TreeImage } from '../../helpers/tree-image.ts';
import type { Random } from '../../torture/random.ts';
import { textOf } from './contents.ts';
import { diskAt } from './disk.ts';
import { isWithin } from './visible-files.ts';

/** What the user went on to do in a copy, away from what the worker did. */
export interface UserEdits {
  /** Files that only the user changed. */
  untouched: Set<string>;
  /** Files that both changed, far apart: what they must become. */
  merged: Map<string, TreeEntry>;
}

/** Edits files that the worker left alone, and the ends of long files whose beginnings it changed. */
export function editElsewhere(copy: string, base: TreeImage, worker: TreeImage, random: Random): UserEdits {
  const disk = diskAt(copy);
  const untouched = new Set<string>();
  const merged = new Map<string, TreeEntry>();
  const isSame = (where: string) => {
    const [old, now] = [base.get(where), worker.get(where)];
    return now !== undefined && old?.hash === now.hash && old.mode === now.mode && old.target === now.target;
  };
  const same = random.shuffled(
    [...base.keys()].filter((where) => isSame(where) && base.get(where)?.type === 'file'),
  );
  const [appended, gone, ...more] = same;
  if (appended !== undefined) {
    disk.write(appended, Buffer.concat([disk.read(appended), textOf(random, 2)]));
    untouched.add(appended);
  }
  if (gone !== undefined && random.below(2) === 0) {
    disk.remove(gone);
    untouched.add(gone);
  }
  for (const where of more.slice(0, 2)) {
    disk.write(where, textOf(random, 5));
    untouched.add(where);
  }
  if (![...worker.keys()].some((where) => isWithin(where, 'the user goes on'))) {
    disk.write('the user goes on/new.txt', textOf(random, 3));
  }
  for (const [where, entry] of worker) {
    if (isSame(where) || entry.type !== 'file' || base.get(where)?.type !== 'file') continue;
    const both = mergeAtEnd(disk.read(where), entry);
    if (!both) continue;
    const mode = base.get(where)?.mode ? 0o755 : 0o644;
    disk.write(where, both.user, mode);
    merged.set(where, { ...entry, ...both.wanted });
  }
  return { untouched, merged };
}

/** The worker's contents by hash, so that an image need not hold them. */
const contents = new Map<string, Buffer>();

/** Remembers the contents of a worker's changed files. */
export function rememberContents(root: string, worker: TreeImage, base: TreeImage): void {
  const disk = diskAt(root);
  for (const [where, { type, hash, size }] of worker) {
    if (type === 'file' && size < 50_000 && base.get(where)?.hash !== hash)
      contents.set(hash, disk.read(where));
  }
}

/** The user's version with another last line, and what both edits make; undefined where they could meet. */
function mergeAtEnd(
  old: Buffer,
  worker: TreeEntry,
): { user: Buffer; wanted: Pick<TreeEntry, 'size' | 'hash'> } | undefined {
  const now = contents.get(worker.hash);
  if (!now || old.includes(0) || now.includes(0) || !old.toString('latin1').endsWith('\n')) return undefined;
  const [lines, theirs] = [old.toString('latin1').split('\n'), now.toString('latin1').split('\n')];
  const far = 11;
  if (lines.length <= 20 || theirs.length < far) return undefined;
  const isFar = lines.slice(-far).join('\n') === theirs.slice(-far).join('\n');
  if (!isFar || new Set(lines).size !== lines.length) return undefined;
  const edited = (text: string[]) => {
    const last = text.at(-2) ?? '';
    const line = last.endsWith('\r') ? `${last.slice(0, -1)} and the user\r` : `${last} and the user`;
    return Buffer.from([...text.slice(0, -2), line, ''].join('\n'), 'latin1');
  };
  const both = edited(theirs);
  return {
    user: edited(lines),
    wanted: { size: both.length, hash: createHash('sha256').update(both).digest('hex') },
  };
}
