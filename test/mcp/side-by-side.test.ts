import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { TaskOutput } from '../../scripts-src/mcp/tool-schemas.ts';
import { mcpRooms, structured } from '../helpers/mcp-room.ts';
import { git } from '../helpers/plain-git.ts';

// Tasks that run at the same time, in the user's own files and in clones.

const newRoom = mcpRooms();

const IN = (workspaceRoot: string, model: string) => ({
  taskId: model,
  prompt: 'Do it.',
  workspaceRoot,
  model,
});

it('four calls at the same time take about as long as one', async () => {
  const room = newRoom();
  const repo = await room.repository('repo');
  const names = ['one', 'two', 'three', 'four'];
  // The stand-in takes its time for each answer: a worker mostly waits for its model.
  for (const name of names) {
    const text = structured('DONE', name);
    room.answers(name, 'shell', { cmd: `echo ${name} > ${name}.txt`, wait: '1500', text });
  }
  const server = await room.connect();
  const began = performance.now();
  const outputs = await Promise.all(names.map((name) => server.task('codex_implement', IN(repo, name))));
  const all = performance.now() - began;
  expect(outputs.map(({ status }) => status)).toEqual(['DONE', 'DONE', 'DONE', 'DONE']);
  for (const name of names) expect(readFileSync(path.join(repo, `${name}.txt`), 'utf8')).toBe(`${name}\n`);
  const runs = new Set(outputs.map(({ run }) => run ?? ''));
  expect(runs.size).toBe(1);
  const ends = [
    ...room
      .open([...runs][0] ?? '')
      .ends()
      .values(),
  ];
  const longest = Math.max(...ends.map(({ durationMs }) => durationMs));
  // One after the other would be four times as long; starts of one account are a little apart.
  expect(all / longest).toBeLessThan(2.4);
});

it('tasks in place at the same time are told of files that others changed, too, and may have changed', async () => {
  const room = newRoom();
  const repo = await room.repository('repo');
  const text = structured('DONE', 'Ready.');
  // Longer than what lies between their starts: each edits before another one ends.
  const wait = '2500';
  room.answers('left', 'patch', { file: 'shared.txt', body: 'left', wait, text });
  room.answers('right', 'patch', { file: 'shared.txt', body: 'right', wait, text });
  room.answers('runs', 'shell', { cmd: 'echo x >> README.md', wait, text });
  const server = await room.connect();
  const [left, right, runs] = await Promise.all(
    ['left', 'right', 'runs'].map((name) => server.task('codex_implement', IN(repo, name))),
  );
  const shared = { path: 'shared.txt', change: expect.any(String), isCertain: true };
  // Who ended before the command ran has not seen what it did.
  const certain = (output?: TaskOutput) => output?.delta?.files.filter(({ isCertain }) => isCertain);
  expect(certain(left)).toEqual([{ ...shared, alsoBy: ['right'] }]);
  expect(certain(right)).toEqual([{ ...shared, alsoBy: ['left'] }]);
  expect(left?.notes.join('\n')).toContain('shared.txt was changed at the same time by right, too');
  expect(right?.notes.join('\n')).toContain('shared.txt was changed at the same time by left, too');
  // What others said to have edited is theirs; of what nobody said it cannot be told.
  expect(runs?.delta?.files).toMatchObject([{ path: 'README.md', change: 'modified', isCertain: false }]);
  expect(runs?.notes.join('\n')).toMatch(/README\.md changed while .*right worked here, too/);
});

it('a clone starts from the files as they are, and leaves them alone until its patch is applied', async () => {
  const room = newRoom();
  const repo = await room.repository('repo');
  const text = structured('DONE', 'Wrote it.', ['new.txt']);
  room.answers('first', 'shell', { cmd: 'cat README.md > new.txt', text });
  room.answers('second', 'shell', { cmd: 'cat README.md > new.txt', text });
  const server = await room.connect();
  const folder = path.join(repo, 'docs');
  mkdirSync(folder);
  const input = (name: string) => ({ ...IN(folder, name), isolation: 'clone' });
  const identity = '-c user.name=w -c user.email=w@w';
  room.answers('third', 'shell', { cmd: `git add -A && git ${identity} commit -qm no`, text });
  await server.task('codex_implement', input('first'));
  writeFileSync(path.join(repo, 'README.md'), 'not committed yet\n');
  const before = (await git(repo, ['status', '--porcelain'])).stdout.toString();
  const output = await server.task('codex_implement', input('second'));
  expect(output).toMatchObject({
    status: 'DONE',
    delta: { isolation: 'clone', added: 1, files: [{ path: 'new.txt', change: 'added' }] },
  });
  expect((await git(repo, ['status', '--porcelain'])).stdout.toString()).toBe(before);
  expect(existsSync(output.delta?.patch ?? '')).toBe(true);
  // A clone is one of the whole repository.
  expect(output.notes).toContain(`its paths are below ${repo}`);
  const prompt = readFileSync(path.join(output.stateDir ?? '', 'prompt'), 'utf8');
  expect(prompt).toContain('The task is about the folder docs: work in it');

  const { run = '', unit = '' } = output;
  await room.cli.run(['apply', '--run', run ?? '', '--unit', unit ?? '', '--to', repo]);
  expect(readFileSync(path.join(repo, 'new.txt'), 'utf8')).toBe('not committed yet\n');
  // The command that the answer names is the same.
  expect(output.delta?.apply).toContain(`apply --run ${run} --unit ${unit} --to`);
  // One that commits, which it must not, cannot hide what it did.
  const committed = await server.task('codex_implement', IN(repo, 'third'));
  expect(committed.delta?.files.map(({ path: file, change }) => [file, change])).toEqual([
    ['README.md', 'modified'],
    ['new.txt', 'added'],
  ]);
  expect(committed.notes.join()).toMatch(/the user's repository changed between .*refs\/heads\/main/);
  const { stdout } = await room.cli.run(['list']);
  expect(stdout).toContain(run ?? '');
});
