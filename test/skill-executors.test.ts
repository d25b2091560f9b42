import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { executorByName } from '../scripts-src/executor/by-name.ts';
import { FAILURE_REASONS, failureKind } from '../scripts-src/executor/failure-kinds.ts';
import { EXECUTOR_WISHES, knowsWish } from '../scripts-src/executor/known-wishes.ts';
import { mcpRooms } from './helpers/mcp-room.ts';
import { openPrunFolder, reference, root, section, skill, tableRows } from './helpers/skill-texts.ts';

// What the texts say of executors, of the ways in which units end, and of the MCP server, against what is built.

const source = (file: string): string => readFileSync(path.join(root, 'scripts-src', file), 'utf8');
/** The quoted words of a type's definition. */
function wordsOfType(file: string, type: string): string[] {
  const body = new RegExp(`type ${type} =([\\s\\S]*?);`).exec(source(file))?.[1] ?? '';
  return [...body.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word);
}
/** Words in code marks in a cell of a table. */
const marked = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

const started = wordsOfType('executor/types.ts', 'ExecutorKind');
const outcomes = [
  ...wordsOfType('unit/records.ts', 'OutcomeReason'),
  ...wordsOfType('unit/records.ts', 'ReportedFailure'),
];

describe('executors', () => {
  it('each that prun can start is in by-name.ts, and no other', () => {
    expect(started.length).toBeGreaterThan(3);
    for (const name of started) expect(executorByName(name).name).toBe(name);
    expect(source('executor/by-name.ts').match(/^import \{ \w+ \} from '\.\/\w+\.ts';$/gm)).toHaveLength(
      started.length,
    );
  });

  it.each<[string, string]>([
    ['SKILL.md', section(skill, '2. Split and assign')],
    ['executors.md, keys', section(reference('executors.md'), 'Keys of a manifest, by executor')],
  ])('%s has a row for each of them and for session', (_name, text) => {
    const rows = tableRows(text).flatMap(([cell]) => marked(cell).slice(0, 1));
    const modes = ['scratch', 'clone', 'inplace'];
    expect(rows.filter((name) => !modes.includes(name)).sort()).toEqual([...started, 'session'].sort());
  });

  it('executors.md names for each the keys that it knows', () => {
    const rows = tableRows(section(reference('executors.md'), 'Keys of a manifest, by executor'));
    for (const name of started) {
      const row = rows.find(([cell]) => cell === `\`${name}\``);
      const known = EXECUTOR_WISHES.filter((wish) => wish !== 'reasoningEffort' && knowsWish(name, wish));
      expect(marked(row?.[1]).sort(), name).toEqual([...known].sort());
    }
  });

  it('who can be resumed is said', () => {
    const resumable = started.filter((name) => executorByName(name).canResume);
    expect(skill).toContain(`where it was (${resumable.join(', ')})`);
    expect(reference('commands.md')).toContain('one of executor `command` or `omp`');
  });
});

