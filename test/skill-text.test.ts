import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const prunDir = path.join(root, 'skills/prun');
const scriptsDir = path.join(prunDir, 'scripts');
const launcherNames = ['dispatch-task', 'monitor', 'gather', 'reap-watch', 'prun'];

const skill = readFileSync(path.join(root, 'SKILL.md'), 'utf8');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const references = new Map(
  readdirSync(path.join(prunDir, 'references')).map((name) => [
    name,
    readFileSync(path.join(prunDir, 'references', name), 'utf8'),
  ]),
);
/** What the coordinator reads, by path relative to the prun folder. */
const coordinatorTexts: [string, string][] = [
  ['SKILL.md', skill],
  ...[...references].map(([name, text]): [string, string] => [`references/${name}`, text]),
];

function reference(name: string): string {
  const text = references.get(name);
  if (text === undefined) throw new Error(`no reference ${name}`);
  return text;
}

/** Fenced blocks of one language (`''` for none). */
function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '');
}

/** Text from a heading to the next one of the same depth. */
function section(text: string, heading: string): string {
  const start = text.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`no section ${heading}`);
  const end = text.indexOf('\n## ', start + 1);
  return text.slice(start, end < 0 ? undefined : end);
}

/** All command lines that are shown to the coordinator. */
function commands(text: string): string[] {
  const shown = [...blocks(text, 'sh'), ...blocks(text, '').filter((block) => /^(node|git) /.test(block))];
  return shown.flatMap((block) => block.split('\n')).filter((line) => line.trim() !== '');
}

describe('front matter', () => {
  const matter = /^---\n([\s\S]*?)\n---\n/.exec(skill)?.[1] ?? '';
  const fields = matter.split('\n').filter((line) => /^\S/.test(line));
  const description =
    fields.find((line) => line.startsWith('description: '))?.slice('description: '.length) ?? '';

  it('has only the fields that every checker allows, allowed-tools not among them', () => {
    expect(fields.map((line) => line.split(':')[0])).toEqual([
      'name',
      'description',
      'license',
      'compatibility',
      'metadata',
    ]);
    expect(fields[0]).toBe('name: prun');
  });

  it('describes the skill in the third person, quoted, short enough, with words that users type', () => {
    const text: unknown = JSON.parse(description);
    expect(text).toMatch(/^[A-Z][a-z]+s .*Use when /);
    expect(text).toMatch(/prun this/);
    expect(text).not.toMatch(/\b(I|you|your)\b/i);
    expect(String(text).length).toBeLessThan(1024);
  });
});

describe('budgets', () => {
  it('SKILL.md stays under 500 lines and 5,000 tokens', () => {
    expect(skill.split('\n').length).toBeLessThan(500);
    // English Markdown runs at about four characters a token; 3.2 leaves a margin for tables and paths.
    expect(skill.length / 3.2).toBeLessThan(5000);
  });

  it.each([...references])(
    '%s has a contents list that names its sections if it is over 100 lines',
    (_name, text) => {
      const headings = [...text.matchAll(/^## (.*)$/gm)].map((match) => match[1]);
      const contents = /^Contents\n((?:- .*\n)+)/m.exec(text)?.[1];
      if (text.split('\n').length > 100) expect(contents).toBeDefined();
      if (contents !== undefined) {
        expect(
          contents
            .trim()
            .split('\n')
            .map((line) => line.slice(2).split(':')[0]),
        ).toEqual(headings.map((heading) => heading?.split(':')[0]));
      }
    },
  );
});

describe('links', () => {
  const texts: [string, string, string][] = [
    ...coordinatorTexts.map(([name, text]): [string, string, string] => [
      name,
      text,
      path.dirname(path.join(prunDir, name)),
    ]),
    ['README.md', readme, root],
  ];

  it.each(texts)('every link in %s leads to a file', (_name, text, folder) => {
    const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map((match) => match[1] ?? '');
    for (const target of targets.filter((link) => !/^https?:/.test(link))) {
      expect(existsSync(path.join(folder, target)), target).toBe(true);
    }
  });

  it('references are one level deep, and SKILL.md leads to each of them', () => {
    for (const [name, text] of references) {
      expect(skill).toContain(`(references/${name})`);
      for (const [, target] of text.matchAll(/\]\(([^)]+)\)/g)) expect(target).toMatch(/^[\w-]+\.md$/);
    }
  });
});

