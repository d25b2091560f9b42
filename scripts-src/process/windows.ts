import { monotonicMs } from '../platform/clock.ts';
import {
  type CommandHost,
  type CommandRunner,
  createCommandRunner,
  type HostOptions,
  sendSignal,
} from './command-runner.ts';
import type { ProcessId } from './identity.ts';
import type { ProcessEntry } from './types.ts';
import { parseWindowsJson, parseWmicList, type WindowsTable, windowsTable } from './windows-output.ts';

/** How long after a look `entry` and `io` may be answered from it, ms. */
export const WINDOWS_FRESH_MS = 200;

// A command line of Windows holds 32,767 characters, and a target takes about 110.
const END_AT_ONCE = 100;

/** What Windows can tell and do beyond a ProcessHost. */
export interface WindowsHost extends CommandHost {
  /**
   * Pids that `taskkill /T` would take for children of this one by the bare number, though they are older than
   * the process that has it now. As of the last look.
   */
  staleChildren(pid: number): readonly number[];
  /** Ends exactly these processes, a hundred in one spawn; gives those that were there and are ended. */
  endAll(ids: readonly ProcessId[]): ProcessId[];
}

// Identity is pid and creation time, which is absolute. LastBootUpTime would add nothing, and moves when the
// clock is set: every live worker would be taken for dead.
const BOOT = 'windows';

// Names that are not ASCII arrive as question marks otherwise. Not allowed in constrained language mode, where
// the rest still works: hence the try, and dates as text in a format that no culture changes.
const UTF8 = 'try { [Console]::OutputEncoding = New-Object Text.UTF8Encoding $false } catch { }';
const COLUMNS =
  'ProcessId,ParentProcessId,Name,KernelModeTime,UserModeTime,ReadTransferCount,WriteTransferCount';

/** The look as a PowerShell script. No double quotes: they do not survive every way of quoting an argument. */
const LOOK = [
  UTF8,
  "$ErrorActionPreference = 'Stop'",
  `$all = Get-CimInstance -Query 'SELECT CreationDate,${COLUMNS} FROM Win32_Process'`,
  `$rows = @($all | Where-Object { $_.CreationDate } | ForEach-Object { [pscustomobject]@{ ${COLUMNS.split(
    ',',
  )
    .map((name) => `${name} = $_.${name}`)
    .join('; ')}; Created = $_.CreationDate.ToUniversalTime().ToString('o') } })`,
  'ConvertTo-Json -InputObject $rows -Compress',
].join('; ');

/**
 * Ends processes through an open handle: the number cannot go to another process meanwhile, so that the start is
 * compared and the process ended without a gap. Prints the pids that it ended, then `done`.
 */
function endScript(ids: readonly ProcessId[]): string {
  const targets = ids.map((id) => {
    // WMI has microseconds and the handle tenths of them: one millisecond either way is the same start.
    const starts = [-1, 0, 1].map((ms) => `'${new Date(Number(id.start) + ms).toISOString().slice(0, 23)}'`);
    return `@{ p = ${id.pid}; s = ${starts.join(',')} }`;
  });
  return [
    `foreach ($t in @(${targets.join(',')})) { try { $p = Get-Process -Id $t.p -ErrorAction Stop; $null = $p.Handle`,
    "if ($t.s -contains $p.StartTime.ToUniversalTime().ToString('o').Substring(0, 23)) { Stop-Process -InputObject $p -Force -ErrorAction Stop; $t.p } } catch { } }",
    "'done'",
  ].join('; ');
}

/** The bounded runner for Windows: PowerShell takes a third of a second to start, more on a busy machine. */
export function windowsRunner(): CommandRunner {
  return createCommandRunner({ timeoutMs: 20_000, maxOutput: 64 * 1024 * 1024, env: process.env });
}

/**
 * The process table of Windows through PowerShell (WMI's Win32_Process), or `wmic` where there is none: one
 * spawn a look, and several hundred ms each. Members are known by parents only: no groups, no sessions, no
 * readable environment. A suspended process looks like any other.
 *
 * How old an answer may be: `look` always asks. `entry` and `io` may come from a look that ended at most
 * WINDOWS_FRESH_MS ago if the pid was in it, else they look again. A signal relies on none of this: numbers are
 * handed out again at once here, so that a process is ended through a handle, after its start was compared with
 * the one that was last read for its pid. With `wmic` only, the table is read again right before.
 */
