import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCodexRoom } from '../helpers/codex-room.ts';
import type { CodexCase } from '../helpers/codex-server.ts';
import { type ExpectedEnd, expectEnd, textOf } from '../helpers/room.ts';
import { USERS } from '../helpers/unit-run.ts';

// The real codex: what must be reaped, and what must not, whatever the tail looks like (FACTS-codex.md).

const room = openCodexRoom();
const OK: ExpectedEnd = { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 };
const MESSAGE: ExpectedEnd = { status: 'failed', reason: 'no-result', origin: 'last-message', code: 0 };
const STALLED: ExpectedEnd = { status: 'failed', reason: 'idle-stall', origin: 'tail', code: 124 };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Row {
  title: string;
  name: CodexCase;
  params?: Record<string, string>;
  refused?: boolean;
  threshold: number;
}

const HUNG: Row[] = [
  { title: 'no answer at all', name: 'hang', threshold: 4 },
  { title: 'headers and nothing', name: 'hanghdr', threshold: 4 },
  { title: 'one event and nothing', name: 'hangmid', threshold: 4 },
  { title: 'comments only, one each 100 ms', name: 'keepalive', params: { delay: '100' }, threshold: 4 },
  { title: 'a refused connection, for all its notices', name: 'plain', refused: true, threshold: 8 },
  { title: 'a command that sleeps', name: 'long', params: { cmd: 'echo started; sleep 621' }, threshold: 6 },
  {
    title: 'a command that polls for what never comes',
    name: 'long',
    params: { cmd: 'until [ -e never ]; do sleep 0.5; done' },
    threshold: 6,
  },
  {
    title: 'silence behind daemons in sessions of their own',
    name: 'daemon',
    params: {
      after: 'hang',
      cmd: 'setsid sleep 622 >/dev/null 2>&1 </dev/null & (env -i setsid sleep 622 >/dev/null 2>&1 </dev/null &); echo started',
    },
    threshold: 6,
  },
  {
    title: 'a command that ignores every signal it can',
    name: 'long',
    params: {
      cmd: `trap '' INT TERM HUP; setsid sh -c "trap '' INT TERM HUP; sleep 623; sleep 623" & sleep 623; sleep 623`,
    },
    threshold: 6,
  },
];

const HEALTHY: (Row & { is: ExpectedEnd })[] = [
  {
    title: 'an answer that streams for longer than the threshold',
    name: 'slow',
    params: { n: '22', delay: '500' },
    threshold: 8,
    is: MESSAGE,
  },
  {
    title: 'a silent command that works',
    name: 'long',
    params: { cmd: 'end=$((SECONDS+8)); while [ $SECONDS -lt $end ]; do :; done; echo r > "$RESULT"' },
    threshold: 5,
    is: OK,
  },
  {
    title: 'a silent command that writes a file again and again',
    name: 'long',
    params: { cmd: 'for i in $(seq 16); do echo $i > one-file; sleep 0.5; done; echo r > "$RESULT"' },
    threshold: 5,
    is: OK,
  },
  {
    title: 'a command that prints a line a second',
    name: 'long',
    params: { cmd: 'for i in $(seq 8); do echo $i; sleep 1; done; echo r > "$RESULT"' },
    threshold: 5,
    is: OK,
  },
  {
    title: 'many short commands',
    name: 'steps',
    params: { n: '6', cmd: 'sleep 1.2; echo {i} >> "$RESULT"' },
    threshold: 6,
    is: OK,
  },
  {
    title: 'silence, with the threshold switched off',
    name: 'plain',
    params: { wait: '4000' },
    threshold: 0,
    is: MESSAGE,
  },
];

for (const { user, ...as } of USERS) {
  describe.concurrent(`the real codex as ${user}`, () => {
    it.each(HUNG)('is reaped: $title', async ({ name, params, refused, threshold }) => {
      const unit = room.codex(name, {
        ...as,
        ...(params ? { params } : {}),
        ...(refused ? { refused } : {}),
        flags: ['--stall-threshold', String(threshold)],
      });
      const end = await unit.end(50_000);
      expectEnd(end, STALLED);
      // The session can be resumed.
      expect(end.outcome.sessionId).toMatch(UUID);
      expect(end.outcome.detail).toContain(`no progress for ${threshold} s (last evidence: `);
      expect(end.outcome.lastEvidence?.quietSeconds).toBeGreaterThanOrEqual(threshold);
      expect(end.result).toContain('Trigger: idle-stall, exit code 124');
      expect(textOf(path.join(end.stateDir, 'reap-reason'))).toMatch(/^idle-stall\nlast evidence: .+\n$/);
    });

    it.each(HEALTHY)('is let work: $title', async ({ name, params, threshold, is }) => {
      const unit = room.codex(name, {
        ...as,
        ...(params ? { params } : {}),
        flags: ['--stall-threshold', String(threshold)],
      });
      const end = await unit.end(50_000);
      expectEnd(end, is);
      // It did take longer than the threshold in all.
      expect(end.outcome.durationMs).toBeGreaterThan(threshold * 1000);
    });
  });
}
