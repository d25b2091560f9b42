import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codex } from '../../scripts-src/executor/codex.ts';
import { readableTail, type SalvageRequest, salvageResult } from '../../scripts-src/supervise/salvage.ts';
import { isFallback } from '../../scripts-src/unit/result-file.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'prun-salvage-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let dirs = 0;

function unit(tail = 'one\ntwo\n') {
  const folder = path.join(root, String(++dirs));
  const stateDir = path.join(folder, 'state');
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(path.join(stateDir, 'tail'), tail);
  const resultFile = path.join(folder, 'r.md');
  const salvage = (change: Partial<SalvageRequest> = {}) =>
    salvageResult({
      unit: 'api',
      stateDir,
      resultFile,
      executor: codex,
      verdict: { status: 'failed', reason: 'idle-stall', detail: 'no progress for 600 s' },
      exitNote: ', exit code 124',
      lastMessage: undefined,
      sync: false,
      environment: { CODEX_API_KEY: 'corporate key 0815' },
      ...change,
    });
  return { folder, stateDir, resultFile, salvage, text: () => readFileSync(resultFile, 'utf8') };
}

describe('a result that was not written', () => {
  it('shows no key that its worker has printed', () => {
    const { salvage, text } = unit('401: corporate key 0815\n');
    salvage();
    expect(text()).toContain('\n401: …(CODEX_API_KEY)\n');
  });

  it('becomes a FALLBACK with five fields, the trigger and the tail', () => {
    const { salvage, resultFile, stateDir, text } = unit();
    const salvaged = salvage();
    expect(text()).toBe(`# api result (FALLBACK, worker wrote no result file)
Conclusion: none from the worker; prun saved what it left (idle-stall, exit code 124).
Files: unknown; look at the workspace before you use them
Open items: find out what it waited for, or give it a longer --stall-threshold, then dispatch it again; all output is in ${stateDir}/tail
Verification: none

Trigger: idle-stall, exit code 124
no progress for 600 s

The end of the worker's output:

one
two
`);
    expect(salvaged).toMatchObject({
      result: { path: resultFile, origin: 'tail', bytes: text().length },
      error: null,
    });
    expect(isFallback(resultFile)).toBe(true);
  });

  it('has the last message in it, from the file before the events', () => {
    const { salvage, stateDir, text } = unit();
    writeFileSync(path.join(stateDir, 'last-message'), 'from the file');
    expect(salvage({ lastMessage: 'from the events' }).result?.origin).toBe('last-message');
    expect(text()).toContain("The worker's last message:\n\nfrom the file\n");
    expect(text()).not.toContain('one\ntwo');
  });

  it('has the message of the events where the file is blank', () => {
    const { salvage, stateDir, text } = unit();
    writeFileSync(path.join(stateDir, 'last-message'), ' \n');
    expect(salvage({ lastMessage: 'from the events' }).result?.origin).toBe('last-message');
    expect(text()).toContain('from the events\n');
  });

  it('says so when there is nothing at all', () => {
    const { salvage, text } = unit('');
    expect(salvage().result?.origin).toBe('tail');
    expect(text()).toContain('(it printed nothing)');
  });

  it('is bounded, whatever the size of tail and message', () => {
    const { salvage, text, stateDir, resultFile } = unit(`${'long '.repeat(2000)}\n`.repeat(2000));
    salvage();
    expect(text().length).toBeLessThan(34 * 1024);
    expect(text().split('\n').length).toBeLessThan(215);
    rmSync(resultFile);
    writeFileSync(path.join(stateDir, 'last-message'), 'm'.repeat(5_000_000));
    salvage();
    expect(text().length).toBeLessThan(260 * 1024);
  });

  it('is made together with its folder', () => {
    const { salvage, folder } = unit();
    const resultFile = path.join(folder, 'a', 'b', 'r.md');
    expect(salvage({ resultFile }).result?.path).toBe(resultFile);
    expect(existsSync(resultFile)).toBe(true);
  });
});

describe("a worker's own text", () => {
  it.each(['x', '# api result\nConclusion: done\n', '\n\n  a\n', `${' '.repeat(70_000)}`])(
    'is never touched',
    (own) => {
      const { salvage, resultFile, text } = unit();
      writeFileSync(resultFile, own);
      expect(salvage({ lastMessage: 'other' })).toMatchObject({
        result: { origin: 'worker', bytes: own.length },
      });
      expect(text()).toBe(own);
    },
  );

  it('stays behind a symbolic link', () => {
    const { salvage, resultFile, folder, text } = unit();
    writeFileSync(path.join(folder, 'elsewhere.md'), 'own');
    symlinkSync('elsewhere.md', resultFile);
    expect(salvage().result?.origin).toBe('worker');
    expect(text()).toBe('own');
  });

  it('is kept in the state dir where it is white space', () => {
    const { salvage, resultFile, stateDir } = unit();
    for (const [white, kept] of [
      [' \n', 'empty-result'],
      ['\t', 'empty-result-again'],
    ] as const) {
      writeFileSync(resultFile, white);
      expect(salvage().result?.origin).toBe('tail');
      expect(readFileSync(path.join(stateDir, kept), 'utf8')).toBe(white);
      rmSync(resultFile);
    }
  });
});

describe('where nothing can be written', () => {
  it.each([
    ['a folder', (file: string) => mkdirSync(file)],
    ['a link to nowhere', (file: string) => symlinkSync('no-where', file)],
    ['a link to a folder', (file: string) => symlinkSync('.', file)],
  ])('%s is named as the reason', (_, make) => {
    const { salvage, resultFile } = unit();
    make(resultFile);
    expect(salvage()).toEqual({ result: null, error: `${resultFile} is not a regular file`, full: false });
  });

  it('a file in the place of the folder is named', () => {
    const { salvage, folder } = unit();
    writeFileSync(path.join(folder, 'file'), '');
    const salvaged = salvage({ resultFile: path.join(folder, 'file', 'r.md') });
    expect(salvaged.result).toBeNull();
    expect(salvaged.error).toMatch(/EEXIST|ENOTDIR/);
  });
});

describe('the readable end of a tail', () => {
  const read = (tail: string, lines?: number) => readableTail(unit(tail).stateDir, codex, lines);

  it.each([
    ['colours and titles', '\u001b[31mred\u001b[0m \u001b]0;title\u0007text', 'red text'],
    ['a progress bar', '10%\r50%\r100%', '100%'],
    ['CRLF', 'a\r\nb\r\n', 'a\nb'],
    ['NUL and bells', 'a\0\u0007b', 'ab'],
    ['tabs stay', 'a\tb', 'a\tb'],
    ['empty lines at the end', 'a\n\n\n', 'a'],
    [
      'an event as a short line',
      '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"hello"}}',
      'hello',
    ],
    ['no trace of what has no text', '{"type":"turn.started"}\nb', 'b'],
  ])('%s', (_, tail, expected) => expect(read(tail)).toBe(expected));

  it('has at most so many lines, the last ones', () => {
    const tail = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
    expect(read(tail, 80).split('\n')).toEqual(
      Array.from({ length: 80 }, (_, index) => `line ${420 + index}`),
    );
  });

  it('cuts a long line, and says how long it was', () => {
    expect(read('x'.repeat(3000))).toBe(`${'x'.repeat(500)} \u2026(3000 characters)`);
  });
});
