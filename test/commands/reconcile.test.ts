import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { endRun, supervisorGone } from '../helpers/run-over.ts';
import { runRoom } from '../helpers/run-room.ts';

describe('prun reconcile', () => {
  it('is content with a whole set, and says what comes next', async () => {
    const room = runRoom();
    const run = await room.start([
      { id: 'api', sh: 'echo api' },
      { id: 'ui', sh: 'echo ui' },
    ]);
    await supervisorGone(run);
    const { stdout } = await room.cli.run(['reconcile', '--run', run.id]);
    expect(stdout).toBe(`RECONCILED run=${run.id} units=2 deltas=0\n`);
  });

  it('says of each unit in doubt what is wrong, and the command that helps', async () => {
    const room = runRoom();
    const run = await room.start([
      { id: 'good', sh: 'echo good' },
      { id: 'bad', sh: 'echo went wrong; exit 3' },
      { id: 'child', sh: 'echo child', after: ['bad'] },
    ]);
    await supervisorGone(run);
    const said = await room.cli.run(['reconcile', '--run', run.id], { code: 36 });
    const fallback = path.join(run.folder, 'agent-io/results/bad.md');
    expect(said.stdout.split('\n')).toEqual([
      `NOT-RECONCILED run=${run.id} units=3 deltas=0 in-doubt=2`,
      `UNIT bad failed(exit) the worker exited with 3; a FALLBACK is in ${fallback}: prun retry --run ${run.id} --unit bad`,
      `UNIT child blocked it comes after bad, which is failed: prun retry --run ${run.id} --unit bad`,
      'NOTE what you have read and take as it is: --accept UNIT; what you take out of the set: --without UNIT',
      `NEXT prun retry --run ${run.id}`,
      '',
    ]);
    const decided = ['reconcile', '--run', run.id, '--accept', 'bad', '--without', 'child'];
    const taken = await room.cli.run(decided);
    expect(taken.stdout).toContain(
      `RECONCILED run=${run.id} units=2 deltas=0 accepted=1 left-out=1\nACCEPTED bad `,
    );
    expect((await room.cli.run(decided.slice(0, 3))).stdout).toBe(taken.stdout);
    const json = JSON.parse((await room.cli.run([...decided, '--json'])).stdout);
    expect(json).toMatchObject({ run: run.id, reconciled: true, leftOut: ['child'], neverStarted: [] });
  });

  it('keeps what was decided with the run, for the attempt that it was made for, until it is taken back', async () => {
    const room = runRoom();
    const run = await room.start([
      { id: 'good', sh: 'echo good' },
      { id: 'taken', sh: 'echo went wrong; exit 3' },
      { id: 'replaced', sh: 'echo went wrong, too; exit 3' },
    ]);
    await supervisorGone(run);
    const reconcile = (code: number, ...flags: string[]) =>
      room.cli.run(['reconcile', '--run', run.id, ...flags], { code });
    await reconcile(0, '--accept', 'taken', '--without', 'replaced');
    const file = path.join(run.folder, 'decisions.jsonl');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { schema: 1, unit: 'taken', attempt: 1, decision: 'accept' },
      { schema: 1, unit: 'replaced', attempt: 1, decision: 'without' },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    appendFileSync(file, '{"schema":1,"unit":"taken","att');
    expect((await reconcile(0)).stdout).toMatch(
      / accepted=1 left-out=1\nACCEPTED taken .*\nLEFT-OUT replaced\n$/,
    );
    expect((await room.cli.run(['retry', '--run', run.id])).stdout).toContain(
      'NOTE nothing has failed; 2 accepted or left out units are retried by name only: --unit\n',
    );

    const open = await reconcile(36, '--reopen', 'taken');
    expect(open.stdout).toContain('UNIT taken failed(exit) ');
    expect(open.stdout).not.toContain('UNIT replaced');
    // The command that it names next passes over what was left out.
    expect((await room.cli.run(['retry', '--run', run.id])).stdout).toMatch(/units=1\nUNIT taken /);
    await supervisorGone(run);
    await reconcile(0, '--accept', 'taken');
    await room.cli.run(['retry', '--run', run.id, '--unit', 'replaced']);
    await supervisorGone(run);
    expect((await reconcile(36)).stdout).toContain('UNIT replaced failed(exit) ');
  });

  it('accepts nothing that nobody can have seen: what runs, and what is well', async () => {
    const room = runRoom();
    const run = await room.start(
      [
        { id: 'well', sh: 'echo well' },
        { id: 'slow', sh: 'sleep 600' },
      ],
      { jobs: 2 },
    );
    await run.event('running', 'slow');
    await run.event('ended', 'well');
    const said = await room.cli.run(['reconcile', '--run', run.id, '--accept', 'well', '--accept', 'slow'], {
      code: 36,
    });
    expect(said.stdout).toContain('NOTE well is not accepted: nothing is in doubt about it\n');
    expect(said.stdout).toContain('NOTE slow is not accepted: there is nothing yet that could be taken\n');
    expect(existsSync(path.join(run.folder, 'decisions.jsonl'))).toBe(false);
    await endRun(room, run);
    await room.cli.run(['reconcile', '--run', run.id], { code: 36 });
  });

  it('writes no decision into a copied run', async () => {
    const room = runRoom();
    const run = await room.start([{ id: 'bad', sh: 'exit 3' }]);
    await supervisorGone(run);
    cpSync(run.folder, `${run.folder}-copy`, { recursive: true });
    const argv = ['reconcile', '--run', `${run.id}-copy`];
    const said = await room.cli.run([...argv, '--without', 'bad'], { code: 2 });
    expect(said.stderr).toContain('is a copy or was moved');
    const looked = await room.cli.run(argv, { code: 36 });
    expect(looked.stdout).toContain(`run=${run.id}-copy `);
  });

  it('waits for nobody: a run that goes on is not reconciled', async () => {
    const room = runRoom();
    const run = await room.start([{ id: 'slow', sh: 'sleep 600' }]);
    await run.event('running', 'slow');
    const said = await room.cli.run(['reconcile', '--run', run.id], { code: 36 });
    expect(said.stdout).toContain(`UNIT slow running still running: prun wait --run ${run.id}\n`);
    await endRun(room, run);
  });

  it('tells of a hundred units in forty lines', async () => {
    const room = runRoom();
    const units = Array.from({ length: 100 }, (_, n) => ({ id: `u${n}`, executor: 'session' }));
    const run = await room.start(units);
    await run.event('running', 'u99');
    const said = await room.cli.run(['reconcile', '--run', run.id], { code: 36 });
    expect(said.stdout.trimEnd().split('\n')).toHaveLength(40);
    expect(said.stdout).toContain(`… and 63 more: prun reconcile --run ${run.id} --json\n`);
    await endRun(room, run);
  });

  it('finds that a result was changed after its unit had ended', async () => {
    const room = runRoom();
    const run = await room.start([{ id: 'api', sh: 'echo api' }]);
    await supervisorGone(run);
    const result = path.join(run.folder, 'agent-io/results/api.md');
    writeFileSync(result, 'somebody else wrote this\n');
    const changed = await room.cli.run(['reconcile', '--run', run.id], { code: 36 });
    expect(changed.stdout).toContain('its result has 25 bytes, its outcome says 4: somebody changed');
    rmSync(result);
    const gone = await room.cli.run(['reconcile', '--run', run.id, '--accept', 'api'], { code: 36 });
    expect(gone.stdout).toContain('its result has gone');
  });

  it.each([
    ['--run is missing', []],
    ['there is no run "nope"', ['--run', 'nope']],
    ['--run is "../x"', ['--run', '../x']],
    ['unexpected argument "api"', ['--run', 'x', 'api']],
    ['unknown flag --force', ['--run', 'x', '--force']],
  ])('refuses: %s', async (message, argv) => {
    const { stderr } = await runRoom().cli.run(['reconcile', ...argv], { code: 2 });
    expect(stderr).toMatch(/^prun reconcile: .*\n$/);
    expect(stderr).toContain(message);
  });

  it('refuses a decision about a unit that the run does not have, and one both ways', async () => {
    const room = runRoom();
    const run = await room.start([{ id: 'api', sh: 'echo api' }]);
    await supervisorGone(run);
    const strange = await room.cli.run(['reconcile', '--run', run.id, '--without', 'db'], { code: 2 });
    expect(strange.stderr).toContain(`run ${run.id} has no unit "db": its units are api`);
    const both = ['reconcile', '--run', run.id, '--without', 'api', '--accept', 'api'];
    expect((await room.cli.run(both, { code: 2 })).stderr).toContain('--accept and by --without');
  });
});
