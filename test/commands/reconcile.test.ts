import { rmSync, writeFileSync } from 'node:fs';
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
    const json = JSON.parse((await room.cli.run([...decided, '--json'])).stdout);
    expect(json).toMatchObject({ run: run.id, reconciled: true, leftOut: ['child'], neverStarted: [] });
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
