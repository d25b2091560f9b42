import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../platform/errors.ts';
import { faultPoint } from '../platform/fault.ts';
import { renameRetrying } from '../platform/files.ts';
import { makeFolders } from '../platform/make-folders.ts';
import type { ProcessHost } from '../process/types.ts';
import {
  type InstallManifest,
  knownRows,
  MANIFEST,
  manifestOf,
  manifestText,
  writeManifest,
} from './install-manifest.ts';
import { type InstallPlan, KEPT_FOLDER, type RemovalPlan } from './install-plan.ts';
import type { SkillFile, SkillSource } from './install-source.ts';
import {
  makeFoldersFor,
  makeOpenFolder,
  openStage,
  removeDeadStages,
  writeFiles,
  writeNew,
} from './install-stage.ts';

/** Puts a whole prun folder where nothing stands, or an empty folder: one rename, so that it is all there or not at all. */
export function putFolder(host: ProcessHost, target: string, source: SkillSource): void {
  const skills = path.dirname(target);
  // With the user's own umask: these folders are not prun's alone.
  makeFolders(skills, 0o777);
  removeDeadStages(host, skills);
  const stage = openStage(host, skills);
  try {
    // One folder deeper: the host takes a folder with a SKILL.md in it for a skill.
    const made = path.join(stage, 'prun');
    makeOpenFolder(made);
    writeFiles(made, source.files);
    writeNew(path.join(made, MANIFEST), manifestText(manifestOf(source.version, source.files)), 0o644);
    faultPoint('install:staged', skills);
    // Windows renames onto no folder, not even an empty one.
    if (existsSync(target)) rmdirSync(target);
    renameRetrying(made, target);
    faultPoint('install:put', skills);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** What an upgrade goes by. */
export interface Upgrade {
  folder: string;
  source: SkillSource;
  plan: InstallPlan;
  old: InstallManifest | undefined;
  /** Files of `plan.drop` that stay for now. */
  stays: readonly string[];
  /** Puts somebody behind this process who ends the work when it is killed; called with the folder of what is under way. */
  standBehind(stage: string): Promise<{ release(): void }>;
}

/**
 * Brings a prun folder up to date while others use it. Everything is written beside first; then file after file is replaced
 * by a rename, so that whoever starts a script by its path, a guardian among them, finds the old one or the new one, whole.
 * Scripts go first and SKILL.md last: the texts never name what the scripts cannot do yet. The manifest decides: before it
 * names both versions a killed upgrade has changed nothing, afterwards its guardian, or the next install, goes on. When the
 * system refuses in the middle, all is put back. Returns where changed files are kept, or null.
 */
export async function replaceFiles(host: ProcessHost, upgrade: Upgrade): Promise<string | null> {
  const { folder, plan } = upgrade;
  removeDeadStages(host, folder);
  const stage = openStage(host, folder);
  try {
    const wanted = [...plan.add, ...plan.replace, ...plan.changed, ...plan.mode].sort(byOrder);
    const made = path.join(stage, 'new');
    mkdirSync(made);
    writeFiles(made, wanted);
    faultPoint('install:staged', folder);
    const guardian = await upgrade.standBehind(stage);
    try {
      const kept = keepChanged(folder, stage, plan.changed);
      swapVersions(upgrade, stage, wanted, kept);
      return kept;
    } finally {
      guardian.release();
    }
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function swapVersions(
  { folder, source, plan, old, stays }: Upgrade,
  stage: string,
  wanted: readonly SkillFile[],
  kept: string | null,
): void {
  const staying = plan.drop.filter(({ file }) => stays.includes(file));
  const rows = [...source.files, ...staying];
  try {
    writeManifest(folder, manifestOf(source.version, rows, [...knownRows(old), ...plan.drop]));
    faultPoint('install:recorded', folder);
    swapAll(folder, stage, wanted);
  } catch (error) {
    if (kept !== null) rmSync(kept, { recursive: true, force: true });
    putManifestBack(folder, old);
    throw error;
  }
  const gone = plan.drop.filter((one) => !staying.includes(one)).map(({ file }) => file);
  removeAll(folder, gone);
  faultPoint('install:replaced', folder);
  writeManifest(folder, manifestOf(source.version, rows));
}

/**
 * Removes what prun install put into a folder: SKILL.md first, so that nobody starts what is half gone, and the manifest last,
 * so that one that is killed can be run again. The folder goes when nothing is left in it.
 */
export function removeFiles(host: ProcessHost, folder: string, plan: RemovalPlan): void {
  removeDeadStages(host, folder);
  const files = plan.remove.map(({ file }) => ({ file })).sort(byOrder);
  const [first, ...others] = files.reverse();
  if (first) removeAll(folder, [first.file]);
  faultPoint('install:removing', folder);
  removeAll(
    folder,
    others.map(({ file }) => file),
  );
  rmSync(path.join(folder, MANIFEST), { force: true });
  removeEmpty(folder);
}

function byOrder(a: { file: string }, b: { file: string }): number {
  return orderOf(a.file) - orderOf(b.file) || (a.file < b.file ? -1 : 1);
}

function orderOf(file: string): number {
  if (file === 'SKILL.md') return 2;
  return file.startsWith('scripts/') ? 0 : 1;
}

/** Copies of files that somebody changed, all there or none, under a name that sorts by time. */
function keepChanged(folder: string, stage: string, changed: readonly SkillFile[]): string | null {
  if (changed.length === 0) return null;
  const made = path.join(stage, 'kept');
  mkdirSync(made);
  for (const { file } of changed) {
    makeFoldersFor(made, file);
    copyFileSync(path.join(folder, file), path.join(made, file));
  }
  const home = path.join(folder, KEPT_FOLDER);
  makeOpenFolder(home);
  const name = new Date().toISOString().replace(/[:.]/g, '-');
  const kept = path.join(home, name);
  renameRetrying(made, kept);
  return kept;
}

/** Replaces files one by one. Throws the system's error after everything is as it was. */
function swapAll(folder: string, stage: string, files: readonly SkillFile[]): void {
  const before = path.join(stage, 'old');
  mkdirSync(before);
  const done: string[] = [];
  try {
    for (const { file } of files) {
      const target = path.join(folder, file);
      makeFoldersFor(folder, file);
      makeFoldersFor(before, file);
      holdOld(target, path.join(before, file));
      renameRetrying(path.join(stage, 'new', file), target);
      done.push(file);
      faultPoint(`install:swapped-${done.length}`, folder);
    }
  } catch (error) {
    for (const file of done.reverse()) {
      const old = path.join(before, file);
      if (existsSync(old)) renameRetrying(old, path.join(folder, file));
      else unlinkSync(path.join(folder, file));
    }
    throw error;
  }
}

function holdOld(file: string, held: string): void {
  try {
    linkSync(file, held);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    // A file system without hard links.
    copyFileSync(file, held);
  }
}

function putManifestBack(folder: string, old: InstallManifest | undefined): void {
  if (old === undefined) rmSync(path.join(folder, MANIFEST), { force: true });
  else writeManifest(folder, old);
}

function removeAll(folder: string, files: readonly string[]): void {
  for (const file of files) {
    rmSync(path.join(folder, file), { force: true });
    for (let dir = path.dirname(file); dir !== '.'; dir = path.dirname(dir)) {
      if (!removeEmpty(path.join(folder, dir))) break;
    }
  }
}

function removeEmpty(folder: string): boolean {
  if (existsSync(folder) && readdirSync(folder).length > 0) return false;
  try {
    rmdirSync(folder);
  } catch (error) {
    // Somebody has put something there meanwhile, or it has gone.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errnoOf(error) ?? '')) throw error;
    return false;
  }
  return true;
}
