import { createHash } from 'node:crypto';
import path from 'node:path';
import { type BytePath, bytePath, bytePathOf, shownPath } from '../../platform/byte-path.ts';
import { isPlaceInSet, workspaceOf } from '../workspace-of.ts';
import { refsOfTables } from './ref-tables.ts';
import type { RepositoryChange } from './repository-change.ts';
import {
  lookAtRepository,
  type RepositoryLook,
  type RepositoryPlace,
  type SeenFile,
  type SeenFiles,
} from './repository-look.ts';

/** Newest schema of a fingerprint. */
export const TRIPWIRE_SCHEMA = 1;

/** Fingerprint of a repository: what a worker must not change there. Names are shown as `shownPath` does. */
export interface Tripwire {
  schema: number;
  /** When the repository was read. */
  at: string;
  source: RepositoryPlace;
  /** `ref: <branch>` or an id; null where there is none. */
  head: string | null;
  /** Refs with their values; branches below `prun/` are left out. */
  refs: Record<string, string>;
  /** Hash of each section's lines by `<file> [<section>]`. Never a value, and no subsection: both may hold secrets. */
  config: Record<string, string>;
  /** Mode and hash of each hook. */
  hooks: Record<string, string>;
  /** Linked worktrees by their ids; `own`: prun made it. */
  worktrees: Record<string, { path: string; own: boolean }>;
  /** What could not be read and is not compared. */
  unread: { where: string; why: string }[];
}

/** Takes the fingerprint of a repository as it is now. Never throws: what cannot be read is named in it. */
export function takeTripwire(source: RepositoryPlace): Tripwire {
  return fingerprintOf(source, lookAtRepository(source));
}

/** The fingerprint of a repository that was read before. */
export function fingerprintOf({ gitDir, commonDir }: RepositoryPlace, look: RepositoryLook): Tripwire {
  const unread = look.unread.map(({ where, why }) => ({ where: shownPath(where), why }));
  const { head, refs } = refsOf(look, unread);
  const others = Object.entries(refs).filter(([name]) => !name.startsWith('refs/heads/prun/'));
  return {
    schema: TRIPWIRE_SCHEMA,
    at: look.at,
    source: { gitDir, commonDir },
    head,
    refs: Object.fromEntries(others),
    config: configOf(look),
    hooks: Object.fromEntries([...look.hooks].map(([name, hook]) => [nameIn(name, 'hooks/'), markOf(hook)])),
    worktrees: worktreesOf(look.worktrees),
    unread,
  };
}

/**
 * What is different after `before`. Branches below `prun/` and worktrees that prun made are its own and are left out;
 * so is what one of the two looks could not read.
 */
export function compareTripwire(before: Tripwire, after: Tripwire): RepositoryChange[] {
  const changes: RepositoryChange[] = [
    ...(before.head === after.head ? [] : [changeOf('HEAD', 'HEAD', before.head, after.head)]),
    ...differences('ref', before.refs, after.refs),
    ...differences('config', before.config, after.config).map(withoutValues),
    ...differences('hook', before.hooks, after.hooks).map(withoutValues),
    ...differences('worktree', pathsOf(before.worktrees, after), pathsOf(after.worktrees, before)),
  ];
  const unread = [...before.unread, ...after.unread].map(({ where }) => where);
  return changes.filter((change) => !unread.some((where) => hides(where, change)));
}

/** HEAD and all refs of a repository as they are now, prun's own branches among them. Never throws. */
export function readRefs(place: RepositoryPlace): Pick<Tripwire, 'head' | 'refs'> {
  return refsOf(lookAtRepository(place), []);
}

