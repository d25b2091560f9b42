import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { type CommandLine, commandLines } from '../process/command-lines.ts';
import type { ProcessHost } from '../process/types.ts';

/** A process that uses the scripts of a folder now, or will start one of them by its path. */
export interface ScriptUser {
  pid: number;
  /** `prun supervise`, `reap-watch`. */
  what: string;
}

/**
 * Who uses the scripts of a prun folder: supervisors, guardians, servers, commands, by the paths in their command lines.
 * Not this process and those above it. Undefined where the system does not tell.
 */
export async function usersOf(host: ProcessHost, folder: string): Promise<ScriptUser[] | undefined> {
  const lines = await commandLines(host.platform);
  return lines && usersIn(lines, folder, ancestorsOf(host, process.pid), host.platform);
}

/** The same from given command lines; `not` are pids that do not count. */
export function usersIn(
  lines: readonly CommandLine[],
  folder: string,
  not: ReadonlySet<number>,
  platform: NodeJS.Platform = process.platform,
): ScriptUser[] {
  const plain = (text: string): string =>
    platform === 'win32' ? text.replaceAll('\\', '/').toLowerCase() : text;
  const scripts = plain(`${folder}${path.sep}scripts${path.sep}`);
  return lines.flatMap(({ pid, text }) => {
    const at = plain(text).indexOf(scripts);
    const [, script, command = ''] =
      /^([a-z-]+)\.cjs["']?(?: ([a-z-]+))?/.exec(text.slice(at + scripts.length)) ?? [];
    if (at < 0 || script === undefined || not.has(pid)) return [];
    return [{ pid, what: script === 'prun' && command !== '' ? `prun ${command}` : script }];
  });
}

/** Refuses to go on while somebody needs the folder: a guardian would find nothing to start. */
export function refuseWhileUsed(folder: string, users: readonly ScriptUser[] | undefined): void {
  if (users === undefined || users.length === 0) return;
  const named = users.slice(0, 5).map(({ pid, what }) => `${what}, pid ${pid}`);
  const more = users.length > named.length ? `; and ${users.length - named.length} more` : '';
  throw usageError(
    `${folder} is used by ${users.length === 1 ? 'a process' : `${users.length} processes`} (${named.join('; ')}${more})`,
    'let the runs end (prun list shows them) or end them with prun cancel --run ID, close sessions that use its MCP server, and run this again',
  );
}

function ancestorsOf(host: ProcessHost, pid: number): Set<number> {
  const found = new Set<number>();
  for (let at = pid; at > 1 && !found.has(at); at = host.entry(at)?.ppid ?? 0) found.add(at);
  return found;
}
