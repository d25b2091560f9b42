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
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { codexPaths } from './helpers/codex-bin.ts';

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
  const shown = [
    ...blocks(text, 'sh'),
    ...blocks(text, '').filter((block) => /^(node|git|codex) /.test(block)),
  ];
  return shown.flatMap((block) => block.split('\n')).filter((line) => line.trim() !== '');
}

/** Commands with paths that stand inside a sentence. */
function inlineCommands(text: string): string[] {
  return [...text.matchAll(/`((?:git|cp|rm) [^`\n]*\/abs\/[^`\n]*)`/g)].map((match) => match[1] ?? '');
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
        expect(bare, command).toMatch(/^(node|git|mkdir|cp|rm|curl|codex) /);
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
      'signed in before the first dispatch',
      'SKILL.md',
      /Before the first Codex unit[\s\S]*codex login status/,
    ],
    ['clones before prompts', 'SKILL.md', /\*\*Clones first\*\*[\s\S]*\*\*Prompts\*\*/],
    ['the base commit in the prompt', 'references/units.md', /^Work in .* Base commit: [0-9a-f]{40}\.$/m],
    ['a worker that may still run', 'SKILL.md', /guardian is dead too, and the worker may still run/],
    ['a worker that may still run, again', 'references/troubleshooting.md', /and\*\* guardian are dead/],
    ['how to install codex', 'references/troubleshooting.md', /npm install -g @openai\/codex/],
    ['ignored paths', 'references/workspaces.md', /does \*\*not\*\* hold files at ignored paths/],
    ['a join that fails', 'SKILL.md', /If one does not join, stop there/],
    ['leftovers', 'references/scripts.md', /`results\/`/],
    ['when state dirs may go', 'references/workspaces.md', /Never remove one without `outcome.json`/],
    ["the demo's ledger", 'references/scripts.md', /ledger that it prints is shorter/],
    [
      'where scripts are looked for',
      'references/troubleshooting.md',
      /\.agent-config\/repo\/skills\/prun\/scripts/,
    ],
  ])('%s', (_point, file, pattern) => {
    expect(coordinatorTexts.find(([name]) => name === file)?.[1]).toMatch(pattern);
  });
});

