import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathFromJson, splitPaths } from '../../platform/byte-path.ts';
import { gitFolderOf, wayUp } from '../base/git-template.ts';
import { folderAt } from '../base/snapshot-source.ts';
import { readOptional } from '../read-optional.ts';
import { SET_FILES, unseenFile, type WorkspaceBase, type WorkspaceSet } from '../workspace-set.ts';
import type { DraftWorkspace } from './draft-workspace.ts';
import { keepIndex, writeFiles } from './write-files.ts';

/**
 * Fills a draft with a clone of a base: git folder, files, and private indexes beside its records. `writers` threads
 * write its files.
 */
export async function fillClone(
  set: WorkspaceSet,
  base: WorkspaceBase,
  draft: DraftWorkspace,
  writers: number,
): Promise<void> {
  const { folder, records } = draft;
  const submodules = base.record.submodules.map(({ path: where }) => pathFromJson(where));
  for (const [n, where] of [undefined, ...submodules].entries()) {
    const gitDir = path.join(folder, gitFolderOf(n));
    cpSync(path.join(base.folder, SET_FILES.templates, String(n)), gitDir, { recursive: true });
    const workTree = where === undefined ? folder : folderAt(folder, where);
    if (where !== undefined) {
      mkdirSync(workTree, { recursive: true });
      writeFileSync(path.join(workTree, '.git'), `gitdir: ${wayUp(where)}${gitFolderOf(n)}\n`);
    }
    const place = { gitDir, workTree, indexFile: path.join(gitDir, 'index') };
    await writeFiles(place, writers);
    await keepIndex(
      place,
      path.join(records, `index-${n}`),
      splitPaths(readOptional(unseenFile(base, n))),
      set.record.objectFormat,
    );
  }
}
