import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Held, keepHeld, readHeld } from '../../scripts-src/run/held.ts';
import type { ScheduleSettings } from '../../scripts-src/run/records.ts';
import { lackedResource, type ResourceUser } from '../../scripts-src/run/resource-room.ts';
import { defaultJobs, heldBecause, type RoomFacts } from '../../scripts-src/run/supervisor/room-for-start.ts';
import { scratch } from '../helpers/unit-run.ts';

const G = 1024 ** 3;

it.each<[string, Partial<ScheduleSettings>, Partial<RoomFacts>, string | undefined]>([
  ['room', {}, {}, undefined],
  ['all jobs run', { jobs: 4 }, { running: 4 }, '4 of 4 jobs run'],
  ['the jobs of the machine run', {}, { running: 8 }, '8 of 8 jobs run'],
  ['a start that was just before', { delaySeconds: 30 }, { sinceStartSeconds: 3 }, '30 s between two starts'],
  [
    'load',
    { load: 4 },
    { running: 1, machine: { processors: 2, availableBytes: G, load: 9.44 } },
    'load 9.4 > 4',
  ],
  [
    'load, where nobody gave a limit',
    {},
    { running: 1, machine: { processors: 2, availableBytes: G, load: 99 } },
    undefined,
  ],
  [
    'load, where jobs were given',
    { jobs: 3 },
    { running: 1, machine: { processors: 2, availableBytes: G, load: 99 } },
    undefined,
  ],
  [
    'memory',
    { memfreeBytes: 4 * G },
    { running: 1, machine: { processors: 2, availableBytes: 1.26 * G, load: 0 } },
    'free memory 1.3 GiB < 4.0 GiB',
  ],
  [
    'little memory',
    { memfreeBytes: 500 * 1024 ** 2 },
    { running: 1, machine: { processors: 2, availableBytes: 12_345_678, load: 0 } },
    'free memory 11 MiB < 500 MiB',
  ],
  [
    'load, where nothing runs',
    { load: 1 },
    { running: 0, machine: { processors: 2, availableBytes: 0, load: 9 } },
    undefined,
  ],
])('%s holds the queue or does not', (_, schedule, facts, why) => {
  const settings = { jobs: null, delaySeconds: 0, memfreeBytes: null, load: null, ...schedule };
  const machine = { processors: 2, availableBytes: 8 * G, load: 0 };
  const hold = heldBecause(settings, {
    running: 0,
    sinceStartSeconds: 1e9,
    machine,
    defaultJobs: 8,
    ...facts,
  });
  expect(hold?.why).toBe(why);
});

it.each([
  [{ processors: 4, availableBytes: 64 * G, load: 1 }, 8],
  [{ processors: 4, availableBytes: 64 * G, load: 8.1 }, 4],
  [{ processors: 4, availableBytes: 3.5 * G, load: 1 }, 3],
  [{ processors: 1, availableBytes: 0, load: 99 }, 2],
  [{ processors: 64, availableBytes: 999 * G, load: 0 }, 30],
])('%j runs %i at once when nobody said', (machine, jobs) => {
  expect(defaultJobs(machine)).toBe(jobs);
});

const held = (all?: string, accounts: [string, string][] = []): Held => ({
  all,
  accounts: new Map(accounts),
  slots: new Map(),
});

describe('the reason in the folder of a run', () => {
  it('is there while something is held, and is written only when it changes', () => {
    const run = { folder: scratch() };
    const file = path.join(run.folder, 'held');
    const say = keepHeld(run);
    say(held());
    expect(readHeld(run)).toEqual(held());
    say(held('load 9.4 > 4'));
    const { ino, mtimeMs } = statSync(file);
    say(held('load 9.4 > 4'));
    expect(statSync(file)).toMatchObject({ ino, mtimeMs });
    expect(readHeld(run)).toEqual(held('load 9.4 > 4'));
    say(held('load 9.5 > 4'));
    expect(readFileSync(file, 'utf8')).toBe('load 9.5 > 4\n');
    say(held());
    expect(existsSync(file)).toBe(false);
  });

  it('names accounts beside the queue, and without it', () => {
    const run = { folder: scratch() };
    const accounts: [string, string][] = [
      ['codex:1a', 'jobs of codex lowered to 3 by rate limits'],
      ['claude:2b', 'starts of claude are a moment apart'],
    ];
    const say = keepHeld(run);
    say(held('4 of 4 jobs run', accounts));
    expect(readHeld(run)).toEqual(held('4 of 4 jobs run', accounts));
    say(held(undefined, accounts));
    expect(readHeld(run)).toEqual(held(undefined, accounts));
  });

  it('an earlier supervisor may have left one, and a folder that has gone is no reason to end', () => {
    const run = { folder: scratch() };
    keepHeld(run)(held('load 9.4 > 4'));
    keepHeld(run)(held());
    expect(readHeld(run)).toEqual(held());
    const gone = { folder: path.join(run.folder, 'gone') };
    keepHeld(gone)(held('load 9.4 > 4'));
    expect(existsSync(gone.folder)).toBe(false);
  });
});

it.each<[string, Partial<ResourceUser>, Partial<ResourceUser>[], Record<string, number>, string | undefined]>(
  [
    ['wants none', {}, [{ resources: ['db'] }], { db: 1 }, undefined],
    ['finds room', { resources: ['db'] }, [{ resources: ['db'] }], { db: 2 }, undefined],
    [
      'finds none',
      { resources: ['db'] },
      [{ resources: ['db'] }, { resources: ['db'] }],
      { db: 2 },
      '2 of 2 db in use',
    ],
    ['finds none of one', { resources: ['x'] }, [{ resources: ['x'] }], {}, '1 of 1 x in use'],
    [
      'works in the tree',
      { mode: 'inplace' },
      [{ mode: 'inplace' }],
      {},
      'another unit is in the working tree',
    ],
    ['works in the tree alone', { mode: 'inplace' }, [{ mode: 'clone' }], {}, undefined],
    ['is of the session', { mode: 'inplace', executor: 'session' }, [{ mode: 'inplace' }], {}, undefined],
  ],
)('a unit that %s', (_, unit, active, limits, why) => {
  const user = (wish: Partial<ResourceUser>): ResourceUser => ({
    mode: 'scratch',
    executor: 'codex',
    resources: [],
    ...wish,
  });
  expect(lackedResource(user(unit), active.map(user), limits, () => false)).toBe(why);
});