describe('a whole repository as .claude/skills/prun', () => {
  it('its scripts are in every list of places, and README has its rule', () => {
    const place = '.claude/skills/prun/skills/prun/scripts';
    for (const text of [skill, reference('troubleshooting.md')]) expect(text).toContain(`\`${place}/\``);
    expect(readme).toContain(`Bash(node ${place}/*)`);
    expect(readme).toContain('`/.claude/skills/prun/`');
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

  it('scripts.md lists every field of an outcome and every file of a state dir', () => {
    const rows = (heading: string): Set<string> => {
      const cells = section(reference('scripts.md'), heading).match(/^\| `.*?(?= \|)/gm) ?? [];
      return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((name) => name[1] ?? '')));
    };
    const source = (file: string): string => readFileSync(path.join(root, 'scripts-src/unit', file), 'utf8');
    const record = /interface OutcomeRecord \{([\s\S]*?)\n\}/.exec(source('records.ts'))?.[1] ?? '';
    const fields = [...record.matchAll(/^ {2}(\w+):/gm)].map(([, field = '']) => field);
    const documentedFields = rows('outcome.json');
    expect(fields.length).toBeGreaterThan(20);
    expect(fields.filter((field) => !documentedFields.has(field))).toEqual([]);
    const files = [
      ...(source('state-dir.ts').match(/STATE_FILES = \{[\s\S]*?\}/)?.[0] ?? '').matchAll(/: '(.*)'/g),
    ]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('.'));
    const documentedFiles = rows('State dir');
    expect(files.filter((name) => !documentedFiles.has(name) && !documentedFiles.has(`${name}/`))).toEqual(
      [],
    );
  });
});

const builtAndPosix = existsSync(path.join(scriptsDir, 'dispatch-task.cjs')) && process.platform !== 'win32';

describe.runIf(builtAndPosix)('commands with workers, run as they stand', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun text ')));
    mkdirSync(path.join(folder, 'bin'));
    mkdirSync(path.join(folder, 'agent-io'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = [
    'prompt=$(cat)',
    'unit=$(printf "%s\\n" "$prompt" | sed -n "s/^Unit: //p")',
    'file=$(printf "%s\\n" "$prompt" | sed -n "s/.*in one write, to \\([^ ]*.*\\.md\\).*/\\1/p")',
  ];
  const answer = 'printf "# %s result\\nConclusion: ok\\n" "$unit" > "$file"';

  /** Puts a program named codex on PATH; it knows its `$unit` and the `$file` that its prompt asks for. */
  function codex(...lines: string[]): void {
    const file = path.join(folder, 'bin/codex');
    writeFileSync(file, `${['#!/bin/sh', ...write, ...lines].join('\n')}\n`, { mode: 0o755 });
  }
  function install(at = 'skills/prun'): void {
    mkdirSync(path.dirname(path.join(folder, at)), { recursive: true });
    symlinkSync(prunDir, path.join(folder, at));
  }
  function sh(script: string, extra: NodeJS.ProcessEnv = {}) {
    const PATH = `${path.join(folder, 'bin')}:${path.dirname(process.execPath)}:/usr/bin:/bin`;
    const run = spawnSync('sh', ['-c', script], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 30_000,
      env: { ...process.env, PATH, TMPDIR: folder, PRUN_STATE_HOME: folder, ...extra },
    });
    expect(run.error).toBeUndefined();
    return run;
  }
  const fanOut = blocks(readme, 'sh').find((block) => block.includes('dispatch-task.cjs')) ?? '';
  /** A command of a text for the coordinator; `<prun>` is the folder that it has found. */
  function shown(text: string, pattern: RegExp): string {
    const found = commands(text).find((command) => pattern.test(command)) ?? '';
    expect(found).not.toBe('');
    return found.replaceAll('<prun>', 'skills/prun');
  }

  describe("README's fan-out", () => {
    it.each(['skills/prun', '.claude/skills/prun', '.claude/skills/prun/skills/prun'])(
      'finds the scripts in %s and shows both results',
      (place) => {
        install(place);
        codex(answer);
        const run = sh(fanOut);
        expect(run.stdout).toContain('# names result\nConclusion: ok');
        expect(run.stdout).toContain('# tests result\nConclusion: ok');
        expect(run.stdout).not.toContain('exit code');
      },
    );

    it('ends when a dispatch fails before it has a state dir, shows the error, and no older result', () => {
      install();
      codex(answer);
      writeFileSync(path.join(folder, 'agent-io/r-names.md'), 'an older result\n');
      const run = sh(fanOut, { CODEX_DISPATCH_TIMEOUT: 'soon' });
      for (const unit of ['names', 'tests']) {
        expect(run.stdout).toContain(`${unit}: exit code 2, see agent-io/${unit}.err`);
        expect(run.stdout).toMatch(new RegExp(`${unit} has no result:\n.*CODEX_DISPATCH_TIMEOUT`));
      }
      expect(run.stdout).not.toContain('an older result');
    });

    it('shows the other result when one dispatch fails', () => {
      install();
      codex(answer);
      const one = fanOut.replace('--unit-id $unit', '--unit-id "$(echo $unit | sed s/names/not.a.name/)"');
      expect(one).not.toBe(fanOut);
      const run = sh(one);
      expect(run.stdout).toContain('names: exit code 2');
      expect(run.stdout).toMatch(/names has no result:\n.*not\.a\.name/);
      expect(run.stdout).toContain('# tests result\nConclusion: ok');
    });

    it('says that codex is missing', () => {
      install();
      const run = sh(fanOut, { CODEX_BIN: path.join(folder, 'bin/none') });
      expect(run.stdout).toContain('names: exit code 127');
      expect(run.stdout).toContain('tests: exit code 127');
    });

    it('waits for the rest when a worker forgets its result', () => {
      install();
      codex('[ $unit = names ] && exit 0', 'sleep 2', answer);
      const run = sh(fanOut);
      expect(run.stdout).toContain('# names result (FALLBACK, worker wrote no result file)');
      expect(run.stdout).toContain('# tests result\nConclusion: ok');
    });
  });

  it("SKILL.md's dispatch starts the template's unit, monitor and gather say how it ended", () => {
    install();
    codex(answer);
    mkdirSync(path.join(folder, 'api'));
    const prompt = blocks(reference('units.md'), '').find((block) => block.startsWith('Unit: api')) ?? '';
    writeFileSync(path.join(folder, 'agent-io/p-api.md'), prompt.replaceAll('/abs/project', folder));
    const dispatch = sh(shown(skill, /dispatch-task/).replace('/abs/run/api', '"$PWD/api"'));
    expect(dispatch.status, dispatch.stderr).toBe(0);
    const stateDir = /^STATE-DIR (.*)\n$/.exec(dispatch.stdout)?.[1] ?? '';
    const monitor = sh(shown(skill, /monitor\.cjs/).replace(/ \/tmp.*/, ` '${stateDir}'`));
    expect([monitor.status, monitor.stdout]).toEqual([0, expect.stringContaining('MONITOR-EVENT all-done')]);
    const gather = sh(shown(skill, /gather\.cjs/).replace(/ agent-io.*/, ' agent-io/r-api.md'));
    expect([gather.status, gather.stdout]).toEqual([0, expect.stringMatching(/^DONE /m)]);
    // What is said of the leftovers.
    expect(readdirSync(path.join(folder, 'results'))).toHaveLength(1);
    expect(JSON.parse(readFileSync(path.join(stateDir, 'outcome.json'), 'utf8'))).toMatchObject({
      attempt: 1,
    });
  });

  it('SKILL.md and executors.md ask whether codex is signed in, by a command that tells', () => {
    const command = shown(skill, /^codex login status$/);
    expect(commands(reference('executors.md'))).toContain(command);
    symlinkSync(codexPaths().wrapper, path.join(folder, 'bin/codex'));
    const home = path.join(folder, 'codex-home');
    mkdirSync(home);
    const run = sh(command, { CODEX_HOME: home });
    expect([run.status, run.stdout + run.stderr]).toEqual([1, expect.stringContaining('Not logged in')]);
  });

  it('reap-watch by hand ends a worker whose dispatcher and guardian are dead', async () => {
    install();
    codex('echo $$ > worker-pid', 'exec sleep 300');
    writeFileSync(path.join(folder, 'agent-io/p-api.md'), 'Unit: api\n');
    const dispatch = shown(skill, /dispatch-task/).replace('/abs/run/api', '"$PWD"');
    sh(`${dispatch} > agent-io/api.out 2> agent-io/api.err &`);
    const file = (name: string): string =>
      existsSync(path.join(folder, name)) ? readFileSync(path.join(folder, name), 'utf8').trim() : '';
    await vi.waitUntil(() => file('worker-pid') !== '' && file('agent-io/api.out') !== '', 10_000);
    const stateDir = file('agent-io/api.out').replace('STATE-DIR ', '');
    const state = (name: string): string => file(path.join(path.basename(stateDir), name));
    await vi.waitUntil(() => state('guardian') !== '', 10_000);
    // All three are this test's own; the dispatcher is held, so that it does not replace its guardian.
    const dispatcher = Number(state('dispatch-pid'));
    process.kill(dispatcher, 'SIGSTOP');
    process.kill(Number(state('guardian').split(':')[1]), 'SIGKILL');
    process.kill(dispatcher, 'SIGKILL');
    const monitor = (): string =>
      sh(shown(skill, /monitor\.cjs/).replace(/ \/tmp.*/, ` '${stateDir}'`)).stdout;
    expect(monitor()).toContain('failed(dispatch-dead)');
    expect(state('outcome.json')).toBe('');
    const worker = Number(file('worker-pid'));
    expect(() => process.kill(worker, 0)).not.toThrow();
    for (const text of [skill, reference('scripts.md')]) {
      const reap = sh(shown(text, /reap-watch\.cjs/).replace(/ \/tmp.*/, ` '${stateDir}'`));
      expect([reap.status, reap.stdout, reap.stderr]).toEqual([0, '', '']);
    }
    expect(() => process.kill(worker, 0)).toThrow();
    expect(JSON.parse(state('outcome.json'))).toMatchObject({
      reason: 'dispatch-dead',
      supervisor: 'guardian',
    });
    expect(monitor()).toContain('failed(fallback)');
  }, 60_000);
});

describe.skipIf(process.platform === 'win32')('the clone recipe of workspaces.md, run as it stands', () => {
  const text = reference('workspaces.md');
  const recipe = (heading: string): string[] => commands(section(text, heading));
  let home: string;
  let project: string;
  let run: string;

  const executed = new Set<string>();
  /** A command that stands inside a sentence of a section. */
  function inline(heading: string, pattern: RegExp): string {
    const found = inlineCommands(section(text, heading)).find((command) => pattern.test(command));
    if (!found) throw new Error(`${heading} has no ${pattern}`);
    return found;
  }

  /** Runs one command of the text with the test's own paths in place of the text's, through a shell. */
  function sh(command: string, base = 'BASE', names: Record<string, string> = {}): string {
    executed.add(command);
    const real = Object.entries(names)
      .reduce((line, [name, value]) => line.replace(new RegExp(`\\b${name}\\b`, 'g'), value), command)
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
  /** The base recipe as it stands; `cp` is left out where its file is missing, as the text says. Prints the ids. */
  function makeBase(leaveOut?: RegExp): [string, string] {
    let printed = '';
    for (const command of recipe("The base clone: the user's work as it is now")) {
      if (leaveOut?.test(command)) continue;
      const exclude = printed.trim();
      if (command.startsWith('cp ') && !existsSync(exclude)) continue;
      printed = sh(command, 'BASE', { EXCLUDE: exclude });
    }
    const [base = '', tree = ''] = printed.trim().split('\n');
    return [base, tree];
  }
  /** Before the base there is nothing to compare with. */
  const checks = (): [string[], string] => {
    const all = recipe('Check that the repository was only read');
    return [all.slice(0, -1), all.at(-1) ?? ''];
  };
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
    const [check, againstBase] = checks();
    const repositoryState = check.map((command) => sh(command));

    const [base, tree] = makeBase();
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
    expect(sh(againstBase)).toBe('');
    expect(snapshot(api, { skip: ignored })).toEqual(snapshot(project, { skip: ignored }));
    expect(sh(inline('What a clone lacks', /status/))).toBe('');
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
    const [ofApi = '', ofUi = ''] = recipe('Which patches overlap').map((command) => sh(command));
    expect(ofApi.trim().split('\n')).toHaveLength(10);
    expect(ofUi).toBe('1\t0\tui.txt\n');

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

    // The check against the base tells of a second change, to a file that was changed already.
    rmSync(path.join(project, 'ui.txt'));
    expect(sh(againstBase)).toBe('');
    appendFileSync(path.join(project, 'src/a.txt'), 'changed again\n');
    expect(check.map((command) => sh(command))).toEqual(repositoryState);
    expect(sh(againstBase)).toBe(' M src/a.txt\n');
    edit(project, 'src/a.txt', 'one\ntwo\nthree\n');
  });

  it('a file at an ignored path is seen, and can be taken into the patch', () => {
    const base = git(path.join(run, 'base'), 'rev-parse', 'HEAD').trim();
    const other = (command: string): string => command.replaceAll('/abs/run/api', '/abs/run/hidden');
    for (const command of recipe('One clone for each unit')) sh(other(command));
    edit(path.join(run, 'hidden'), 'build/x.mjs', 'made by the worker\n');
    edit(path.join(run, 'hidden'), 'node_modules/a/b.js', 'installed\n');
    appendFileSync(path.join(run, 'hidden/.gitignore'), 'node_modules\n*.mine\n');
    edit(path.join(run, 'hidden'), 'deep/er/x.mine', 'hidden by the worker itself\n');
    const collect = recipe('Collect a delta');
    const said = collect.map((command) => sh(other(command), base));
    expect(said[2]).toBe('M\t.gitignore\n');
    expect(said[4]).toBe('M  .gitignore\n!! build/\n!! deep/\n!! node_modules/\n');
    const add = inline('Collect a delta', /add -f PATH/);
    executed.add(add);
    sh(other(add), base, { PATH: 'build/x.mjs' });
    for (const command of collect.slice(1, 3)) sh(other(command), base);
    expect(readFileSync(path.join(project, 'agent-io/api.patch'), 'utf8')).toContain('+made by the worker');
  });

  it('a repository that a worker made inside its clone can be taken into the patch', () => {
    const base = git(path.join(run, 'base'), 'rev-parse', 'HEAD').trim();
    const folder = path.join(run, 'inner');
    const other = (command: string): string => command.replaceAll('/abs/run/api', '/abs/run/inner');
    for (const command of recipe('One clone for each unit')) sh(other(command));
    const collect = recipe('Collect a delta');
    const patch = (): string => {
      for (const command of collect) sh(other(command), base);
      return readFileSync(path.join(project, 'agent-io/api.patch'), 'utf8');
    };
    const [takeOut, removeGit] = [/rm --cached/, /^rm -rf/].map((which) => inline('Collect a delta', which));
    for (const command of [takeOut, removeGit]) executed.add(command ?? '');
    edit(folder, 'lib/file', 'inside\n');
    git(path.join(folder, 'lib'), 'init', '-q');
    git(path.join(folder, 'lib'), 'add', '-A');
    git(path.join(folder, 'lib'), 'commit', '-qm', 'own');
    expect(patch()).toContain('Subproject commit');
    sh(other(takeOut ?? ''), base, { PATH: 'lib' });
    sh(other(removeGit ?? ''), base, { PATH: 'lib' });
    expect(patch()).toContain('+inside');
    edit(folder, 'empty/file', 'inside the second\n');
    git(path.join(folder, 'empty'), 'init', '-q');
    expect(() => patch()).toThrow(/does not have a commit checked out/);
    sh(other(removeGit ?? ''), base, { PATH: 'empty' });
    expect(patch()).toContain('+inside the second');
  });

  it('a patch that does not join changes nothing, and an empty one is refused everywhere', () => {
    const base = git(path.join(run, 'base'), 'rev-parse', 'HEAD').trim();
    const all = path.join(run, 'all');
    const whole = readFileSync(path.join(project, 'agent-io/all.patch'));
    rmSync(all, { recursive: true });
    for (const unit of ['api', 'ui']) {
      const clone = path.join(run, `collide-${unit}`);
      git(home, 'clone', '-q', '--shared', path.join(run, 'base'), clone);
      edit(clone, 'both.txt', `${unit}\n`);
      edit(clone, `only-${unit}.txt`, `${unit}\n`);
      const collect = recipe('Collect a delta').slice(0, 2);
      for (const command of collect) {
        sh(command.replaceAll('/abs/run/api', clone).replace('api.patch', `${unit}.patch`), base);
      }
    }
    const join = recipe('Join the patches');
    expect(join.at(-1)).toContain('--output=');
    for (const command of join.slice(0, 3)) sh(command, base);
    const before = snapshot(all);
    expect(() => sh(join[3] ?? '', base)).toThrow(/both\.txt: already exists/);
    expect(snapshot(all)).toEqual(before);
    expect(section(text, 'Join the patches')).toMatch(/If one fails, stop here\. Do not go on/);
    expect(readFileSync(path.join(project, 'agent-io/all.patch'))).toEqual(whole);
    edit(project, 'agent-io/ui.patch', '');
    for (const command of [recipe('Which patches overlap')[1], join[3]]) {
      expect(() => sh(command ?? '', base)).toThrow(/No valid patches in input/);
    }
  });

  it('collects from a clone whose .git is broken', () => {
    const second = path.join(run, 'broken-2');
    const broken = path.join(run, 'broken');
    for (const folder of [broken, second])
      git(home, 'clone', '-q', '--shared', path.join(run, 'base'), folder);
    rmSync(path.join(broken, '.git'), { recursive: true });
    edit(broken, 'work.txt', 'kept\n');
    const [fix = ''] = /`(git -C \/abs\/run\/api --git-dir=[^`]*)`/.exec(text)?.slice(1) ?? [];
    executed.add(fix);
    sh(fix.replaceAll('/abs/run/api', '/abs/run/broken'));
    expect(git(second, 'diff-index', '--cached', '--name-status', 'HEAD')).toBe('A\twork.txt\n');
  });

  it('is cleaned up by the commands of the text', () => {
    const kept = snapshot(project, { skip: ['.git'] });
    for (const command of recipe('Clean up')) sh(command);
    for (const name of ['api', 'ui', 'all', 'base']) expect(existsSync(path.join(run, name))).toBe(false);
    expect(snapshot(project, { skip: ['.git'] })).toEqual(kept);
  });

  describe('the base of other repositories', () => {
    let kind = 0;
    beforeEach(() => {
      kind++;
      project = path.join(home, `project-${kind}`);
      run = path.join(home, `run-${kind}`);
      mkdirSync(project);
      git(project, 'init', '-q', '-b', 'main');
      edit(project, 'file', 'committed\n');
      edit(project, 'agent-io/p-api.md', 'prompt\n');
    });
    const commitFile = (): void => {
      git(project, 'add', 'file');
      git(project, 'commit', '-qm', 'first');
      edit(project, 'file', 'changed\n');
    };
    const filesOf = (commit: string): string[] =>
      git(path.join(run, 'base'), 'ls-tree', '-r', '--name-only', commit).trim().split('\n');

    it.each([
      ['.gitignore', '/agent-io/\n'],
      ['.gitignore', 'agent-io\n*.local\n'],
      ['.git/info/exclude', 'agent-io/\n*.local\n'],
      ['.git/info/exclude', '# no rule\n'],
    ])('%s with %j', (file, rules) => {
      commitFile();
      edit(project, file, rules);
      edit(project, 'private.local', 'secret\n');
      const [check, againstBase] = checks();
      const before = snapshot(project, { meta: true });
      const state = check.map((command) => sh(command));
      const [base] = makeBase();
      expect(filesOf(base)).toEqual(
        ['.gitignore', 'file', 'private.local'].filter((name) =>
          name === '.gitignore' ? file === name : name === 'file' || !rules.includes('*.local'),
        ),
      );
      expect(git(path.join(run, 'base'), 'show', `${base}:file`)).toBe('changed\n');
      expect(snapshot(project, { meta: true })).toEqual(before);
      edit(project, 'agent-io/r-api.md', 'result\n');
      expect(check.map((command) => sh(command))).toEqual(state);
      expect(sh(againstBase)).toBe('');
      edit(project, 'intruder', 'x\n');
      expect(sh(againstBase)).toBe('?? intruder\n');
      expect(check.map((command) => sh(command))).not.toEqual(state);
    });

    it('agent-io/ that is the only new thing does not show in the check', () => {
      git(project, 'add', 'file');
      git(project, 'commit', '-qm', 'first');
      expect(checks()[0].map((command) => sh(command))[2]).toBe('## main\n');
    });

    it('without any commit', () => {
      const [base] = makeBase(/read-tree HEAD/);
      expect(filesOf(base)).toEqual(['file']);
    });

    it('a linked worktree, with its repository’s private rules', () => {
      commitFile();
      edit(project, '.git/info/exclude', '*.local\n');
      const tree = path.join(home, 'linked');
      git(project, 'worktree', 'add', '-q', '-b', 'side', tree);
      project = tree;
      edit(project, 'x.local', 'private\n');
      edit(project, 'mine', 'new\n');
      expect(filesOf(makeBase()[0])).toEqual(['file', 'mine']);
    });

    it('a file that is staged although it is ignored is listed and can be added', () => {
      commitFile();
      edit(project, '.gitignore', '*.log\n');
      edit(project, 'forced.log', 'wanted\n');
      git(project, 'add', '-f', 'forced.log');
      const heading = "The base clone: the user's work as it is now";
      makeBase(/ commit | rev-parse HEAD/);
      expect(sh(inline(heading, /ls-files/))).toBe('forced.log\n');
      sh(inline(heading, /add -f PATH/), 'BASE', { PATH: 'forced.log' });
      for (const command of recipe(heading).slice(-2)) sh(command);
      expect(filesOf('HEAD')).toEqual(['.gitignore', 'file', 'forced.log']);
    });

    it('a whole prun repository at .claude/skills/prun is taken out of the base', () => {
      commitFile();
      const nested = '.claude/skills/prun';
      edit(project, `${nested}/SKILL.md`, 'x\n');
      git(path.join(project, nested), 'init', '-q');
      const heading = "The base clone: the user's work as it is now";
      const unfinished = / commit | rev-parse HEAD/;
      expect(() => makeBase(unfinished)).toThrow(/does not have a commit checked out/);
      rmSync(run, { recursive: true });
      git(path.join(project, nested), 'add', '-A');
      git(path.join(project, nested), 'commit', '-qm', 'prun');
      makeBase(unfinished);
      sh(inline(heading, /rm --cached --quiet PATH/), 'BASE', { PATH: nested });
      for (const command of recipe(heading).slice(-2)) sh(command);
      expect(filesOf('HEAD')).toEqual(['file']);
      expect(sh(checks()[1])).toBe(`?? ${nested}/\n`);
      // With the line that README asks for, nothing need be taken out.
      rmSync(run, { recursive: true });
      edit(project, '.gitignore', `/${nested}/\n`);
      expect(filesOf(makeBase()[0])).toEqual(['.gitignore', 'file']);
    });
  });

  it('every command of the text was executed', () => {
    const all = [...commands(text), ...inlineCommands(text)];
    expect(all.filter((command) => !executed.has(command))).toEqual([]);
    expect(all.length).toBeGreaterThan(30);
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
