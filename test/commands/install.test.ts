import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { installRoom, treeOf } from '../helpers/install-room.ts';
import { asTerminal } from '../helpers/terminal.ts';

it('a project gets the whole folder with its modes, the rules are printed, and no settings are written', async () => {
  const room = installRoom();
  execFileSync('git', ['init', '-q', room.project]);
  const release = room.release('1');
  // Archives and Windows lose the modes.
  for (const name of readdirSync(path.join(release, 'scripts'))) {
    chmodSync(path.join(release, 'scripts', name), 0o600);
  }
  writeFileSync(path.join(release, '.DS_Store'), 'no part of prun');
  const count = Object.keys(treeOf(release)).length - 1;
  const dry = await room.install(release, ['--dry-run']);
  expect(dry.lines).toEqual([
    `DRY-RUN INSTALLED ${room.target}`,
    `FILES added=${count} replaced=0 removed=0 same=0`,
  ]);
  expect(readdirSync(room.project)).toEqual(['.git']);

  const umask = process.umask(0o077);
  const { code, stdout, stderr } = await room.install(release).finally(() => process.umask(umask));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const rules = [
    'Skill(prun)',
    'Bash(codex login status)',
    'Bash(node .claude/skills/prun/scripts/*)',
    `Bash(node "${room.target}/scripts/*)`,
  ];
  expect(stdout.trimEnd().split('\n')).toEqual([
    `INSTALLED ${room.target}`,
    `FILES added=${count} replaced=0 removed=0 same=0`,
    'NOTE git shows .claude/skills/prun as new: commit it for all who work on the project, or add /.claude/skills/prun/ to .git/info/exclude for yourself',
    ...rules.map((rule) => `RULE ${rule}`),
    `SETTINGS ${room.project}/.claude/settings.local.json`,
    `JSON ${JSON.stringify({ permissions: { allow: rules } })}`,
  ]);
  for (const [file, facts] of Object.entries(treeOf(room.target))) {
    const isProgram = /^scripts\/.*\.(?:cjs|sh)$/.test(file);
    expect(`${file} ${facts.split(' ')[0]}`).toBe(`${file} ${isProgram ? 755 : 644}`);
    expect(readFileSync(path.join(room.target, file)).equals(readFileSync(path.join(release, file)))).toBe(
      true,
    );
  }
  expect(statSync(room.target).mode & 0o777).toBe(0o755);
  expect(existsSync(path.join(room.target, '.DS_Store'))).toBe(false);
  expect(readdirSync(path.join(room.project, '.claude'))).toEqual(['skills']);
  expect(readdirSync(path.dirname(room.target))).toEqual(['prun']);
  expect(execFileSync(path.join(room.target, 'scripts/prun.sh'), ['--help'], { encoding: 'utf8' })).toContain(
    '\n  install ',
  );

  const before = treeOf(room.target);
  const again = await room.install(release);
  expect(again.lines.slice(0, 2)).toEqual([
    `UNCHANGED ${room.target}`,
    `FILES added=0 replaced=0 removed=0 same=${count}`,
  ]);
  appendFileSync(path.join(room.project, '.git/info/exclude'), '/.claude/skills/prun/\n');
  const fromItself = await room.install(room.target);
  expect(fromItself.lines).toEqual([
    `UNCHANGED ${room.target}`,
    `FILES added=0 replaced=0 removed=0 same=${count}`,
    'NOTE this is the folder that runs: a newer prun is installed from its own folder',
  ]);
  expect(treeOf(room.target)).toEqual(before);

  // An installed copy is a release as well.
  const other = path.join(room.folder, 'other');
  mkdirSync(other);
  const third = await room.install(room.target, ['--project', other]);
  expect(third.lines[0]).toBe(`INSTALLED ${other}/.claude/skills/prun`);
  expect(treeOf(path.join(other, '.claude/skills/prun'))).toEqual(before);
});

it('--user follows CLAUDE_CONFIG_DIR, and its rules are absolute, reading included', async () => {
  const room = installRoom();
  const release = room.release('1');
  const home = await room.install(release, ['--user', '--dry-run']);
  expect(home.lines[0]).toBe(`DRY-RUN INSTALLED ${room.home}/.claude/skills/prun`);
  const config = path.join(path.dirname(room.folder), 'prun-config-that-is-not-there');
  const moved = await room.install(release, ['--user', '--dry-run', '--json'], {
    environment: { CLAUDE_CONFIG_DIR: config },
  });
  expect(JSON.parse(moved.stdout)).toMatchObject({
    schema: 1,
    action: 'INSTALLED',
    dryRun: true,
    target: `${config}/skills/prun`,
    form: 'copy',
    counts: { replaced: 0, removed: 0, same: 0 },
    rules: [
      'Skill(prun)',
      'Bash(codex login status)',
      `Bash(node ${config}/skills/prun/scripts/*)`,
      `Read(/${config}/skills/prun/**)`,
    ],
    settingsFile: `${config}/settings.json`,
    settings: { permissions: { allow: expect.arrayContaining(['Skill(prun)']) } },
  });
  expect(existsSync(config)).toBe(false);
});

