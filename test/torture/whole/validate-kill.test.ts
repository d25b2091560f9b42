import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { processesOf } from '../../helpers/process-table.ts';
import { openValidations } from '../../helpers/validation-room.ts';
import { waitFor } from '../../helpers/wait-for.ts';

const { place } = openValidations();
const ROUNDS = 40;

it('kill -9 at any moment leaves no process, and no result that was not whole', async () => {
  const here = await place();
  const ends = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const word = `killed-${process.pid}-${round}`;
    const step = [
      'bash',
      '-c',
      `env -i setsid bash -c 'exec -a ${word} sleep 300' & (exec -a ${word} sleep 300) & sleep 0.05`,
    ];
    const run = here.start({ build: step, verify: step, health: step, smoke: step, test: step });
    await new Promise((resolve) => setTimeout(resolve, 20 + (round * 1300) / ROUNDS));
    run.child.kill('SIGKILL');
    await run.ended;
    await waitFor('the end of all processes', () => processesOf({ word }).length === 0);
    // A guardian that comes a moment later must not find anybody either.
    const isWhole = existsSync(path.join(run.output, 'result.json'));
    const kind = !existsSync(run.output) ? 'nothing' : isWhole ? 'whole' : 'incomplete';
    ends.set(kind, (ends.get(kind) ?? 0) + 1);
    if (kind === 'nothing' || !existsSync(path.join(run.output, 'progress.json'))) continue;
    const { code, check } = await here.evidence(run.output);
    expect([code, check.evidence]).toEqual(isWhole ? [0, 'agrees'] : [3, 'incomplete']);
  }
  expect(ends.get('incomplete') ?? 0).toBeGreaterThan(ROUNDS / 2);
});
