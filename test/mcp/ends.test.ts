import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Connected, type McpRoom, mcpRooms, structured } from '../helpers/mcp-room.ts';
import { processesOf } from '../helpers/process-table.ts';
import type { StartedRun } from '../helpers/run-room.ts';
import { waitFor } from '../helpers/wait-for.ts';

// A worker with a child in a session of its own is in the middle of its work when its call, its client or its server ends.

const newRoom = mcpRooms();

interface Working {
  room: McpRoom;
  server: Connected;
  repo: string;
  run: StartedRun;
  unit: string;
  /** What the call came to, once it has. */
  call: Promise<unknown>;
  abort(): void;
  /** Live processes of the unit. */
  alive(): unknown[];
}

/** A task whose worker has started its children, and waits for its command. */
async function working(sleep: number): Promise<Working> {
  const room = newRoom();
  const repo = await room.repository('repo');
  room.answers('busy', 'turns', {
    cmd1: `setsid sleep ${sleep} >/dev/null 2>&1 </dev/null & echo half > half.txt; touch '${room.folder}/began'; sleep ${sleep}; true`,
    cmd2: 'cat half.txt > whole.txt',
    text2: structured('DONE', 'I went on.', ['half.txt', 'whole.txt']),
  });
  const server = await room.connect();
  const controller = new AbortController();
  const input = { taskId: 'long', prompt: 'Take your time.', workspaceRoot: repo, model: 'busy' };
  const call = server.task('codex_implement', input, { signal: controller.signal }).catch((error) => error);
  await waitFor('the command of the worker', () => existsSync(path.join(room.folder, 'began')), 60_000);
  const [id = ''] = readdirSync(path.join(room.cli.stateHome, 'runs'));
  const run = room.open(id);
  const record = run.attempts('long')[0]?.record;
  const marks = { marker: record?.marker ?? 'none', rssMark: record?.rssMark ?? null };
  const alive = (): unknown[] => [...processesOf(marks), ...processesOf({ word: `sleep ${sleep}` })];
  expect(alive().length).toBeGreaterThan(3);
  return { room, server, repo, run, unit: 'long', call, abort: () => controller.abort(), alive };
}

/** No process is left, there is one outcome, and a new server goes on with the session. */
async function endsAndGoesOn({ room, server, repo, run, alive }: Working): Promise<void> {
  await run.event('ended', 'long', 1, 60_000);
  expect(alive()).toEqual([]);
  expect(run.attempts('long').map(({ outcome }) => outcome?.status)).toEqual(['cancelled']);
  await run.done(60_000);
  await server.close();
  const record = path.join(room.cli.stateHome, 'mcp', 'servers');
  await waitFor('the guardian of the server to go', () => readdirSync(record).length === 0, 60_000);

  const session = run.ends().get('long')?.sessionId;
  const later = await room.connect();
  const output = await later.task('codex_resume', { taskId: 'long', prompt: 'Go on, please.' });
  expect(output).toMatchObject({
    status: 'DONE',
    sessionId: session,
    assistantText: 'I went on.',
    unit: 'long',
  });
  expect(readFileSync(path.join(repo, 'whole.txt'), 'utf8')).toBe('half\n');
  expect(run.events().filter(({ type }) => type === 'ended')).toHaveLength(2);
}

it('a cancelled call leaves no process and one outcome, and its session goes on', async () => {
  const task = await working(741);
  task.abort();
  await endsAndGoesOn(task);
});

it('a client that goes leaves no process and one outcome, and its session goes on', async () => {
  const task = await working(742);
  await task.server.close();
  await endsAndGoesOn(task);
});

it('a server that is killed leaves no process and one outcome, and its session goes on', async () => {
  const task = await working(743);
  process.kill(task.server.pid, 'SIGKILL');
  await endsAndGoesOn(task);
});

it('the next server ends what one has left that was killed together with its guardian', async () => {
  const task = await working(746);
  const [name = ''] = readdirSync(path.join(task.room.cli.stateHome, 'mcp', 'servers'));
  const file = path.join(task.room.cli.stateHome, 'mcp', 'servers', name, '.guardian-pid');
  const guardian = Number(readFileSync(file, 'utf8'));
  process.kill(guardian, 'SIGSTOP');
  process.kill(task.server.pid, 'SIGKILL');
  process.kill(guardian, 'SIGKILL');
  await task.server.close();
  expect(task.alive().length).toBeGreaterThan(3);
  await task.room.connect();
  await endsAndGoesOn(task);
});

