import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeCodexBin } from '../helpers/codex-bin.ts';
import { type CodexCase, type CodexServer, startCodexServer } from '../helpers/codex-server.ts';
import { processesOf } from '../helpers/process-table.ts';
import { supervisorGone } from '../helpers/run-over.ts';
import { runRoom } from '../helpers/run-room.ts';
import { statusOf } from '../helpers/supervisor-kill.ts';
import { waitFor } from '../helpers/wait-for.ts';

// A run whose workers are the real codex, against a loopback stand-in for its API.

let server: CodexServer | undefined;
beforeAll(async () => {
  server = await startCodexServer();
});
afterAll(() => server?.close());

const resultText = (unit: string): string =>
  `# ${unit} result\nConclusion: ${unit} is done\nFiles: none (read-only)\nOpen items: none\nVerification: none\n`;

it('units on the real codex succeed, are adopted after a SIGKILL, and are cancelled with all their commands', async () => {
  const room = runRoom();
  const go = path.join(room.folder, 'go');
  const starts = path.join(room.folder, 'starts');
  const results = path.join(room.cli.stateHome, 'runs/codex/agent-io/results');
  const file = (unit: string): string => path.join(results, `${unit}.md`);
  const write = (unit: string): string => `printf '%s' '${resultText(unit)}' >'${file(unit)}'`;
  const unit = (id: string, name: CodexCase, params: Record<string, string>) => {
    const folder = path.join(room.folder, id);
    mkdirSync(folder);
    const codexBin = writeCodexBin(folder, { port: server?.port ?? 0, case: name, params });
    return { id, prompt: `Task of ${id}.\n`, codexBin };
  };
  const units = [
    unit('writes', 'shell', { cmd: write('writes'), text: 'I wrote it.' }),
    unit('says', 'plain', { text: resultText('says') }),
    unit('chats', 'plain', { text: 'All good, nothing to report.' }),
    unit('lives', 'long', {
      cmd: `echo x >>'${starts}'; until [ -e '${go}' ]; do sleep 0.1; done; ${write('lives')}`,
    }),
    unit('stops', 'daemon', {
      cmd: "setsid sleep 642 >/dev/null 2>&1 </dev/null & (trap '' TERM INT; setsid sh -c 'sleep 643; true' >/dev/null 2>&1 &); echo started; sleep 644",
      after: 'hang',
    }),
  ];
  const manifest = path.join(room.folder, 'codex.json');
  writeFileSync(manifest, JSON.stringify({ jobs: 8, units }));
  await room.cli.run(['run', manifest, '--run', 'codex']);
  const run = room.open('codex');

  for (const id of ['writes', 'says', 'chats']) await run.event('ended', id, 1, 60_000);
  expect(run.ends().get('writes')).toMatchObject({ status: 'succeeded', origin: 'worker' });
  expect(run.ends().get('says')).toMatchObject({ status: 'succeeded', origin: 'last-message' });
  expect(run.ends().get('chats')).toMatchObject({ status: 'failed', reason: 'no-result' });
  expect(readFileSync(file('says'), 'utf8')).toBe(resultText('says'));
  expect(readFileSync(file('chats'), 'utf8')).toMatch(/^# chats result \(FALLBACK, /);

  await waitFor('the command of lives', () => existsSync(starts), 60_000);
  const marks = () => {
    const record = run.attempts('stops')[0]?.record;
    return { marker: record?.marker ?? '', rssMark: record?.rssMark ?? null };
  };
  const sleepers = () => processesOf(marks()).filter(({ argv }) => /^sleep 64[234]$/.test(argv));
  await waitFor('the daemons of stops', () => sleepers().length === 3, 60_000);

  process.kill(run.supervisorPid(), 'SIGKILL');
  await waitFor('a successor', () => run.events().filter(({ type }) => type === 'supervisor').length === 2);
  const { units: seen } = await statusOf(room, run);
  expect(seen.filter(({ status }) => status === 'running').map(({ id }) => id)).toEqual(['lives', 'stops']);

  const cancel = await room.cli.run(['cancel', '--run', 'codex', '--unit', 'stops', '--grace', '2']);
  expect(cancel.stdout).toContain('UNIT stops cancelled');
  expect(processesOf(marks())).toEqual([]);

  writeFileSync(go, '');
  await run.event('ended', 'lives', 1, 60_000);
  const { stdout } = await room.cli.run(['wait', '--run', 'codex', '--unit', 'lives']);
  expect(stdout).toContain('UNIT lives succeeded');
  const ends = await run.done(60_000);
  expect(ends.get('lives')).toMatchObject({ status: 'succeeded', origin: 'worker', attempt: 1 });
  expect(ends.get('lives')?.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(ends.get('lives')?.tokens).toBeGreaterThan(0);
  expect(readFileSync(starts, 'utf8')).toBe('x\n');
  await supervisorGone(run);

  const all = await room.cli.run(['wait', '--run', 'codex'], { code: 30 });
  expect(all.stdout).toMatch(/^WAIT-EVENT /);
  const doubts = await room.cli.run(['reconcile', '--run', 'codex'], { code: 36 });
  expect(doubts.stdout).toMatch(/chats/);
  expect(doubts.stdout).not.toMatch(/^(UNIT|DOUBT) (writes|says|lives) /m);
}, 180_000);
