import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, below, pathFromJson, splitPaths } from '../../platform/byte-path.ts';
import { type GitPlace, gitBytes } from '../../platform/git.ts';
import { gitFolderOf } from '../base/git-template.ts';
import { changeEntries, nullIdOf, parseIndexLines, readEntries, writeTree } from '../base/index-entries.ts';
import { folderAt } from '../base/snapshot-source.ts';
import { readOptional } from '../read-optional.ts';
import type { WorkspaceRecord } from '../records.ts';
import { readRefs } from '../tripwire/tripwire.ts';
import {
  baseOf,
  leftOutFile,
  privateIndex,
  SET_FILES,
  storeOf,
  unitFolder,
  type WorkspaceSet,
} from '../workspace-set.ts';
import { feedPipes, type Survey, surveyTree, unlock } from './survey.ts';
import { liesIn, lookAt, type TakenFiles, type TakeProblem, takeFiles } from './take-files.ts';

/** One repository of a workspace: the clone itself, or a submodule in it. */
export interface Part {
  n: number;
  path: BytePath;
  folder: string;
  /** Whether a folder stands there, with no symlink on the way to it: that would lead into other people's files. */
  isThere: boolean;
  /** Its own git folder, which is the worker's. */
  gitDir: string;
  place: GitPlace & { workTree: string; indexFile: string };
  /** The list of its files that the user leaves out of the working tree. */
  leftOut: string;
}

/** The parts of a workspace, with copies of their private indexes in `scratch`: the repository itself first. */
export function partsOf(set: WorkspaceSet, workspace: WorkspaceRecord, scratch: string): Part[] {
  const base = baseOf(set, workspace.unit);
  const submodules = base.record.submodules.map(({ path: where }) => pathFromJson(where));
  const look = lookAt(workspace.folder);
  return ['' as BytePath, ...submodules].map((where, n) => {
    const indexFile = path.join(scratch, `index-${n}`);
    // The copy must not look newer than it is: git tells by its time which files it has to read once more.
    cpSync(privateIndex(set, workspace.unit, n), indexFile, { preserveTimestamps: true });
    const folder = where === '' ? workspace.folder : folderAt(workspace.folder, where);
    const config = {
      // Executable bits of a clone are its own: what the user's file system knows of them does not matter here.
      'core.fileMode': process.platform === 'win32' ? 'false' : 'true',
      ...(set.record.excludesFile === null ? {} : { 'core.excludesFile': set.record.excludesFile }),
    };
    const home = workspace.mode === 'clone' ? workspace.folder : unitFolder(set, workspace.unit);
    const gitDir = path.join(home, gitFolderOf(n));
    return {
      n,
      path: where,
      folder,
      isThere: where === '' || look(where).kind === 'folder',
      gitDir,
      place: { gitDir: storeOf(set), workTree: folder, indexFile, config },
      leftOut: leftOutFile(base, n),
    };
  });
}

/** What of ignored paths belongs to a delta. */
export interface Included {
  everything: boolean;
  paths: readonly BytePath[];
}

function inThisPart({ path: where }: Part, { everything, paths }: Included): Included {
  if (where === '') return { everything, paths };
  const start = `${where}/`;
  const inside = paths
    .filter((one) => one.startsWith(start))
    .map((one) => one.slice(start.length) as BytePath);
  return { everything: everything || liesIn(paths, where), paths: inside };
}

/** What was taken of a workspace's parts. */
export interface TakenParts {
  /** The files of each part as a tree. */
  trees: string[];
  problems: TakeProblem[];
  ignored: BytePath[];
}

/** Takes the files of every part. What is locked is opened for the reading and closed again. */
export async function takeParts(
  set: WorkspaceSet,
  parts: readonly Part[],
  options: { ignored: Included },
): Promise<TakenParts> {
  const results = await Promise.all(parts.map((part) => takePart(set, part, parts, options)));
  return {
    trees: results.map(({ tree }) => tree),
    problems: results.flatMap(({ problems }) => problems),
    ignored: results.flatMap(({ ignored }) => ignored),
  };
}

async function takePart(
  set: WorkspaceSet,
  part: Part,
  parts: readonly Part[],
  options: { ignored: Included },
) {
  const { place } = part;
  const inPart = (where: BytePath): BytePath => (part.path === '' ? where : below(part.path, where));
  const foreign = submodulesIn(part, parts);
  if (!part.isThere) {
    rmSync(place.indexFile, { force: true });
    const nowhere = { gitDir: storeOf(set), indexFile: place.indexFile };
    return { tree: await writeTree(nowhere), problems: [], ignored: [] };
  }
  const wanted = inThisPart(part, options.ignored);
  const excludeFrom = part.n === 0 ? [path.join(set.folder, SET_FILES.exclude)] : [];
  const take = () =>
    takeFiles({
      place,
      nullId: nullIdOf(set.record.objectFormat),
      excludeFrom,
      nested: 'enter',
      foreign,
      ignored: wanted,
      mayUnlock: true,
    });
  const keptIndex = `${place.indexFile}.kept`;
  cpSync(place.indexFile, keptIndex, { preserveTimestamps: true });
  const ignoredNow = () => (wanted.everything ? [] : ignoredPaths(part, excludeFrom, foreign));
  const [first, survey, ignored] = await lookAndTake(part, foreign, wanted, take, ignoredNow);
  let taken = first;
  const opened = unlock(part.folder, survey.locked);
  try {
    for (let locked = survey.locked; locked.length > 0; ) {
      cpSync(keptIndex, place.indexFile, { preserveTimestamps: true });
      const [again, deeper] = await lookAndTake(part, foreign, wanted, take, ignoredNow);
      taken = again;
      // What lies in an opened folder may be closed again.
      const known = new Set(survey.locked.map(({ path: where }) => where));
      locked = deeper.locked.filter(({ path: where }) => !known.has(where));
      survey.locked.push(...locked);
      survey.special = deeper.special;
      survey.repositories = deeper.repositories;
      opened.add(locked);
    }
  } finally {
    opened.restore();
  }
  await dropUnchanged(set, part, taken.added);
  const problems = [
    ...taken.problems,
    ...opened.problems,
    ...surveyProblems(part.folder, survey, taken.nested),
  ];
  return {
    tree: await writeTree(place),
    problems: onePerPath(problems).map((problem) => ({ ...problem, path: inPart(problem.path) })),
    ignored: ignored.map(inPart),
  };
}

