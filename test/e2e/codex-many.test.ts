import path from 'node:path';
import { expect, it } from 'vitest';
import { openCodexRoom } from '../helpers/codex-room.ts';
import { processesOf } from '../helpers/process-table.ts';
import { type ExpectedEnd, expectEnd } from '../helpers/room.ts';
import { waitFor } from '../helpers/wait-for.ts';

const room = openCodexRoom();
const OK: ExpectedEnd = { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 };

it('20 units at once on the real codex: every outcome is right, and no process is left', async () => {
  const kinds = [
    {
      start: (number: number) =>
        room.codex('shell', { params: { cmd: `echo result ${number} > "$RESULT"` } }),
      is: OK,
    },
    {
      start: () => room.codex('plain', {}),
      is: { status: 'failed', reason: 'no-result', origin: 'last-message', code: 0 } as ExpectedEnd,
    },
    {
      start: () => room.codex('usage', {}),
      is: { status: 'failed', reason: 'usage-limit', origin: 'tail', code: 1 } as ExpectedEnd,
    },
    {
      start: () => room.codex('hang', { flags: ['--stall-threshold', '15'] }),
      is: { status: 'failed', reason: 'idle-stall', origin: 'tail', code: 124 } as ExpectedEnd,
    },
    {
      start: (number: number) =>
        room.codex('daemon', {
          params: { cmd: `setsid sleep 641 >/dev/null 2>&1 </dev/null & echo daemon ${number} > "$RESULT"` },
        }),
      is: OK,
    },
  ];
  const units = Array.from({ length: 20 }, (_, number) => {
    const kind = kinds[number % kinds.length] ?? kinds[0];
    if (!kind) throw new Error('no kind');
    return { number, is: kind.is, unit: kind.start(number) };
  });
  const stateDirs = Promise.all(units.map(({ unit }) => unit.stateDir()));
  const watch = stateDirs.then((dirs) =>
    room.run(
      'monitor',
      dirs.filter((_, number) => number % 5 === 0),
      { folder: units[0]?.unit.folder ?? '' },
    ),
  );
  const ends = await Promise.all(
    units.map(async ({ unit, is, number }) => ({ is, number, end: await unit.end(100_000) })),
  );
  for (const { is, number, end } of ends) {
    expectEnd(end, is);
    if (number % 5 === 0) expect(end.result).toBe(`result ${number}\n`);
    if (number % 5 === 4) expect(end.result).toBe(`daemon ${number}\n`);
  }
  expect(new Set(ends.map(({ end }) => end.outcome.sessionId)).size).toBe(20);
  expect(await watch).toMatchObject({ code: 0, stderr: '' });
  const root = path.dirname(units[0]?.unit.folder ?? '');
  // Each unit was looked at with its outcome; a guardian, which is none of a unit's, leaves a moment after its dispatcher.
  const left = () => processesOf({ word: root });
  await waitFor('the guardians to leave', () => left().length === 0, 5000).catch(() => {
    expect(
      left()
        .map(({ pid, ppid, command }) => `${pid} ${ppid} ${command}`)
        .join('\n'),
    ).toBe('');
  });
}, 120_000);
