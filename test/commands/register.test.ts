import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../helpers/plain-git.ts';
import { endRun, supervisorGone } from '../helpers/run-over.ts';
import { runRoom } from '../helpers/run-room.ts';

const result = (unit: string) =>
  `# ${unit} result\nConclusion: ok\nFiles: none\nOpen items: none\nVerification: none\n`;

describe('prun register', () => {
  it('records a subagent of the session, whose result lands when it is there and quiet', async () => {
    const room = runRoom();
    const run = await room.start([{ id: 'api', sh: 'echo api' }]);
    await supervisorGone(run);
    const file = path.join(run.folder, 'agent-io/results/mail.md');
    const { stdout } = await room.cli.run(['register', '--run', run.id, '--unit', 'mail']);
    expect(stdout).toBe(`REGISTERED mail run=${run.id}\nRESULT ${file}\nNEXT prun wait --run ${run.id}\n`);
    await run.event('running', 'mail');
    const open = await room.cli.run(['reconcile', '--run', run.id], { code: 36 });
    expect(open.stdout).toContain('UNIT mail running still running');
    writeFileSync(file, result('mail'));
    await run.event('ended', 'mail', 1, 40_000);
    await room.cli.run(['reconcile', '--run', run.id]);
    const [attempt] = run.attempts('mail');
    expect(attempt?.outcome).toMatchObject({
      executor: 'session',
      status: 'succeeded',
      result: { path: file },
    });
  });

  it('counts the clone that a subagent worked in, whose delta the session collects', async () => {
    const room = runRoom();
    const repo = path.join(room.folder, 'repo');
    mkdirSync(repo);
    await git(repo, ['init', '-q']);
    await git(repo, ['commit', '-q', '--allow-empty', '-m', 'first']);
    const run = await room.start([{ id: 'first', sh: 'echo first' }], { repo });
    await supervisorGone(run);
    const [clone = ''] = await room.cli.clone(repo, ['ui'], ['--run', run.id]);
    const { stdout } = await room.cli.run(['register', '--run', run.id, '--unit', 'ui']);
    expect(stdout).toContain(`\nWORKSPACE ${clone}\n`);
    writeFileSync(path.join(clone, 'ui.txt'), 'ui\n');
    writeFileSync(path.join(run.folder, 'agent-io/results/ui.md'), result('ui'));
    await run.event('ended', 'ui', 1, 40_000);
    await supervisorGone(run);
    const open = await room.cli.run(['reconcile', '--run', run.id], { code: 36 });
    expect(open.stdout).toContain(
      `UNIT ui succeeded no delta: nobody has collected its delta: prun collect --run ${run.id} --unit ui\n`,
    );
    await room.cli.run(['collect', '--run', run.id, '--unit', 'ui']);
    const whole = await room.cli.run(['reconcile', '--run', run.id]);
    expect(whole.stdout).toContain('units=2 deltas=1\nNEXT prun conflicts --run');
  });

  it('makes a run for the session alone, once however many ask for it', async () => {
    const room = runRoom();
    const file = path.join(room.folder, 'r.md');
    writeFileSync(file, result('calendar'));
    writeFileSync(path.join(room.folder, 'p.md'), 'Look it up.\n');
    const names = ['calendar', 'drive', 'mail', 'chat'];
    const said = await Promise.all(
      names.map((unit) => {
        const more = unit === 'calendar' ? ['--result-file', 'r.md', '--brief', 'p.md'] : [];
        return room.cli.run(['register', '--new', '--run', 's', '--unit', unit, '--json', ...more], {
          cwd: room.folder,
        });
      }),
    );
    const facts = said.map(({ stdout }) => JSON.parse(stdout));
    expect(facts[0]).toEqual({ run: 's', unit: 'calendar', resultFile: file, isThere: true });
    expect(facts.map(({ isThere }) => isThere)).toEqual([true, false, false, false]);
    const run = room.open('s');
    for (const unit of names) await run.event('running', unit);
    expect(readFileSync(path.join(run.folder, 'units.jsonl'), 'utf8')).toContain('"prompt":"Look it up.\\n"');
    await run.event('ended', 'calendar', 1, 40_000);
    await endRun(room, room.open('s'));
    const { stdout } = await room.cli.run(['reconcile', '--run', 's', '--without', 'drive', '--json'], {
      code: 36,
    });
    const { units } = JSON.parse(stdout) as { units: { id: string; doubts: unknown[] }[] };
    expect(units.filter(({ doubts }) => doubts.length === 0).map(({ id }) => id)).toEqual(['calendar']);
  });

  it('counts as failed when its time is up', async () => {
    const room = runRoom();
    await room.cli.run(['register', '--new', '--run', 's', '--unit', 'mail', '--timeout', '1']);
    const run = room.open('s');
    expect(await run.event('ended', 'mail')).toMatchObject({ status: 'failed', reason: 'hard-timeout' });
    await supervisorGone(run);
  });

  it('refuses what is taken, what is no file, and what is not there', async () => {
    const room = runRoom();
    const register = async (...argv: string[]): Promise<string> =>
      (await room.cli.run(['register', '--run', 's', ...argv], { code: 2, cwd: room.folder })).stderr;
    expect(await register('--unit', 'mail')).toContain('there is no run "s"');
    await room.cli.run(['register', '--new', '--run', 's', '--unit', 'mail', '--result-file', 'r.md'], {
      cwd: room.folder,
    });
    expect(await register('--unit', 'mail')).toContain('unit mail is in run s already');
    expect(await register('--unit', 'chat', '--result-file', 'r.md')).toContain('is that of unit mail');
    mkdirSync(path.join(room.folder, 'folder'));
    expect(await register('--unit', 'chat', '--result-file', 'folder')).toContain('is no regular file');
    expect(await register('--unit', 'chat', '--result-file', 'r.json/x', '--prompt-file', 'no.md')).toContain(
      'cannot be read (ENOENT)',
    );
    expect(await register('--unit', 'a b')).toContain('is no unit id');
    expect(await register()).toContain('--unit is missing');
    expect(await register('--unit', 'a', '--unit', 'b')).toContain('register one at a time');
    const named = await room.cli.run(['register', '--new', '--run', '../x', '--unit', 'a'], { code: 2 });
    expect(named.stderr).toContain('--run is "../x"');
    await endRun(room, room.open('s'));
  });
});
