import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAdd } from '../../scripts-src/commands/add-arguments.ts';
import { newSpec, unitDefaults } from '../../scripts-src/run/manifest/new-spec.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'prun add '));
  writeFileSync(path.join(folder, 'p.md'), 'Do it.\n');
  writeFileSync(path.join(folder, 'empty.md'), '\n');
  writeFileSync(path.join(folder, 'schema.json'), '{"type": "object"}');
  writeFileSync(path.join(folder, 'list.json'), '[]');
  for (const name of ['a.png', 'a,b.png']) writeFileSync(path.join(folder, name), 'image');
  writeFileSync(path.join(folder, 'bad.md'), new Uint8Array([0xff, 0x61]));
});
afterAll(() => rmSync(folder, { recursive: true }));

const BASE = ['--run', 'x', '--unit', 'a', '--prompt-file', 'p.md'];
const wishOf = (...argv: string[]) => parseAdd([...BASE, ...argv], folder)?.wish;

const newSpecOf = (...argv: string[]) => {
  const wish = wishOf(...argv);
  if (!wish) throw new Error('no wish');
  return newSpec({ ...wish, mode: 'scratch' }, unitDefaults({}, folder));
};

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

  it('keeps what only some executors know apart from the rest', () => {
    const options = (...argv: string[]) => newSpecOf(...argv).options;
    expect(options()).toBeUndefined();
    expect(options('--token-limit', '0')).toBeUndefined();
    expect(options('--config', 'a="b=c"', '--config', 'x.y=1', '--structured', '--ephemeral')).toEqual({
      config: ['a="b=c"', 'x.y=1'],
      structured: true,
      ephemeral: true,
    });
    expect(options('--executor', 'claude', '--permission-mode', 'plan', '--token-limit', '9000')).toEqual({
      permissionMode: 'plan',
      tokenLimit: 9000,
    });
    const store = newSpecOf('--pnpm-store', folder);
    expect(store.options).toEqual({ pnpmStore: folder });
    expect(store.told).toEqual({ npm_config_store_dir: folder, pnpm_config_store_dir: folder });
    expect(newSpecOf('--executor', 'omp', '--thinking', 'low').reasoningEffort).toBe('low');
    expect(newSpecOf('--executor', 'claude').reasoningEffort).toBeNull();
    expect(options('--executor', 'claude', '--structured')).toEqual({ structured: true });
  });

  it('takes relative paths from where it is called', () => {
    const at = (name: string) => path.join(folder, name);
    expect(wishOf('--result-file', 'out/a.md')?.resultFile).toBe(at('out/a.md'));
    expect(wishOf('--output-schema', 'schema.json')?.options?.outputSchema).toBe(at('schema.json'));
    expect(wishOf('--image', 'a.png', '--image', './a.png')?.options?.images).toEqual([
      at('a.png'),
      at('a.png'),
    ]);
    expect(wishOf('--executor', 'claude', '--bin', './claude')?.options?.bin).toBe(at('claude'));
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
    [[...BASE, '--executor', 'gemini'], '--executor is "gemini"'],
    [[...BASE, '--executor', 'command'], 'executor command has no command'],
    [[...BASE, '--executor', 'command', '--'], 'executor command has no command'],
    [[...BASE, '--executor', 'codex', '--', 'x'], 'a command was given for executor codex'],
    [[...BASE, '--model', 'm', '--', 'x'], '--model does nothing for executor command'],
    [[...BASE, '--executor', 'session', '--no-network'], '--no-network does nothing for executor session'],
    [
      [...BASE, '--executor', 'claude', '--sandbox', 'read-only'],
      '--sandbox does nothing for executor claude',
    ],
    [[...BASE, '--executor', 'omp', '--config', 'a=b'], '--config does nothing for executor omp'],
    [
      [...BASE, '--executor', 'omp', '--permission-mode', 'x'],
      '--permission-mode does nothing for executor omp',
    ],
    [[...BASE, '--bin', 'x'], '--bin does nothing for executor codex'],
    [[...BASE, '--executor', 'claude', '--codex-bin', 'x'], '--codex-bin does nothing for executor claude'],
    [[...BASE, '--token-limit', '5', '--', 'x'], '--token-limit does nothing for executor command'],
    [[...BASE, '--executor', 'session', '--ephemeral'], '--ephemeral does nothing for executor session'],
    [[...BASE, '--model', '--yolo'], '--model is "--yolo", which begins with -'],
    [[...BASE, '--executor', 'omp', '--thinking=-x'], '--thinking is "-x", which begins with -'],
    [[...BASE, '--config', '--add-dir=/'], '--config is "--add-dir=/", which is no setting'],
    [[...BASE, '--config', 'model'], '--config is "model", which is no setting'],
    [[...BASE, '--image', 'none.png'], 'none.png cannot be read (ENOENT)'],
    [[...BASE, '--image', '.'], 'is no regular file'],
    [[...BASE, '--image', 'a,b.png'], 'has a comma in its path'],
    [[...BASE, '--output-schema', 'p.md'], 'p.md is no JSON'],
    [[...BASE, '--output-schema', 'list.json'], 'list.json is no JSON object'],
    [[...BASE, '--output-schema', 'schema.json', '--structured'], '--structured brings a schema of its own'],
    [[...BASE, '--pnpm-store', 'store'], '--pnpm-store store is no absolute path'],
    [[...BASE, '--pnpm-store', '/no/such/store'], '--pnpm-store /no/such/store is no folder'],
    [[...BASE, '--pnpm-store', os.tmpdir(), '--sandbox', 'read-only'], 'does nothing in sandbox read-only'],
    [[...BASE, '--token-limit', '1M'], '--token-limit is "1M"'],
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
