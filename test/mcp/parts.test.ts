import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { MAX_MESSAGE_BYTES, messageLines } from '../../scripts-src/mcp/message-lines.ts';
import { ownedUnits } from '../../scripts-src/mcp/server-record.ts';
import { findSession, findTask, mcpFolder, noteTask } from '../../scripts-src/mcp/task-index.ts';
import { boundedReport, reportOf } from '../../scripts-src/mcp/task-report.ts';
import { changesOf, type InPlaceTask, inPlaceTasks } from '../../scripts-src/mcp/tasks-in-place.ts';
import { changesBetween, changesSince, lookAtTree, type TreeLook } from '../../scripts-src/mcp/tree-look.ts';
import { unitIdFor } from '../../scripts-src/mcp/unit-id.ts';
import { git } from '../helpers/plain-git.ts';
import { scratch } from '../helpers/unit-run.ts';

it.each([
  ['api', [], 'api'],
  ['api', ['api', 'API-2'], 'api-3'],
  ['Fix the login (#12)', [], 'Fix-the-login-12'],
  ['Ärger über Öl', [], 'Arger-uber-Ol'],
  ['日本', ['task'], 'task-2'],
  ['--x__', [], 'x'],
  ['../../etc/passwd', [], 'etc-passwd'],
  ['x'.repeat(300), [], 'x'.repeat(40)],
])('task %j beside %j is unit %j', (taskId, taken, unit) => {
  expect(unitIdFor(taskId, taken)).toBe(unit);
});

const task = (taskId: string, said: string[], seen: string[], ended: number | null = 9): InPlaceTask => ({
  ...{ taskId, begun: 1, ended, said: new Set(said) },
  seen: new Map(seen.map((file) => [file, 'modified' as const])),
});

it.each([
  ['both said it', task('a', ['x'], ['x']), task('b', ['x'], ['x']), [['x', ['b'], true]]],
  ['this one said it', task('a', ['x'], ['x']), task('b', [], ['x']), [['x', [], true]]],
  ['the other one said it', task('a', [], ['x']), task('b', ['x'], []), []],
  ['nobody said it', task('a', [], ['x']), task('b', [], ['x']), [['x', ['b'], false]]],
  [
    'nobody said it, and the other one runs',
    task('a', [], ['x']),
    task('b', [], [], null),
    [['x', ['b'], false]],
  ],
  [
    'nobody said it, and the other one did not see it',
    task('a', [], ['x']),
    task('b', [], []),
    [['x', [], true]],
  ],
])('who changed a file: %s', (_, one, other, wanted) => {
  const changes = changesOf(one, [other], () => 'modified');
  expect(changes.map((change) => [change.path, change.alsoBy, change.isCertain])).toEqual(wanted);
});

it('only tasks that worked at the same time are held against each other', () => {
  const tasks = inPlaceTasks();
  const first = tasks.begin('first');
  first.said.add('/x');
  tasks.end(first, new Map());
  const second = tasks.begin('second');
  const third = tasks.begin('third');
  second.said.add('/x');
  expect(tasks.end(second, new Map([['/x', 'modified']]))).toMatchObject([{ alsoBy: [] }]);
  third.said.add('/x');
  expect(tasks.end(third, new Map())).toMatchObject([{ alsoBy: ['second'] }]);
});

it('two looks at a tree tell what was changed between them, also in files that were changed before', async () => {
  const folder = scratch();
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  await git(folder, ['init', '-q', '-b', 'main']);
  for (const name of ['same', 'edited', 'gone', 'dirty', 'restored', 'calm']) write(name, 'one\n');
  await git(folder, ['add', '-A']);
  await git(folder, ['commit', '-q', '-m', 'first']);
  for (const name of ['dirty', 'restored', 'calm']) write(name, 'two\n');
  write('new before', 'x\n');
  write('new and gone', 'x\n');
  const before = (await lookAtTree(folder)) as TreeLook;
  write('edited', 'three, longer\n');
  write('dirty', 'three, longer\n');
  write('new before', 'y, longer\n');
  write('new', 'z\n');
  await git(folder, ['rm', '-q', 'gone']);
  await git(folder, ['checkout', '-q', 'restored']);
  await git(folder, ['clean', '-qf', 'new and gone']);
  const changes = changesBetween(before, (await lookAtTree(folder)) as TreeLook);
  expect(Object.fromEntries(changes)).toEqual({
    ...{ dirty: 'modified', edited: 'modified', gone: 'deleted', new: 'added' },
    ...{ 'new and gone': 'deleted', 'new before': 'modified', restored: 'modified' },
  });
});

it('what was committed between two looks is told, too', async () => {
  const folder = scratch();
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  const look = async () => (await lookAtTree(folder)) as TreeLook;
  const commit = async (...names: string[]): Promise<void> => {
    await git(folder, ['add', '-A', ...names]);
    await git(folder, ['commit', '-q', '-m', 'more']);
  };
  await git(folder, ['init', '-q', '-b', 'main']);
  const empty = await look();
  for (const name of ['same', 'edited', 'gone', 'dirty']) write(name, 'one\n');
  await commit();
  const first = await look();
  expect([...(await changesSince(empty, first)).values()]).toEqual(Array(4).fill('added'));
  write('dirty', 'two\n');
  const before = await look();
  write('edited', 'two\n');
  write('new \n name', 'x\n');
  await git(folder, ['rm', '-q', 'gone']);
  await commit();
  write('new \n name', 'again\n');
  expect(Object.fromEntries(await changesSince(before, await look()))).toEqual({
    ...{ dirty: 'modified', edited: 'modified', gone: 'deleted', 'new \n name': 'added' },
  });
});

