import { expect, it } from 'vitest';
import { startableArgv } from '../../scripts-src/platform/startable-argv.ts';

it.each<[string, string[], NodeJS.Platform, string, string[]]>([
  ['a program anywhere', ['/opt/codex', 'a b'], 'linux', '/opt/codex', ['a b']],
  ['a program of Windows', ['C:\\codex.exe', 'a b'], 'win32', 'C:\\codex.exe', ['a b']],
  [
    "npm's shim on Windows, by its shell",
    ['C:\\x y\\codex.CMD', 'login', 'say "hi"'],
    'win32',
    process.env.ComSpec ?? 'cmd.exe',
    ['/d', '/s', '/c', '""C:\\x y\\codex.CMD" "login" "say ""hi""""'],
  ],
])('%s is started as it can be', (_title, argv, platform, file, words) => {
  expect(startableArgv(argv, platform)).toEqual([file, words]);
});
