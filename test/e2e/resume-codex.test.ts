import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCodexBin } from '../helpers/codex-bin.ts';
import { type CodexCase, type CodexServer, startCodexServer } from '../helpers/codex-server.ts';
import { smallRepository } from '../helpers/plain-git.ts';
import { processesOf } from '../helpers/process-table.ts';
import { supervisorGone } from '../helpers/run-over.ts';
import { type RunRoom, runRoom, type StartedRun } from '../helpers/run-room.ts';
import { killSupervisors, statusOf } from '../helpers/supervisor-kill.ts';
import { waitFor } from '../helpers/wait-for.ts';

// Sessions of the real codex that go on, against a loopback stand-in for its API.

let server: CodexServer | undefined;
beforeAll(async () => {
  server = await startCodexServer();
});
afterAll(() => server?.close());

/** A unit on the real codex whose turns do what `params` says (`codex-server.ts`, case `turns`). */
function codexUnit(
  room: RunRoom,
  id: string,
  params: Record<string, string>,
  wish: Record<string, unknown> = {},
  name: CodexCase = 'turns',
) {
  const folder = path.join(room.folder, `codex of ${id}`);
  mkdirSync(folder, { recursive: true });
  const extraArgs = ['exclude_slash_tmp', 'exclude_tmpdir_env_var'].flatMap((key) => [
    '-c',
    `sandbox_workspace_write.${key}=true`,
  ]);
  const codexBin = writeCodexBin(folder, { port: server?.port ?? 0, case: name, params, extraArgs });
  return { id, prompt: `Task of ${id}.\n`, codexBin, ...wish };
}

/** A shell command that writes a result that keeps the contract. */
function resultBy(run: string, room: RunRoom, unit: string, files: string): string {
  const file = path.join(room.cli.stateHome, 'runs', run, 'agent-io/results', `${unit}.md`);
  const text = `# ${unit} result\nConclusion: done\nFiles: ${files}\nOpen items: none\nVerification: none\n`;
  return `printf '%s' '${text}' >'${file}'`;
}

async function startRun(
  room: RunRoom,
  id: string,
  units: unknown[],
  settings: Record<string, unknown> = {},
): Promise<StartedRun> {
  const manifest = path.join(room.folder, `${id}.json`);
  writeFileSync(manifest, JSON.stringify({ jobs: 4, ...settings, units }));
  await room.cli.run(['run', manifest, '--run', id]);
  return room.open(id);
}

/** What stands in the newest request of the thread that has this text: its whole history is sent each time. */
function newestRequestWith(text: string): string {
  const all = (server?.requests ?? []).map(({ body }) => JSON.stringify(body?.input ?? []));
  return all.findLast((input) => input.includes(text)) ?? '';
}

const outcomes = (run: StartedRun, unit: string) => run.attempts(unit).map(({ outcome }) => outcome);

