import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readOutcome } from '../../scripts-src/unit/read-records.ts';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';
import { processesOf } from '../helpers/process-table.ts';
import { buildWithStandIn, placeWithWorkspace } from '../helpers/unit-in-workspace.ts';
import { program, scratch, testEnvironment } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

let scripts: string;
beforeAll(async () => {
  scripts = await buildWithStandIn('command-unit');
});

interface Wish {
  folder?: string;
  prompt?: string | Buffer;
  flags?: string[];
  environment?: Record<string, string>;
}

const sh = (text: string) => ['/bin/sh', '-c', text];

/** Starts `dispatch-task --executor command` as a user would. */
function dispatchCommand(words: string[], wish: Wish = {}) {
  const folder = wish.folder ?? scratch();
  const [prompt, result] = [path.join(folder, 'prompt.md'), path.join(folder, 'result.md')];
  writeFileSync(prompt, wish.prompt ?? 'Lint it.\n');
  const stateHome = path.join(folder, 'state');
  const argv = ['--executor', 'command', '--prompt-file', prompt, '--result-file', result];
  argv.push('--unit-id', 'lint', '--state-home', stateHome, ...(wish.flags ?? []), '--', ...words);
  const child = spawn(process.execPath, [path.join(scripts, 'dispatch-task.cjs'), ...argv], {
    cwd: folder,
    detached: true,
    env: testEnvironment(folder, wish.environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    text.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text.stderr += chunk;
  });
  const ended = new Promise<number>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? 128 + os.constants.signals[signal ?? 'SIGHUP']));
  });
  const stateDir = () => waitFor('the STATE-DIR line', () => /^STATE-DIR (.+)\n/.exec(text.stdout)?.[1]);
  const outcome = async (): Promise<OutcomeRecord> => {
    const dir = await stateDir();
    return waitFor(`the outcome in ${dir}; ${text.stderr}`, () => readOutcome(dir));
  };
  return { child, folder, result, text, ended, stateDir, outcome };
}

/** Runs it to its end. */
async function run(words: string[], wish: Wish = {}) {
  const { ended, outcome, result, text, folder, stateDir } = dispatchCommand(words, wish);
  const code = await ended;
  const dir = await stateDir();
  return {
    code,
    folder,
    stderr: text.stderr,
    outcome: await outcome(),
    resultText: existsSync(result) ? readFileSync(result, 'utf8') : undefined,
    state: (name: string) => readFileSync(path.join(dir, name), 'utf8'),
  };
}

const CONTRACT = '# lint result\\nConclusion: c\\nFiles: none\\nOpen items: none\\nVerification: none\\n';

