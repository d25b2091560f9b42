import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { currentHost } from '../../scripts-src/process/host.ts';
import { runVerify, type VerifyRequest } from '../../scripts-src/supervise/verify.ts';
import { processesOf } from '../helpers/process-table.ts';
import { scratch, testEnvironment } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

const MARKER = `verify-test-${process.pid}`;

async function verify(command: string, wish: Partial<VerifyRequest> = {}) {
  const folder = scratch();
  const workdir = path.join(folder, 'clone');
  mkdirSync(workdir);
  const log = path.join(folder, 'verify.log');
  const started = runVerify({
    host: await currentHost(),
    command,
    workdir,
    log,
    environment: testEnvironment(folder),
    marker: MARKER,
    timeoutSeconds: 0,
    ...wish,
  });
  return { started, workdir, text: () => readFileSync(log, 'utf8') };
}

/** Runs it to its end. */
async function ended(command: string, wish: Partial<VerifyRequest> = {}) {
  const { started, workdir, text } = await verify(command, wish);
  const { exitCode } = await started;
  return { exitCode, workdir, text: text() };
}

/** Processes that carry the marker of a verify command of this file. */
const alive = () => processesOf({ marker: MARKER, rssMark: null });

describe.skipIf(process.platform === 'win32')('a verify command', () => {
  it.each<[string, number]>([
    ['true', 0],
    ['exit 3', 3],
    ['false | true', 0],
    ['test -z "$(cat)"', 0],
    ['kill -9 $$', 137],
    ['kill -TERM $$', 143],
    ['no-such-program-here', 127],
  ])('%j ends with %d', async (command, exitCode) => {
    expect((await ended(command)).exitCode).toBe(exitCode);
  });

  it('runs in the workspace, and its log has what it printed, both streams in one', async () => {
    const { text, workdir } = await ended('pwd; echo bad >&2; echo good');
    expect(text.split('\n').sort()).toEqual(['', workdir, 'bad', 'good'].sort());
  });

  it('gets no key of the host session, but what was told and what is passed on', async () => {
    const environment = { ...testEnvironment('/'), ANTHROPIC_API_KEY: 'k', CLAUDE_X: 'x', PORT: '80' };
    const wish = { environment, passEnv: ['CLAUDE_X'], told: { PORT: '41000' } };
    const { text } = await ended('env', wish);
    expect(text).toMatch(/^CLAUDE_X=x$/m);
    expect(text).toMatch(/^PORT=41000$/m);
    expect(text).not.toContain('ANTHROPIC');
    expect(text).toMatch(new RegExp(`^PRUN_UNIT=${MARKER}/`, 'm'));
  });

  it('is over when its time is up, and nothing of it runs on, however it hides', async () => {
    const hide =
      'trap "" TERM HUP; setsid sh -c "trap \'\' TERM; sleep 300" & (sleep 300 &) ; echo begun; sleep 300';
    const { exitCode, text } = await ended(hide, { timeoutSeconds: 1 });
    expect(exitCode).toBe(124);
    expect(text).toContain('begun');
    expect(alive()).toEqual([]);
  });

  it('nothing that it leaves behind runs on, also where it holds the output open', async () => {
    const { exitCode } = await ended('sleep 300 & setsid sleep 300 & exit 0');
    expect(exitCode).toBe(0);
    expect(alive()).toEqual([]);
  });

  it('ends with 130 when it is stopped', async () => {
    let stop = () => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const { started, workdir } = await verify('touch begun; sleep 300', { stop: stopped });
    await waitFor('the start of the command', () => existsSync(path.join(workdir, 'begun')));
    stop();
    expect(await started).toEqual({ exitCode: 130 });
    expect(alive()).toEqual([]);
  });

  it('a flood of output is kept in part, and does not end it', async () => {
    const { exitCode, text } = await ended('head -c 30000000 /dev/zero | tr "\\0" x; echo; echo the end');
    expect(exitCode).toBe(0);
    expect(text.length).toBeLessThan(6 * 1024 * 1024);
    expect(text).toMatch(/\d+ bytes are left out here/);
    expect(text.endsWith('\nthe end\n')).toBe(true);
  });

  it.each<[string, (folder: string) => Partial<VerifyRequest>]>([
    ['a workspace that has gone', (folder) => ({ workdir: path.join(folder, 'gone') })],
    ['a log that cannot be made', (folder) => ({ log: path.join(folder, 'file/log') })],
  ])('%s is a failure of the check, and no exception', async (_title, wish) => {
    const folder = scratch();
    writeFileSync(path.join(folder, 'file'), '');
    const { started } = await verify('true', wish(folder));
    expect(await started).toEqual({ exitCode: 126 });
  });
});
