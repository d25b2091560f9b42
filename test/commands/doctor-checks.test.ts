import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../scripts-src/commands/doctor/finding.ts';
import { inotifyFinding } from '../../scripts-src/commands/doctor/inotify.ts';
import { processesFinding } from '../../scripts-src/commands/doctor/leftover-processes.ts';
import { type Limits, limitsFinding, machineLimits } from '../../scripts-src/commands/doctor/limits.ts';
import { jobsReason, machineFinding, suggestedJobs } from '../../scripts-src/commands/doctor/machine.ts';
import { nodeFinding } from '../../scripts-src/commands/doctor/node.ts';
import { ownUse } from '../../scripts-src/commands/doctor/own-use.ts';
import { placeFinding } from '../../scripts-src/commands/doctor/place.ts';
import { gitFinding } from '../../scripts-src/commands/doctor/programs.ts';
import { skillFinding } from '../../scripts-src/commands/doctor/skill.ts';
import { lookAtSystem } from '../../scripts-src/commands/doctor/system.ts';
import { version } from '../../scripts-src/platform/version.ts';
import type { ProcessHost } from '../../scripts-src/process/types.ts';
import { cellsOf } from '../../scripts-src/render/cells.ts';
import { doctorPage } from '../../scripts-src/render/doctor-page.ts';
import { quotedWord } from '../../scripts-src/run/command-text.ts';
import { snapshot } from '../helpers/doctor-room.ts';
import { scratch } from '../helpers/unit-run.ts';

const GIB = 1024 ** 3;

it.each<[string, Finding['state']]>([
  ['20.0.0', 'ok'],
  ['26.1.0', 'ok'],
  ['18.20.4', 'problem'],
  ['9.9.9', 'problem'],
])('Node %s: %s', (given, state) => {
  expect(nodeFinding(given, '/usr/bin/node')).toMatchObject({ id: 'node', state });
});

describe('limits', () => {
  const none: Limits = { openFiles: null, processes: null, processesInUse: 0, group: null, groupInUse: 0 };
  it.each<[string, Partial<Limits>, NodeJS.Platform, Finding['state'], number | null, RegExp]>([
    ['none', {}, 'linux', 'ok', null, /^any number of open files, any number of processes$/],
    ['room for many', { openFiles: 1024, processes: 9000 }, 'linux', 'ok', 90, /^1024 open files, 0 of 9000/],
    ['few open files', { openFiles: 256 }, 'darwin', 'note', null, /256 open files.*few for builds/],
    ['a user who has many', { processes: 1000, processesInUse: 800 }, 'linux', 'note', 2, /room for 2 units/],
    ['nothing left', { processes: 1000, processesInUse: 950 }, 'linux', 'problem', 0, /no room for a unit/],
    ['a small container', { processes: 90_000, group: 300, groupInUse: 20 }, 'linux', 'note', 2, /container/],
    ['macOS counts no threads', { openFiles: 2048, processes: 1392 }, 'darwin', 'ok', 139, /1392/],
    ['Windows', { processes: 1 }, 'win32', 'ok', null, /Windows has none/],
  ])('%s', (_, limits, platform, state, mostUnits, fact) => {
    const said = limitsFinding({ ...none, ...limits }, platform, 4);
    expect(said).toMatchObject({ finding: { state, fact: expect.stringMatching(fact) }, mostUnits });
    expect(said.finding.do === null).toBe(state === 'ok');
  });

  it.runIf(process.platform === 'linux')('are read from the machine', () => {
    const use = ownUse();
    expect(use.tasks).toBeGreaterThan(1);
    expect(machineLimits('linux', use)).toMatchObject({ processesInUse: use.tasks });
    expect(machineLimits('linux', use).openFiles).toBeGreaterThan(0);
  });
});

it.each<[string, NodeJS.Platform, number, [string, string] | undefined, Finding['state'], string | null]>([
  ['roomy', 'linux', 5, ['128', '65536'], 'ok', null],
  ['used up', 'linux', 120, ['128', '65536'], 'note', 'sudo sysctl fs.inotify.max_user_instances=512'],
  ['few watches', 'linux', 0, ['128', '100'], 'note', 'sudo sysctl fs.inotify.max_user_watches=65536'],
  ['not told', 'linux', 0, undefined, 'ok', null],
  ['macOS', 'darwin', 0, undefined, 'ok', null],
])('inotify: %s', (_, platform, watchers, values, state, next) => {
  const read = (name: string): string | undefined => values?.[name === 'max_user_instances' ? 0 : 1];
  expect(inotifyFinding(platform, { watchers }, read)).toMatchObject({ id: 'inotify', state, do: next });
});

