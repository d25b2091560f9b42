import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitSays } from '../helpers/plain-git.ts';
import { processesOf } from '../helpers/process-table.ts';
import { runRoom } from '../helpers/run-room.ts';
import { waitFor } from '../helpers/wait-for.ts';

describe('a run', () => {
  it('starts its units in one process, and returns at once with its name and folder', async () => {
    const room = runRoom();
    const run = await room.start([
      { id: 'quick', sh: 'echo quick' },
      { id: 'slow', sh: 'sleep 0.5; echo slow' },
    ]);
    const ends = await run.done();
    expect([...ends.values()].map(({ unit, status, origin }) => [unit, status, origin])).toEqual([
      ['quick', 'succeeded', 'stdout'],
      ['slow', 'succeeded', 'stdout'],
    ]);
    expect(run.result('quick')).toBe('quick\n');
    const [{ stateDir, outcome, record } = { stateDir: '', outcome: undefined, record: undefined }] =
      run.attempts('slow');
    expect(outcome).toMatchObject({ status: 'succeeded', supervisor: 'run', attempt: 1, exitCode: 0 });
    expect(Number(record?.supervisor.split(':')[1])).toBe(run.supervisorPid());
    expect(statSync(stateDir).mode & 0o777).toBe(0o700);
    expect(readFileSync(path.join(run.folder, 'agent-io/ledger.md'), 'utf8')).toContain('| slow | command |');
  });

  it('numbers its events without a gap, and its supervisor and guardian are gone when all is done', async () => {
    const run = await runRoom().start([{ id: 'one', sh: 'echo 1' }]);
    await run.done();
    expect(run.events().map(({ n }) => n)).toEqual(run.events().map((_, at) => at + 1));
    const guardian = path.join(run.folder, 'guardian/.guardian-pid');
    const pids = [run.supervisorPid(), Number(readFileSync(guardian, 'utf8'))];
    await waitFor('both to be gone', () => pids.every((pid) => !existsSync(`/proc/${pid}`)));
  });

  it('runs as many at once as it may, and holds a resource for one unit at a time', async () => {
    const room = runRoom();
    const mark = path.join(room.folder, 'marks');
    const sh = (id: string): string =>
      `echo "+${id}" >>'${mark}'; sleep 0.15; echo "-${id}" >>'${mark}'; echo ok`;
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const run = await room.start(
      ids.map((id) => ({ id, sh: sh(id), ...(id > 'c' ? { resources: ['database'] } : {}) })),
      { jobs: 3 },
    );
    await run.done();
    let now = new Set<string>();
    for (const line of readFileSync(mark, 'utf8').trim().split('\n')) {
      if (line[0] === '+') now = new Set([...now, line.slice(1)]);
      else now.delete(line.slice(1));
      expect(now.size).toBeLessThanOrEqual(3);
      expect([...now].filter((id) => id > 'c').length).toBeLessThanOrEqual(1);
    }
  });

  it('waits between two starts as long as --delay says', async () => {
    const run = await runRoom().start(
      ['a', 'b', 'c'].map((id) => ({ id, sh: 'echo ok' })),
      { jobs: 3, delay: 1 },
    );
    await run.done();
    const starts = run
      .events()
      .flatMap((event) => (event.type === 'dispatching' ? [Date.parse(event.at)] : []));
    expect(starts.slice(1).map((at, n) => at - (starts[n] ?? 0) >= 990)).toEqual([true, true]);
  });
});

