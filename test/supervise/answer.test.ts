import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { codex } from '../../scripts-src/executor/codex.ts';
import { command } from '../../scripts-src/executor/command.ts';
import { type AnswerRequest, keepAnswer } from '../../scripts-src/supervise/answer.ts';
import { salvageResult } from '../../scripts-src/supervise/salvage.ts';
import { joinStderr } from '../../scripts-src/supervise/stdout-part.ts';
import { fallbackHeader, resultStateOf } from '../../scripts-src/unit/result-file.ts';
import { scratch } from '../helpers/unit-run.ts';

const CONTRACT =
  '# api result\nConclusion: done\nFiles: none (read-only)\nOpen items: none\nVerification: none\n\nAll of it.';

/** An ended unit: what its output files hold, and what stands at its result path. */
function unit(files: { stdout?: string | Buffer; stderr?: string; result?: string; lastMessage?: string }) {
  const folder = scratch();
  const stateDir = path.join(folder, 'state');
  mkdirSync(stateDir);
  writeFileSync(path.join(stateDir, 'tail'), files.stdout ?? '');
  writeFileSync(path.join(stateDir, 'stderr'), files.stderr ?? '');
  if (files.lastMessage !== undefined) writeFileSync(path.join(stateDir, 'last-message'), files.lastMessage);
  const resultFile = path.join(folder, 'results/api.md');
  if (files.result !== undefined) {
    mkdirSync(path.dirname(resultFile));
    writeFileSync(resultFile, files.result);
  }
  const keep = (wish: Partial<AnswerRequest> = {}) => {
    joinStderr(stateDir);
    return keepAnswer({
      unit: 'api',
      stateDir,
      resultFile,
      executor: command,
      left: resultStateOf(resultFile),
      isWell: true,
      lastMessage: undefined,
      acceptsLastMessage: false,
      sync: false,
      ...wish,
    });
  };
  const text = () => (existsSync(resultFile) ? readFileSync(resultFile, 'utf8') : undefined);
  return { stateDir, resultFile, keep, text };
}

describe('what a command printed', () => {
  it('is the result when it wrote none: stdout byte for byte, nothing of stderr', () => {
    const stdout = Buffer.from([0x66, 0xff, 0x0a, 0x0d, 0x0a, 0x78]);
    const { keep, resultFile } = unit({ stdout, stderr: 'warning: odd\n' });
    expect(keep()).toBe('stdout');
    expect(readFileSync(resultFile)).toEqual(stdout);
  });

  it('is in the tail together with stderr, which follows on a line of its own', () => {
    const { keep, stateDir } = unit({ stdout: 'answer', stderr: 'one\ntwo\n' });
    keep();
    expect(readFileSync(path.join(stateDir, 'tail'), 'utf8')).toBe('answer\none\ntwo\n');
  });

  it.each<[string, Parameters<typeof unit>[0], Partial<AnswerRequest>]>([
    ['nothing', { stderr: 'only noise\n' }, {}],
    ['white space', { stdout: ' \n\t\n' }, {}],
    ['an answer, and the unit did not end well', { stdout: 'half' }, { isWell: false }],
    ['an answer, and a folder stands in its place', { stdout: 'x' }, { left: 'not-a-file' }],
    ['events of a codex', { stdout: 'text' }, { executor: codex }],
  ])('%s: is none', (_title, files, wish) => {
    const { keep, text } = unit(files);
    expect(keep(wish)).toBeUndefined();
    expect(text()).toBeUndefined();
  });

  it('never replaces what it wrote', () => {
    const { keep, text } = unit({ stdout: 'chatter', result: 'mine' });
    expect(keep()).toBeUndefined();
    expect(text()).toBe('mine');
  });

  it('takes the place of an empty result, which is kept', () => {
    const { keep, text, stateDir } = unit({ stdout: 'answer\n', result: '\n' });
    expect(keep()).toBe('stdout');
    expect(text()).toBe('answer\n');
    expect(readFileSync(path.join(stateDir, 'empty-result'), 'utf8')).toBe('\n');
  });

  it('of more than a MiB keeps the beginning, and says where the rest is', () => {
    const { keep, text, stateDir } = unit({ stdout: 'x'.repeat(3 * 1024 * 1024) });
    expect(keep()).toBe('stdout');
    const lines = (text() ?? '').split('\n');
    expect(lines[0]).toBe('x'.repeat(1024 * 1024));
    expect(lines[1]).toBe(
      `… 2097152 of 3145728 bytes are left out: all is in ${path.join(stateDir, 'tail')}`,
    );
  });

  it('is named the same by a supervisor that takes over after it was written, and stderr is not doubled', () => {
    const { keep, text, stateDir } = unit({ stdout: 'answer\n', stderr: 'noise\n' });
    keep();
    expect(keep()).toBe('stdout');
    expect(text()).toBe('answer\n');
    expect(readFileSync(path.join(stateDir, 'tail'), 'utf8')).toBe('answer\nnoise\n');
  });

  it('is not taken where a supervisor before has saved what was left', () => {
    const { keep, text } = unit({ stdout: 'answer\n', result: `${fallbackHeader('api')}\n` });
    expect(keep({ left: 'missing' })).toBeUndefined();
    expect(text()).toContain('FALLBACK');
  });

  it('is the origin that an outcome names', () => {
    const { keep, stateDir, resultFile } = unit({ stdout: 'answer\n' });
    const salvaged = salvageResult({
      unit: 'api',
      stateDir,
      resultFile,
      executor: command,
      verdict: { status: 'succeeded', reason: 'ok', detail: '' },
      exitNote: '',
      lastMessage: undefined,
      origin: keep(),
      sync: false,
      environment: {},
    });
    expect(salvaged.result).toEqual({ path: resultFile, origin: 'stdout', bytes: 7 });
  });
});

describe('a last message', () => {
  const accepted = { executor: codex, acceptsLastMessage: true };

  it('that satisfies the contract is the result in a run', () => {
    const { keep, text } = unit({ stdout: '{"type":"turn.completed"}\n', lastMessage: CONTRACT });
    expect(keep(accepted)).toBe('last-message');
    expect(text()).toBe(`${CONTRACT}\n`);
  });

  it('counts as well when only the events have it', () => {
    const { keep, text } = unit({});
    expect(keep({ ...accepted, lastMessage: `${CONTRACT}\n` })).toBe('last-message');
    expect(text()).toBe(`${CONTRACT}\n`);
  });

  it.each<[string, string, Partial<AnswerRequest>]>([
    ['of dispatch-task', CONTRACT, { acceptsLastMessage: false }],
    ['without a field', CONTRACT.replace(/Verification.*\n/, ''), {}],
    ['with an empty field', CONTRACT.replace('Conclusion: done', 'Conclusion:'), {}],
    ['without its title', CONTRACT.replace('# api result\n', ''), {}],
    ['that only talks', 'I wrote the result.', {}],
    ['of a unit that failed', CONTRACT, { isWell: false }],
  ])('%s is no result', (_title, lastMessage, wish) => {
    const { keep, text } = unit({ lastMessage });
    expect(keep({ ...accepted, ...wish })).toBeUndefined();
    expect(text()).toBeUndefined();
  });
});