/** git takes the files; meanwhile this process looks for what git does not tell of. */
async function lookAndTake(
  part: Part,
  foreign: readonly BytePath[],
  wanted: Included,
  take: () => Promise<TakenFiles>,
  listIgnored: () => Promise<BytePath[]> | BytePath[],
): Promise<[TakenFiles, Survey, BytePath[]]> {
  const taking = take();
  const listing = Promise.resolve(listIgnored());
  const skipped = new Set(foreign);
  const survey = surveyTree(part.folder, skipped);
  const feeder = feedPipes(part.folder, survey.special);
  try {
    const [taken, all] = await Promise.all([taking, listing]);
    const ignored = all.filter((where) => !liesIn(wanted.paths, withoutSlash(where)));
    const folders = ignored.map(withoutSlash);
    for (const where of survey.passed) {
      if (!liesIn(folders, where)) addTo(survey, surveyTree(part.folder, skipped, where));
    }
    return [taken, withoutIgnored(survey, folders), ignored];
  } finally {
    feeder.stop();
  }
}

function withoutSlash(where: BytePath): BytePath {
  return where.replace(/\/$/, '') as BytePath;
}

function addTo(survey: Survey, more: Survey): void {
  survey.special.push(...more.special);
  survey.locked.push(...more.locked);
  survey.unreadable.push(...more.unreadable);
  survey.repositories.push(...more.repositories);
}

/** What git ignores is no part of a delta, whatever it is. */
function withoutIgnored(survey: Survey, ignored: readonly BytePath[]): Survey {
  const counts = (where: BytePath): boolean => !liesIn(ignored, where);
  return {
    ...survey,
    special: survey.special.filter(counts),
    locked: survey.locked.filter(({ path: where }) => counts(where)),
    unreadable: survey.unreadable.filter(({ path: where }) => counts(where)),
    repositories: survey.repositories.filter(counts),
  };
}

function surveyProblems(root: string, survey: Survey, nested: readonly BytePath[]): TakeProblem[] {
  const inner = new Set(nested);
  return [
    ...survey.special.map((path) => ({
      path,
      what: 'is a pipe, socket or device, and no file: it cannot be in a delta',
      lost: true,
    })),
    ...survey.unreadable.map(({ path, code }) => ({ path, what: `cannot be read (${code})`, lost: true })),
    ...survey.repositories.map((folder) => innerGit(root, folder, inner.has(folder))),
  ];
}

/** Something of the name `.git` below the top: a repository with or without commits, or no repository at all. */
function innerGit(root: string, folder: BytePath, isRepository: boolean): TakeProblem {
  if (!isRepository) {
    const path = below(folder, '.git' as BytePath);
    return {
      path,
      what: 'is no repository, and git takes nothing of that name: it is not in the delta',
      lost: true,
    };
  }
  const gitDir = path.join(folderAt(root, folder), '.git');
  const hasCommits = Object.keys(readRefs({ gitDir, commonDir: gitDir }).refs).length > 0;
  const what = hasCommits
    ? 'is a repository of its own: its files are in the delta, its commits are not'
    : 'is a repository of its own, without commits: its files are in the delta';
  return { path: folder, what, lost: hasCommits };
}

/**
 * A worker may bring a file in that the user left out of the working tree. As long as it is what it was, nobody changed
 * it, and it is no part of the delta.
 */
async function dropUnchanged(
  set: WorkspaceSet,
  { leftOut: file, place }: Part,
  added: readonly BytePath[],
): Promise<void> {
  const leftOut = new Map(parseIndexLines(readOptional(file)).map((entry) => [entry.path, entry]));
  if (!added.some((where) => leftOut.has(where))) return;
  const unchanged = (await readEntries(place)).filter(({ path: where, mode, id }) => {
    const out = leftOut.get(where);
    return out?.mode === mode && out.id === id;
  });
  await changeEntries(
    place,
    unchanged.map(({ path: where }) => ({ path: where })),
    nullIdOf(set.record.objectFormat),
  );
}

/** Submodules that lie in a part, at any depth, as paths in that part. */
function submodulesIn(part: Part, parts: readonly Part[]): BytePath[] {
  const start = part.path === '' ? '' : `${part.path}/`;
  return parts
    .filter((other) => other.n !== part.n && other.path.startsWith(start))
    .map((other) => other.path.slice(start.length) as BytePath);
}

async function ignoredPaths(
  { place }: Part,
  excludeFrom: readonly string[],
  foreign: readonly BytePath[],
): Promise<BytePath[]> {
  const rules = ['--exclude-standard', ...excludeFrom.map((file) => `--exclude-from=${file}`)];
  const argv = ['ls-files', '-z', '--others', '--ignored', '--directory', ...rules];
  return splitPaths(await gitBytes(place, argv)).filter((where) => !liesIn(foreign, where));
}

function onePerPath(problems: readonly TakeProblem[]): TakeProblem[] {
  return [...new Map(problems.map((problem) => [problem.path, problem])).values()];
}
