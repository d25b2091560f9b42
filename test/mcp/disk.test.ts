import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openRequests, postPrepared, prepareCancel } from '../../scripts-src/run/requests.ts';
import { mcpRooms } from '../helpers/mcp-room.ts';
import { processesOf } from '../helpers/process-table.ts';
import { unitSpec, writtenRun } from '../helpers/run-fixture.ts';
import { isRoot, scratch } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

const newRoom = mcpRooms();

it('a request that was prepared is none before it is posted, and is posted once', async () => {
  const { run } = await writtenRun(scratch(), 'prepared', [unitSpec('a')]);
  const prepared = { unit: 'a', by: '1-ab' };
  expect(postPrepared(run, prepared)).toBe(false);
  prepareCancel(run, prepared);
  expect(openRequests(run)).toEqual([]);
  expect([postPrepared(run, prepared), postPrepared(run, prepared)]).toEqual([true, false]);
  const [posted, ...more] = openRequests(run);
  expect(posted?.request).toMatchObject({ type: 'cancel', units: ['a'] });
  expect(more).toEqual([]);
});

/** A state home on a small disk of its own; undefined where none can be mounted. */
function smallDisk(folder: string): string | undefined {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return path.join(folder, 'state');
}

function fill(folder: string): void {
  try {
    for (let n = 0; ; n++) writeFileSync(path.join(folder, `fill-${n}`), Buffer.alloc(4096));
  } catch {
    // That is what was wanted.
  }
}

it.runIf(isRoot && process.platform === 'linux').each(['a cancelled call', 'a killed server'])(
  'on a full disk %s leaves no process, too',
  async (title) => {
    const room = newRoom();
    const disk = path.join(room.folder, 'disk');
    const stateHome = smallDisk(disk);
    if (stateHome === undefined) return;
    const began = path.join(room.folder, 'began');
    room.answers('any', 'shell', { cmd: `setsid sleep 752 & touch '${began}'; sleep 752` });
    const server = await room.connect({ flags: ['--codex-bin', room.codexBin, '--state-home', stateHome] });
    const controller = new AbortController();
    const input = { taskId: 't', prompt: 'Do it.', workspaceRoot: room.folder };
    const call = server.task('codex_implement', input, { signal: controller.signal }).catch((error) => error);
    await waitFor('the command of the worker', () => existsSync(began), 60_000);
    const alive = () => processesOf({ word: 'sleep 752' });
    expect(alive().length).toBeGreaterThan(1);
    fill(disk);
    if (title === 'a cancelled call') controller.abort();
    else process.kill(server.pid, 'SIGKILL');
    const attempts = path.join(
      stateHome,
      'runs',
      readdirSync(path.join(stateHome, 'runs'))[0] ?? '',
      'attempts',
    );
    const outcome = path.join(attempts, readdirSync(attempts)[0] ?? '', 'outcome.json');
    await waitFor('the outcome', () => existsSync(outcome), 60_000);
    expect(alive()).toEqual([]);
    expect(JSON.parse(readFileSync(outcome, 'utf8'))).toMatchObject({ status: 'cancelled', survivors: [] });
    await call;
  },
);