describe.skipIf(process.platform === 'win32')('a command unit', () => {
  it('its stdout is the result when it writes none, and its stderr is in the tail, not in the result', async () => {
    const { code, outcome, resultText, state } = await run(sh('echo "warning" >&2; cat; echo done'));
    expect(code).toBe(0);
    expect(resultText).toBe('Lint it.\ndone\n');
    expect(outcome).toMatchObject({
      executor: 'command',
      status: 'succeeded',
      reason: 'ok',
      result: { origin: 'stdout', bytes: 14 },
    });
    expect(state('tail')).toBe('Lint it.\ndone\nwarning\n');
    expect(state('stderr')).toBe('warning\n');
  });

  it('what it writes to the result path stands, whatever it prints', async () => {
    const { outcome, resultText } = await run(
      sh(`echo chatter; printf '${CONTRACT}' >"$1"`).concat('sh', '{result_file}'),
    );
    expect(resultText?.startsWith('# lint result\nConclusion: c\n')).toBe(true);
    expect(outcome).toMatchObject({ status: 'succeeded', result: { origin: 'worker' } });
  });

  it('finds its prompt, its name and its folder in its words, and the prompt byte for byte on stdin', async () => {
    const prompt = Buffer.from('a\r\nb “c” \u0001\n\n');
    const show = sh('cmp "$1" - && pwd && printf "%s|" "$@"');
    const { outcome, resultText, folder } = await run(
      [...show, 'sh', '{prompt_file}', '{unit}:{workdir}', '{other}', 'a b', ''],
      { prompt },
    );
    const dir = outcome.stateDir;
    expect(outcome.status).toBe('succeeded');
    expect(resultText).toBe(`${dir}/work\n${dir}/prompt|lint:${dir}/work|{other}|a b||`);
    expect(dir.startsWith(folder)).toBe(true);
  });

  it('a program is looked up from where the caller stands, also when the work is elsewhere', async () => {
    const folder = scratch();
    program(folder, 'tools/lint.sh', 'echo "linted by $0"; pwd');
    const elsewhere = path.join(folder, 'else where');
    mkdirSync(elsewhere);
    const { resultText } = await run(['./tools/lint.sh'], { folder, flags: ['--workdir', elsewhere] });
    expect(resultText).toBe(`linted by ${folder}/tools/lint.sh\n${elsewhere}\n`);
  });

  it.each<[string, string, string, number]>([
    ['prints nothing and leaves nothing', 'true', 'failed no-result', 0],
    ['prints only white space', 'echo; echo " "', 'failed no-result', 0],
    ['prints to stderr alone', 'echo bad >&2', 'failed no-result', 0],
    ['leaves an empty result and prints nothing', ': >"$RESULT"', 'failed empty-result', 0],
    ['fails', 'echo half; exit 7', 'failed exit', 7],
    ['is killed', 'echo half; kill -9 $$', 'failed signal', 137],
  ])('one that %s has no result of its own', async (_title, text, verdict, code) => {
    const folder = scratch();
    const RESULT = path.join(folder, 'result.md');
    const ended = await run(sh(text), { folder, environment: { RESULT } });
    const { status, reason, result } = ended.outcome;
    expect([`${status} ${reason}`, ended.code, result?.origin]).toEqual([verdict, code, 'tail']);
    expect(ended.resultText).toContain('# lint result (FALLBACK');
  });

  it('a failure shows both streams in what prun saves', async () => {
    const { resultText } = await run(sh('echo "checked 3 files"; echo "a.c:1: syntax error" >&2; exit 1'));
    expect(resultText).toMatch(/checked 3 files\na\.c:1: syntax error\n$/);
  });

  it('a program that is not there is said so, with what to do, and codex is not mentioned', async () => {
    const { code, outcome, stderr, resultText } = await run(['./no-such-lint', 'x']);
    expect(code).toBe(127);
    expect(outcome).toMatchObject({ status: 'failed', reason: 'spawn' });
    expect(outcome.detail).toContain('no-such-lint was not found');
    expect(stderr + resultText).toContain('first word of its argv');
    expect(stderr + resultText).not.toMatch(/codex/i);
  });

  it('a script that cannot be run is said so', async () => {
    const folder = scratch();
    writeFileSync(path.join(folder, 'bad'), '#!/no/such/interpreter\n', { mode: 0o755 });
    const { outcome } = await run(['./bad'], { folder });
    expect(outcome).toMatchObject({ status: 'failed', reason: 'spawn' });
  });

  it('nothing that it leaves behind runs on, and what it had printed is still the result', async () => {
    const { outcome, resultText } = await run(
      sh('(trap "" TERM; exec sleep 300) & (setsid sh -c "sleep 300; echo late" &) ; echo answer'),
    );
    expect(outcome.status).toBe('succeeded');
    expect(outcome.survivors).toEqual([]);
    expect(resultText).toBe('answer\n');
    const unit = JSON.parse(readFileSync(path.join(outcome.stateDir, 'unit.json'), 'utf8'));
    expect(processesOf({ marker: unit.marker, rssMark: unit.rssMark })).toEqual([]);
  });

  it('sees no key of the host session, but its unit', async () => {
    const { resultText } = await run(sh('env'), {
      environment: { ANTHROPIC_API_KEY: 'k1', CLAUDE_X: 'k2', MINE: 'yes' },
    });
    expect(resultText).toMatch(/^MINE=yes$/m);
    expect(resultText).toMatch(/^PRUN_UNIT=lint-/m);
    expect(resultText).not.toMatch(/ANTHROPIC|CLAUDE/);
  });

  it('lines on stderr keep it alive, retry notices and silence do not', async () => {
    const step = (line: string) =>
      sh(`for i in 1 2 3 4 5 6 7 8; do echo ${line} >&2; sleep 0.5; done; echo ok`);
    const flags = ['--stall-threshold', '2'];
    const [moving, retrying] = await Promise.all([
      run(step('"step $i"'), { flags }),
      run(step('"Reconnecting... $i/8"'), { flags }),
    ]);
    expect(moving.outcome).toMatchObject({ status: 'succeeded', result: { origin: 'stdout' } });
    expect(retrying.outcome).toMatchObject({ status: 'failed', reason: 'idle-stall' });
    expect(retrying.code).toBe(124);
  });

  it('too much output on stderr is a flood as well', async () => {
    const { outcome, code } = await run(sh('yes >&2'), { flags: ['--max-output', '100000'] });
    expect(outcome).toMatchObject({ reason: 'output-limit' });
    expect(code).toBe(124);
  });

  it('an older result is not its own', async () => {
    const folder = scratch();
    writeFileSync(path.join(folder, 'result.md'), 'of yesterday');
    const { resultText, state } = await run(sh('echo today'), { folder });
    expect(resultText).toBe('today\n');
    expect(state('previous-result')).toBe('of yesterday');
  });

  it.each(['dispatch:drained', 'dispatch:answered', 'dispatch:salvaged'])(
    'whose dispatcher is killed at %s has the same result and outcome by its guardian',
    async (point) => {
      const { ended, outcome, result } = dispatchCommand(sh('echo noise >&2; echo answer'), {
        environment: { PRUN_FAULT: point },
      });
      expect(await ended).toBe(137);
      expect(await outcome()).toMatchObject({
        status: 'succeeded',
        reason: 'ok',
        supervisor: 'guardian',
        result: { origin: 'stdout', bytes: 7 },
      });
      expect(readFileSync(result, 'utf8')).toBe('answer\n');
    },
  );

  it('one in a clone may change nothing, and what it prints is no claim', async () => {
    const place = placeWithWorkspace(scripts);
    place.play('record', { files: [] });
    const { outcome } = await run(sh('echo "Files: src/never.ts checked"'), {
      flags: ['--workdir', place.clone],
    });
    expect(outcome).toMatchObject({
      status: 'succeeded',
      delta: { state: 'collected', files: 0 },
      claims: null,
      result: { origin: 'stdout' },
    });
  });

  it('one in a clone that prints a whole result is held to what that claims', async () => {
    const place = placeWithWorkspace(scripts);
    place.play('record', { files: [] });
    const fields = ['Conclusion: done', 'Files: src/never.ts', 'Open items: none', 'Verification: none'];
    const { outcome } = await run(
      sh(`printf '%s\\n' '# unit result' ${fields.map((one) => `'${one}'`).join(' ')}`),
      {
        flags: ['--workdir', place.clone],
      },
    );
    expect(outcome).toMatchObject({ status: 'failed', reason: 'claim-mismatch' });
  });
});

