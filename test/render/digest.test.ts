import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../scripts-src/render/cells.ts';
import { digestLines, nextStep } from '../../scripts-src/render/digest.ts';
import { ansiPaint } from '../../scripts-src/render/paint.ts';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';
import { outcome } from './outcomes.ts';

const hung = outcome({
  unit: 'hang',
  status: 'failed',
  reason: 'idle-stall',
  detail: 'no progress for 3 s (last evidence: an event at 2026-11-30T10:00:04.800Z, 3 s before)',
  result: { path: '/run/agent-io/r-hang.md', origin: 'tail', bytes: 9 },
  reaped: [
    { pid: 1, command: 'node' },
    { pid: 2, command: 'sh' },
    { pid: 3, command: 'node' },
  ],
});

describe('the digest', () => {
  it.each([
    [
      'a result',
      { outcome: outcome(), mode: 'scratch', conclusion: '1 of 2 is untested' },
      [
        'api: succeeded (ok) after 5.0s: 1 of 2 is untested',
        '    result /run/agent-io/r-api.md (412 bytes); last evidence: an event, 0.2 s before; next: read the result',
      ],
    ],
    [
      'tokens and a path of its own',
      {
        outcome: outcome({
          lastEvidence: null,
          tokens: { input: 1204, cachedInput: 0, output: 96, reasoningOutput: 0 },
        }),
        mode: 'clone',
        resultPath: 'r-api.md',
      },
      [
        'api: succeeded (ok) after 5.0s: the worker ended well and left a result',
        '    result r-api.md (412 bytes); 1204 tokens in, 96 out; next: read every hunk, then apply the patch',
      ],
    ],
    [
      'a last message that is the result',
      {
        outcome: outcome({ result: { path: '/r.md', origin: 'last-message', bytes: 9 }, lastEvidence: null }),
        mode: 'scratch',
      },
      [expect.any(String), '    result /r.md (9 bytes); next: read the result'],
    ],
    [
      'a worker that cannot go on',
      {
        outcome: outcome({
          ...{ status: 'failed', reason: 'needs-context', detail: 'Which database?' },
          result: { path: '/r.md', origin: 'last-message', bytes: 9 },
          lastEvidence: null,
        }),
        mode: 'scratch',
      },
      [
        'api: failed (needs-context) after 5.0s: Which database?',
        '    result /r.md (9 bytes); next: read its result, then go on in its session with the answer',
      ],
    ],
    [
      'a reaped unit',
      { outcome: hung, mode: 'scratch' },
      [
        'hang: failed (idle-stall) after 5.0s: no progress for 3 s (last evidence: an event, 3 s before)',
        '    FALLBACK /run/agent-io/r-hang.md (the end of its output); reaped 2 node, 1 sh; next: see in the tail what it waited for, then dispatch again',
      ],
    ],
    [
      'no result and a survivor',
      {
        outcome: outcome({
          status: 'failed',
          reason: 'disk',
          detail: 'no\nroom\u0007 left',
          result: null,
          resultError: 'ENOSPC',
          lastEvidence: null,
          survivors: [{ pid: 9, command: 'dd' }],
        }),
        mode: 'scratch',
      },
      [
        'api: failed (disk) after 5.0s: no room left',
        '    no result: ENOSPC; STILL ALIVE: 1 dd; next: make room on the disk, then dispatch again',
      ],
    ],
  ])('tells of %s in two lines', (_, entry, lines) => {
    expect(digestLines([entry])).toEqual(lines);
  });

  const delta = {
    state: 'collected' as const,
    workspace: '/home/ann/clones/api',
    base: 'a',
    result: 'b',
    files: 3,
    added: 1,
    modified: 2,
    deleted: 0,
    commits: 0,
    moves: 0,
    outside: 0,
    problems: 0,
    lost: [],
    patch: '/tmp/prun-task-1/delta.patch',
  };
  const body = (change: Partial<OutcomeRecord>) =>
    digestLines([{ outcome: outcome({ lastEvidence: null, ...change }), mode: 'clone' }])[1]?.trim();
  const next = 'next: read every hunk, then apply the patch';

  it.each<[string, Partial<OutcomeRecord>, string]>([
    ['a delta', { delta }, `delta of 3 files (1 added, 2 modified, 0 deleted); ${next}`],
    ['an empty delta', { delta: { ...delta, files: 0 } }, 'empty delta; next: read the result'],
    [
      'all that is wrong with a delta',
      {
        delta: { ...delta, commits: 1, moves: 1, outside: 2, problems: 2, lost: ['p: a pipe'] },
        claims: { claimed: [], unclaimed: ['a', 'b', 'c', 'd'], ignored: ['dist/x.js'], more: 0 },
      },
      `delta of 3 files (1 added, 2 modified, 0 deleted), 1 submodule moved, 1 commit that it should not have made, 2 files outside what it owns, 2 problems; NOT IN THE DELTA: p: a pipe; not claimed: a, b, c and 1 more; claimed, at ignored paths: dist/x.js; ${next}`,
    ],
    [
      'a delta that is not there',
      { delta: { state: 'failed', workspace: '/c', detail: 'the clone is gone', next: 'prun collect /c' } },
      `delta failed: the clone is gone: prun collect /c; ${next}`,
    ],
    [
      'a mismatch, whose detail has the paths',
      {
        status: 'failed',
        reason: 'claim-mismatch',
        delta,
        claims: { claimed: ['x.ts'], unclaimed: [], ignored: [], more: 0 },
      },
      'delta of 3 files (1 added, 2 modified, 0 deleted); next: read the delta and the ignored files for what is claimed, then dispatch again with the finding',
    ],
    [
      'a repository that changed',
      {
        tripwire: {
          since: '2026-11-30T10:00:00.000Z',
          seenAt: '2026-11-30T10:00:05.000Z',
          changes: [{ what: 'ref', name: 'refs/heads/x', change: 'removed', before: 'c'.repeat(40) }],
          more: 4,
          unread: ['hooks: EACCES'],
        },
      },
      `the user's repository changed between 2026-11-30T10:00:00.000Z and 2026-11-30T10:00:05.000Z: ref refs/heads/x removed (was cccccccccccc), and 4 more; not compared in the user's repository: hooks: EACCES; ${next}`,
    ],
  ])('tells of %s', (_, change, text) => {
    expect(body(change)).toBe(`result /run/agent-io/r-api.md (412 bytes); ${text}`);
  });

  it.each([20, 40, 80, 132])('breaks its lines at %i cells and loses no word', (width) => {
    const entries = [
      { outcome: hung, mode: 'scratch' },
      { outcome: outcome({ unit: '日本' }), mode: 'clone', conclusion: '長い結論 '.repeat(20).trim() },
    ];
    const lines = digestLines(entries, width);
    for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(width);
    const squeezed = (all: string[]) => all.join('').replaceAll(' ', '');
    expect(squeezed(lines)).toBe(squeezed(digestLines(entries)));
  });

  it('is bounded, and of too many units tells of those that need somebody', () => {
    const many = Array.from({ length: 100 }, (_, i) => ({
      outcome: i === 99 ? hung : outcome({ unit: `u${i}`, detail: 'x'.repeat(5000) }),
      mode: 'scratch',
    }));
    const lines = digestLines(many);
    expect(lines).toHaveLength(81);
    expect(lines[0]).toMatch(/^hang: failed/);
    expect(lines.at(-1)).toBe('60 more units: see the ledger');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(500);
  });

  it('colours the status and nothing else', () => {
    const [line = ''] = digestLines([{ outcome: hung, mode: 'scratch' }], 200, ansiPaint);
    expect(line).toMatch(/^hang: \x1b\[31mfailed\x1b\[0m \(idle-stall\)/);
  });

  it('knows a next step for a reason of tomorrow', () => {
    const reason = 'tomorrow' as 'exit';
    expect(nextStep({ status: 'failed', reason }, 'scratch')).toBe('read outcome.json and the tail');
  });
});
