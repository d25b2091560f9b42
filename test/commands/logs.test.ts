import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compiledViews, unitSpec, writtenRun } from '../helpers/run-fixture.ts';
import { writeOutcome } from '../helpers/state-dir-fixture.ts';
import { scratch } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

const views = compiledViews(['logs']);

async function place(...units: Parameters<typeof writtenRun>[2]) {
  const folder = scratch();
  return { folder, made: await writtenRun(path.join(folder, 'state'), 'r1', units) };
}

const logs = (folder: string, ...flags: string[]) => views.run(folder, ['logs', '--run', 'r1', ...flags]);
const tailOf = (dir: string) => path.join(dir, 'tail');
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}\n`).join('');

it('the last lines, events as text, without control characters', async () => {
  const { folder, made } = await place('a');
  const message = { type: 'item.completed', item: { id: 'i', type: 'agent_message', text: 'I am done' } };
  writeFileSync(
    tailOf(made.start('a')),
    `${numbered(100)}\u001b[31mred\u001b[0m\u0007\n${JSON.stringify(message)}\n`,
  );
  const { code, stdout } = await logs(folder, '--unit', 'a', '--tail', '3');
  expect(stdout.split('\n')).toEqual(['line 100', 'red', expect.stringContaining('I am done'), '']);
  expect(code).toBe(0);
  expect((await logs(folder, '--unit', 'a')).stdout.trimEnd().split('\n')).toHaveLength(40);
});

it('--raw gives every byte, --raw --tail the last lines of them', async () => {
  const { folder, made } = await place('a');
  const text = `${numbered(3)}\u001b[31mred\nno newline at the end`;
  writeFileSync(tailOf(made.start('a')), text);
  expect((await logs(folder, '--unit', 'a', '--raw')).stdout).toBe(text);
  expect((await logs(folder, '--unit', 'a', '--raw', '--tail', '2')).stdout).toBe(
    '\u001b[31mred\nno newline at the end',
  );
  expect((await logs(folder, '--unit', 'a', '--raw', '--tail', '99')).stdout).toBe(text);
  expect((await logs(folder, '--unit', 'a', '--raw', '--tail', '0')).stdout).toBe('');
});

it('an earlier attempt by its number; the newest without', async () => {
  const { folder, made } = await place('a');
  writeFileSync(tailOf(made.start('a')), 'the first\n');
  made.end('a', 'failed');
  writeFileSync(tailOf(made.start('a', 2)), 'the second\n');
  expect((await logs(folder, '--unit', 'a')).stdout).toBe('the second\n');
  expect((await logs(folder, '--unit', 'a', '--attempt', '1')).stdout).toBe('the first\n');
  const none = await logs(folder, '--unit', 'a', '--attempt', '3');
  expect(none).toMatchObject({ code: 2, stderr: 'prun logs: unit a has no attempt 3: it has 1, 2\n' });
});

it('--follow shows what comes, and ends with the attempt', async () => {
  const { folder, made } = await place('a');
  const dir = made.start('a');
  writeFileSync(tailOf(dir), numbered(50));
  const running = views.start(folder, ['logs', '--run', 'r1', '--unit', 'a', '--follow', '--tail', '2']);
  await waitFor('the last lines', () => running.output.stdout === 'line 49\nline 50\n');
  appendFileSync(tailOf(dir), 'one more\nand half');
  await waitFor('the next line', () => running.output.stdout.endsWith('one more\n'));
  writeOutcome(dir, { unit: 'a' });
  expect(await running.ended).toMatchObject({ code: 0, stdout: 'line 49\nline 50\none more\nand half\n' });
});

it('--follow of a command unit shows stdout and stderr once, although stderr follows in the tail at the end', async () => {
  const { folder, made } = await place(unitSpec('a', { executor: 'command' }));
  const dir = made.start('a');
  writeFileSync(tailOf(dir), 'out 1\n');
  writeFileSync(path.join(dir, 'stderr'), 'err 1\n');
  const running = views.start(folder, ['logs', '--run', 'r1', '--unit', 'a', '--follow']);
  await waitFor(
    'both',
    () => running.output.stdout.includes('out 1') && running.output.stdout.includes('err 1'),
  );
  appendFileSync(tailOf(dir), 'out 2\n');
  await waitFor('more', () => running.output.stdout.includes('out 2'));
  writeFileSync(path.join(dir, 'stdout-bytes'), '12\n');
  appendFileSync(tailOf(dir), 'err 1\n');
  writeOutcome(dir, { unit: 'a' });
  expect((await running.ended).stdout.split('\n').sort()).toEqual(['', 'err 1', 'out 1', 'out 2']);
});

it('--follow waits for a queued unit', async () => {
  const { folder, made } = await place('a');
  made.write({ type: 'queued', unit: 'a', attempt: 1, why: 'start', environment: null });
  const refused = await logs(folder, '--unit', 'a');
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unit a has no output yet: it is queued'),
  });
  const running = views.start(folder, ['logs', '--run', 'r1', '--unit', 'a', '--follow']);
  const dir = made.start('a');
  writeFileSync(tailOf(dir), 'here\n');
  writeOutcome(dir, { unit: 'a' });
  expect(await running.ended).toMatchObject({ code: 0, stdout: 'here\n' });
});

it('--events tells what happened, to a unit or to all, as lines or as JSON', async () => {
  const { folder, made } = await place('a', 'b');
  made.start('a');
  made.start('b');
  made.end('a', 'failed');
  const { stdout } = await logs(folder, '--events', '--unit', 'a');
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^1 \d\d:\d\d:\d\dZ a queued attempt 1 \(start\)$/),
    expect.stringMatching(/^2 \S+ a dispatching attempt 1$/),
    expect.stringMatching(/^3 \S+ a running attempt 1$/),
    expect.stringMatching(/^7 \S+ a failed\(exit\) after 1m01s: worker ended with code 9$/),
  ]);
  const raw = (await logs(folder, '--events', '--raw', '--tail', '1')).stdout;
  expect(JSON.parse(raw)).toMatchObject({ n: 7, type: 'ended', unit: 'a' });
});

it('a subagent of the session has no output: where its result belongs is said', async () => {
  const { folder, made } = await place(unitSpec('mail', { executor: 'session', resultFile: '/out/mail.md' }));
  made.write({ type: 'queued', unit: 'mail', attempt: 1, why: 'start', environment: null });
  expect(await logs(folder, '--unit', 'mail')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('/out/mail.md'),
  });
});

it('a reader that leaves early is no error', async () => {
  const { folder, made } = await place('a');
  writeFileSync(tailOf(made.start('a')), numbered(200_000));
  const running = views.start(folder, ['logs', '--run', 'r1', '--unit', 'a', '--raw']);
  running.child.stdout?.once('data', () => running.child.stdout?.destroy());
  expect(await running.ended).toMatchObject({ stderr: '' });
});

describe('the check of a unit', () => {
  async function checked() {
    const { folder, made } = await place(unitSpec('a', { executor: 'command', verify: 'npm test' }), 'b');
    const dir = made.start('a');
    writeFileSync(tailOf(dir), 'did it\n');
    writeFileSync(path.join(dir, 'verify.log'), `${numbered(60)}\u001b[31m1 test failed\u001b[0m\n`);
    writeOutcome(dir, {
      unit: 'a',
      status: 'failed',
      reason: 'verify',
      detail: 'verify exited with 1 (npm test); see verify.log in its state dir',
    });
    made.end('a', 'failed', { reason: 'verify' });
    return { folder, made, dir };
  }

  it('--verify shows what it printed, and logs without it ends with where that is', async () => {
    const { folder } = await checked();
    const plain = await logs(folder, '--unit', 'a');
    expect(plain.stdout).toBe(
      'did it\n— the worker ended well, its check failed: verify exited with 1 (npm test): prun logs --run r1 --unit a --verify\n',
    );
    expect((await logs(folder, '--unit', 'a', '--follow')).stdout).toBe(plain.stdout);
    expect((await logs(folder, '--unit', 'a', '--raw')).stdout).toBe('did it\n');
    const check = await logs(folder, '--unit', 'a', '--verify');
    expect(check.stdout.trimEnd().split('\n')).toHaveLength(40);
    expect(check.stdout).toMatch(/\nline 60\n1 test failed\n$/);
    expect((await logs(folder, '--unit', 'a', '--verify', '--tail', '1')).stdout).toBe('1 test failed\n');
    expect((await logs(folder, '--unit', 'a', '--verify', '--tail', '0')).stdout).toBe('');
    const raw = await logs(folder, '--unit', 'a', '--verify', '--raw', '--tail', '1');
    expect(raw.stdout).toBe('\u001b[31m1 test failed\u001b[0m\n');
  });

  it('of an earlier attempt it is that one, also in the command', async () => {
    const { folder, made } = await checked();
    const second = made.start('a', 2);
    writeFileSync(tailOf(second), 'again\n');
    expect((await logs(folder, '--unit', 'a')).stdout).toBe('again\n');
    const first = await logs(folder, '--unit', 'a', '--attempt', '1');
    expect(first.stdout).toMatch(/ --verify --attempt 1\n$/);
    expect(await logs(folder, '--unit', 'a', '--verify')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('attempt 2 of unit a was not checked: '),
    });
    expect((await logs(folder, '--unit', 'a', '--verify', '--attempt', '1')).stdout).toContain(
      '1 test failed',
    );
  });

  it.each([
    [['--unit', 'b', '--verify'], 'unit b has no check (verify): '],
    [['--unit', 'a', '--verify', '--follow'], '--verify and --follow do not go together: '],
    [['--events', '--verify'], '--verify and --events do not go together: '],
  ])('%j is refused in one line', async (flags, message) => {
    const { folder, made } = await checked();
    writeFileSync(tailOf(made.start('b')), 'b\n');
    const { code, stdout, stderr } = await logs(folder, ...flags);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

it('of several attempts stderr says which one it is', async () => {
  const { folder, made } = await place('a');
  writeFileSync(tailOf(made.start('a')), 'the first\n');
  expect((await logs(folder, '--unit', 'a')).stderr).toBe('');
  made.end('a', 'failed');
  writeFileSync(tailOf(made.start('a', 2)), 'the second\n');
  expect((await logs(folder, '--unit', 'a')).stderr).toBe(
    'prun logs: this is attempt 2 of unit a; --attempt shows 1\n',
  );
  expect(await logs(folder, '--unit', 'a', '--attempt', '1', '--raw')).toMatchObject({
    stdout: 'the first\n',
    stderr: 'prun logs: this is attempt 1 of unit a; --attempt shows 2\n',
  });
});

it('the first line of events that were cut says how many came before, and how to get them', async () => {
  const { folder, made } = await place('a', 'b');
  made.start('a');
  made.start('b');
  const cut = (await logs(folder, '--events', '--tail', '2')).stdout.split('\n');
  expect(cut[0]).toBe('… 4 earlier events: prun logs --run r1 --events --tail 6');
  expect(cut).toHaveLength(4);
  expect((await logs(folder, '--events', '--tail', '6')).stdout).toMatch(/^1 /);
  const ofUnit = (await logs(folder, '--events', '--unit', 'b', '--tail', '2')).stdout;
  expect(ofUnit).toMatch(/^… 1 earlier event: prun logs --run r1 --events --unit b --tail 3\n/);
  expect((await logs(folder, '--events', '--raw', '--tail', '1')).stdout).toMatch(/^\{"/);
  expect((await logs(folder, '--events', '--tail', '0')).stdout).toBe('');
});