/** Names and numbers of EXIT in platform/errors.ts. */
const exits = new Map(
  [...source('platform/errors.ts').matchAll(/^ {2}(\w+): (\d+),$/gm)].map(([, name = '', code = '']) => [
    name,
    code,
  ]),
);
/** All sources below a folder of scripts-src. */
const sources = (folder: string): string =>
  readdirSync(path.join(root, 'scripts-src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => source(path.join(folder, name)))
    .join('\n');
/** Codes in the first cells of the tables of a text; a cell may hold several. */
const codesIn = (text: string): Set<string> =>
  new Set(
    tableRows(text).flatMap(([cell = '']) => (/^[\d, ]+$/.test(cell) ? (cell.match(/\d+/g) ?? []) : [])),
  );

describe('how units end', () => {
  const reasons = section(reference('troubleshooting.md'), 'Reasons');

  it('troubleshooting.md has a row for every reason, and none for a word that is no reason', () => {
    const named = tableRows(reasons).flatMap(([cell]) => marked(cell));
    expect(named.length).toBeGreaterThan(30);
    expect(named.sort()).toEqual([...new Set(outcomes)].sort());
  });

  it('SKILL.md names only reasons and states that there are, and leads to the others', () => {
    const told = section(skill, 'How a unit ends');
    const named = tableRows(told).flatMap(([cell]) => marked(cell));
    expect(named.filter((word) => ![...outcomes, 'blocked'].includes(word))).toEqual([]);
    expect(named.length).toBeGreaterThan(15);
    expect(told).toContain('[references/troubleshooting.md](references/troubleshooting.md), Reasons');
  });

  it('which reasons queue a unit again, and which retries pass over', () => {
    const ofAccount = FAILURE_REASONS.filter((reason) => failureKind(reason) === 'account');
    const sentences: [string, RegExp][] = [
      [reasons, /after ([^;.]*) a run queues the unit again/],
      [section(reference('runs.md'), 'States and reasons'), /(`usage-limit`.*) end no unit/],
    ];
    for (const [text, pattern] of sentences)
      expect(marked(pattern.exec(text)?.[1]).sort()).toEqual([...ofAccount].sort());
    const list =
      /NOT_AGAIN[^=]*= \[([\s\S]*?)\n\];/.exec(source('run/supervisor/further-attempt.ts'))?.[1] ?? '';
    const passed = [...list.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word);
    const line =
      reference('runs.md')
        .split('\n')
        .find((text) => text.startsWith('`retries` does not')) ?? '';
    expect(passed.length).toBeGreaterThan(5);
    for (const reason of passed.filter((word) => word !== 'cancelled'))
      expect(line).toContain(`\`${reason}\``);
  });

  it('SKILL.md and runs.md have every word of the first line of wait', () => {
    const words = /WAIT-EVENT <([\w|-]+)>/.exec(source('commands/wait-arguments.ts'))?.[1]?.split('|') ?? [];
    expect(words.length).toBeGreaterThan(7);
    for (const word of words) {
      expect(section(reference('runs.md'), 'What wait tells')).toContain(`\`${word}\``);
      expect(section(skill, 'What each exit code means')).toContain(`\`${word}\``);
    }
  });

  it('troubleshooting.md has every exit code, SKILL.md those of the commands that it shows', () => {
    const used = (text: string): string[] =>
      [...new Set([...text.matchAll(/EXIT\.(\w+)/g)].map(([, name = '']) => exits.get(name) ?? name))].sort();
    const all = codesIn(section(reference('troubleshooting.md'), 'Exit codes'));
    const every = used(sources(''));
    expect(every.length).toBeGreaterThan(12);
    expect(every.filter((code) => !all.has(code))).toEqual([]);
    const files = ['wait-report', 'reconcile', 'conflicts', 'apply', 'run', 'collect', 'retry', 'resume'];
    const short = codesIn(section(skill, 'What each exit code means'));
    const shown = used(files.map((name) => source(`commands/${name}.ts`)).join('\n'));
    expect(shown.filter((code) => !short.has(code))).toEqual([]);
  });

  it('troubleshooting.md has every doubt that reconcile tells', () => {
    const rows = tableRows(section(reference('troubleshooting.md'), 'Reconcile: every doubt'));
    const told = rows.map(([cell = '']) => cell).join('\n');
    const files = ['run/unit-doubts.ts', 'run/unit-facts.ts', 'supervise/tripwire-text.ts'];
    const printed = files.map(source).join('\n');
    const phrases = [
      ...['still ', 'a FALLBACK', 'a text of its own', 'it has no state dir', 'is missing', 'cannot be read'],
      ...['the outcome in its state dir is that of', 'its outcome.json says', 'no result'],
      ...['its result has gone', 'its result is a FALLBACK', 'bytes, its outcome says', 'its result lacks'],
      ...['no delta: ', 'not in its delta: ', 'built on an older result of', "the user's repository changed"],
      ...['still alive when it ended', 'a parent', 'is not well'],
    ];
    for (const phrase of phrases) {
      expect(printed, phrase).toContain(phrase);
      expect(told, phrase).toContain(phrase);
    }
    // One row for each kind, and one for what was never started.
    const kinds =
      /type DoubtKind =([\s\S]*?);/.exec(source('run/unit-doubts.ts'))?.[1]?.match(/'/g)?.length ?? 0;
    expect(rows).toHaveLength(kinds / 2 + 1);
  });
});

const { scriptsDir, remove } = openPrunFolder();
afterAll(remove);

describe.runIf(existsSync(path.join(scriptsDir, 'prun.cjs')))('--help', () => {
  const help = (script: string, ...words: string[]): string => {
    const argv = [path.join(scriptsDir, `${script}.cjs`), ...words, '--help'];
    const said = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    expect(said.status, said.stderr).toBe(0);
    return said.stdout;
  };
  const scripts = ['dispatch-task', 'monitor', 'gather', 'reap-watch', 'prun-mcp'];

  it('no line of any is wider than 123 characters, none ends in a blank, and each begins with its usage', () => {
    const commands = [...help('prun').matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(20);
    const texts = [
      ...scripts.map((name): [string, string] => [name, help(name)]),
      ...['', ...commands].map((name): [string, string] => [
        `prun ${name}`,
        help('prun', ...(name === '' ? [] : [name])),
      ]),
    ];
    for (const [name, text] of texts) {
      expect(text, name).toMatch(new RegExp(`^usage: ${name.trim()} ?`));
      for (const line of text.split('\n')) {
        expect(line.length, `${name}: ${line}`).toBeLessThanOrEqual(123);
        expect(line, name).toBe(line.trimEnd());
      }
    }
  });
});

const newRoom = mcpRooms();

describe.runIf(existsSync(path.join(scriptsDir, 'prun-mcp.cjs')))('mcp.md', () => {
  it('has the tools, arguments, fields and statuses that the server lists', async () => {
    const server = await newRoom().connect();
    const { tools } = await server.client.listTools();
    const text = section(reference('mcp.md'), 'Tools');
    const parts = new Map(
      text.split(/^(?=`codex_)/m).flatMap((part): [string, string][] => {
        const name = /^`(codex_\w+)`/.exec(part)?.[1];
        return name === undefined ? [] : [[name, part]];
      }),
    );
    expect([...parts.keys()].sort()).toEqual(tools.map(({ name }) => name).sort());
    for (const { name, inputSchema } of tools) {
      const rows = tableRows(parts.get(name) ?? '');
      const keys = rows.flatMap(([cell]) => marked(cell));
      expect(keys.sort(), name).toEqual(Object.keys(inputSchema.properties ?? {}).sort());
      const required = rows
        .filter(([, about = '']) => about.startsWith('required'))
        .flatMap(([cell]) => marked(cell));
      expect(required.sort(), name).toEqual([...(inputSchema.required ?? [])].sort());
    }
    const [{ outputSchema } = {}] = tools;
    const given = tableRows(section(reference('mcp.md'), 'What a task gives')).flatMap(([cell]) =>
      marked(cell),
    );
    const statuses = given.filter((word) => /^[A-Z_]+$/.test(word));
    const { properties = {} } = (outputSchema ?? {}) as { properties?: Record<string, { enum?: string[] }> };
    expect(given.filter((word) => !statuses.includes(word)).sort()).toEqual(Object.keys(properties).sort());
    expect(statuses.sort()).toEqual([...(properties.status?.enum ?? [])].sort());
    await server.close();
  });
});