it('a server that gets SIGINT ends its tasks, too', async () => {
  const task = await working(744);
  process.kill(task.server.pid, 'SIGINT');
  await endsAndGoesOn(task);
});

it('a server that is killed ends nothing that goes on elsewhere by now', async () => {
  const room = newRoom();
  room.answers('two', 'turns', {
    text1: structured('DONE', 'Once.'),
    cmd2: `touch '${room.folder}/began'; while [ ! -e '${room.folder}/killed' ]; do sleep 0.1; done; sleep 1`,
    text2: structured('DONE', 'Twice.'),
  });
  const repo = await room.repository('repo');
  const [first, second] = [await room.connect(), await room.connect()];
  const input = { taskId: 't', prompt: 'Do it.', workspaceRoot: repo, model: 'two' };
  await first.task('codex_implement', input);
  const going = second.task('codex_resume', { taskId: 't', prompt: 'Again.' });
  await waitFor('the second worker', () => existsSync(path.join(room.folder, 'began')), 60_000);
  process.kill(first.pid, 'SIGKILL');
  const records = path.join(room.cli.stateHome, 'mcp', 'servers');
  await waitFor('the end of the first guardian', () => readdirSync(records).length === 1, 60_000);
  writeFileSync(path.join(room.folder, 'killed'), '');
  expect(await going).toMatchObject({ status: 'DONE', assistantText: 'Twice.' });
});

it('a task that takes longer than timeoutMs is ended and says so, and goes on without that limit', async () => {
  const room = newRoom();
  room.answers('slow', 'turns', {
    cmd1: 'setsid sleep 745 & sleep 745',
    cmd2: 'sleep 2',
    text2: structured('NEEDS_CONTEXT', 'Which one?'),
  });
  const repo = await room.repository('repo');
  const server = await room.connect();
  const input = { taskId: 't', prompt: 'Be slow.', workspaceRoot: repo, model: 'slow', timeoutMs: 1500 };
  const output = await server.task('codex_implement', input);
  expect(output).toMatchObject({ status: 'TIMED_OUT', timedOut: true, reason: 'hard-timeout' });
  expect(processesOf({ word: 'sleep 745' })).toEqual([]);

  const { sessionId } = output;
  const again = { taskId: 't', prompt: 'Take your time.', sessionId: sessionId?.toUpperCase() };
  const going = server.task('codex_resume', again);
  expect(await server.refused('codex_resume', again)).toMatch(/is running .*: wait for it/);
  expect(await server.refused('codex_implement', input)).toMatch(/is running .*another taskId/);
  expect(await going).toMatchObject({ status: 'NEEDS_CONTEXT', assistantText: 'Which one?', sessionId });
  const other = { ...again, sessionId: '01a22e0e-53d4-79a3-9f57-39ddb94ae19e' };
  expect(await server.refused('codex_resume', other)).toMatch(
    /session .* is none that a task of prun has left/,
  );
});

it('a used-up account ends the call with the time of its reset, at once for the next one, too', async () => {
  const room = newRoom();
  room.answers('spent', 'usage');
  const repo = await room.repository('repo');
  const server = await room.connect();
  const input = { prompt: 'Work.', workspaceRoot: repo, model: 'spent' };
  for (const taskId of ['first', 'second']) {
    const output = await server.task('codex_implement', { ...input, taskId });
    expect(output).toMatchObject({ status: 'FAILED', reason: 'usage-limit' });
    expect(output.detail).toMatch(/its account cannot be used now \(usage-limit, until \d{4}-/);
  }
});

it('a worker that finds causes cannot write, and its session goes on by the taskId that it got', async () => {
  const room = newRoom();
  room.answers('looks', 'turns', {
    cmd1: 'echo x > written.txt; cat README.md',
    text1: structured('DONE', 'It is the README.'),
    cmd2: 'echo x > written.txt',
    text2: structured('DONE', 'I am sure.'),
  });
  const repo = await room.repository('repo');
  const server = await room.connect();
  const input = { prompt: 'Why?', workspaceRoot: repo, model: 'looks' };
  const { taskId, status, delta } = await server.task('codex_debug', input);
  expect({ status, delta }).toEqual({ status: 'DONE', delta: null });
  expect(await server.task('codex_resume', { taskId, prompt: 'Sure?' })).toMatchObject({
    ...{ status: 'DONE', assistantText: 'I am sure.', delta: null },
  });
  expect(existsSync(path.join(repo, 'written.txt'))).toBe(false);
});