it('an upgrade replaces what is prun’s, keeps what somebody changed, and leaves what is theirs', async () => {
  const room = installRoom();
  const [one, two] = [room.release('1'), room.release('2')];
  writeFileSync(path.join(one, 'references/old.md'), 'of version 1 only\n');
  writeFileSync(path.join(one, 'references/old-changed.md'), 'of version 1 only\n');
  mkdirSync(path.join(two, 'references/new'));
  writeFileSync(path.join(two, 'references/new/new.md'), 'of version 2 only\n');
  await room.install(one);
  const at = (name: string): string => path.join(room.target, name);
  appendFileSync(at('SKILL.md'), 'mine\n');
  appendFileSync(at('references/old-changed.md'), 'mine\n');
  writeFileSync(at('notes.md'), 'mine\n');
  symlinkSync('/nowhere', at('references/a link of mine'));
  rmSync(at('references/units.md'));
  chmodSync(at('scripts/prun.sh'), 0o644);
  const changed = readFileSync(at('SKILL.md'), 'utf8');

  const { lines } = await room.install(two);
  expect(lines).toEqual([
    `UPGRADED ${room.target}`,
    expect.stringMatching(/^FILES added=2 replaced=5 removed=1 same=\d+$/),
    'CHANGED SKILL.md',
    expect.stringMatching(/^KEPT .*\/\.prun-kept\/\d{4}-[^/]+$/),
    'OWN notes.md',
    'OWN references/a link of mine',
    'OWN references/old-changed.md',
  ]);
  const kept = (lines[3] ?? '').slice('KEPT '.length);
  expect(readFileSync(path.join(kept, 'SKILL.md'), 'utf8')).toBe(changed);
  expect(readdirSync(kept)).toEqual(['SKILL.md']);
  expect(treeOf(room.target)).toMatchObject(treeOf(two));
  expect(existsSync(at('references/old.md'))).toBe(false);
  expect(lstatSync(at('references/a link of mine')).isSymbolicLink()).toBe(true);
  expect((await room.install(two)).lines[0]).toBe(`UNCHANGED ${room.target}`);

  // Downgrades are upgrades to another version.
  expect((await room.install(one)).lines[0]).toBe(`UPGRADED ${room.target}`);
  expect(treeOf(room.target)).toMatchObject(treeOf(one));
});

it('a folder that was dropped in by hand is taken over: what differs is kept', async () => {
  const room = installRoom();
  const [one, two] = [room.release('1'), room.release('2')];
  mkdirSync(path.dirname(room.target), { recursive: true });
  cpSync(one, room.target, { recursive: true });
  const refused = await room.install(two, ['--uninstall']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/^prun install: .* was not put there by prun install .*: remove the folder/);
  const { lines } = await room.install(two);
  expect(lines[0]).toBe(`UPGRADED ${room.target}`);
  expect(lines.filter((line) => line.startsWith('CHANGED '))).toHaveLength(5);
  expect(treeOf(room.target)).toMatchObject(treeOf(two));
  expect((await room.install(two)).lines[0]).toBe(`UNCHANGED ${room.target}`);
});

