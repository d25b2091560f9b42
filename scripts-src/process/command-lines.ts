import { readdirSync, readFileSync } from 'node:fs';
import type { CommandRunner } from './command-runner.ts';
import { parsePsCommands } from './ps-output.ts';

/** What one process was started with, for people and for a search in it; never an identity. */
export interface CommandLine {
  pid: number;
  /** Its words with a blank between them. */
  text: string;
}

/** No double quotes: they do not survive every way of quoting an argument. */
const WINDOWS_SCRIPT =
  "$rows = @(Get-CimInstance -Query 'SELECT ProcessId,CommandLine FROM Win32_Process' | Select-Object ProcessId,CommandLine); ConvertTo-Json -InputObject $rows -Compress";

/**
 * The command lines of all processes that may be seen; undefined where the system does not tell. One `ps` or PowerShell
 * outside of Linux. `run` is for tests.
 */
export async function commandLines(
  platform: NodeJS.Platform = process.platform,
  run?: CommandRunner,
): Promise<CommandLine[] | undefined> {
  if (platform === 'linux') return linuxCommandLines();
  if (platform === 'win32') {
    const ask = run ?? (await import('./windows.ts')).windowsRunner();
    return windowsCommandLines(
      ask('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_SCRIPT]),
    );
  }
  const ask = run ?? (await import('./darwin.ts')).darwinRunner();
  const text = ask('/bin/ps', ['-axww', '-o', 'pid=', '-o', 'lstart=', '-o', 'command=']);
  return text === undefined
    ? undefined
    : [...parsePsCommands(text)].map(([pid, command]) => ({ pid, text: command.text }));
}

function linuxCommandLines(): CommandLine[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return text === '' ? [] : [{ pid: Number(name), text }];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

function windowsCommandLines(text: string | undefined): CommandLine[] | undefined {
  let rows: unknown;
  try {
    rows = JSON.parse(text ?? '');
  } catch {
    // No PowerShell, or it said something else: nobody knows.
    return undefined;
  }
  if (!Array.isArray(rows)) return undefined;
  return rows.flatMap((row: { ProcessId?: unknown; CommandLine?: unknown } | null) => {
    const { ProcessId: pid, CommandLine: line } = row ?? {};
    return typeof pid === 'number' && typeof line === 'string' ? [{ pid, text: line }] : [];
  });
}
