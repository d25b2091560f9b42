import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectEnd, openRoom, textOf } from '../helpers/room.ts';
import { program, SCRIPTS, USERS } from '../helpers/unit-run.ts';

// DESIGN.md §5: flags, variables, prompts and paths of dispatch-task.

const room = openRoom();
const OK = { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 } as const;

/** One wrong call. `folder` may be prepared; the message must hold every part of `says`. */
interface WrongCall {
  title: string;
  says: string[];
  prompt?: string | Uint8Array;
  argv?: (folder: string) => string[];
  environment?: Record<string, string>;
  prepare?: (folder: string) => void;
  /** root may read and write everything. */
  ordinaryOnly?: boolean;
}

const usual = (folder: string) => [
  '--prompt-file',
  `${folder}/prompt.md`,
  '--result-file',
  `${folder}/out/r.md`,
  '--unit-id',
  'u',
];
const plus =
  (...more: string[]) =>
  (folder: string) => [...usual(folder), ...more];

const WRONG: WrongCall[] = [
  { title: 'nothing at all', argv: () => [], says: ['--unit-id is missing'] },
  { title: 'no prompt file', argv: (f) => usual(f).slice(2), says: ['--prompt-file is missing'] },
  {
    title: 'no result file',
    argv: (f) => [...usual(f).slice(0, 2), '--unit-id', 'u'],
    says: ['--result-file is missing'],
  },
  { title: 'no unit id', argv: (f) => usual(f).slice(0, 4), says: ['--unit-id is missing'] },
  {
    title: 'an empty result file',
    argv: (f) => [...usual(f), '--result-file='],
    says: ['--result-file is ""'],
  },
  { title: 'a unit id with a slash', argv: plus('--unit-id', '../x'), says: ['--unit-id', '"../x"'] },
  { title: 'an empty unit id', argv: plus('--unit-id='), says: ['--unit-id', '""'] },
  { title: 'a unit id with a newline', argv: plus('--unit-id', 'a\nb'), says: ['--unit-id', '"a\\nb"'] },
  { title: 'a very long unit id', argv: plus('--unit-id', 'x'.repeat(5000)), says: ['--unit-id', '100'] },
  { title: 'an unknown flag', argv: plus('--no-such-flag'), says: ['unknown flag --no-such-flag'] },
  { title: 'a word without a flag', argv: plus('stray'), says: ['"stray"'] },
  { title: 'a flag without its value', argv: plus('--timeout'), says: ['--timeout'] },
  { title: 'an unknown executor', argv: plus('--executor', 'gpt'), says: ['--executor', '"gpt"', 'codex'] },
  {
    title: 'an unknown sandbox',
    argv: plus('--sandbox', 'open'),
    says: ['--sandbox', '"open"', 'read-only'],
  },
  {
    title: 'an unknown sandbox in the variable',
    argv: usual,
    environment: { CODEX_DISPATCH_SANDBOX: 'open' },
    says: ['CODEX_DISPATCH_SANDBOX', '"open"'],
  },
  ...['10m', '1.5', '-1', '1e3', '', '99999999999999999999'].map((value) => ({
    title: `a stall threshold of "${value}"`,
    argv: plus(`--stall-threshold=${value}`),
    says: ['--stall-threshold', JSON.stringify(value)],
  })),
  ...(
    [
      ['a flag of claude', ['--permission-mode', 'plan'], ['--permission-mode', 'executor codex']],
      [
        'a flag of codex for claude',
        ['--executor', 'claude', '--no-network'],
        ['--no-network', 'executor claude'],
      ],
      [
        'a program of codex for omp',
        ['--executor', 'omp', '--codex-bin', 'x'],
        ['--codex-bin', 'executor omp'],
      ],
      [
        'a schema for omp',
        ['--executor', 'omp', '--output-schema', 'x'],
        ['--output-schema', 'executor omp'],
      ],
      ['a setting without a value', ['--config', 'model'], ['--config', '"model"', 'key=value']],
      ['an image that is missing', ['--image', 'none.png'], ['--image', 'none.png', 'ENOENT']],
      ['an image with a comma in its name', ['--image', 'a,b.png'], ['--image', 'a,b.png', 'comma']],
      ['a schema that is missing', ['--output-schema', 'none'], ['--output-schema', 'none', 'ENOENT']],
      [
        'a schema that is no JSON',
        ['--output-schema', 'prompt.md'],
        ['--output-schema', 'prompt.md', 'JSON'],
      ],
      ['a store that is relative', ['--pnpm-store', 'out'], ['--pnpm-store', 'out', 'absolute']],
      ['a store that is missing', ['--pnpm-store', '/no/such/store'], ['--pnpm-store', '/no/such/store']],
      [
        'a store in a sandbox that writes nothing',
        ['--pnpm-store', '/', '--sandbox', 'read-only'],
        ['--pnpm-store', 'read-only'],
      ],
      [
        'a store that holds the work dir',
        ['--pnpm-store', '/'],
        ['pnpm store /', 'the workspace', 'lies in it'],
      ],
    ] as const
  ).map(([title, argv, says]) => ({ title, argv: plus(...argv), says: [...says] })),
  { title: 'a timeout that is none', argv: plus('--timeout', 'soon'), says: ['--timeout', '"soon"'] },
  {
    title: 'a timeout that is none in the variable',
    argv: usual,
    environment: { CODEX_DISPATCH_TIMEOUT: '10m' },
    says: ['CODEX_DISPATCH_TIMEOUT', '"10m"'],
  },
  {
    title: 'an output limit that is none',
    argv: plus('--max-output', '5 MB'),
    says: ['--max-output', '"5 MB"'],
  },
  {
    title: 'a work dir that is missing',
    argv: (f) => plus('--workdir', `${f}/absent`)(f),
    says: ['--workdir', '/absent'],
  },
  {
    title: 'a work dir that is a file',
    argv: (f) => plus('--workdir', `${f}/prompt.md`)(f),
    says: ['--workdir', '/prompt.md', 'not a folder'],
  },
  { title: 'an empty work dir', argv: plus('--workdir='), says: ['--workdir'] },
  {
    title: 'a state home that is a file',
    argv: (f) => plus('--state-home', `${f}/prompt.md`)(f),
    says: ['--state-home', '/prompt.md'],
  },
  {
    title: 'a prompt file that is missing',
    argv: (f) => plus('--prompt-file', `${f}/absent.md`)(f),
    says: ['--prompt-file', '/absent.md'],
  },
  {
    title: 'a prompt file that is a folder',
    argv: (f) => plus('--prompt-file', f)(f),
    says: ['--prompt-file', 'unit '],
  },
  {
    title: 'a prompt file that may not be read',
    prepare: (f) => chmodSync(`${f}/prompt.md`, 0),
    argv: usual,
    says: ['--prompt-file', '/prompt.md'],
    ordinaryOnly: true,
  },
  { title: 'an empty prompt', prompt: '', argv: usual, says: ['--prompt-file', '/prompt.md', 'empty'] },
  {
    title: 'a blank prompt',
    prompt: ' \r\n\t\n',
    argv: usual,
    says: ['--prompt-file', '/prompt.md', 'empty'],
  },
  {
    title: 'a huge prompt',
    prompt: 'x'.repeat(1_048_577),
    argv: usual,
    says: ['--prompt-file', '/prompt.md', '1048576'],
  },
  {
    title: 'a prompt that is not UTF-8',
    prompt: Buffer.from([97, 98, 99, 0xff, 100]),
    argv: usual,
    says: ['--prompt-file', '/prompt.md', 'UTF-8', 'offset 3'],
  },
  {
    title: 'a result path that is a folder',
    argv: (f) => plus('--result-file', f)(f),
    says: ['--result-file', 'unit ', 'directory'],
  },
  {
    title: 'a result below a file',
    argv: (f) => plus('--result-file', `${f}/prompt.md/r.md`)(f),
    says: ['--result-file', '/prompt.md'],
  },
  {
    title: 'a result folder that may not be written',
    prepare: (f) => mkdirSync(`${f}/closed`, { mode: 0o555 }),
    argv: (f) => plus('--result-file', `${f}/closed/r.md`)(f),
    says: ['--result-file', '/closed'],
    ordinaryOnly: true,
  },
  {
    title: 'a state home that may not be written',
    prepare: (f) => mkdirSync(`${f}/closed`, { mode: 0o555 }),
    argv: (f) => plus('--state-home', `${f}/closed`)(f),
    says: ['--state-home', '/closed'],
    ordinaryOnly: true,
  },
  {
    title: 'a start from within a worker',
    argv: usual,
    environment: { PRUN_UNIT: 'outer-1' },
    says: ['outer-1', '--allow-nested'],
  },
];

