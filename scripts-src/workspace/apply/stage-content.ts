import { chmodSync, chownSync, closeSync, openSync, readFileSync, symlinkSync, unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { errnoOf } from '../../platform/errors.ts';
import type { PathChange } from './change-journal.ts';
import { lookAt, type PathState, renameStamp } from './path-state.ts';
import type { ChangePlan, TreeFile, WantedPath } from './plan-change.ts';
import { type ChangePlace, newFile } from './staging-folder.ts';

/** Content that is to be written into an existing empty file. */
export interface ContentWish {
  /** Blob id of the content. */
  id: string;
  path: WantedPath['path'];
  /** The file that is wanted. */
  after: TreeFile;
  /** Absolute. */
  file: string;
}

/** Writes every content; throws when one cannot be had or does not have its id. */
export type FillContent = (wishes: readonly ContentWish[]) => Promise<void>;

/** fsyncs in flight at once: file systems join those that come together. */
const SYNCS_AT_ONCE = 16;

/**
 * Writes all new content below the staging folder, with its final bits and owner, on disk when it returns, and notes
 * in the plan's list what it made. A full disk shows here, before anything has changed.
 */
export async function stageContent(place: ChangePlace, plan: ChangePlan, fill: FillContent): Promise<void> {
  const wishes: ContentWish[] = [];
  plan.wanted.forEach(({ path, after }, n) => {
    if (after === null) return;
    const file = newFile(place, n);
    // The bits of a new file are those that the user's umask leaves.
    closeSync(openSync(file, 'wx', after.mode === '100755' ? 0o777 : 0o666));
    wishes.push({ id: after.id, path, after, file });
  });
  await fill(wishes);
  await syncFiles(wishes.map(({ file }) => file));
  plan.wanted.forEach(({ after }, n) => {
    const change = plan.list.changes[n];
    if (after === null || !change) return;
    const file = newFile(place, n);
    if (after.mode === '120000') becomeSymlink(file);
    else takeBitsAndOwner(file, after, change.before);
    noteStaged(change, file, after);
  });
}

function noteStaged(change: PathChange, file: string, after: TreeFile): void {
  const stat = lookAt(file);
  if (!stat) return;
  change.newStamp = renameStamp(stat);
  change.after = stat.isSymbolicLink()
    ? { kind: 'symlink', id: after.id }
    : {
        kind: 'file',
        id: after.id,
        perm: change.newStamp.perm,
        uid: Number(stat.uid),
        gid: Number(stat.gid),
      };
}

function becomeSymlink(file: string): void {
  const target = readFileSync(file);
  unlinkSync(file);
  symlinkSync(process.platform === 'win32' ? target.toString('utf8') : target, file);
}

function takeBitsAndOwner(file: string, after: TreeFile, before: PathState): void {
  if (process.platform === 'win32') return;
  if (after.exact) {
    giveTo(file, after.exact);
    chmodSync(file, after.exact.perm);
  } else if (before.kind === 'file') {
    giveTo(file, before);
    chmodSync(file, bitsFor(before.perm, after.mode));
  }
}

/** Bits of an existing file, with git's executable bit added (for whoever may read) or removed. Pure. */
export function bitsFor(perm: number, mode: string): number {
  const isExecutable = (perm & 0o100) !== 0;
  if (mode === '100755') return isExecutable ? perm : perm | 0o100 | ((perm & 0o444) >> 2);
  return isExecutable ? perm & ~0o111 : perm;
}

/** A file keeps its owner and group where this user may give it to them; git would not even try. */
function giveTo(file: string, owner: { uid: number; gid: number }): void {
  const stat = lookAt(file);
  if (!stat || (Number(stat.uid) === owner.uid && Number(stat.gid) === owner.gid)) return;
  try {
    chownSync(file, owner.uid, owner.gid);
  } catch (error) {
    // Only root may give files away; the group goes with the folder then, as with every new file.
    if (errnoOf(error) !== 'EPERM') throw error;
  }
}

/** Windows flushes only what is open for writing; a file that is not to be written is opened for reading. */
async function openToSync(file: string): ReturnType<typeof open> {
  try {
    return await open(file, 'r+');
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error;
    return open(file, 'r');
  }
}

/** Waits until the content of files is on disk. */
export async function syncFiles(files: readonly string[]): Promise<void> {
  const queue = [...files];
  const workers = Array.from({ length: Math.min(SYNCS_AT_ONCE, queue.length) }, async () => {
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      const handle = await openToSync(file);
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
  });
  await Promise.all(workers);
}
