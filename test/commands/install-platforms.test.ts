import { describe, expect, it } from 'vitest';
import { ruleOffer } from '../../scripts-src/commands/install-rules.ts';
import { usersIn } from '../../scripts-src/commands/install-users.ts';
import { type LinkMaker, putLink } from '../../scripts-src/commands/make-link.ts';
import { commandLines } from '../../scripts-src/process/command-lines.ts';
import { scratch } from '../helpers/unit-run.ts';

function maker(platform: NodeJS.Platform, refused: Record<string, string>): LinkMaker & { made: string[] } {
  const made: string[] = [];
  return {
    platform,
    made,
    symlink(_to, _from, type) {
      const code = refused[type];
      if (code !== undefined) throw Object.assign(new Error(code), { code });
      made.push(type);
    },
  };
}

describe('a link', () => {
  const target = (): string => `${scratch()}/prun`;

  it('is a junction on Windows where nobody gave the right for a symlink', () => {
    const without = maker('win32', { dir: 'EPERM' });
    putLink(target(), 'C:\\prun', { kind: 'nothing' }, without);
    expect(without.made).toEqual(['junction']);
    const entitled = maker('win32', {});
    putLink(target(), 'C:\\prun', { kind: 'nothing' }, entitled);
    expect(entitled.made).toEqual(['dir']);
  });

  it('that cannot be made says what to do', () => {
    const next = (platform: NodeJS.Platform): string => {
      try {
        putLink(
          target(),
          '/prun',
          { kind: 'nothing' },
          maker(platform, { dir: 'EPERM', junction: 'EINVAL' }),
        );
        return 'made';
      } catch (error) {
        return (error as { next: string }).next;
      }
    };
    expect(next('win32')).toMatch(
      /^leave out --link: a copy does the same \(or switch on the Developer Mode/,
    );
    expect(next('linux')).toBe('leave out --link: a copy does the same');
  });
});

describe('command lines', () => {
  it('of macOS come from ps', async () => {
    const text =
      '    1 Mon Nov 30 10:00:00 2026     /sbin/launchd\n  742 Mon Nov 30 11:02:03 2026     node /p/scripts/prun.cjs supervise --run-dir /r\n';
    expect(await commandLines('darwin', () => text)).toEqual([
      { pid: 1, text: '/sbin/launchd' },
      { pid: 742, text: 'node /p/scripts/prun.cjs supervise --run-dir /r' },
    ]);
    expect(await commandLines('darwin', () => undefined)).toBeUndefined();
  });

  it('of Windows come from PowerShell, without those that are hidden', async () => {
    const rows = [
      { ProcessId: 4, CommandLine: null },
      { ProcessId: 9, CommandLine: 'node.exe "C:\\p\\scripts\\prun-mcp.cjs"' },
    ];
    expect(await commandLines('win32', () => JSON.stringify(rows))).toEqual([
      { pid: 9, text: 'node.exe "C:\\p\\scripts\\prun-mcp.cjs"' },
    ]);
    expect(await commandLines('win32', () => 'no JSON')).toBeUndefined();
  });

  it('tell who uses a folder', () => {
    const lines = [
      {
        pid: 1,
        text: '/bin/sh -c while … prun-guardian /usr/bin/node /a b/prun/scripts/reap-watch.cjs --state-dir /s',
      },
      { pid: 2, text: 'node /a b/prun/scripts/prun.cjs supervise --run-dir /r' },
      { pid: 3, text: 'node /a b/prun2/scripts/prun.cjs supervise --run-dir /r' },
      { pid: 4, text: 'less /a b/prun/scripts/README' },
      { pid: 5, text: 'node /a b/prun/scripts/prun.cjs install' },
    ];
    expect(usersIn(lines, '/a b/prun', new Set([5]), 'linux')).toEqual([
      { pid: 1, what: 'reap-watch' },
      { pid: 2, what: 'prun supervise' },
    ]);
  });
});

it('rules for a place without a blank in its path stand without quotes', () => {
  const { rules } = ruleOffer({ scope: 'project', base: '/p', folder: '/p/.claude/skills/prun' });
  expect(rules.at(-1)).toBe('Bash(node /p/.claude/skills/prun/scripts/*)');
});
