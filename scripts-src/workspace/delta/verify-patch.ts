import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync } from 'node:fs';
import path from 'node:path';
import { type PrunError, usageError } from '../../platform/errors.ts';
import { openForReading, readRange, sizeOf } from '../../platform/files.ts';
import { gitEnvironment } from '../../platform/git.ts';
import { PATCH_DIFF, type PatchHeader, readPatchHeader } from './patch-file.ts';

/** A header and what may stand between it and the first change, bytes. */
const HEAD_LIMIT = 65_536;
/** What stands after the files: moves of submodules, some hundred bytes each. */
const MOVES_LIMIT = 4 * 1024 * 1024;

/** Nobody reads a larger patch by eye, and to make it once more takes as long as collecting it, bytes. */
const READABLE = 32 * 1024 * 1024;

interface Patch {
  file: string;
  header: PatchHeader;
}

/**
 * Sees that the text of each patch is what its trees hold: people review the text, and merges go by the trees. Throws a
 * usage error for one that was edited since it was collected. A patch of other origin, and one whose trees are not there
 * any more, goes by its text and is passed over here. One git process for each store.
 */
export async function refuseChangedPatches(patchFiles: readonly string[]): Promise<void> {
  const byStore = new Map<string, Patch[]>();
  for (const name of patchFiles) {
    const file = path.resolve(name);
    const header = readPatchHeader(file);
    if (header === undefined || !existsSync(path.join(header.store, 'objects'))) continue;
    if (sizeOf(file) > READABLE) continue;
    byStore.set(header.store, [...(byStore.get(header.store) ?? []), { file, header }]);
  }
  for (const [store, patches] of byStore) {
    const changed = await firstChanged(store, patches);
    if (changed !== undefined) throw wasChanged(changed);
  }
}

function wasChanged({ file, header }: Patch): PrunError {
  return usageError(
    `patch ${file} was changed since it was collected: its text is not the difference of the trees in its header`,
    `apply its text with git apply, or collect unit ${header.unit} again`,
  );
}

/** Compares while git writes: no text is ever in memory as a whole. */
async function firstChanged(store: string, patches: readonly Patch[]): Promise<Patch | undefined> {
  const child = spawn('git', [...PATCH_DIFF, '--stdin'], {
    cwd: store,
    env: gitEnvironment({ gitDir: store }, process.env),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  // A git that ends early closes its stdin: its exit code is the news, not the broken pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(patches.map(({ header }) => `${treesOf(header)}\n`).join(''));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
  const waiting = [...patches];
  let reader: Comparison | undefined;
  const compare = async (): Promise<Patch | undefined> => {
    for await (const piece of piecesOf(child.stdout)) {
      if (piece.kind === 'text') {
        if (reader?.takes(piece.bytes) === false) return reader.patch;
        continue;
      }
      if (reader?.ends() === false) return reader.patch;
      reader?.close();
      // git passes over trees that are not there: who loads the delta says so.
      const next = waiting.findIndex(({ header }) => treesOf(header) === piece.trees);
      const [patch] = waiting.splice(0, next + 1).slice(-1);
      reader = patch && openComparison(patch);
    }
    return undefined;
  };
  try {
    const compared = compare().then((found) => {
      if (found !== undefined) child.kill();
      return found;
    });
    const [code, found] = await Promise.all([ended, compared]);
    if (found !== undefined) return found;
    // Where git failed there is nothing to compare the rest with.
    return code === 0 && reader?.ends() === false ? reader.patch : undefined;
  } finally {
    reader?.close();
  }
}

function treesOf({ base, result }: PatchHeader): string {
  return `${base} ${result}`;
}

type Piece = { kind: 'trees'; trees: string } | { kind: 'text'; bytes: Buffer };

/** The line before each comparison. No line of a patch has this form: it would begin with a sign or a word. */
const TREES = /\n([0-9a-f]{40,64} [0-9a-f]{40,64})\n/;
/** Such a line with both its newlines, at most. */
const TREES_LENGTH = 64 + 1 + 64 + 2;

/** Splits git's output where another comparison begins. */
async function* piecesOf(output: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  // The newline before a line of trees; `isLead`: it ends the line before and is no text of this comparison.
  let held: Buffer = Buffer.from('\n');
  let isLead = true;
  const text = (end: number): Piece => ({ kind: 'text', bytes: held.subarray(isLead ? 1 : 0, end) });
  for await (const chunk of output) {
    held = Buffer.concat([held, chunk]);
    for (
      let match = TREES.exec(held.toString('latin1'));
      match;
      match = TREES.exec(held.toString('latin1'))
    ) {
      yield text(match.index + 1);
      yield { kind: 'trees', trees: match[1] ?? '' };
      held = held.subarray(match.index + match[0].length - 1);
      isLead = true;
    }
    if (held.length <= TREES_LENGTH) continue;
    const end = held.length - TREES_LENGTH;
    yield text(end);
    held = held.subarray(end);
    isLead = false;
  }
  yield text(held.length);
}

/** A patch that is being compared. */
interface Comparison {
  patch: Patch;
  /** Whether the text goes on with these bytes. */
  takes(bytes: Buffer): boolean;
  /** Whether the text may end here: nothing follows but moves of submodules. */
  ends(): boolean;
  close(): void;
}

function openComparison(patch: Patch): Comparison {
  const fd = openForReading(patch.file);
  let isOpen = true;
  const { size } = fstatSync(fd);
  const first = readRange(fd, 0, Math.min(size, HEAD_LIMIT)).indexOf('\ndiff --git ');
  let at = first < 0 ? size : first + 1;
  return {
    patch,
    takes(bytes) {
      const isSame = readRange(fd, at, bytes.length).equals(bytes);
      at += bytes.length;
      return isSame;
    },
    ends: () => MOVES.test(readRange(fd, at, Math.min(size - at, MOVES_LIMIT + 1)).toString('latin1')),
    close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

/** Nothing but moves of submodules, as patch-file.ts writes them. */
const MOVES =
  /^(?:diff --git [^\n]+\n(?:deleted file mode 160000\n)?index [0-9a-f]+\.\.[0-9a-f]+(?: 160000)?\n--- [^\n]+\n\+\+\+ [^\n]+\n@@ [^\n]+ @@\n(?:[-+]Subproject commit [0-9a-f]+\n){1,2})*$/;
