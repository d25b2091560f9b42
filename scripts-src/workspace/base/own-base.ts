import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_DIR, PRIVATE_FILE } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { type BaseRecord, WORKSPACE_SCHEMA, type WorkspaceOrigin } from '../records.ts';
import { BASE_RECORD, SET_FILES, type WorkspaceBase, type WorkspaceSet } from '../workspace-set.ts';
import { removeDeadDrafts } from './dead-drafts.ts';

/** A base of one workspace alone, and what it is made of. */
export interface OwnBase extends WorkspaceBase {
  origin: WorkspaceOrigin;
}

/**
 * Opens a folder for a base that is being made, and removes it when `work` has ended: each workspace gets a copy of it.
 * What killed calls have left goes as well.
 */
export async function withBaseDraft<T>(set: WorkspaceSet, work: (folder: string) => Promise<T>): Promise<T> {
  removeDeadDrafts(set.folder);
  const folder = path.join(set.folder, `.base-${process.pid}-${randomHex(8)}.draft`);
  mkdirSync(folder, { mode: PRIVATE_DIR });
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Writes what belongs to a base beside its templates. */
export function finishBase(
  folder: string,
  record: BaseRecord,
  note: string,
  origin: WorkspaceOrigin,
): OwnBase {
  const write = (name: string, text: string): void =>
    writeFileSync(path.join(folder, name), text, { mode: PRIVATE_FILE });
  write(SET_FILES.note, note);
  write(BASE_RECORD, `${JSON.stringify({ schema: WORKSPACE_SCHEMA, base: record }, null, 2)}\n`);
  return { folder, record, origin };
}