function refsOf(look: RepositoryLook, unread: Tripwire['unread']): Pick<Tripwire, 'head' | 'refs'> {
  const refs = new Map<BytePath, string>();
  const HEAD = bytePathOf('HEAD');
  let head = valueIn(look.own.get(HEAD));
  if (look.tables) {
    try {
      const common = refsOfTables(look.tables.common);
      const own = refsOfTables(look.tables.own);
      head = own.get(HEAD) ?? common.get(HEAD) ?? null;
      for (const [name, value] of [...common, ...own]) if (name.startsWith('refs/')) refs.set(name, value);
    } catch (error) {
      unread.push({ where: 'reftable', why: error instanceof Error ? error.message : String(error) });
    }
  } else {
    for (const [name, value] of packedRefs(look.common.get(bytePathOf('packed-refs')))) refs.set(name, value);
    for (const [name, file] of look.refs) refs.set(name, valueIn(file) ?? '');
  }
  const shown = [...refs].map(([name, value]) => [shownPath(name), value] as const);
  return { head, refs: Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** Lines of an id and a name; a line with `^` tells what a tag points to. */
function packedRefs(file: SeenFile | undefined): [BytePath, string][] {
  const lines = file?.bytes.toString('latin1').split('\n') ?? [];
  return lines.flatMap((line): [BytePath, string][] => {
    const cut = line.indexOf(' ');
    if (cut < 0 || line.startsWith('#') || line.startsWith('^')) return [];
    return [[line.slice(cut + 1) as BytePath, line.slice(0, cut)]];
  });
}

/** One line; a branch's name in it may be any bytes. */
function valueIn(file: SeenFile | undefined): string | null {
  return file ? shownPath(bytePath(Buffer.from(file.bytes.toString('latin1').trim(), 'latin1'))) : null;
}

function configOf({ common, own }: RepositoryLook): Record<string, string> {
  const sections: [string, string][] = [];
  const files = [
    ['config', common.get(bytePathOf('config'))],
    ['config.worktree', own.get(bytePathOf('config.worktree'))],
    ['config.worktree of the main worktree', common.get(bytePathOf('config.worktree'))],
  ] as const;
  for (const [name, file] of files) {
    if (!file) continue;
    for (const [section, lines] of sectionsOf(file.bytes.toString('latin1'))) {
      sections.push([`${name} [${section}]`, hashOf(Buffer.from(lines, 'latin1'))]);
    }
  }
  return Object.fromEntries(sections);
}

/** Lines by section, all sections of one name together. What git notes of prun's own branches is left out. */
function sectionsOf(text: string): Map<string, string> {
  const sections = new Map<string, string>();
  let section = '';
  let isOwn = false;
  for (const line of text.split('\n')) {
    const header = /^\s*\[\s*([A-Za-z0-9-]+)(.*)/.exec(line);
    if (header) {
      section = header[1]?.toLowerCase() ?? '';
      isOwn = section === 'branch' && /^\s+"prun\//.test(header[2] ?? '');
    }
    if (!isOwn && line.trim() !== '') sections.set(section, `${sections.get(section) ?? ''}${line}\n`);
  }
  return sections;
}

function worktreesOf(files: SeenFiles): Tripwire['worktrees'] {
  const found: [string, { path: string; own: boolean }][] = [];
  for (const [where, file] of files) {
    if (!where.endsWith('/gitdir')) continue;
    const entry = where.slice(0, -'/gitdir'.length) as BytePath;
    const link = file.bytes.toString('utf8').trim();
    const head = files.get(`${entry}/HEAD` as BytePath)?.bytes.toString('latin1') ?? '';
    // While git makes one, it has neither its branch nor its record.
    const place = path.dirname(link);
    const own =
      head.startsWith('ref: refs/heads/prun/') || isPlaceInSet(place) || workspaceOf(place) !== undefined;
    const shown = shownPath(bytePathOf(link.replace(/[\\/]\.git$/, '')));
    found.push([nameIn(entry, 'worktrees/'), { path: shown, own }]);
  }
  return Object.fromEntries(found);
}

function pathsOf(worktrees: Tripwire['worktrees'], other: Tripwire): Record<string, string> {
  const others = Object.entries(worktrees).filter(([id, { own }]) => !own && !other.worktrees[id]?.own);
  return Object.fromEntries(others.map(([id, worktree]) => [id, worktree.path]));
}

function differences(
  what: RepositoryChange['what'],
  before: Record<string, string>,
  after: Record<string, string>,
): RepositoryChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => changeOf(what, name, before[name] ?? null, after[name] ?? null));
}

function changeOf(
  what: RepositoryChange['what'],
  name: string,
  before: string | null,
  after: string | null,
): RepositoryChange {
  const change = before === null ? 'added' : after === null ? 'removed' : 'changed';
  return { what, name, change, ...(before === null ? {} : { before }), ...(after === null ? {} : { after }) };
}

function withoutValues({ what, name, change }: RepositoryChange): RepositoryChange {
  return { what, name, change };
}

/** Whether a difference may be due to something that was not read. */
function hides(where: string, { what, name }: RepositoryChange): boolean {
  if (what === 'ref' && ['packed-refs', 'reftable'].includes(where)) return true;
  if (what === 'HEAD' && where === 'reftable') return true;
  if (what === 'config') return name.startsWith(`${where} `);
  const folders = { ref: '', HEAD: '', hook: 'hooks/', worktree: 'worktrees/' };
  const file = folders[what] + name;
  return file === where || file.startsWith(`${where}/`) || where.startsWith(`${file}/`);
}

function nameIn(where: BytePath, folder: string): string {
  return shownPath(where.slice(folder.length) as BytePath);
}

function markOf({ mode, bytes }: SeenFile): string {
  return `${mode.toString(8)} ${hashOf(bytes)}`;
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
