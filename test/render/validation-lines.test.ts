import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { validationTeller } from '../../scripts-src/render/validation-lines.ts';
import type { StepRecord } from '../../scripts-src/validate/validation-records.ts';

const STEP: StepRecord = {
  sequence: 4,
  stage: 'test',
  argv: ['npm', 'test'],
  outcome: 'failed',
  exitCode: 1,
  signal: null,
  startedAt: '2026-11-30T00:00:00.000Z',
  seconds: 1.25,
  log: 'logs/04-test.log',
  logBytes: 0,
  logSha256: '',
  leftovers: [{ pid: 7, command: 'server' }],
  survivors: [],
};

/** What a failed step is told as. */
function told(output: { isTTY: boolean; columns?: number }, environment: NodeJS.ProcessEnv): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'prun-lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = path.join(folder, '04-test.log');
  writeFileSync(log, `${'x'.repeat(9000)}\n${'wide '.repeat(40)}\n\u001b[31mred\u001b[0m\tend\r\n`);
  let text = '';
  const write = (piece: string) => {
    text += piece;
  };
  const teller = validationTeller({ ...output, write }, environment);
  teller.listener.stepStarted({ sequence: 4, stage: 'test', argv: STEP.argv, log });
  teller.listener.stepEnded(STEP, log);
  teller.clear();
  return text;
}

it('in a file a step is one line, and the end of a failed log follows without its colours', () => {
  const lines = told({ isTTY: false }, {}).split('\n');
  expect(lines[0]).toBe('STEP 4 test failed(1) 1.3s ended 1 left behind (server)');
  expect(lines.at(-2)).toBe('  | red  end');
  expect(lines.join('')).not.toContain('\u001b');
  expect(lines.join('').length).toBeLessThan(4200);
});

it('on a terminal it has colours unless NO_COLOR, and a line fits into a narrow one', () => {
  expect(told({ isTTY: true, columns: 40 }, { TERM: 'xterm' })).toContain('\u001b[31mfailed(1)\u001b[0m');
  const plain = told({ isTTY: true, columns: 40 }, { NO_COLOR: '1' });
  expect(plain.replaceAll('\r\u001b[K', '')).not.toContain('\u001b');
  expect(Math.max(...plain.split('\n').map((line) => line.length))).toBeLessThan(40);
});
