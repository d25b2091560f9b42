import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CommandRunner, decodeOutput } from '../../scripts-src/process/command-runner.ts';
import { identify, isAlive, signalIfSame } from '../../scripts-src/process/identity.ts';
import { createWindowsHost } from '../../scripts-src/process/windows.ts';
import {
  cimDateMs,
  parseWindowsJson,
  parseWmicList,
  windowsTable,
} from '../../scripts-src/process/windows-output.ts';

const LOOK = readFileSync(new URL('../fixtures/process/windows-look.json', import.meta.url), 'utf8');
const SELF = 1000;
const WMIC = [
  ['20261130100000.999999+060', 10000, 'node.exe', 900, SELF, 7, 20000, 5],
  ['20261130100005.018000+060', 0, 'a=b, c.exe', SELF, 1010, 1, 0, 2],
  ['', 0, 'System Idle Process', 0, 0, 0, 0, 0],
]
  .map(([date, kernel, name, ppid, pid, read, user, write]) =>
    [
      `CreationDate=${date}`,
      `KernelModeTime=${kernel}`,
      `Name=${name}`,
      `ParentProcessId=${ppid}`,
      `ProcessId=${pid}`,
      `ReadTransferCount=${read}`,
      `UserModeTime=${user}`,
      `WriteTransferCount=${write}`,
    ].join('\r\r\n'),
  )
  .join('\r\r\n\r\r\n\r\r\n');

/** A machine that answers looks with `json()` and, with `ends`, ends what a script asks it to. */
function fakeWindows(json: () => string | undefined, ends: (pid: number) => boolean = () => true) {
  const calls: string[] = [];
  const sent: [number, string | number][] = [];
  let clock = 1000;
  const run: CommandRunner = (file, argv) => {
    const script = argv.at(-1) ?? '';
    const kind = file.endsWith('WMIC.exe') ? 'wmic' : script.includes('Stop-Process') ? 'end' : 'look';
    calls.push(kind);
    if (kind === 'wmic') return undefined;
    if (kind === 'look') return json();
    if (json() === undefined) return undefined;
    const pids = [...script.matchAll(/p = (\d+)/g)].map((match) => Number(match[1]));
    return [...pids.filter(ends), 'done', ''].join('\r\n');
  };
  const host = createWindowsHost(run, {
    now: () => clock,
    self: SELF,
    kill: (pid, signal) => sent.push([pid, signal]),
  });
  return { host, calls, sent, advance: (ms: number) => (clock += ms) };
}

describe('the Windows process table', () => {
  const table = windowsTable(parseWindowsJson(LOOK) ?? []);

  it('has names with commas and umlauts, CPU time, I/O and the start in milliseconds', () => {
    expect(table.entries.get(SELF)).toEqual({
      pid: 1000,
      ppid: 900,
      pgid: 1000,
      sid: 1000,
      start: String(Date.UTC(2026, 10, 30, 9, 0, 0, 999)),
      startOrder: Date.UTC(2026, 10, 30, 9, 0, 0, 999),
      state: 'alive',
      command: 'node.exe',
      cpuMs: 3,
    });
    expect(table.entries.get(1010)?.command).toBe('odd, name & Größe.exe');
    expect(table.io.get(1010)).toEqual({ read: 1, written: 2 });
    expect(table.io.has(1020)).toBe(false);
  });

  it.each([
    ['of the same age', 1020, 1010],
    ['that has ended', 1040, 777],
    ['whose pid a younger process has now', 1030, 0],
  ])('keeps or drops a parent %s', (_, pid, ppid) => expect(table.entries.get(pid)?.ppid).toBe(ppid));

  it('remembers whom taskkill /T would take for a child', () => {
    expect([...table.staleChildren]).toEqual([[1010, [1030]]]);
  });

  it('leaves out what has no start: it has no identity', () => expect(table.entries.has(0)).toBe(false));

  it.each([
    ['garbage', '\0\xffnot json'],
    ['nothing', ''],
    ['an error text', 'Get-CimInstance : Access denied'],
    ['another shape', '{"a":1}'],
  ])('is none for %s', (_, text) => expect(parseWindowsJson(text)).toBeUndefined());

  it('drops single rows that make no sense', () => {
    expect(
      parseWindowsJson(
        '[1,null,"x",{},{"ProcessId":-5,"Created":"2026-11-30T09:00:00.0Z"},{"ProcessId":"x"}]',
      ),
    ).toEqual([]);
  });

  it('is the same inside the wrapper of Windows PowerShell 5.1', () => {
    expect(parseWindowsJson(`{"value":${LOOK},"Count":8}`)).toEqual(parseWindowsJson(LOOK));
  });

  it('holds 2,000 children of one stale parent without quadratic work', () => {
    const row = (pid: number, ppid: number, created: number) => ({
      pid,
      ppid,
      created,
      name: 'x',
      cpuMs: 0,
      io: undefined,
    });
    const rows = [row(10, 0, 500), ...Array.from({ length: 2000 }, (_, index) => row(100 + index, 10, 400))];
    const many = windowsTable(rows);
    expect(many.staleChildren.get(10)?.length).toBe(2000);
    expect(many.entries.get(2099)?.ppid).toBe(0);
  });
});