it('the index gives the last work on a task, and passes over torn lines', () => {
  const home = scratch();
  const one = { taskId: 't', workspaceRoot: '/a', run: 'r1', unit: 't', sessionId: null };
  expect(findTask(home, 't', undefined)).toBeUndefined();
  noteTask(home, one);
  appendFileSync(
    path.join(mcpFolder(home), 'tasks.jsonl'),
    '{"schema":1,"taskId":"t","workspaceRoot":"/a","run":"r9"',
  );
  noteTask(home, { ...one, run: 'r2', sessionId: 's2' });
  expect(findTask(home, 't', undefined)).toMatchObject({ run: 'r2', sessionId: 's2' });
  noteTask(home, { ...one, workspaceRoot: '/b', run: 'r3' });
  expect(findTask(home, 't', '/a')).toMatchObject({ run: 'r2' });
  expect(() => findTask(home, 't', undefined)).toThrow('is known in 2 folders (/a, /b)');
  expect(findSession(home, 's2')).toMatchObject({ run: 'r2' });
  mkdirSync(path.join(home, 'other'));
  expect(findTask(path.join(home, 'other'), 't', undefined)).toBeUndefined();
});

it('the index says so of what a newer prun has written', () => {
  const stateHome = scratch();
  noteTask(stateHome, { taskId: 'old', workspaceRoot: '/w', run: 'mcp-1', unit: 'a', sessionId: null });
  const newer = { schema: 99, taskId: 'new', workspaceRoot: '/w', run: 'mcp-2', unit: 'a', sessionId: 's' };
  appendFileSync(path.join(mcpFolder(stateHome), 'tasks.jsonl'), `${JSON.stringify(newer)}\n`);
  expect(findTask(stateHome, 'old', undefined)?.run).toBe('mcp-1');
  const told = /tasks\.jsonl has the task with schema 99, and this prun knows 1$/;
  expect(() => findTask(stateHome, 'new', undefined)).toThrow(told);
  expect(() => findSession(stateHome, 's')).toThrow(told);
});

it('a server owns a unit while calls of it work on that, and no longer', () => {
  const folder = scratch();
  const lines = ['a', 'b', 'b', 'c'].map((unit) => ({ folder: '/run', unit }));
  const over = ['b', 'a'].map((unit) => ({ folder: '/run', unit, isOver: true }));
  const again = [
    ...lines,
    ...over,
    { folder: '/other', unit: 'a' },
    { folder: '/other', unit: 'a', isOver: true },
  ];
  writeFileSync(path.join(folder, 'units.jsonl'), again.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(ownedUnits(folder)).toEqual(new Map([['/run', ['b', 'c']]]));
});

it.each([
  ['at its end', (bulk: string) => `{"method":"x","params":"${bulk}","jsonrpc":"2.0","id":7}`, 7],
  ['at its start', (bulk: string) => `{"jsonrpc":"2.0","id":"a-1","method":"x","params":"${bulk}"}`, 'a-1'],
  ['nowhere', (bulk: string) => `{"jsonrpc":"2.0","method":"x","params":{"id":3,"x":"${bulk}"}}`, undefined],
])('a message that is too long is left out, its id %s', async (_, message, id) => {
  const refused: unknown[] = [];
  const stream = messageLines((one) => refused.push(one));
  let out = '';
  stream.on('data', (text) => {
    out += text;
  });
  const text = `{"id":1}\n${message('x'.repeat(MAX_MESSAGE_BYTES))}\n{"id":2}\r\n{"id":`;
  for (let at = 0; at < text.length; at += 65_536) stream.write(text.slice(at, at + 65_536));
  stream.end('3}\n');
  await new Promise((resolve) => stream.once('end', resolve));
  expect(out).toBe('{"id":1}\n{"id":2}\r\n{"id":3}\n');
  expect(refused).toEqual([id]);
});

it('a report is the one that its attempt was judged by, and bounded', () => {
  const stateDir = scratch();
  const report = { status: 'DONE' as const, summary: 'Made.', files_changed: [], tests: [], concerns: [] };
  const fromMarkdown = { ...report, status: 'DONE_WITH_CONCERNS' as const, concerns: ['One.'] };
  writeFileSync(path.join(stateDir, 'structured.json'), JSON.stringify(fromMarkdown));
  expect(reportOf(stateDir, { structured: report }, '# t result')).toEqual(fromMarkdown);
  expect(reportOf(stateDir, { structured: null }, JSON.stringify(report))).toEqual(report);
  expect(reportOf(null, undefined, 'text')).toBeUndefined();
  expect(boundedReport(report)).toEqual({ report, isCut: false });
  const text = 'x'.repeat(9000);
  const lists = { files_changed: Array(900).fill(text), concerns: Array(900).fill(text) };
  const huge = {
    ...report,
    ...lists,
    summary: text,
    tests: Array(900).fill({ command: text, result: text }),
  };
  const cut = boundedReport(huge);
  expect(cut.isCut).toBe(true);
  expect(JSON.stringify(cut.report).length).toBeLessThan(200_000);
});
