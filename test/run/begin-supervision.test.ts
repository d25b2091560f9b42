import { expect, it } from 'vitest';
import { currentHost } from '../../scripts-src/process/host.ts';
import { viewRun } from '../../scripts-src/run/run-view.ts';
import { beginSupervision, readNewUnits } from '../../scripts-src/run/supervisor/supervision.ts';
import { unitSpec, writtenRun } from '../helpers/run-fixture.ts';
import { scratch } from '../helpers/unit-run.ts';

it('a supervisor knows a unit that was added between its first two looks, and one that comes later', async () => {
  const { run, add } = await writtenRun(scratch(), 'adds', ['a']);
  const view = viewRun(run);
  add(unitSpec('b'));
  const supervision = beginSupervision(await currentHost(), {} as never, view, () => {});
  expect([...view.units.keys()]).toEqual(['a', 'b']);
  add(unitSpec('c', { after: ['a'] }));
  readNewUnits(supervision);
  expect([...view.units.values()].map(({ id, state }) => [id, state])).toEqual([
    ['a', 'created'],
    ['b', 'created'],
    ['c', 'created'],
  ]);
  expect(supervision.children).toEqual(new Map([['a', ['c']]]));
});
