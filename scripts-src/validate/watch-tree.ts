import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, shownPath, splitPaths, textOf } from '../platform/byte-path.ts';
import { messageOf, plainError, usageError } from '../platform/errors.ts';
import { GitError, type GitPlace, gitBytes, gitText, runGit } from '../platform/git.ts';
import { type FileStamps, freshness, stampDifference, stampFiles } from './file-stamps.ts';
import {
  factDifference,
  type GitFacts,
  readFolderRules,
  readGitFacts,
  readStatus,
  type TreePlace,
} from './git-facts.ts';

/** A tree that was found equal to its commit, and is compared again and again. */
export interface TreeWatch {
  commit: string;
  /** Id of the commit's tree. */
  tree: string;
  /** What is different now, or was in the meantime, in one line; undefined where the tree is the one of the beginning. */
  difference(): Promise<string | undefined>;
}

/** Either a watch, or why the tree is not the commit's. */
export type WatchBegun = { kind: 'watch'; watch: TreeWatch } | { kind: 'different'; difference: string };

/** The kernel stamps files by a clock that moves every few ms: an older file shows every later change. */
const FINE_MS = 30;
/** The same where times are whole seconds, or two (FAT). */
const COARSE_MS = 2100;

/** Settings under which git looks closely, whatever the user's say. */
const STRICT: Readonly<Record<string, string>> = {
  'core.trustctime': 'true',
  'core.checkStat': 'default',
  'core.sparseCheckout': 'false',
  'core.ignoreStat': 'false',
  ...(process.platform === 'win32' ? {} : { 'core.fileMode': 'true' }),
};

/** Where the top of a work tree and its repository are. Throws a usage error for anything else. */
export async function treePlaceOf(folder: string, name: string): Promise<TreePlace> {
  if (!existsSync(folder))
    throw usageError(`${name} ${folder} does not exist`, 'give the top of a git work tree');
  const here: GitPlace = { cwd: folder, asUser: true };
  const ask = (question: string) => gitText(here, ['rev-parse', '--path-format=absolute', question]);
  try {
    const top = await ask('--show-toplevel');
    if (realpathSync(top) !== realpathSync(folder)) {
      throw usageError(`${name} ${folder} is not the top of its work tree`, `give ${top}`);
    }
    const [gitDir, commonDir] = [await ask('--git-dir'), await ask('--git-common-dir')];
    return {
      workTree: realpathSync(folder),
      gitDir: path.normalize(gitDir),
      commonDir: path.normalize(commonDir),
    };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const next = error.stderr.includes('dubious ownership') ? error.next : 'give the top of a git work tree';
    throw usageError(`${name} ${folder} cannot be used (${error.message})`, next);
  }
}

/**
 * Begins to watch a tree: compares every file's content with the commit, by an index of its own, so that no bit and no
 * stale entry of the user's index hides anything. Nothing of the repository is written.
 *
 * @param commit what HEAD must be, or its beginning
 * @param indexFile a path for the private index; its folder is there
 */
export async function watchTree(place: TreePlace, commit: string, indexFile: string): Promise<WatchBegun> {
  try {
    return await beginWatch(place, commit, indexFile);
  } catch (error) {
    return { kind: 'different', difference: `the tree cannot be compared: ${whyNot(error)}` };
  }
}

async function beginWatch(place: TreePlace, wanted: string, indexFile: string): Promise<WatchBegun> {
  const git: GitPlace = { ...placeOf(place), indexFile, config: STRICT };
  const different = (difference: string): WatchBegun => ({ kind: 'different', difference });
  const commit = await gitText(git, ['rev-parse', '--verify', 'HEAD^{commit}']);
  if (!commit.startsWith(wanted)) return different(`HEAD is ${commit}, not ${wanted}`);
  const outside = await readGitFacts(place);
  await gitBytes(git, ['read-tree', commit]);
  const entries = parseEntries(await gitBytes(git, ['ls-files', '-z', '--stage']));
  const staged = await stagedDifference(place, entries);
  if (staged) return different(staged);
  const stamps = await settledStamps(place, entries.files);
  const facts = new Map([...outside, ...readFolderRules(place, stamps.folders.keys())]);
  // The new index knows no times: now every file is read. 1: some are not as in the commit, which status names.
  await runGit(git, ['update-index', '-q', '--really-refresh'], { answers: [0, 1] });
  const submodules = await watchSubmodules(place, entries, indexFile);
  if (typeof submodules === 'string') return different(submodules);
  const state: WatchState = { place, git, commit, facts, stamps, entries, submodules };
  const difference = await compare(state);
  if (difference) return different(difference);
  const tree = await gitText(git, ['rev-parse', '--verify', `${commit}^{tree}`]);
  return { kind: 'watch', watch: { commit, tree, difference: () => compare(state) } };
}

