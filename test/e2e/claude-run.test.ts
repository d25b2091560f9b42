import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type AnthropicCase,
  type AnthropicServer,
  startAnthropicServer,
} from '../helpers/anthropic-server.ts';
import { writeClaudeBin } from '../helpers/claude-bin.ts';
import { git, smallRepository } from '../helpers/plain-git.ts';
import { supervisorGone } from '../helpers/run-over.ts';
import { runRoom } from '../helpers/run-room.ts';
import { program } from '../helpers/unit-run.ts';

// A run whose workers are the real claude, against a loopback stand-in for its API, and a program that plays omp.

let server: AnthropicServer | undefined;
beforeAll(async () => {
  server = await startAnthropicServer();
});
afterAll(() => server?.close());

const resultText = (unit: string, files: string): string =>
  `# ${unit} result\nConclusion: ${unit} is done\nFiles: ${files}\nOpen items: none\nVerification: none\n`;

it('units on the real claude and on omp end in a run: by a result, a last message, a schema and stdout', async () => {
  const room = runRoom();
  const repo = path.join(room.folder, 'repo');
  mkdirSync(repo);
  await git(repo, ['init', '-q', '-b', 'main']);
  writeFileSync(path.join(repo, 'file'), 'one\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-qm', 'first']);

  const unit = (id: string, name: AnthropicCase, params: Record<string, string>, more: object = {}) => {
    const folder = path.join(room.folder, id);
    mkdirSync(folder);
    const bin = writeClaudeBin(folder, { port: server?.port ?? 0, case: name, params });
    return { id, prompt: `Task of ${id}.\n`, executor: 'claude', bin, ...more };
  };
  const answer = { status: 'DONE', summary: 'It is so.', files_changed: [], tests: [], concerns: [] };
  const run = await room.start(
    [
      unit('edits', 'shell', {
        cmd: 'echo two > file',
        text: resultText('edits', 'file'),
      }),
      unit('says', 'plain', { text: resultText('says', 'none (read-only)') }, { mode: 'scratch' }),
      unit('structured', 'schema', { answer: JSON.stringify(answer) }, { mode: 'scratch', structured: true }),
      unit('chats', 'plain', { text: 'All good.' }, { mode: 'scratch', model: 'opus', effort: 'low' }),
      {
        id: 'omp',
        prompt: 'Task of omp.\n',
        executor: 'omp',
        mode: 'scratch',
        model: 'gemini',
        bin: program(
          room.folder,
          'omp',
          'while [ $# -gt 1 ]; do shift; done; cat "$(echo "$1" | cut -c2-)" -; echo done',
        ),
      },
    ],
    { repo, jobs: 5 },
  );
  const ends = await run.done(120_000);
  expect(ends.get('edits')).toMatchObject({ status: 'succeeded', origin: 'last-message' });
  expect(ends.get('says')).toMatchObject({ status: 'succeeded', origin: 'last-message' });
  expect(ends.get('structured'), JSON.stringify(ends.get('structured'))).toMatchObject({
    status: 'succeeded',
    origin: 'last-message',
  });
  expect(ends.get('chats')).toMatchObject({ status: 'failed', reason: 'no-result' });
  expect(ends.get('omp')).toMatchObject({ status: 'succeeded', origin: 'stdout' });
  for (const id of ['edits', 'says']) {
    expect(ends.get(id)?.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(ends.get(id)?.tokens).toBeGreaterThan(0);
  }
  expect(run.result('structured')).toMatch(/^# structured result\nConclusion: It is so\./);
  // Its prompt came in the file that it was named, once: nothing stands on its stdin.
  expect(run.result('omp').match(/Task of omp\./g)).toHaveLength(1);
  const asked = server?.requests.findLast(({ url }) => url.includes('All%20good'))?.body;
  expect(asked?.model).toMatch(/opus/);
  expect(JSON.stringify(asked)).toContain('"effort":"low"');

  const logs = await room.cli.run(['logs', '--run', run.id, '--unit', 'edits']);
  expect(logs.stdout).toContain('exit 0: echo two > file');
  expect(logs.stdout).not.toContain('"type":');

  // A remark goes on with the session, which remembers; omp has none.
  const remark = path.join(room.folder, 'remark.md');
  writeFileSync(remark, 'Say it by the contract.\n');
  await room.cli.run(['resume', '--run', run.id, '--unit', 'chats', '--prompt-file', remark]);
  const again = await run.event('ended', 'chats', 2, 60_000);
  expect(again.sessionId).toBe(ends.get('chats')?.sessionId);
  expect(again.tokens).toBe(ends.get('chats')?.tokens);
  const resumed = JSON.stringify(server?.requests.findLast(({ url }) => url.includes('All%20good'))?.body);
  expect(resumed).toContain('Say it by the contract.');
  expect(resumed).toContain('Task of chats.');
  const refused = await room.cli.run(['resume', '--run', run.id, '--unit', 'omp'], { code: 2 });
  expect(refused.stderr).toMatch(/omp/);

  await supervisorGone(run);
  await room.cli.run(['apply', '--run', run.id, '--unit', 'edits', '--to', repo]);
  expect(readFileSync(path.join(repo, 'file'), 'utf8')).toBe('two\n');
}, 180_000);

it('what a claude worker signs in with reaches it from the environment of the call, its setup and other workers not', async () => {
  const room = runRoom();
  const repo = await smallRepository(room.folder);
  const seen = (name: string): string => path.join(room.folder, `${name}.env`);
  const run = await room.start(
    [
      {
        id: 'claude',
        executor: 'claude',
        setup: `env > "${seen('setup')}"`,
        verify: `env > "${seen('verify')}"`,
      },
      { id: 'other', sh: `env > "${seen('other')}"; echo done`, after: ['claude'] },
    ],
    { repo, mode: 'clone' },
    {
      environment: {
        CLAUDE_BIN: program(
          room.folder,
          'claude',
          `env > "${seen('claude')}"; file=$(grep -A1 '^At the end write' | tail -n 1); cat > "$file" <<< '${resultText('claude', 'none (read-only)')}'`,
        ),
        ...{ ANTHROPIC_API_KEY: 'key', CLAUDE_CONFIG_DIR: room.folder, CLAUDECODE: '1' },
      },
    },
  );
  const ends = await run.done();
  expect([...ends.values()].map(({ unit, status }) => [unit, status])).toEqual([
    ['claude', 'succeeded'],
    ['other', 'succeeded'],
  ]);
  const names = (name: string): string[] =>
    (readFileSync(seen(name), 'utf8').match(/^(?:ANTHROPIC|CLAUDE)\w*(?==)/gm) ?? []).sort();
  expect(names('claude')).toEqual(['ANTHROPIC_API_KEY', 'CLAUDE_CONFIG_DIR']);
  for (const name of ['setup', 'verify', 'other']) expect(names(name), name).toEqual([]);
  await supervisorGone(run);
});
