import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { endOf, openValidations } from '../helpers/validation-room.ts';

const { place } = openValidations();
const BUILD = 'mkdir -p out && echo built >out/app';
const VERIFY = 'test -s out/app';

it('runs build, verify, health, smoke, health, test, health, and tells it in one line of JSON and a line a step', async () => {
  const here = await place();
  const end = await here.validate({
    build: BUILD,
    verify: VERIFY,
    health: 'true',
    test: 'echo "$VALIDATE_RUN_STAGE"',
  });
  expect(endOf(end)).toEqual({ code: 0, status: 'passed', told: 'passed' });
  const order = ['build', 'verify', 'health', 'smoke', 'health', 'test', 'health'];
  expect(end.steps).toEqual(order.map((stage) => `${stage} ok`));
  expect(end.stdout.trim().split('\n').length).toBe(1);
  expect(end.stderr.match(/^STEP \d \w+ ok /gm)?.length).toBe(7);
  expect(end.stderr).not.toContain('\u001b');
  expect(end.result.checks).toBe(15);
  expect(await here.evidence(end.output)).toMatchObject({
    code: 0,
    check: { evidence: 'agrees', status: 'passed' },
  });
});

it.concurrent.each([
  {
    name: 'a build that fails stops before tests',
    job: { build: 'exit 7', verify: 'true' },
    code: 1,
    status: 'build-failed',
    steps: ['build failed'],
  },
  {
    name: 'a program that is missing is a build that fails',
    job: { build: ['no-such-program'], verify: 'true' },
    code: 1,
    status: 'build-failed',
    steps: ['build failed'],
  },
  {
    name: 'an artifact that does not hold',
    job: { build: 'true', verify: VERIFY },
    code: 1,
    status: 'artifact-verification-failed',
    steps: ['build ok', 'verify failed'],
  },
  {
    name: 'smoke fails, and the environment is well',
    job: { smoke: 'exit 1', health: 'true' },
    code: 1,
    status: 'test-failed',
    steps: ['health ok', 'smoke failed', 'health ok'],
  },
  {
    name: 'a test dies of a signal',
    job: { test: 'kill -SEGV $$' },
    code: 1,
    status: 'test-failed',
    steps: ['smoke ok', 'test failed'],
  },
  {
    name: 'a step that takes too long',
    job: { test: 'sleep 60', step_timeout: 1 },
    code: 1,
    status: 'test-failed',
    steps: ['smoke ok', 'test timeout'],
  },
  {
    name: 'health fails and nothing recovers',
    job: { health: 'exit 1', collect: 'true' },
    code: 2,
    status: 'infrastructure-failed',
    steps: ['health failed', 'collect ok'],
  },
  {
    name: 'health still fails after a recovery',
    job: { health: 'exit 1', collect: 'exit 3', recover: 'true' },
    code: 2,
    status: 'infrastructure-failed',
    steps: ['health failed', 'collect failed', 'recover ok', 'health failed'],
  },
  {
    name: 'the recovery fails',
    job: { health: 'exit 1', recover: 'exit 9' },
    code: 2,
    status: 'infrastructure-failed',
    steps: ['health failed', 'recover failed'],
  },
])('$name: $status, $code', async ({ job, code, status, steps }) => {
  const here = await place();
  const end = await here.validate(job);
  expect(endOf(end), end.stderr).toEqual({ code, status, told: status });
  expect(end.steps).toEqual(steps);
  expect(end.stderr).toContain(`${status}: `);
});

it('recovers once: collect, recover, verify, and then again from health and smoke', async () => {
  const here = await place();
  // Well at first, ill after the first smoke, well again once recovered.
  const end = await here.validate({
    ...{ build: BUILD, verify: VERIFY },
    health: 'test ! -e out/ill',
    smoke: 'test -e out/recovered || touch out/ill',
    collect: 'echo trace >"$VALIDATE_RUN_OUTPUT/trace.txt"',
    recover: 'rm out/ill; touch out/recovered',
  });
  expect(endOf(end), end.stderr).toEqual({
    code: 0,
    status: 'passed-after-recovery',
    told: 'passed-after-recovery',
  });
  const first = ['build ok', 'verify ok', 'health ok', 'smoke ok', 'health failed'];
  const second = ['health ok', 'smoke ok', 'health ok', 'test ok', 'health ok'];
  expect(end.steps).toEqual([...first, 'collect ok', 'recover ok', 'verify ok', ...second]);
  expect(end.result.recovered).toBe(true);
  expect(existsSync(path.join(end.output, 'trace.txt'))).toBe(true);
});

it('a test that fails after the environment died is no test-failed', async () => {
  const here = await place();
  const end = await here.validate({
    health: 'test ! -e out/ill',
    test: 'mkdir -p out; touch out/ill; exit 1',
  });
  expect(endOf(end)).toEqual({ code: 2, status: 'infrastructure-failed', told: 'infrastructure-failed' });
});

it('ends the daemons of a step before the next one begins', async () => {
  const here = await place();
  const pids = path.join(here.repo, 'out/pids');
  const body = 'echo $$ >>out/pids; exec sleep 300';
  const kinds = [
    `(trap "" TERM; sh -c '${body}') &`,
    `setsid sh -c '${body}' &`,
    `env -i setsid sh -c '${body}' &`,
  ];
  const end = await here.validate({
    smoke: `mkdir -p out; ${kinds.join(' ')} while [ "$(wc -l <out/pids)" != 3 ]; do sleep 0.02; done`,
    // One that nobody has waited for is no process any more.
    test: 'for pid in $(cat out/pids); do case "$(cat /proc/$pid/stat 2>/dev/null)" in "" | *") Z "*) ;; *) exit 1 ;; esac; done',
  });
  expect(endOf(end), end.log(2)).toEqual({ code: 0, status: 'passed', told: 'passed' });
  const left = end.result.steps[0]?.leftovers.map(({ pid }) => String(pid)) ?? [];
  expect(left).toEqual(expect.arrayContaining(readFileSync(pids, 'utf8').trim().split('\n')));
});