it.each<[number, number, number, (number | null)[], number]>([
  [8, 64, 0, [null, null], 16],
  [8, 64, 0, [null, 3], 3],
  [8, 64, 0, [0], 1],
  [2, 3, 9, [], 2],
  [32, 256, 0, [], 30],
])('jobs of %i cores, %i GiB and load %i within %j: %i', (processors, gib, load, limits, jobs) => {
  expect(suggestedJobs(limits, { processors, availableBytes: gib * GIB, load })).toBe(jobs);
});

it.each<[string, number, number, string | undefined]>([
  ['a calm machine', 4, 0.5, undefined],
  ['a busy one', 2, 7.5, 'load 7.5 halves it; a run that begins with less load takes auto(4)'],
  ['limits', 1, 0.5, 'the limits leave room for no more; a run begins with auto(4)'],
])('why JOBS may be another number than the auto(N) of a run: %s', (_, jobs, load, why) => {
  expect(jobsReason(jobs, { processors: 2, availableBytes: 64 * GIB, load })).toBe(why);
});

it('a machine tells its cores and memory, and with how many heavy units to begin', () => {
  expect(machineFinding({ processors: 2, availableBytes: 8e9, load: 0 })).toMatchObject({
    state: 'ok',
    fact: '2 cores, 8.0 GB of memory free; of units that build or test begin with 2',
  });
  expect(machineFinding({ processors: 32, availableBytes: 64e9, load: 1.25 }).fact).toMatch(
    /load 1\.3; .* 5$/,
  );
  expect(machineFinding({ processors: 8, availableBytes: 5e8, load: 0 })).toMatchObject({ state: 'note' });
});

it.each<[NodeJS.Platform, RegExp]>([
  ['darwin', /xcode-select --install/],
  ['win32', /winget install/],
  ['linux', /git-scm\.com/],
])('where there is no git, %s says how to get one', async (platform, step) => {
  vi.stubEnv('PATH', '/nonexistent');
  const wish = { stateHome: '/', tempFolder: '/', cwd: '/', program: '/', limitMs: 1000 };
  const said = await gitFinding(wish, platform).finally(() => vi.unstubAllEnvs());
  expect(said).toMatchObject({ state: 'problem', do: expect.stringMatching(step) });
});

it.each(['darwin', 'win32'] as const)(
  'what cannot be looked at on %s says so, and is nothing wrong',
  async (platform) => {
    const { findings } = await lookAtSystem({ limitMs: 1000 }, undefined, platform);
    const told = findings.filter(({ id }) => id !== 'limits');
    expect(told.map(({ id }) => id)).toEqual(['inotify', 'containment']);
    for (const { state, fact } of told)
      expect({ state, fact }).toEqual({ state: 'ok', fact: expect.stringMatching(/Linux alone/) });
  },
);

