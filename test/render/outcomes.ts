import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';

/** An outcome of a unit that went well, with what a test wants otherwise. */
export function outcome(change: Partial<OutcomeRecord> = {}): OutcomeRecord {
  return {
    schema: 1,
    unit: 'api',
    attempt: 1,
    executor: 'codex',
    status: 'succeeded',
    reason: 'ok',
    detail: 'the worker ended well and left a result',
    exitCode: 0,
    signal: null,
    signalInferred: false,
    result: { path: '/run/agent-io/r-api.md', origin: 'worker', bytes: 412 },
    resultError: null,
    sessionId: null,
    tokens: null,
    startedAt: '2026-11-30T10:00:00.000Z',
    endedAt: '2026-11-30T10:00:05.000Z',
    durationMs: 5000,
    lastEvidence: { kind: 'event', at: '2026-11-30T10:00:04.800Z', quietSeconds: 0.2 },
    reaped: [],
    survivors: [],
    delta: null,
    claims: null,
    tripwire: null,
    verify: null,
    supervisor: 'dispatch-task',
    stateDir: '/tmp/prun-task-1',
    ...change,
  };
}
