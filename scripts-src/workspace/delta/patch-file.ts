import { closeSync, constants, fstatSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, quotedPath } from '../../platform/byte-path.ts';
import { errnoOf, messageOf, PrunError, usageError } from '../../platform/errors.ts';
import {
  openForReading,
  PRIVATE_FILE,
  readRange,
  renameRetrying,
  temporaryBeside,
} from '../../platform/files.ts';
import { type GitPlace, runGit } from '../../platform/git.ts';

/** What stands at the head of a patch: the delta is these two trees, the rest of the file is an export of it. */
export interface PatchHeader {
  unit: string;
  /** Name of the set. */
  set: string;
  /** Trees in the set's store. */
  base: string;
  result: string;
  /** Absolute path of the set's store. */
  store: string;
}

/** A submodule that stands on another commit than at the start; null: it was deleted. */
export interface SubmoduleMove {
  path: BytePath;
  base: string;
  result: string | null;
}

const FIRST_LINE = 'prun delta 1';
/** A header is five short lines; a store's path has at most some thousand bytes. */
const HEADER_LIMIT = 65_536;
const COLLECT_AGAIN = 'collect the delta again: prun collect <clone> --patch <file>';

/**
 * Writes a delta as a patch that `git apply` takes: header, the diff of the two trees with binaries and full ids,
 * then the moves of submodules. git writes straight into the file, because a patch may be larger than memory. The
 * file appears whole or not at all, mode 0600. Returns its size in bytes. Throws GitError where a tree is missing.
 */
export async function writePatch(
  store: GitPlace,
  header: PatchHeader,
  moves: readonly SubmoduleMove[],
  file: string,
): Promise<number> {
  const temporary = temporaryBeside(file);
  // Appending, so that git and this process need not agree on a position in the file.
  const fd = openSync(temporary, 'ax', PRIVATE_FILE);
  let isOpen = true;
  try {
    writeText(fd, headerText(header));
    await runGit(store, diffArguments(header), { stdoutFd: fd });
    for (const move of moves) writeText(fd, moveText(move));
    fsyncSync(fd);
    const { size } = fstatSync(fd);
    closeSync(fd);
    isOpen = false;
    renameRetrying(temporary, file);
    return size;
  } finally {
    if (isOpen) closeSync(fd);
    rmSync(temporary, { force: true });
  }
}

/**
 * The header of a patch, or undefined for a patch of other origin. Throws a usage error for a file that is missing,
 * unreadable or no file, and for a header that is damaged or of a newer prun.
 */
export function readPatchHeader(file: string): PatchHeader | undefined {
  const text = readBeginning(file).toString('utf8');
  if (!/^prun delta \d/.test(text)) {
    // Shorter than the first line, and all of it is there: a patch of ours that was cut off.
    if (text !== '' && FIRST_LINE.startsWith(text)) throw damaged(file, 'it ends within its first line');
    return undefined;
  }
  const [first = '', ...lines] = text.split(/\r?\n/);
  if (first !== FIRST_LINE) {
    throw usageError(
      `${file} begins with ${JSON.stringify(first.slice(0, 40))}`,
      'use the newer prun that wrote it',
    );
  }
  const [unit, set, base, result, quotedStore] = ['unit', 'set', 'base', 'result', 'store'].map((key, at) => {
    const line = lines[at] ?? '';
    if (!line.startsWith(`${key}: `)) throw damaged(file, `its ${key} is missing`);
    return line.slice(key.length + 2);
  });
  if (lines[5] !== '') throw damaged(file, 'it does not end with an empty line');
  return {
    unit: checked(file, 'unit', unit, /^[\w-]+$/),
    set: checked(file, 'set', set, /^\w[\w.-]*$/),
    base: checked(file, 'base', base, TREE_ID),
    result: checked(file, 'result', result, TREE_ID),
    store: storeOf(file, quotedStore ?? ''),
  };
}

const TREE_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function headerText({ unit, set, base, result, store }: PatchHeader): string {
  return `${FIRST_LINE}\nunit: ${unit}\nset: ${set}\nbase: ${base}\nresult: ${result}\nstore: ${JSON.stringify(store)}\n\n`;
}

function diffArguments({ base, result }: PatchHeader): string[] {
  return [...PATCH_DIFF, base, result];
}

/** How git makes the text of a patch from two trees: it must come out the same when it is compared later. */
export const PATCH_DIFF = [
  ...['diff-tree', '-r', '-p', '--binary', '--full-index', '--no-ext-diff', '--no-textconv', '--no-color'],
  ...['-M', '--src-prefix=a/', '--dst-prefix=b/'],
];

/** A gitlink's change as git writes it. */
function moveText({ path: where, base, result }: SubmoduleMove): string {
  const [from, to] = [prefixed('a', where), prefixed('b', where)];
  // git ends these names with a tab where a space in them would leave their end open.
  const tab = where.includes(' ') ? '\t' : '';
  if (result === null) {
    return [
      `diff --git ${from} ${to}`,
      'deleted file mode 160000',
      `index ${base}..${'0'.repeat(base.length)}`,
      `--- ${from}${tab}`,
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      `-Subproject commit ${base}`,
      '',
    ].join('\n');
  }
  return [
    `diff --git ${from} ${to}`,
    `index ${base}..${result} 160000`,
    `--- ${from}${tab}`,
    `+++ ${to}${tab}`,
    '@@ -1 +1 @@',
    `-Subproject commit ${base}`,
    `+Subproject commit ${result}`,
    '',
  ].join('\n');
}

/** `a/sub`, in git's quotes where the name needs them. Everything outside ASCII is quoted: git reads both. */
function prefixed(prefix: string, where: BytePath): string {
  const whole = `${prefix}/${where}` as BytePath;
  return /[^ -~]|["\\]/.test(where) ? quotedPath(whole) : whole;
}

function writeText(fd: number, text: string): void {
  let rest = Buffer.from(text, 'utf8');
  while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
}

function readBeginning(file: string): Buffer {
  let fd: number | undefined;
  try {
    fd = openForReading(file);
    const stat = fstatSync(fd);
    if ((stat.mode & constants.S_IFMT) !== constants.S_IFREG) {
      throw usageError(`${file} is no file`, 'give the patch of a unit, as prun collect printed it');
    }
    return readRange(fd, 0, Math.min(stat.size, HEADER_LIMIT));
  } catch (error) {
    if (error instanceof PrunError) throw error;
    const what = errnoOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    throw usageError(`patch ${file} ${what}`, 'give the path of a PATCH line of prun collect');
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function checked(file: string, key: string, value: string | undefined, form: RegExp): string {
  if (value !== undefined && form.test(value)) return value;
  throw damaged(file, `its ${key} is ${JSON.stringify((value ?? '').slice(0, 80))}`);
}

function storeOf(file: string, quoted: string): string {
  let store: unknown;
  try {
    store = JSON.parse(quoted);
  } catch {
    throw damaged(file, 'its store is no JSON string');
  }
  if (typeof store !== 'string' || !path.isAbsolute(store))
    throw damaged(file, 'its store is no absolute path');
  return store;
}

function damaged(file: string, what: string): PrunError {
  return usageError(`the header of ${file} is damaged (${what})`, COLLECT_AGAIN);
}
