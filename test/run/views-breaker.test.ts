import path from 'node:path';
import { expect, it } from 'vitest';
import { localTime } from '../../scripts-src/platform/local-time.ts';
import { accountsIn } from '../../scripts-src/run/account-of-unit.ts';
import type { RunEventBody } from '../../scripts-src/run/records.ts';
import { viewRun } from '../../scripts-src/run/run-view.ts';
import { compiledViews, unitSpec, type WrittenRun, writtenRun } from '../helpers/run-fixture.ts';
import { isWatching } from '../helpers/state-dir-fixture.ts';
import { scratch } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

const views = compiledViews(['wait', 'status']);

interface Place {
  folder: string;
  made: WrittenRun;
}

async function place(units: Parameters<typeof writtenRun>[2]): Promise<Place> {
  const folder = scratch();
  return { folder, made: await writtenRun(path.join(folder, 'state'), 'r1', units) };
}

const wait = ({ folder }: Place, ...flags: string[]) => views.run(folder, ['wait', '--run', 'r1', ...flags]);

/** The environment of no caller is the command's own, and its home is the place's folder. */
function accountIn({ folder, made }: Place): string {
  const [spec] = [unitSpec('any')];
  const home = process.env.HOME;
  process.env.HOME = folder;
  try {
    return accountsIn(made.run)({ spec: spec as never, environment: null })?.account ?? '';
  } finally {
    process.env.HOME = home;
  }
}

const HOUR_MS = 3_600_000;

function opened(here: Place, wish: Partial<Extract<RunEventBody, { type: 'breaker' }>> = {}): void {
  here.made.write({
    type: 'breaker',
    state: 'open',
    executor: 'codex',
    account: accountIn(here),
    reason: 'usage-limit',
    detail: 'You have hit your usage limit.',
    until: new Date(Date.now() + HOUR_MS + 5000).toISOString(),
    byUnit: 'a',
    wakes: true,
    ...wish,
  });
}

/** The unit met the limit and is queued again. */
function parked({ made }: Place, unit: string): void {
  made.start(unit);
  made.end(unit, 'failed', { reason: 'usage-limit', isFinal: false, wakes: false });
  made.write({ type: 'queued', unit, attempt: 2, why: 'parked', environment: null });
}

it('an open breaker wakes once, with the time of the reset and how far away it is; 32', async () => {
  const here = await place(['a', 'b']);
  here.made.start('b');
  opened(here);
  parked(here, 'a');
  const { code, stdout, stderr } = await wait(here);
  expect(stderr).toBe('');
  const [head, breaker, next] = stdout.split('\n');
  expect(head).toBe('WAIT-EVENT breaker run=r1 events=4-4 done=0 failed=0 running=1 queued=1');
  expect(breaker).toMatch(
    /^BREAKER codex open\(usage-limit\) until (\d{4}-\d\d-\d\d )?\d\d:\d\d local time \(in 1h00m\); 1 unit queued: You have hit your usage limit\.$/,
  );
  expect(next).toBe(
    'NEXT prun wait --run r1 (it goes on by itself after the reset; at once: prun resume --run r1)',
  );
  expect(code).toBe(32);
  expect(await wait(here, '--timeout', '1')).toMatchObject({ code: 33 });
});

it('one that was closed before anybody asked wakes nobody, and a later reset is no news', async () => {
  const here = await place(['a', 'b']);
  here.made.start('b');
  opened(here);
  opened(here, { wakes: false, until: new Date(Date.now() + 2 * HOUR_MS + 5000).toISOString() });
  expect((await wait(here)).stdout).toMatch(/^BREAKER .* \(in 2h00m\); /m);
  opened(here, { state: 'closed', reason: null, until: null, byUnit: null, wakes: false });
  opened(here);
  opened(here, { state: 'closed', reason: null, until: null, byUnit: null, wakes: false });
  const said = await wait(here, '--timeout', '1');
  expect(said).toMatchObject({ code: 33 });
  expect(said.stdout).not.toContain('BREAKER');
});

it('it concerns a unit that is waited for if that is of its account', async () => {
  const here = await place([
    'a',
    'b',
    unitSpec('own', { executor: 'command', argv: ['true'] }),
    unitSpec('other', { executor: 'claude' }),
  ]);
  for (const unit of ['b', 'own', 'other']) here.made.start(unit);
  opened(here);
  parked(here, 'a');
  expect(await wait(here, '--unit', 'own', '--timeout', '1')).toMatchObject({ code: 33 });
  expect(await wait(here, '--unit', 'other', '--timeout', '1')).toMatchObject({ code: 33 });
  expect(await wait(here, '--unit', 'b')).toMatchObject({ code: 32 });
  expect(await wait(here, '--unit', 'a', '--after', '0')).toMatchObject({ code: 32 });
  // Told before: it sleeps until the reset.
  expect(await wait(here, '--unit', 'a', '--timeout', '1')).toMatchObject({ code: 33 });
});

