import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CommandRunner, createCommandRunner } from '../../scripts-src/process/command-runner.ts';
import { createDarwinHost } from '../../scripts-src/process/darwin.ts';
import { identify, isAlive, signalIfSame } from '../../scripts-src/process/identity.ts';
import { createLinuxHost } from '../../scripts-src/process/linux.ts';
import {
  cpuMsOf,
  deriveSessions,
  marksOf,
  PS_COLUMNS,
  parsePsCommands,
  parsePsTable,
} from '../../scripts-src/process/ps-output.ts';

const MACOS = readFileSync(new URL('../fixtures/process/macos-ps.txt', import.meta.url), 'utf8');
const SELF = 3010;

function row(pid: number, ppid: number, state = 'S', second = 0, name = 'sleep'): string {
  const time = `09:01:${String(second).padStart(2, '0')}`;
  return `${String(pid).padStart(5)} ${ppid} ${pid} ${state.padEnd(4)} ${`Mon Nov 30 ${time} 2026`.padEnd(28)}   0:00.00 ${name}\n`;
}

/** A machine whose `ps` prints what `lines` holds at the time, and which counts what is asked of it. */
function fakeMac(lines: Map<number, string>) {
  const calls: string[][] = [];
  const sent: [number, string | number][] = [];
  let clock = 1000;
  const run: CommandRunner = (file, argv) => {
    if (file !== '/bin/ps') return undefined;
    calls.push(argv);
    const selected = argv[argv.indexOf('-p') + 1]?.split(',').map(Number);
    const wanted = argv.includes('-p') ? (pid: number) => selected?.includes(pid) : () => true;
    return [...lines].flatMap(([pid, line]) => (wanted(pid) ? [line] : [])).join('');
  };
  const host = createDarwinHost(run, {
    now: () => clock,
    self: SELF,
    kill: (pid, signal) => sent.push([pid, signal]),
  });
  return { host, calls, sent, advance: (ms: number) => (clock += ms) };
}

describe('the macOS process table', () => {
  const table = parsePsTable(MACOS);

  it('has every line of ps as a process with start, group, state and CPU time', () => {
    expect(table.size).toBe(14);
    expect(table.get(3021)).toEqual({
      pid: 3021,
      ppid: 3020,
      pgid: 3020,
      sid: 3020,
      start: '1796029207',
      startOrder: Date.UTC(2026, 10, 30, 9, 0, 7),
      state: 'alive',
      command: '/Users/me/odd name^Jwith break',
      cpuMs: 62_500,
    });
  });

  it.each([
    [3022, 'stopped'],
    [3023, 'zombie'],
    [3024, 'uninterruptible'],
    [3010, 'alive'],
  ])('reads the state of %i as %s', (pid, state) => expect(table.get(pid)?.state).toBe(state));

  it.each([
    ['a leader', 3001, 3001],
    ['a job of a shell', 3010, 3001],
    ['a child in the same group', 3011, 3001],
    ['a worker with a session of its own', 3022, 3020],
    ['a daemon', 3040, 3040],
    ['an orphan whose leader has gone: nobody else', 3030, 3030],
    ["an orphan's child: nobody else", 3031, 3031],
  ])('derives the session of %s', (_, pid, sid) => expect(table.get(pid)?.sid).toBe(sid));

  it('never puts two processes into a session for want of knowledge', () => {
    const orphans = parsePsTable(row(50, 1) + row(51, 1) + row(52, 0));
    expect(new Set([...orphans.values()].map((entry) => entry.sid)).size).toBe(3);
  });

  it('does not follow a parent that is younger than its child, nor a loop', () => {
    const entries = parsePsTable(row(50, 51, 'S', 1) + row(51, 50, 'Ss', 9) + row(60, 61) + row(61, 60));
    expect(entries.get(50)?.sid).toBe(50);
    expect(entries.get(60)?.sid).toBeTypeOf('number');
  });

  it('drops what is not a row: broken names, messages, dates of another locale, garbage', () => {
    const text = `${row(70, 1)}second line of a name\n${row(70, 2, 'S', 9, 'forged')}ps: warning\n\0\xff\n
   71 1 71 S    Mo. 30 Nov. 09:01:00 2026   0:00.00 deutsch\n   72 1 72 S    月 11/30 09:01:00 2026 0:00.00 x\n`;
    expect([...parsePsTable(text).values()].map((entry) => [entry.pid, entry.ppid])).toEqual([[70, 1]]);
  });

  it.each([
    ['0:00.05', 50],
    ['139:17.71', 8_357_710],
    ['00:01:02', 62_000],
    ['2-03:04:05', 183_845_000],
    ['-', 0],
  ])('reads the CPU time %s', (text, ms) => expect(cpuMsOf(text)).toBe(ms));

  it('does linear work on a table of 2,000 processes in one deep chain', () => {
    let text = '';
    for (let pid = 2001; pid >= 2; pid--) text += row(pid, pid - 1, pid === 2 ? 'Ss' : 'S');
    let reads = 0;
    const entries = parsePsTable(text);
    const counting = new Map(entries);
    counting.get = (pid) => {
      reads++;
      return entries.get(pid);
    };
    deriveSessions(counting, new Set([2]));
    expect(reads).toBeLessThan(3 * 2000);
    expect([...entries.values()].every((entry) => entry.sid === 2)).toBe(true);
  });
});

