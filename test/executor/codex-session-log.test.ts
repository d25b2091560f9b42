import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codex } from '../../scripts-src/executor/codex.ts';

const root = mkdtempSync(join(tmpdir(), 'prun-session-log-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const id = '01a22a53-3f55-7eb0-9823-c6f268b039f1';
const start = new Date(2026, 2, 1, 0, 0, 5).getTime();

function rollout(home: string, day: string, thread = id): string {
  const folder = join(home, 'sessions', ...day.split('-'));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `rollout-${day}T00-00-05-${thread}.jsonl`);
  writeFileSync(path, '{}\n');
  return path;
}

describe('the session log of a codex thread', () => {
  it.each(['2026-03-01', '2026-02-28', '2026-03-02'])('is found in the folder of %s', (day) => {
    const home = join(root, day);
    const path = rollout(home, day);
    rollout(home, day, '01a22a53-0000-7eb0-9823-c6f268b039f1');
    expect(codex.sessionLog(id, { CODEX_HOME: home }, start)).toBe(path);
  });

  it('is found in the folder of the day on which the thread began, whenever it goes on', () => {
    const home = join(root, 'goes on');
    const thread = '019ca00c-1388-7eb0-9823-c6f268b039f1';
    const began = new Date(0x019ca00c1388);
    const day = [began.getFullYear(), began.getMonth() + 1, began.getDate()];
    const path = rollout(home, day.map((part) => String(part).padStart(2, '0')).join('-'), thread);
    expect(codex.sessionLog(thread, { CODEX_HOME: home }, start + 100 * 86_400_000)).toBe(path);
  });

  it('is looked for below the home directory without CODEX_HOME', () => {
    const path = rollout(join(root, 'user', '.codex'), '2026-03-01');
    expect(codex.sessionLog(id, { HOME: join(root, 'user') }, start)).toBe(path);
    expect(codex.sessionLog(id, { HOME: join(root, 'user'), CODEX_HOME: '' }, start)).toBe(path);
  });

  it.each(['', '../x', 'no-such-thread', `${id}/..`])('is undefined for %j', (thread) => {
    expect(codex.sessionLog(thread, { CODEX_HOME: join(root, '2026-03-01') }, start)).toBeUndefined();
  });

  it('is undefined where there is no folder', () => {
    expect(codex.sessionLog(id, { CODEX_HOME: join(root, 'nowhere') }, start)).toBeUndefined();
    expect(
      codex.sessionLog(id, { CODEX_HOME: join(root, '2026-03-01') }, start + 9 * 86_400_000),
    ).toBeUndefined();
  });
});

it.each([
  ['codex', true],
  ['codex-code-mode', true],
  ['codex-code-mode-host', true],
  ['codex.exe', true],
  ['/opt/x/codex', true],
  ['node', false],
  ['bash', false],
  ['codexample', false],
])('%s is a process of codex itself: %s', (command, expected) => {
  expect(codex.isOwnProcess(command)).toBe(expected);
});
