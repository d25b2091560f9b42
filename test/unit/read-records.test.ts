import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readOutcome } from '../../scripts-src/unit/read-records.ts';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';
import { scratch } from '../helpers/unit-run.ts';
import { outcome } from '../render/outcomes.ts';

function read(record: unknown): OutcomeRecord | undefined {
  const stateDir = path.join(scratch(), 'state');
  mkdirSync(stateDir);
  writeFileSync(path.join(stateDir, 'outcome.json'), JSON.stringify(record));
  return readOutcome(stateDir);
}

it('an outcome of a version without workspaces is read', () => {
  const { claims: _, tripwire: __, ...older } = outcome();
  expect(read(older)).toEqual(outcome());
});

it.each([
  { delta: { state: 'collected', of: 'tomorrow' } },
  { delta: 'somewhere' },
  { claims: ['a.ts'] },
  { tripwire: { changes: 'many' } },
])('what this version does not know of a workspace is left out, and the rest is read: %o', (change) => {
  expect(read({ ...outcome(), ...change })).toEqual(outcome());
});
