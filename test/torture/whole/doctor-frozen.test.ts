import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { doctorRoom } from '../../helpers/doctor-room.ts';
import { processesOf } from '../../helpers/process-table.ts';
import { isRoot } from '../../helpers/unit-run.ts';
import { waitFor } from '../../helpers/wait-for.ts';

// A frozen file system holds whoever writes to it, deaf to SIGKILL, as a network file system does whose server is gone.

it.runIf(isRoot)('a file system that gives no answer holds nobody up', async ({ skip, onTestFinished }) => {
  const room = doctorRoom();
  const mount = frozen(room.folder, onTestFinished);
  if (mount === undefined) skip();
  const stateHome = path.join(String(mount), 'state');
  const { code, checks, ok } = await room.json(['--timeout', '1', '--state-home', stateHome]);
  expect(checks.find(({ id }) => id === 'state-home')).toMatchObject({
    state: 'problem',
    fact: expect.stringContaining(`${stateHome} gives no answer`),
  });
  expect(checks.find(({ id }) => id === 'git')).toMatchObject({ state: 'ok' });
  expect({ ok, code }).toEqual({ ok: false, code: 30 });
  execFileSync('fsfreeze', ['-u', String(mount)]);
  await waitFor('the end of who was held', () => processesOf({ word: stateHome }).length === 0);
});

function frozen(folder: string, atEnd: (end: () => void) => void): string | undefined {
  const image = path.join(folder, 'image');
  const mount = path.join(folder, 'mount');
  mkdirSync(mount);
  const fd = openSync(image, 'w');
  ftruncateSync(fd, 32 * 1024 ** 2);
  closeSync(fd);
  try {
    execFileSync('mkfs.ext4', ['-q', image], { stdio: 'pipe' });
    execFileSync('mount', ['-o', 'loop', image, mount], { stdio: 'pipe' });
    mkdirSync(path.join(mount, 'state'), { mode: 0o700 });
    execFileSync('fsfreeze', ['-f', mount], { stdio: 'pipe' });
  } catch {
    // No loop devices here, as in most containers.
    return undefined;
  }
  atEnd(() => {
    try {
      execFileSync('fsfreeze', ['-u', mount], { stdio: 'pipe' });
    } catch {
      // The test has let it go.
    }
    execFileSync('umount', ['-l', mount]);
  });
  return mount;
}