describe('units that build on others', () => {
  it('start when their parents are well, and are blocked when one is not, their own children too', async () => {
    const run = await runRoom().start([
      { id: 'base', sh: 'sleep 0.2; echo base' },
      { id: 'bad', sh: 'exit 4' },
      { id: 'child', sh: 'echo child', after: ['base'] },
      { id: 'orphan', sh: 'echo orphan', after: ['base', 'bad'] },
      { id: 'grandchild', sh: 'echo grandchild', after: ['orphan'] },
    ]);
    const ends = await run.done();
    expect([...ends.keys()].sort()).toEqual(['bad', 'base', 'child']);
    const blocked = run
      .events()
      .flatMap((event) => (event.type === 'blocked' ? [[event.unit, event.detail]] : []));
    expect(blocked).toEqual([
      ['orphan', 'it comes after bad, which is failed'],
      ['grandchild', 'it comes after orphan, which is blocked'],
    ]);
    const order = run.events().flatMap((event) => ('unit' in event ? [`${event.type} ${event.unit}`] : []));
    expect(order.indexOf('dispatching child')).toBeGreaterThan(order.indexOf('ended base'));
    expect(run.events().at(-1)).toMatchObject({ type: 'all-done', succeeded: 2, failed: 1, blocked: 2 });
  });

  it('go on when a parent was retried and is well, and what had started from its old result is stale', async () => {
    const room = runRoom();
    const good = path.join(room.folder, 'good');
    const run = await room.start([
      { id: 'parent', sh: `[ -e '${good}' ] && echo well` },
      { id: 'child', sh: 'echo child', after: ['parent'] },
    ]);
    await run.done();
    writeFileSync(good, '');
    await room.cli.run(['retry', '--run', run.id, '--unit', 'parent']);
    await run.event('ended', 'child');
    expect(await run.done()).toHaveProperty('size', 2);
    expect(run.attempts('parent').map(({ outcome }) => outcome?.status)).toEqual(['failed', 'succeeded']);

    await room.cli.run(['retry', '--run', run.id, '--unit', 'parent', '--force']);
    expect(await run.event('stale', 'child')).toMatchObject({ parent: 'parent' });
    await run.event('ended', 'parent', 3);
    await run.done();
  });
});

describe('a unit that fails', () => {
  it('gets as many further attempts as it may have, and only the last failure wakes', async () => {
    const room = runRoom();
    const count = path.join(room.folder, 'count');
    const run = await room.start([
      { id: 'flaky', sh: `echo x >>'${count}'; [ $(wc -l <'${count}') -ge 3 ] && echo well`, retries: 2 },
      { id: 'broken', sh: 'exit 7', retries: 1 },
    ]);
    await run.done();
    const ends = run.events().flatMap((event) => (event.type === 'ended' ? [event] : []));
    const of = (unit: string) => ends.filter((event) => event.unit === unit);
    expect(of('flaky').map(({ status, isFinal, wakes }) => [status, isFinal, wakes])).toEqual([
      ['failed', false, false],
      ['failed', false, false],
      ['succeeded', true, false],
    ]);
    expect(of('broken').map(({ attempt, isFinal, wakes }) => [attempt, isFinal, wakes])).toEqual([
      [1, false, false],
      [2, true, true],
    ]);
    // What the attempt before left is told to the next worker, and kept.
    const [, second] = run.attempts('broken');
    expect(readFileSync(path.join(second?.stateDir ?? '', 'prompt'), 'utf8')).toContain(
      'the worker exited with 7',
    );
    expect(existsSync(path.join(second?.stateDir ?? '', 'previous-result'))).toBe(true);
  });

  it('is failed by its own check, whose output is kept', async () => {
    const run = await runRoom().start([
      { id: 'checked', sh: 'echo done', verify: 'echo looking; exit 5' },
      { id: 'fine', sh: 'echo done', verify: 'true' },
    ]);
    const ends = await run.done();
    expect(ends.get('checked')).toMatchObject({ status: 'failed', reason: 'verify' });
    expect(ends.get('fine')).toMatchObject({ status: 'succeeded' });
    const [{ outcome } = { outcome: undefined }] = run.attempts('checked');
    expect(outcome?.verify).toMatchObject({ command: 'echo looking; exit 5', exitCode: 5 });
    expect(readFileSync(outcome?.verify?.log ?? '', 'utf8')).toContain('looking');
  });

  it('says that a program is not there, and is not tried again', async () => {
    const run = await runRoom().start([
      { id: 'missing', executor: 'command', argv: ['/no/such/program'], retries: 3 },
    ]);
    const ends = await run.done();
    expect(ends.get('missing')).toMatchObject({
      reason: 'spawn',
      attempt: 1,
      detail: '/no/such/program was not found',
    });
  });
});

describe('a quiet unit', () => {
  it('is told when its notice is up, is said to move on, and is reaped at its threshold with all that it started', async () => {
    const room = runRoom();
    const go = path.join(room.folder, 'go');
    const run = await room.start([
      {
        id: 'quiet',
        sh: `while [ ! -e '${go}' ]; do sleep 0.1; done; for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.3; done; echo well`,
        stallNotice: 2,
        stallThreshold: 0,
      },
      { id: 'hung', sh: 'setsid sleep 300 & sleep 300', stallThreshold: 1 },
    ]);
    // The quarter of a second between two looks may come on top, more on a busy machine.
    expect((await run.event('stalled', 'quiet')).quietSeconds).toBeGreaterThanOrEqual(2);
    writeFileSync(go, '');
    await run.event('moving', 'quiet');
    const ends = await run.done();
    expect(ends.get('quiet')).toMatchObject({ status: 'succeeded' });
    expect(ends.get('hung')).toMatchObject({ status: 'failed', reason: 'idle-stall' });
    const [{ record } = { record: undefined }] = run.attempts('hung');
    expect(processesOf({ marker: record?.marker ?? '', rssMark: record?.rssMark ?? null })).toEqual([]);
  });
});