describe.skipIf(process.platform === 'win32')('the arguments of a command unit', () => {
  const dispatch = (...argv: string[]) => {
    const folder = scratch();
    writeFileSync(path.join(folder, 'p'), 'x');
    const all = [
      '--prompt-file',
      'p',
      '--result-file',
      'r',
      '--unit-id',
      'u',
      '--state-home',
      'state',
      ...argv,
    ];
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(scripts, 'dispatch-task.cjs'), ...all],
      {
        cwd: folder,
        env: testEnvironment(folder),
        encoding: 'utf8',
      },
    );
    return { status, stderr };
  };

  it.each<[string, string[], string]>([
    ['no command', ['--executor', 'command'], '--executor command has no command: give its words after --'],
    ['nothing after the dashes', ['--executor', 'command', '--'], 'has no command'],
    ['an empty program', ['--executor', 'command', '--', ''], 'has no command'],
    ['words before the dashes', ['--executor', 'command', 'ls', '--', 'ls'], 'unexpected argument "ls"'],
    ['words for codex', ['--', 'ls'], 'only --executor command takes words after --'],
    [
      'a setting of codex',
      ['--executor', 'command', '--model', 'm', '--', 'ls'],
      '--model does nothing for executor command',
    ],
    [
      'a switch of codex',
      ['--executor', 'command', '--no-isolate-mcp', '--', 'ls'],
      '--no-isolate-mcp does nothing for executor command',
    ],
    [
      'an unknown executor',
      ['--executor', 'bash', '--', 'ls'],
      '--executor is "bash": use codex, claude, omp, command',
    ],
  ])('%s is a usage error', (_title, argv, says) => {
    const { status, stderr } = dispatch(...argv);
    expect(status).toBe(2);
    expect(stderr).toContain(says);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('flags of the command are its own', () => {
    expect(
      dispatch('--executor', 'command', '--', '/bin/sh', '-c', 'echo "$@"', 'sh', '--help', '--model', '--')
        .status,
    ).toBe(0);
  });
});
