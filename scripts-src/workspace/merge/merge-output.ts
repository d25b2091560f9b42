import type { BytePath } from '../../platform/byte-path.ts';

/** A version of a file that git could not merge: stage 1 is the base's, 2 ours, 3 theirs. */
export interface UnmergedEntry {
  mode: string;
  id: string;
  stage: number;
  path: BytePath;
}

/** What git says of some paths: a stable type (`CONFLICT (modify/delete)`) and a sentence. */
export interface MergeMessage {
  paths: BytePath[];
  type: string;
}

/** One merge as `git merge-tree --stdin --messages` prints it. */
export interface RawMerge {
  isClean: boolean;
  tree: string;
  entries: UnmergedEntry[];
  messages: MergeMessage[];
}

/**
 * Reads the output of `git merge-tree --stdin --messages` (git-merge-tree(1), OUTPUT), one merge after the other:
 * status, tree, unmerged entries (only after a conflict), nothing, messages, nothing. All separated by NUL; names are
 * bytes. Throws where the output has another form. Pure.
 */
export function parseMerges(output: Buffer): RawMerge[] {
  const words = output.toString('latin1').split('\0');
  // The last NUL ends, and does not separate.
  words.pop();
  const merges: RawMerge[] = [];
  let at = 0;
  const next = (): string => {
    const word = words[at++];
    if (word === undefined) throw new Error('git merge-tree: its output ends too early');
    return word;
  };
  while (at < words.length) {
    const status = next();
    if (status !== '0' && status !== '1') throw new Error(`git merge-tree: unknown status ${status}`);
    const tree = next();
    const entries: UnmergedEntry[] = [];
    for (let word = next(); word !== ''; word = next()) entries.push(parseEntry(word));
    const messages: MergeMessage[] = [];
    for (let word = next(); word !== ''; word = next()) {
      const paths = Array.from({ length: Number(word) }, () => next() as BytePath);
      messages.push({ paths, type: next() });
      // The sentence: git's words for people, with commit ids where a person needs names of units.
      next();
    }
    merges.push({ isClean: status === '1', tree, entries, messages });
  }
  return merges;
}

/** `<mode> <id> <stage>TAB<path>`; a path may hold tabs and spaces. */
function parseEntry(word: string): UnmergedEntry {
  const tab = word.indexOf('\t');
  const [mode = '', id = '', stage = ''] = word.slice(0, tab).split(' ');
  return { mode, id, stage: Number(stage), path: word.slice(tab + 1) as BytePath };
}
