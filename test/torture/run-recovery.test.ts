import { cpSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';
import { processesOf, readProcess, type Seen } from '../helpers/process-table.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { type AtEnd, callPrun, killSame, type RunPlace, textOf } from './run-place.ts';
import { openTortured, seeThrough, type TorturedRun } from './run-tortured.ts';
import { beginnings, release, type TorturedUnit, unitThat } from './run-units.ts';
import { attemptsOf, namesIn, supervisorsOf, workersOf } from './run-victims.ts';

const LIMIT = { timeout: 170_000 };
const LONG_AGO = '00000000-1111-2222-3333-444444444444';

describe.concurrent('a run that something happens to', () => {
  it(
    'after a reboot: what ran is interrupted, the rest is started, and nobody else is harmed',
    LIMIT,
    async ({ onTestFinished }) => {
      const units = [
        unitThat('done', 'writes'),
        unitThat('again', 'sleeps once', { retries: 1 }),
        unitThat('lost', 'sleeps once'),
        unitThat('child', 'writes', { after: ['done', 'again'] }),
      ];
      const run = await startedRun(onTestFinished, units, ['done', 'again', 'lost']);
      const { place, story } = run;
      for (const { marker } of workersOf(place)) story.struck.add(marker);
      await killEverybody(place);
      const innocent = innocentProcess();
      bootAgain(place, innocent);

      await seeThrough(run);
      expect(readProcess(innocent.pid)?.start, 'whoever has the pid of a dead worker by now').toBe(
        innocent.start,
      );
      expect(finalEnd(place, 'lost')).toMatchObject({ status: 'interrupted', reason: 'dispatch-dead' });
      expect(finalEnd(place, 'again')).toMatchObject({ status: 'succeeded' });
      for (const { stateDir } of attemptsOf(place)) {
        const outcome = JSON.parse(textOf(path.join(stateDir, 'outcome.json'))) as OutcomeRecord;
        expect(outcome.durationMs).toBeGreaterThanOrEqual(0);
        expect(outcome.durationMs).toBeLessThan(600_000);
      }
    },
  );

  it.for([
    { what: 'in the middle', tear: (text: string) => text.length - 40 },
    { what: 'just before its newline', tear: (text: string) => text.length - 1 },
  ])(
    'a log whose last line is torn $what goes on without a gap',
    LIMIT,
    async ({ tear }, { onTestFinished }) => {
      const units = [unitThat('a', 'writes'), unitThat('b', 'fails'), unitThat('c', 'waits')];
      const run = await startedRun(
        onTestFinished,
        [...units, unitThat('d', 'prints', { after: ['c'] })],
        ['a', 'b', 'c'],
      );
      const { place, story } = run;
      await killSupervisors(place);
      const log = path.join(place.runFolder, 'events.jsonl');
      truncateSync(log, tear(textOf(log)));
      const specs = path.join(place.runFolder, 'units.jsonl');
      writeFileSync(specs, '{"schema":1,"id":"half', { flag: 'a' });
      story.isTorn = true;
      release(place, 'c');
      await seeThrough(run);
    },
  );

  it(
    'a run folder that was moved is only read, and goes on where it was made',
    LIMIT,
    async ({ onTestFinished }) => {
      const units = [unitThat('a', 'waits'), unitThat('b', 'fails', { after: ['a'] })];
      const run = await startedRun(onTestFinished, units, ['a']);
      const { place } = run;
      await killSupervisors(place);
      const elsewhere = `${place.runFolder}-moved`;
      renameSync(place.runFolder, elsewhere);
      await proveOnlyRead(place, path.basename(elsewhere));
      renameSync(elsewhere, place.runFolder);
      release(place, 'a');
      await seeThrough(run);
    },
  );

  it('a copy of a run folder is only read, while the run goes on', LIMIT, async ({ onTestFinished }) => {
    const run = await startedRun(onTestFinished, [unitThat('a', 'waits')], ['a']);
    const { place } = run;
    const copy = `${place.runFolder}-copy`;
    cpSync(place.runFolder, copy, { recursive: true });
    await proveOnlyRead(place, path.basename(copy));
    release(place, 'a');
    await seeThrough(run);
    expect(namesIn(path.join(copy, 'supervisors'))).toEqual(['1']);
  });

  it(
    'a log of a newer prun is refused by every command in one line, and left as it is',
    LIMIT,
    async ({ onTestFinished }) => {
      const run = await startedRun(onTestFinished, [unitThat('a', 'fails')], ['a']);
      const { place } = run;
      await seeThrough(run);
      const log = path.join(place.runFolder, 'events.jsonl');
      writeFileSync(log, '{"schema":2,"n":99,"at":"2030-01-01T00:00:00.000Z","type":"other"}\n', {
        flag: 'a',
      });
      const before = textOf(log);
      for (const argv of [['status'], ['wait'], ['reconcile'], ['retry'], ['start'], ['cancel']]) {
        const call = callPrun(place, [...argv, '--run', place.run]);
        const code = await call.ended;
        const said = `${argv[0]}: ${code} ${call.stdout()}${call.stderr()}`;
        expect(code, said).not.toBe(0);
        expect(call.stderr(), said).toMatch(/^prun \w+: [^\n]+schema 2, this prun knows 1[^\n]*\n$/);
      }
      expect(textOf(log)).toBe(before);
      expect(supervisorsOf(place)).toEqual([]);
    },
  );

  it(
    'a run folder that is removed while its workers run: nobody is left',
    LIMIT,
    async ({ onTestFinished }) => {
      const run = await startedRun(
        onTestFinished,
        [unitThat('a', 'sleeps once'), unitThat('b', 'sleeps once')],
        ['a', 'b'],
      );
      const { place, instants } = run;
      const marks = attemptsOf(place).map(({ record: { marker, rssMark } }) => ({ marker, rssMark }));
      instants.stop();
      rmSync(place.runFolder, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
      await waitFor(
        'the workers to be gone',
        () => marks.every((mark) => processesOf(mark).length === 0),
        30_000,
      );
      await waitFor('the supervisor to be gone', () => supervisorsOf(place).length === 0, 30_000);
      const call = callPrun(place, ['wait', '--run', place.run]);
      expect(await call.ended).toBe(2);
      expect(call.stderr()).toMatch(/^prun wait: there is no run [^\n]+\n$/);
    },
  );

  it(
    'a subagent whose supervisor and guardian were killed: its result lands all the same',
    LIMIT,
    async ({ onTestFinished }) => {
      const { place, manifest } = openTortured(onTestFinished, [unitThat('sub', 'writes')]);
      const written = JSON.parse(textOf(manifest)) as { units: Record<string, unknown>[] };
      const units = written.units.map(({ id, prompt }) => ({ id, prompt, executor: 'session' }));
      writeFileSync(manifest, JSON.stringify({ run: place.run, units }));
      const call = callPrun(place, ['run', manifest]);
      expect(await call.ended, call.stderr()).toBe(0);
      await waitFor('it to be recorded', () => attemptsOf(place).length === 1, 60_000);
      await killSupervisors(place);
      const five = ['Conclusion: done', 'Files: none (read-only)', 'Open items: none', 'Verification: none'];
      const result = path.join(place.runFolder, 'agent-io', 'results', 'sub.md');
      writeFileSync(result, `# sub result\n${five.join('\n')}\n`);
      const wait = callPrun(place, ['wait', '--run', place.run]);
      expect(await wait.ended, `${wait.stdout()}${wait.stderr()}`).toBe(0);
      expect(finalEnd(place, 'sub')).toMatchObject({
        status: 'succeeded',
        result: { path: result, origin: 'worker' },
      });
      const reconcile = callPrun(place, ['reconcile', '--run', place.run]);
      expect(await reconcile.ended, reconcile.stdout()).toBe(0);
      expect(attemptsOf(place)).toHaveLength(1);
    },
  );
});

/** A run whose workers of these units have begun. */
async function startedRun(
  atEnd: AtEnd,
  units: readonly TorturedUnit[],
  begun: readonly string[],
): Promise<TorturedRun> {
  const run = openTortured(atEnd, units);
  const { place, manifest } = run;
  const call = callPrun(place, ['run', manifest]);
  if ((await call.ended) !== 0) throw new Error(call.stderr());
  const isBegun = (unit: string): boolean =>
    [...beginnings(place, textOf).keys()].some((marker) => marker.startsWith(`${unit}-`));
  await waitFor(`${begun.join(', ')} to begin`, () => begun.every(isBegun), 60_000);
  return run;
}

async function killSupervisors(place: RunPlace): Promise<void> {
  await waitFor('all supervisors to be dead', () => {
    const left = supervisorsOf(place);
    for (const seen of left) killSame(seen);
    return left.length === 0;
  });
}

/** As when the power fails. */
async function killEverybody(place: RunPlace): Promise<void> {
  await killSupervisors(place);
  await waitFor('all workers to be dead', () => {
    const left = workersOf(place);
    for (const { seen } of left) killSame(seen);
    return left.length === 0;
  });
}

/** A process that was given the pid of a worker by the new boot: this one's parent. */
function innocentProcess(): Seen {
  const found = readProcess(process.ppid);
  if (!found) throw new Error('there is no parent');
  return found;
}

/** Rewrites all identities to those of an earlier boot, whose clock was ahead; the pids are somebody else's by now. */
function bootAgain({ runFolder }: RunPlace, innocent: Seen): void {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  for (const name of readdirSync(runFolder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(runFolder, name);
    if (!/(?:^|\/)(?:unit\.json|progress|guardian|supervisors\/\d+)$/.test(name)) continue;
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      // A folder of that name.
      continue;
    }
    const old = text
      .replaceAll(new RegExp(`${boot}:\\d+:\\d+`, 'g'), `${LONG_AGO}:${innocent.pid}:${innocent.start}`)
      .replaceAll(boot, LONG_AGO)
      .replace(
        /"(startedMonotonicMs|monotonicMs)": ?([\d.]+)/g,
        (_, key, ms) => `"${key}": ${Number(ms) + 1e9}`,
      );
    writeFileSync(file, old);
  }
}

/** Looking is allowed; whatever would do something says why not, in one line. */
async function proveOnlyRead(place: RunPlace, name: string): Promise<void> {
  const claims = namesIn(path.join(path.dirname(place.runFolder), name, 'supervisors'));
  for (const argv of [['status'], ['reconcile']]) {
    const call = callPrun(place, [...argv, '--run', name]);
    const code = await call.ended;
    expect([0, 34, 36], `${argv[0]}: ${call.stdout()}${call.stderr()}`).toContain(code);
  }
  const wait = callPrun(place, ['wait', '--run', name, '--timeout', '20']);
  const code = await wait.ended;
  expect(code, `${wait.stdout()}${wait.stderr()}`).toBe(34);
  expect(`${wait.stdout()}${wait.stderr()}`).toMatch(/moved or copied/);
  for (const argv of [['retry'], ['cancel'], ['start']]) {
    const call = callPrun(place, [...argv, '--run', name]);
    expect(await call.ended, `${argv[0]}: ${call.stdout()}${call.stderr()}`).not.toBe(0);
    expect(call.stderr()).toMatch(/^prun \w+: [^\n]*(?:was moved|was made in)[^\n]*\n$/);
  }
  const folder = path.join(path.dirname(place.runFolder), name, 'supervisors');
  expect(namesIn(folder), 'nobody was elected there').toEqual(claims);
}

function finalEnd(place: RunPlace, unit: string): OutcomeRecord {
  const newest = attemptsOf(place)
    .filter(({ record }) => record.unit === unit)
    .sort((a, b) => b.record.attempt - a.record.attempt)[0];
  return JSON.parse(textOf(path.join(newest?.stateDir ?? '', 'outcome.json'))) as OutcomeRecord;
}