for (const { user, ...as } of USERS) {
  describe.concurrent(`a wrong call as ${user}`, () => {
    const calls = WRONG.filter(
      ({ ordinaryOnly }) => !ordinaryOnly || as.uid !== undefined || process.getuid?.() !== 0,
    );
    it.each(calls)('$title: exit 2, one line that names it, nothing left', async (call) => {
      const folder = room.folder();
      const prompt = path.join(folder, 'prompt.md');
      writeFileSync(prompt, call.prompt ?? 'Do it.\n', { mode: 0o644 });
      mkdirSync(path.join(folder, 'out'));
      chmodSync(path.join(folder, 'out'), 0o777);
      writeFileSync(path.join(folder, 'out', 'r.md'), 'precious\n');
      call.prepare?.(folder);
      const said = await room.run('dispatch-task', call.argv?.(folder) ?? [], {
        folder,
        ...as,
        environment: { CODEX_BIN: program(folder, 'codex', `touch '${folder}/ran'`), ...call.environment },
      });
      expect(said).toMatchObject({ code: 2, stdout: '' });
      expect(said.stderr).toMatch(/^dispatch-task: [^\n]+: [^\n]+\n$/);
      expect(said.stderr).not.toMatch(/\bat .+:\d+:\d+|node:internal/);
      for (const part of call.says) expect(said.stderr).toContain(part);
      expect(readdirSync(path.join(folder, 'state'))).toEqual([]);
      expect(existsSync(path.join(folder, 'ran'))).toBe(false);
      expect(textOf(path.join(folder, 'out', 'r.md'))).toBe('precious\n');
    });
  });
}

