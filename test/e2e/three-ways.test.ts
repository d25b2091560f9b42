import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeCodexBin } from '../helpers/codex-bin.ts';
import { type CodexServer, startCodexServer } from '../helpers/codex-server.ts';
import { git } from '../helpers/plain-git.ts';
import { scriptsFolder } from '../helpers/prun-cli.ts';
import { program, ROOT, scratch, testEnvironment } from '../helpers/unit-run.ts';

// One job of ten units, done in the three ways that there are, with the real codex: the same results, and what each way
// costs the coordinator. README.md has the table; a test compares it.

const UNITS = Array.from({ length: 10 }, (_, n) => `unit-${n + 1}`);
const HEADING = '## What a run costs the coordinator';
/** How far the README's numbers of characters may be from what is measured: texts change, paths have lengths. */
const TOLERANCE = 0.25;

/** What one way has cost and left. */
interface Way {
  name: string;
  calls: number;
  characters: number;
  /** Results by unit, and files of the integrated tree by path. */
  results: Record<string, string>;
  files: Record<string, string>;
}

/** A coordinator: it calls scripts, and reads all that they print. */
interface Coordinator {
  folder: string;
  repo: string;
  stateHome: string;
  call(script: string, ...argv: string[]): Promise<string>;
  cost(): { calls: number; characters: number };
}

let server: CodexServer | undefined;
beforeAll(async () => {
  server = await startCodexServer();
});
afterAll(() => server?.close());

it('the same ten units by the four scripts, by run, and by init, add and start: the same results, and what each costs', async () => {
  const ways = [await byScripts(), await byRun(), await byHand()];
  for (const { name, results, files } of ways) {
    expect(Object.keys(results), name).toHaveLength(UNITS.length);
    expect(results, name).toEqual(ways[0]?.results);
    expect(files, name).toEqual(ways[0]?.files);
    for (const id of UNITS) expect(files[`${id}.txt`], name).toBe(`${id}: done\n`);
    expect(Object.keys(files), name).toHaveLength(2 * UNITS.length);
  }
  const table = tableText(ways);
  process.stdout.write(`\n${table}\n`);
  const told = toldTable(readFileSync(path.join(ROOT, 'README.md'), 'utf8'));
  if (told === undefined) return;
  expect(wrongRows(told, ways), `README.md should have\n${table}`).toEqual([]);
}, 400_000);

it.each([
  ['a row is missing', '| by run | 7 | 1,000 |', ['by hand']],
  ['calls differ', '| by run | 8 | 1,000 |\n| by hand | 9 | 2,000 |', ['by run']],
  ['characters are far off', '| by run | 7 | 1,000 |\n| by hand | 9 | 2,700 |', ['by hand']],
  ['all is well', '| by run | 7 | 1,200 |\n| by hand | 9 | 1,600 |', []],
])('the comparison with the README says so where %s', (_, rows, wrong) => {
  const told = toldTable(
    `${HEADING}\n\n| way | calls | characters read |\n|---|---|---|\n${rows}\n\n## Next\n`,
  );
  const ways = [
    { name: 'by run', calls: 7, characters: 1000 },
    { name: 'by hand', calls: 9, characters: 2000 },
  ];
  expect(wrongRows(told ?? [], ways)).toEqual(wrong);
});

async function byScripts(): Promise<Way> {
  const me = await coordinator('scripts');
  const io = path.join(me.repo, 'agent-io');
  mkdirSync(io);
  const clones = (
    await me.call(
      'prun',
      'clone',
      '--repo',
      me.repo,
      '--run',
      'job',
      ...UNITS.flatMap((id) => ['--unit', id]),
    )
  )
    .split('\n')
    .flatMap((line) => /^CLONE (.+)$/.exec(line)?.[1] ?? []);
  const dispatched = await Promise.all(
    UNITS.map(async (id, n) => {
      const result = path.join(io, `r-${id}.md`);
      const prompt = promptFile(io, id);
      const codex = codexBin(me, id, result);
      const flags = ['--prompt-file', prompt, '--result-file', result, '--unit-id', id];
      const said = await me.call(
        'dispatch-task',
        ...flags,
        ...['--workdir', clones[n] ?? '', '--codex-bin', codex],
      );
      return /^STATE-DIR (.+)$/m.exec(said)?.[1] ?? '';
    }),
  );
  await me.call('monitor', ...dispatched);
  await integrate(me, 'job', me.repo);
  return { ...left('the four scripts', me, io, me.repo, (id) => `r-${id}.md`), ...me.cost() };
}

