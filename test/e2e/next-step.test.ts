import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesOf } from '../helpers/process-table.ts';
import { dispatchTask, program, SCRIPTS, scratch, testEnvironment } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// What a coordinator is told to do next when something is not as it should be.

function run(script: string, argv: string[], folder: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(SCRIPTS, script), ...argv], {
    cwd: folder,
    env: testEnvironment(folder, { TMPDIR: folder }),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('dispatch-task', () => {
  it('a codex that is not there is named with the way to get it', async () => {
    const folder = scratch();
    const unit = dispatchTask({ folder, codexBin: 'no-such-codex' });
    expect(await unit.exitCode).toBe(127);
    expect(unit.stderr()).toMatch(
      /^dispatch-task: no-such-codex was not found: install the Codex CLI .+--codex-bin\n/,
    );
    expect(readFileSync(unit.resultFile, 'utf8')).toMatch(/^Open items: install the Codex CLI /m);
  });

  it('an answer that was written to a place of its own is named in the FALLBACK', async () => {
    const folder = scratch();
    const unit = dispatchTask({
      folder,
      prompt: 'Write agent-io/r.md\n',
      codexBin: program(folder, 'codex', 'mkdir agent-io && echo answer >agent-io/r.md'),
    });
    const { outcome, alive } = await unit.outcome();
    expect(alive).toEqual([]);
    expect(outcome).toMatchObject({ status: 'failed', reason: 'no-result', result: { origin: 'tail' } });
    expect(outcome.detail).toContain(`its prompt does not name ${unit.resultFile}`);
    expect(readFileSync(unit.resultFile, 'utf8')).toMatch(/^Files: left in .+\/work: agent-io\/r\.md$/m);
  });

  it('a prompt that names the result is not blamed', async () => {
    const folder = scratch();
    const unit = dispatchTask({
      folder,
      prompt: 'Write result.md\n',
      codexBin: program(folder, 'codex', 'exit 0'),
    });
    const { outcome } = await unit.outcome();
    expect(outcome.detail).toBe('the worker exited with 0 and left no result');
  });

  it('a FALLBACK names the signal that ended the dispatcher, not the one that its worker was asked with', async () => {
    const folder = scratch();
    const unit = dispatchTask({ folder, codexBin: program(folder, 'codex', 'echo here; sleep 60') });
    await unit.stateDir();
    const { marker } = await unit.unitRecord();
    await waitFor('the worker', () => processesOf({ marker }).some(({ argv }) => argv.includes('sleep 60')));
    unit.child.kill('SIGHUP');
    expect(await unit.exitCode).toBe(129);
    expect(readFileSync(unit.resultFile, 'utf8')).toMatch(/^Trigger: signal, SIGHUP$/m);
  });

  it('a worker that lost both its dispatcher and its guardian keeps its result path until it is ended', async () => {
    const folder = scratch();
    const first = dispatchTask({
      folder,
      codexBin: program(folder, 'codex', "trap '' INT; sleep 60; sleep 60"),
    });
    const stateDir = await first.stateDir();
    const { marker } = await first.unitRecord();
    const guardian = await waitFor('the guardian', () => {
      try {
        return Number(readFileSync(path.join(stateDir, 'guardian'), 'utf8').split(':')[1]);
      } catch {
        return undefined;
      }
    });
    await waitFor('the worker', async () => processesOf({ marker }).length >= 2);
    // Stopped first: it would replace its guardian at once.
    first.child.kill('SIGSTOP');
    process.kill(guardian, 'SIGKILL');
    first.child.kill('SIGKILL');
    await first.exitCode;
    const second = dispatchTask({ folder, codexBin: path.join(folder, 'codex'), unit: 'second' });
    expect(await second.exitCode).toBe(2);
    expect(second.stderr()).toContain(`state dir ${stateDir}`);
    expect(run('reap-watch.cjs', ['--state-dir', stateDir], folder).status).toBe(0);
    const { outcome, alive } = await first.outcome();
    expect(alive).toEqual([]);
    expect(outcome).toMatchObject({ status: 'interrupted', reason: 'dispatch-dead' });
  });
});

it('gather says at once that a folder is no result file', () => {
  const folder = scratch();
  mkdirSync(path.join(folder, 'results'));
  const { status, stderr } = run('gather.cjs', ['--timeout', '1', 'results'], folder);
  expect(status).toBe(2);
  expect(stderr).toContain('results is a folder: give the path of a result file\n');
});

it('monitor says so when a folder is no state dir', () => {
  const folder = scratch();
  mkdirSync(path.join(folder, 'project'));
  const { status, stderr } = run('monitor.cjs', ['--timeout', '1', 'project'], folder);
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /^monitor: .*project holds none of a state dir's files: is it a STATE-DIR of dispatch-task\?$/m,
  );
});
