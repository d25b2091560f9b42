import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codexLogReset } from '../../scripts-src/executor/codex-log-reset.ts';

const folder = mkdtempSync(join(tmpdir(), 'prun-log-reset-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOW = Date.UTC(2026, 10, 30, 19, 0, 0);
const HOUR = 3600;
const inSeconds = (seconds: number): number => NOW / 1000 + seconds;
const record = (limits: unknown): string =>
  JSON.stringify({ type: 'event_msg', payload: { type: 'token_count', info: null, rate_limits: limits } });
const used = (percent: number, at: unknown) => ({
  used_percent: percent,
  window_minutes: 300,
  resets_at: at,
});

describe('when a limit ends, by the session log', () => {
  it.each<[string, string[], number | undefined]>([
    ['of the window that is used up', [record({ primary: used(100, inSeconds(HOUR)) })], HOUR],
    [
      'the later of two that are used up',
      [record({ primary: used(100, inSeconds(HOUR)), secondary: used(100, inSeconds(5 * HOUR)) })],
      5 * HOUR,
    ],
    [
      'not of one that has room',
      [record({ primary: used(100, inSeconds(HOUR)), secondary: used(40, inSeconds(5 * HOUR)) })],
      HOUR,
    ],
    [
      'as it was told last',
      [
        record({ primary: used(100, inSeconds(HOUR)) }),
        record({ primary: used(100, inSeconds(2 * HOUR)) }),
        '{"type":"event_msg","payload":{"type":"task_complete"}}',
      ],
      2 * HOUR,
    ],
    [
      'not where none is used up',
      [record({ primary: used(99, inSeconds(HOUR)), secondary: null })],
      undefined,
    ],
    ['not where it is past', [record({ primary: used(100, inSeconds(-5)) })], undefined],
    ['not where it is weeks ahead', [record({ primary: used(100, inSeconds(30 * 24 * HOUR)) })], undefined],
    ['not where it is no number', [record({ primary: used(100, 'soon') })], undefined],
    ['not in a torn line', [record({ primary: used(100, inSeconds(HOUR)) }).slice(0, -4)], undefined],
    ['not where there is no such record', ['{"type":"session_meta"}', 'text'], undefined],
  ])('%s', (_, lines, expected) => {
    const file = join(folder, 'rollout.jsonl');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const at = expected === undefined ? undefined : new Date(NOW + expected * 1000).toISOString();
    expect(codexLogReset(file, NOW)).toBe(at);
  });

  it('is unknown where there is no file', () => {
    expect(codexLogReset(join(folder, 'none'), NOW)).toBeUndefined();
  });
});
