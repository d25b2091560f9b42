import { type BytePath, bytePathOf } from '../../platform/byte-path.ts';

/** The folders that git's warnings name because this user may not read them, in order, each once. Pure. */
export function closedFoldersIn(stderr: string): BytePath[] {
  const named = [...stderr.matchAll(/^warning: could not open directory '(.+?)\/?': Permission denied$/gm)];
  return [...new Set(named.map(([, folder = '']) => bytePathOf(folder)))];
}