describe.concurrent('what stands at the result path', () => {
  it('is never moved where it is the prompt, also behind a link', async () => {
    for (const link of [false, true]) {
      const folder = room.folder();
      writeFileSync(path.join(folder, 'prompt.md'), 'Do it.\n');
      if (link) symlinkSync('prompt.md', path.join(folder, 'r.md'));
      const argv = [
        ...usual(folder),
        '--result-file',
        link ? 'r.md' : 'prompt.md',
        '--codex-bin',
        '/bin/true',
      ];
      const said = await room.run('dispatch-task', argv, { folder });
      expect(said).toMatchObject({ code: 2, stdout: '' });
      expect(said.stderr).toMatch(/^dispatch-task: --result-file \S.+ is the prompt file: .+\n$/);
      expect(textOf(path.join(folder, 'prompt.md'))).toBe('Do it.\n');
    }
  });

  it('is never moved where it is a pipe or a device', async () => {
    const folder = room.folder();
    writeFileSync(path.join(folder, 'prompt.md'), 'Do it.\n');
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const argv = [...usual(folder), '--codex-bin', '/bin/true', '--result-file', pipe];
    const said = await room.run('dispatch-task', argv, { folder });
    expect(said).toMatchObject({ code: 2, stdout: '' });
    expect(said.stderr).toContain(`--result-file ${pipe} is not a regular file`);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  it('is refused with a name that is too long', async () => {
    const folder = room.folder();
    writeFileSync(path.join(folder, 'prompt.md'), 'Do it.\n');
    const unit = room.dispatch({
      folder,
      resultFile: path.join(folder, 'x'.repeat(300)),
      worker: 'echo said',
    });
    // The name cannot be checked without making it: the unit runs, and says why nothing is there.
    const end = await unit.end();
    expectEnd(end, { status: 'failed', reason: 'no-result', origin: null, code: 74 });
    expect(end.outcome.resultError).toContain('ENAMETOOLONG');
  });

  it('needs a current folder that exists', async () => {
    const folder = room.folder();
    const gone = path.join(folder, 'gone');
    mkdirSync(gone);
    const script = path.join(SCRIPTS, 'dispatch-task.cjs');
    const file = program(
      folder,
      'from-gone',
      `cd gone; rmdir ../gone; exec "${process.execPath}" "${script}" "$@"`,
    );
    const said = await room.run('dispatch-task', usual(folder), { folder, file });
    expect(said).toMatchObject({ code: 2, stdout: '' });
    expect(said.stderr).toMatch(/^dispatch-task: the current folder does not exist any more: .+\n$/);
  });
});

describe.concurrent('a prompt reaches the worker byte for byte', () => {
  it.each([
    ['with CRLF', 'one\r\ntwo\r\n'],
    ['without a newline at its end', 'one'],
    ['with NUL and a byte order mark', '\ufeffone\0two\n'],
    ['with quotes, dollars and backslashes', `'"$HOME" \`id\` \\n %s\n`],
    ['of 200 KB', 'x'.repeat(200 * 1024)],
    ['of 1 MB', 'x'.repeat(1_048_576)],
    ['of 1,048,576 characters that are more bytes', '\u00e4'.repeat(1_048_576)],
  ])('%s', async (_, prompt) => {
    const end = await room.dispatch({ prompt, worker: 'cat >"$RESULT"' }).end();
    expectEnd(end, OK);
    expect(end.result === prompt).toBe(true);
    expect(readFileSync(path.join(end.stateDir, 'prompt'), 'utf8') === prompt).toBe(true);
  });
});

describe.concurrent('paths', () => {
  it.each([
    'with spaces',
    `'quotes" $HOME`,
    'new\nline',
    '-leading dash',
    '--result-file',
    '\u00e4\u6f22\u{1f600}',
  ])('named %j work', async (name) => {
    const folder = path.join(room.folder(), name);
    mkdirSync(folder);
    const end = await room
      .dispatch({
        folder,
        cwd: folder,
        resultFile: path.join(folder, `${name}.md`),
        worker: 'echo done >"$RESULT"',
      })
      .end();
    expectEnd(end, OK);
  });

  it('that begin with a dash are given behind an equals sign, relative', async () => {
    const folder = room.folder();
    writeFileSync(path.join(folder, '-p.md'), 'Do it.\n');
    mkdirSync(path.join(folder, '-w'));
    const bin = program(folder, '-codex', 'pwd >../-r.md');
    const said = await room.run(
      'dispatch-task',
      [
        '--prompt-file=-p.md',
        '--result-file=-r.md',
        '--unit-id=-u',
        '--workdir=-w',
        `--codex-bin=./${path.basename(bin)}`,
        '--state-home=-s',
      ],
      { folder },
    );
    expect(said.stderr).toBe('');
    expect(said.code).toBe(0);
    expect(said.stdout.startsWith(`STATE-DIR ${folder}/-s/prun-task-`)).toBe(true);
    expect(textOf(path.join(folder, '-r.md'))).toBe(`${folder}/-w\n`);
  });

  it('of a state home that is not there are made, private', async () => {
    const unit = room.dispatch({ flags: ['--state-home', 'a/b/c'], worker: 'echo done >"$RESULT"' });
    const end = await unit.end();
    expectEnd(end, OK);
    expect(end.stateDir.startsWith(path.join(unit.folder, 'a/b/c', 'prun-task-'))).toBe(true);
  });
});

describe.concurrent('settings', () => {
  const ARGV = 'printf "%s\\n" "$@" >"$RESULT"; printf "%s\\n" "$(pwd)" >>"$RESULT"';

  it('have the defaults of the contract', async () => {
    const end = await room.dispatch({ worker: ARGV }).end();
    expectEnd(end, OK);
    expect(end.result).toContain(
      '--sandbox\ndanger-full-access\n--skip-git-repo-check\n--ignore-user-config\n',
    );
    expect(end.result).toContain('model_reasoning_effort=xhigh\n');
    expect(end.result).not.toContain('\n-m\n');
  });

  it('come from the variables', async () => {
    const folder = room.folder();
    mkdirSync(path.join(folder, 'w'));
    const bin = program(folder, 'from-variable', ARGV);
    writeFileSync(path.join(folder, 'prompt.md'), 'Do it.\n');
    const said = await room.run('dispatch-task', usual(folder), {
      folder,
      environment: {
        RESULT: path.join(folder, 'out', 'r.md'),
        CODEX_BIN: bin,
        CODEX_DISPATCH_SANDBOX: 'read-only',
        CODEX_DISPATCH_REASONING: 'low',
        CODEX_DISPATCH_ISOLATE_MCP: 'off',
        CODEX_DISPATCH_TIMEOUT: '77',
        PRUN_STALL_THRESHOLD: '88',
        PRUN_SCRATCH_CWD: 'w',
      },
    });
    expect(said.code).toBe(0);
    const result = textOf(path.join(folder, 'out', 'r.md'));
    expect(result).toContain('--sandbox\nread-only\n');
    expect(result).toContain('model_reasoning_effort=low\n');
    expect(result).not.toContain('--ignore-user-config');
    expect(result?.endsWith(`\n${folder}/w\n`)).toBe(true);
    const unit = JSON.parse(readFileSync(path.join(said.stdout.slice(10).trim(), 'unit.json'), 'utf8'));
    expect(unit.limits).toEqual({ stallThresholdSeconds: 88, timeoutSeconds: 77, maxOutputBytes: 1024 ** 3 });
  });

  it('come from flags before variables', async () => {
    const folder = room.folder();
    for (const name of ['v', 'f']) mkdirSync(path.join(folder, name));
    const unit = room.dispatch({
      folder,
      worker: ARGV,
      environment: {
        CODEX_BIN: '/no/such/codex',
        CODEX_DISPATCH_SANDBOX: 'read-only',
        CODEX_DISPATCH_REASONING: 'low',
        CODEX_DISPATCH_TIMEOUT: '77',
        PRUN_STALL_THRESHOLD: '88',
        PRUN_SCRATCH_CWD: 'v',
        TMPDIR: path.join(folder, 'v'),
      },
      flags: [
        '--sandbox=workspace-write',
        '--reasoning-effort=high',
        '--timeout=7',
        '--stall-threshold=8',
        '--workdir=f',
        '--state-home=f',
        '--model=m1',
        '--max-output=2K',
        '--no-isolate-mcp',
      ],
    });
    const end = await unit.end();
    expectEnd(end, OK);
    expect(end.result).toContain('--sandbox\nworkspace-write\n');
    expect(end.result).toContain('-m\nm1\n');
    expect(end.result).toContain('model_reasoning_effort=high\n');
    expect(end.result).toContain(`--add-dir\n${folder}\n`);
    expect(end.result?.endsWith(`\n${folder}/f\n`)).toBe(true);
    expect(path.dirname(end.stateDir)).toBe(path.join(folder, 'f'));
    expect((await unit.unitRecord()).limits).toEqual({
      stallThresholdSeconds: 8,
      timeoutSeconds: 7,
      maxOutputBytes: 2048,
    });
  });

  it('take --unit or --phase for --unit-id and --brief for --prompt-file', async () => {
    const folder = room.folder();
    writeFileSync(path.join(folder, 'p.md'), 'Do it.\n');
    const bin = program(folder, 'codex', `cat >'${folder}/r.md'`);
    for (const name of ['--unit', '--phase']) {
      const said = await room.run(
        'dispatch-task',
        ['--brief', 'p.md', name, 'other', '--result-file', 'r.md', '--codex-bin', bin],
        { folder },
      );
      expect(said).toMatchObject({ code: 0, stderr: '' });
      expect(said.stdout).toContain('-other-');
    }
  });

  it('--help tells of all of them on stdout', async () => {
    const said = await room.run('dispatch-task', ['--help'], {
      folder: room.folder(),
      environment: { PRUN_UNIT: '' },
    });
    expect(said).toMatchObject({ code: 0, stderr: '' });
    for (const flag of [
      '--pass-env',
      '--allow-nested',
      '--contain',
      '--max-output',
      'CODEX_DISPATCH_ISOLATE_MCP',
    ])
      expect(said.stdout).toContain(flag);
  });
});

describe.concurrent('the launcher in sh', () => {
  const call = async (file: string, cwd: string, folder: string) => {
    writeFileSync(path.join(folder, 'p.md'), 'Do it.\n');
    const bin = program(folder, 'codex', `cat >'${folder}/r.md'; exit 5`);
    const argv = [
      '--prompt-file',
      `${folder}/p.md`,
      '--result-file',
      `${folder}/r.md`,
      '--unit-id',
      'u',
      '--codex-bin',
      bin,
    ];
    const said = await room.run('dispatch-task', argv, { folder, cwd, file });
    expect(said.stderr).toBe('');
    expect(said.stdout).toMatch(/^STATE-DIR \/.+\n$/);
    // The exit code of the worker comes through.
    expect(said.code).toBe(5);
    expect(textOf(path.join(folder, 'r.md'))).toBe('Do it.\n');
  };

  it('works from another folder', async () => {
    const folder = room.folder();
    await call(path.join(SCRIPTS, 'dispatch-task.sh'), '/', folder);
  });

  it('works through symbolic links, relative ones too, from a folder with spaces', async () => {
    const folder = room.folder();
    const copy = path.join(folder, 'a copy of prun');
    cpSync(SCRIPTS, copy, { recursive: true });
    mkdirSync(path.join(folder, 'bin dir'));
    symlinkSync('../a copy of prun/dispatch-task.sh', path.join(folder, 'bin dir', 'second'));
    symlinkSync(path.join(folder, 'bin dir', 'second'), path.join(folder, 'first'));
    await call(path.join(folder, 'first'), path.join(folder, 'bin dir'), folder);
  });
});