it('where nothing runs and only a command lets it go on, every wait says so at once', async () => {
  const here = await place(['a', 'b', unitSpec('child', { after: ['a'] })]);
  here.made.start('b');
  here.made.write({ type: 'queued', unit: 'child', attempt: 1, why: 'start', environment: null });
  opened(here, { reason: 'auth', until: null, detail: 'unexpected status 401 Unauthorized' });
  parked(here, 'a');
  const told = await wait(here);
  expect(told.stdout).toMatch(/^BREAKER codex open\(auth\) until prun resume; 2 units queued: /m);
  expect(told.stdout).toContain(
    'NEXT prun resume --run r1 (when codex is logged in again; then prun wait --run r1)',
  );
  // b runs on, and its end is waited for; of a and what builds on it nothing comes.
  expect(await wait(here, '--unit', 'a', '--unit', 'child')).toMatchObject({ code: 32 });
  const running = views.start(here.folder, ['wait', '--run', 'r1']);
  await waitFor('the wait to watch', () => isWatching(running.child.pid));
  here.made.end('b');
  const { code, stdout } = await running.ended;
  expect(stdout).toMatch(/^WAIT-EVENT breaker run=r1 events=none /);
  expect(code).toBe(32);
  expect(await wait(here)).toMatchObject({ code: 32 });
});

it('goes before a failure, which is told with it', async () => {
  const here = await place(['a', 'b', 'c']);
  for (const unit of ['b', 'c']) here.made.start(unit);
  opened(here);
  parked(here, 'a');
  here.made.end('b', 'failed');
  const { code, stdout } = await wait(here);
  expect(code).toBe(32);
  expect(stdout).toMatch(/^WAIT-EVENT breaker .*\nBREAKER codex .*\nUNIT b failed\(exit\) /);
});

it('status names the breaker, and why each unit waits', async () => {
  const here = await place(['a', 'b', 'c', unitSpec('later')]);
  here.made.start('c');
  opened(here);
  parked(here, 'a');
  here.made.write({ type: 'queued', unit: 'b', attempt: 1, why: 'start', environment: null });
  const { stdout } = await views.run(here.folder, ['status', '--run', 'r1']);
  expect(stdout).toMatch(/^BREAKER codex open\(usage-limit\) until .*; 2 units queued: /m);
  expect(stdout).toMatch(/^UNIT a queued attempt 2 \(the breaker of codex is open until .*\d\d:\d\d\)$/m);
  expect(stdout).toMatch(/^UNIT b queued \(the breaker of codex is open until .*\d\d:\d\d\)$/m);
  const { stdout: json } = await views.run(here.folder, ['status', '--run', 'r1', '--json']);
  const facts = JSON.parse(json);
  expect(facts.breakers).toEqual([
    {
      executor: 'codex',
      account: accountIn(here),
      reason: 'usage-limit',
      until: expect.any(String),
      detail: 'You have hit your usage limit.',
    },
  ]);
  expect(facts.units[0].waitsFor).toMatch(/^the breaker of codex is open until /);
});

it('a unit that waits for its time says when that is', async () => {
  const here = await place(['a', 'b']);
  here.made.start('b');
  const notBefore = new Date(Date.now() + 30_000).toISOString();
  here.made.write({ type: 'queued', unit: 'a', attempt: 2, why: 'transient', environment: null, notBefore });
  const { stdout } = await views.run(here.folder, ['status', '--run', 'r1']);
  expect(stdout).toMatch(/^UNIT a queued attempt 2 \(again at (\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\)$/m);
});

it.each([
  ['today', '2026-03-04T10:00:00', '2026-03-04T19:24:30', '19:24'],
  ['in a moment', '2026-03-04T19:20:00', '2026-03-04T19:24:30', '19:24:30'],
  ['tomorrow', '2026-03-04T20:00:00', '2026-03-05T07:05:00', '2026-03-05 07:05'],
])('a time is told as the clock on the wall has it: %s', (_, now, then, text) => {
  expect(localTime(Date.parse(then), Date.parse(now))).toBe(text);
});

it('an attempt that was not started is queued once more for the reason that it had', async () => {
  const here = await place([unitSpec('a'), unitSpec('b')]);
  parked(here, 'a');
  const again = { type: 'queued', why: 'not-started', environment: null } as const;
  here.made.write({ ...again, unit: 'a', attempt: 2 });
  here.made.write({ ...again, unit: 'b', attempt: 1 });
  const { units } = viewRun(here.made.run);
  expect([...units.values()].map(({ queuedWhy }) => queuedWhy)).toEqual(['parked', 'not-started']);
});

it('a unit with another provider has another account, whatever else is set', async () => {
  const { made } = await place([unitSpec('a')]);
  const accountOf = accountsIn(made.run);
  const of = (...config: string[]) =>
    accountOf({ spec: { ...unitSpec('a'), options: { config } } as never, environment: null })?.account;
  expect(of('model_verbosity="low"')).toBe(of());
  expect(of('model_provider="azure"')).not.toBe(of());
  expect(of('model_provider="azure"', 'x=1')).toBe(of('y=2', 'model_provider="azure"'));
});
