import { describe, expect, it } from 'vitest';
import { type BoardRow, boardLines, boardTitle } from '../../scripts-src/render/board.ts';
import { cellsOf } from '../../scripts-src/render/cells.ts';
import { countOf, durationText } from '../../scripts-src/render/figures.ts';
import { type LedgerRow, ledgerLines, ledgerMarkdown } from '../../scripts-src/render/ledger-table.ts';
import { ansiPaint, noPaint } from '../../scripts-src/render/paint.ts';
import { patchLines } from '../../scripts-src/render/patch.ts';
import { createScreen } from '../../scripts-src/render/screen.ts';

const row = (change: Partial<LedgerRow> = {}): LedgerRow => ({
  unit: 'api',
  executor: 'codex',
  mode: 'clone',
  status: 'succeeded',
  reason: 'ok',
  duration: '5.0s',
  result: 'agent-io/r-api.md',
  tone: 'good',
  ...change,
});
const rows = [
  row(),
  row({ unit: '日本', status: 'failed', reason: 'idle-stall', result: 'none', tone: 'bad' }),
];

describe('the ledger table', () => {
  it('aligns its columns, wide characters too', () => {
    expect(ledgerLines(rows)).toEqual([
      'unit  executor  mode   status     reason      time  result file',
      'api   codex     clone  succeeded  ok          5.0s  agent-io/r-api.md',
      '日本  codex     clone  failed     idle-stall  5.0s  none',
    ]);
  });

  it('gives up what matters least when it is narrow, then cuts the widest', () => {
    expect(ledgerLines(rows, 40)).toEqual([
      'unit  status     reason      result file',
      'api   succeeded  ok          agent-io/r…',
      '日本  failed     idle-stall  none',
    ]);
  });

  it.each([24, 30, 40, 55, 80, 200])('keeps within %i cells', (width) => {
    for (const line of ledgerLines(rows, width)) expect(cellsOf(line)).toBeLessThanOrEqual(width);
  });

  it('is Markdown that no cell can break', () => {
    expect(ledgerMarkdown([row({ unit: 'a|b', result: 'line\nbreak' })])).toEqual([
      '| unit | executor | mode | status | reason | time | result file |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      '| a\\|b | codex | clone | succeeded | ok | 5.0s | line break |',
    ]);
  });

  it('colours after it has aligned', () => {
    expect(ledgerLines(rows, 80, ansiPaint)[2]).toContain('\x1b[31mfailed   \x1b[0m');
  });
});

const boardRow = (change: Partial<BoardRow> = {}): BoardRow => ({
  unit: 'change',
  state: 'running',
  tone: 'busy',
  elapsedMs: 3140,
  evidence: 'event 0.4s',
  now: '$ node test/titles.test.mjs',
  ...change,
});

describe('the board', () => {
  it('has one line a unit below its title', () => {
    expect(boardLines('worker · 3.1s', [boardRow(), boardRow({ unit: 'a' })], 80, noPaint)).toEqual([
      'worker · 3.1s',
      '  change running      3.1s  event 0.4s        $ node test/titles.test.mjs',
      '  a      running      3.1s  event 0.4s        $ node test/titles.test.mjs',
    ]);
  });

  it.each([
    [50, '  change running      3.1s  $ node test/titles.te…'],
    [40, '  change running      3.1s  $ node test…'],
    [30, '  change running'],
    [12, '  change ru…'],
    [5, '  ch…'],
  ])('at %i cells leaves out what has no room', (width, line) => {
    expect(boardLines('t', [boardRow()], width, noPaint)[1]).toBe(line);
  });

  it.each([
    [80, 'a-long-name-of-a-run: done=1 failed=0'],
    [30, 'a-long…-a-run: done=1 failed=0'],
    [20, 'a-lon…-run: done=1…'],
  ])('its title at %i cells keeps the figures as long as it can', (width, title) => {
    const found = boardTitle('a-long-name-of-a-run', 'done=1 failed=0', width);
    expect(cellsOf(found)).toBeLessThanOrEqual(width);
    expect(found).toBe(title);
  });

  it('cuts long names in their middle, and shows no time where none has passed', () => {
    const waits = boardRow({
      unit: 'items-of-the-list-2',
      state: 'queued',
      elapsedMs: null,
      evidence: '',
      now: '',
    });
    const [, row] = boardLines('t', [waits], 60, noPaint);
    expect(row?.trimEnd()).toBe('  items-of…-list-2 queued');
  });

  it.each([20, 33, 34, 63, 64, 90])('never exceeds %i cells, whatever it is told', (width) => {
    const wide = boardRow({
      unit: '長い名前の単位です',
      now: '実行中 '.repeat(40),
      evidence: 'a-very-long-kind 99m59s',
    });
    for (const line of boardLines('題名'.repeat(60), [wide], width, noPaint)) {
      expect(cellsOf(line)).toBeLessThanOrEqual(width);
    }
  });
});

describe('the screen', () => {
  it('draws over what it drew before, in one write, and gives the cursor back', () => {
    const written: string[] = [];
    const screen = createScreen((text) => written.push(text));
    screen.draw(['a', 'b'], 80);
    screen.draw(['c'], 80);
    screen.close();
    screen.close();
    expect(written).toEqual(['\x1b[?25la\x1b[K\nb\x1b[K\n\x1b[J', '\x1b[2A\rc\x1b[K\n\x1b[J', '\x1b[?25h']);
  });

  it('counts the lines that a narrower terminal has broken', () => {
    const written: string[] = [];
    const screen = createScreen((text) => written.push(text));
    screen.draw([`\x1b[1m${'x'.repeat(50)}\x1b[0m`, ''], 80);
    screen.draw(['y'], 30);
    expect(written[1]).toMatch(/^\x1b\[3A/);
  });

  it('writes nothing when it never drew', () => {
    const screen = createScreen(() => expect.unreachable());
    screen.close();
  });
});

describe('the patch', () => {
  const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\told\x1b[31m\n+new 日本語\n same\n';

  it('is shown without control characters and within the width', () => {
    expect(patchLines(patch, 14, noPaint)).toEqual([
      'diff --git a/…',
      '--- a/x',
      '+++ b/x',
      '@@ -1 +1 @@',
      '-    old?[31m',
      '+new 日本語',
      ' same',
    ]);
  });

  it('is bounded', () => {
    const long = `${'+line\n'.repeat(500)}`;
    const lines = patchLines(long, 80, noPaint);
    expect(lines).toHaveLength(41);
    expect(lines.at(-1)).toBe('… 460 more lines');
  });

  it('is green where it adds and red where it removes', () => {
    const lines = patchLines(patch, 80, ansiPaint);
    expect(lines[4]).toMatch(/^\x1b\[31m-/);
    expect(lines[5]).toMatch(/^\x1b\[32m\+/);
    expect(lines[6]).toBe(' same');
  });
});

describe('figures', () => {
  it.each([
    [0, '0.0s'],
    [7440, '7.4s'],
    [59_960, '1m00s'],
    [125_000, '2m05s'],
    [3_840_000, '1h04m'],
  ])('%i ms are %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  it('counts in words', () => {
    expect([countOf(1, 'process', 'processes'), countOf(0, 'unit')]).toEqual(['1 process', '0 units']);
  });
});
