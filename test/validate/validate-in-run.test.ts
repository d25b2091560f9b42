import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { ValidationResult } from '../../scripts-src/validate/validation-records.ts';
import { git, gitSays, smallRepository } from '../helpers/plain-git.ts';
import { processesOf } from '../helpers/process-table.ts';
import { openPrun } from '../helpers/prun-cli.ts';
import { textOf } from '../helpers/room.ts';
import { waitFor } from '../helpers/wait-for.ts';

const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun validation ')));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

let places = 0;

/** A repository, a manifest of two units that change it, and a command line of prun. */
async function place() {
  const folder = path.join(root, `place ${++places}`);
  const prun = openPrun(folder);
  const repo = await smallRepository(folder);
  writeFileSync(path.join(repo, '.gitignore'), 'out/\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-q', '-m', 'ignore']);
  const unit = (id: string, line: string) => ({
    id,
    executor: 'command',
    argv: ['sh', '-c', line],
    prompt: id,
  });
  const write = (name: string, value: unknown): string => {
    writeFileSync(path.join(folder, name), JSON.stringify(value));
    return path.join(folder, name);
  };
  const units = [unit('one', 'echo 1 >one.txt; echo done'), unit('two', 'echo 2 >>base.txt; echo done')];
  return {
    ...{ folder, prun, repo, unit, units, write },
    manifest: write('manifest.json', { repo, units }),
    runFolder: path.join(prun.stateHome, 'runs/r'),
  };
}

function resultIn(runFolder: string, attempt: number): ValidationResult {
  const file = path.join(runFolder, 'validation', String(attempt), 'result.json');
  return JSON.parse(readFileSync(file, 'utf8')) as ValidationResult;
}

it.concurrent('validates the merged results in a clean clone at a recorded commit, and links the evidence everywhere', async () => {
  const here = await place();
  const { prun, repo, runFolder } = here;
  const job = here.write('job.json', {
    worktree: '/nowhere',
    build: [
      'sh',
      '-c',
      'mkdir -p out && cat one.txt base.txt >out/app && git status --porcelain >out/status',
    ],
    verify: ['test', '!', '-s', 'out/status'],
    smoke: ['test', '-s', 'one.txt'],
    test: ['sh', '-c', 'grep -qx 2 base.txt && test "$WANTED" = yes && test -z "$PRUN_STATE_HOME"'],
    inherit_environment: ['WANTED'],
  });
  const wish = { environment: { WANTED: 'yes' } };
  const { stdout, stderr } = await prun.run(
    ['run', here.manifest, '--run', 'r', '--validate', job, '--wait'],
    wish,
  );
  expect(stderr).toContain('job.json: worktree is left aside: ');
  const result = resultIn(runFolder, 1);
  const evidence = path.join(runFolder, 'validation/1/result.json');
  expect(stdout).toContain('UNIT validation succeeded(ok) passed: ');
  expect(stdout).toContain(`log=${evidence}`);
  expect(result.status).toBe('passed');
  expect(result.worktree).toContain(path.join('workspaces', 'r', 'clones', 'validation'));
  const status = JSON.parse((await prun.run(['status', '--run', 'r', '--json'])).stdout);
  const { commit, tree } = result;
  const linked = { status: 'passed', commit, tree, result: evidence };
  expect(status.units.find(({ id }: { id: string }) => id === 'validation').evidence).toEqual(linked);
  expect(JSON.parse((await prun.run(['reconcile', '--run', 'r', '--json'])).stdout).validation).toEqual(
    linked,
  );
  const line = `passed commit=${commit.slice(0, 12)} tree=${tree?.slice(0, 12)} ${evidence}`;
  expect((await prun.run(['reconcile', '--run', 'r'])).stdout).toContain(`VALIDATION ${line}\n`);
  expect(textOf(path.join(runFolder, 'agent-io/ledger.md'))).toContain(`- Validation: ${line}\n`);

  const whole = readFileSync(evidence, 'utf8');
  writeFileSync(evidence, whole.replace('"recovered": false', '"recovered": true'));
  expect((await prun.run(['reconcile', '--run', 'r'])).stdout).toContain('VALIDATION invalid-evidence ');
  writeFileSync(evidence, whole);

  // What is applied is the very tree that was validated; with an edit of the user's it is another one, and that is said.
  const checked = await prun.run(['apply', '--run', 'r', '--to', repo, '--check']);
  expect(checked.stderr).toBe('');
  writeFileSync(path.join(repo, 'mine.txt'), 'mine\n');
  const other = await prun.run(['apply', '--run', 'r', '--to', repo, '--check']);
  expect(other.stderr).toContain(`and ${tree?.slice(0, 12)} was validated`);
  rmSync(path.join(repo, 'mine.txt'));
  await prun.run(['apply', '--run', 'r', '--to', repo]);
  await git(repo, ['add', '-A']);
  expect(await gitSays(repo, ['write-tree'])).toBe(tree);
});