async function byRun(): Promise<Way> {
  const me = await coordinator('run');
  const results = resultsOf(me);
  const units = UNITS.map((id) => ({
    id,
    prompt: task(id),
    codexBin: codexBin(me, id, path.join(results, `${id}.md`)),
  }));
  const manifest = path.join(me.folder, 'job.json');
  writeFileSync(manifest, JSON.stringify({ repo: me.repo, jobs: 4, units }));
  // SKILL.md has it looked at before it is started: that is a call, and what it prints is read.
  await me.call('prun', 'run', manifest, '--run', 'job', '--dry-run');
  await me.call('prun', 'run', manifest, '--run', 'job');
  await me.call('prun', 'wait', '--run', 'job');
  await me.call('prun', 'reconcile', '--run', 'job');
  await integrate(me, 'job', me.repo);
  return { ...left('`prun run`', me, results, me.repo), ...me.cost() };
}

async function byHand(): Promise<Way> {
  const me = await coordinator('hand');
  const results = resultsOf(me);
  const said = await me.call('prun', 'init', '--repo', me.repo, '--run', 'job', '--jobs', '4');
  const integration = /^integration_worktree=(.+)$/m.exec(said)?.[1] ?? '';
  for (const id of UNITS) {
    const codex = codexBin(me, id, path.join(results, `${id}.md`));
    const flags = ['--run', 'job', '--unit', id, '--prompt-file', promptFile(me.folder, id)];
    // codex's own sandbox needs what not every machine of a test has.
    await me.call('prun', 'add', ...flags, '--codex-bin', codex, '--sandbox', 'danger-full-access');
  }
  await me.call('prun', 'start', '--run', 'job');
  await me.call('prun', 'wait', '--run', 'job');
  await me.call('prun', 'reconcile', '--run', 'job');
  await integrate(me, 'job', integration);
  return { ...left('`prun init`, `add`, `start`', me, results, integration), ...me.cost() };
}

/** What comes after all units are well is the same in all three ways. */
async function integrate(me: Coordinator, run: string, tree: string): Promise<void> {
  await me.call('prun', 'collect', '--run', run, '--patch', path.join(me.folder, 'patches'));
  await me.call('prun', 'conflicts', '--run', run);
  await me.call('prun', 'apply', '--run', run, '--to', tree, '--check');
  await me.call('prun', 'apply', '--run', run, '--to', tree);
}

async function coordinator(name: string): Promise<Coordinator> {
  const folder = scratch(`prun ${name}`);
  const repo = path.join(folder, 'project');
  mkdirSync(path.join(repo, 'src'), { recursive: true });
  for (const place of ['patches', 'tmp']) mkdirSync(path.join(folder, place));
  await git(repo, ['init', '-q', '-b', 'main']);
  for (const id of UNITS) writeFileSync(path.join(repo, 'src', `${id}.txt`), `${id}: to be done\n`);
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-qm', 'first']);
  const stateHome = path.join(folder, 'state');
  const environment = testEnvironment(folder, {
    PRUN_STATE_HOME: stateHome,
    // codex warns where its home lies below it.
    TMPDIR: path.join(folder, 'tmp'),
  });
  let calls = 0;
  let characters = 0;
  return {
    folder,
    repo,
    stateHome,
    async call(script, ...argv) {
      calls++;
      const { code, stdout, stderr } = await said(script, argv, repo, environment);
      expect(code, `${script} ${argv.join(' ')}\n${stdout}${stderr}`).toBe(0);
      characters += withoutPlaces(`${stdout}${stderr}`, folder).length;
      return stdout;
    },
    cost: () => ({ calls, characters }),
  };
}

