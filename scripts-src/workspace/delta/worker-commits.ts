import path from 'node:path';
import { type BytePath, pathToJson } from '../../platform/byte-path.ts';
import { lstatOrNone } from '../../platform/files.ts';
import { GitError, type GitPlace, gitBytes, gitText } from '../../platform/git.ts';
import { revision } from '../base/source-repo.ts';
import { ownerPlace, worktreeBranch } from '../clone/make-worktree.ts';
import { readOptional } from '../read-optional.ts';
import type { DeltaRecord } from '../records.ts';
import { readRefs, type Tripwire } from '../tripwire/tripwire.ts';
import { baseOf, type WorkspaceSet } from '../workspace-set.ts';
import type { TakeProblem } from './take-files.ts';

const MAX_COMMITS = 100;
const STASHED =
  'the worker put changes into the stash: they are in no file, and so not in the delta; the commits listed hold them';

/** What a worker did in the git folder of its clone, or of a submodule in it. */
export interface WorkerCommits {
  /** The commit that it stands on, null where nobody can tell. */
  head: string | null;
  commits: DeltaRecord['commits'];
  problems: TakeProblem[];
}

/**
 * Commits that are reachable from a clone's HEAD and branches and were not there at the start. Its own git folder is
 * read as files and never as a repository: its configuration is the worker's, and may name programs to run.
 */
export async function workerCommits(
  store: GitPlace & { gitDir: string },
  gitDir: string,
  template: string,
  where: BytePath,
): Promise<WorkerCommits> {
  const problem = (what: string, lost = false): TakeProblem => ({ path: gitName(where), what, lost });
  if (!isFile(path.join(gitDir, 'HEAD'))) {
    const what = 'the git folder is gone or damaged: what was committed there is known by its files only';
    return { head: null, commits: [], problems: [problem(what)] };
  }
  const now = readRefs({ gitDir, commonDir: gitDir });
  const before = readRefs({ gitDir: template, commonDir: template });
  const head = headOf(now);
  const known = new Set([...idsOf(before), headOf(before)].filter((id) => id !== null));
  const stash = stashedIds(gitDir);
  const seen = [...idsOf(now), ...stash, ...(head === null ? [] : [head])];
  const wanted = [...new Set(seen)].filter((id) => !known.has(id));
  if (wanted.length === 0) return { head, commits: [], problems: [] };
  const place = { ...store, alternates: [...(store.alternates ?? []), path.join(gitDir, 'objects')] };
  if (isSpecial(path.join(gitDir, 'objects/info/alternates'))) {
    return {
      head,
      commits: [],
      problems: [problem('its objects cannot be read: objects/info/alternates is no file', true)],
    };
  }
  const { tips, missing } = await existing(place, wanted);
  const problems =
    missing.length === 0 ? [] : [problem(`names commits that are not there (${missing[0]?.slice(0, 12)} …)`)];
  if (tips.length === 0) return { head, commits: [], problems };
  const range = [...tips, ...[...known].map((id) => `^${id}`), ''].join('\n');
  if (stash.length > 0 || now.refs['refs/stash'] !== undefined) problems.push(problem(STASHED));
  try {
    const commits = await listCommits(place, range);
    await keepCommits(place, store.gitDir, range);
    const submodule = where === '' ? null : pathToJson(where);
    return { head, commits: commits.map((commit) => ({ ...commit, submodule })), problems };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const said = error.stderr.trim().split('\n')[0]?.slice(0, 120);
    return {
      head,
      commits: [],
      problems: [problem(`its commits cannot be listed and are not kept (git: ${said})`, true)],
    };
  }
}

function isFile(file: string): boolean {
  return lstatOrNone(file)?.isFile() === true;
}

function isSpecial(file: string): boolean {
  const stat = lstatOrNone(file);
  return stat !== undefined && !stat.isFile();
}

/** Every stash but the newest is in the log of the stash alone: `<old id> <new id> …` a line. */
function stashedIds(gitDir: string): string[] {
  const log = path.join(gitDir, 'logs', 'refs', 'stash');
  if (!isFile(log)) return [];
  const lines = readOptional(log).toString('latin1').split('\n');
  return lines.map((line) => line.split(' ')[1] ?? '').filter((id) => OBJECT_ID.test(id));
}

/** Which of these ids are commits or tags that can be read: one that nobody has would hide the others. */
async function existing(
  place: GitPlace,
  ids: readonly string[],
): Promise<{ tips: string[]; missing: string[] }> {
  const text = await gitText(place, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input: `${ids.join('\n')}\n`,
  });
  const found = new Set(
    text.split('\n').flatMap((line) => (/ (?:commit|tag)$/.test(line) ? [line.split(' ')[0] ?? ''] : [])),
  );
  return { tips: ids.filter((id) => found.has(id)), missing: ids.filter((id) => !found.has(id)) };
}

/** Commits on the branch of a worktree, in the user's repository: there they stay. */
export async function branchCommits(set: WorkspaceSet, unit: string): Promise<WorkerCommits> {
  const { head: start } = baseOf(set, unit).record;
  const place = ownerPlace(set.record);
  const branch = `refs/heads/${worktreeBranch(set.record, unit)}`;
  const head = await revision(place, branch);
  if (head === null) {
    const what = `the branch ${branch} is gone: what was committed there is known by its files only`;
    return { head, commits: [], problems: [{ path: gitName('' as BytePath), what, lost: false }] };
  }
  const commits = head === start ? [] : await listCommits(place, `${head}\n^${start}\n`);
  return { head, commits: commits.map((commit) => ({ ...commit, submodule: null })), problems: [] };
}

function gitName(where: BytePath): BytePath {
  return (where === '' ? '.git' : `${where}/.git`) as BytePath;
}

type Refs = Pick<Tripwire, 'head' | 'refs'>;

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

function headOf({ head, refs }: Refs): string | null {
  const id = head?.startsWith('ref: ') ? refs[head.slice(5)] : head;
  return id && OBJECT_ID.test(id) ? id : null;
}

/** Commits and tags that any reference names: branches, tags, the stash. */
function idsOf({ refs }: Refs): string[] {
  return Object.values(refs).filter((id) => OBJECT_ID.test(id));
}

async function listCommits(place: GitPlace, range: string): Promise<{ id: string; subject: string }[]> {
  const argv = ['log', `--max-count=${MAX_COMMITS}`, '--format=%H %s', '--no-show-signature', '--stdin'];
  const text = await gitText(place, argv, { input: range });
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const cut = line.indexOf(' ');
      return { id: line.slice(0, cut), subject: line.slice(cut + 1, cut + 201) };
    });
}

/** Takes the commits into the store: they outlive the clone (promise P6). */
async function keepCommits(place: GitPlace, store: string, range: string): Promise<void> {
  const pack = path.join(store, 'objects', 'pack', 'pack');
  await gitBytes(place, ['pack-objects', '--revs', '--quiet', pack], { input: range });
}
