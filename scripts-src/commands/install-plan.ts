import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { lstatOrNone } from '../platform/files.ts';
import { type InstallManifest, knownRows, MANIFEST, type ManifestRow, sha256Of } from './install-manifest.ts';
import type { SkillFile } from './install-source.ts';

/** Folder in an installed one that holds what `prun install` has replaced though it was changed by somebody. */
export const KEPT_FOLDER = '.prun-kept';
/** Begins the names of what an install has under way; a killed one leaves it, the next one removes it. */
export const STAGE_PREFIX = '.prun-install-';

/** What an install does to a folder, by path in it. Rows of `drop` are what stands there now. */
export interface InstallPlan {
  add: SkillFile[];
  /** As prun put it there, and another one now. */
  replace: SkillFile[];
  /** Not as prun put it there: the old one is kept. */
  changed: SkillFile[];
  /** Only the mode is wrong. */
  mode: SkillFile[];
  same: SkillFile[];
  /** What an older prun put there and this one does not have. */
  drop: ManifestRow[];
  /** The user's. */
  own: string[];
}

/** Compares a folder with what is to be in it. Throws a usage error where something stands in the way. */
export function planInstall(
  folder: string,
  files: readonly SkillFile[],
  manifest: InstallManifest | undefined,
): InstallPlan {
  const plan: InstallPlan = { add: [], replace: [], changed: [], mode: [], same: [], drop: [], own: [] };
  const known = knownRows(manifest);
  for (const file of files) plan[verdictOn(folder, file, known)].push(file);
  const names = new Set(files.map(({ file }) => file));
  for (const name of filesBelow(folder, '')) {
    if (names.has(name)) continue;
    const now = knownRowNow(folder, name, known);
    if (now) plan.drop.push(now);
    else plan.own.push(name);
  }
  return plan;
}

/** What an uninstall does to a folder. */
export interface RemovalPlan {
  remove: ManifestRow[];
  /** prun's, but not as prun put it there. */
  changed: string[];
  own: string[];
}

/** Compares a folder with what prun install put there. */
export function planRemoval(folder: string, manifest: InstallManifest): RemovalPlan {
  const plan: RemovalPlan = { remove: [], changed: [], own: [] };
  const known = knownRows(manifest);
  for (const name of filesBelow(folder, '')) {
    const now = knownRowNow(folder, name, known);
    if (now) plan.remove.push(now);
    else if (known.some(({ file }) => file === name)) plan.changed.push(name);
    else plan.own.push(name);
  }
  return plan;
}

function verdictOn(
  folder: string,
  file: SkillFile,
  known: readonly ManifestRow[],
): 'add' | 'replace' | 'changed' | 'mode' | 'same' {
  if (!isFileBelow(folder, file.file)) return 'add';
  const now = rowNow(folder, file.file);
  if (now.sha256 !== file.sha256) return isKnown(known, now) ? 'replace' : 'changed';
  if (process.platform === 'win32') return 'same';
  return (lstatSync(path.join(folder, file.file)).mode & 0o777) === file.mode ? 'same' : 'mode';
}

/** Whether a file is there. Nothing is ever written through a link, nor where a folder or a pipe stands. */
function isFileBelow(folder: string, name: string): boolean {
  const parts = name.split('/');
  for (let depth = 1; depth <= parts.length; depth++) {
    const where = path.join(folder, ...parts.slice(0, depth));
    const stat = lstatOrNone(where);
    if (stat === undefined) return false;
    if (depth === parts.length ? stat.isFile() : stat.isDirectory()) continue;
    const what = stat.isSymbolicLink() ? 'a link' : depth < parts.length ? 'no folder' : 'no file';
    throw usageError(
      `${where} is ${what}`,
      'prun install did not make it so: move it away, and run it again',
    );
  }
  return true;
}

/** The row of a file that is as prun put it there; undefined for any other. Reads nothing that is not prun's by name. */
function knownRowNow(folder: string, name: string, known: readonly ManifestRow[]): ManifestRow | undefined {
  if (!known.some(({ file }) => file === name)) return undefined;
  if (!lstatSync(path.join(folder, name)).isFile()) return undefined;
  const now = rowNow(folder, name);
  return isKnown(known, now) ? now : undefined;
}

function rowNow(folder: string, file: string): ManifestRow {
  const data = readFileSync(path.join(folder, file));
  return { file, bytes: data.length, sha256: sha256Of(data) };
}

function isKnown(known: readonly ManifestRow[], now: ManifestRow): boolean {
  return known.some(({ file, sha256 }) => file === now.file && sha256 === now.sha256);
}

/** Everything below a folder that is not a folder, but for what prun install itself keeps there. */
function filesBelow(folder: string, below: string): string[] {
  return readdirSync(path.join(folder, below), { withFileTypes: true })
    .filter(({ name }) => below !== '' || !(name === MANIFEST || name.startsWith(STAGE_PREFIX)))
    .flatMap((entry) => {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (name === KEPT_FOLDER) return [];
      return entry.isDirectory() ? filesBelow(folder, name) : [name];
    })
    .sort();
}