describe('cancel', () => {
  it('ends running units with all that they started, and those that wait, before it returns', async () => {
    const room = runRoom();
    const run = await room.start(
      [
        { id: 'running', sh: "trap '' TERM; setsid sleep 300 & sleep 300" },
        { id: 'waiting', sh: 'echo never' },
        { id: 'child', sh: 'echo never', after: ['running'] },
      ],
      { jobs: 1 },
    );
    await run.event('running', 'running');
    await room.cli.run(['cancel', '--run', run.id, '--grace', '1']);
    const [{ record, outcome } = { record: undefined, outcome: undefined }] = run.attempts('running');
    expect(outcome).toMatchObject({ status: 'cancelled', reason: 'cancelled' });
    expect(processesOf({ marker: record?.marker ?? '', rssMark: record?.rssMark ?? null })).toEqual([]);
    const ends = await run.done();
    expect([...ends.values()].map(({ unit, status, wakes }) => [unit, status, wakes]).sort()).toEqual([
      ['child', 'cancelled', false],
      ['running', 'cancelled', false],
      ['waiting', 'cancelled', false],
    ]);
    expect(run.attempts('waiting')).toEqual([]);
  });

  it('is carried out by the next supervisor where the one that was asked dies over it', async () => {
    const room = runRoom();
    const run = await room.start([
      { id: 'stubborn', sh: "trap '' INT TERM; while :; do sleep 0.1; done" },
      { id: 'other', sh: 'sleep 2; echo well' },
    ]);
    await run.event('running', 'stubborn');
    const cancelled = room.cli.run(['cancel', '--run', run.id, '--unit', 'stubborn', '--grace', '3']);
    await run.event('cancelling', 'stubborn');
    process.kill(run.supervisorPid(), 'SIGKILL');
    expect((await cancelled).stdout).toContain('stubborn cancelled');
    const ends = await run.done();
    expect([ends.get('stubborn')?.status, ends.get('other')?.status]).toEqual(['cancelled', 'succeeded']);
  });
});

describe('an attempt whose record was emptied', () => {
  it('is adopted by its marks when its supervisor dies: nothing of it lives on, nothing runs twice', async () => {
    const room = runRoom();
    const count = path.join(room.folder, 'count');
    const go = path.join(room.folder, 'go');
    const run = await room.start([
      { id: 'torn', sh: `echo x >>'${count}'; while [ ! -e '${go}' ]; do sleep 0.1; done; echo well` },
      { id: 'hung', sh: 'setsid sleep 300 & sleep 300' },
    ]);
    await run.event('running', 'torn');
    await run.event('running', 'hung');
    await waitFor('the worker', () => existsSync(count));
    const before = ['torn', 'hung'].flatMap((unit) => run.attempts(unit));
    for (const { stateDir } of before) writeFileSync(path.join(stateDir, 'unit.json'), '');
    process.kill(run.supervisorPid(), 'SIGKILL');
    await waitFor('a successor', () => run.events().filter(({ type }) => type === 'supervisor').length > 1);
    await room.cli.run(['cancel', '--run', run.id, '--unit', 'hung', '--grace', '0']);
    const hung = before.find(({ record }) => record.unit === 'hung')?.record;
    expect(processesOf({ marker: hung?.marker ?? '', rssMark: hung?.rssMark ?? null })).toEqual([]);
    writeFileSync(go, '');
    const ends = await run.done();
    expect([ends.get('torn')?.status, ends.get('hung')?.status]).toEqual(['succeeded', 'cancelled']);
    expect(readFileSync(count, 'utf8')).toBe('x\n');
    expect(run.attempts('torn').map(({ record }) => record.attempt)).toEqual([1]);
  });
});