it('what is not prun’s to touch is refused with what to do, and stays as it is', async () => {
  const room = installRoom();
  const [release, other] = [room.release('1'), room.release('2')];
  const skills = path.dirname(room.target);
  const cases: [string, () => void, string[], RegExp][] = [
    [
      'a folder of somebody else',
      () => {
        mkdirSync(room.target);
        writeFileSync(path.join(room.target, 'SKILL.md'), '---\nname: prune\n---\n');
      },
      [],
      /\/prun is not prun's: it has no SKILL\.md of prun: look at what it is and move it away/,
    ],
    ['a file', () => writeFileSync(room.target, ''), [], /\/prun is no folder: move it away/],
    [
      'a link to nothing',
      () => symlinkSync('../gone', room.target),
      [],
      /\/prun is a link to .*\/gone, which is not there: remove the link/,
    ],
    [
      'a link to another folder',
      () => symlinkSync(room.home, room.target),
      [],
      /\/prun is a link to .*\/home, which is no prun folder: remove the link/,
    ],
    [
      'a link to another prun',
      () => symlinkSync(other, room.target),
      [],
      /\/prun is a link to another prun folder, .*\/release 2: upgrade that one/,
    ],
    [
      'a relative link, to be removed',
      () => symlinkSync(path.relative(skills, other), room.target),
      ['--uninstall'],
      /\/prun is a relative link to .*\/release 2, which another installer made: remove it with that/,
    ],
    [
      'a clone of the whole repository',
      () => {
        cpSync(release, path.join(room.target, 'skills/prun'), { recursive: true });
        cpSync(path.join(release, 'SKILL.md'), path.join(room.target, 'SKILL.md'));
        mkdirSync(path.join(room.target, '.git'));
      },
      [],
      /\/prun is a clone of the whole prun repository, which works as a skill as it is: upgrade it with git pull/,
    ],
    [
      'a link in the folder',
      () => {
        cpSync(release, room.target, { recursive: true });
        rmSync(path.join(room.target, 'references'), { recursive: true });
        symlinkSync(room.home, path.join(room.target, 'references'));
      },
      [],
      /\/prun\/references is a link: prun install did not make it so: move it away/,
    ],
    [
      'a copy where a link is asked for',
      () => cpSync(release, room.target, { recursive: true }),
      ['--link'],
      /\/prun is a copy of prun, and --link was given: take the copy away/,
    ],
    [
      'a list that is none',
      () => {
        cpSync(release, room.target, { recursive: true });
        writeFileSync(
          path.join(room.target, '.prun-manifest.json'),
          '{"schema":1,"files":[{"file":"../x"}]}',
        );
      },
      ['--uninstall'],
      /\.prun-manifest\.json is no list of what prun install put there: remove that file/,
    ],
    [
      'a list that leads elsewhere',
      () => {
        cpSync(release, room.target, { recursive: true });
        const files = [{ file: '../../../mine', bytes: 1, sha256: '' }];
        const text = JSON.stringify({ schema: 1, version: null, files });
        writeFileSync(path.join(room.target, '.prun-manifest.json'), text);
      },
      ['--uninstall'],
      /\.prun-manifest\.json names "\.\.\/\.\.\/\.\.\/mine": remove that file/,
    ],
  ];
  for (const [what, make, argv, message] of cases) {
    rmSync(skills, { recursive: true, force: true });
    mkdirSync(skills, { recursive: true });
    make();
    const before = treeOf(skills);
    const { code, stdout, stderr } = await room.install(release, argv);
    expect({ what, code, stdout }).toEqual({ what, code: 2, stdout: '' });
    expect(stderr, what).toMatch(/^prun install: [^\n]+: [^\n]+\n$/);
    expect(stderr, what).toMatch(message);
    expect(treeOf(skills), what).toEqual(before);
    expect(readdirSync(room.home), what).toEqual([]);
  }
});

it.skipIf(process.platform === 'win32')('a rule with a newline in its path stays one line', async () => {
  const room = installRoom();
  const project = path.join(room.project, 'two\nlines');
  mkdirSync(project);
  const { code, stdout } = await room.install(room.release('1'), ['--project', project, '--dry-run']);
  expect(code).toBe(0);
  const rule = `Bash(node "${project}/.claude/skills/prun/scripts/*)`;
  expect(stdout.split('\n')).toContain(`RULE ${JSON.stringify(rule)}`);
});

it('the whole repository as the skill is left alone: its rules are printed, and it is not removed', async () => {
  const room = installRoom();
  const inside = path.join(room.target, 'skills/prun');
  cpSync(room.release('1'), inside, { recursive: true });
  const before = treeOf(room.project);
  const { code, stdout } = await room.install(inside);
  expect(code).toBe(0);
  expect(stdout.split('\n').slice(0, 6)).toEqual([
    `UNCHANGED ${room.target}`,
    'NOTE it is the whole prun repository, which works as a skill as it is: git pull upgrades it',
    'RULE Skill(prun)',
    'RULE Bash(codex login status)',
    'RULE Bash(node .claude/skills/prun/skills/prun/scripts/*)',
    `RULE Bash(node "${inside}/scripts/*)`,
  ]);
  const removed = await room.install(inside, ['--uninstall']);
  expect(removed.code).toBe(2);
  expect(removed.stderr).toMatch(
    /\/prun is the whole prun repository, which prun install did not put there: remove/,
  );
  expect(treeOf(room.project)).toEqual(before);
});

