import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../helpers/plain-git.ts';
import { processesOf } from '../helpers/process-table.ts';
import { textOf } from '../helpers/room.ts';
import { endOf, openValidations, validated } from '../helpers/validation-room.ts';
import { waitFor } from '../helpers/wait-for.ts';

const { place } = openValidations();

/** A step that has begun, and stays with a daemon that has left its session and its environment. */
const STAYS =
  'mkdir -p out; env -i setsid sh -c "echo \\$\\$ >out/daemon; trap : TERM; while :; do sleep 300; done" & trap "" TERM; echo $$ >out/step; while :; do sleep 300; done';

/** Pids that the step has written, once both have begun. */
async function begun(repo: string): Promise<number[]> {
  const files = ['step', 'daemon'].map((name) => path.join(repo, 'out', name));
  await waitFor('the step and its daemon', () => files.every((file) => textOf(file)?.endsWith('\n')));
  return files.map((file) => Number(readFileSync(file, 'utf8')));
}

function aliveOf(pids: readonly number[]): number[] {
  return pids.filter((pid) => processesOf({ word: '' }).some((seen) => seen.pid === pid));
}

it.concurrent.each([
  { stage: 'build', signal: 'SIGTERM', code: 143 },
  { stage: 'health', signal: 'SIGINT', code: 130 },
  { stage: 'test', signal: 'SIGHUP', code: 129 },
  { stage: 'recover', signal: 'SIGTERM', code: 143 },
] as const)('$signal in $stage: cancelled, $code, and nothing is left', async ({ stage, signal, code }) => {
  const here = await place();
  const around = stage === 'build' ? { verify: 'true' } : stage === 'recover' ? { health: 'false' } : {};
  const run = here.start({ ...around, [stage]: STAYS });
  const pids = await begun(here.repo);
  run.child.kill(signal);
  const end = validated(await run.ended, run.output);
  expect(endOf(end), end.stderr).toEqual({ code, status: 'cancelled', told: 'cancelled' });
  expect(aliveOf(pids)).toEqual([]);
  expect(end.steps.at(-1)).toBe(`${stage} cancelled`);
  expect(end.result.signal).toBe(signal);
  expect(end.result.reason).toMatch(new RegExp(`^${signal} in step \\d \\(${stage}\\)$`));
  expect(readdirSync(run.output).sort()).toEqual(['logs', 'result.json']);
});

it('kill -9 of the validator ends its step, and the evidence says that it is incomplete', async () => {
  const here = await place();
  const run = here.start({ test: STAYS });
  const pids = await begun(here.repo);
  const running = await here.evidence(run.output);
  expect([running.code, running.check.evidence]).toEqual([3, 'incomplete']);
  expect(running.check.differences).toEqual(['the validation is still running, in step 2 (test)']);
  run.child.kill('SIGKILL');
  await run.ended;
  await waitFor('the end of the step', () => aliveOf(pids).length === 0);
  expect(existsSync(path.join(run.output, 'result.json'))).toBe(false);
  const killed = await here.evidence(run.output);
  expect([killed.code, killed.check.evidence]).toEqual([3, 'incomplete']);
  expect(killed.check.differences).toEqual(['the validation was killed in step 2 (test)']);
});

it('shows the end of a failed log, bounded and without control characters, and keeps all of it', async () => {
  const here = await place();
  const end = await here.validate({
    smoke: 'seq 1 5000; printf "\\033[31mlast\\033[0m words\\007\\n"; exit 1',
  });
  expect(end.code).toBe(1);
  expect(end.stderr.length).toBeLessThan(6000);
  expect(end.stderr).toContain('  | last words\n');
  expect(end.stderr).not.toContain('\u001b');
  expect(end.stdout.length).toBeLessThan(4000);
  expect(end.log(1)).toContain('2500\n');
});

it('evidence stays valid as long as its inputs do', async () => {
  const here = await place();
  const job = { smoke: 'echo smoke', environment: { MODE: 'x' } };
  const end = await here.validate(job);
  const result = path.join(end.output, 'result.json');
  const log = path.join(end.output, 'logs/01-smoke.log');
  const differs = async (told: string): Promise<void> => {
    const { code, check } = await here.evidence(result);
    expect([code, check.evidence], check.differences.join()).toEqual([3, 'differs']);
    expect(check.differences.join('\n')).toContain(told);
  };
  expect((await here.evidence(result)).code).toBe(0);
  const changes: [string, string, string][] = [
    [log, 'smoke!\n', 'logs/01-smoke.log is not as it was written'],
    [path.join(here.repo, 'base.txt'), 'edited\n', 'base.txt is not as in the commit'],
    [path.join(here.repo, 'new.txt'), 'new\n', 'new.txt is not in the commit'],
    [
      result,
      readFileSync(result, 'utf8').replace('smoke and test ended well', 'all is well'),
      'result.json was changed',
    ],
    [
      result,
      readFileSync(result, 'utf8').replace('"steps":', '"approved": true,\n  "steps":'),
      'result.json was changed',
    ],
    [
      end.result.job.file,
      readFileSync(end.result.job.file, 'utf8').replace('echo smoke', 'echo other'),
      'has other commands now',
    ],
    [
      end.result.job.file,
      readFileSync(end.result.job.file, 'utf8').replace('"MODE":"x"', '"MODE":"y"'),
      'has another environment or time limit now',
    ],
  ];
  for (const [file, text, told] of changes) {
    const before = textOf(file);
    writeFileSync(file, text);
    await differs(told);
    if (before === undefined) rmSync(file);
    else writeFileSync(file, before);
  }
  expect((await here.evidence(result)).code).toBe(0);
  await git(here.repo, ['commit', '-q', '--allow-empty', '-m', 'on']);
  await differs('HEAD is ');
  rmSync(here.repo, { recursive: true });
  const gone = await here.evidence(result);
  expect([gone.code, gone.check.evidence]).toEqual([0, 'agrees']);
  expect(gone.check.notChecked).toEqual([`the worktree ${here.repo} is gone: its HEAD and files`]);
});

it('a result that cannot be read, and flags that do not go together, are mistakes of the call', async () => {
  const here = await place();
  const none = await here.start({}, ['--verify-evidence', here.folder]).ended;
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--verify-evidence stands alone')]);
  const file = path.join(here.folder, 'text.json');
  writeFileSync(file, JSON.stringify({ environment: 'TOKEN=abcdef' }));
  const written = await here.start({}, ['--job', file]).ended;
  expect([written.code, written.stderr]).toEqual([
    2,
    expect.stringContaining('environment is no list of names with values'),
  ]);
  expect(written.stderr).not.toContain('abcdef');
  const unready = path.join(here.folder, 'no-x');
  writeFileSync(unready, 'text');
  chmodSync(unready, 0o644);
  const end = await here.validate({ smoke: [unready] });
  expect(endOf(end)).toEqual({ code: 1, status: 'test-failed', told: 'test-failed' });
  expect(end.result.steps[0]?.exitCode).toBe(126);
  expect(end.log(1)).toContain('is not executable');
});
