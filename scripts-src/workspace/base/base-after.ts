import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, below, pathFromJson, pathToJson, shownPath } from '../../platform/byte-path.ts';
import { EXIT, PrunError } from '../../platform/errors.ts';
import { PRIVATE_DIR, PRIVATE_FILE } from '../../platform/files.ts';
import { type GitPlace, gitText } from '../../platform/git.ts';
import { liesIn } from '../delta/take-files.ts';
import { readOptional } from '../read-optional.ts';
import type { BaseRecord, WorkspaceOrigin } from '../records.ts';
import { leftOutFile, SET_FILES, storeOf, type WorkspaceBase, type WorkspaceSet } from '../workspace-set.ts';
import { countBaseFiles } from './base-files.ts';
import { readCloneIndex } from './base-parts.ts';
import {
  changeEntries,
  LINK_MODE,
  nullIdOf,
  parseIndexLines,
  readTree,
  type TreeEntry,
  writeTree,
} from './index-entries.ts';
import { finishBase, type OwnBase } from './own-base.ts';
import { writePartLists } from './templates.ts';

/** What a base is to be made of. */
export interface WantedBase {
  /** The merged files, those of submodules among them, as a tree in the set's store. */
  tree: string;
  /** The base whose branches, submodules and settings it takes over. */
  from: WorkspaceBase;
  origin: WorkspaceOrigin;
  /** What each unit brought, for the note: one line a unit. */
  changes: readonly string[];
}

/**
 * Makes a base of merged results; its files go into `folder`. In a clone the results are a commit on top of what one of
 * these units started from, so that `git diff` shows the new unit's own work. Throws PrunError where a result puts a
 * file in the place of a submodule.
 */
export async function baseAfter(set: WorkspaceSet, wanted: WantedBase, folder: string): Promise<OwnBase> {
  const { tree, from, origin } = wanted;
  const store: GitPlace = { gitDir: storeOf(set) };
  const scratch = path.join(folder, 'scratch');
  for (const made of [scratch, path.join(folder, SET_FILES.templates)])
    mkdirSync(made, { mode: PRIVATE_DIR });
  const files = await readTree(store, tree);
  const paths = ['' as BytePath, ...from.record.submodules.map(({ path: where }) => pathFromJson(where))];
  refuseReplaced(paths.slice(1), files, origin);
  const commits = new Map<BytePath, string>();
  // Inner submodules first: the commit of what holds them names theirs.
  for (const where of [...paths].sort((a, b) => b.length - a.length)) {
    const n = paths.indexOf(where);
    const was = n === 0 ? from.record.commit : (from.record.submodules[n - 1]?.commit ?? '');
    const part = await partOf({ set, from, store, scratch, n, where, was, paths, files, commits });
    const commit = await commitOf(store, part.commitTree, was, subjectOf(origin));
    commits.set(where, commit);
    const template = path.join(folder, SET_FILES.templates, String(n));
    copyTemplate(path.join(from.folder, SET_FILES.templates, String(n)), template);
    moveHead(template, commit);
    await readCloneIndex({ ...store, indexFile: path.join(template, 'index') }, part);
    writePartLists(folder, n, part);
  }
  rmSync(scratch, { recursive: true });
  const { count, bytes } = await countBaseFiles(store, folder, tree);
  const record: BaseRecord = {
    tree,
    commit: commits.get('' as BytePath) ?? '',
    head: from.record.head,
    branch: from.record.branch,
    files: count,
    bytes,
    submodules: from.record.submodules.map((submodule) => ({
      ...submodule,
      path: pathToJson(pathFromJson(submodule.path)),
      commit: commits.get(pathFromJson(submodule.path)) ?? submodule.commit,
    })),
  };
  return finishBase(folder, record, noteOf(set, record, wanted), origin);
}

/** One repository of the base: what is in its commit, and what of that is no file. */
interface DerivedPart {
  commitTree: string;
  links: BytePath[];
  leftOut: TreeEntry[];
}

interface PartRequest {
  set: WorkspaceSet;
  from: WorkspaceBase;
  store: GitPlace;
  scratch: string;
  n: number;
  where: BytePath;
  /** The commit that it stood on. */
  was: string;
  paths: readonly BytePath[];
  files: readonly TreeEntry[];
  /** Commits of submodules that were made already. */
  commits: ReadonlyMap<BytePath, string>;
}