describe('prun resume on the real codex', () => {
  it('goes on after a success with a remark: same thread, same clone, same sandbox, a fresh result', async () => {
    const room = runRoom();
    const repo = await smallRepository(room.folder);
    const outside = path.join(room.folder, 'outside');
    mkdirSync(outside);
    const twoFiles = resultBy('remark', room, 'api', 'one.txt, two.txt');
    const params = {
      cmd1: `echo one >one.txt; ${resultBy('remark', room, 'api', 'one.txt')}`,
      cmd2: `echo two >>one.txt; echo two >two.txt; echo x >'${outside}/x'; ${twoFiles}`,
    };
    const wish = { mode: 'clone', sandbox: 'workspace-write' };
    const run = await startRun(room, 'remark', [codexUnit(room, 'api', params, wish)], { repo });
    await supervisorGone(run);
    const remark = path.join(room.folder, 'remark.md');
    writeFileSync(remark, 'Make ‘two’ as well.\n');
    const session = outcomes(run, 'api')[0]?.sessionId ?? 'none';
    const argv = ['resume', '--run', 'remark', '--unit', 'api', '--prompt-file', remark];
    expect((await room.cli.run(argv)).stdout).toBe(
      `RESUME run=remark units=1\nUNIT api queued attempt=2 session=${session}\nNEXT prun wait --run remark\n`,
    );
    await supervisorGone(run);
    expect(outcomes(run, 'api')).toMatchObject([
      { status: 'succeeded', sessionId: session, delta: { files: 1 } },
      // What one turn alone used; the thread has used both.
      {
        ...{ status: 'succeeded', sessionId: session, delta: { files: 2 } },
        ...{ tokens: { input: 200 }, threadTokens: { input: 400 } },
      },
    ]);
    const [first, second] = run.attempts('api');
    expect(second?.record.cwd).toBe(first?.record.cwd);
    expect(second?.record.argv.join(' ')).toMatch(/ --sandbox workspace-write .* --add-dir .* resume /);
    expect(existsSync(path.join(outside, 'x'))).toBe(false);
    expect(readFileSync(path.join(second?.record.cwd ?? '', 'one.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(run.result('api')).toContain('Files: one.txt, two.txt');
    const thread = newestRequestWith('Make ‘two’ as well.');
    expect(thread).toContain('Task of api.');
    expect(thread).toContain('Turn 1 is done.');
  });

  it('goes on after a SIGKILL of the worker and of supervisors, queued and running, with what was there', async () => {
    const room = runRoom();
    const repo = await smallRepository(room.folder);
    const file = (name: string): string => path.join(room.folder, name);
    const until = (name: string): string => `until [ -e '${file(name)}' ]; do sleep 0.05; done`;
    const both = resultBy('kills', room, 'api', 'half.txt, whole.txt');
    const params = {
      cmd1: `echo half >half.txt; touch '${file('half')}'; sleep 600`,
      cmd2: `touch '${file('second')}'; ${until('end')}; echo whole >whole.txt; ${both}`,
    };
    const holds = {
      id: 'holds',
      executor: 'command',
      argv: ['/bin/sh', '-c', until('room')],
      mode: 'scratch',
    };
    const units = [
      codexUnit(room, 'api', params, { mode: 'clone', resources: ['one'] }),
      { ...holds, prompt: 'Hold.', resources: ['one'] },
    ];
    const run = await startRun(room, 'kills', units, { repo, resources: { one: 1 } });
    await waitFor('the half', () => existsSync(file('half')), 60_000);
    const marker = run.attempts('api')[0]?.record.marker ?? '';
    for (const { pid, argv } of processesOf({ marker })) {
      if (/\bcodex\b/.test(argv) && !argv.startsWith('/bin/sh')) process.kill(pid, 'SIGKILL');
    }
    expect(await run.event('ended', 'api', 1, 60_000)).toMatchObject({ status: 'failed', reason: 'signal' });
    await run.event('running', 'holds');
    const session = outcomes(run, 'api')[0]?.sessionId ?? 'none';
    await room.cli.run(['resume', '--run', 'kills', '--unit', 'api']);

    await killSupervisors(run);
    await statusOf(room, run);
    writeFileSync(file('room'), '');
    await waitFor('the second turn', () => existsSync(file('second')), 60_000);
    await killSupervisors(run);
    await statusOf(room, run);
    writeFileSync(file('end'), '');
    await supervisorGone(run);
    expect(outcomes(run, 'api')).toMatchObject([
      { status: 'failed', reason: 'signal', sessionId: session },
      { status: 'succeeded', attempt: 2, sessionId: session, delta: { files: 2, added: 2 } },
    ]);
    expect(run.attempts('api')[1]?.record.resumed).toMatchObject({ sessionId: session });
    const thread = newestRequestWith('Go on with your task');
    expect(thread).toContain('Task of api.');
    expect(thread).toContain('signal: the worker was ended by SIGKILL');
  }, 180_000);

  it('goes on after a reap, in the scratch folder of the attempt that was reaped', async () => {
    const room = runRoom();
    const params = {
      cmd1: 'echo noted >notes.txt',
      after1: 'hang',
      cmd2: `grep noted notes.txt && ${resultBy('reap', room, 'look', 'none (read-only)')}`,
    };
    const wish = { mode: 'scratch', stallThreshold: 2 };
    const run = await startRun(room, 'reap', [codexUnit(room, 'look', params, wish)]);
    await supervisorGone(run);
    await room.cli.run(['resume', '--run', 'reap', '--unit', 'look']);
    await supervisorGone(run);
    const [first, second] = run.attempts('look');
    expect(first?.outcome).toMatchObject({ status: 'failed', reason: 'idle-stall' });
    expect(second?.outcome).toMatchObject({ status: 'succeeded', sessionId: first?.outcome?.sessionId });
    expect(second?.record.cwd).toBe(path.join(first?.stateDir ?? '', 'work'));
  });

  it('names a session that is in use, goes on when it is free, and names one that is lost', async () => {
    const room = runRoom();
    const params = {
      text1: 'Not yet.',
      after2: 'hang',
      cmd3: resultBy('live', room, 'api', 'none (read-only)'),
    };
    const unit = codexUnit(room, 'api', params, { mode: 'scratch' });
    const run = await startRun(room, 'live', [unit]);
    await supervisorGone(run);
    const session = outcomes(run, 'api')[0]?.sessionId ?? 'none';
    const resume = ['resume', '--run', 'live', '--unit', 'api'];

    const words = ['exec', '--json', '--skip-git-repo-check', 'resume', session, '-'];
    const other = spawn(unit.codexBin, words, { cwd: room.folder, stdio: ['pipe', 'pipe', 'ignore'] });
    other.stdin?.end('I am no worker of unit api.');
    await once(other.stdout ?? other, 'data');
    await room.cli.run(resume);
    expect(await run.event('ended', 'api', 2, 60_000)).toMatchObject({
      ...{ status: 'failed', reason: 'session-live' },
      detail: expect.stringContaining('already has an active writer'),
    });
    other.kill('SIGINT');
    await once(other, 'exit');

    await supervisorGone(run);
    await room.cli.run(resume);
    expect(await run.event('ended', 'api', 3, 60_000)).toMatchObject({
      status: 'succeeded',
      sessionId: session,
    });

    await supervisorGone(run);
    rmSync(path.join(path.dirname(unit.codexBin), 'codex-home/sessions'), { recursive: true });
    await room.cli.run(resume);
    expect(await run.event('ended', 'api', 4, 60_000)).toMatchObject({
      ...{ status: 'failed', reason: 'session-lost' },
      detail: expect.stringContaining(session),
    });
    await supervisorGone(run);
  });
});