describe('wmic', () => {
  it('gives the same as PowerShell, from blocks of lines', () => {
    const entries = windowsTable(parseWmicList(WMIC)).entries;
    expect([...entries.keys()]).toEqual([SELF, 1010]);
    expect(entries.get(1010)?.command).toBe('a=b, c.exe');
    expect(entries.get(SELF)?.start).toBe(
      windowsTable(parseWindowsJson(LOOK) ?? []).entries.get(SELF)?.start,
    );
  });

  it.each([
    ['20261130023937.018000+000', Date.UTC(2026, 10, 30, 2, 39, 37, 18)],
    ['20261025033000.500000+120', Date.UTC(2026, 9, 25, 1, 30, 0, 500)],
    ['20261024203000.500000-300', Date.UTC(2026, 9, 25, 1, 30, 0, 500)],
    ['', Number.NaN],
    ['********000000.000000:000', Number.NaN],
  ])('reads the date %s', (text, ms) => expect(cimDateMs(text)).toBe(ms));

  it('is read in UTF-16, too', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(WMIC, 'utf16le')]);
    expect(parseWmicList(decodeOutput(bytes)).length).toBe(2);
    expect(decodeOutput(Buffer.from('\ufeff[]'))).toBe('[]');
  });

  it('serves where there is no PowerShell, and stays the first choice', () => {
    const files: string[] = [];
    const host = createWindowsHost(
      (file) => {
        files.push(file.split('\\').at(-1) ?? '');
        return file.endsWith('WMIC.exe') ? WMIC : undefined;
      },
      { self: SELF },
    );
    expect([...host.look(0)].map((entry) => entry.pid)).toEqual([SELF, 1010]);
    host.look(0);
    expect(files).toEqual(['powershell.exe', 'WMIC.exe', 'WMIC.exe']);
  });

  it('reads the table again before it ends a process by number', () => {
    const sent: number[] = [];
    let text = WMIC;
    const host = createWindowsHost((file) => (file.endsWith('WMIC.exe') ? text : undefined), {
      self: SELF,
      kill: (pid) => sent.push(pid),
    });
    const id = identify(host, 1010);
    text = WMIC.replace('100005.018', '100009.018');
    expect(id && host.endAll([id])).toEqual([]);
    text = WMIC;
    expect(id && host.endAll([id])).toEqual([id]);
    expect(sent).toEqual([1010]);
  });
});

describe('the Windows host', () => {
  it('looks with one spawn and uses the answer for entry and io for 200 ms', () => {
    const windows = fakeWindows(() => LOOK);
    windows.host.look(0);
    windows.advance(200);
    expect(windows.host.entry(1010)?.ppid).toBe(SELF);
    expect(windows.host.io(1010)).toEqual({ read: 1, written: 2 });
    expect(windows.calls).toEqual(['look']);
    windows.advance(1);
    windows.host.entry(1010);
    windows.host.entry(4711);
    expect(windows.calls).toEqual(['look', 'look', 'look']);
  });

  it('ends a process through a handle, with the start that was read', () => {
    const windows = fakeWindows(() => LOOK);
    const id = identify(windows.host, 1010);
    expect(id && signalIfSame(windows.host, id, 'SIGKILL')).toBe(true);
    expect(windows.calls).toEqual(['look', 'end']);
    expect(windows.sent).toEqual([]);
  });

  it('says false when a stranger has the pid by then', () => {
    const windows = fakeWindows(
      () => LOOK,
      () => false,
    );
    const id = identify(windows.host, 1010);
    expect(id && signalIfSame(windows.host, id, 'SIGKILL')).toBe(false);
    expect(windows.sent).toEqual([]);
  });

  it('ends many in one spawn', () => {
    const windows = fakeWindows(
      () => LOOK,
      (pid) => pid !== 1020,
    );
    const ids = [1010, 1020, 1040].flatMap((pid) => identify(windows.host, pid) ?? []);
    expect(windows.host.endAll(ids).map((id) => id.pid)).toEqual([1010, 1040]);
    expect(windows.calls).toEqual(['look', 'end']);
  });

  it('ends no more in one command line than fit into it', () => {
    const windows = fakeWindows(() => LOOK);
    const ids = Array.from({ length: 250 }, (_, index) => ({
      boot: 'windows',
      pid: 5000 + index,
      start: '1796029205018',
    }));
    expect(windows.host.endAll(ids).length).toBe(250);
    expect(windows.calls).toEqual(['end', 'end', 'end']);
  });

  it.each(['SIGINT', 'SIGHUP', 'SIGSTOP', 'SIGCONT'] as const)('cannot send %s', (signal) => {
    const windows = fakeWindows(() => LOOK);
    windows.host.look(0);
    expect(windows.host.signal(1010, signal)).toBe(false);
    expect(windows.calls).toEqual(['look']);
  });

  it('never ends the system, nor what it has not seen', () => {
    const windows = fakeWindows(() => LOOK);
    expect([0, 4, -1, 31337].map((pid) => windows.host.signal(pid, 'SIGKILL'))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(windows.sent).toEqual([]);
  });

  it('keeps an identity over a look in another time zone and over a clock step', () => {
    const windows = fakeWindows(() => LOOK);
    const id = identify(windows.host, 1010);
    windows.advance(60_000);
    expect(id && isAlive(windows.host, id)).toBe(true);
    expect(id?.boot).toBe(windows.host.bootId());
  });

  it.each<[string, string | undefined]>([
    ['absent', undefined],
    ['a stub that prints nothing (wine)', ''],
    ['broken', '[]'],
  ])('says that it cannot see when PowerShell is %s and wmic fails', (_, output) => {
    const windows = fakeWindows(() => output);
    expect([...windows.host.look(0)]).toEqual([]);
    expect(windows.host.entry(1010)).toBeUndefined();
    expect(windows.host.io(1010)).toBeUndefined();
    expect(windows.host.signal(1010, 'SIGKILL')).toBe(false);
    expect(windows.host.trouble()).toMatch(/no|neither/);
  });
});
