import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCodexRoom } from '../helpers/codex-room.ts';
import type { CodexCase } from '../helpers/codex-server.ts';
import { expectEnd, textOf, type Unit } from '../helpers/room.ts';
import { USERS } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// The real codex: SIGTERM and SIGKILL to the dispatcher in each phase of its work.

const room = openCodexRoom();
const COMMAND = 'touch "$RESULT.ready"; setsid sleep 631 >/dev/null 2>&1 </dev/null & sleep 631';

interface Phase {
  title: string;
  name: CodexCase;
  params: Record<string, string>;
  /** Resolves when the phase is reached. */
  reached: (unit: Unit) => Promise<unknown>;
  /** codex has told its session by then. */
  hasSession: boolean;
  /** The last message is there by then. */
  hasMessage?: boolean;
}

const tailHas = (text: string) => async (unit: Unit) => {
  const stateDir = await unit.stateDir();
  return waitFor(`${text} in the tail`, () => textOf(path.join(stateDir, 'tail'))?.includes(text), 40_000);
};

const PHASES: Phase[] = [
  {
    title: 'before the first event',
    name: 'hang',
    params: {},
    reached: (unit) => unit.stateDir(),
    hasSession: false,
  },
  {
    title: 'before the first answer',
    name: 'hang',
    params: {},
    reached: tailHas('turn.started'),
    hasSession: true,
  },
  {
    title: 'while a command runs',
    name: 'long',
    params: { cmd: COMMAND },
    reached: (unit) => waitFor('the command', () => existsSync(`${unit.resultFile}.ready`), 40_000),
    hasSession: true,
  },
  {
    title: 'while an answer streams',
    name: 'slow',
    params: { n: '400', delay: '200' },
    reached: async (unit) => {
      const stateDir = await unit.stateDir();
      const deltas = () => textOf(path.join(stateDir, 'stderr'))?.includes('output_text.delta');
      return waitFor('the stream', deltas, 40_000);
    },
    hasSession: true,
  },
  {
    title: 'at the end',
    name: 'plain',
    params: { text: 'The last word.' },
    reached: tailHas('turn.completed'),
    hasSession: true,
    hasMessage: true,
  },
];

for (const { user, ...as } of USERS) {
  describe.concurrent(`as ${user}`, () => {
    it.each(PHASES)(
      'SIGTERM to the dispatcher $title',
      async ({ name, params, reached, hasSession, hasMessage }) => {
        const unit = room.codex(name, { ...as, params });
        await reached(unit);
        unit.child.kill('SIGTERM');
        const end = await unit.end();
        const origin = hasMessage ? 'last-message' : 'tail';
        // A worker that was through when the signal came ended by itself.
        if (hasMessage && end.code === 0)
          expectEnd(end, { status: 'failed', reason: 'no-result', origin, code: 0 });
        else expectEnd(end, { status: 'interrupted', reason: 'signal', origin, code: 143 });
        if (hasSession) expect(end.outcome.sessionId).toMatch(/^[0-9a-f-]{36}$/);
        expect(end.outcome.supervisor).toBe('dispatch-task');
      },
    );

    it.each(PHASES)(
      'SIGKILL to the dispatcher $title',
      async ({ name, params, reached, hasSession, hasMessage }) => {
        const unit = room.codex(name, { ...as, params });
        await reached(unit);
        unit.child.kill('SIGKILL');
        const end = await unit.end();
        const origin = hasMessage ? 'last-message' : 'tail';
        if (hasMessage && end.outcome.status === 'failed')
          expectEnd(end, { status: 'failed', reason: 'no-result', origin });
        else expectEnd(end, { status: 'interrupted', reason: 'dispatch-dead', origin, code: 137 });
        if (!hasSession) return;
        expect(end.outcome.sessionId).toMatch(/^[0-9a-f-]{36}$/);
        const sessions = readdirSync(path.join(unit.folder, 'codex-home', 'sessions'), { recursive: true });
        expect(sessions.map(String).some((file) => file.endsWith(`-${end.outcome.sessionId}.jsonl`))).toBe(
          true,
        );
      },
    );
  });
}

// Alone, because load makes everything late; again, because other files run beside this one.
it.each(USERS)(
  'a stop is over before the host sends SIGKILL, as $user',
  { retry: 4 },
  async ({ user: _, ...as }) => {
    const unit = room.codex('long', { ...as, params: { cmd: COMMAND } });
    await waitFor('the command', () => existsSync(`${unit.resultFile}.ready`), 40_000);
    const sent = Date.now();
    unit.child.kill('SIGTERM');
    const end = await unit.end();
    expectEnd(end, { status: 'interrupted', reason: 'signal', origin: 'tail', code: 143 });
    // 1.4 s after SIGTERM (FACTS-claude-code.md).
    expect(Date.parse(end.outcome.endedAt) - sent).toBeLessThan(1400);
  },
);