it.concurrent('a validation that does not pass is a failed unit that says why, and a retry is a new attempt with evidence of its own', async () => {
  const here = await place();
  const { prun, repo, runFolder } = here;
  const flag = path.join(here.folder, 'flag');
  // Its files are in the trees of a run; in the clone its commit is.
  mkdirSync(path.join(here.folder, 'other'));
  const other = await smallRepository(path.join(here.folder, 'other'));
  await git(repo, ['submodule', '--quiet', 'add', other, 'sub']);
  await git(repo, ['commit', '-q', '-m', 'sub']);
  const smoke = ['sh', '-c', `test -e "${flag}" || echo x >>base.txt`];
  const job = here.write('job.json', { smoke, test: ['true'] });
  const { stdout } = await prun.run(['run', here.manifest, '--run', 'r', '--validate', job, '--wait'], {
    code: 30,
  });
  expect(stdout).toMatch(
    /UNIT validation failed\(validation\) invalid-evidence: after step 1 \(smoke\): base.txt/,
  );
  const note = await prun.run(['apply', '--run', 'r', '--to', repo, '--check']);
  expect(note.stderr).toContain('the validation of the run ended with invalid-evidence');
  writeFileSync(flag, '');
  await prun.run(['retry', '--run', 'r', '--unit', 'validation']);
  await prun.run(['wait', '--run', 'r']);
  const good = await prun.run(['apply', '--run', 'r', '--to', repo, '--check']);
  expect(good.stderr).toBe('');
  expect([1, 2].map((attempt) => resultIn(runFolder, attempt).status)).toEqual([
    'invalid-evidence',
    'passed',
  ]);
});

it.concurrent('a cancel of the validation ends its step and all that it started', async () => {
  const here = await place();
  const word = `sleeps-${process.pid}`;
  const smoke = [
    'bash',
    '-c',
    `mkdir -p out; env -i setsid bash -c 'exec -a ${word} sleep 300' & touch out/begun; exec -a ${word} sleep 300`,
  ];
  const job = here.write('job.json', { smoke, test: ['true'] });
  await here.prun.run(['run', here.manifest, '--run', 'r', '--validate', job]);
  await waitFor(
    'both sleepers',
    () => processesOf({ word }).filter(({ argv }) => argv.startsWith(word)).length === 2,
  );
  await here.prun.run(['cancel', '--run', 'r', '--unit', 'validation']);
  await here.prun.run(['wait', '--run', 'r'], { code: 'any' });
  expect(processesOf({ word })).toEqual([]);
  const { stdout } = await here.prun.run(['status', '--run', 'r']);
  expect(stdout).toContain('UNIT validation cancelled');
});

it.concurrent('refuses what cannot be validated before anything is made', async () => {
  const here = await place();
  const job = here.write('job.json', { smoke: ['true'], test: ['true'] });
  const refused = async (units: unknown[], flags: string[], told: string): Promise<void> => {
    const manifest = here.write('other.json', { repo: here.repo, units });
    const said = await here.prun.run(['run', manifest, '--run', 'r', ...flags], { code: 2 });
    expect(said.stderr).toContain(told);
    expect(existsSync(here.runFolder)).toBe(false);
  };
  const ok = ['--validate', job];
  await refused(
    here.units,
    ['--validate', here.write('bad.json', { smoke: 'npm test' })],
    'smoke is a text, and no shell reads it',
  );
  await refused(here.units, ['--validate', path.join(here.folder, 'none.json')], 'does not exist');
  await refused([...here.units, here.unit('validation', 'true')], ok, 'the manifest has a unit validation');
  await refused([{ ...here.unit('here', 'true'), mode: 'inplace' }], ok, 'unit here works in place');
  await refused([{ ...here.unit('look', 'true'), mode: 'scratch' }], ok, 'no unit changes code');
  const plan = await here.prun.run(['run', here.manifest, '--dry-run', '--unit', 'validation', ...ok]);
  expect(plan.stdout).toContain('Validate the results of one, two together');
});
