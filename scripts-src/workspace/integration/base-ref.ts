import { usageError } from '../../platform/errors.ts';
import { type GitPlace, gitText, runGit } from '../../platform/git.ts';
import { revision, type SourceRepository, sourcePlace } from '../base/source-repo.ts';
import { runFetchingGit } from './fetching-git.ts';

/** What an integration branch starts from. */
export interface IntegrationBase {
  /** The name that people know it by: `origin/main`, or what was asked for. */
  ref: string;
  commit: string;
  /** What somebody should know of it, one line each. */
  notes: string[];
}

/** Milliseconds that a remote has to answer: then what was fetched last counts. */
const REMOTE_LIMIT_MS = 60_000;

/**
 * Finds the commit to start from: `wanted`, else the default branch of the remote, fetched first, else HEAD of a clean
 * working tree. A remote that does not answer is a note, and what was fetched last counts. Throws a usage error where
 * nothing can be found, or HEAD would leave work behind.
 */
export async function integrationBase(
  source: SourceRepository,
  wanted: string | undefined,
  say: (text: string) => void,
): Promise<IntegrationBase> {
  const remote = remoteOf(source);
  if (wanted !== undefined) return wantedBase(source, remote, wanted, say);
  if (remote === undefined) return localHead(source, []);
  const place = sourcePlace(source);
  say(`asking ${remote} for its default branch`);
  const known = await defaultBranch(source, place, remote);
  if (known.branch === undefined) {
    return localHead(source, [`${remote} tells no default branch (${known.said}): HEAD is what there is`]);
  }
  const fetched = await fetchBranch(place, remote, known.branch, say);
  const commit = await revision(place, trackingRef(remote, known.branch));
  if (commit !== null) return { ref: `${remote}/${known.branch}`, commit, notes: fetched };
  return localHead(source, [...fetched, `there is no ${remote}/${known.branch} here: HEAD is what there is`]);
}

/** `origin`, else the remote of the current branch, else the only one. */
function remoteOf({ settings, branch }: SourceRepository): string | undefined {
  const names = [...settings.keys()].flatMap((key) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []);
  const own = branch === null ? undefined : settings.get(`branch.${branch}.remote`);
  if (names.includes('origin')) return 'origin';
  if (own !== undefined && names.includes(own)) return own;
  return names[0];
}

function trackingRef(remote: string, branch: string): string {
  return `refs/remotes/${remote}/${branch}`;
}

/** What is known here, else what the remote says, else what was fetched last and can only be it. */
async function defaultBranch(
  source: SourceRepository,
  place: GitPlace,
  remote: string,
): Promise<{ branch: string | undefined; said: string }> {
  const prefix = `ref: refs/remotes/${remote}/`;
  const { refs } = source;
  const head = refs[`refs/remotes/${remote}/HEAD`];
  if (head?.startsWith(prefix)) return { branch: head.slice(prefix.length), said: '' };
  const asked = ['ls-remote', '--symref', remote, 'HEAD'];
  const { stdout, said } = await runFetchingGit(place, asked, REMOTE_LIMIT_MS);
  const told = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(stdout)?.[1];
  return { branch: told ?? likelyBranch(source, remote), said: said || 'it is empty' };
}

/** A fetched branch of a usual name, else the only one, else the one that the current branch follows. */
function likelyBranch({ refs, settings, branch }: SourceRepository, remote: string): string | undefined {
  const prefix = trackingRef(remote, '');
  const fetched = Object.keys(refs)
    .filter((name) => name.startsWith(prefix) && name !== `${prefix}HEAD`)
    .map((name) => name.slice(prefix.length));
  const usual = ['main', 'master'].find((name) => fetched.includes(name));
  if (usual !== undefined) return usual;
  if (fetched.length === 1) return fetched[0];
  const followed = settings.get(`branch.${branch}.merge`)?.replace('refs/heads/', '');
  return fetched.find((name) => name === followed);
}

/** Fetches one branch; why that was not possible, as a note. */
async function fetchBranch(
  place: GitPlace,
  remote: string,
  branch: string,
  say: (text: string) => void,
): Promise<string[]> {
  say(`fetching ${branch} from ${remote}`);
  const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
  const refspec = `+refs/heads/${branch}:${trackingRef(remote, branch)}`;
  const { code, said } = await runFetchingGit(place, ['fetch', ...quiet, remote, refspec], REMOTE_LIMIT_MS);
  return code === 0
    ? []
    : [`${branch} could not be fetched from ${remote} (${said}): what was fetched last counts`];
}

async function wantedBase(
  source: SourceRepository,
  remote: string | undefined,
  wanted: string,
  say: (text: string) => void,
): Promise<IntegrationBase> {
  const place = sourcePlace(source);
  const notes: string[] = [];
  if (wanted.startsWith('-') || wanted === '') throw noSuchRef(source, wanted);
  const ofRemote = remote !== undefined && wanted.startsWith(`${remote}/`);
  if (ofRemote) notes.push(...(await fetchBranch(place, remote, wanted.slice(remote.length + 1), say)));
  const here = await revision(place, wanted);
  if (here !== null) return { ref: wanted, commit: here, notes };
  if (remote !== undefined && !ofRemote && (await isBranchName(place, wanted))) {
    await fetchBranch(place, remote, wanted, say);
    const commit = await revision(place, trackingRef(remote, wanted));
    if (commit !== null) return { ref: `${remote}/${wanted}`, commit, notes };
  }
  throw noSuchRef(source, wanted);
}

async function isBranchName(place: GitPlace, name: string): Promise<boolean> {
  return (await runGit(place, ['check-ref-format', '--branch', name], { answers: [0, 1, 128] })).code === 0;
}

function noSuchRef({ workTree }: SourceRepository, wanted: string) {
  return usageError(
    `--base-ref ${JSON.stringify(wanted.slice(0, 120))} names no commit in ${workTree}`,
    'give a branch, a tag or a commit, such as origin/main or HEAD',
  );
}

/** HEAD, where nothing would be left behind. */
async function localHead(source: SourceRepository, notes: string[]): Promise<IntegrationBase> {
  const { head, branch, workTree } = source;
  if (head === null) {
    throw usageError(`${workTree} has no commit yet`, 'make one first: an integration worktree needs one');
  }
  // What a coordinator keeps there is no work of the user.
  const argv = ['status', '--porcelain', '--untracked-files=normal', '--', '.', ':(exclude,top)agent-io'];
  const status = await gitText(sourcePlace(source), argv);
  if (status === '') return { ref: branch ?? 'HEAD', commit: head, notes };
  const files = status.split('\n');
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  const why = notes.map((note) => `${note}, and `).join('');
  throw usageError(
    `${why}${workTree} has work that is not committed (${files[0]?.slice(3, 123)}${more}), which an integration worktree would not have`,
    'commit it or put it away with git stash -u first, or start without it: --base-ref HEAD',
  );
}
