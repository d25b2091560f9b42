import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToJson } from '../../platform/byte-path.ts';
import { PRIVATE_DIR } from '../../platform/files.ts';
import type { GitPlace } from '../../platform/git.ts';
import type { BaseRecord } from '../records.ts';
import { SET_FILES, storeOf, type WorkspaceSet } from '../workspace-set.ts';
import { countBaseFiles } from './base-files.ts';
import { baseNote } from './base-note.ts';
import { commitParts } from './base-parts.ts';
import { sourceLineage } from './lineage.ts';
import { takeAllObjects } from './object-store.ts';
import { finishBase, type OwnBase } from './own-base.ts';
import { objectDirsOf, snapshotSource } from './snapshot-source.ts';
import type { SourceRepository } from './source-repo.ts';
import { makeTemplates } from './templates.ts';

/**
 * Makes a base of the user's tree as it is now, in the set's store; its other files go into `folder`. Undefined where
 * that is the set's own base. Of the user's repository nothing changes.
 */
export async function baseAsItStands(
  set: WorkspaceSet,
  source: SourceRepository,
  folder: string,
): Promise<OwnBase | undefined> {
  const store = storeOf(set);
  const scratch = path.join(folder, 'scratch');
  mkdirSync(scratch, { mode: PRIVATE_DIR });
  const snapshot = await snapshotSource(source, { gitDir: store }, scratch);
  const { base, id, objectFormat } = set.record;
  const isSame =
    snapshot.tree === base.tree &&
    source.head === base.head &&
    source.branch === base.branch &&
    snapshot.submodules.length === base.submodules.length;
  if (isSame) return undefined;
  const alternates = [...source.objectDirs, ...objectDirsOf(snapshot.submodules)];
  const place: GitPlace = { gitDir: store, alternates };
  const parts = await commitParts(source, snapshot, { gitDir: store, alternates }, scratch);
  // Last, so that the store has everything that was seen meanwhile.
  for (const part of parts) await takeAllObjects(store, part.source);
  await makeTemplates(folder, parts, place, store);
  const files = await countBaseFiles(place, source.workTree, snapshot.tree);
  const record: BaseRecord = {
    tree: snapshot.tree,
    commit: parts[0]?.commit ?? '',
    head: source.head,
    branch: source.branch,
    files: files.count,
    bytes: files.bytes,
    submodules: parts.slice(1).map((part) => ({
      path: pathToJson(part.path),
      commit: part.commit,
      store: SET_FILES.store,
    })),
  };
  const note = await baseNote(place, { ...set.record, base: record }, source, snapshot, files.pointers);
  rmSync(scratch, { recursive: true });
  const lineage = await sourceLineage({ gitDir: store }, base.tree, snapshot.tree, objectFormat);
  const title = `# Base of ${id}, the tree as it stood at ${new Date().toISOString().slice(0, 19)}Z\n`;
  return finishBase(folder, record, note.replace(/^.*\n/, title), {
    kind: 'as-it-stands',
    units: [],
    lineage,
  });
}
