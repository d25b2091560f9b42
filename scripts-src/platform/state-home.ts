import path from 'node:path';
import { homeFolder } from './home-folder.ts';

/**
 * Where prun keeps what outlives a call, absolute (DESIGN.md §6): PRUN_STATE_HOME, else `$XDG_STATE_HOME/prun`, else
 * `~/.local/state/prun` (Windows: `%LOCALAPPDATA%\\prun`). A relative PRUN_STATE_HOME is taken from the current folder;
 * a relative system variable counts as unset, as the XDG rules say.
 */
export function stateHome(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string {
  if (environment.PRUN_STATE_HOME) return path.resolve(environment.PRUN_STATE_HOME);
  if (platform === 'win32') {
    return path.join(
      absolute(environment.LOCALAPPDATA) ?? path.join(homeFolder(), 'AppData', 'Local'),
      'prun',
    );
  }
  const base = absolute(environment.XDG_STATE_HOME) ?? path.join(homeFolder(), '.local', 'state');
  return path.join(base, 'prun');
}

function absolute(value: string | undefined): string | undefined {
  return value && path.isAbsolute(value) ? value : undefined;
}
