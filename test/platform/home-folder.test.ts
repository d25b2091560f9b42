import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { claudeHomeOf } from '../../scripts-src/executor/claude-home.ts';
import { homeFolder } from '../../scripts-src/platform/home-folder.ts';
import { stateHome } from '../../scripts-src/platform/state-home.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

// On Windows Node reads USERPROFILE.
it.skipIf(process.platform === 'win32').each(['', 'somewhere', '.'])(
  'HOME=%j puts nothing into the current folder',
  (home) => {
    vi.stubEnv('HOME', home);
    const real = os.userInfo().homedir;
    expect(homeFolder()).toBe(real);
    expect(stateHome({})).toBe(path.join(real, '.local/state/prun'));
    expect(claudeHomeOf({ HOME: '' })).toBe(path.join(real, '.claude'));
  },
);

it.skipIf(process.platform === 'win32')('a HOME of its own counts', () => {
  vi.stubEnv('HOME', '/else/where');
  expect(homeFolder()).toBe('/else/where');
});
