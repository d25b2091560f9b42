import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';
import { openRoom } from '../helpers/room.ts';
import { callsOf, SESSION, type SessionActs, writeSessionBin } from '../helpers/session-bin.ts';

// dispatch-task --resume: a session goes on in the folder that it worked in.

const room = openRoom();
const OTHER = '01a22e09-0000-73b2-8bad-cf402a13af52';

function dispatched(folder: string, acts: SessionActs, flags: readonly string[]) {
  const bin = writeSessionBin(path.join(folder, 'bin'), acts);
  writeFileSync(path.join(folder, 'p.md'), 'Go on.\n');
  const argv = ['--prompt-file', 'p.md', '--result-file', 'r.md', '--unit-id', 'api', '--codex-bin', bin];
  return room.run('dispatch-task', [...argv, ...flags], { folder });
}

const outcomeIn = (stdout: string): OutcomeRecord =>
  JSON.parse(readFileSync(path.join(/^STATE-DIR (.*)$/m.exec(stdout)?.[1] ?? '', 'outcome.json'), 'utf8'));

it('a session goes on in its folder, and one that began instead of it counts for nothing', async () => {
  const folder = room.folder();
  const work = path.join(folder, 'work');
  mkdirSync(work);
  const acts = { first: 'exit 9', resumed: `pwd; echo done >'${folder}/r.md'` };
  const flags = ['--workdir', 'work', '--resume', SESSION];
  const { code, stdout } = await dispatched(folder, acts, flags);
  expect(code).toBe(0);
  expect(outcomeIn(stdout)).toMatchObject({ status: 'succeeded', sessionId: SESSION });
  expect(callsOf(path.join(folder, 'bin'))).toEqual([expect.stringMatching(` resume ${SESSION} -$`)]);
  const lost = await dispatched(folder, { ...acts, other: OTHER }, flags);
  expect(outcomeIn(lost.stdout)).toMatchObject({
    ...{ status: 'failed', reason: 'session-lost' },
    detail: `a new session ${OTHER} began instead of ${SESSION}: nothing of it counts`,
  });
});

it.each([
  [['--resume', 'api', '--workdir', '.'], '--resume is "api", which is no session id: give the UUID'],
  [['--resume', SESSION], '--resume needs --workdir: give the folder that the session worked in'],
])('refuses %j', async (flags, says) => {
  const folder = room.folder();
  const { code, stderr } = await dispatched(folder, { first: 'exit 9' }, flags);
  expect(code).toBe(2);
  expect(stderr).toContain(`dispatch-task: ${says}`);
  expect(callsOf(path.join(folder, 'bin'))).toEqual([]);
});

it('refuses it for a program that keeps no session', async () => {
  const folder = room.folder();
  writeFileSync(path.join(folder, 'p.md'), 'Go on.\n');
  const argv = [
    '--prompt-file',
    'p.md',
    '--result-file',
    'r.md',
    '--unit-id',
    'api',
    '--executor',
    'command',
  ];
  const said = await room.run('dispatch-task', [...argv, '--resume', SESSION, '--', 'true'], { folder });
  expect(said).toMatchObject({ code: 2 });
  expect(said.stderr).toContain('--resume does nothing for executor command: leave it out');
});
