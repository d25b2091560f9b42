import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, below, fileAt, shownPath } from '../platform/byte-path.ts';
import { lstatOrNone, readEnd } from '../platform/files.ts';
import { type GitPlace, gitBytes } from '../platform/git.ts';
import { homeFolder } from '../platform/home-folder.ts';
import { sha256 } from './fingerprint.ts';

/** Where a work tree and its repository are. Absolute. */
export interface TreePlace {
  workTree: string;
  gitDir: string;
  commonDir: string;
}

/**
 * What git knows beside the files, as one look found it: text for comparison by name of the thing. A difference in any
 * of them means that git's own view of the tree has changed.
 */
export type GitFacts = Map<string, string>;

/**
 * Reads what decides how git sees the tree: the index with its hidden bits, HEAD and its last moves, the rules of what is
 * ignored and converted, and whether `.git` still is the same one. The user's index is read and never written.
 */
export async function readGitFacts(place: TreePlace): Promise<GitFacts> {
  const facts: GitFacts = new Map();
  const git: GitPlace = { gitDir: place.gitDir, workTree: place.workTree, asUser: true };
  facts.set('.git', gitIdentity(place));
  facts.set('HEAD', headTrace(place));
  // -v shows assume-unchanged and skip-worktree, to which git status is blind.
  facts.set(INDEX, (await gitBytes(git, ['ls-files', '-z', '--stage', '-v'])).toString('latin1'));
  const settings = await readSettings(git);
  for (const [key, value] of settings) facts.set(`the setting ${key}`, value);
  for (const file of ruleFiles(place, settings)) facts.set(file, contentHash(file));
  return facts;
}

const INDEX = 'the index';

/** The first thing that differs, undefined where nothing does. */
export function factDifference(before: GitFacts, now: GitFacts): string | undefined {
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    if (before.get(name) === now.get(name)) continue;
    if (name === '.git') return '.git is not the same any more';
    if (name === 'HEAD') return 'HEAD was moved (commit, reset or checkout), even if it is back';
    if (name === INDEX) return `${name} was changed: ${changedEntry(before.get(name), now.get(name))}`;
    return `${name} was changed`;
  }
  return undefined;
}

/** The first path whose entry is another one, or is new or gone. */
function changedEntry(before = '', now = ''): string {
  const [old, young] = [new Set(before.split('\0')), new Set(now.split('\0'))];
  const entry = [...old].find((one) => !young.has(one)) ?? [...young].find((one) => !old.has(one)) ?? '';
  return shownPath(entry.slice(entry.indexOf('\t') + 1) as BytePath);
}

/** `.git` itself, and the folders that it leads to. */
function gitIdentity({ workTree, gitDir, commonDir }: TreePlace): string {
  const dotGit = lstatOrNone(path.join(workTree, '.git'));
  const parts = [dotGit && `${dotGit.dev}:${dotGit.ino}:${dotGit.mode & 0o170000}`];
  if (dotGit?.isFile()) parts.push(readEnd(path.join(workTree, '.git'), 4096));
  for (const folder of [gitDir, commonDir]) {
    const stat = statSync(folder, { throwIfNoEntry: false });
    parts.push(stat && `${stat.dev}:${stat.ino}`);
  }
  return parts.map((part) => part ?? 'none').join('\n');
}

/** Where HEAD points, when its file was last written, and the last line of its log: a move and the way back show in both. */
function headTrace({ gitDir }: TreePlace): string {
  const head = path.join(gitDir, 'HEAD');
  const stat = statSync(head, { bigint: true, throwIfNoEntry: false });
  const lastMove =
    readEnd(path.join(gitDir, 'logs', 'HEAD'), 4096)
      .trimEnd()
      .split('\n')
      .at(-1) ?? '';
  return [readEnd(head, 4096), stat ? `${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}` : '', lastMove].join(
    '\n',
  );
}

/** Settings that do not change what git sees of a tree. Installers such as husky set a hooks path in every build. */
const HARMLESS =
  /^core\.(?:hookspath|editor|pager|askpass|sshcommand|fsmonitor|untrackedcache|splitindex|compression|loosecompression|packed\w+|delta\w+|bigfilethreshold|commitgraph|multipackindex|logallrefupdates|fsync\w*|abbrev|quotepath|preloadindex|commentchar|commentstring|notesref|createobject|sharedrepository|warnambiguousrefs|repositoryformatversion|bare)$/;

