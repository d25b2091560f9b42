import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** Where a program is, or why it cannot be started. Paths are absolute. */
export type ResolvedProgram =
  | { kind: 'found'; path: string }
  | { kind: 'missing'; tried: string }
  | { kind: 'not-executable'; path: string };

/**
 * Finds a program as execvp(3) would: a name with a separator is a path (taken from `cwd`), anything else is looked up
 * in PATH. On Windows the endings of PATHEXT are tried as well, because npm installs `codex.cmd`.
 */
export function resolveProgram(
  name: string,
  cwd: string,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): ResolvedProgram {
  const endings =
    platform === 'win32' ? ['', ...(environment.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
  const isPath = name.includes('/') || (platform === 'win32' && name.includes('\\'));
  const folders = isPath
    ? [cwd]
    : (environment.PATH ?? environment.Path ?? '').split(path.delimiter).map((folder) => folder || cwd);
  let found: ResolvedProgram = { kind: 'missing', tried: isPath ? path.resolve(cwd, name) : name };
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = path.resolve(folder, name + ending);
      const state = executableState(candidate);
      if (state === 'yes') return { kind: 'found', path: candidate };
      if (state === 'no' && found.kind === 'missing') found = { kind: 'not-executable', path: candidate };
    }
  }
  return found;
}

function executableState(file: string): 'yes' | 'no' | 'absent' {
  try {
    // Most folders of PATH do not have it, and an exception for each would cost more than the look.
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return 'absent';
    if (!stat.isFile()) return 'no';
  } catch {
    return 'absent';
  }
  try {
    accessSync(file, constants.X_OK);
    return 'yes';
  } catch {
    return 'no';
  }
}
