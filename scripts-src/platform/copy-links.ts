import path from 'node:path';

/** Two folders that stand for each other: what a link names below `from` has its counterpart below `to`. */
export interface LinkRoots {
  /** Absolute; every spelling by which links may name it (as given, and with links resolved). */
  from: readonly string[];
  to: string;
}

/** What becomes of a link in a copy. */
export interface CopiedLink {
  target: string;
  /** It names something outside `from`: whoever writes through it reaches the same file as before. */
  leadsOut: boolean;
}

/**
 * The target that a link has in the copy. Absolute targets below `from` are re-pointed to their counterparts, relative
 * ones that climb above it and come back are shortened, everything else stays as it is. Pure; nothing is resolved
 * through other links.
 *
 * @param target what the link says
 * @param folder absolute folder of the link in the source, below one of `roots.from`
 */
export function copiedLink(
  target: string,
  folder: string,
  roots: LinkRoots,
  flavour: path.PlatformPath = path,
): CopiedLink {
  if (flavour.isAbsolute(target)) {
    const inside = roots.from
      .map((root) => insideOf(target, root, flavour))
      .find((rest) => rest !== undefined);
    if (inside === undefined) return { target, leadsOut: true };
    return { target: inside === '' ? roots.to : flavour.join(roots.to, inside), leadsOut: false };
  }
  const root = roots.from.find((one) => insideOf(folder, one, flavour) !== undefined);
  const resolved = flavour.resolve(folder, target);
  if (root === undefined || insideOf(resolved, root, flavour) === undefined)
    return { target, leadsOut: true };
  if (!climbsAbove(target, insideOf(folder, root, flavour) ?? '')) return { target, leadsOut: false };
  return { target: flavour.relative(folder, resolved) || '.', leadsOut: false };
}

/** The path of `file` below `root`, empty for the root itself, undefined outside. */
function insideOf(file: string, root: string, flavour: path.PlatformPath): string | undefined {
  const rest = flavour.relative(root, file);
  if (rest === '..' || rest.startsWith(`..${flavour.sep}`) || flavour.isAbsolute(rest)) return undefined;
  return rest;
}

/** Whether a relative target leaves the root on its way, from a folder that lies `below` it. */
function climbsAbove(target: string, below: string): boolean {
  let depth = below.split(/[\\/]/).filter(Boolean).length;
  for (const name of target.split(/[\\/]/)) {
    if (name === '..') depth--;
    else if (name !== '' && name !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}
