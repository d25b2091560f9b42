import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_DIR, renameRetrying, temporaryBeside } from '../platform/files.ts';
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
