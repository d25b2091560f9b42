import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';
import { createCommandRunner } from '../../scripts-src/process/command-runner.ts';
import { identify, identityOf, isAlive, type ProcessId } from '../../scripts-src/process/identity.ts';
import { createLinuxHost } from '../../scripts-src/process/linux.ts';
import { sweepToolWorks, sweepTree, type TreeKill } from '../../scripts-src/process/tree-kill.ts';
import type { ProcessEntry, ProcessHost } from '../../scripts-src/process/types.ts';

const hasPs = () => true;
// `self: 1` below: the made-up pids may well be this process's own.

function entryOf(pid: number, ppid: number, startOrder = pid): ProcessEntry {
  return {
    pid,
    ppid,
    pgid: pid,
    sid: pid,
    start: String(startOrder),
    startOrder,
    state: 'alive',
    command: 'x',
    cpuMs: 0,
  };
}

/** A host of made-up processes that writes down every signal. */
function fakeHost(entries: ProcessEntry[], stale: Record<number, number[]> = {}) {
  const sent: [number, string][] = [];
  const ended: number[] = [];
  const host: ProcessHost & {
    staleChildren(pid: number): number[];
    endAll(ids: readonly ProcessId[]): ProcessId[];
  } = {
    platform: 'win32',
    bootId: () => 'b',
    entry: (pid) => entries.find((entry) => entry.pid === pid),
    look: () => [...entries],
    marks: () => undefined,
    io: () => undefined,
    lastPid: () => undefined,
    signal: (pid, signal) => sent.push([pid, signal]) > 0,
    staleChildren: (pid) => stale[pid] ?? [],
    endAll: (ids) => {
      ended.push(...ids.map((id) => id.pid));
      return [...ids];
    },
  };
  const killed: number[] = [];
  const treeKill: TreeKill = (pid, _, done) => {
    killed.push(pid);
    done();
  };
  return { host, sent, ended, killed, load: async () => treeKill };
}

describe('the last sweep on Windows', () => {
  const tree = [entryOf(10, 1), entryOf(11, 10), entryOf(12, 11), entryOf(90, 1)];
  const root = { boot: 'b', pid: 10, start: '10' };

  it('uses taskkill /T when every parent number below is sound, then ends what is left by identity', async () => {
    const { host, killed, ended, load } = fakeHost(tree);
    expect(await sweepTree(host, root, { platform: 'win32', hasPs, self: 1, load })).toBe('swept');
    expect([killed, ended]).toEqual([[10], [10, 11, 12]]);
  });

  it('ends one by one when a stranger would count as a child', async () => {
    const { host, killed, ended, load } = fakeHost(tree, { 12: [90] });
    expect(await sweepTree(host, root, { platform: 'win32', hasPs, self: 1, load })).toBe('swept');
    expect([killed, ended]).toEqual([[], [10, 11, 12]]);
  });

  it.each([
    ['the pid is a stranger by now', { ...root, start: '9' }],
    ['the machine was booted since', { ...root, boot: 'other' }],
    ['nothing has the pid', { ...root, pid: 55 }],
  ])('sends nothing when %s', async (_, id) => {
    const { host, killed, ended, sent, load } = fakeHost(tree);
    expect(await sweepTree(host, id, { platform: 'win32', hasPs, self: 1, load })).toBe('gone');
    expect([killed, ended, sent]).toEqual([[], [], []]);
  });

  it('does not sweep a tree that it is in itself', async () => {
    const { host, killed, ended, load } = fakeHost(tree);
    expect(await sweepTree(host, root, { platform: 'win32', hasPs, load, self: 12 })).toBe('unavailable');
    expect([killed, ended]).toEqual([[], []]);
  });
});

describe('the last sweep when something is missing', () => {
  const root = { boot: 'b', pid: 10, start: '10' };

  it.each<[string, Partial<Parameters<typeof sweepTree>[2]>, ProcessEntry[]]>([
    ['ps does not work', { hasPs: () => false }, [entryOf(10, 1)]],
    [
      'the question for ps throws',
      {
        hasPs: () => {
          throw new Error('EAGAIN');
        },
      },
      [entryOf(10, 1)],
    ],
    [
      'the package cannot be loaded',
      { load: () => Promise.reject(new Error('no module')) },
      [entryOf(10, 1)],
    ],
    ['the process table cannot be read', {}, []],
  ])('is unavailable when %s', async (_, options, entries) => {
    const { host, killed, ended, sent, load } = fakeHost(entries);
    expect(await sweepTree(host, root, { platform: 'linux', hasPs, self: 1, load, ...options })).toBe(
      'unavailable',
    );
    expect([killed, ended, sent]).toEqual([[], [], []]);
  });

  it.each<[string, TreeKill]>([
    ['never calls back', () => {}],
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    ['reports EPERM', (_, __, done) => done(new Error('EPERM'))],
  ])('ends the known processes itself when tree-kill %s', async (_, treeKill) => {
    const { host, ended } = fakeHost([entryOf(10, 1), entryOf(11, 10)]);
    const begun = Date.now();
    const result = await sweepTree(host, root, {
      platform: 'linux',
      hasPs,
      self: 1,
      timeoutMs: 50,
      load: async () => treeKill,
    });
    expect(result).toBe('swept');
    expect(ended).toEqual([10, 11]);
    expect(Date.now() - begun).toBeLessThan(5000);
  });

  it('leaves large trees to itself: tree-kill starts one ps for each process', async () => {
    const { host, killed, ended, load } = fakeHost([
      entryOf(10, 1),
      ...Array.from({ length: 100 }, (_, i) => entryOf(11 + i, 10)),
    ]);
    expect(await sweepTree(host, root, { platform: 'linux', hasPs, self: 1, load })).toBe('swept');
    expect([killed.length, ended.length]).toEqual([0, 101]);
  });
});

