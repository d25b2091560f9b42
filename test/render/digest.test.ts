import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../scripts-src/render/cells.ts';
import { digestLines, nextStep } from '../../scripts-src/render/digest.ts';
import { ansiPaint } from '../../scripts-src/render/paint.ts';
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
