import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { smallRepository } from '../helpers/plain-git.ts';
import { processesOf } from '../helpers/process-table.ts';
import { endRun, supervisorGone } from '../helpers/run-over.ts';
import { type ManifestUnit, type RunRoom, runRoom } from '../helpers/run-room.ts';
import { callsOf, SESSION, type SessionActs, writeSessionBin, writesResult } from '../helpers/session-bin.ts';
import { waitFor } from '../helpers/wait-for.ts';

const OTHER = '01a22e09-0000-73b2-8bad-cf402a13af52';

const binOf = (room: RunRoom, id: string): string => path.join(room.folder, `bin of ${id}`);

/** A unit on a program that speaks like codex. */
function unit(room: RunRoom, id: string, acts: SessionActs, wish: Partial<ManifestUnit> = {}): ManifestUnit {
  return { id, codexBin: writeSessionBin(binOf(room, id), acts), ...wish };
}

describe('prun resume', () => {
  it('lets a session go on after a failure, where one is named, and lists its attempts with their sessions', async () => {
    const room = runRoom();
    const run = await room.start([unit(room, 'api', { first: 'exit 3', resumed: writesResult('api') })]);
    await supervisorGone(run);
    // Who looks at the failure is led to the session first.
    const go = `prun resume --run ${run.id} --unit api`;
    const told = await room.cli.run(['wait', '--run', run.id], { code: 30 });
    expect(told.stdout).toContain(
      `\nNEXT ${go} (a fresh attempt: prun retry --run ${run.id} --unit api; then prun wait --run ${run.id}; what`,
    );
    const doubt = await room.cli.run(['reconcile', '--run', run.id], { code: 36 });
    expect(doubt.stdout).toMatch(new RegExp(`^UNIT api failed\\(exit\\) .*: ${go}$`, 'm'));
    expect(doubt.stdout).toContain(`\nNEXT ${go}\n`);
    expect((await room.cli.run(['resume', '--run', run.id])).stdout).toBe(
      `RESUME run=${run.id} units=0\nNOTE no account is held; --unit names a unit whose session is to go on\n`,
    );
    const { stdout } = await room.cli.run(['resume', '--run', run.id, '--unit', 'api', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      run: run.id,
      units: ['api'],
      refused: [],
      sessions: { api: SESSION },
    });
    const ends = await run.done();
    expect(ends.get('api')).toMatchObject({ status: 'succeeded', attempt: 2, sessionId: SESSION });
    expect(callsOf(binOf(room, 'api')).map((call) => / resume (\S+) -$/.exec(call)?.[1])).toEqual([
      undefined,
      SESSION,
    ]);
    const [first, second] = run.attempts('api');
    expect(second?.record).toMatchObject({ cwd: first?.record.cwd, resumed: { sessionId: SESSION } });
    const prompt = readFileSync(path.join(second?.stateDir ?? '', 'prompt'), 'utf8');
    expect(prompt).toContain('Attempt 1 was not finished (exit: the worker exited with 3).');
    expect(prompt).toContain('Go on with your task');
    expect(prompt).toContain(`is now ${second?.stateDir}/previous-result\n`);
    const status = await room.cli.run(['status', '--run', run.id, '--unit', 'api']);
    expect(status.stdout.match(/^ATTEMPT .*$/gm)).toEqual([
      expect.stringMatching(`^ATTEMPT api 1 failed\\(exit\\) after .* session=${SESSION} dir=.*/prun-task-`),
      expect.stringMatching(`^ATTEMPT api 2 succeeded after .* session=${SESSION} \\(resumed\\) dir=`),
    ]);
    const facts = await room.cli.run(['status', '--run', run.id, '--unit', 'api', '--json']);
    expect(JSON.parse(facts.stdout).units[0].attempts).toMatchObject([
      { attempt: 1, status: 'failed', reason: 'exit', sessionId: SESSION, isResumed: false },
      { attempt: 2, status: 'succeeded', sessionId: SESSION, isResumed: true, stateDir: second?.stateDir },
    ]);
  });

  it('tells several workers the same remark, byte for byte, and keeps it in the run', async () => {
    const room = runRoom();
    const acts = (id: string): SessionActs => ({ first: writesResult(id) });
    const run = await room.start([unit(room, 'api', acts('api')), unit(room, 'web', acts('web'))]);
    await supervisorGone(run);
    const remark = path.join(room.folder, 'remark.md');
    writeFileSync(remark, '\uFEFFSay ‘why’,\r\n  too. ');
    const argv = ['resume', '--run', run.id, '--phase', 'api', '--unit', 'web', '--brief', 'remark.md'];
    const { stdout } = await room.cli.run(argv);
    expect(stdout).toContain(`UNIT web queued attempt=2 session=${SESSION}\n`);
    rmSync(remark);
    await supervisorGone(run);
    for (const id of ['api', 'web']) {
      const [first, second] = run.attempts(id);
      const prompt = readFileSync(path.join(second?.stateDir ?? '', 'prompt'), 'utf8');
      expect(prompt).toContain('# What the coordinator says now\n\n\uFEFFSay ‘why’,\r\n  too. \n');
      expect(prompt).toContain('Attempt 1 ended well.');
      // What was the result is not lost, and the new one is a fresh one.
      expect(readFileSync(path.join(second?.stateDir ?? '', 'previous-result'), 'utf8')).toContain(
        `# ${id} result`,
      );
      expect([first?.outcome?.reason, second?.outcome?.reason]).toEqual(['ok', 'ok']);
    }
    const kept = readdirSync(path.join(run.folder, 'agent-io/prompts')).filter((name) =>
      name.includes('.remark-'),
    );
    expect(kept).toHaveLength(2);
  });

  it('refuses what cannot go on, each with its reason and what to do, and then resumes none', async () => {
    const room = runRoom();
    const good = { first: writesResult('x') };
    const run = await room.start(
      [
        unit(room, 'well', good),
        unit(room, 'mute', { first: 'exit 1', session: '' }),
        unit(room, 'named', { first: 'exit 1', session: 'api' }),
        unit(room, 'brief', { first: 'exit 1' }, { ephemeral: true }),
        unit(room, 'cut', { first: 'exit 3' }),
        { id: 'lint', sh: 'exit 1' },
        unit(room, 'slow', { first: 'sleep 600' }),
        unit(room, 'next', good, { resources: ['one'] }),
        unit(room, 'first', { first: 'sleep 600' }, { resources: ['one'] }),
        unit(room, 'child', good, { after: ['lint'] }),
      ].sort((a, b) => (a.id === 'first' ? -1 : b.id === 'first' ? 1 : 0)),
      { jobs: 9, resources: { one: 1 } },
    );
    for (const id of ['well', 'mute', 'named', 'brief', 'cut', 'lint']) await run.event('ended', id);
    for (const id of ['slow', 'first']) await run.event('running', id);
    // What can go on is offered by the wait that tells of it, and what cannot is not.
    const next = async (id: string): Promise<string | undefined> => {
      const told = await room.cli.run(['wait', '--run', run.id, '--unit', id], { code: 30 });
      return /^NEXT .*$/m.exec(told.stdout)?.[0];
    };
    const retry = (id: string): string => `a fresh attempt: prun retry --run ${run.id} --unit ${id})`;
    const others = `NEXT prun wait --run ${run.id} (the others go on; `;
    const goOn = `its session goes on: prun resume --run ${run.id} --unit cut; `;
    expect(await next('cut')).toBe(`${others}${goOn}${retry('cut')}`);
    expect(await next('brief')).toBe(`${others}${retry('brief')}`);
    const argv = (id: string): string[] => ['resume', '--run', run.id, '--unit', id];
    const said = async (id: string): Promise<string> =>
      (await room.cli.run([...argv(id), '--unit', 'well'], { code: 2 })).stderr;
    const line = (id: string, why: string): string =>
      `prun resume: not to be resumed: ${id}: ${why}: nothing was resumed: leave them out\n`;
    const anew = (id: string): string => `(a fresh attempt: prun retry --run ${run.id} --unit ${id})`;
    expect(await said('mute')).toBe(
      line('mute', `its last attempt ended before a session began ${anew('mute')}`),
    );
    expect(await said('named')).toBe(
      line(
        'named',
        `its session is called "api", which is no UUID, and a new one would begin ${anew('named')}`,
      ),
    );
    expect(await said('brief')).toBe(
      line('brief', `its session was ephemeral, nothing is kept of it ${anew('brief')}`),
    );
    expect(await said('lint')).toBe(line('lint', `executor command keeps no session ${anew('lint')}`));
    expect((await room.cli.run(argv('slow'), { code: 2 })).stderr).toBe(
      'prun resume: not to be resumed: slow: it is running: wait for it, or cancel it first\n',
    );
    expect(await said('slow')).toBe(line('slow', 'it is running: wait for it, or cancel it first'));
    expect(await said('next')).toBe(line('next', 'it is queued: wait for it, or cancel it first'));
    expect(await said('child')).toMatch(/^prun resume: not to be resumed: child: it is blocked \(.*lint.*\)/);
    expect(run.attempts('well')).toHaveLength(1);
    expect(run.events().filter((event) => event.type === 'queued' && event.attempt > 1)).toEqual([]);
    await endRun(room, run);
  });

  it('refuses a unit that was never started, one that is not there, and a remark that is no text', async () => {
    const room = runRoom();
    await room.cli.run(['init', '--run', 'added', '--repo', await smallRepository(room.folder)]);
    const task = path.join(room.folder, 'task.md');
    writeFileSync(task, 'Task.\n');
    await room.cli.run([
      'add',
      '--run',
      'added',
      '--unit',
      'api',
      '--prompt-file',
      task,
      '--mode',
      'scratch',
    ]);
    const refused = async (...argv: string[]): Promise<string> =>
      (await room.cli.run(['resume', '--run', 'added', ...argv], { code: 2 })).stderr;
    expect(await refused('--unit', 'api')).toContain('api: it was never started: prun start starts it');
    expect(await refused('--unit', 'web')).toContain('run added has no unit "web": its units are api');
    expect(await refused('--prompt-file', task)).toContain('--prompt-file needs --unit');
    writeFileSync(task, ' \n');
    expect(await refused('--unit', 'api', '--prompt-file', task)).toContain(
      'is empty: write the text into it',
    );
    expect(await refused('--unit', 'api', '--prompt-file', 'none.md')).toContain('cannot be read (ENOENT)');
    expect(await refused('--unit', 'api', '--prompt-file', task, '--brief', task)).toContain(
      'is given twice',
    );
  });

  it('refuses a unit whose workspace is gone, and one that a fresh workspace has replaced', async () => {
    const room = runRoom();
    const repo = await smallRepository(room.folder);
    const run = await room.start(
      ['gone', 'cleaned', 'replaced'].map((id) =>
        unit(room, id, { first: `echo x >x; ${writesResult(id, 'x')}` }),
      ),
      { repo, jobs: 3 },
    );
    await supervisorGone(run);
    const clone = (id: string): string => run.attempts(id)[0]?.record.cwd ?? '';
    rmSync(clone('gone'), { recursive: true });
    await room.cli.run(['cleanup', '--run', run.id, '--unit', 'cleaned']);
    const renew = ['clone', '--repo', repo, '--run', run.id, '--unit', 'replaced', '--renew'];
    await room.cli.run(renew);
    const said = async (id: string): Promise<string> =>
      (await room.cli.run(['resume', '--run', run.id, '--unit', id], { code: 2 })).stderr;
    const anew = (id: string): string => `a fresh attempt: prun retry --run ${run.id} --unit ${id} --force`;
    // They have succeeded.
    expect(await said('gone')).toBe(
      `prun resume: not to be resumed: gone: its workspace ${clone('gone')} is gone: ${anew('gone')}\n`,
    );
    expect(await said('cleaned')).toMatch(
      new RegExp(`cleaned: its workspace .* (was removed|is gone): ${anew('cleaned')}\n$`),
    );
    expect(await said('replaced')).toContain('replaced: its workspace');
    expect(await said('replaced')).toContain(`was made anew since: ${anew('replaced')}\n`);
    const both = ['resume', '--run', run.id, '--unit', 'gone', '--unit', 'cleaned'];
    expect((await room.cli.run(both, { code: 2 })).stderr).toMatch(
      /: nothing was resumed: do what is said of each\n$/,
    );
  });

  it('fails without a new workspace where that has gone while the unit was queued', async () => {
    const room = runRoom();
    const go = path.join(room.folder, 'go');
    const repo = await smallRepository(room.folder);
    const holds = `until [ -e '${go}' ]; do sleep 0.05; done`;
    const run = await room.start(
      [
        unit(
          room,
          'api',
          { first: `echo x >x; ${writesResult('api', 'x')}` },
          { mode: 'clone', resources: ['one'] },
        ),
        { id: 'holds', sh: holds, mode: 'scratch', after: ['api'], resources: ['one'] },
      ],
      { repo, jobs: 2, resources: { one: 1 } },
    );
    await run.event('running', 'holds');
    await room.cli.run(['resume', '--run', run.id, '--unit', 'api']);
    rmSync(run.attempts('api')[0]?.record.cwd ?? '', { recursive: true });
    writeFileSync(go, '');
    const end = await run.event('ended', 'api', 2);
    expect(end).toMatchObject({ status: 'failed', reason: 'workspace', stateDir: null });
    expect(end.detail).toMatch(
      /^its session cannot go on, its workspace .* is gone: prun retry begins anew$/,
    );
    await supervisorGone(run);
  });

  it('ends a worker at once that begins another session, leaves no process of it, and takes nothing of it', async () => {
    const room = runRoom();
    const acts: SessionActs = { first: 'exit 1', resumed: 'sleep 641 & sleep 642', other: OTHER };
    const quick: SessionActs = { first: 'exit 1', resumed: writesResult('quick'), other: OTHER };
    const run = await room.start([unit(room, 'api', acts), unit(room, 'quick', quick)]);
    await supervisorGone(run);
    await room.cli.run(['resume', '--run', run.id, '--unit', 'api', '--unit', 'quick']);
    const end = await run.event('ended', 'api', 2);
    expect(await run.event('ended', 'quick', 2)).toMatchObject({ status: 'failed', reason: 'session-lost' });
    expect(end).toMatchObject({ status: 'failed', reason: 'session-lost' });
    expect(end.detail).toBe(`a new session ${OTHER} began instead of ${SESSION}: nothing of it counts`);
    const [, second] = run.attempts('api');
    expect(processesOf({ marker: second?.record.marker ?? '' })).toEqual([]);
    expect(end.durationMs).toBeLessThan(15_000);
    // What was asked for is the session that may go on still, not the one that began by mistake.
    writeSessionBin(binOf(room, 'api'), { first: 'exit 1', resumed: writesResult('api') });
    const { stdout } = await room.cli.run(['resume', '--run', run.id, '--unit', 'api']);
    expect(stdout).toContain(`UNIT api queued attempt=3 session=${SESSION}\n`);
    await run.done();
    expect(run.ends().get('api')).toMatchObject({ status: 'succeeded', attempt: 3 });
  });

  it('begins anew by the unit’s own retries after a resumed attempt has failed', async () => {
    const room = runRoom();
    const twice = path.join(room.folder, 'twice');
    const first = `[ -e '${twice}' ] || { touch '${twice}'; exit 1; }; ${writesResult('api')}`;
    const acts: SessionActs = { first, resumed: 'exit 1' };
    const run = await room.start([unit(room, 'api', acts, { retries: 2 })]);
    await run.event('ended', 'api', 2);
    await supervisorGone(run);
    await room.cli.run(['resume', '--run', run.id, '--unit', 'api']);
    expect(await run.event('ended', 'api', 3)).toMatchObject({ status: 'failed', isFinal: false });
    expect(await run.event('ended', 'api', 4)).toMatchObject({ status: 'succeeded' });
    const resumed = run.attempts('api').map(({ record }) => record.resumed !== undefined);
    expect(resumed).toEqual([false, false, true, false]);
    await supervisorGone(run);
  });

  it('makes what was built on the older result stale, and keeps a stale unit stale', async () => {
    const room = runRoom();
    const repo = await smallRepository(room.folder);
    const acts = (id: string): SessionActs => ({
      first: `echo x >>${id}.txt; ${writesResult(id, `${id}.txt`)}`,
    });
    const run = await room.start(
      [unit(room, 'api', acts('api')), unit(room, 'web', acts('web'), { after: ['api'] })],
      { repo },
    );
    await supervisorGone(run);
    await room.cli.run(['resume', '--run', run.id, '--unit', 'api']);
    await supervisorGone(run);
    expect(readFileSync(path.join(run.attempts('api')[0]?.record.cwd ?? '', 'api.txt'), 'utf8')).toBe(
      'x\nx\n',
    );
    const doubts = async (): Promise<string> =>
      (await room.cli.run(['reconcile', '--run', run.id], { code: 36 })).stdout;
    expect(await doubts()).toMatch(/^UNIT web succeeded built on an older result of api/m);
    await room.cli.run(['resume', '--run', run.id, '--unit', 'web']);
    await supervisorGone(run);
    expect(run.ends().get('web')).toMatchObject({ attempt: 2, status: 'succeeded' });
    expect(await doubts()).toMatch(/^UNIT web succeeded built on an older result of api/m);
  });

  it('goes on under a successor where its supervisor was killed as it began to start it', async () => {
    const room = runRoom();
    const run = await room.start([unit(room, 'api', { first: 'exit 1', resumed: writesResult('api') })]);
    await supervisorGone(run);
    const environment = { PRUN_FAULT: 'run:dispatching' };
    await room.cli.run(['resume', '--run', run.id, '--unit', 'api'], { environment });
    expect(await run.event('ended', 'api', 2)).toMatchObject({ status: 'succeeded', sessionId: SESSION });
    const queued = run.events().filter((event) => event.type === 'queued' && event.attempt === 2);
    const resume = { sessionId: SESSION, stateDir: run.attempts('api')[0]?.stateDir, promptFile: null };
    expect(queued).toMatchObject([
      { why: 'resume', resume },
      { why: 'not-started', resume },
    ]);
    await supervisorGone(run);
  });

  it('goes on in place, where the files are the user’s own, and in a worktree, also after a cancel', async () => {
    const room = runRoom();
    const repo = await smallRepository(room.folder);
    const acts = (id: string, first: string): SessionActs => ({
      first: `echo one >>${id}.txt; ${first}`,
      resumed: `echo two >>${id}.txt; ${writesResult(id, `${id}.txt`)}`,
    });
    const units = [
      unit(room, 'here', acts('here', 'exit 1'), { mode: 'inplace' }),
      unit(room, 'tree', acts('tree', 'sleep 600'), { mode: 'worktree' }),
    ];
    const run = await room.start(units, { repo, jobs: 2 });
    await run.event('ended', 'here');
    await run.event('running', 'tree');
    const cwd = run.attempts('tree')[0]?.record.cwd ?? '';
    await waitFor('the first line', () => existsSync(path.join(cwd, 'tree.txt')));
    await room.cli.run(['cancel', '--run', run.id, '--unit', 'tree', '--grace', '0']);
    await room.cli.run(['resume', '--run', run.id, '--unit', 'here', '--unit', 'tree']);
    await supervisorGone(run);
    for (const [id, folder] of [
      ['here', repo],
      ['tree', cwd],
    ] as const) {
      expect(run.ends().get(id)).toMatchObject({ status: 'succeeded', attempt: 2 });
      expect(readFileSync(path.join(folder, `${id}.txt`), 'utf8')).toBe('one\ntwo\n');
    }
    const [first, second] = run.attempts('tree').map(({ record }) => record.argv.join(' '));
    expect([first, second]).toEqual(Array(2).fill(expect.stringContaining(' --sandbox workspace-write ')));
  });

  it('gives a delta that goes in also where the one before was applied, and no other way', async () => {
    const room = runRoom();
    const repo = await smallRepository(room.folder);
    const acts = {
      first: `echo one >>new.txt; ${writesResult('api', 'new.txt')}`,
      resumed: `echo more >>new.txt; ${writesResult('api', 'new.txt')}`,
    };
    const run = await room.start([unit(room, 'api', acts, { mode: 'clone' })], { repo });
    await supervisorGone(run);
    const file = path.join(repo, 'new.txt');
    const text = () => readFileSync(file, 'utf8');
    const argv = ['apply', '--run', run.id, '--unit', 'api', '--to', repo];
    await room.cli.run(argv);
    await room.cli.run(['resume', '--run', run.id, '--unit', 'api']);
    await supervisorGone(run);
    // What the user has taken back by hand is not put back in part.
    writeFileSync(file, 'mine\n');
    expect((await room.cli.run(argv, { code: 35 })).stdout).toContain('CONFLICT api "your tree" new.txt');
    expect(text()).toBe('mine\n');
    writeFileSync(file, 'one\n');
    expect((await room.cli.run(argv)).stdout).toContain('APPLIED 1 files=1\nM new.txt\n');
    expect(text()).toBe('one\nmore\n');
  });

  it('explains itself', async () => {
    const { stdout } = await runRoom().cli.run(['resume', '--help']);
    expect(stdout).toMatch(/^usage: prun resume --run ID \[--unit UNIT\]…/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });
});
