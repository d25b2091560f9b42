import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, joinPaths } from '../../platform/byte-path.ts';
import { PRIVATE_DIR, PRIVATE_FILE } from '../../platform/files.ts';
import type { GitPlace } from '../../platform/git.ts';
import { leftOutFile, SET_FILES, unseenFile } from '../workspace-set.ts';
import type { BasePart } from './base-parts.ts';
import { makeGitTemplate } from './git-template.ts';
import { indexLines, type TreeEntry } from './index-entries.ts';

/** Makes what every clone of a base starts with, for the repository and each submodule, in the base's folder. */
export async function makeTemplates(
  folder: string,
  parts: readonly BasePart[],
  place: GitPlace,
  finalStore: string,
): Promise<void> {
  mkdirSync(path.join(folder, SET_FILES.templates), { mode: PRIVATE_DIR });
  for (const [n, part] of parts.entries()) {
    const template = path.join(folder, SET_FILES.templates, String(n));
    mkdirSync(template, { mode: PRIVATE_DIR });
    await makeGitTemplate(template, part, n, place, finalStore);
    writePartLists(folder, n, part);
  }
}

/** Writes what of a part is in no tree of files: its submodules, and what the user leaves out of the working tree. */
export function writePartLists(
  folder: string,
  n: number,
  { links, leftOut }: { links: readonly BytePath[]; leftOut: readonly TreeEntry[] },
): void {
  const unseen = [...links, ...leftOut.map(({ path: where }) => where)];
  if (unseen.length > 0) writeFileSync(unseenFile({ folder }, n), joinPaths(unseen), { mode: PRIVATE_FILE });
  if (leftOut.length > 0) {
    writeFileSync(leftOutFile({ folder }, n), indexLines(leftOut), { mode: PRIVATE_FILE });
  }
}