const hasProcps = process.platform === 'linux' && spawnSync('ps', ['--version']).status === 0;

describe.runIf(hasProcps)('the last sweep of real processes', () => {
  const host = createLinuxHost();
  const children: ChildProcess[] = [];
  afterEach(() => {
    // Never through the program `kill`: procps 4.0.2 takes `kill -9 -1234` for `kill -9 -1`, everything.
    for (const child of children.splice(0)) {
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The sweep was thorough.
      }
    }
  });

  async function family(script: string, members: number): Promise<ProcessId[]> {
    const child = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore' });
    children.push(child);
    const pid = child.pid ?? 0;
    for (let round = 0; round < 200; round++) {
      const entries = [...host.look(0)];
      const pids = new Set([pid]);
      for (let grew = true; grew; ) {
        grew = false;
        for (const entry of entries)
          if (pids.has(entry.ppid) && !pids.has(entry.pid)) grew = Boolean(pids.add(entry.pid));
      }
      if (pids.size >= members)
        return entries
          .filter((entry) => pids.has(entry.pid))
          .map((entry) => identityOf(host, entry))
          .sort((a) => (a.pid === pid ? -1 : 1));
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error('the family never grew up');
  }

  async function allGone(ids: ProcessId[]): Promise<boolean> {
    for (let round = 0; round < 100; round++) {
      if (!ids.some((id) => isAlive(host, id))) return true;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return false;
  }

  it('ends a tree with a stopped one, one that ignores TERM and one in a session of its own', async () => {
    const ids = await family(
      `trap '' TERM; (trap '' TERM; sleep 60 & wait) & setsid sleep 60 & sleep 60 & kill -STOP $!; wait`,
      5,
    );
    const root = ids[0];
    let walked = 0;
    const load = async (): Promise<TreeKill> => {
      const { default: treeKill } = await import('tree-kill');
      return (pid, signal, done) =>
        treeKill(pid, signal, (error) => {
          walked++;
          done(error);
        });
    };
    const options = { platform: 'linux', hasPs: () => sweepToolWorks('linux'), load } as const;
    expect(root && (await sweepTree(host, root, options))).toBe('swept');
    expect(walked).toBe(1);
    expect(await allGone(ids)).toBe(true);
  });

  it('ends a tree that keeps forking while it is swept', async () => {
    const ids = await family('while :; do sleep 0.05 & sleep 0.01; done', 3);
    const root = ids[0];
    expect(root && (await sweepTree(host, root, { platform: 'linux', hasPs }))).toBe('swept');
    expect(await allGone(ids)).toBe(true);
  });

  it('survives that ps cannot be started in the middle of the walk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prun-sweep-'));
    const ids = await family('sleep 60 & sleep 60 & wait', 3);
    try {
      const outfile = join(folder, 'sweep.cjs');
      await build({
        stdin: {
          contents: `
            import { createLinuxHost } from './scripts-src/process/linux.ts';
            import { sweepTree } from './scripts-src/process/tree-kill.ts';
            process.env.PATH = '/nowhere';
            const id = JSON.parse(process.argv[2]);
            sweepTree(createLinuxHost(), id, { platform: 'linux', hasPs: () => true }).then(console.log);`,
          resolveDir: process.cwd(),
          loader: 'ts',
        },
        bundle: true,
        platform: 'node',
        format: 'cjs',
        outfile,
      });
      const result = spawnSync(process.execPath, [outfile, JSON.stringify(ids[0])], { encoding: 'utf8' });
      expect([result.stdout, result.status]).toEqual(['swept\n', 0]);
      expect(await allGone(ids)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is gone for a process that has ended, and kills nothing', async () => {
    const child = spawn('true');
    const id = child.pid === undefined ? undefined : identify(host, child.pid);
    await new Promise((resolve) => child.on('exit', resolve));
    expect(id && (await sweepTree(host, id, { platform: 'linux', hasPs }))).toBe('gone');
  });

  it.each([
    ['works with procps', undefined, true],
    [
      'does not work with a ps that knows no option (BusyBox)',
      'echo "ps: invalid option" >&2; exit 1',
      false,
    ],
    ['does not work with a ps that succeeds in silence', 'exit 0', false],
  ])('says that the tool %s', (_, script, works) => {
    const folder = mkdtempSync(join(tmpdir(), 'prun-ps-'));
    try {
      if (script !== undefined) writeFileSync(join(folder, 'ps'), `#!/bin/sh\n${script}\n`);
      if (script !== undefined) chmodSync(join(folder, 'ps'), 0o755);
      const env = { PATH: `${folder}:${process.env.PATH}` };
      const run = createCommandRunner({ timeoutMs: 5000, maxOutput: 1 << 20, env });
      expect(sweepToolWorks('linux', run)).toBe(works);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('says that the tool does not work where there is none', () => {
    const run = createCommandRunner({ timeoutMs: 5000, maxOutput: 1 << 20, env: { PATH: '/nowhere' } });
    expect(sweepToolWorks('linux', run)).toBe(false);
    expect(sweepToolWorks('darwin', run)).toBe(false);
    expect(
      sweepToolWorks('win32', () => 'Usage: taskkill [/?] [/f] [/im ProcessName | /pid ProcessID]'),
    ).toBe(false);
  });
});
