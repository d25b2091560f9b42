import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openValidations, validated } from '../../helpers/validation-room.ts';

const { place } = openValidations();
const ROUNDS = 60;
/** From the last comparison to the end that is recorded, ms. */
const LAST_MS = 60;

it('an edit by somebody else at any moment is no passed, also one that is taken back with its old time', async () => {
  const here = await place();
  const file = path.join(here.repo, 'base.txt');
  const text = readFileSync(file);
  const seen = { passed: 0, 'invalid-evidence': 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const short = 'sleep 0.03';
    const run = here.start({ build: short, verify: short, health: short, smoke: short, test: short });
    await new Promise((resolve) => setTimeout(resolve, (round * 900) / ROUNDS));
    const { atime, mtime } = statSync(file);
    const editedMs = Date.now();
    writeFileSync(file, 'edit\n');
    const isTakenBack = round % 2 === 0;
    if (isTakenBack) {
      writeFileSync(file, text);
      utimesSync(file, atime, mtime);
    }
    const { result } = validated(await run.ended, run.output);
    if (result.status === 'passed') {
      // It came before the first look at the files (and was back), or after the last one.
      const beforeFirst = isTakenBack && editedMs < Date.parse(result.startedAt) + 200;
      const afterLast = editedMs > Date.parse(result.endedAt) - LAST_MS;
      expect(
        [beforeFirst, afterLast],
        `round ${round}: edited ${editedMs}, ${result.startedAt} to ${result.endedAt}`,
      ).toContain(true);
    }
    seen[result.status === 'passed' ? 'passed' : 'invalid-evidence']++;
    expect(['passed', 'invalid-evidence']).toContain(result.status);
    writeFileSync(file, text);
  }
  expect(seen['invalid-evidence']).toBeGreaterThan(ROUNDS / 3);
});