async function partOf(request: PartRequest): Promise<DerivedPart> {
  const { set, from, store, n, where, was, paths, commits } = request;
  const inPart = (whole: BytePath): BytePath => whole.slice(where === '' ? 0 : where.length + 1) as BytePath;
  const inner = paths.filter((other) => other !== where && (where === '' || other.startsWith(`${where}/`)));
  const own = request.files
    .filter(({ path: file }) => (where === '' || file.startsWith(`${where}/`)) && !liesIn(inner, file))
    .map((entry) => ({ ...entry, path: inPart(entry.path) }));
  const taken = new Set(own.map(({ path: file }) => file));
  // A worker may have brought a file in that the user leaves out of the working tree: then it is among the files.
  const leftOut = parseIndexLines(readOptional(leftOutFile(from, n))).filter(
    ({ path: file }) => !taken.has(file),
  );
  const links = (await readTree(store, was)).filter(
    (entry) => entry.mode === LINK_MODE && !own.some(({ path: file }) => liesIn([entry.path], file)),
  );
  const moved = links.map((link) => ({
    ...link,
    id: commits.get(below(where, link.path)) ?? link.id,
  }));
  const place = { ...store, indexFile: path.join(request.scratch, `part-${n}`) };
  await changeEntries(place, [...own, ...leftOut, ...moved], nullIdOf(set.record.objectFormat));
  return { commitTree: await writeTree(place), links: links.map(({ path: link }) => link), leftOut };
}

async function commitOf(store: GitPlace, tree: string, was: string, subject: string): Promise<string> {
  const before = await gitText(store, ['rev-parse', `${was}^{tree}`]);
  return before === tree ? was : gitText(store, ['commit-tree', tree, '-p', was, '-m', subject]);
}

function subjectOf({ units }: WorkspaceOrigin): string {
  const more = units.length > 5 ? ` and ${units.length - 5} more` : '';
  return `prun base: results of ${units.slice(0, 5).join(', ')}${more}`;
}

/** All but the index, which is made anew. */
function copyTemplate(from: string, to: string): void {
  const index = path.join(from, 'index');
  cpSync(from, to, { recursive: true, filter: (file) => file !== index });
}

/** Lets HEAD, or the branch that it names, stand on a commit. */
function moveHead(template: string, commit: string): void {
  const head = path.join(template, 'HEAD');
  const [, branch] = /^ref: (.*)\n$/.exec(readFileSync(head, 'latin1')) ?? [];
  if (branch === undefined) {
    writeFileSync(head, `${commit}\n`, { mode: PRIVATE_FILE });
    return;
  }
  const packed = path.join(template, 'packed-refs');
  const others = readOptional(packed)
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '' && line.slice(line.indexOf(' ') + 1) !== branch);
  const lines = [...others, `${commit} ${branch}`, ''].join('\n');
  writeFileSync(packed, Buffer.from(lines, 'latin1'), { mode: PRIVATE_FILE });
}

function refuseReplaced(
  submodules: readonly BytePath[],
  files: readonly TreeEntry[],
  { units }: WorkspaceOrigin,
): void {
  const entry = files.find(({ path: file }) => submodules.some((where) => liesIn([file], where)));
  if (!entry) return;
  throw new PrunError(
    'E_SUBMODULE_REPLACED',
    `the results of ${units.join(', ')} have a file where a submodule belongs (${shownPath(entry.path)})`,
    'apply them to the repository, and start the unit from there with --as-it-stands',
    EXIT.conflict,
  );
}

function noteOf(set: WorkspaceSet, record: BaseRecord, { from, origin, changes }: WantedBase): string {
  const before = readOptional(path.join(from.folder, SET_FILES.note)).toString('utf8');
  return [
    `# Base of ${set.record.id}, with the results of ${origin.units.join(', ')}`,
    '',
    'The results of other units are part of the base:',
    ...changes.map((line) => `- ${line}`),
    '',
    `Base commit in a clone: ${record.commit}`,
    `Base tree: ${record.tree}`,
    '',
    'What the results were made from:',
    '',
    before.replace(/^#/, '##'),
  ].join('\n');
}
