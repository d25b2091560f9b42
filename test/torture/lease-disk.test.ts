import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openResourceRoom } from '../helpers/resource-room.ts';
import { waitFor } from '../helpers/wait-for.ts';

/** Only root may mount, and not everywhere. */
function canMount(): boolean {
  const probe = mkdtempSync(path.join(os.tmpdir(), 'prun-mount-probe-'));
  try {
    mount(probe);
    execFileSync('umount', ['-l', probe]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}

function mount(folder: string, options = 'size=128k'): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `${options},mode=700`, 'tmpfs', folder], { stdio: 'pipe' });
}

/** Writes until the disk is full. */
function fill(folder: string): string {
  const file = path.join(folder, 'filler');
  try {
    for (let bytes = 1; ; bytes++) writeFileSync(file, 'x'.repeat(1000 * bytes));
  } catch {
    // Full: also the last bytes.
    try {
      for (;;) writeFileSync(file, 'x'.repeat(100), { flag: 'a' });
    } catch {
      return file;
    }
  }
}

describe.runIf(canMount())('a resource home on a full disk', () => {
  const room = openResourceRoom();
  const place = (name: string, options?: string): { home: string; env: { PRUN_RESOURCE_HOME: string } } => {
    const home = path.join(room.folder, name);
    mkdirSync(home);
    mount(home, options);
    onTestFinished(() => {
      execFileSync('umount', ['-l', home]);
    });
    return { home, env: { PRUN_RESOURCE_HOME: home } };
  };

  it('starts nothing and says so; whoever holds ends as ever, and whoever waits goes on when there is room', async () => {
    const { home, env } = place('small');
    const gate = path.join(room.folder, 'gate');
    const script = `echo in; while [ ! -e '${gate}' ]; do sleep 0.05; done; exit 7`;
    const holder = room.start(['--resource', 'heavy', '--', 'sh', '-c', script], { env });
    await waitFor('the holder', () => holder.stdout() === 'in\n');
    const waiter = room.start(['--resource', 'heavy', '--', 'echo', 'in'], { env });
    await waitFor('the wait', () => waiter.stderr() !== '');
    const filler = fill(home);
    const refused = await room.run(['--resource', 'heavy', '--', 'true'], { env });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `resource-run: the resource home ${home} cannot be written (ENOSPC): make room on the disk, or give another folder with --resource-home\n`,
    ]);
    writeFileSync(gate, '');
    expect(await holder.end).toBe(7);
    // What the holder has left may be room enough.
    rmSync(filler);
    expect(await waiter.end).toBe(0);
  });

  it('that may only be read is refused', async () => {
    const { home, env } = place('read-only', 'ro');
    const { code, stderr } = await room.run(['--resource', 'heavy', '--', 'true'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(
      `the resource home ${home} cannot be written (EROFS): make it yours and writable`,
    );
  });
});
