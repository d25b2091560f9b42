import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { dispatchTask, program, scratch } from '../helpers/unit-run.ts';

function room() {
  const folder = scratch();
  const resultFile = path.join(folder, 'result.md');
  const codexBin = program(
    folder,
    'codex',
    'until [ -e "$RESULT.go" ]; do sleep 0.05; done; echo done >"$RESULT"',
  );
  const start = (unit: string, environment: Record<string, string>) => {
    for (const place of Object.values(environment)) {
      if (place.startsWith(folder)) mkdirSync(place, { recursive: true });
    }
    return dispatchTask({ folder, codexBin, resultFile, unit, environment });
  };
  return { folder, resultFile, start };
}

type Environments = (folder: string) => [Record<string, string>, Record<string, string>];
const CASES: [string, Environments][] = [
  ['with temp folders of their own', (folder) => [{ TMPDIR: `${folder}/a` }, { TMPDIR: `${folder}/b` }]],
  ['without a usable home', () => [{ HOME: '/dev/null' }, { HOME: '/dev/null' }]],
];

it.each(CASES)('a second live dispatch to one result path is refused, %s', async (_title, environmentsIn) => {
  const { folder, resultFile, start } = room();
  const [one, other] = environmentsIn(folder);
  const first = start('first', one);
  const stateDir = await first.stateDir();
  const second = start('second', other);
  expect(await second.exitCode).toBe(2);
  expect(second.stderr()).toContain(`another live dispatch writes to ${resultFile} (state dir ${stateDir})`);
  writeFileSync(`${resultFile}.go`, '');
  const { outcome, alive } = await first.outcome();
  expect(alive).toEqual([]);
  expect(outcome).toMatchObject({ status: 'succeeded', reason: 'ok', result: { origin: 'worker' } });
});