interface WatchState {
  place: TreePlace;
  git: GitPlace;
  commit: string;
  facts: GitFacts;
  stamps: FileStamps;
  entries: IndexEntries;
  submodules: Submodules;
}

async function compare(state: WatchState): Promise<string | undefined> {
  try {
    return await firstDifference(state);
  } catch (error) {
    // What cannot be compared proves nothing.
    return `the tree cannot be compared: ${whyNot(error)}`;
  }
}

async function firstDifference(state: WatchState): Promise<string | undefined> {
  const { place, git, commit, facts, entries, submodules } = state;
  const status = await readStatus(git);
  if (status.head !== commit) return `HEAD is ${status.head}, not ${commit}`;
  if (status.changes.length > 0) return status.changes.join('; ');
  const stamps = stampFiles(place.workTree, entries.files);
  const stampedNow = stampDifference(state.stamps, stamps);
  if (stampedNow) return stampedNow;
  const rules = readFolderRules(place, stamps.folders.keys());
  const changed = factDifference(facts, new Map([...(await readGitFacts(place)), ...rules]));
  if (changed) return changed;
  // A file that got a hard link is what it is now.
  state.stamps = stamps;
  return submoduleDifference(place, submodules);
}

function placeOf({ gitDir, workTree }: TreePlace): GitPlace {
  return { gitDir, workTree, asUser: true };
}

function whyNot(error: unknown): string {
  return (plainError(error)?.message ?? messageOf(error)).replace(/\s+/g, ' ').slice(0, 300);
}

/** What is in an index: files, and submodules with their commits. */
interface IndexEntries {
  files: BytePath[];
  submodules: Map<BytePath, string>;
  /** Mode, id and stage of each path. */
  lines: Map<BytePath, string>;
}

function parseEntries(output: Buffer): IndexEntries {
  const found: IndexEntries = { files: [], submodules: new Map(), lines: new Map() };
  for (const line of splitPaths(output)) {
    const cut = line.indexOf('\t');
    const [mode, id = ''] = line.slice(0, cut).split(' ');
    const where = line.slice(cut + 1) as BytePath;
    found.lines.set(where, line.slice(0, cut));
    if (mode === '160000') found.submodules.set(where, id);
    else found.files.push(where);
  }
  return found;
}

/** What the user's index has that the commit has not, or the other way round. */
async function stagedDifference(place: TreePlace, { lines }: IndexEntries): Promise<string | undefined> {
  const own = parseEntries(await gitBytes(placeOf(place), ['ls-files', '-z', '--stage'])).lines;
  for (const where of new Set([...lines.keys(), ...own.keys()])) {
    if (lines.get(where) !== own.get(where))
      return `${shownPath(where)} is staged otherwise than in the commit`;
  }
  return undefined;
}

/** Stamps of files that have been quiet for as long as the file system's clock is coarse. */
async function settledStamps({ workTree }: TreePlace, files: readonly BytePath[]): Promise<FileStamps> {
  const stamps = stampFiles(workTree, files);
  const { ageMs, isCoarse } = freshness(stamps, Date.now());
  const neededMs = isCoarse ? COARSE_MS : FINE_MS;
  // A time in the future is no reason to wait for it.
  if (ageMs >= neededMs || ageMs < -neededMs) return stamps;
  await new Promise((resolve) => setTimeout(resolve, neededMs - ageMs));
  return stampFiles(workTree, files);
}

/** Submodules with files are watched like the tree itself; the others have to stay empty. */
type Submodules = Map<BytePath, TreeWatch | 'empty'>;

async function watchSubmodules(
  { workTree }: TreePlace,
  { submodules }: IndexEntries,
  indexFile: string,
): Promise<Submodules | string> {
  const watched: Submodules = new Map();
  for (const [where, id] of submodules) {
    const folder = path.join(workTree, textOf(where));
    if (isEmpty(folder)) {
      watched.set(where, 'empty');
      continue;
    }
    const name = `the submodule ${shownPath(where)}`;
    const begun = await watchTree(await treePlaceOf(folder, name), id, `${indexFile}-${watched.size}`);
    if (begun.kind === 'different') return `${name}: ${begun.difference}`;
    watched.set(where, begun.watch);
  }
  return watched;
}

async function submoduleDifference(
  { workTree }: TreePlace,
  submodules: Submodules,
): Promise<string | undefined> {
  for (const [where, watch] of submodules) {
    const name = `the submodule ${shownPath(where)}`;
    if (watch === 'empty') {
      if (!isEmpty(path.join(workTree, textOf(where)))) return `${name} has files now`;
      continue;
    }
    const difference = await watch.difference();
    if (difference) return `${name}: ${difference}`;
  }
  return undefined;
}

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}
