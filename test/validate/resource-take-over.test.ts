import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesOf, readProcess } from '../helpers/process-table.ts';
import { isThere, kill, openResourceRoom } from '../helpers/resource-room.ts';
import { waitFor } from '../helpers/wait-for.ts';

const room = openResourceRoom();
const { folder } = room;

/** Pids of the command's processes, its shim first. */
function commandOf(word: string): number[] {
  return processesOf({ word })
    .filter(({ argv }) => !argv.includes('resource-run.cjs'))
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);
}

async function holding(word: string, script = 'echo in') {
  const holder = room.start(['--resource', 'heavy', '--', 'sh', '-c', `${script}; exec sleep ${word}`]);
  await waitFor('the holder', () => holder.stdout().startsWith('in\n'));
  const [shim] = commandOf(word);
  if (shim === undefined) throw new Error('the command has no process');
  return { holder, shim, guardian: room.guardianOf(holder) };
}

describe('a wrapper that is killed', () => {
  it('admits nobody before its command has gone, with its daemons, and then the next one at once', async () => {
    const { holder } = await holding('5501', 'setsid sleep 5501 & (env -i setsid sleep 5501 &) ; echo in');
    const script = 'ps -eo args | grep -c "sleep 550[1]"';
    const next = room.start(['--resource', 'heavy', '--', 'sh', '-c', script]);
    await room.waiting(1);
    holder.child.kill('SIGKILL');
    const killedAt = performance.now();
    await next.end;
    // Bounds are loose here; test/bench measures.
    expect(performance.now() - killedAt).toBeLessThan(5000);
    expect(next.stdout()).toBe('0\n');
    await waitFor('a clean home', () => room.leases().length === 0);
  });

  it('and its guardian, too: the slot stays held as long as the command lives, then it is free', async () => {
    const { holder, guardian } = await holding('5502');
    kill(guardian);
    kill(holder.pid);
    const next = room.start(['--resource', 'heavy', '--', 'echo', 'in']);
    await room.waiting(1);
    // A guardian that was replaced before its owner died does the same as the first: then the slot is free by now.
    await new Promise((resolve) => setTimeout(resolve, 600));
    const command = commandOf('5502');
    if (command.length > 0) expect(next.stdout()).toBe('');
    for (const pid of command) kill(pid);
    expect(await next.end).toBe(0);
  });

  it('while it waits is no waiter any more, and holds nothing when its turn comes', async () => {
    const holder = await room.holder('heavy');
    const waiter = room.start(['--resource', 'heavy', '--', 'echo', 'never']);
    await room.waiting(1);
    waiter.child.kill('SIGKILL');
    await waiter.end;
    holder.child.kill('SIGTERM');
    await holder.end;
    expect((await room.run(['--resource', 'heavy', '--timeout', '5', '--', 'echo', 'in'])).stdout).toBe(
      'in\n',
    );
  });

  it('whose guardian is killed gets another one', async () => {
    const { holder, guardian } = await holding('5503');
    kill(guardian);
    const second = await waitFor('a second guardian', () => {
      const now = room.guardianOf(holder);
      return now !== undefined && now !== guardian && isThere(now) ? now : undefined;
    });
    expect(readProcess(second)?.ppid).toBe(1);
    holder.child.kill('SIGKILL');
    await waitFor('the end of the command', () => commandOf('5503').length === 0);
  });
});

it('a killed leader ends what it started, and its code is that of the signal', async () => {
  const { holder, shim } = await holding('5504', 'setsid sleep 5504 & echo in');
  kill(shim);
  expect(await holder.end).toBe(137);
  expect(commandOf('5504')).toEqual([]);
});

it('a stopped wrapper keeps its slot', async () => {
  const { holder } = await holding('5505');
  holder.child.kill('SIGSTOP');
  expect((await room.run(['--resource', 'heavy', '--timeout', '1', '--', 'true'])).code).toBe(124);
  holder.child.kill('SIGCONT');
  holder.child.kill('SIGTERM');
  expect(await holder.end).toBe(143);
});

it('SIGTSTP and SIGCONT reach the command, as a terminal sends them', async () => {
  const { holder, shim } = await holding('5506');
  holder.child.kill('SIGTSTP');
  await waitFor(
    'a stopped command',
    () => readProcess(shim)?.state === 'T' && readProcess(holder.pid)?.state === 'T',
  );
  holder.child.kill('SIGCONT');
  await waitFor('a command that goes on', () => readProcess(shim)?.state !== 'T');
  holder.child.kill('SIGTERM');
  expect(await holder.end).toBe(143);
});

describe('--hold', () => {
  const ready = (dir: string) => JSON.parse(readFileSync(path.join(dir, 'ready.json'), 'utf8'));
  const hold = async (dir: string) => {
    const holder = room.start(['--resource', 'heavy', '--resource', 'simulator-x', '--hold', dir]);
    await waitFor('ready.json', () => existsSync(path.join(dir, 'ready.json')));
    return holder;
  };

  it('says that it holds, and gives back when release is there', async () => {
    const dir = path.join(folder, 'hold-1');
    const holder = await hold(dir);
    expect(ready(dir)).toMatchObject({
      state: 'held',
      resources: ['heavy', 'simulator-x'],
      holder: { pid: holder.pid },
      endedAt: null,
    });
    expect((await room.run(['--resource', 'simulator-x', '--timeout', '1', '--', 'true'])).code).toBe(124);
    writeFileSync(path.join(dir, 'release'), '');
    expect(await holder.end).toBe(0);
    expect(ready(dir)).toMatchObject({ state: 'released', signal: null });
    expect((await room.run(['--resource', 'heavy', '--timeout', '5', '--', 'true'])).code).toBe(0);
  });

  it('an interrupted one says so', async () => {
    const dir = path.join(folder, 'hold-2');
    const holder = await hold(dir);
    holder.child.kill('SIGTERM');
    expect(await holder.end).toBe(143);
    expect(ready(dir)).toMatchObject({ state: 'interrupted', signal: 'SIGTERM' });
  });

  it('a killed one is recorded by its guardian', async () => {
    const dir = path.join(folder, 'hold-3');
    const holder = await hold(dir);
    holder.child.kill('SIGKILL');
    await waitFor('the record', () => ready(dir).state === 'interrupted');
    expect((await room.run(['--resource', 'heavy', '--timeout', '5', '--', 'true'])).code).toBe(0);
  });

  it('whose folder is removed gives back', async () => {
    const dir = path.join(folder, 'hold-4');
    const holder = await hold(dir);
    rmSync(dir, { recursive: true });
    expect(await holder.end).toBe(0);
    expect(existsSync(dir)).toBe(false);
  });

  it('in a folder that exists is refused; one that never held leaves none', async () => {
    const dir = path.join(folder, 'hold-5');
    mkdirSync(dir);
    const refused = await room.run(['--resource', 'heavy', '--hold', dir]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `resource-run: ${dir} exists: give --hold a folder that does not\n`,
    ]);
    const holder = await room.holder('heavy');
    const late = await room.run([
      '--resource',
      'heavy',
      '--timeout',
      '1',
      '--hold',
      path.join(folder, 'hold-6'),
    ]);
    expect(late.code).toBe(124);
    expect(existsSync(path.join(folder, 'hold-6'))).toBe(false);
    holder.child.kill('SIGTERM');
    await holder.end;
  });
});