describe("commands for the coordinator obey the host's permission rules", () => {
  it.each(coordinatorTexts)(
    '%s shows no redirection, substitution, heredoc, pipe or variable',
    (_name, text) => {
      for (const command of commands(text)) {
        const bare = command.replace(/<[a-zA-Z][^<>]*>/g, 'PLACEHOLDER');
        expect(bare, command).not.toMatch(/[<>|&;`]|\$/);
        expect(bare, command).toMatch(/^(node|git|mkdir|curl|codex) /);
      }
    },
  );

  it.each(coordinatorTexts)('%s runs nothing while it is loaded', (_name, text) => {
    expect(text).not.toMatch(/!`/);
    expect(text).not.toContain('allowed-tools');
  });

  it('background calls carry the long timeout and a description with the run id', () => {
    expect(skill).toContain('`run_in_background: true`, `timeout: 7200000`');
    expect(skill).toContain('`prun items-1 api`');
    expect(skill).toMatch(/Only from the main session/);
  });
});

describe('words', () => {
  it.each([...coordinatorTexts, ['README.md', readme]])('%s uses the words of the design', (_name, text) => {
    expect(text).not.toMatch(/\b(lanes?|swarm|orchestrat\w*|sub-tasks?|seamless\w*|powerful|blazing)\b/i);
  });

  it('teaches the return contract as the design has it', () => {
    const contract = [
      '# <unit> result',
      'Conclusion: <one line>',
      'Files: <files made or changed, or "none (read-only)">',
      'Open items: <blockers or follow-ups, or "none">',
      'Verification: <what was run or checked, or "none">',
      '',
      '<body>',
      '',
    ].join('\n');
    expect(blocks(skill, '')).toContain(contract);
  });

  it('README names the two commands of a newcomer', () => {
    expect(blocks(readme, 'sh')).toContain('node skills/prun/scripts/prun.cjs demo\n');
    expect(blocks(readme, 'sh')).toContain('npm cit\n');
  });
});

describe('every point that a coordinator must learn has a home', () => {
  it.each<[string, string, RegExp]>([
    ['a dozen or twenty units is normal', 'SKILL.md', /dozen or twenty/],
    ['not for a sequential task', 'SKILL.md', /one sequential task/],
    ['not for units that need each other', 'SKILL.md', /need each other's output/],
    ['not for results that must be done again to be checked', 'SKILL.md', /doing the work again/],
    ['the coordinator never runs a unit', 'SKILL.md', /never run a unit/],
    ['what workers never do', 'SKILL.md', /never commit, push, change branches or tags/],
    ['the user approves every commit', 'SKILL.md', /user approves every commit/],
    ['Codex by default', 'SKILL.md', /In doubt, Codex/],
    ['Sonnet only for what the session has', 'SKILL.md', /only what this session alone has/],
    ['one Claude plan for Sonnet and coordinator', 'SKILL.md', /same Claude plan \(Settings > Usage/],
    ['how many', 'SKILL.md', /no target number and no cap/],
    ['few well-cut units', 'SKILL.md', /beat many thin ones/],
    ['do not poll, do not sit in silence', 'SKILL.md', /Do not poll, and do not sit in silence/],
    ['what to do on a stall', 'SKILL.md', /offer fewer workers or a new dispatch/],
    ['no diff yet is normal', 'SKILL.md', /without a change so far is normal/],
    ['integrate none of an incomplete set', 'SKILL.md', /integrate none of the set/],
    ['a FALLBACK is reviewed or dispatched again', 'SKILL.md', /or dispatch the unit again/],
    ['every hunk is read', 'SKILL.md', /every hunk/],
    ['ask before any commit', 'SKILL.md', /Ask the user before any commit/],
    ['agent-io', 'SKILL.md', /lies under `agent-io\/`/],
    ['after a restart', 'SKILL.md', /After a restart or a compaction/],
    ['Workflow', 'SKILL.md', /native Workflow tool/],
    ['parallel or not', 'references/units.md', /one unit each, at once/],
    ['small hosts', 'references/units.md', /small host begin with two units/],
    ['foundation first', 'references/units.md', /## Foundation first/],
    ['no spinning', 'references/units.md', /No spinning/],
    ['visual evidence', 'references/units.md', /what a screenshot must prove/],
    ['flows await execution', 'references/units.md', /await execution/],
    ['the Sonnet recipe', 'references/executors.md', /`model: sonnet`, in the background/],
    ['a fork is no Sonnet worker', 'references/executors.md', /fork of this session keeps your model/],
    ["no host's own worktree isolation", 'references/workspaces.md', /host's own worktree isolation/],
    ['systematic errors', 'references/integration.md', /systematic errors/],
    ['disputed findings', 'references/integration.md', /trace through the code, a reproduction, or a test/],
    ['conflicts are not delegated blindly', 'references/integration.md', /blindly delegate a conflict/],
    ['landing', 'references/integration.md', /## Landing/],
    ['HTTP status of each address', 'references/web.md', /%\{http_code\} %\{url_effective\}/],
    ['PowerShell has curl.exe', 'references/web.md', /curl\.exe/],
    ['agreement across vendors', 'references/panels.md', /stronger signal/],
    ['when to cancel', 'references/troubleshooting.md', /Cancel a unit only when/],
    ['usage limit', 'references/troubleshooting.md', /usage-limit/],
    [
      'where scripts are looked for',
      'references/troubleshooting.md',
      /\.agent-config\/repo\/skills\/prun\/scripts/,
    ],
  ])('%s', (_point, file, pattern) => {
    expect(coordinatorTexts.find(([name]) => name === file)?.[1]).toMatch(pattern);
  });
});

describe.runIf(existsSync(path.join(scriptsDir, 'dispatch-task.cjs')))('the built scripts', () => {
  const help = (name: string): Set<string> => {
    const run = spawnSync(process.execPath, [path.join(scriptsDir, `${name}.cjs`), '--help'], {
      encoding: 'utf8',
    });
    expect(run.status, run.stderr).toBe(0);
    return new Set(run.stdout.match(/--[a-z][a-z-]+/g));
  };
  const documented: [string, string][] = [
    ['dispatch-task', section(reference('executors.md'), 'Flags of dispatch-task')],
    ['monitor', section(reference('scripts.md'), 'monitor')],
    ['gather', section(reference('scripts.md'), 'gather')],
    ['reap-watch', section(reference('scripts.md'), 'reap-watch')],
  ];

  it.each(documented)(
    '%s has every flag that is documented, and every flag that it has is documented',
    (name, text) => {
      const known = help(name);
      known.delete('--help');
      // Other names of --unit-id and --prompt-file; --help need not list them.
      if (name === 'dispatch-task') for (const alias of ['--unit', '--phase', '--brief']) known.add(alias);
      expect(new Set(text.match(/--[a-z][a-z-]+/g))).toEqual(known);
    },
  );

  it('every script and flag in a command exists', () => {
    for (const [, text] of [...coordinatorTexts, ['README.md', readme]] as const) {
      for (const [line, name = ''] of text.matchAll(/scripts\/([\w-]+)\.(?:cjs|sh|ps1).*/g)) {
        expect(existsSync(path.join(scriptsDir, `${name}.cjs`)), line).toBe(true);
        const known = help(name);
        for (const flag of line.match(/ --[a-z][a-z-]+/g) ?? []) expect(known, line).toContain(flag.trim());
      }
    }
  });

  it.skipIf(process.platform === 'win32')("README's fan-out runs as it stands", () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'prun readme '));
    try {
      mkdirSync(path.join(folder, 'bin'));
      mkdirSync(path.join(folder, 'skills'));
      symlinkSync(prunDir, path.join(folder, 'skills/prun'));
      // Stands in for codex: writes what the prompt asks for to the path that the prompt names.
      const worker = [
        '#!/bin/sh',
        'prompt=$(cat)',
        'unit=$(printf "%s\\n" "$prompt" | sed -n "s/^Unit: //p")',
        'file=$(printf "%s\\n" "$prompt" | sed -n "s/.*in one write, to //p")',
        'printf "# %s result\\nConclusion: ok\\n" "$unit" > "$file"',
      ];
      writeFileSync(path.join(folder, 'bin/codex'), `${worker.join('\n')}\n`, { mode: 0o755 });
      const script = blocks(readme, 'sh').find((block) => block.includes('dispatch-task.cjs')) ?? '';
      const run = spawnSync('sh', ['-c', script], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 30_000,
        env: { ...process.env, PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`, TMPDIR: folder },
      });
      expect(run.stdout).toContain('MONITOR-EVENT all-done');
      expect(run.stdout).toContain('# names result');
      expect(run.stdout).toContain('# tests result');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe.skipIf(process.platform === 'win32')('the clone recipe of workspaces.md, run as it stands', () => {
  const text = reference('workspaces.md');
  const recipe = (heading: string): string[] => commands(section(text, heading));
  let home: string;
  let project: string;
  let run: string;

  /** Runs one command of the text with the test's own paths in place of the text's, through a shell. */
  function sh(command: string, base = 'BASE'): string {
    const real = command
      .replaceAll('/abs/project', project)
      .replaceAll('/abs/run', run)
      .replace(/\bBASE\b/g, base);
    return execFileSync('sh', ['-c', real], {
      cwd: home,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync('git', ['-C', cwd, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      encoding: 'utf8',
    });
  const edit = (folder: string, name: string, content: string | Buffer): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  };
  /** Path, kind, run bit and content of each file, for comparison; `meta` adds inode, mode and times. */
  function snapshot(folder: string, options: { skip?: string[]; meta?: boolean } = {}): string[] {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !options.skip?.some((top) => name === top || name.startsWith(`${top}/`)))
      .flatMap((name) => {
        const file = path.join(folder, name);
        const stat = lstatSync(file, { bigint: true });
        if (stat.isDirectory()) return [];
        const content = stat.isSymbolicLink() ? `-> ${readlinkSync(file)}` : readFileSync(file, 'base64');
        const meta = options.meta ? ` ${stat.ino} ${stat.mode} ${stat.mtimeNs} ${stat.ctimeNs}` : '';
        return [`${name} ${stat.mode & 0o100n} ${content}${meta}`];
      })
      .sort();
  }
  const ignored = ['.git', 'agent-io', 'build', 'mine.local'];

  beforeAll(() => {
    home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun-recipe-')));
    project = path.join(home, 'project');
    run = path.join(home, 'run');
    mkdirSync(project);
    git(project, 'init', '-q', '-b', 'main');
    edit(project, 'src/a.txt', 'one\n');
    edit(project, 'src/keep.txt', 'keep\n');
    edit(project, 'gone.txt', 'gone\n');
    edit(project, 'binary.bin', Buffer.from([0, 1, 2]));
    edit(project, 'run.sh', '#!/bin/sh\n');
    edit(project, 'dir with space/ü.txt', 'x\n');
    edit(project, '.gitignore', 'build/\nforced.log\n');
    edit(project, 'forced.log', 'tracked although ignored\n');
    symlinkSync('src/a.txt', path.join(project, 'link'));
    git(project, 'add', '-A');
    git(project, 'add', '-f', 'forced.log');
    git(project, 'commit', '-qm', 'first');
    // The user's unfinished work: staged, staged and edited again, unstaged, deleted, untracked, binary, run bit.
    edit(project, 'staged.txt', 'staged\n');
    edit(project, 'src/a.txt', 'one\ntwo\n');
    git(project, 'add', 'staged.txt', 'src/a.txt');
    edit(project, 'src/a.txt', 'one\ntwo\nthree\n');
    rmSync(path.join(project, 'gone.txt'));
    edit(project, 'binary.bin', Buffer.from([0, 9, 255]));
    chmodSync(path.join(project, 'run.sh'), 0o755);
    edit(project, 'untracked.bin', Buffer.from([255, 0, 13, 10]));
    edit(project, 'build/x', 'ignored\n');
    edit(project, 'agent-io/p-api.md', 'prompt\n');
    for (const setting of ['diff.noprefix=true', 'apply.whitespace=fix', 'color.ui=always']) {
      const [name = '', value = ''] = setting.split('=');
      git(project, 'config', name, value);
    }
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('brings all of the user’s work into the clones, reads the repository only, and takes a whole delta back', () => {
    const before = snapshot(project, { meta: true });
    const check = recipe('Check that the repository was only read');
    const repositoryState = check.map((command) => sh(command));

    const ids =
      recipe("The base clone: the user's work as it is now")
        .map((command) => sh(command))
        .at(-1) ?? '';
    const [base = '', tree = ''] = ids.trim().split('\n');
    expect([base, tree]).toEqual([
      expect.stringMatching(/^[0-9a-f]{40}$/),
      expect.stringMatching(/^[0-9a-f]{40}$/),
    ]);
    const cloning = recipe('One clone for each unit');
    for (const command of cloning) sh(command);
    for (const command of cloning) sh(command.replaceAll('/abs/run/api', '/abs/run/ui'));

    const api = path.join(run, 'api');
    const ui = path.join(run, 'ui');
    expect(snapshot(project, { meta: true })).toEqual(before);
    expect(check.map((command) => sh(command))).toEqual(repositoryState);
    expect(snapshot(api, { skip: ignored })).toEqual(snapshot(project, { skip: ignored }));
    expect(git(api, 'status', '--porcelain')).toBe('');
    expect(git(api, 'remote')).toBe('');
    expect(git(api, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\n');

    // A worker that does what it must not: branch, commit, expire its reflog, collect garbage.
    git(api, 'checkout', '-q', '-b', 'mine');
    appendFileSync(path.join(api, 'src/a.txt'), 'four\n');
    git(api, 'commit', '-qam', 'worker commit');
    git(api, 'reflog', 'expire', '--expire=now', '--all');
    git(api, 'gc', '-q', '--prune=now');
    git(api, 'config', 'diff.noprefix', 'true');
    edit(api, 'new/file', 'no newline at the end');
    edit(api, 'new/crlf', 'a \r\nb\r\n');
    edit(api, 'new/b "q" ü.bin', Buffer.from([0, 255, 10]));
    edit(api, 'new/empty', '');
    edit(api, 'binary.bin', Buffer.from([7, 0, 7]));
    rmSync(path.join(api, 'staged.txt'));
    chmodSync(path.join(api, 'run.sh'), 0o644);
    chmodSync(path.join(api, 'src/keep.txt'), 0o755);
    rmSync(path.join(api, 'link'));
    symlinkSync('src/keep.txt', path.join(api, 'link'));
    edit(ui, 'ui.txt', 'ui\n');

    const collect = recipe('Collect a delta');
    const [, , names = '', commits = ''] = collect.map((command) => sh(command, base));
    expect(names.trim().split('\n')).toHaveLength(10);
    expect(commits).toContain('worker commit');
    for (const command of collect)
      sh(command.replaceAll('/abs/run/api', '/abs/run/ui').replace('api.patch', 'ui.patch'), base);
    for (const command of recipe('Which patches overlap')) expect(sh(command)).toMatch(/1\t0\tui\.txt/);

    const index = readFileSync(path.join(project, '.git/index'));
    const untouched = snapshot(project, { skip: ['agent-io', '.git'] });
    for (const command of recipe('Join the patches')) sh(command, base);
    const [checkOnly = '', apply = ''] = recipe('Apply');
    sh(checkOnly);
    expect(snapshot(project, { skip: ['agent-io', '.git'] })).toEqual(untouched);
    sh(apply);
    expect(snapshot(project, { skip: ignored })).toEqual(snapshot(path.join(run, 'all'), { skip: ignored }));
    expect(readFileSync(path.join(project, 'ui.txt'), 'utf8')).toBe('ui\n');
    rmSync(path.join(project, 'ui.txt'));
    expect(snapshot(project, { skip: ignored })).toEqual(snapshot(api, { skip: ignored }));
    expect(readFileSync(path.join(project, '.git/index'))).toEqual(index);

    edit(project, 'ui.txt', 'ui\n');
    sh(`${apply} -R`);
    expect(snapshot(project, { skip: ['agent-io', '.git'] })).toEqual(untouched);

    // All or nothing: the last file of the patch collides, and no other is changed.
    edit(project, 'ui.txt', 'the user was here first\n');
    const collided = snapshot(project, { skip: ['.git'] });
    for (const command of [checkOnly, apply]) expect(() => sh(command)).toThrow(/already exists/);
    expect(snapshot(project, { skip: ['.git'] })).toEqual(collided);
  });

  it('collects from a clone whose .git is broken', () => {
    const second = path.join(run, 'broken-2');
    const broken = path.join(run, 'broken');
    for (const folder of [broken, second])
      git(home, 'clone', '-q', '--shared', path.join(run, 'base'), folder);
    rmSync(path.join(broken, '.git'), { recursive: true });
    edit(broken, 'work.txt', 'kept\n');
    const [fix = ''] = /`(git -C \/abs\/run\/api --git-dir=[^`]*)`/.exec(text)?.slice(1) ?? [];
    sh(fix.replaceAll('/abs/run/api', '/abs/run/broken'));
    expect(git(second, 'diff-index', '--cached', '--name-status', 'HEAD')).toBe('A\twork.txt\n');
  });
});

describe('launchers', () => {
  it.each(launcherNames)('%s has a shell and a PowerShell launcher of at most six lines', (name) => {
    const shell = readFileSync(path.join(scriptsDir, `${name}.sh`), 'utf8');
    const power = readFileSync(path.join(scriptsDir, `${name}.ps1`), 'utf8');
    for (const text of [shell, power]) {
      expect(text.trim().split('\n').length).toBeLessThanOrEqual(6);
      expect(text).toContain(`${name}.cjs`);
      expect(text).not.toContain('\r');
    }
    expect(shell).not.toContain('readlink -f');
    expect(power).toContain('exit $LASTEXITCODE');
  });

  describe.skipIf(process.platform === 'win32')('in a folder with a space', () => {
    let home: string;
    let folder: string;
    beforeAll(() => {
      home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun launch ')));
      folder = path.join(home, 'a b', 'scripts');
      mkdirSync(folder, { recursive: true });
      for (const name of launcherNames) {
        cpSync(path.join(scriptsDir, `${name}.sh`), path.join(folder, `${name}.sh`));
        writeFileSync(
          path.join(folder, `${name}.cjs`),
          `console.log(JSON.stringify(['${name}', process.cwd(), process.argv.slice(2)])); process.exitCode = 7;\n`,
        );
      }
      symlinkSync('../a b/scripts/monitor.sh', path.join(mkdirs('links'), 'relative.sh'));
      symlinkSync(path.join(home, 'links/relative.sh'), path.join(mkdirs('more'), 'chain.sh'));
      symlinkSync(folder, path.join(home, 'linked folder'));
    });
    afterAll(() => rmSync(home, { recursive: true, force: true }));

    function mkdirs(name: string): string {
      mkdirSync(path.join(home, name), { recursive: true });
      return path.join(home, name);
    }
    const args = ['--flag', 'a b', '', '*', '$HOME', '-n', "it's"];
    function launch(command: string, given: string[], cwd = home) {
      const run = spawnSync(command, given, { cwd, encoding: 'utf8' });
      return { status: run.status, said: run.stdout === '' ? run.stderr : JSON.parse(run.stdout) };
    }

    it.each(launcherNames)('%s.sh passes arguments, folder and exit code through', (name) => {
      expect(lstatSync(path.join(scriptsDir, `${name}.sh`)).mode & 0o111).toBe(0o111);
      expect(launch(path.join(folder, `${name}.sh`), args)).toEqual({ status: 7, said: [name, home, args] });
    });

    it.each(['links/relative.sh', 'more/chain.sh', 'linked folder/monitor.sh'])(
      '%s leads to the script',
      (link) => {
        expect(launch(path.join(home, link), ['x'], os.tmpdir()).said[0]).toBe('monitor');
        expect(launch(`./${link}`, ['x']).said).toEqual(['monitor', home, ['x']]);
      },
    );

    it.each([
      ['sh', ['monitor.sh', 'x']],
      ['sh', ['./monitor.sh', 'x']],
      ['bash', ['--posix', 'monitor.sh', 'x']],
    ])('%s %s works from the folder itself', (shell, given) => {
      expect(launch(shell, given, folder)).toEqual({ status: 7, said: ['monitor', folder, ['x']] });
    });

    it('says in one line that node is missing, and exits 127', () => {
      const bin = mkdirs('bin');
      for (const tool of ['dirname', 'readlink']) {
        const found = ['/usr/bin', '/bin']
          .map((dir) => path.join(dir, tool))
          .find((file) => existsSync(file));
        if (found) symlinkSync(found, path.join(bin, tool));
      }
      const run = spawnSync('/bin/sh', [path.join(folder, 'gather.sh')], {
        env: { PATH: bin },
        encoding: 'utf8',
      });
      expect(run).toMatchObject({
        status: 127,
        stdout: '',
        stderr: 'gather: node is not on PATH: install Node 20 or newer\n',
      });
    });
  });
});

describe('Codex as a reader of the folder', () => {
  it('does not start prun on its own', () => {
    const yaml = readFileSync(path.join(prunDir, 'agents/openai.yaml'), 'utf8');
    expect(yaml).toMatch(/^policy:\n {2}allow_implicit_invocation: false$/m);
  });
});
