import { closeSync, constants, openSync, readSync } from 'node:fs';
import { type BytePath, fileAt } from '../../platform/byte-path.ts';
import { type GitPlace, gitBytes } from '../../platform/git.ts';

/** The files of a base in figures, and those whose content is elsewhere. */
export interface BaseFiles {
  count: number;
  /** Sum of their sizes. */
  bytes: number;
  /** Files that Git LFS keeps elsewhere and that nobody has fetched: on disk they are pointers. */
  pointers: BytePath[];
}

const LFS_POINTER = 'version https://git-lfs.github.com/spec/';
/** A pointer is a few short lines (git-lfs specification). */
const POINTER_BYTES = { from: 100, to: 1024 };

/** Counts the files of a base's tree. Blobs that a partial clone lacks count as nothing. */
export async function countBaseFiles(store: GitPlace, workTree: string, tree: string): Promise<BaseFiles> {
  const output = await gitBytes(store, ['ls-tree', '-r', '-l', '-z', '--full-tree', tree]);
  const entries = output.toString('latin1').split('\0').filter(Boolean).map(parseLine);
  const usesAttributes = entries.some(({ path }) => /(?:^|\/)\.gitattributes$/.test(path));
  const found: BaseFiles = { count: entries.length, bytes: 0, pointers: [] };
  for (const { path, mode, size } of entries) {
    found.bytes += size;
    const mayBe =
      usesAttributes && mode.startsWith('100') && size >= POINTER_BYTES.from && size <= POINTER_BYTES.to;
    if (mayBe && startOf(workTree, path) === LFS_POINTER) found.pointers.push(path);
  }
  return found;
}

/** `<mode> blob <id> <size>\t<path>`; a blob that is missing has no number. */
function parseLine(line: string): { path: BytePath; mode: string; size: number } {
  const tab = line.indexOf('\t');
  const [mode = '', , , size = ''] = line.slice(0, tab).split(/ +/);
  return { mode, size: Number(size) || 0, path: line.slice(tab + 1) as BytePath };
}

/** Sizes of blobs in bytes by their ids; what is missing is left out. */
export async function blobSizes(store: GitPlace, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const output = await gitBytes(store, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    input: `${[...new Set(ids)].join('\n')}\n`,
  });
  const lines = output.toString('utf8').trim().split('\n');
  return new Map(
    lines.flatMap((line): [string, number][] => {
      const [id = '', size = ''] = line.split(' ');
      return size === 'missing' ? [] : [[id, Number(size)]];
    }),
  );
}

function startOf(root: string, where: BytePath): string {
  try {
    const fd = openSync(fileAt(root, where), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const buffer = Buffer.alloc(LFS_POINTER.length);
      return buffer.toString('latin1', 0, readSync(fd, buffer));
    } finally {
      closeSync(fd);
    }
  } catch {
    // Gone since the snapshot, or a link to nowhere: no pointer to speak of.
    return '';
  }
}
