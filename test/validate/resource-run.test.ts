import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesOf } from '../helpers/process-table.ts';
import { isThere, openResourceRoom } from '../helpers/resource-room.ts';
import { waitFor } from '../helpers/wait-for.ts';

const room = openResourceRoom();
const { folder, home } = room;

describe('the command', () => {
  it('runs with its streams, folder and words untouched, and gives its own exit code', async () => {
    const words = [
      '--resource',
      'heavy',
      '--',
      'sh',
      '-c',
      'cat; pwd; printf "%s|" "$@"; echo err >&2; exit 7',
      'x',
    ];
    const end = await room.run([...words, '--timeout', 'a b', '--'], { input: 'in\0put\n' });
    expect(end).toEqual({ code: 7, stdout: `in\0put\n${folder}\n--timeout|a b|--|`, stderr: 'err\n' });
  });

  it.each([
    ['a signal of its own', ['sh', '-c', 'kill -TERM $$'], 143],
    ['a program that is not there', ['no-such-program'], 127],
    ['a file that is not executable', [path.join(folder, 'plain')], 126],
    ['a folder', [folder], 126],
    ['0', ['true'], 0],
  ])('ends with %s', async (_, argv, code) => {
    writeFileSync(path.join(folder, 'plain'), 'text');
    expect((await room.run(['--resource', 'heavy', '--', ...argv])).code).toBe(code);
  });

  it('is a process group of its own', async () => {
    const script = 'cut -d" " -f1,5 /proc/$PPID/stat; cut -d" " -f5 /proc/$$/stat';
    const { stdout } = await room.run(['--resource', 'heavy', '--', 'sh', '-c', script]);
    const [shim, group, own] = stdout.split(/\s+/);
    expect([group, own]).toEqual([shim, shim]);
  });

  it('takes its leftovers with it: background jobs, setsid, a double fork without environment, one that ignores TERM', async () => {
    const script = [
      'sleep 5417 &',
      'setsid sleep 5417 &',
      '(env -i setsid sh -c "sleep 5417 & sleep 5417" &)',
      '(trap "" TERM; setsid sh -c "trap \\"\\" TERM; sleep 5417; sleep 5417") &',
      'sleep 0.3; exit 3',
    ].join('\n');
    const { code } = await room.run(['--resource', 'heavy', '--', 'sh', '-c', script]);
    expect(code).toBe(3);
    expect(processesOf({ word: '5417' })).toEqual([]);
    expect((await room.run(['--resource', 'heavy', '--timeout', '2', '--', 'true'])).code).toBe(0);
  });

  it('lets a daemon that answers TERM end in good order', async () => {
    const note = path.join(folder, 'note');
    const daemon = `trap 'echo bye >>"${note}"; exit' TERM; while :; do sleep 0.05; done`;
    await room.run([
      '--resource',
      'heavy',
      '--',
      'sh',
      '-c',
      `setsid sh -c '${daemon.replaceAll("'", `'\\''`)}' & sleep 0.3`,
    ]);
    expect(readFileSync(note, 'utf8')).toBe('bye\n');
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('is asked with %s, then killed, where its wrapper is asked to end', async (signal, code) => {
    const script = `trap 'echo asked' ${signal.slice(3)}; echo in; while :; do sleep 0.05; done`;
    const leased = room.start(['--resource', 'heavy', '--', 'sh', '-c', script]);
    await waitFor('the command', () => leased.stdout().startsWith('in\n'));
    leased.child.kill(signal);
    expect(await leased.end).toBe(code);
    expect(leased.stdout()).toBe('in\nasked\n');
  });

  it('finds the ids of its leases in PRUN_LEASE, and PRUN_UNIT as it was', async () => {
    const env = { PRUN_UNIT: 'outer-unit' };
    const words = ['--resource', 'heavy', '--', 'sh', '-c', 'echo "$PRUN_UNIT $PRUN_LEASE"'];
    expect((await room.run(words, { env })).stdout).toMatch(/^outer-unit \d+-[0-9a-f]{16}\n$/);
  });
});

describe('names and settings', () => {
  it('an unknown name is refused with what is known', async () => {
    const { code, stdout, stderr } = await room.run(['--resource', 'heavie', '--', 'true']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `resource-run: there is no resource "heavie": is heavy meant?: known are heavy (1), implementation (2), simulator-<id> (1); more go into ${home}/slots.json\n`,
    );
  });

  it('slots.json gives other numbers and more names', async () => {
    const own = path.join(folder, 'own');
    mkdirSync(own);
    writeFileSync(path.join(own, 'slots.json'), '{"heavy": 2, "gpu": 1}');
    const { stdout } = await room.run(['--list', '--resource-home', own]);
    expect(stdout).toBe('gpu: 0 of 1 held\nheavy: 0 of 2 held\nimplementation: 0 of 2 held\n');
    expect((await room.run(['--resource-home', own, '--resource', 'gpu', '--', 'true'])).code).toBe(0);
  });

  it('a higher number lets a waiter in, and a lower one takes nothing from a holder', async () => {
    const own = path.join(folder, 'changed');
    mkdirSync(own);
    const env = { PRUN_RESOURCE_HOME: own };
    const words = ['--resource', 'heavy', '--', 'sh', '-c', 'echo in; exec sleep 600'];
    const first = room.start(words, { env });
    await waitFor('the first', () => first.stdout() !== '');
    const second = room.start(words, { env });
    await waitFor('the wait', () => second.stderr() !== '');
    writeFileSync(path.join(own, 'slots.json'), '{"heavy": 2}');
    await waitFor('the second', () => second.stdout() !== '');
    writeFileSync(path.join(own, 'slots.json'), '{"heavy": 1}');
    const third = room.start(words, { env });
    await waitFor('the wait', () => third.stderr() !== '');
    first.child.kill('SIGTERM');
    await first.end;
    expect((await room.run(['--list'], { env })).stdout).toContain('heavy: 1 of 1 held, 1 waiting\n');
    expect(third.stdout()).toBe('');
    second.child.kill('SIGTERM');
    await waitFor('the third', () => third.stdout() !== '');
    third.child.kill('SIGTERM');
    await third.end;
  });
});

describe('waiting', () => {
  it('is told once, with who holds; ends with 124 after its time, and with 128+n when interrupted', async () => {
    const holder = await room.holder('heavy');
    const late = await room.run(['--resource', 'heavy', '--timeout', '1', '--', 'true']);
    expect(late.code).toBe(124);
    const who = `heavy, held by sh -c echo in; exec sleep 600 \\(pid ${holder.pid}, since [0-9:]+\\)`;
    expect(late.stderr).toMatch(
      new RegExp(
        `^resource-run: waiting for ${who}\nresource-run: waited 1 s for ${who}: wait longer [^\n]+\n$`,
      ),
    );
    const stopped = room.start(['--resource', 'heavy', '--', 'true']);
    await room.waiting(1);
    stopped.child.kill('SIGINT');
    expect(await stopped.end).toBe(130);
    await room.waiting(0);
    holder.child.kill('SIGTERM');
    expect(await holder.end).toBe(143);
  });

  it('is first come, first served, and a dead waiter does not block', async () => {
    const holder = await room.holder('heavy');
    const order = path.join(folder, 'order');
    const waiters = [];
    for (let n = 0; n < 5; n++) {
      waiters.push(room.start(['--resource', 'heavy', '--', 'sh', '-c', `echo ${n} >>'${order}'`]));
      await room.waiting(n + 1);
    }
    waiters[0]?.child.kill('SIGKILL');
    waiters[2]?.child.kill('SIGKILL');
    holder.child.kill('SIGTERM');
    await Promise.all(waiters.map(({ end }) => end));
    expect(readFileSync(order, 'utf8')).toBe('1\n3\n4\n');
  });

  it('takes several names together or none of them', async () => {
    const holder = await room.holder('heavy');
    const both = room.start([
      '--resource',
      'simulator-x',
      '--resource',
      'heavy',
      '--',
      'sh',
      '-c',
      'echo in',
    ]);
    await room.waiting(1);
    // It keeps nothing while it waits.
    expect((await room.run(['--resource', 'simulator-x', '--timeout', '5', '--', 'true'])).code).toBe(0);
    expect(both.stdout()).toBe('');
    holder.child.kill('SIGTERM');
    expect(await both.end).toBe(0);
  });

  it('two slots have two holders, and the third waits', async () => {
    const holders = [await room.holder('implementation'), await room.holder('implementation')];
    expect((await room.run(['--resource', 'implementation', '--timeout', '1', '--', 'true'])).code).toBe(124);
    for (const { child } of holders) child.kill('SIGTERM');
    await Promise.all(holders.map(({ end }) => end));
  });

  it('also where no change can be watched', async () => {
    const holder = await room.holder('heavy');
    const shim = path.join(folder, 'no-watch.cjs');
    writeFileSync(
      shim,
      "require('node:fs').watch = () => { throw Object.assign(new Error('x'), { code: 'EMFILE' }); };",
    );
    const waiter = room.start(['--resource', 'heavy', '--', 'echo', 'in'], {
      env: { NODE_OPTIONS: `--require "${shim}"` },
    });
    await room.waiting(1);
    holder.child.kill('SIGTERM');
    expect(await waiter.end).toBe(0);
    expect(waiter.stdout()).toBe('in\n');
  });

  it('--list shows who holds and who waits', async () => {
    const holder = await room.holder('heavy');
    const waiter = room.start(['--resource', 'heavy', '--', 'true']);
    await room.waiting(1);
    const { stdout } = await room.run(['--list']);
    expect(stdout).toMatch(
      new RegExp(
        [
          '^heavy: 1 of 1 held, 1 waiting',
          `  held since [0-9:]+  pid ${holder.pid}  sh -c echo in; exec sleep 600`,
          `  waits since [0-9:]+  pid ${waiter.pid}  true`,
          'implementation: 0 of 2 held\n$',
        ].join('\n'),
      ),
    );
    const [heavy] = await room.list();
    expect(heavy).toMatchObject({
      ...{ name: 'heavy', slots: 1 },
      holders: [{ pid: holder.pid, kind: 'command', resources: ['heavy'] }],
      waiters: [{ pid: waiter.pid, heldSince: null }],
    });
    holder.child.kill('SIGTERM');
    await waiter.end;
    await holder.end;
  });
});

describe('below a holder', () => {
  const program = path.join(
    process.env.PRUN_TORTURE_SCRIPTS ?? path.resolve('skills/prun/scripts'),
    'resource-run.cjs',
  );
  const nested = (...words: string[]) => [process.execPath, program, ...words];

  it('what the outer command holds is held already', async () => {
    const inner = nested('--resource', 'heavy', '--timeout', '5', '--', 'echo', 'inner');
    const { code, stdout } = await room.run(['--resource', 'heavy', '--', ...inner]);
    expect([code, stdout]).toEqual([0, 'inner\n']);
  });

  it('also where the environment was cleared on the way', async () => {
    const inner = nested(
      '--resource-home',
      home,
      '--resource',
      'heavy',
      '--timeout',
      '5',
      '--',
      '/bin/echo',
      'inner',
    );
    const { stdout } = await room.run(['--resource', 'heavy', '--', 'env', '-i', ...inner]);
    expect(stdout).toBe('inner\n');
  });

  it('a further name is waited for; the one whose wait would never end is refused, and both end', async () => {
    const gate = path.join(folder, 'both');
    const wait = `echo in; while [ ! -e '${gate}' ]; do sleep 0.02; done; exec "$@"`;
    const inner = nested('--resource', 'heavy', '--timeout', '20', '--', 'echo', 'second');
    const second = room.start(['--resource', 'simulator-a', '--', 'sh', '-c', wait, 'x', ...inner]);
    await waitFor('the second', () => second.stdout() === 'in\n');
    const first = room.start([
      ...['--resource', 'heavy', '--'],
      ...nested('--resource', 'simulator-a', '--timeout', '20', '--', 'echo', 'first'),
    ]);
    await room.waiting(1);
    writeFileSync(gate, '');
    expect([await second.end, await first.end]).toEqual([2, 0]);
    expect(second.stderr()).toMatch(
      /which holds simulator-a; a wait for heavy would never end, because its holder waits for simulator-a: name all of them in the outer resource-run\n$/,
    );
    expect([second.stdout(), first.stdout()]).toEqual(['in\n', 'first\n']);
  });
});

describe('the home', () => {
  it('is private, and does not grow', async () => {
    for (let n = 0; n < 3; n++) await room.run(['--resource', 'heavy', '--', 'true']);
    expect(room.leases()).toEqual([]);
    expect(room.tables().length).toBeLessThanOrEqual(33);
  });

  it('a table that is torn or none is passed over', async () => {
    const boot = path.join(home, readdirSync(home).find((name) => name.includes('-')) ?? '');
    const newest = Math.max(...readdirSync(path.join(boot, 'tables')).map(Number));
    const holder = await room.holder('heavy');
    writeFileSync(path.join(boot, 'tables', String(newest + 5)), '{"schema":1,"holders":[{');
    writeFileSync(path.join(boot, 'tables', 'garbage'), 'x');
    mkdirSync(path.join(boot, 'tables', String(newest + 6)));
    // The holder of the last readable one still counts.
    expect((await room.run(['--resource', 'heavy', '--timeout', '1', '--', 'true'])).code).toBe(124);
    holder.child.kill('SIGTERM');
    await holder.end;
    expect((await room.run(['--resource', 'heavy', '--timeout', '5', '--', 'true'])).code).toBe(0);
  });

  it('of a newer prun is left alone', async () => {
    const own = path.join(folder, 'newer');
    await room.run(['--resource-home', own, '--resource', 'heavy', '--', 'true']);
    const boot = path.join(own, readdirSync(own)[0] ?? '');
    writeFileSync(path.join(boot, 'tables', '900'), '{"schema":2}');
    const { code, stderr } = await room.run(['--resource-home', own, '--resource', 'heavy', '--', 'true']);
    expect(code).toBe(2);
    expect(stderr).toContain(`a newer prun keeps the slots in ${own}`);
  });

  it.each([
    ['below a file', () => path.join(folder, 'plain-file', 'home'), /cannot be written \(E(NOTDIR|EXIST)\)/],
    ['below a device', () => '/dev/full/home', /cannot be written \(ENOTDIR\)/],
    ['a link that leads nowhere', () => path.join(folder, 'loop'), /cannot be written/],
  ])('one that cannot be used is named: %s', async (_, place, message) => {
    writeFileSync(path.join(folder, 'plain-file'), '');
    if (!existsSync(path.join(folder, 'loop'))) {
      try {
        symlinkSync('loop', path.join(folder, 'loop'));
      } catch {
        // It is there from the case before.
      }
    }
    const { code, stderr } = await room.run([
      '--resource-home',
      place(),
      '--resource',
      'heavy',
      '--',
      'true',
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it.runIf(process.getuid?.() === 0)('of another user is refused, and nothing runs', async () => {
    const own = path.join(folder, 'theirs');
    await room.run(['--resource-home', own, '--resource', 'heavy', '--', 'true']);
    chmodSync(folder, 0o755);
    const words = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath];
    const script = path.join(
      process.env.PRUN_TORTURE_SCRIPTS ?? path.resolve('skills/prun/scripts'),
      'resource-run.cjs',
    );
    const { spawnSync } = await import('node:child_process');
    const { status, stderr, stdout } = spawnSync(
      'setpriv',
      [...words, script, '--resource-home', own, '--resource', 'heavy', '--', 'echo', 'ran'],
      { encoding: 'utf8', cwd: '/' },
    );
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/cannot be (written|read) \(EACCES\)/);
  });

  it('a clock that was set changes nothing: the order is that of numbers', async () => {
    const holder = await room.holder('heavy');
    const shim = path.join(folder, 'past.cjs');
    writeFileSync(shim, 'const now = Date.now; Date.now = () => now() - 86400000 * 400;');
    const first = room.start(['--resource', 'heavy', '--', 'sh', '-c', `echo 1 >>'${folder}/clock'`]);
    await room.waiting(1);
    const past = room.start(['--resource', 'heavy', '--', 'sh', '-c', `echo 2 >>'${folder}/clock'`], {
      env: { NODE_OPTIONS: `--require "${shim}"` },
    });
    await room.waiting(2);
    holder.child.kill('SIGTERM');
    await Promise.all([first.end, past.end]);
    expect(readFileSync(path.join(folder, 'clock'), 'utf8')).toBe('1\n2\n');
    expect(isThere(holder.pid)).toBe(false);
  });
});