/** Where a test's folders and scripts lie is not what a way costs. */
function withoutPlaces(text: string, folder: string): string {
  return text
    .replaceAll(path.join(folder, 'tmp'), '/tmp')
    .replaceAll(folder, '/home/user')
    .replaceAll(scriptsFolder(), '/home/user/.claude/skills/prun/scripts')
    .replaceAll(process.execPath, '/usr/bin/node');
}

async function said(script: string, argv: string[], cwd: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(scriptsFolder(), `${script}.cjs`), ...argv], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...output };
}

/** The real codex, which does the unit's work and writes its result where it is told to. */
function codexBin({ folder }: Coordinator, id: string, resultFile: string): string {
  const place = path.join(folder, 'codex', id);
  mkdirSync(place, { recursive: true });
  const result = `# ${id} result\nConclusion: ${id} is done\nFiles: src/${id}.txt, src/${id}-new.txt\nOpen items: none\nVerification: looked at it\n`;
  const work = `echo '${id}: done' >src/${id}.txt; echo new >src/${id}-new.txt; printf '%s' '${result}' >'${resultFile}'`;
  // A short command: what a worker has called is what `dispatch-task` shows of it, and this one is not to cost much.
  const params = { cmd: `'${program(place, 'work', work)}'`, text: `${id} is done. The result is written.` };
  return writeCodexBin(place, { port: server?.port ?? 0, case: 'shell', params, native: true });
}

function task(id: string): string {
  return `Do what src/${id}.txt says. You own src/${id}*.\n`;
}

function promptFile(folder: string, id: string): string {
  const file = path.join(folder, `p-${id}.md`);
  writeFileSync(file, task(id));
  return file;
}

function resultsOf({ stateHome }: Coordinator): string {
  return path.join(stateHome, 'runs/job/agent-io/results');
}

function left(
  name: string,
  me: Coordinator,
  results: string,
  tree: string,
  fileOf = (id: string): string => `${id}.md`,
): Omit<Way, 'calls' | 'characters'> {
  const read = (file: string): string => readFileSync(file, 'utf8').replaceAll(me.folder, '');
  const names = readdirSync(path.join(tree, 'src'));
  return {
    name,
    results: Object.fromEntries(UNITS.map((id) => [id, read(path.join(results, fileOf(id)))])),
    files: Object.fromEntries(names.map((file) => [file, read(path.join(tree, 'src', file))])),
  };
}

type Cost = Pick<Way, 'name' | 'calls' | 'characters'>;

function tableText(ways: readonly Cost[]): string {
  const rows = ways.map(
    ({ name, calls, characters }) => `| ${name} | ${calls} | ${characters.toLocaleString('en')} |`,
  );
  return ['| way | calls | characters read |', '|---|---|---|', ...rows].join('\n');
}

/** The rows below the heading; undefined where there is no such heading. */
function toldTable(readme: string): Cost[] | undefined {
  const at = readme.indexOf(`${HEADING}\n`);
  if (at < 0) return undefined;
  const [section = ''] = readme.slice(at + HEADING.length).split('\n## ');
  return [...section.matchAll(/^\| (.+?) \| ([\d,]+) \| ([\d,]+) \|$/gm)].map(
    ([, name = '', calls, characters]) => ({
      name,
      calls: numberOf(calls),
      characters: numberOf(characters),
    }),
  );
}

function numberOf(text = ''): number {
  return Number(text.replaceAll(',', ''));
}

/** Names of the ways that the README tells wrongly, or not at all. */
function wrongRows(told: readonly Cost[], ways: readonly Cost[]): string[] {
  return ways
    .filter(({ name, calls, characters }) => {
      const row = told.find((one) => one.name === name);
      return row?.calls !== calls || Math.abs(row.characters - characters) > characters * TOLERANCE;
    })
    .map(({ name }) => name);
}