describe('the macOS host', () => {
  it('looks with one spawn and leaves out what began in an earlier second', () => {
    const mac = fakeMac(new Map([[SELF, MACOS]]));
    const since = Date.UTC(2026, 10, 30, 9, 0, 8) + 700;
    expect([...mac.host.look(since)].map((entry) => entry.pid)).toEqual([3022, 3023, 3024, 3030, 3031, 3040]);
    expect(mac.calls.length).toBe(1);
  });

  it('answers entry from a look that is at most 200 ms old, then asks for the one pid', () => {
    const mac = fakeMac(
      new Map([
        [SELF, row(SELF, 1)],
        [80, row(80, SELF)],
      ]),
    );
    mac.host.look(0);
    mac.advance(200);
    expect(mac.host.entry(80)?.pid).toBe(80);
    expect(mac.calls.length).toBe(1);
    mac.advance(1);
    expect(mac.host.entry(80)?.pid).toBe(80);
    expect(mac.calls[1]?.slice(0, 2)).toEqual(['-p', `80,${SELF}`]);
  });

  it('asks again for a pid that was not in the look: it may have been born since', () => {
    const lines = new Map([[SELF, row(SELF, 1)]]);
    const mac = fakeMac(lines);
    mac.host.look(0);
    lines.set(81, row(81, SELF));
    expect(mac.host.entry(81)?.ppid).toBe(SELF);
  });

  it('keeps the session that the look derived when it asks for one pid', () => {
    const mac = fakeMac(
      new Map([
        [3001, row(3001, 410, 'Ss')],
        [SELF, row(SELF, 3001)],
        [82, row(82, SELF)],
      ]),
    );
    expect(mac.host.entry(82)?.sid).toBe(3001);
    mac.advance(1000);
    expect(mac.host.entry(82)?.sid).toBe(3001);
  });

  it('sends nothing to a stranger that was given the pid after the look', () => {
    const lines = new Map([
      [SELF, row(SELF, 1)],
      [83, row(83, SELF, 'S', 1)],
    ]);
    const mac = fakeMac(lines);
    const id = identify(mac.host, 83);
    mac.advance(100);
    lines.set(83, row(83, 1, 'S', 2, 'stranger'));
    expect(id && isAlive(mac.host, id)).toBe(true);
    expect(id && signalIfSame(mac.host, id, 'SIGKILL')).toBe(false);
    expect(mac.sent).toEqual([]);
  });

  it('kills at sight, straight from a look, without another spawn', () => {
    const mac = fakeMac(
      new Map([
        [SELF, row(SELF, 1)],
        [84, row(84, SELF)],
      ]),
    );
    for (const entry of mac.host.look(0)) if (entry.pid === 84) mac.host.signal(entry.pid, 'SIGKILL');
    expect(mac.sent).toEqual([[84, 'SIGKILL']]);
    expect(mac.calls.length).toBe(1);
  });

  it('does not say from memory that a process lives which it has signalled', () => {
    const lines = new Map([
      [SELF, row(SELF, 1)],
      [85, row(85, SELF)],
    ]);
    const mac = fakeMac(lines);
    mac.host.look(0);
    mac.host.signal(85, 'SIGKILL');
    lines.delete(85);
    expect(mac.host.entry(85)).toBeUndefined();
  });

  it.each([0, 1, -1, Number.NaN])('never signals the number %d', (pid) => {
    const mac = fakeMac(
      new Map([
        [SELF, row(SELF, 1)],
        [1, row(1, 0)],
      ]),
    );
    expect(mac.host.signal(pid, 'SIGKILL')).toBe(false);
    expect(mac.sent).toEqual([]);
  });

  it.each<[string, CommandRunner]>([
    ['no ps at all', () => undefined],
    ['BusyBox ps, which prints nothing', () => ''],
    ['a table of another format', () => 'PID TTY TIME CMD\n1 ? 00:00:01 init\n'],
    ['a table without this process', () => row(4, 1)],
  ])('says that it cannot see with %s, instead of crashing', (_, run) => {
    const host = createDarwinHost(run, { self: SELF });
    expect([...host.look(0)]).toEqual([]);
    expect(host.entry(4)).toBeUndefined();
    expect(host.signal(4, 'SIGKILL')).toBe(false);
    const [seen] = parsePsTable(row(4, 1)).values();
    expect(seen && host.marks(seen)).toBeUndefined();
    expect(host.trouble()).toMatch(/no usable process table/);
  });

  it('has no trouble when a process is simply gone', () => {
    const mac = fakeMac(new Map([[SELF, row(SELF, 1)]]));
    expect(mac.host.entry(99)).toBeUndefined();
    expect(mac.host.trouble()).toBeUndefined();
  });

  it.each<[string, CommandRunner, string]>([
    [
      'the boot session',
      (_, argv) => (argv[1] === 'kern.bootsessionuuid' ? '5E6FFEBE-0000-4000-8000-00000000000A\n' : ''),
      '5E6FFEBE-0000-4000-8000-00000000000A',
    ],
    [
      'the boot time',
      (_, argv) => (argv[1] === 'kern.boottime' ? '{ sec = 1796029207, usec = 5 } Mon Nov 30' : ''),
      'boottime-1796029207',
    ],
    ['a constant', () => undefined, 'darwin'],
  ])('takes its boot id from %s', (_, run, id) => expect(createDarwinHost(run).bootId()).toBe(id));
});

