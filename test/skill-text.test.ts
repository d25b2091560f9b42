import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
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
import { workerRules } from '../scripts-src/run/prompt/worker-rules.ts';
import { codexPaths } from './helpers/codex-bin.ts';
import {
  blocks,
  commands,
  coordinatorTexts,
  isOfRun,
  isSideCommand,
  openPrunFolder,
  readme,
  reference,
  references,
  root,
  section,
  skill,
  tableRows,
} from './helpers/skill-texts.ts';

const { prunDir, scriptsDir, remove } = openPrunFolder();
afterAll(remove);
/** Launchers are written by hand; PRUN_TORTURE_SCRIPTS has only what is compiled. */
const launcherDir = path.join(root, 'skills/prun/scripts');
const launcherNames = ['dispatch-task', 'monitor', 'gather', 'reap-watch', 'prun'];

/** Commands that a test has run as they stand. */
const executed = new Set<string>();

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
      path.dirname(path.join(root, 'skills/prun', name)),
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
        expect(bare, command).toMatch(/^(node|git|curl|codex) /);
      }
    },
  );

  it.each(coordinatorTexts)('%s runs nothing while it is loaded', (_name, text) => {
    expect(text).not.toMatch(/!`/);
    expect(text).not.toContain('allowed-tools');
  });

  it('background calls carry the long timeout and a description with the run id', () => {
    for (const [text, description] of [
      [skill, '`prun items-1 wait`'],
      [reference('single.md'), '`prun items-1 api`'],
      [reference('single.md'), '`prun items-1 monitor`'],
      [reference('single.md'), '`prun items-1 gather`'],
    ] as const) {
      expect(text).toContain('`run_in_background: true`, `timeout: 7200000`');
      expect(text).toContain(description);
    }
    expect(skill).toMatch(/from the main session only/);
    expect(reference('single.md')).toMatch(/Only from the main session/);
  });
});

describe('words', () => {
  it.each([...coordinatorTexts, ['README.md', readme]])('%s uses the words of the design', (_name, text) => {
    // The design keeps this other name of `prun add`.
    const own = text.replaceAll('`add-lane`', '');
    expect(own).not.toMatch(/\b(lanes?|swarm|orchestrat\w*|sub-tasks?|seamless\w*|powerful|blazing)\b/i);
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
    expect(blocks(reference('units.md'), '')).toContain(contract);
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
    ['what to do on a stall', 'SKILL.md', /offer fewer workers or a new attempt, act on the answer/],
    [
      'what to do on a stall of a single unit',
      'references/single.md',
      /offer fewer workers or a new dispatch/,
    ],
    ['no diff yet is normal', 'SKILL.md', /without a change so far is normal/],
    ['integrate none of an incomplete set', 'SKILL.md', /integrate none of the set/],
    [
      'a FALLBACK is reviewed or tried again',
      'SKILL.md',
      /Review it as such, or let the unit go on or try again/,
    ],
    ['a FALLBACK of a single unit', 'references/single.md', /or dispatch the unit again/],
    ['every hunk is read', 'SKILL.md', /every hunk/],
    ['ask before any commit', 'SKILL.md', /Ask the user before any commit/],
    ['agent-io', 'SKILL.md', /lies under `agent-io\/`[\s\S]*What is made for people lies outside/],
    ['the way to be called', 'SKILL.md', /After `\/prun <task>`/],
    ['what is missing on a machine', 'SKILL.md', /missing on this machine: `prun doctor`/],
    ['validation', 'SKILL.md', /`prun run --validate`/],
    ['reviews', 'SKILL.md', /\(references\/reviews\.md\)/],
    ['the four scripts', 'SKILL.md', /`dispatch-task`[\s\S]*`monitor`[\s\S]*`gather`[\s\S]*`reap-watch`/],
    ['independence', 'references/units.md', /## Independence/],
    ['balance', 'references/units.md', /of about the same size/],
    ['after a restart', 'SKILL.md', /After a restart or a compaction/],
    ['Workflow', 'SKILL.md', /native Workflow tool comes up/],
    ['parallel or not', 'references/units.md', /one unit each, at once/],
    ['small hosts', 'references/units.md', /small host begin with two units/],
    ['foundation first', 'references/units.md', /## Foundation first/],
    ['no spinning', 'references/units.md', /No spinning/],
    ['visual evidence', 'references/web.md', /## What a screenshot must prove/],
    ['flows await execution', 'references/web.md', /await execution/],
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
    ['a breaker is waited for', 'SKILL.md', /With a reset time: wait again, it goes on by itself/],
    ['an account without a reset time', 'references/runs.md', /stays open until `prun resume --run R`/],
    [
      'a follow-up is a resume',
      'SKILL.md',
      /Findings go to the unit's own worker \(`resume --prompt-file`\)/,
    ],
    ['resume or retry', 'references/runs.md', /Take `retry` where the work went wrong/],
    ['omp has no sandbox', 'references/executors.md', /It has no sandbox, and every tool call is approved/],
    ["claude's permissions", 'references/executors.md', /its mode is said outright: `bypassPermissions`/],
    ['what in place means over MCP', 'references/mcp.md', /In place there is no undo/],
    ['where a single unit goes on', 'references/single.md', /`--resume` and the `sessionId`/],
    [
      'signed in before the first dispatch',
      'SKILL.md',
      /Before the first Codex unit[\s\S]*codex login status/,
    ],
    ['clones before prompts', 'references/single.md', /\*\*Clones first\*\*[\s\S]*\*\*Prompts\.\*\*/],
    ['prun adds the place to a prompt', 'SKILL.md', /prun adds where the unit works/],
    ['what prun adds to a prompt', 'references/units.md', /\| you write \| prun adds \|/],
    ['the base commit in the prompt', 'references/single.md', /^Work in .* Base commit: [0-9a-f]{40}\.$/m],
    [
      'a worker that may still run',
      'references/single.md',
      /guardian is dead too, and the worker may still run/,
    ],
    ['a worker that may still run, again', 'references/troubleshooting.md', /and\*\* guardian are dead/],
    ['how to install codex', 'references/troubleshooting.md', /npm install -g @openai\/codex/],
    ['ignored paths', 'references/workspaces.md', /does \*\*not\*\* hold files at ignored paths/],
    ['a conflict changes nothing', 'SKILL.md', /`apply` has changed nothing/],
    ['read before apply', 'SKILL.md', /\*\*every hunk\*\*[\s\S]*Only then apply[\s\S]*--check/],
    ['how to take an apply back', 'SKILL.md', /the last line says how to take it back/],
    ['how to take it back, whole', 'references/integration.md', /## Take it back/],
    ['the tripwire', 'SKILL.md', /`the user's repository changed`: show it to the user/],
    ['the tripwire of a single unit', 'references/single.md', /`tripwire` in `outcome\.json`/],
    ['false claims', 'SKILL.md', /`claim-mismatch`, `nothing-done`/],
    ['false claims of a single unit', 'references/single.md', /`claim-mismatch`[\s\S]*`nothing-done`/],
    ['reconcile before integrating', 'SKILL.md', /Until it is 0, \*\*integrate none of the set\*\*/],
    ['one wait, and again until all is done', 'SKILL.md', /start it again until it ends with `all-done`/],
    ['a run outlives its session', 'SKILL.md', /One supervisor, detached from this session/],
    ['look before the start', 'SKILL.md', /Look at the plan and at one whole prompt first[\s\S]*--dry-run/],
    ['a Sonnet unit is registered first', 'SKILL.md', /\*\*A Sonnet unit\*\* is recorded first/],
    ['verify', 'SKILL.md', /`verify` is a command that runs in the clone/],
    ['after', 'SKILL.md', /`after: \[api\]` starts a unit from the merged results/],
    ['stale', 'references/runs.md', /\*\*stale\*\*: a parent was retried/],
    ['blocked', 'references/runs.md', /\*\*blocked\*\*: a parent has failed/],
    ['a supervisor is not killed', 'references/durable-runs.md', /Never kill a supervisor to stop a run/],
    ['a restart of the machine', 'references/durable-runs.md', /After a restart of the machine/],
    ['a run that was moved', 'references/durable-runs.md', /it is only read there/],
    ['what init adds', 'references/durable-runs.md', /## What init leaves in the repository/],
    ['the literal run id after a restart', 'references/durable-runs.md', /With the literal run id/],
    ['a lost supervisor', 'references/troubleshooting.md', /`wait` ends with 34, `lost`/],
    ['where to look first', 'references/troubleshooting.md', /## Where to look/],
    ['units that end with the session', 'references/single.md', /The units do not outlive the session/],
    ['a pipe in a command unit', 'references/executors.md', /for a pipe give them to one/],
    ['the base note in the prompt', 'references/single.md', /is in \/abs\/run\/PRUN-BASE\.md/],
    ['ports in the prompt', 'references/single.md', /listens on the port in \$PORT/],
    ['a frozen base', 'references/workspaces.md', /The first call freezes the \*\*base\*\*/],
    [
      'what the tripwire does not see',
      'references/workspaces.md',
      /does not look at the user's working files/,
    ],
    ['conflicts with the user', 'references/integration.md', /With the user's own work/],
    ['leftovers', 'references/scripts.md', /`results\/`/],
    ['when state dirs may go', 'references/workspaces.md', /Never remove one without `outcome.json`/],
    ["the demo's ledger", 'references/commands.md', /ledger that it prints is shorter/],
    [
      'where scripts are looked for',
      'references/troubleshooting.md',
      /\.agent-config\/repo\/skills\/prun\/scripts/,
    ],
  ])('%s', (_point, file, pattern) => {
    expect(coordinatorTexts.find(([name]) => name === file)?.[1]).toMatch(pattern);
  });
});

describe('what prun adds to a prompt', () => {
  it('units.md has every rule of a worker, word for word', () => {
    const rules = [
      ...workerRules('scratch'),
      ...workerRules('clone'),
      ...workerRules('inplace'),
      ...workerRules('scratch', true),
    ];
    for (const rule of rules) expect(reference('units.md')).toContain(rule);
  });
});

describe('a whole repository as .claude/skills/prun', () => {
  it('its scripts are in the list of places, and README has its rule', () => {
    const place = '.claude/skills/prun/skills/prun/scripts';
    expect(reference('troubleshooting.md')).toContain(`\`${place}/\``);
    expect(readme).toContain(`Bash(node ${place}/*)`);
    expect(readme).toContain('`/.claude/skills/prun/`');
  });
});

describe.runIf(existsSync(path.join(scriptsDir, 'dispatch-task.cjs')))('the built scripts', () => {
  const seen = new Map<string, Set<string>>();
  const help = (name: string): Set<string> => {
    const known = seen.get(name);
    if (known) return new Set(known);
    const [script = '', ...command] = name.split(' ');
    const file = path.join(scriptsDir, `${script}.cjs`);
    const run = spawnSync(process.execPath, [file, ...command, '--help'], { encoding: 'utf8' });
    expect(run.status, run.stderr).toBe(0);
    // The texts of prun's commands name flags of others, too.
    const own =
      command.length > 0 ? run.stdout.match(/^ {2}--[a-z][a-z-]+/gm) : run.stdout.match(/--[a-z][a-z-]+/g);
    const flags = new Set(own?.map((flag) => flag.trim()));
    // The help of cleanup names it beside --everything.
    if (name === 'prun cleanup') flags.add('--all');
    seen.set(name, flags);
    return new Set(flags);
  };
  const prun = (command: string): string => {
    const argv = [path.join(scriptsDir, 'prun.cjs'), ...command.split(' ')];
    const said = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    expect(said.status, said.stderr).toBe(0);
    return said.stdout;
  };
  /** All that `prun --help` lists. */
  const listed = existsSync(path.join(scriptsDir, 'prun.cjs')) ? prun('--help') : '';
  const prunCommands = [...listed.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = '']) => name);
  const documented: [string, () => string][] = [
    ['dispatch-task', () => section(reference('executors.md'), 'Flags of dispatch-task')],
    ['monitor', () => section(reference('scripts.md'), 'monitor')],
    ['gather', () => section(reference('scripts.md'), 'gather')],
    ['reap-watch', () => section(reference('scripts.md'), 'reap-watch')],
    ['prun-mcp', () => section(reference('mcp.md'), 'Register it')],
    ...prunCommands
      .filter((name) => name !== 'demo')
      .map((name): [string, () => string] => [`prun ${name}`, () => section(reference('commands.md'), name)]),
  ];

  it.each(documented)(
    '%s has every flag that is documented, and every flag that it has is documented',
    (name, text) => {
      const known = help(name);
      known.delete('--help');
      // Other names of --unit-id and --prompt-file; --help need not list them.
      if (name === 'dispatch-task') for (const alias of ['--unit', '--phase', '--brief']) known.add(alias);
      expect(new Set(text().match(/--[a-z][a-z-]+/g))).toEqual(known);
    },
  );

  it('every script and flag in a command exists', () => {
    for (const [, text] of [...coordinatorTexts, ['README.md', readme]] as const) {
      for (const [line, name = ''] of text.matchAll(
        /scripts\/([\w-]+)\.(?:cjs|sh|ps1)(?:(?! -- |scripts\/).)*/g,
      )) {
        expect(existsSync(path.join(scriptsDir, `${name}.cjs`)), line).toBe(true);
        const command = name === 'prun' ? /\.cjs ([a-z]+)/.exec(line)?.[1] : undefined;
        const known = help(command === undefined ? name : `${name} ${command}`);
        for (const flag of line.match(/ --[a-z][a-z-]+/g) ?? []) expect(known, line).toContain(flag.trim());
      }
    }
  });

  it('commands.md has a section for every command that prun --help lists, and for no other', () => {
    expect(prunCommands.length).toBeGreaterThan(20);
    const sections = [...reference('commands.md').matchAll(/^## ([a-z]+)$/gm)].map(([, name]) => name);
    expect(new Set(sections)).toEqual(new Set(prunCommands));
  });

  describe('the tables of manifest keys in runs.md agree with prun schema', () => {
    interface Key {
      enum?: string[];
    }
    interface Schema {
      properties: Record<string, Key> & {
        units: { items: { properties: Record<string, Key>; required: string[] } };
      };
      required: string[];
    }
    const schema = (): Schema => JSON.parse(prun('schema'));
    const rows = (heading: string): string[][] => tableRows(section(reference('runs.md'), heading));
    const ofRun = rows('The manifest: keys of the run');
    const ofUnit = rows('The manifest: keys of a unit');
    const keyOf = ([cell = '']: string[]): string => cell.replaceAll('`', '');

    it('each key stands in its table, those that may stand above the units are marked', () => {
      const { properties } = schema();
      const unitKeys = properties.units.items.properties;
      const above = Object.keys(properties);
      expect(ofUnit.map(keyOf).sort()).toEqual(Object.keys(unitKeys).sort());
      // `resources` above the units is another key than that of a unit: numbers, not names.
      const marked = ofUnit.filter(([, mark]) => mark === 'yes').map(keyOf);
      expect(marked.sort()).toEqual(
        Object.keys(unitKeys)
          .filter((key) => above.includes(key) && key !== 'resources')
          .sort(),
      );
      expect(ofRun.map(keyOf).sort()).toEqual(above.filter((key) => !marked.includes(key)).sort());
    });

    it('each row names all words that its key takes, and says what is required', () => {
      const { properties, required } = schema();
      const { items } = properties.units;
      for (const row of ofUnit) {
        const key = keyOf(row);
        for (const word of items.properties[key]?.enum ?? [])
          expect(row.join(' '), key).toContain(`\`${word}\``);
      }
      const asked = [...ofRun, ...ofUnit].filter((row) => row.at(-1) === 'required').map(keyOf);
      expect(asked).toEqual([...required, ...items.required]);
    });

    it('each default is the one that the schema tells', () => {
      const { items } = schema().properties.units;
      const numbers = (text: string): string[] => text.match(/\b\d+G?\b/g) ?? [];
      for (const row of ofUnit) {
        const about = (items.properties[keyOf(row)] as { description?: string }).description ?? '';
        const [, told] = /[Dd]efault:? ([^;)]*)/.exec(about) ?? [];
        if (told === undefined) continue;
        const shown = row.at(-1) ?? '';
        for (const value of [...numbers(told), ...(told.match(/xhigh|true|false/g) ?? [])])
          expect(shown, keyOf(row)).toContain(value);
      }
    });

    it('executors.md names the keys of codex, and a command unit with one of them is refused', () => {
      const row = section(reference('executors.md'), 'Keys of a manifest, by executor')
        .split('\n')
        .find((line) => line.startsWith('| `codex` '));
      const keys = [...(row?.split(' | ')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, key = '']) => key);
      expect(keys.length).toBeGreaterThan(4);
      const home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun-keys-')));
      const values: Record<string, unknown> = {
        ...{ sandbox: 'read-only', network: false, isolateMcp: false, structured: true, ephemeral: true },
        ...{ config: ['a=b'], images: ['x'], tokenLimit: 5 },
      };
      const unit = Object.fromEntries(keys.map((key) => [key, values[key] ?? 'x']));
      const manifest = { units: [{ id: 'a', executor: 'command', argv: ['true'], prompt: 'x', ...unit }] };
      writeFileSync(path.join(home, 'm.json'), JSON.stringify(manifest));
      const argv = [path.join(scriptsDir, 'prun.cjs'), 'run', path.join(home, 'm.json'), '--dry-run'];
      const said = spawnSync(process.execPath, argv, {
        encoding: 'utf8',
        env: { ...process.env, PRUN_UNIT: '', PRUN_STATE_HOME: path.join(home, 'state') },
      });
      rmSync(home, { recursive: true });
      expect(said.status).toBe(2);
      for (const key of keys)
        expect(said.stderr).toContain(`units[0].${key}: does nothing for executor command`);
    });
  });

  it('commands.md names every exit code that a command ends with', () => {
    const source = (file: string): string => readFileSync(path.join(root, 'scripts-src', file), 'utf8');
    const codes = new Map(
      [...source('platform/errors.ts').matchAll(/^ {2}(\w+): (\d+),$/gm)].map(([, name = '', code = '']) => [
        name,
        code,
      ]),
    );
    const files = readdirSync(path.join(root, 'scripts-src/commands'), {
      recursive: true,
      encoding: 'utf8',
    }).filter((name) => name.endsWith('.ts'));
    const used = files.flatMap((file) =>
      [...source(`commands/${file}`).matchAll(/EXIT\.(\w+)/g)].map(([, name = '']) => codes.get(name)),
    );
    expect(new Set(used).size).toBeGreaterThan(6);
    const common = section(reference('commands.md'), 'In common');
    for (const code of new Set(used)) expect(common).toMatch(new RegExp(`[:;] ${code} `));
  });

  it('runs.md names every state and every event, troubleshooting.md every reason', () => {
    const states = section(reference('runs.md'), 'States and reasons');
    const told = section(reference('troubleshooting.md'), 'Reasons');
    const records = readFileSync(path.join(root, 'scripts-src/unit/records.ts'), 'utf8');
    const runRecords = readFileSync(path.join(root, 'scripts-src/run/records.ts'), 'utf8');
    const words = (text: string | undefined): string[] =>
      [...(text ?? '').matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word);
    const reasons = words(/type OutcomeReason =([\s\S]*?);/.exec(records)?.[1]);
    const outcomes = words(/type OutcomeStatus =([\s\S]*?);/.exec(records)?.[1]);
    const unitStates = words(/type UnitState =([\s\S]*?);/.exec(runRecords)?.[1]);
    expect(reasons.length).toBeGreaterThan(15);
    expect(unitStates.length).toBeGreaterThan(3);
    for (const word of [...outcomes, ...unitStates]) expect(states).toContain(`\`${word}\``);
    for (const word of reasons) expect(told).toMatch(new RegExp(`^\\| [^|]*\`${word}\``, 'm'));
    const events = [...runRecords.matchAll(/\btype: '([\w-]+)'/g)].map(([, word = '']) => word);
    const log = section(reference('runs.md'), 'Events and logs');
    const body = runRecords.slice(0, runRecords.indexOf('export type RunRequest'));
    for (const event of events.filter((word) => body.includes(`type: '${word}'`)))
      expect(log).toContain(`\`${event}\``);
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
    const words = (type: string): string[] =>
      [
        ...(new RegExp(`type ${type} =([\\s\\S]*?);`).exec(source('records.ts'))?.[1] ?? '').matchAll(
          /'([\w-]+)'/g,
        ),
      ].map(([, word = '']) => word);
    const outcome = section(reference('scripts.md'), 'outcome.json');
    for (const word of ['OutcomeStatus', 'OutcomeReason', 'ResultOrigin'].flatMap(words))
      expect(outcome).toContain(`\`${word}\``);
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
  afterEach(() => {
    for (const place of [folder, `${folder}-state`]) rmSync(place, { recursive: true, force: true });
  });

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
      timeout: 55_000,
      env: {
        ...process.env,
        PATH,
        TMPDIR: folder,
        PRUN_STATE_HOME: `${folder}-state`,
        PRUN_PORTS_HOME: path.join(folder, 'ports'),
        GIT_CONFIG_GLOBAL: '/dev/null',
        ...extra,
      },
    });
    expect(run.error).toBeUndefined();
    return run;
  }
  const single = reference('single.md');
  const fanOut = blocks(readme, 'sh').find((block) => block.includes('dispatch-task.cjs')) ?? '';
  /** A command of a text for the coordinator; `<prun>` is the folder that it has found. */
  function shown(text: string, pattern: RegExp): string {
    const found = commands(text).find((command) => pattern.test(command)) ?? '';
    expect(found).not.toBe('');
    executed.add(found);
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

  /** Makes the folder a repository with one commit. */
  function repository(): void {
    mkdirSync(path.join(folder, 'src'));
    writeFileSync(path.join(folder, 'src/items.js'), 'one\n');
    writeFileSync(path.join(folder, 'README.md'), 'wrong\n');
    const identity = '-c user.name=t -c user.email=t@t';
    const made = sh(`git init -q -b main . && git add src README.md && git ${identity} commit -qm first`);
    expect(made.status, made.stderr).toBe(0);
  }

  it("README's first look at a clone leaves nothing behind", () => {
    install();
    repository();
    const [clone = '', cleanup = ''] = commands(readme).filter((command) => command.includes('--run look'));
    const made = sh(clone);
    expect([made.status, made.stdout]).toEqual([0, expect.stringMatching(/^CLONE \/.*\/clones\/a\n$/)]);
    const removed = sh(cleanup);
    expect([removed.status, removed.stdout]).toEqual([0, expect.stringContaining('REMOVED run look')]);
    expect(readdirSync(path.join(`${folder}-state`, 'workspaces'))).toEqual([]);
  });

  it("README's change runs two units in clones, and its last lines apply, undo and clean up", () => {
    install();
    repository();
    codex(
      'case $unit in readme) name=README.md ;; names) name=src/items.js ;; esac',
      'echo right > "$name"',
      'printf "# %s result\\nConclusion: ok\\nFiles: %s\\n" "$unit" "$name" > "$file"',
    );
    const change = blocks(readme, 'sh').find((block) => block.includes('prun.cjs" clone')) ?? '';
    const run = sh(change);
    expect(run.stderr).toContain('with the work that is not committed');
    for (const line of ['M README.md', 'M src/items.js', 'CONFLICTS units=2 pairs=0 outside=0']) {
      expect(run.stdout).toContain(`\n${line}\n`);
    }
    expect(run.stdout).toContain('WOULD-APPLY 2 files=2');
    expect(run.stdout).not.toContain('exit code');
    const content = (): string => readFileSync(path.join(folder, 'README.md'), 'utf8');
    expect(content()).toBe('wrong\n');
    const told = [...run.stdout.matchAll(/^ {2}(node .*?)(?: {2,}\(.*)?$/gm)].map(
      ([, command = '']) => command,
    );
    const ends = told.map((command) => [sh(command).status, content()]);
    expect(ends).toEqual([
      [0, 'right\n'],
      [0, 'wrong\n'],
      [0, 'wrong\n'],
    ]);
  });

  it("single.md's dispatch starts the template's unit in a clone, monitor and gather say how it ended", () => {
    install();
    repository();
    codex(
      'echo two > src/items.js',
      'printf "%s\\n" "$PRUN_WORKSPACE" "$PRUN_BASE_NOTE" "$PRUN_PORT_FIRST" "$PRUN_PORT_LAST" "$PORT" > "$file.told"',
      'printf "# %s result\\nConclusion: ok\\nFiles: src/items.js\\n" "$unit" > "$file"',
    );
    const made = sh('node skills/prun/scripts/prun.cjs clone --repo . --run items-1 --unit api');
    const clone = /^CLONE (.*)\n$/.exec(made.stdout)?.[1] ?? '';
    const prompt = blocks(single, '').find((block) => block.startsWith('Unit: api')) ?? '';
    writeFileSync(path.join(folder, 'agent-io/p-api.md'), prompt.replaceAll('/abs/project', folder));
    const dispatch = sh(shown(single, /dispatch-task/).replace('/abs/run/clones/api', `"${clone}"`));
    expect(dispatch.status, dispatch.stderr).toBe(0);
    const stateDir = /^STATE-DIR (.*)\n$/.exec(dispatch.stdout)?.[1] ?? '';
    const monitor = sh(shown(single, /monitor\.cjs/).replace(/ \/tmp.*/, ` '${stateDir}'`));
    expect([monitor.status, monitor.stdout]).toEqual([0, expect.stringContaining('MONITOR-EVENT all-done')]);
    const gather = sh(shown(single, /gather\.cjs/).replace(/ agent-io.*/, ' agent-io/r-api.md'));
    expect([gather.status, gather.stdout]).toEqual([0, expect.stringMatching(/^DONE /m)]);
    // What is said of the leftovers, of the delta, and of a worker's environment.
    expect(readdirSync(path.join(`${folder}-state`, 'results'))).toHaveLength(1);
    expect(JSON.parse(readFileSync(path.join(stateDir, 'outcome.json'), 'utf8'))).toMatchObject({
      attempt: 1,
      delta: { state: 'collected', files: 1, patch: path.join(stateDir, 'delta.patch') },
      tripwire: null,
    });
    expect(readFileSync(path.join(stateDir, 'delta.patch'), 'utf8')).toContain('\n+two\n');
    const told = readFileSync(path.join(folder, 'agent-io/r-api.md.told'), 'utf8').split('\n');
    const first = Number(told[4]);
    const note = path.join(`${folder}-state`, 'workspaces/items-1/PRUN-BASE.md');
    expect(told.slice(0, 5)).toEqual([clone, note, `${first}`, `${first + 9}`, `${first}`]);
  });

  it('executors.md: dispatch-task runs any program, and what it prints is the result', () => {
    install();
    writeFileSync(path.join(folder, 'bin/npx'), '#!/bin/sh\necho "$@"; cat; echo noise >&2\n', {
      mode: 0o755,
    });
    writeFileSync(path.join(folder, 'agent-io/p-lint.md'), 'Lint it.\n');
    const run = sh(shown(reference('executors.md'), /dispatch-task/).replace('/abs/project', '"$PWD"'));
    expect([run.status, run.stdout]).toEqual([0, expect.stringMatching(/^STATE-DIR \/.*\n$/)]);
    const result = readFileSync(path.join(folder, 'agent-io/r-lint.md'), 'utf8');
    expect(result).toBe('biome check .\nLint it.\n');
    const state = (name: string): string =>
      readFileSync(path.join(run.stdout.trim().slice('STATE-DIR '.length), name), 'utf8');
    expect(JSON.parse(state('outcome.json'))).toMatchObject({
      status: 'succeeded',
      result: { origin: 'stdout' },
    });
    // What scripts.md says of a command's files.
    expect(Number(state('stdout-bytes'))).toBe(result.length);
    expect([state('stderr'), state('tail')]).toEqual(['noise\n', `${result}noise\n`]);
    expect(state('answered')).toBe('stdout\n');
  });

  it('SKILL.md asks whether codex is signed in, by a command that tells', () => {
    const command = shown(skill, /^codex login status$/);
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
    const dispatch = shown(single, /dispatch-task/).replace('/abs/run/clones/api', '"$PWD"');
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
      sh(shown(single, /monitor\.cjs/).replace(/ \/tmp.*/, ` '${stateDir}'`)).stdout;
    expect(monitor()).toContain('failed(dispatch-dead)');
    expect(state('outcome.json')).toBe('');
    const worker = Number(file('worker-pid'));
    expect(() => process.kill(worker, 0)).not.toThrow();
    for (const text of [single, reference('scripts.md')]) {
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

describe.runIf(builtAndPosix)('workspace commands, run as they stand', () => {
  let home: string;
  let project: string;
  let state: string;

  beforeEach(() => {
    home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun-texts-')));
    project = path.join(home, 'project');
    state = path.join(home, 'state');
    mkdirSync(project);
    git(project, 'init', '-q', '-b', 'main');
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const environment = (): NodeJS.ProcessEnv => ({
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    PRUN_STATE_HOME: state,
    PRUN_PORTS_HOME: path.join(home, 'ports'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  });
  const runFolder = (run = 'items-1'): string => path.join(state, 'workspaces', run);
  const clone = (unit: string, run?: string): string => path.join(runFolder(run), 'clones', unit);

  /** Runs one command of a text with the test's own paths in place of the text's, through a shell. */
  function run(command: string): { code: number | null; stdout: string; stderr: string } {
    executed.add(command);
    const real = command
      .replaceAll('<prun>', prunDir)
      .replaceAll('/abs/project', project)
      .replaceAll('/abs/run-all', runFolder('items-1-all'))
      .replaceAll('/abs/run', runFolder());
    const { status, stdout, stderr } = spawnSync('sh', ['-c', real], {
      cwd: project,
      encoding: 'utf8',
      env: environment(),
    });
    return { code: status, stdout, stderr };
  }
  /** What it printed, with the text's paths in place of the test's. */
  function inText(output: string, id = ''): string {
    return output
      .replaceAll(`${runFolder()}/`, '/abs/run/')
      .replaceAll(state, '/abs/state')
      .replaceAll(project, '/abs/project')
      .replaceAll(prunDir, '<prun>')
      .replace(/\d{14}-[0-9a-f]{6}/g, id);
  }
  /** The one command of a text that matches. */
  function only(text: string, pattern: RegExp): string {
    const found = commands(text).filter((command) => pattern.test(command));
    expect(found, String(pattern)).toHaveLength(1);
    return found[0] ?? '';
  }
  function ok(command: string): string {
    const said = run(command);
    expect(said.code, `${command}\n${said.stdout}${said.stderr}`).toBe(0);
    return said.stdout;
  }
  function git(cwd: string, ...args: string[]): string {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
    const { stdout, status, stderr } = spawnSync('git', ['-C', cwd, ...identity, ...args], {
      encoding: 'utf8',
      env: environment(),
    });
    expect(status, stderr).toBe(0);
    return stdout;
  }
  function edit(folder: string, name: string, content: string): void {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  /** Path, mode, inode, times and content of each file, the git folder included. */
  function snapshot(folder: string, skipped: readonly string[] = []): string[] {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !skipped.some((top) => name === top || name.startsWith(`${top}/`)))
      .flatMap((name) => {
        const file = path.join(folder, name);
        const stat = lstatSync(file, { bigint: true });
        if (stat.isDirectory()) return [];
        const content = stat.isSymbolicLink() ? readlinkSync(file) : readFileSync(file, 'base64');
        return [`${name} ${stat.ino} ${stat.mode} ${stat.mtimeNs} ${content}`];
      })
      .sort();
  }
  const read = (folder: string, name: string): string => readFileSync(path.join(folder, name), 'utf8');

  describe('the worked example of integration.md', () => {
    const example = section(reference('integration.md'), 'A worked example');
    const items = (line: string, doc = 'All items, oldest first.'): string =>
      `/** ${doc} */\nexport function listItems(items) {\n  return ${line};\n}\n`;
    const api = (list: string, end: string): string =>
      `# API\n\n${list}\n\n## Errors\n\n400 when a parameter is ${end}.\n`;
    const sorted = '[...items].sort((a, b) => a.date - b.date)';

    function makeShop(): void {
      edit(project, 'package.json', '{ "name": "shop", "type": "module" }\n');
      edit(project, 'src/items.js', items(sorted));
      edit(project, 'docs/api.md', api('GET /items lists all items.', 'wrong'));
      edit(project, 'README.md', '# Shop\n');
      git(project, 'add', '-A');
      git(project, 'commit', '-qm', 'first');
      edit(project, 'README.md', '# Shop\n\nunfinished\n');
    }
    function work(): void {
      edit(clone('api'), 'src/items.js', items(`${sorted.slice(0, -1)} || a.id - b.id)`, 'By date and id.'));
      const test = [
        "import assert from 'node:assert';",
        "import { listItems } from '../src/items.js';",
        'const found = listItems([{ id: 2, date: 1 }, { id: 1, date: 1 }]).map(({ id }) => id);',
        'assert.deepEqual(found, [1, 2]);',
      ];
      edit(clone('api'), 'test/items.test.js', `${test.join('\n')}\n`);
      edit(clone('docs'), 'docs/api.md', api('GET /items lists all items, oldest first.', 'wrong'));
      edit(
        clone('paging'),
        'src/paging.js',
        'export const page = (list, n, size) => list.slice(n * size, (n + 1) * size);\n',
      );
      edit(clone('paging'), 'src/items.js', items('items.toSorted((a, b) => a.date - b.date)'));
    }

    it('prints what the text shows, and changes what it says', () => {
      makeShop();
      const shown = [...example.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, body = '']) => ({
        language,
        body,
      }));
      const id = /\d{14}-[0-9a-f]{6}/.exec(example)?.[0] ?? '';
      const codes: (number | null)[] = [];
      let printed = '';
      let diffs = '';
      let before: string[] = [];
      for (const [n, { language, body }] of shown.entries()) {
        if (language === 'sh') {
          if (body.includes('--undo')) {
            expect(read(project, 'docs/api.md')).toBe(
              api('GET /items lists all items, oldest first.', 'missing or wrong'),
            );
            expect(read(project, 'README.md')).toBe('# Shop\n\nunfinished\n');
            expect(git(project, 'diff', '--cached', '--name-only')).toBe('');
          }
          const said = commands(`\`\`\`sh\n${body}\`\`\``).map(run);
          codes.push(...said.map(({ code }) => code));
          printed = inText(said.map(({ stdout }) => stdout).join(''), id);
          if (n === 0) {
            work();
            edit(project, 'docs/api.md', api('GET /items lists all items.', 'missing or wrong'));
            before = snapshot(project, ['agent-io']).map((line) => line.replace(/ \d+ (\d+) \d+ /, ' $1 '));
          }
          if (body.includes('collect --run'))
            diffs = read(project, 'agent-io/api.patch') + read(project, 'agent-io/paging.patch');
        } else if (language === 'text') expect(printed).toBe(body);
        else for (const line of body.trim().split('\n')) expect(diffs).toContain(`\n${line}\n`);
      }
      expect(codes).toEqual([0, 0, 35, 0, 0, 0, 0, 0, 0, 0]);
      const after = snapshot(project, ['agent-io']).map((line) => line.replace(/ \d+ (\d+) \d+ /, ' $1 '));
      expect(after).toEqual(before);
    });
  });

  /** A project with code, docs, packages and unfinished work. */
  function makeProject(): void {
    edit(project, 'package.json', '{ "name": "shop", "version": "1.0.0", "private": true }\n');
    const lock = {
      name: 'shop',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': { name: 'shop', version: '1.0.0' } },
    };
    edit(project, 'package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
    edit(project, '.gitignore', 'node_modules\nbuild/\n.env\n');
    edit(project, 'src/api/items.js', 'one\ntwo\nthree\n');
    edit(project, 'docs/api.md', 'old\n');
    git(project, 'add', '-A');
    git(project, 'commit', '-qm', 'first');
    edit(project, 'src/api/items.js', 'one\ntwo\nthree, unfinished\n');
    edit(project, 'src/new.js', 'untracked\n');
    edit(project, 'node_modules/a/index.js', 'installed\n');
    edit(project, 'build/out', 'built\n');
    edit(project, '.env', 'SECRET=1\n');
    edit(project, 'agent-io/p-api.md', 'prompt\n');
  }

  it('workspaces.md: clones hold the user’s work, collect names everything, cleanup keeps what it must', () => {
    const text = reference('workspaces.md');
    makeProject();
    const before = snapshot(project, ['agent-io']);

    const [first = '', later = ''] = commands(section(text, 'Make clones'));
    expect(ok(first)).toBe(`CLONE ${clone('api')}\nCLONE ${clone('docs')}\n`);
    expect(snapshot(project, ['agent-io'])).toEqual(before);
    expect(git(clone('api'), 'status', '--short')).toBe('');
    expect(git(clone('api'), 'remote')).toBe('');
    expect(git(clone('api'), 'log', '-1', '--format=%s')).toMatch(
      /^prun base: work that was not committed yet$/m,
    );
    expect(text).toContain('`prun base: work that was not committed yet`');
    expect(read(clone('api'), 'src/api/items.js')).toBe('one\ntwo\nthree, unfinished\n');
    expect(readdirSync(clone('api')).sort()).toEqual(
      ['.git', '.gitignore', 'docs', 'package-lock.json', 'package.json', 'src'].sort(),
    );
    const note = read(runFolder(), 'PRUN-BASE.md');
    expect(note).toContain(git(clone('api'), 'rev-parse', 'HEAD').trim());
    expect(note).toContain('- src/new.js (new)');
    edit(project, 'docs/later.md', 'made after the base\n');
    ok(later);
    expect(existsSync(path.join(clone('api-2'), 'docs/later.md'))).toBe(false);
    rmSync(path.join(project, 'docs/later.md'));

    const [warm = '', setup = ''] = commands(section(text, 'Bring ignored inputs along, or set up'));
    ok(warm);
    expect(read(clone('web', 'items-2'), 'node_modules/a/index.js')).toBe('installed\n');
    for (const name of ['.env', 'build'])
      expect(existsSync(path.join(clone('web', 'items-2'), name))).toBe(false);
    ok(setup);
    expect(existsSync(path.join(runFolder('items-2'), 'units/web-2/setup.log'))).toBe(true);

    // A worker that does all that it must not.
    const api = clone('api');
    edit(api, 'src/api/items.js', 'ONE\ntwo\nthree, unfinished\n');
    git(api, 'commit', '--no-verify', '-qam', 'worker commit');
    edit(api, 'docs/api.md', 'not mine\n');
    edit(api, 'build/made', 'ignored\n');
    edit(api, 'inner/file', 'x\n');
    git(path.join(api, 'inner'), 'init', '-q');
    spawnSync('mkfifo', [path.join(api, 'pipe')]);
    rmSync(path.join(api, 'src/new.js'));
    git(project, 'branch', 'intruder');
    const [all = '', one = '', gen = ''] = commands(section(text, 'Collect a delta'));
    const collected = ok(all);
    expect(collected).toContain('EMPTY ');
    const words = [...section(text, 'Collect a delta').matchAll(/^\| `([A-Z]+)/gm)].map(
      ([, word = '']) => word,
    );
    expect(words.length).toBeGreaterThan(9);
    for (const word of words)
      if (word !== 'SUBMODULE') expect(collected).toMatch(new RegExp(`^${word} ?`, 'm'));
    expect(collected).toMatch(/^OUTSIDE api docs\/api\.md /m);
    expect(collected).toMatch(/^IGNORED api build\/ /m);
    expect(collected).toMatch(/^REPOSITORY .*intruder/m);
    git(project, 'branch', '-q', '-D', 'intruder');
    rmSync(path.join(api, 'inner'), { recursive: true });
    edit(api, 'src/new.js', 'untracked\n');
    git(api, 'checkout', '-q', '--', 'docs');
    edit(clone('docs'), 'docs/api.md', 'new\n');
    expect(ok(one)).toContain(`PATCH ${project}/agent-io/api.patch`);
    ok('node <prun>/scripts/prun.cjs collect /abs/run/clones/docs');
    ok('node <prun>/scripts/prun.cjs clone --repo /abs/project --run items-1 --unit gen');
    edit(clone('gen'), 'build/api.js', 'wanted\n');
    expect(ok(gen)).toContain('\nA build/api.js\n');

    const [conflicts = '', check = '', apply = '', undo = ''] = commands(
      section(text, 'Conflicts and apply'),
    );
    for (const command of [conflicts, check]) ok(command);
    expect(snapshot(project, ['agent-io', '.git'])).toEqual(
      before.filter((line) => !line.startsWith('.git/')),
    );
    ok(apply);
    expect(read(project, 'src/api/items.js')).toBe('ONE\ntwo\nthree, unfinished\n');
    expect(read(project, 'docs/api.md')).toBe('new\n');
    ok(undo);
    expect(read(project, 'docs/api.md')).toBe('old\n');

    const [look = ''] = commands(section(text, 'Was the repository only read?'));
    ok(look);
    const treeOf = (id: string): string | undefined =>
      /^Base tree: (.*)$/m.exec(read(runFolder(id), 'PRUN-BASE.md'))?.[1];
    expect(treeOf('items-1-look')).toBe(treeOf('items-1'));
    const [worktree = ''] = commands(section(text, 'Worktrees'));
    ok(worktree);
    expect(git(clone('api', 'items-3'), 'status', '--short')).toBe(' M src/api/items.js\n?? src/new.js\n');
    expect(git(project, 'branch', '--list', 'prun/*')).toContain('prun/items-3/api');

    const [removeOne = '', removeAll = '', everything = ''] = commands(section(text, 'Clean up'));
    const kept = run(removeOne);
    expect([kept.code, kept.stdout]).toEqual([
      30,
      expect.stringMatching(/^KEPT api [\s\S]*^NOTE api pipe /m),
    ]);
    rmSync(path.join(api, 'pipe'));
    expect(ok(removeOne)).toMatch(/^REMOVED api /);
    expect(existsSync(api)).toBe(false);
    ok(check);
    ok(removeAll);
    expect(existsSync(path.join(runFolder(), 'units/docs/delta.patch'))).toBe(true);
    ok(everything);
    expect(existsSync(runFolder())).toBe(false);
    // Without its run a patch goes in by its text, and an undo needs no run.
    ok('node <prun>/scripts/prun.cjs apply /abs/project/agent-io/api.patch --to /abs/project');
    ok(undo);
    expect(read(project, 'src/api/items.js')).toBe('one\ntwo\nthree, unfinished\n');
  }, 120_000);

  it('integration.md: compare, try the set elsewhere, apply, take back', () => {
    const text = reference('integration.md');
    const outside = text.replace(section(text, 'A worked example'), '');
    makeProject();
    ok(commands(section(reference('workspaces.md'), 'Make clones'))[0] ?? '');
    edit(clone('api'), 'src/api/items.js', 'ONE\ntwo\nthree, unfinished\n');
    edit(clone('docs'), 'docs/api.md', 'new\n');
    ok(only(skill, /collect --run/));
    for (const command of commands(section(text, 'Do the deltas go together?'))) {
      expect(ok(command)).toBe('CONFLICTS units=2 pairs=0 outside=0\nORDER api docs\n');
    }
    const before = snapshot(project);
    ok(only(outside, /apply --run .* --check/));
    ok(only(outside, /clone .*items-1-all/));
    expect(ok(only(outside, /apply .*--to \/abs\/run-all/))).toMatch(/^APPLIED 2 files=2$/m);
    edit(clone('all', 'items-1-all'), 'src/joined.js', 'by hand\n');
    ok(only(outside, /collect \/abs\/run-all/));
    expect(ok(only(outside, /all\.patch --to .* --check/))).toMatch(/^WOULD-APPLY 1 files=3$/m);
    expect(snapshot(project, ['agent-io'])).toEqual(before.filter((line) => !line.startsWith('agent-io/')));
    ok(only(outside, /apply --run .* --to \/abs\/project$/));
    appendFileSync(path.join(project, 'docs/api.md'), 'edited since\n');
    const undo = only(outside, /apply --undo/);
    const refused = run(undo);
    expect([refused.code, refused.stdout]).toEqual([
      35,
      expect.stringMatching(/^EDITED-SINCE [\s\S]*^EDITED docs\/api\.md/m),
    ]);
    edit(project, 'docs/api.md', 'new\n');
    expect(ok(undo)).toMatch(/^UNDONE /);
    // The user's own work in the way: nothing is changed, both sides are named.
    edit(project, 'src/api/items.js', 'eins\ntwo\nthree, unfinished\n');
    const clash = run(only(outside, /apply --run .* --check/));
    expect([clash.code, clash.stdout]).toEqual([
      35,
      expect.stringContaining('CONFLICT api "your tree" src/api/items.js content'),
    ]);
  }, 60_000);

  it("single.md: its clones go through SKILL.md's collect, conflicts, apply and cleanup, without a run", () => {
    makeProject();
    ok(only(reference('single.md'), /clone --repo/));
    edit(clone('docs'), 'docs/api.md', 'new\n');
    const integrate = commands(section(skill, '7. Integrate'));
    expect(integrate.map((command) => /prun\.cjs (\w+)/.exec(command)?.[1])).toEqual([
      'collect',
      'conflicts',
      'apply',
      'apply',
      'cleanup',
    ]);
    const printed = integrate.map(ok);
    expect(printed[0]).toContain(`PATCH ${project}/agent-io/docs.patch`);
    expect(read(project, 'docs/api.md')).toBe('new\n');
    expect(printed.at(-1)).toMatch(/^REMOVED docs /m);
  }, 30_000);

  it('workspaces.md: a clone on the result of another, a renewed one, and one of what is there now', () => {
    makeProject();
    const [first = '', , collect = '', after = '', renew = '', now = ''] = commands(
      section(reference('workspaces.md'), 'Make clones'),
    );
    ok(first);
    edit(clone('api'), 'src/api/items.js', 'ONE\n');
    edit(clone('docs'), 'docs/api.md', 'new\n');
    edit(project, 'later.txt', 'made after the base\n');
    ok(collect);
    ok(after);
    expect(read(clone('list'), 'src/api/items.js')).toBe('ONE\n');
    expect(existsSync(path.join(clone('list'), 'later.txt'))).toBe(false);
    ok(renew);
    expect(read(clone('docs'), 'docs/api.md')).toBe('old\n');
    edit(clone('docs'), 'src/api/items.js', 'outside\n');
    ok(now);
    expect(read(clone('now'), 'later.txt')).toBe('made after the base\n');
    edit(clone('list'), 'src/list.js', 'own work\n');
    const printed = run('node <prun>/scripts/prun.cjs collect --run items-1').stdout;
    expect(printed).toMatch(/^DELTA list files=1 /m);
    expect(printed).toMatch(/^DELTA now files=0 /m);
    expect(printed).toMatch(/^OUTSIDE docs src\/api\/items\.js /m);
    expect(
      run(
        'node <prun>/scripts/prun.cjs clone --repo /abs/project --run items-1 --unit both --after api --after docs',
      ).code,
    ).toBe(35);
  }, 60_000);

  it('every command of the texts that needs no run was executed, and no text makes clones or deltas by git', () => {
    const all = coordinatorTexts
      .flatMap(([name, text]) =>
        commands(text).filter((command) => !isOfRun(name, command) && !isSideCommand(name, command)),
      )
      .filter((command) => /\.cjs|^git |^codex /.test(command));
    expect(all.filter((command) => !executed.has(command))).toEqual([]);
    expect(all.length).toBeGreaterThan(40);
    for (const [name, text] of coordinatorTexts) {
      expect(text, name).not.toMatch(/git (?:-C \S+ )?(?:clone|add -A|diff-index|apply --check) /);
    }
  });
});

describe('launchers', () => {
  it.each(launcherNames)('%s has a shell and a PowerShell launcher of at most six lines', (name) => {
    const shell = readFileSync(path.join(launcherDir, `${name}.sh`), 'utf8');
    const power = readFileSync(path.join(launcherDir, `${name}.ps1`), 'utf8');
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
        cpSync(path.join(launcherDir, `${name}.sh`), path.join(folder, `${name}.sh`));
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
      expect(lstatSync(path.join(launcherDir, `${name}.sh`)).mode & 0o111).toBe(0o111);
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
    const yaml = readFileSync(path.join(root, 'skills/prun/agents/openai.yaml'), 'utf8');
    expect(yaml).toMatch(/^policy:\n {2}allow_implicit_invocation: false$/m);
  });
});
