import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAdd } from '../../scripts-src/commands/add-arguments.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'prun add '));
  writeFileSync(path.join(folder, 'p.md'), 'Do it.\n');
  writeFileSync(path.join(folder, 'empty.md'), '\n');
  writeFileSync(path.join(folder, 'bad.md'), new Uint8Array([0xff, 0x61]));
});
afterAll(() => rmSync(folder, { recursive: true }));

const BASE = ['--run', 'x', '--unit', 'a', '--prompt-file', 'p.md'];
const wishOf = (...argv: string[]) => parseAdd([...BASE, ...argv], folder)?.wish;

describe('the command line of prun add', () => {
  it('names a unit and its task, and leaves the rest to defaults', () => {
    expect(parseAdd(BASE, folder)).toMatchObject({
      mode: undefined,
      json: false,
      wish: { id: 'a', executor: 'codex', prompt: 'Do it.\n', argv: [], wakeOnFinish: false },
    });
  });

  it('takes the words of a lane-based controller', () => {
    const argv = ['--run', 'x', '--phase', 'a', '--brief', 'p.md', '--runner', 'codex', '--thinking', 'high'];
    expect(parseAdd([...argv, '--model', 'm', '--no-network'], folder)?.wish).toMatchObject({
      id: 'a',
      executor: 'codex',
      effort: 'high',
      model: 'm',
      network: false,
    });
  });

  it.each([
    [['--after', 'b', '--after', 'c'], { after: ['b', 'c'] }],
    [['--owns', 'src/**', '--owns', '!src/x'], { owns: ['src/**', '!src/x'] }],
    [
      ['--timeout', '60', '--stall-threshold=0', '--stall-notice', '5'],
      { timeout: 60, stallThreshold: 0, stallNotice: 5 },
    ],
    [['--max-output', '5M', '--retries', '2'], { maxOutputBytes: 5 * 1024 ** 2, retries: 2 }],
    [['--setup', 'npm ci', '--verify', 'npm test -- a'], { setup: 'npm ci', verify: 'npm test -- a' }],
    [
      ['--warm', 'node_modules', '--resource', 'gpu', '--pass-env', 'KEY'],
      { warm: ['node_modules'], resources: ['gpu'], passEnv: ['KEY'] },
    ],
    [
      ['--sandbox', 'read-only', '--no-isolate-mcp', '--wake-on-finish'],
      { sandbox: 'read-only', isolateMcp: false, wakeOnFinish: true },
    ],
    [
      ['--', 'echo', '--unit', '{unit}', '--', '-h'],
      { executor: 'command', argv: ['echo', '--unit', '{unit}', '--', '-h'] },
    ],
  ])('%j', (argv, expected) => expect(wishOf(...argv)).toMatchObject(expected));

  it('takes relative paths from where it is called', () => {
    const at = (name: string) => path.join(folder, name);
    expect(wishOf('--result-file', 'out/a.md')?.resultFile).toBe(at('out/a.md'));
    expect(wishOf('--pnpm-store', 'store')?.told).toEqual({ npm_config_store_dir: at('store') });
    expect(wishOf('--codex-bin', './codex')?.codexBin).toBe(at('codex'));
    expect(wishOf('--codex-bin', 'codex')?.codexBin).toBe('codex');
    expect(wishOf('--', './lint.sh', './x')?.argv).toEqual([at('lint.sh'), './x']);
  });

  it('is undefined where help is asked for, but not where a command has a flag of that name', () => {
    expect(parseAdd(['--help'], folder)).toBeUndefined();
    expect(wishOf('--', 'tool', '--help')?.argv).toEqual(['tool', '--help']);
  });

  it.each([
    [['--run', 'x', '--prompt-file', 'p.md'], '--unit is missing'],
    [['--run', 'x', '--unit', 'a'], '--prompt-file is missing'],
    [[...BASE, '--phase', 'b'], '--unit and --phase are the same'],
    [['--unit', 'a/b', '--prompt-file', 'p.md'], '--unit is "a/b"'],
    [['--unit', '', '--prompt-file', 'p.md'], '--unit is ""'],
    [['--unit', 'a', '--prompt-file', 'none.md'], 'none.md cannot be read (ENOENT)'],
    [['--unit', 'a', '--prompt-file', 'empty.md'], 'empty.md is empty'],
    [['--unit', 'a', '--prompt-file', 'bad.md'], 'bad.md is not UTF-8'],
    [['--unit', 'a', '--prompt-file', '.'], 'is no regular file'],
    [[...BASE, '--executor', 'claude'], '--executor is "claude"'],
    [[...BASE, '--executor', 'command'], 'executor command has no command'],
    [[...BASE, '--executor', 'command', '--'], 'executor command has no command'],
    [[...BASE, '--executor', 'codex', '--', 'x'], 'a command was given for executor codex'],
    [[...BASE, '--model', 'm', '--', 'x'], '--model does nothing for executor command'],
    [[...BASE, '--executor', 'session', '--no-network'], '--no-network does nothing for executor session'],
    [[...BASE, '--mode', 'cloned'], '--mode is "cloned"'],
    [[...BASE, '--sandbox', 'open'], '--sandbox is "open"'],
    [[...BASE, '--timeout', '10m'], '--timeout is "10m"'],
    [[...BASE, '--retries', '-1'], '--retries is "-1"'],
    [[...BASE, '--max-output', 'much'], '--max-output is "much"'],
    [[...BASE, '--owns', '/etc/**'], '--owns "/etc/**" is no path below the repository'],
    [[...BASE, 'stray'], 'unexpected argument "stray"'],
    [[...BASE, '--bogus'], 'unknown flag --bogus'],
  ])('%j: %s', (argv, message) => expect(() => parseAdd(argv, folder)).toThrow(message));
});