describe('marks from ps -E', () => {
  const line = (text: string) => ({ start: '5', text });
  it.each([
    [
      'the environment',
      'node x.js',
      ' PATH=/bin PRUN_UNIT=r1/api CODEX_THREAD_ID=t1',
      { unit: 'r1/api', threads: ['t1'] },
    ],
    ['nothing where it is hidden', 'node x.js', '', undefined],
    ['not the arguments', 'env PRUN_UNIT=r1/api sleep 9', ' PATH=/bin', { threads: [] }],
    [
      'not a value inside of another variable',
      'sh',
      ' LAST=x PRUN_UNIT=other PRUN_UNIT=mine',
      { threads: [] },
    ],
  ])('reads %s', (_, plain, environment, marks) =>
    expect(marksOf(line(plain + environment), line(plain))).toEqual(marks),
  );

  it('reads nothing when the pid changed hands or called exec between the two questions', () => {
    expect(marksOf(line('a X=1'), { start: '6', text: 'a' })).toBeUndefined();
    expect(marksOf(line('b X=1'), line('a'))).toBeUndefined();
  });

  it('asks twice for all processes of a look, not twice for each', () => {
    const start = 'Mon Nov 30 09:01:00 2026    ';
    const calls: string[][] = [];
    const run: CommandRunner = (_, argv) => {
      calls.push(argv);
      if (!argv.includes('command=')) return row(SELF, 1) + row(90, SELF) + row(91, SELF);
      const environment = argv.includes('-E') ? (pid: number) => ` PRUN_UNIT=u${pid}` : () => '';
      return [90, 91].map((pid) => `${pid} ${start} sleep 9${environment(pid)}\n`).join('');
    };
    const host = createDarwinHost(run, { self: SELF });
    const units = [...host.look(0)].map((entry) => host.marks(entry)?.unit);
    expect(units).toEqual([undefined, 'u90', 'u91']);
    expect(calls.length).toBe(3);
  });
});