async function readSettings(git: GitPlace): Promise<Map<string, string>> {
  const listed = await gitBytes(git, ['config', '--list', '-z']);
  const found = new Map<string, string>();
  for (const entry of listed.toString('utf8').split('\0').filter(Boolean)) {
    const cut = entry.indexOf('\n');
    const key = cut < 0 ? entry : entry.slice(0, cut);
    if (!/^(?:core|filter|extensions)\./.test(key) || HARMLESS.test(key)) continue;
    found.set(key, `${found.get(key) ?? ''}\n${cut < 0 ? 'true' : entry.slice(cut + 1)}`);
  }
  return found;
}

/** Files outside the tree that say what is ignored, how content is converted, and which parents commits have. */
function ruleFiles(
  { gitDir, commonDir, workTree }: TreePlace,
  settings: ReadonlyMap<string, string>,
): string[] {
  const configHome = process.env.XDG_CONFIG_HOME || path.join(homeFolder(), '.config');
  const named = (key: string, usual: string): string => {
    const value = settings.get(key)?.split('\n').at(-1);
    if (!value) return path.join(configHome, 'git', usual);
    return path.resolve(workTree, value.replace(/^~(?=\/)/, homeFolder()));
  };
  const inCommon = ['info/exclude', 'info/attributes', 'info/grafts'].map((name) =>
    path.join(commonDir, name),
  );
  return [
    ...inCommon,
    path.join(gitDir, 'info/sparse-checkout'),
    named('core.excludesfile', 'ignore'),
    named('core.attributesfile', 'attributes'),
  ];
}

/** What git reads beside the files of a folder. */
const FOLDER_RULES = ['.gitignore', '.gitattributes'];

/**
 * Rules in folders that the commit has: a new `.gitignore` that names itself would hide every new file beside it. A folder
 * that a tool has made for itself may have its own.
 */
export function readFolderRules({ workTree }: TreePlace, folders: Iterable<BytePath>): GitFacts {
  const facts: GitFacts = new Map();
  for (const folder of folders) {
    for (const name of FOLDER_RULES) {
      const file = below(folder, name as BytePath);
      facts.set(shownPath(file), contentHash(fileAt(workTree, file)));
    }
  }
  return facts;
}

function contentHash(file: string | Buffer): string {
  try {
    return sha256(readFileSync(file));
  } catch {
    // Not there, or closed: then git does not read it either.
    return 'none';
  }
}

/** What `git status` says of a tree. */
export interface TreeStatus {
  head: string;
  /** What is not as in HEAD, one line each, at most 3, and how many more. */
  changes: string[];
}

/** Compares files, a private index and HEAD, without the user's index; a submodule's content is not looked at. */
export async function readStatus(git: GitPlace): Promise<TreeStatus> {
  const flags = ['--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--ignore-submodules=all'];
  const output = (await gitBytes(git, ['status', ...flags, '--no-renames'])).toString('latin1');
  let head = '';
  const changes: string[] = [];
  for (const entry of output.split('\0').filter(Boolean)) {
    if (entry.startsWith('# branch.oid ')) head = entry.slice('# branch.oid '.length);
    else if (!entry.startsWith('# ')) changes.push(changeText(entry));
  }
  const more = changes.length - 3;
  return { head, changes: more > 0 ? [...changes.slice(0, 3), `${more} more`] : changes };
}

/** `1 XY sub mH mI mW hH hI path`, `u XY …` with three more, `? path` (git-status(1), Porcelain Format Version 2). */
function changeText(entry: string): string {
  const [kind = '', xy = ''] = entry.split(' ', 2);
  const fields = kind === '1' ? 8 : kind === 'u' ? 10 : 1;
  const where = shownPath(entry.split(' ').slice(fields).join(' ') as BytePath);
  if (kind === '?') return `${where} is not in the commit`;
  return `${where} ${xy.includes('D') ? 'is missing' : 'is not as in the commit'}`;
}
