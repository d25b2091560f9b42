import path from 'node:path';

/** The folder at the top of a target in which a change is prepared: on the same file system, so that renames do. */
export const STAGING_NAME = '.prun-apply';

/** Where a change works. Folders are absolute. */
export interface ChangePlace {
  /** Top of the working tree. */
  root: string;
  /** The change's folder at the top of it, from the start. */
  staging: string;
  /** The folder of its journal. */
  folder: string;
}

/** The staging folder of a target. */
export function stagingOf(root: string): string {
  return path.join(root, STAGING_NAME);
}

/** What is to stand at the n-th path. */
export function newFile({ staging }: ChangePlace, n: number): string {
  return path.join(staging, 'new', String(n));
}

/** What stood at the n-th path, once it has been moved away. */
export function oldFile({ staging }: ChangePlace, n: number): string {
  return path.join(staging, 'old', String(n));
}
