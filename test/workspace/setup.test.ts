import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runSetup, type SetupRequest } from '../../scripts-src/workspace/setup/setup.ts';
import { setupCommand } from '../../scripts-src/workspace/setup/setup-command.ts';
import { processesOf } from '../helpers/process-table.ts';
import { scratch, testEnvironment } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

const isPosix = process.platform !== 'win32';
const isLinux = process.platform === 'linux';

function request(command: string, more: Partial<SetupRequest> = {}): SetupRequest {
  const folder = scratch();
  const environment = testEnvironment(folder);
  return { folder, command, log: path.join(folder, 'setup.log'), environment, timeoutSeconds: 60, ...more };
}

it('runs a command line in the folder, keeps its output and its exit code', async () => {
  const asked = request(isPosix ? 'pwd; echo "a  b" >&2; exit 7' : 'cd & echo a& exit 7');
  const result = await runSetup(asked);
  expect(result).toMatchObject({ exitCode: 7, how: 'exit', leftBehind: [], survivors: [] });
  const log = readFileSync(asked.log, 'utf8');
  expect(log).toContain(asked.folder);
  if (!isPosix) return;
  expect(log).toContain('a  b');
  expect(statSync(asked.log).mode & 0o777).toBe(0o600);
});

it('has an empty stdin and the given environment', async () => {
  const asked = request(isPosix ? 'cat; echo "$PORT"' : 'echo %PORT%');
  asked.environment = { ...asked.environment, PORT: '20010' };
  expect(await runSetup(asked)).toMatchObject({ exitCode: 0 });
  expect(readFileSync(asked.log, 'utf8').trim()).toBe('20010');
});

it.runIf(isPosix)('a signal is 128+n', async () => {
  expect(await runSetup(request('kill -9 $$'))).toMatchObject({ exitCode: 137, how: 'exit' });
});

it.runIf(isLinux)(
  'what it leaves in the background is ended and named: daemons, cleared environments, sessions',
  async () => {
    const asked = request(
      [
        `sh -c 'touch a; exec sleep 621' &`,
        `setsid sh -c 'touch b; exec sleep 622' >/dev/null 2>&1 &`,
        `(env -i setsid sh -c '/bin/touch c; exec /bin/sleep 623' &)`,
        `sh -c 'trap "" TERM HUP; touch d; exec sleep 624' &`,
        'while [ ! -e a ] || [ ! -e b ] || [ ! -e c ] || [ ! -e d ]; do sleep 0.01; done',
      ].join('\n'),
    );
    const result = await runSetup(asked);
    expect(result).toMatchObject({ exitCode: 0, how: 'exit', survivors: [] });
    expect(result.leftBehind.length).toBe(4);
    for (const word of ['621', '622', '623', '624'])
      expect(processesOf({ word: `sleep ${word}` })).toEqual([]);
  },
);

it.runIf(isLinux)('over its time it ends with all that it started, TERM-ignorers too: 124', async () => {
  const asked = request(
    `trap '' TERM\nsleep 611 & \nenv -i setsid sleep 612 &\nwhile :; do sleep 613; done`,
    {
      timeoutSeconds: 1,
    },
  );
  const result = await runSetup(asked);
  expect(result).toMatchObject({ exitCode: 124, how: 'timeout', survivors: [] });
  expect(result.seconds).toBeLessThan(20);
  for (const word of ['611', '612', '613']) {
    expect(processesOf({ word: `sleep ${word}` })).toEqual([]);
  }
});

it.runIf(isPosix)('an interruption asks first, so that the command can clean up', async () => {
  const stop = new AbortController();
  const asked = request(`trap 'echo cleaned; exit 0' TERM\necho ready\nwhile :; do sleep 0.05; done`, {
    signal: stop.signal,
  });
  const running = runSetup(asked);
  await waitFor(
    'the command',
    () => existsSync(asked.log) && readFileSync(asked.log, 'utf8').includes('ready'),
  );
  stop.abort();
  expect(await running).toMatchObject({ exitCode: 130, how: 'interrupted', survivors: [] });
  expect(readFileSync(asked.log, 'utf8')).toContain('cleaned');
});

it.runIf(isPosix)('tells of its progress only when it takes over a second', async () => {
  const told: [number, string][] = [];
  const onProgress = (seconds: number, line: string) => told.push([seconds, line]);
  await runSetup(request('true', { onProgress }));
  expect(told).toEqual([]);
  const flag = path.join(scratch(), 'go');
  const slow = request(
    `printf 'one\\n\\033[2K\\033[32mtwo\\033[0m\\n'; while [ ! -e '${flag}' ]; do sleep 0.05; done`,
    {
      onProgress: (seconds, line) => {
        onProgress(seconds, line);
        writeFileSync(flag, '');
      },
    },
  );
  expect(await runSetup(slow)).toMatchObject({ exitCode: 0 });
  expect(told[0]).toEqual([1, 'two']);
});

it('a folder that has gone is an error that says so', async () => {
  const asked = request('true');
  const folder = path.join(asked.folder, 'gone');
  await expect(runSetup({ ...asked, folder })).rejects.toThrow(/cannot be started in .*gone/);
});

it('marks are below those of the unit in which prun runs, and cmd gets its line in quotes', () => {
  const nested = setupCommand('npm ci', { PRUN_UNIT: 'api' }, 'linux');
  expect(nested.marker).toMatch(/^api\/setup-[0-9a-f]{12}$/);
  expect(nested.environment.PRUN_UNIT).toBe(nested.marker);
  expect(Number(nested.rssMark)).toBeGreaterThanOrEqual(2 ** 52);
  expect(Number(nested.rssMark)).toBeLessThan(2 ** 53);
  const windows = setupCommand('npm ci && echo "a b"', { ComSpec: 'C:\\cmd.exe' }, 'win32');
  expect(windows).toMatchObject({ file: 'C:\\cmd.exe', isVerbatim: true, rssMark: null });
  expect(windows.argv).toEqual(['/d', '/s', '/c', '"npm ci && echo "a b""']);
});
