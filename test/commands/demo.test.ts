import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../scripts-src/render/cells.ts';
import { processesOf } from '../helpers/process-table.ts';
import { isRoot, ORDINARY_UID, SCRIPTS, scratch } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

const PRUN = path.join(SCRIPTS, 'prun.cjs');

interface Run {
  child: ReturnType<typeof spawn>;
  stdout(): string;
  stderr(): string;
  code: Promise<number>;
}

interface RunOptions {
  argv?: string[];
  environment?: Record<string, string>;
  uid?: number;
  command?: [string, string[]];
  stdin?: 'ignore' | 'pipe';
}

/** Runs the compiled prun as a user would: no HOME, a temp folder with a space in its name, its own session. */
function runPrun(temp: string, options: RunOptions = {}): Run {
  const [file, argv] = options.command ?? [process.execPath, [PRUN, ...(options.argv ?? ['demo'])]];
  const child = spawn(file, argv, {
    cwd: temp,
    detached: true,
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TMPDIR: temp, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = new Promise<number>((resolve) => {
    child.once('close', (exit, signal) =>
      resolve(exit ?? 128 + (os.constants.signals[signal ?? 'SIGHUP'] ?? 0)),
    );
  });
  return { child, stdout: () => stdout, stderr: () => stderr, code };
}

/** A temp folder of its own: whatever the demo starts names it in its command line. */
function tempFolder(): string {
  const temp = scratch();
  chmodSync(temp, 0o777);
  return temp;
}

const leftIn = (temp: string) => ({ folders: readdirSync(temp), processes: processesOf({ word: temp }) });
const NOTHING = { folders: [], processes: [] };
const PROOF =
  /^no process left: looked for 5 units' marks, dispatchers and guardians in \d+ processes, found 0$/m;

describe('prun demo', () => {
  it('shows five outcomes, a patch that applies, and leaves what --keep asks for', async () => {
    const temp = tempFolder();
    const run = runPrun(temp, { argv: ['demo', '--json', '--keep'] });
    expect({ code: await run.code, stderr: run.stderr() }).toEqual({ code: 0, stderr: '' });
    expect(processesOf({ word: temp })).toEqual([]);
    const report = JSON.parse(run.stdout());
    expect(report).toMatchObject({ schema: 1, ok: true, kept: true, left: [], differences: [] });
    expect(report.lookedThrough).toBeGreaterThan(1);
    const told = report.units.map((unit: Record<string, unknown> & { result: { origin: string } }) => [
      unit.unit,
      unit.mode,
      unit.status,
      unit.reason,
      unit.result.origin,
      unit.exitCode,
    ]);
    expect(told).toEqual([
      ['answer', 'scratch', 'succeeded', 'ok', 'worker', 0],
      ['change', 'clone', 'succeeded', 'ok', 'worker', 0],
      ['forget', 'scratch', 'failed', 'no-result', 'last-message', 0],
      ['hang', 'scratch', 'failed', 'idle-stall', 'last-message', null],
      ['crash', 'scratch', 'failed', 'exit', 'tail', 1],
    ]);
    // The shim, the worker, its command, and what that left in a session of its own.
    expect(report.units[3].reaped.map(({ command }: { command: string }) => command).sort()).toEqual([
      'node',
      'node',
      'node',
      'sh',
    ]);
    const { folder } = report;
    expect(path.dirname(folder)).toBe(temp);
    const patch = path.join(folder, 'agent-io/change.patch');
    expect(readFileSync(patch, 'utf8')).toBe(report.patch);
    expect(report.patch).toContain('+++ b/src/titles.mjs');
    const git = (...argv: string[]) =>
      execFileSync('git', ['-c', 'safe.directory=*', '-C', path.join(folder, 'project'), ...argv], {
        encoding: 'utf8',
      });
    git('apply', '--check', patch);
    expect(git('status', '--porcelain')).toBe('');
    expect(readFileSync(path.join(folder, 'agent-io/ledger.md'), 'utf8')).toMatch(
      /^\| hang \| codex \| scratch \| failed \| idle-stall \| [\d.]+s \| agent-io\/r-hang\.md \|$/m,
    );
    expect(readFileSync(path.join(folder, 'agent-io/r-crash.md'), 'utf8')).toContain('as it was meant to');
    rmSync(folder, { recursive: true });
    expect(leftIn(temp)).toEqual(NOTHING);
  });

  it('tells it in plain lines where there is no terminal, as an ordinary user, and leaves nothing', async () => {
    const temp = tempFolder();
    const run = runPrun(temp, isRoot ? { uid: ORDINARY_UID } : {});
    expect({ code: await run.code, stderr: run.stderr() }).toEqual({ code: 0, stderr: '' });
    expect(leftIn(temp)).toEqual(NOTHING);
    const text = run.stdout();
    expect(text).not.toContain('\x1b');
    expect(text).toMatch(/^ +\d+\.\ds {2}change {2}running {4}\$ node test\/titles\.test\.mjs$/m);
    expect(text).toMatch(/hang {4}quiet .*the limit is 3s$/m);
    expect(text).toMatch(/hang {4}reaping/);
    expect(text).toMatch(/^hang: failed \(idle-stall\)/m);
    expect(text).toMatch(/^forget {2}codex {5}scratch {2}failed/m);
    expect(text).toMatch(/^Patch \(agent-io\/change\.patch, applies to the base\)$/m);
    expect(text).toMatch(PROOF);
    expect(text).toMatch(/^all 5 units .*: 2 succeeded, 1 forgot its result, 1 reaped, 1 crashed$/m);
    expect(text.split('\n').length).toBeLessThan(110);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends all workers on %s and leaves nothing', async (signal, code) => {
    const temp = tempFolder();
    const run = runPrun(temp);
    // Other demos may run at the same time: only this one's process counts.
    await waitFor('the process in its own session', () =>
      processesOf({ word: temp }).some(({ argv }) => argv.endsWith('never-ends.cjs grandchild')),
    );
    const at = performance.now();
    run.child.kill(signal);
    expect(await run.code).toBe(code);
    expect(performance.now() - at).toBeLessThan(5000);
    expect(leftIn(temp)).toEqual(NOTHING);
    expect(run.stderr()).toMatch(
      new RegExp(`^prun demo: ended by ${signal}, \\d units stopped; no process left: `),
    );
  });

  it('ends all workers when nobody reads any more', async () => {
    const temp = tempFolder();
    const run = runPrun(temp);
    await waitFor('the first line', () => run.stdout() !== '');
    run.child.stdout?.destroy();
    expect(await run.code).toBe(143);
    expect(leftIn(temp)).toEqual(NOTHING);
  });
});

describe('prun demo in a terminal', () => {
  const inTerminal = (temp: string, columns: number, environment: Record<string, string> = {}) =>
    runPrun(temp, {
      command: [
        'script',
        ['-qec', `stty cols ${columns} rows 40; exec "${process.execPath}" "${PRUN}" demo`, '/dev/null'],
      ],
      environment: { TERM: 'xterm', ...environment },
    });

  it('redraws a board within the width, and gives the cursor back', async () => {
    const temp = tempFolder();
    const run = inTerminal(temp, 50);
    expect(await run.code).toBe(0);
    expect(leftIn(temp)).toEqual(NOTHING);
    const text = run.stdout();
    expect(text.split('\x1b[6A\r').length).toBeGreaterThan(30);
    expect(text.split('\x1b[?25l')).toHaveLength(2);
    expect(text.lastIndexOf('\x1b[?25h')).toBeGreaterThan(text.lastIndexOf('\x1b[6A'));
    const lines = text.replace(/\x1b\[\??[\d;]*[A-Za-z]/g, '').split(/[\r\n]+/);
    for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(50);
    expect(text).toContain('\x1b[33mreaping');
  });

  it('writes lines without any escape code under NO_COLOR', async () => {
    const temp = tempFolder();
    const run = inTerminal(temp, 40, { NO_COLOR: '1' });
    expect(await run.code).toBe(0);
    expect(run.stdout()).not.toContain('\x1b');
    for (const line of run.stdout().split(/\r?\n/)) expect(cellsOf(line)).toBeLessThanOrEqual(40);
    expect(run.stdout()).toMatch(/reaping/);
  });
});

describe('prun, called wrongly', () => {
  const noGit = (temp: string) => {
    const bin = path.join(temp, 'bin');
    mkdirSync(bin);
    symlinkSync('/bin/sh', path.join(bin, 'sh'));
    return { PATH: bin };
  };

  it.each([
    [[], 'prun: no command was given: see prun --help\n'],
    [['nonsense'], 'prun: there is no command "nonsense": see prun --help\n'],
    [['constructor'], 'prun: there is no command "constructor": see prun --help\n'],
    [['demo', '--fast'], "prun demo: Unknown option '--fast': see prun demo --help\n"],
    [['demo', 'now'], "prun demo: Unexpected argument 'now': see prun demo --help\n"],
  ])('%j is a usage error', async (argv, stderr) => {
    const run = runPrun(scratch(), { argv });
    expect([await run.code, run.stdout(), run.stderr()]).toEqual([2, '', stderr]);
  });

  it.each([
    ['--help', /^usage: prun <command>[\s\S]*\n {2}demo {3}/],
    ['demo --help', /^usage: prun demo \[--codex\][\s\S]*exit: /],
  ])('%s helps', async (line, text) => {
    const run = runPrun(scratch(), { argv: line.split(' ') });
    expect([await run.code, run.stderr()]).toEqual([0, '']);
    expect(run.stdout()).toMatch(text);
  });

  it('refuses to start within a worker', async () => {
    const temp = scratch();
    const run = runPrun(temp, { environment: { PRUN_UNIT: 'api-1' } });
    expect(await run.code).toBe(2);
    expect(run.stderr()).toBe(
      'prun demo: this is a worker of unit api-1, and a worker must not start prun again: run the demo from a shell of your own\n',
    );
    expect(leftIn(temp)).toEqual(NOTHING);
  });

  it('says that git is missing, and leaves no folder', async () => {
    const temp = scratch();
    const run = runPrun(temp, { environment: noGit(temp) });
    expect(await run.code).toBe(2);
    expect(run.stderr()).toBe(
      'prun demo: git was not found in PATH: install git (https://git-scm.com) and try again\n',
    );
    expect(readdirSync(temp)).toEqual(['bin']);
  });

  it('says that the temp folder cannot be used', async () => {
    const temp = scratch();
    const run = runPrun(temp, { environment: { TMPDIR: path.join(temp, 'missing') } });
    expect(await run.code).toBe(2);
    expect(run.stderr()).toMatch(
      /^prun demo: the temp folder .*missing cannot be used .*: set TMPDIR to a writable folder\n$/,
    );
  });

  it.each([
    ['missing', { CODEX_BIN: './no-codex' }, /no-codex was not found: install the Codex CLI/],
    ['not signed in', { CODEX_BIN: './codex' }, /codex is not signed in \(Not logged in\): run codex login/],
  ])('says that codex is %s', async (_, environment, message) => {
    const temp = scratch();
    writeFileSync(path.join(temp, 'codex'), '#!/bin/sh\necho "Not logged in" >&2\nexit 1\n', { mode: 0o755 });
    const run = runPrun(temp, { argv: ['demo', '--codex'], environment });
    expect([await run.code, run.stdout()]).toEqual([2, '']);
    expect(run.stderr()).toMatch(message);
    expect(readdirSync(temp)).toEqual(['codex']);
  });
});