it('shows steps nothing of the caller but the allow-list and what the job names, and records no values', async () => {
  const here = await place();
  const caller = {
    SECRET_OF_CALLER: 'hidden-1',
    WANTED: 'value-of-wanted',
    LC_ALL: 'C',
    PRUN_LEASE: 'held/above',
  };
  const job = {
    test: 'env',
    environment: { GIVEN: 'value-of-given' },
    inherit_environment: ['WANTED', 'NOT_SET'],
  };
  const end = await here.validate(job, [], caller);
  const seen = end.log(2);
  for (const line of [
    'GIVEN=value-of-given',
    'WANTED=value-of-wanted',
    'LC_ALL=C',
    'PRUN_LEASE=held/above',
    'VALIDATE_RUN_SEQUENCE=2',
    'VALIDATE_RUN_STAGE=test',
    `VALIDATE_RUN_COMMIT=${here.commit}`,
    `VALIDATE_RUN_OUTPUT=${end.output}`,
    `VALIDATE_RUN_STARTED_AT=${end.result.startedAt}`,
    `VALIDATE_RUN_BUILD_FINGERPRINT=${end.result.fingerprints.build}`,
  ]) {
    expect(seen.split('\n')).toContain(line);
  }
  expect(seen).not.toMatch(/SECRET_OF_CALLER|NODE_|PRUN_STATE|CLAUDE/);
  const record = readFileSync(path.join(end.output, 'result.json'), 'utf8');
  expect(record).not.toMatch(/value-of-|hidden-1/);
  expect(end.result.environment).toEqual(expect.arrayContaining(['GIVEN', 'PATH', 'WANTED']));
});

it('takes over a build whose commit, build, verify and environment are equal, and verifies it again', async () => {
  const here = await place();
  const job = { build: `${BUILD}; echo x >>out/count`, verify: VERIFY, environment: { MODE: 'a' } };
  const first = await here.validate(job);
  const reuse = ['--reuse-build', path.join(first.output, 'result.json')];
  const again = await here.validate({ ...job, test: 'grep -c x out/count | grep -qx 1' }, reuse);
  expect(endOf(again), again.stderr).toEqual({ code: 0, status: 'passed', told: 'passed' });
  expect(again.steps).toEqual(['verify ok', 'smoke ok', 'test ok']);
  expect(again.result.reused?.result).toBe(reuse[1]);
  expect(again.result.fingerprints).toEqual(first.result.fingerprints);
  for (const [other, why] of [
    [{ ...job, environment: { MODE: 'b' } }, 'its environment was another one'],
    [{ ...job, build: BUILD }, 'its build command is another one'],
    [{ ...job, verify: 'test -e out/app' }, 'its verify command is another one'],
  ] as const) {
    const run = here.start(other, reuse);
    const said = await run.ended;
    expect([said.code, said.stdout]).toEqual([2, '']);
    expect(said.stderr).toContain(why);
    expect(existsSync(run.output)).toBe(false);
  }
});

it('refuses a job that is wrong, with every mistake, its key and its value, and leaves nothing', async () => {
  const here = await place();
  const bad = here.start({
    commit: 'main',
    build: 'true',
    environment: { 'A B': 'secret-value' },
    inherit_environment: ['VALIDATE_RUN_OUTPUT'],
    ...({ tests: ['x'], health: [] } as object),
  });
  const said = await bad.ended;
  expect([said.code, said.stdout, existsSync(bad.output)]).toEqual([2, '', false]);
  for (const text of [
    'commit "main" is no commit id',
    'health [] has no words',
    'tests is no key of a job: is test meant?',
    'inherit_environment[0] "VALIDATE_RUN_OUTPUT" is given by validate-run itself',
  ]) {
    expect(said.stderr).toContain(text);
  }
  expect(said.stderr).not.toContain('secret-value');
  const file = path.join(here.folder, 'text.json');
  writeFileSync(
    file,
    JSON.stringify({
      worktree: 'repo',
      commit: here.commit,
      smoke: 'npm run smoke',
      build: ['make'],
      environment: { 'A-B': '1' },
    }),
  );
  const text = await here.start({}, ['--job', file]).ended;
  expect(text.code).toBe(2);
  expect(text.stderr).toContain('smoke is a text, and no shell reads it: write it as ["npm","run","smoke"]');
  expect(text.stderr).toContain('test is missing');
});

it('needs a new folder for its evidence, outside of the tree or ignored by it', async () => {
  const here = await place();
  const inside = await here.start({}, ['--output', path.join(here.repo, 'evidence')]).ended;
  expect(inside.code).toBe(2);
  expect(inside.stderr).toContain('is inside the worktree, and git does not ignore it');
  const own = await here.start({}, ['--output', path.join(here.repo, '.git/evidence')]).ended;
  expect(own.code).toBe(2);
  const there = await here.start({}, ['--output', here.folder]).ended;
  expect(there.stderr).toContain('exists already');
  const ignored = path.join(here.repo, 'out/a b/evidence');
  const end = await here.start({}, ['--output', ignored]).ended;
  expect(end.code, end.stderr).toBe(0);
  expect(existsSync(path.join(ignored, 'result.json'))).toBe(true);
});
