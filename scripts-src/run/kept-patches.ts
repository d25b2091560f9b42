import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { entriesOf, PRIVATE_DIR, renameRetrying, temporaryBeside } from '../platform/files.ts';
import type { Run } from './run-folder.ts';

/** Where the patch of a unit lies after the store of the run's workspaces has been removed. */
export function keptPatch(run: Pick<Run, 'folder'>, unit: string): string {
  return path.join(run.folder, 'patches', `${unit}.patch`);
}

/** Keeps a unit's patch with the run, whole or not at all. Throws the system's error, as on a full disk. */
export function keepPatch(run: Pick<Run, 'folder'>, unit: string, patch: string): string {
  const kept = keptPatch(run, unit);
  mkdirSync(path.dirname(kept), { recursive: true, mode: PRIVATE_DIR });
  const temporary = temporaryBeside(kept);
  try {
    copyFileSync(patch, temporary);
    renameRetrying(temporary, kept);
  } finally {
    rmSync(temporary, { force: true });
  }
  return kept;
}

/** A file that is kept with the patches of a run. */
export interface KeptPatch {
  file: string;
  /** Its name without its ending: the unit, `<unit>.<n>` for an earlier attempt, `integration`. */
  name: string;
}

/** What lies in the folder of a run's kept patches, by name. */
export function keptPatches(run: Pick<Run, 'folder'>): KeptPatch[] {
  const folder = path.dirname(keptPatch(run, 'any'));
  return entriesOf(folder)
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.patch') || name.endsWith('.bundle'))
    .sort()
    .map((name) => ({ file: path.join(folder, name), name: name.replace(/\.(?:patch|bundle)$/, '') }));
}
