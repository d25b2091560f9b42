import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import type { InstallArguments } from './install-arguments.ts';

/** Refuses a project that is not there: a mistyped name would become a folder. */
export function requireBase({ scope, base }: InstallArguments): void {
  if (scope === 'user' || statSync(base, { throwIfNoEntry: false })?.isDirectory()) return;
  throw usageError(`${base} is no folder`, 'give the project with --project <folder>');
}

/** Refuses a place in the folder that is put there. */
export function refuseInside(source: string, target: string): void {
  if (source === target || !liesIn(target, source)) return;
  throw usageError(
    `${target} lies in the prun folder ${source} itself`,
    'go to your project, or name it with --project <folder>',
  );
}

/** The real path of a place, which need not be there yet. */
export function realPathOf(target: string): string {
  try {
    return realpathSync(target);
  } catch {
    const above = path.dirname(target);
    return above === target ? target : path.join(realPathOf(above), path.basename(target));
  }
}

/** Whether a place is a folder, or lies in it. Both are real paths. */
export function liesIn(place: string, folder: string): boolean {
  const below = path.relative(folder, place);
  return below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
}