describe('the environment of a unit', () => {
  it('is that of the caller who started it, not that of the one who started the supervisor (PEERS.md 25)', async () => {
    const room = runRoom();
    const run = await room.start(
      [
        { id: 'first', sh: `echo "$WHO"; sleep 1` },
        { id: 'second', sh: 'echo "$WHO"; [ "$WHO" = her ]' },
      ],
      {},
      { environment: { WHO: 'him', CLAUDE_CODE_SECRET: 'sesame' } },
    );
    await run.event('ended', 'second');
    await room.cli.run(['retry', '--run', run.id, '--unit', 'second'], { environment: { WHO: 'her' } });
    await run.event('ended', 'second', 2);
    await run.done();
    expect(run.result('first')).toBe('him\n');
    expect(run.result('second')).toBe('her\n');
    // Nothing of it stays, and the host session's own variables were never written down.
    expect(readdirSync(path.join(run.folder, 'environments'))).toEqual([]);
  });

  it('holds nothing of the host session, in no file of the run, and nothing of prun itself', async () => {
    const room = runRoom();
    const run = await room.start(
      [{ id: 'shows', sh: 'env | sort; sleep 0.3' }],
      {},
      { environment: { CLAUDE_CODE_SECRET: 'sesame', ANTHROPIC_API_KEY: 'open-sesame' } },
    );
    await run.event('running', 'shows');
    const [kept = ''] = readdirSync(path.join(run.folder, 'environments'));
    const file = path.join(run.folder, 'environments', kept);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain('sesame');
    await run.done();
    expect(run.result('shows')).not.toMatch(/sesame|PRUN_STATE_HOME/);
    expect(run.result('shows')).toContain('PRUN_UNIT=shows-');
  });
});

describe('a unit of the session', () => {
  it('lands when its result is there and quiet, and takes none of the jobs', async () => {
    const room = runRoom();
    const file = path.join(room.folder, 'subagent.md');
    const run = await room.start(
      [
        { id: 'mail', executor: 'session', resultFile: file },
        { id: 'other', sh: 'echo other' },
      ],
      { jobs: 1 },
    );
    await run.event('ended', 'other');
    writeFileSync(
      file,
      '# mail result\nConclusion: read\nFiles: none (read-only)\nOpen items: none\nVerification: none\n',
    );
    const ends = await run.done(40_000);
    expect(ends.get('mail')).toMatchObject({ status: 'succeeded', origin: 'worker', resultFile: file });
  });
});

/** A repository with one commit. */
async function repository(folder: string): Promise<string> {
  mkdirSync(folder);
  await gitSays(folder, ['init', '-q', '-b', 'main']);
  writeFileSync(path.join(folder, 'file'), 'one\n');
  await gitSays(folder, ['add', '-A']);
  await gitSays(folder, ['commit', '-qm', 'first']);
  return folder;
}

describe('the repository of a run', () => {
  it('is compared around units that work in it or read beside it, and a commit of theirs is reported', async () => {
    const room = runRoom();
    const repo = await repository(path.join(room.folder, 'repo'));
    const run = await room.start(
      [
        {
          id: 'commits',
          mode: 'inplace',
          sh: 'git -c user.email=a@b -c user.name=a commit -qm bad --allow-empty; echo x',
        },
        { id: 'reads', mode: 'scratch', sh: 'echo read', after: ['commits'] },
      ],
      { repo },
    );
    await run.done();
    const tripwireOf = (unit: string) => run.attempts(unit).at(-1)?.outcome?.tripwire;
    expect(tripwireOf('commits')?.changes.map(({ what }) => what)).toContain('ref');
    expect(tripwireOf('reads')).toBeNull();
  });
});

describe('a clone that is being made', () => {
  it('leaves nothing of its setup behind when its maker is killed, and says so', async () => {
    const room = runRoom();
    const repo = await repository(path.join(room.folder, 'repo'));
    const mark = path.join(room.folder, 'mark');
    const setup = `setsid sleep 37719 & echo x >'${mark}'; sleep 37719`;
    const run = await room.start([{ id: 'made', mode: 'clone', sh: 'echo x', setup }], { repo });
    await waitFor('the setup', () => existsSync(mark));
    const makers = processesOf({ word: `clone --repo ${repo}` });
    expect(makers.length).toBeGreaterThan(0);
    for (const { pid } of makers) process.kill(pid, 'SIGKILL');
    const ends = await run.done();
    expect(ends.get('made')).toMatchObject({ status: 'failed', reason: 'workspace' });
    expect(ends.get('made')?.detail).toContain('SIGKILL');
    expect(processesOf({ word: 'sleep 37719' })).toEqual([]);
  });
});
