import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { endRun, supervisorGone } from '../helpers/run-over.ts';
import { runRoom } from '../helpers/run-room.ts';

describe('prun retry', () => {
  it('gives what failed a fresh attempt, keeps the earlier one with its result, and leaves what succeeded alone', async () => {
    const room = runRoom();
    const good = path.join(room.folder, 'good');
    const run = await room.start([
      { id: 'good', sh: 'echo good' },
      { id: 'bad', sh: `echo first words; [ -e '${good}' ]` },
    ]);
    await supervisorGone(run);
    writeFileSync(good, '');
    const { stdout } = await room.cli.run(['retry', '--run', run.id]);
    expect(stdout).toBe(
      `RETRY run=${run.id} units=1\nUNIT bad queued attempt=2\nNEXT prun wait --run ${run.id}\n`,
    );
    await run.event('ended', 'bad', 2);
    await supervisorGone(run);
    const [first, second] = run.attempts('bad');
    expect([first?.outcome?.status, second?.outcome?.status]).toEqual(['failed', 'succeeded']);
    expect(readFileSync(path.join(second?.stateDir ?? '', 'previous-result'), 'utf8')).toContain('FALLBACK');
    expect(run.result('bad')).toBe('first words\n');
    expect(run.attempts('good')).toHaveLength(1);
    const nothing = await room.cli.run(['retry', '--run', run.id]);
    expect(nothing.stdout).toBe(`RETRY run=${run.id} units=0\nNOTE nothing has failed\n`);
  });

  it('takes a result that has gone for a failure, and a cancelled unit only by its name', async () => {
    const room = runRoom();
    const run = await room.start(
      [
        { id: 'lost', sh: 'echo lost' },
        { id: 'stopped', sh: 'sleep 600' },
      ],
      { jobs: 2 },
    );
    await run.event('ended', 'lost');
    await room.cli.run(['cancel', '--run', run.id, '--unit', 'stopped', '--grace', '0']);
    const nothing = await room.cli.run(['retry', '--run', run.id]);
    expect(nothing.stdout).toContain('1 cancelled unit is retried by name only');
    rmSync(path.join(run.folder, 'agent-io/results/lost.md'));
    const { stdout } = await room.cli.run(['retry', '--run', run.id, '--json']);
    expect(JSON.parse(stdout)).toEqual({ run: run.id, units: ['lost'], refused: [] });
    await run.event('ended', 'lost', 2);
    await room.cli.run(['retry', '--run', run.id, '--unit', 'stopped']);
    await run.event('running', 'stopped', 2);
    await endRun(room, run);
  });

  it('refuses named units that are well or run, and then retries none', async () => {
    const room = runRoom();
    const run = await room.start(
      [
        { id: 'good', sh: 'echo good' },
        { id: 'bad', sh: 'exit 1' },
        { id: 'slow', sh: 'sleep 600' },
      ],
      { jobs: 3 },
    );
    await run.event('ended', 'good');
    await run.event('ended', 'bad');
    await run.event('running', 'slow');
    const argv = ['--unit', 'good', '--unit', 'slow', '--unit', 'bad'];
    const refused = await room.cli.run(['retry', '--run', run.id, ...argv], { code: 2 });
    expect(refused.stderr).toBe(
      'prun retry: not to be retried: good: it has succeeded: --force retries it all the same; slow: it is running: wait for it, or cancel it first: nothing was retried: leave them out\n',
    );
    expect(run.attempts('bad')).toHaveLength(1);
    await room.cli.run(['retry', '--run', run.id, '--unit', 'good', '--force']);
    await run.event('ended', 'good', 2);
    await endRun(room, run);
  });

  it('gives the worker the environment of now, with what it may see of it', async () => {
    const room = runRoom();
    const run = await room.start(
      [{ id: 'env', sh: 'echo "$WORD $ANTHROPIC_API_KEY"; exit 1', passEnv: ['WORD'] }],
      {},
      { environment: { WORD: 'old' } },
    );
    await supervisorGone(run);
    const environment = { WORD: 'new', ANTHROPIC_API_KEY: 'secret-of-the-host' };
    await room.cli.run(['retry', '--run', run.id], { environment });
    await run.event('ended', 'env', 2);
    const tails = run
      .attempts('env')
      .map(({ stateDir }) => readFileSync(path.join(stateDir, 'tail'), 'utf8'));
    expect(tails).toEqual(['old \n', 'new \n']);
  });

  it('only reads a run that was copied', async () => {
    const room = runRoom();
    const run = await room.start([{ id: 'bad', sh: 'exit 1' }]);
    await supervisorGone(run);
    const copy = path.join(room.folder, 'copy');
    cpSync(room.cli.stateHome, copy, { recursive: true });
    for (const name of ['retry', 'cancel', 'cleanup']) {
      const { stderr } = await room.cli.run([name, '--run', run.id, '--state-home', copy], { code: 2 });
      expect(stderr).toContain('is a copy or was moved');
    }
    const read = await room.cli.run(['reconcile', '--run', run.id, '--state-home', copy], { code: 36 });
    expect(read.stdout).toContain(`prun retry --run ${run.id} --unit bad --state-home '${copy}'`);
  });

  it.each([
    ['--force needs --unit', ['--force']],
    ['--all-failed and --unit are both given', ['--all-failed', '--unit', 'api']],
  ])('refuses: %s', async (message, argv) => {
    const { stderr } = await runRoom().cli.run(['retry', '--run', 'x', ...argv], { code: 2 });
    expect(stderr).toContain(message);
  });
});