it('wrong arguments, a project that is none and a prun folder that is not whole are refused', async () => {
  const room = installRoom();
  const release = room.release('1');
  const cases: [string[], RegExp][] = [
    [['--user', '--project', '.'], /^prun install: --project and --user were given: give one of them\n$/],
    [['--copy', '--link'], /--copy and --link were given/],
    [['--uninstall', '--link'], /--uninstall and --link were given/],
    [['--project', 'typo'], /\/project\/typo is no folder: give the project with --project <folder>\n$/],
    [['--project='], /--project is empty: give a folder/],
    [['prun'], /unexpected argument "prun": see prun install --help/],
    [['--project', release], /lies in the prun folder .*\/release 1 itself: go to your project/],
  ];
  for (const [argv, message] of cases) {
    const { code, stdout, stderr } = await room.install(release, argv);
    expect({ argv, code, stdout }).toEqual({ argv, code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  }
  rmSync(path.join(release, 'scripts/reap-watch.cjs'));
  const half = await room.install(release);
  expect(half.stderr).toMatch(/release 1 is not whole: scripts\/reap-watch\.cjs is missing: get prun again/);
  rmSync(path.join(release, 'SKILL.md'));
  const none = await room.install(release);
  expect(none.stderr).toMatch(/release 1 is no prun folder: it has no SKILL\.md of prun: get prun again/);
  expect([half.code, none.code, readdirSync(room.project)]).toEqual([2, 2, []]);
});

it('--link makes a link, which is taken away without what it leads to', async () => {
  const room = installRoom();
  const release = room.release('1');
  const before = treeOf(release);
  const made = await room.install(release, ['--link']);
  expect(made.lines).toEqual([
    `INSTALLED ${room.target}`,
    `NOTE it is a link to ${release}, which has to stay`,
  ]);
  expect(realpathSync(room.target)).toBe(release);
  for (const argv of [[], ['--link'], ['--copy']]) {
    expect((await room.install(release, argv)).lines).toEqual([
      `UNCHANGED ${room.target}`,
      `NOTE it is a link to ${release}`,
    ]);
  }
  const gone = await room.install(release, ['--uninstall']);
  expect(gone.lines[0]).toBe(`REMOVED ${room.target}`);
  expect(existsSync(room.target)).toBe(false);
  expect(treeOf(release)).toEqual(before);

  const cache = path.join(room.folder, '_npx/0/node_modules/prun-skill/skills/prun');
  cpSync(release, cache, { recursive: true });
  const passing = await room.install(cache, ['--link']);
  expect(passing.stderr).toMatch(
    /is npm's cache, which is emptied by and by: leave out --link: a copy stays\n$/,
  );
  expect(passing.code).toBe(2);
});

it('--uninstall takes away what is prun’s and unchanged, and names the rest', async () => {
  const room = installRoom();
  const release = room.release('1');
  expect((await room.install(release, ['--uninstall'])).lines).toEqual([
    `UNCHANGED ${room.target}`,
    'FILES added=0 replaced=0 removed=0 same=0',
    'NOTE there is no prun there',
  ]);
  await room.install(release);
  appendFileSync(path.join(room.target, 'references/units.md'), 'mine\n');
  writeFileSync(path.join(room.target, 'scripts/mine.sh'), 'mine\n');
  const before = treeOf(room.target);
  await room.install(release, ['--uninstall', '--dry-run']);
  expect(treeOf(room.target)).toEqual(before);
  // From the installed copy: it removes itself.
  const { lines } = await room.install(room.target, ['--uninstall']);
  expect(lines).toEqual([
    `REMOVED ${room.target}`,
    `FILES added=0 replaced=0 removed=${Object.keys(before).length - 2} same=0`,
    'CHANGED references/units.md',
    'OWN scripts/mine.sh',
    'NOTE rules for it that you put into your settings stay there',
  ]);
  expect(Object.keys(treeOf(room.target))).toEqual(['references/units.md', 'scripts/mine.sh']);

  rmSync(room.target, { recursive: true });
  await room.install(release);
  await room.install(release, ['--uninstall']);
  expect(readdirSync(path.dirname(room.target))).toEqual([]);
});

it('a person at a terminal is told what the rules are for, in lines that fit', async () => {
  const room = installRoom();
  const { stdout } = await room.install(room.release('1'), [], {
    environment: asTerminal(room.folder, { columns: 60 }),
  });
  expect(stdout).toMatch(/^INSTALLED .*\nFILES .*\n\nClaude Code asks before it runs prun\./);
  expect(stdout).toMatch(/^\{\n {2}"permissions": \{\n {4}"allow": \[\n {6}"Skill\(prun\)",$/m);
  expect(stdout).toContain('Then start Claude Code there and say "prun this"');
  const help = await room.install(path.join(room.folder, 'release 1'), ['--help']);
  expect(help.stdout).toMatch(/^usage: prun install /);
  expect(help.stdout.split('\n').every((line) => line.length <= 125)).toBe(true);
});