describe('a folder that prun writes to', () => {
  const place = (folder: string) => ({
    id: 'state-home' as const,
    folder,
    another: 'give another',
    isPrivate: true,
    isMade: true,
  });

  it.each(['linux', 'darwin', 'win32'] as const)(
    'is really written, and left as it was (%s)',
    async (platform) => {
      const folder = scratch();
      chmodSync(folder, 0o700);
      expect(await placeFinding(place(folder), platform)).toMatchObject({
        state: 'ok',
        fact: expect.stringContaining(folder),
      });
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('that is open to others is told, but not on Windows, which has no modes', async () => {
    const folder = scratch();
    expect(await placeFinding(place(folder), 'darwin')).toMatchObject({
      state: 'note',
      do: `chmod 700 '${folder}'`,
    });
    expect(await placeFinding(place(folder), 'win32')).toMatchObject({ state: 'ok' });
  });

  it('below a file, and a temp folder that is not there', async () => {
    const folder = scratch();
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    expect(await placeFinding(place(path.join(file, 'state')))).toMatchObject({
      state: 'problem',
      fact: expect.stringContaining('below a file'),
    });
    const gone = path.join(folder, 'gone');
    expect(await placeFinding({ ...place(gone), isMade: false })).toMatchObject({
      state: 'problem',
      do: `mkdir -p '${gone}'`,
    });
    expect(await placeFinding(place(gone))).toMatchObject({ state: 'ok' });
    expect(snapshot(gone)).toEqual([`${gone} is not there`]);
  });
});

describe('the skill', () => {
  const skill = (folder: string, wish: { version?: string } = {}): string => {
    const scripts = path.join(folder, 'scripts');
    mkdirSync(scripts, { recursive: true });
    for (const name of ['prun', 'dispatch-task', 'reap-watch', 'monitor', 'gather']) {
      writeFileSync(path.join(scripts, `${name}.cjs`), '', { mode: 0o755 });
    }
    writeFileSync(
      path.join(folder, 'SKILL.md'),
      `---\nname: prun\ndescription: x\nmetadata:\n  version: "${wish.version ?? version}"\n---\n`,
    );
    return path.join(scripts, 'prun.cjs');
  };
  const looked = (cwd: string, program: string): Finding => {
    vi.stubEnv('CLAUDE_CONFIG_DIR', path.join(cwd, 'claude home'));
    try {
      return skillFinding({ cwd, program });
    } finally {
      vi.unstubAllEnvs();
    }
  };

  it('in the project, by a link, as a plugin, and nowhere', () => {
    const folder = scratch();
    const place = path.join(folder, '.claude/skills/prun');
    const program = skill(place);
    expect(looked(folder, program)).toMatchObject({ state: 'ok', fact: `${version}, ${place}` });
    const deep = path.join(folder, 'a/b');
    mkdirSync(deep, { recursive: true });
    expect(looked(deep, program)).toMatchObject({ state: 'ok', fact: `${version}, ${place}` });
    const real = path.join(folder, 'real');
    cpSync(place, real, { recursive: true });
    rmSync(place, { recursive: true });
    symlinkSync(real, place);
    const linked = path.join(real, 'scripts/prun.cjs');
    expect(looked(folder, linked)).toMatchObject({
      state: 'ok',
      fact: `${version}, ${place}, a link to ${real}`,
    });
    rmSync(place);
    expect(looked(folder, linked)).toMatchObject({
      state: 'note',
      do: `node ${quotedWord(linked)} install --project <your project>`,
    });
    const plugin = skill(path.join(folder, 'claude home/plugins/cache/prun'));
    expect(looked(folder, plugin)).toMatchObject({
      state: 'ok',
      fact: expect.stringContaining('a plugin in'),
    });
  });

  it('with another version in its text or in another place, with dull scripts, and with a script missing', () => {
    const folder = scratch();
    const place = path.join(folder, '.claude/skills/prun');
    const program = skill(place, { version: '0.0.1' });
    expect(looked(folder, program)).toMatchObject({
      state: 'note',
      fact: expect.stringContaining('is of 0.0.1, its scripts of'),
    });
    const other = skill(path.join(folder, 'clone'));
    expect(looked(folder, other)).toMatchObject({
      state: 'note',
      fact: expect.stringContaining(`but Claude Code has 0.0.1 in ${place}`),
      do: `if this is the newer of the two: node ${quotedWord(other)} install --project ${quotedWord(folder)}`,
    });
    const scripts = path.dirname(skill(place));
    chmodSync(path.join(scripts, 'monitor.cjs'), 0o644);
    expect(looked(folder, program)).toMatchObject({
      state: 'note',
      do: `chmod +x '${path.join(scripts, 'monitor.cjs')}'`,
    });
    rmSync(path.join(scripts, 'reap-watch.cjs'));
    expect(looked(folder, program)).toMatchObject({
      state: 'problem',
      fact: expect.stringContaining('lacks reap-watch.cjs'),
      do: `get prun again, whole, and run node ${quotedWord(program)} install --project <your project>`,
    });
  });
});

it('a process table that nobody can read is a problem', () => {
  const host = {
    platform: 'darwin',
    entry: () => undefined,
    trouble: () => 'ps is missing',
  } as unknown as ProcessHost;
  expect(
    processesFinding(host, { tempFolder: '/nonexistent', stateHome: '/nonexistent', program: '/prun.cjs' }),
  ).toMatchObject({
    state: 'problem',
    fact: expect.stringContaining('ps is missing'),
  });
});

it('a page of any width keeps all words', () => {
  const fact = 'a fact of some length with a/very/long/path/that/has/no/blank/in/it and 漢字漢字漢字漢字';
  const checks = [{ id: 'git', state: 'problem' as const, fact, do: 'one thing to do about it' }];
  for (const width of [1, 20, 33, 80, 500]) {
    const lines = doctorPage(checks, { jobs: 3 }, { width, paint: (_, text) => text });
    const words = lines.map((line) => line.replace(/\s/g, '')).join('');
    expect(words).toBe(`PROBLEMgit:${fact}DOonethingtodoaboutitJOBS3`.replace(/\s/g, ''));
    if (width >= 20) expect(lines.filter((line) => cellsOf(line) > width)).toEqual([]);
  }
  expect(doctorPage([], { jobs: 3, why: 'so it is' })).toEqual(['JOBS 3 (so it is)']);
  expect(doctorPage(checks, { jobs: 3 })).toEqual([
    `PROBLEM git: ${fact}`,
    '  DO one thing to do about it',
    'JOBS 3',
  ]);
});
