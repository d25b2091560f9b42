import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readProcess } from '../../helpers/process-table.ts';
import { kill, openResourceRoom } from '../../helpers/resource-room.ts';
import { runRoom } from '../../helpers/run-room.ts';
import { seededRandom, tortureSeed } from '../random.ts';

const machine = openResourceRoom();
const seed = tortureSeed();

/** One lock of the kernel is the witness: two units inside at once, and the second says so. */
function inside(folder: string, id: string): string {
  return [
    `exec 8>>'${folder}/lock'`,
    `flock -n 8 || echo "second ${id}" >>'${folder}/log'`,
    `echo "enter ${id}" >>'${folder}/log'`,
    'sleep 0.15',
    `echo "leave ${id}" >>'${folder}/log'`,
    'echo ok',
  ].join('\n');
}

it(`three runs share heavy while their supervisors are killed (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const wish = { environment: { PRUN_RESOURCE_HOME: machine.home } };
  const units = ['a', 'b', 'c', 'd', 'e', 'f'];
  const runs = [];
  for (let n = 0; n < 3; n++) {
    const room = runRoom();
    const list = units.map((id) => ({
      id,
      sh: inside(machine.folder, `${n}${id}`),
      ...{ resources: ['heavy'], retries: 0 },
    }));
    runs.push(await room.start(list, { jobs: 3 }, wish));
  }
  for (let kills = 0; kills < 12; kills++) {
    await new Promise((resolve) => setTimeout(resolve, random.below(400)));
    const run = random.pick(runs);
    const pid = run.supervisorPid();
    // Its number may be somebody else's by now.
    if (readProcess(pid)?.argv.includes(run.folder)) kill(pid);
  }
  for (const run of runs) {
    const ends = await run.done(90_000);
    expect([...ends.values()].map(({ status }) => status)).toEqual(units.map(() => 'succeeded'));
  }
  const log = path.join(machine.folder, 'log');
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  expect(lines.filter((line) => line.startsWith('second'))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('leave'))).toHaveLength(18);
  const slots = await machine.list();
  expect(slots.flatMap(({ holders, waiters }) => [...holders, ...waiters])).toEqual([]);
});
