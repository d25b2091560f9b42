import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { codex } from '../../scripts-src/executor/codex.ts';
import type { WorkerFacts } from '../../scripts-src/executor/types.ts';
import { classifyEnd, type EndCause, type WorkerExit } from '../../scripts-src/supervise/classify.ts';
import { causeOfEnd } from '../../scripts-src/supervise/guard.ts';
import { checkSession, isOtherSession } from '../../scripts-src/supervise/session-check.ts';
import { scratch } from '../helpers/unit-run.ts';

const ASKED = '01a22e09-877c-73b2-8bad-cf402a13af52';
const OTHER = '01a22e09-0000-73b2-8bad-cf402a13af52';
const began = (id: string): string => `{"type":"thread.started","thread_id":"${id}"}\n`;

function stateDirWith(tail: string): string {
  const stateDir = path.join(scratch(), 'state');
  mkdirSync(stateDir);
  writeFileSync(path.join(stateDir, 'tail'), tail);
  return stateDir;
}

describe('the check of a session that is to go on', () => {
  it('looks soon until the session has begun, and no more after it', () => {
    const stateDir = stateDirWith('a word before\n');
    const check = checkSession(stateDir, codex, ASKED);
    expect(check.isOther()).toBe(false);
    expect(check.nextMs()).toBeLessThanOrEqual(100);
    // Half a line says nothing yet.
    appendFileSync(path.join(stateDir, 'tail'), began(ASKED).slice(0, 30));
    expect(check.isOther()).toBe(false);
    appendFileSync(path.join(stateDir, 'tail'), began(ASKED).slice(30));
    expect(check.isOther()).toBe(false);
    expect(check.nextMs()).toBe(Number.POSITIVE_INFINITY);
    // The first one counts.
    appendFileSync(path.join(stateDir, 'tail'), began(OTHER));
    expect(check.isOther()).toBe(false);
    check.close();
  });

  it('finds another session, and asks nothing where any will do', () => {
    const stateDir = stateDirWith(began(OTHER));
    for (const [asked, isOther] of [
      [ASKED, true],
      [OTHER.toUpperCase(), false],
      [undefined, false],
    ] as const) {
      const check = checkSession(stateDir, codex, asked);
      expect(check.isOther()).toBe(isOther);
      expect(check.nextMs()).toBe(Number.POSITIVE_INFINITY);
      check.close();
    }
  });

  it('believes no plain text that looks like a session’s name', () => {
    const text = { structured: false, sessionId: OTHER };
    expect(isOtherSession(ASKED, text)).toBe(false);
    expect(isOtherSession(ASKED, { structured: true })).toBe(false);
    expect(isOtherSession(ASKED, { ...text, structured: true })).toBe(true);
  });
});

describe('the end of an attempt in which another session began', () => {
  const facts: WorkerFacts = { structured: true, openCommands: 0, sessionId: OTHER, ended: 'completed' };
  const well: WorkerExit = { kind: 'code', code: 0 };
  const verdict = (cause: EndCause, more: Partial<WorkerFacts> = {}) =>
    classifyEnd({
      ...{ cause, exit: well, facts: { ...facts, ...more }, result: 'text', resultFile: '/r.md', quiet: '' },
      limits: { stallThresholdSeconds: 0, timeoutSeconds: 0, maxOutputBytes: 0 },
      askedSession: ASKED,
    });

  it.each([
    ['it was ended for it', { kind: 'other-session' }, {}, 'failed session-lost'],
    ['it ended by itself, well', { kind: 'worker-ended' }, {}, 'failed session-lost'],
    ['it was the one that was asked for', { kind: 'worker-ended' }, { sessionId: ASKED }, 'succeeded ok'],
    ['it was cancelled meanwhile', { kind: 'cancelled', by: 'prun cancel' }, {}, 'cancelled cancelled'],
    ['it hung', { kind: 'reaped', reason: 'idle-stall' }, {}, 'failed idle-stall'],
  ] as const)('%s', (_, cause, more, is) => {
    const { status, reason } = verdict(cause, more);
    expect(`${status} ${reason}`).toBe(is);
  });

  it('names both sessions', () => {
    expect(verdict({ kind: 'other-session' }).detail).toBe(
      `a new session ${OTHER} began instead of ${ASKED}: nothing of it counts`,
    );
  });

  it('is the same for a supervisor that takes over in the middle of it', () => {
    const stateDir = stateDirWith('');
    writeFileSync(path.join(stateDir, 'reap-reason'), 'session-lost\nanother session began\n');
    expect(causeOfEnd(stateDir)).toEqual({ kind: 'other-session' });
  });
});