// procps has the same columns: what the parser reads there must be what /proc says.
describe.runIf(process.platform === 'linux' && spawnSync('ps', ['--version']).status === 0)(
  'a real ps',
  () => {
    const run = createCommandRunner({ timeoutMs: 5000, maxOutput: 1 << 26, env: { PATH: process.env.PATH } });

    it('agrees with /proc about parents, groups and states', async () => {
      const child = spawn('sh', ['-c', 'exec -a "odd name" sleep 30'], { detached: true });
      try {
        const linux = createLinuxHost();
        const before = new Map([...linux.look(0)].map((entry) => [entry.pid, entry]));
        const text = run('ps', ['-ax', ...PS_COLUMNS]) ?? '';
        const table = parsePsTable(text);
        expect(table.size).toBe(text.trimEnd().split('\n').length);
        let compared = 0;
        for (const [pid, entry] of table) {
          const real = linux.entry(pid);
          // Left out: what began, ended or was given to another parent meanwhile.
          if (!real || before.get(pid)?.ppid !== real.ppid) continue;
          expect([pid, entry.ppid, entry.pgid]).toEqual([pid, real.ppid, real.pgid]);
          compared++;
        }
        expect(compared).toBeGreaterThan(2);
        expect(
          Math.abs((table.get(process.pid)?.startOrder ?? 0) - (Date.now() - process.uptime() * 1000)),
        ).toBeLessThan(5000);
      } finally {
        child.kill('SIGKILL');
      }
    });

    it.each(['America/New_York', 'Asia/Kolkata', 'Europe/Berlin'])(
      'gives the same start when the user lives in %s with a German locale',
      (zone) => {
        const ask = (env: NodeJS.ProcessEnv) =>
          parsePsTable(
            createCommandRunner({ timeoutMs: 5000, maxOutput: 1 << 26, env })('ps', [
              '-p',
              String(process.pid),
              ...PS_COLUMNS,
            ]) ?? '',
          ).get(process.pid);
        const here = ask({ PATH: process.env.PATH });
        const there = ask({
          PATH: process.env.PATH,
          TZ: zone,
          LC_ALL: 'de_DE.UTF-8',
          LC_TIME: 'de_DE.UTF-8',
        });
        expect(Math.abs((here?.startOrder ?? 0) - (there?.startOrder ?? 1))).toBeLessThanOrEqual(1000);
      },
    );

    it('shows the environment behind the command line as marksOf expects', () => {
      const child = spawn('sleep', ['30'], { env: { PATH: process.env.PATH, PRUN_UNIT: 'real/unit' } });
      try {
        const columns = ['-ww', '-o', 'pid=', '-o', 'lstart=', '-o', 'args='];
        const plain = parsePsCommands(run('ps', [...columns, '-p', String(child.pid)]) ?? '');
        const full = parsePsCommands(run('ps', ['ewwo', 'pid=,lstart=,args=', String(child.pid)]) ?? '');
        const pid = child.pid ?? 0;
        const [a, b] = [full.get(pid), plain.get(pid)];
        expect(a && b && marksOf({ ...a, start: b.start }, b)?.unit).toBe('real/unit');
      } finally {
        child.kill('SIGKILL');
      }
    });

    it('bounds a command in time and in output, and says when it is absent', () => {
      const small = createCommandRunner({ timeoutMs: 200, maxOutput: 1000, env: { PATH: process.env.PATH } });
      const begun = Date.now();
      expect(small('sleep', ['30'])).toBeUndefined();
      expect(Date.now() - begun).toBeLessThan(3000);
      expect(small('sh', ['-c', 'yes | head -c 100000'])).toBeUndefined();
      expect(small('/no/such/ps', [])).toBeUndefined();
      expect(small('sh', ['-c', 'echo out; exit 3'])).toBe('out\n');
    });
  },
);