export function createWindowsHost(
  run: CommandRunner = windowsRunner(),
  options: Partial<HostOptions> = {},
): WindowsHost {
  const { now = monotonicMs, self = process.pid, kill = process.kill.bind(process) } = options;
  let trouble: string | undefined;
  let table: WindowsTable | undefined;
  let readAt = 0;
  let preferWmic = false;

  function read(): WindowsTable | undefined {
    // What worked last comes first; the other is tried whenever that fails, which may be for want of time.
    const ways = preferWmic ? [readByWmic, readByPowerShell] : [readByPowerShell, readByWmic];
    table = undefined;
    for (const way of ways) {
      const rows = way(run);
      const found = rows && windowsTable(rows);
      // A table without this very process is none.
      if (!found?.entries.has(self)) continue;
      preferWmic = way === readByWmic;
      table = found;
      break;
    }
    readAt = now();
    trouble = table ? undefined : 'neither PowerShell nor wmic gave a usable process table';
    return table;
  }

  function recent(pid: number): WindowsTable | undefined {
    return table?.entries.has(pid) && now() - readAt <= WINDOWS_FRESH_MS ? table : read();
  }

  function endAll(ids: readonly ProcessId[]): ProcessId[] {
    const ended: ProcessId[] = [];
    for (let from = 0; from < ids.length; from += END_AT_ONCE) {
      ended.push(...endSome(ids.slice(from, from + END_AT_ONCE)));
    }
    return ended;
  }

  function endSome(ids: readonly ProcessId[]): ProcessId[] {
    const targets = ids.filter((id) => id.boot === BOOT && id.pid > 4 && /^\d{1,15}$/.test(id.start));
    if (targets.length === 0) return [];
    const output = preferWmic ? undefined : run(powerShell(), powerShellArgs(endScript(targets)));
    if (output?.trim().endsWith('done')) {
      const ended = new Set((output.match(/\d+/g) ?? []).map(Number));
      for (const pid of ended) table?.entries.delete(pid);
      return targets.filter((id) => ended.has(id.pid));
    }
    // Without handles the gap cannot be closed, only kept small.
    const before = read();
    return targets.filter((id) => {
      if (before?.entries.get(id.pid)?.start !== id.start) return false;
      before.entries.delete(id.pid);
      return sendSignal(kill, id.pid, 'SIGKILL');
    });
  }

  return {
    platform: 'win32',
    trouble: () => trouble,
    bootId: () => BOOT,
    entry: (pid) => recent(pid)?.entries.get(pid),
    look(since) {
      const entries: ProcessEntry[] = [...((read() ?? read())?.entries.values() ?? [])];
      return entries.filter((entry) => entry.startOrder >= since);
    },
    marks: () => undefined,
    io: (pid) => recent(pid)?.io.get(pid),
    lastPid: () => undefined,
    staleChildren: (pid) => table?.staleChildren.get(pid) ?? [],
    endAll,
    /** SIGKILL and SIGTERM both end the process at once, as in Node. Nothing else can be sent on Windows. */
    signal(pid, signal) {
      if (signal !== 'SIGKILL' && signal !== 'SIGTERM') return false;
      const known = table?.entries.get(pid) ?? read()?.entries.get(pid);
      return known !== undefined && endAll([{ boot: BOOT, pid, start: known.start }]).length === 1;
    },
  };
}

function readByPowerShell(run: CommandRunner) {
  const output = run(powerShell(), powerShellArgs(LOOK));
  return output === undefined ? undefined : parseWindowsJson(output);
}

function readByWmic(run: CommandRunner) {
  const output = run(`${systemFolder()}\\wbem\\WMIC.exe`, [
    'process',
    'get',
    `CreationDate,${COLUMNS}`,
    '/value',
  ]);
  return output === undefined ? undefined : parseWmicList(output);
}

function powerShellArgs(script: string): string[] {
  return ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', script];
}

// By full path: Windows looks for a bare name in the current folder first, which is the user's repository.
function powerShell(): string {
  return `${systemFolder()}\\WindowsPowerShell\\v1.0\\powershell.exe`;
}

function systemFolder(): string {
  return `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32`;
}
