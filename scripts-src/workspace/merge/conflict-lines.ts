import { type GitPlace, gitBytes } from '../../platform/git.ts';
import { entryName, type ScratchObjects } from './scratch-objects.ts';

/** Lines of both sides, counted from 1, both ends included. An end before its start: no line of that side is left. */
export interface SidedLines {
  ours: [number, number];
  theirs: [number, number];
}

/** Three versions of one file by the ids of their blobs; base null: both sides added it. */
export interface ConflictingBlobs {
  base: string | null;
  ours: string;
  theirs: string;
}

/** One changed place of a file. Starts are counted from 0; `text` is what stands there now. */
interface Hunk {
  from: number;
  fromCount: number;
  to: number;
  toCount: number;
  text: string;
}

/**
 * The lines of both sides that clash, for many files by one git process. `git merge-file` would cost a process and
 * three copies for each file, and its output counts neither side's lines; so the changes of both sides against the
 * base are laid over each other, by the rule of git's own merge: changes that overlap or touch clash, equal ones do
 * not. Files that git takes for binaries have no lines.
 */
export async function conflictLines(
  scratch: ScratchObjects,
  conflicts: readonly ConflictingBlobs[],
): Promise<SidedLines[][]> {
  if (conflicts.length === 0) return [];
  const pairs = new Map<string, [string, string]>();
  const want = (from: string, to: string): void => void pairs.set(`${from} ${to}`, [from, to]);
  for (const { base, ours, theirs } of conflicts) {
    if (base === null) want(ours, theirs);
    else {
      want(base, ours);
      want(base, theirs);
    }
  }
  const distinct = [...pairs.values()];
  const hunks = await hunksOf(scratch.place, {
    from: scratch.numberedTree(distinct.map(([from]) => from)),
    to: scratch.numberedTree(distinct.map(([, to]) => to)),
  });
  const byPair = new Map([...pairs.keys()].map((key, n) => [key, hunks.get(entryName(n)) ?? []]));
  return conflicts.map(({ base, ours, theirs }) =>
    base === null
      ? differingLines(byPair.get(`${ours} ${theirs}`) ?? [])
      : clashingLines(byPair.get(`${base} ${ours}`) ?? [], byPair.get(`${base} ${theirs}`) ?? []),
  );
}

/** Changed places of every file of a numbered tree, by name. Histogram, as git's merge compares. */
async function hunksOf(place: GitPlace, trees: { from: string; to: string }): Promise<Map<string, Hunk[]>> {
  const shape = [
    '-r',
    '-p',
    '-U0',
    '--histogram',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
  ];
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/'];
  return parseHunks(await gitBytes(place, ['diff-tree', ...shape, ...prefixes, trees.from, trees.to]));
}

/** Reads a patch without context of files with plain names. Pure. */
export function parseHunks(patch: Buffer): Map<string, Hunk[]> {
  const lines = patch.toString('latin1').split('\n');
  const files = new Map<string, Hunk[]>();
  let hunks: Hunk[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const file = /^diff --git a\/(\S+) b\//.exec(line);
    if (file) {
      hunks = [];
      files.set(file[1] ?? '', hunks);
    }
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!head) continue;
    const fromCount = Number(head[2] ?? 1);
    const toCount = Number(head[4] ?? 1);
    const added: string[] = [];
    // The lines of a hunk are counted, not guessed: a file may hold lines that look like a patch.
    for (let left = fromCount + toCount; left > 0; ) {
      const body = lines[++at];
      if (body === undefined) break;
      if (body.startsWith('\\')) continue;
      if (body.startsWith('+')) added.push(body);
      left--;
    }
    if (lines[at + 1]?.startsWith('\\')) added.push(lines[++at] ?? '');
    hunks.push({
      // git gives an empty range by the line before it, any other one by its first line.
      from: Number(head[1]) - (fromCount === 0 ? 0 : 1),
      fromCount,
      to: Number(head[3]) - (toCount === 0 ? 0 : 1),
      toCount,
      text: added.join('\n'),
    });
  }
  return files;
}

/** Both sides added the file: every place where the two differ. */
function differingLines(hunks: readonly Hunk[]): SidedLines[] {
  return hunks.map(({ from, fromCount, to, toCount }) => ({
    ours: [from + 1, from + fromCount],
    theirs: [to + 1, to + toCount],
  }));
}

/** Places of the base that both sides changed, in the lines of each side. Pure. */
export function clashingLines(ours: readonly Hunk[], theirs: readonly Hunk[]): SidedLines[] {
  const found: SidedLines[] = [];
  let o = 0;
  let t = 0;
  while (o < ours.length && t < theirs.length) {
    const [mine, other] = [ours[o], theirs[t]];
    if (!mine || !other) break;
    if (mine.from + mine.fromCount < other.from) o++;
    else if (other.from + other.fromCount < mine.from) t++;
    else if (isSame(mine, other)) {
      o++;
      t++;
    } else {
      const [firstO, firstT] = [o, t];
      const start = Math.min(mine.from, other.from);
      let end = start;
      // One clash draws in every further change that touches it, of either side.
      for (;;) {
        const [nextO, nextT] = [ours[o], theirs[t]];
        if (nextO && (o === firstO || nextO.from <= end)) {
          end = Math.max(end, nextO.from + nextO.fromCount);
          o++;
        } else if (nextT && (t === firstT || nextT.from <= end)) {
          end = Math.max(end, nextT.from + nextT.fromCount);
          t++;
        } else break;
      }
      found.push({
        ours: linesOf(ours.slice(firstO, o), start, end),
        theirs: linesOf(theirs.slice(firstT, t), start, end),
      });
    }
  }
  if (found.length > 0) return found;
  // git saw a clash where the plain comparison sees none: say which part of the file each side changed.
  const [all, their] = [spanOf(ours), spanOf(theirs)];
  return all && their ? [{ ours: all, theirs: their }] : [];
}

/** The lines from `start` to `end` of the base, as one side has them. */
function linesOf(hunks: readonly Hunk[], start: number, end: number): [number, number] {
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (!first || !last) return [start + 1, end];
  return [first.to - (first.from - start) + 1, last.to + last.toCount + (end - last.from - last.fromCount)];
}

function spanOf(hunks: readonly Hunk[]): [number, number] | undefined {
  const [first, last] = [hunks[0], hunks.at(-1)];
  return first && last ? [first.to + 1, last.to + last.toCount] : undefined;
}

function isSame(a: Hunk, b: Hunk): boolean {
  return a.from === b.from && a.fromCount === b.fromCount && a.text === b.text;
}
