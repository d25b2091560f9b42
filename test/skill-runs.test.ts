import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  blocks,
  commandOf,
  commands,
  coordinatorTexts,
  isOfRun,
  isSideCommand,
  openPrunFolder,
  readme,
  reference,
  section,
  skill,
} from './helpers/skill-texts.ts';
import { waitFor } from './helpers/wait-for.ts';

// Every command of a run that the texts show, executed as it stands, in the order in which a coordinator would give it.

const { prunDir, scriptsDir, remove } = openPrunFolder();
afterAll(remove);
/** Commands that a test has run as they stand. */
const executed = new Set<string>();

/** How a command ended. */
interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

const builtAndPosix = existsSync(path.join(scriptsDir, 'prun.cjs')) && process.platform !== 'win32';

describe.runIf(builtAndPosix)('runs, as the texts tell', () => {
  let home: string;
  let project: string;
  let state: string;

  beforeEach(() => {
    home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'prun-runs-')));
    project = path.join(home, 'project');
    state = path.join(home, 'state');
    makeProject();
  });
  afterEach(async () => {
    for (const id of existsSync(path.join(state, 'runs')) ? readdirSync(path.join(state, 'runs')) : []) {
      prun('cancel', '--run', id, '--grace', '0');
      await waitFor(`the end of the supervisor of ${id}`, () => !isSupervised(id));
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  const environment = (): NodeJS.ProcessEnv => ({
    PATH: `${path.join(home, 'bin')}:${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    TMPDIR: home,
    PRUN_STATE_HOME: state,
    PRUN_PORTS_HOME: path.join(home, 'ports'),
    CODEX_BIN: path.join(home, 'bin/codex'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  });

  function edit(name: string, content: string, folder = project): void {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  const read = (name: string, folder = project): string => readFileSync(path.join(folder, name), 'utf8');
  const runFolder = (run = 'items-1'): string => path.join(state, 'runs', run);

  /** A project whose check fails until `src/api/items.js` is sorted, a program named codex, and prompts. */
  function makeProject(): void {
    edit('package.json', '{ "name": "shop", "scripts": { "test": "node check.mjs" } }\n');
    edit(
      'check.mjs',
      "import { readFileSync } from 'node:fs';\nif (!readFileSync('src/api/items.js', 'utf8').includes('sorted')) throw new Error('not sorted');\n",
    );
    edit('src/api/items.js', 'items\n');
    edit('docs/api.md', 'old\n');
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'first');
    for (const unit of ['api', 'docs', 'review', 'mail', 'api-2', 'schema'])
      edit(`agent-io/p-${unit}.md`, `The task of ${unit}.\n`);
    edit('agent-io/remark-api.md', 'Sort the list.\n');
    // It forgets the order in its first attempt, waits while there is a file `hold`, and says which session it is.
    const codex = [
      '#!/bin/sh',
      '[ "$1" = exec ] || { echo "no such command: $1" >&2; exit 64; }',
      'prompt=$(cat)',
      'printf "%s\\n" "$prompt" > "$0.prompt"',
      'id=$(printf "0199aa00-0000-7000-8000-%012x" $$)',
      'for word in "$@"; do if [ "$last" = resume ]; then id=$word; fi; last=$word; done',
      'printf \'{"type":"thread.started","thread_id":"%s"}\\n\' "$id"',
      'unit=$(printf "%s\\n" "$prompt" | sed -n "s/^# \\(.*\\) result$/\\1/p" | tail -n 1)',
      'file=$(printf "%s\\n" "$prompt" | sed -n "/^At the end write this file once/{n;p;}")',
      'while [ -e "$0.hold" ]; do sleep 0.1; done',
      'files="none (read-only)"',
      'case $unit in',
      'api) files=src/api/items.js; word=list; if [ -e "$0.sorted" ]; then word=sorted; fi; touch "$0.sorted"; echo $word > $files ;;',
      'docs) files=docs/api.md; echo new > $files ;;',
      'api-2) files=src/api/items.js; echo more >> $files ;;',
      'schema) files=src/schema/item.js; mkdir src/schema; echo laid > $files ;;',
      'u[1-8]) files=src/$unit/a.js; echo new > $files',
      '  if [ $unit = u3 ] && [ ! -e "$0.u3" ]; then touch "$0.u3"; echo "I forgot the file."; exit 0; fi',
      '  if [ $unit = u6 ]; then case $prompt in *"Take back"*) echo old > src/u7/a.js ;; *) echo mine > src/u7/a.js ;; esac; fi ;;',
      'esac',
      'printf "# %s result\\nConclusion: %s is done\\nFiles: %s\\nOpen items: none\\nVerification: none\\n\\nbody\\n" "$unit" "$unit" "$files" > "$file"',
      'echo "said by $unit"',
      'echo \'{"type":"turn.completed","usage":{"input_tokens":10,"cached_input_tokens":0,"output_tokens":2,"reasoning_output_tokens":0}}\'',
    ];
    edit('bin/codex', `${codex.join('\n')}\n`, home);
    spawnSync('chmod', ['+x', path.join(home, 'bin/codex')]);
  }
  const hold = (): string => path.join(home, 'bin/codex.hold');

  /** SKILL.md's manifest with this test's project. */
  function writeManifest(): void {
    const [yaml = ''] = blocks(skill, 'yaml');
    edit('agent-io/items-1.yaml', yaml.replace('/abs/project', project));
  }

  function git(...args: string[]): string {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
    const said = spawnSync('git', ['-C', project, ...identity, ...args], {
      encoding: 'utf8',
      env: environment(),
    });
    expect(said.status, said.stderr).toBe(0);
    return said.stdout;
  }
  function prun(...argv: string[]): Said {
    const script = path.join(scriptsDir, 'prun.cjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...argv], {
      cwd: project,
      encoding: 'utf8',
      env: environment(),
    });
    return { code: status, stdout, stderr };
  }
  function isSupervised(run: string): boolean {
    const { stdout } = prun('debug', '--run', run, '--json');
    return /"alive":\s*true/.test(/"supervisor":\s*\{[^}]*\}/.exec(stdout)?.[0] ?? '');
  }

  /** Runs one command of a text with the test's own paths, through a shell as the host does. */
  function run(command: string): Said {
    executed.add(command);
    const real = command.replaceAll('<prun>', prunDir).replaceAll('/abs/project', project);
    const { status, stdout, stderr } = spawnSync('sh', ['-c', real], {
      cwd: project,
      encoding: 'utf8',
      env: environment(),
    });
    return { code: status, stdout, stderr };
  }
  function ok(command: string): string {
    const said = run(command);
    expect(said.code, `${command}\n${said.stdout}${said.stderr}`).toBe(0);
    expect(said.stdout.split('\n').length).toBeLessThan(250);
    return said.stdout;
  }
  /** A run's `wait` until its end; what each call printed. */
  function waitUntilOver(command: string): Said[] {
    const all: Said[] = [];
    do all.push(run(command));
    while (!/^WAIT-EVENT all-done /.test(all.at(-1)?.stdout ?? '') && all.length < 10);
    return all;
  }
  /** SKILL.md's start of its run. */
  const startOfSkill = (): string =>
    commands(section(skill, '4. Run')).find((command) => !/dry-run/.test(command)) ?? '';
  const answer = (unit: string): string =>
    `# ${unit} result\nConclusion: two letters\nFiles: none (read-only)\nOpen items: none\nVerification: none\n\nbody\n`;

  it('SKILL.md and integration.md: a run with a unit that fails, is tried again and cancelled, from the dry run to the clean-up', async () => {
    writeManifest();
    const [dryRun = '', start = ''] = commands(section(skill, '4. Run'));
    const before = readdirSync(home);
    expect(ok(dryRun)).toMatch(
      /^PLAN run=items-1 units=3 [\s\S]*^UNIT api codex clone owns=src\/api\/\*\* verify="npm test -- api"$[\s\S]*^PROMPT api$/m,
    );
    expect(readdirSync(home)).toEqual(before);
    expect(ok(start)).toMatch(new RegExp(`^RUN items-1\nDIR ${runFolder()}\nNEXT prun wait --run items-1\n`));

    const registered = ok(commandOf(skill, / register /));
    const mail = /^RESULT (.*)$/m.exec(registered)?.[1] ?? '';
    expect(path.dirname(mail)).toBe(path.join(runFolder(), 'agent-io/results'));
    const prompt = path.join(runFolder(), 'agent-io/prompts/mail.md');
    await waitFor('the prompt of the session unit', () => existsSync(prompt));
    expect(readFileSync(prompt, 'utf8')).toContain(mail);
    writeFileSync(mail, answer('mail'));

    const wait = commandOf(skill, / wait /);
    const first = run(wait);
    expect([first.code, first.stdout]).toEqual([30, expect.stringMatching(/^UNIT api failed\(verify\) /m)]);
    // What runs.md shows is what was printed, but for the numbers.
    const [shown = ''] = blocks(reference('runs.md'), '').filter((block) => /^WAIT-EVENT/.test(block));
    expect(first.stdout).toMatch(asPattern(shown));

    const [logs = '', resume = '', retry = '', cancel = '', status = ''] = commands(
      section(skill, 'How a unit ends'),
    );
    expect(ok(logs)).toContain('said by api');
    // On a small machine two units at once are all that there is: the others must not hold it up.
    await waitFor('docs and review', () => / done=2 /.test(prun('status', '--run', 'items-1').stdout));
    writeFileSync(hold(), '');
    expect(ok(resume)).toMatch(/^UNIT api queued attempt=2 session=0199aa00-\S+$/m);
    await waitFor('the remark', () =>
      read('agent-io/prompts/api.md', runFolder()).includes('Sort the list.'),
    );
    expect(ok(cancel)).toMatch(/^UNIT api cancelled /m);
    expect(ok(status)).toMatch(/^UNIT api cancelled\(cancelled\) /m);
    const reconcile = commandOf(skill, / reconcile /);
    expect(run(reconcile).code).toBe(36);
    rmSync(hold());
    ok(retry);
    const last = waitUntilOver(wait).at(-1);
    expect([last?.code, last?.stdout]).toEqual([0, expect.stringMatching(/^UNIT mail succeeded\(ok\) /m)]);
    expect(read('agent-io/prompts/api.md', runFolder())).toContain('# An earlier attempt');
    expect(ok(reconcile)).toMatch(/^RECONCILED run=items-1 units=4 deltas=2$/m);

    // integration.md: doubts are decided, and a follow-up starts from the result of the unit before. The text has a unit
    // `paging` in the place of `review`.
    const text = reference('integration.md');
    const decided = commandOf(text, / reconcile /);
    executed.add(decided);
    const said = prun(...decided.replace('paging', 'review').split(' ').slice(2));
    expect([said.code, said.stdout]).toEqual([0, expect.stringMatching(/^LEFT-OUT review$/m)]);
    ok(commandOf(text, / add /));
    ok(commandOf(text, / start /));
    expect(waitUntilOver(wait).at(-1)?.code).toBe(0);

    const [collect = '', conflicts = '', check = '', apply = '', cleanup = ''] = commands(
      section(skill, '7. Integrate'),
    );
    expect(ok(collect)).toContain(`PATCH ${project}/agent-io/api.patch`);
    expect(ok(conflicts)).toMatch(/^ORDER api api-2 docs$/m);
    expect(ok(check)).toMatch(/^WOULD-APPLY 3 files=2$/m);
    expect(git('status', '--short', '--', 'src', 'docs')).toBe('');
    expect(ok(apply)).toMatch(/^UNDO-COMMAND /m);
    expect([read('src/api/items.js'), read('docs/api.md')]).toEqual(['sorted\nmore\n', 'new\n']);
    expect(git('diff', '--cached', '--name-only')).toBe('');
    expect(ok(cleanup)).toMatch(/^REMOVED docs /m);
    for (const name of ['results/api.md', 'prompts/api.md', 'ledger.md'])
      expect(existsSync(path.join(runFolder(), 'agent-io', name)), name).toBe(true);
  }, 180_000);

  it('SKILL.md alone: eight units, of which one leaves nothing and one changes what is not its own', () => {
    const units = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `u${n}`);
    for (const unit of units) edit(`src/${unit}/a.js`, 'old\n');
    git('add', 'src');
    git('commit', '-qm', 'eight');
    for (const unit of units) edit(`agent-io/p-${unit}.md`, 'Write new in place of old.\n');
    edit('agent-io/remark-u6.md', 'Take back what you changed in src/u7.\n');
    const rows = units.map(
      (unit) => `  - id: ${unit}\n    promptFile: p-${unit}.md\n    owns: [src/${unit}/**]\n`,
    );
    edit('agent-io/items-1.yaml', `repo: ${project}\nunits:\n${rows.join('')}`);
    const wait = commandOf(skill, / wait /);
    const reconcile = commandOf(skill, / reconcile /);
    const [collect = '', conflicts = '', check = '', apply = ''] = commands(section(skill, '7. Integrate'));

    ok(startOfSkill());
    const told = waitUntilOver(wait);
    expect(told.at(-1)).toMatchObject({
      code: 30,
      stdout: expect.stringMatching(/^UNIT u3 failed\(no-result\) /m),
    });
    expect(run(reconcile)).toMatchObject({
      code: 36,
      stdout: expect.stringMatching(/^UNIT u3 failed\(no-result\) /m),
    });
    // What the table says: read the logs, then resume.
    expect(prun('logs', '--run', 'items-1', '--unit', 'u3').stdout).toContain('I forgot the file.');
    expect(prun('resume', '--run', 'items-1', '--unit', 'u3').code).toBe(0);
    expect(waitUntilOver(wait).at(-1)?.code).toBe(0);
    expect(ok(reconcile)).toMatch(/^RECONCILED run=items-1 units=8 deltas=8$/m);
    expect(ok(collect)).toMatch(/^OUTSIDE u6 src\/u7\/a\.js /m);
    expect(run(conflicts)).toMatchObject({ code: 35, stdout: expect.stringMatching(/^CONFLICT u6 u7 /m) });
    expect(run(check)).toMatchObject({ code: 35, stdout: expect.stringMatching(/nothing was changed/) });
    // A unit takes back what was not its own.
    const remark = ['--prompt-file', 'agent-io/remark-u6.md'];
    expect(prun('resume', '--run', 'items-1', '--unit', 'u6', ...remark).code).toBe(0);
    expect(waitUntilOver(wait).at(-1)?.code).toBe(0);
    ok(reconcile);
    expect(ok(conflicts)).toBe(`CONFLICTS units=8 pairs=0 outside=0\nORDER ${units.join(' ')}\n`);
    expect(ok(check)).toMatch(/^WOULD-APPLY 8 files=8$/m);
    expect(ok(apply)).toMatch(/^APPLIED 8 files=8$/m);
    for (const unit of units) expect(read(`src/${unit}/a.js`)).toBe('new\n');
    expect(git('status', '--short', '--', 'docs', 'package.json')).toBe('');
    expect(git('diff', '--cached', '--name-only')).toBe('');
  }, 180_000);

  it('runs.md and units.md: look, start fewer, read, retry, cancel, clean up', () => {
    writeManifest();
    const text = reference('runs.md');
    const of = (heading: string): string[] => commands(section(text, heading));
    const [plan = '', one = ''] = of('Look before you start');
    expect(ok(plan)).toMatch(/^PLAN /);
    const whole = ok(one);
    expect(whole).toContain('\n# Your task\n\nThe task of api.\n');
    expect(ok(commandOf(reference('units.md'), / run /))).toBe(whole);
    expect(existsSync(state)).toBe(false);

    writeFileSync(hold(), '');
    ok(startOfSkill());
    const [mail = ''] = of('Units of your own session');
    const result = /^RESULT (.*)$/m.exec(ok(mail))?.[1] ?? '';
    writeFileSync(result, answer('mail'));
    expect(ok(only(of('How many at once')))).toMatch(/^STARTED 0 units /);
    rmSync(hold());
    const waitOne = only(of('What wait tells').filter((command) => / --unit api /.test(command)));
    expect(run(waitOne)).toMatchObject({
      code: 30,
      stdout: expect.stringMatching(/^UNIT api failed\(verify\)/m),
    });

    const [status = '', logs = '', events = '', list = '', debug = ''] = of('Events and logs');
    expect(ok(status)).toMatch(/^RUN items-1 [\s\S]*^LEDGER /m);
    expect(ok(logs)).toContain('said by api');
    expect(ok(events)).toMatch(/^\d+ \S+ api failed\(verify\) /m);
    expect(ok(list)).toMatch(/^RUN items-1 /m);
    expect(ok(debug)).toMatch(/^SUPERVISOR /m);

    const [resume = '', remark = '', failed = '', forced = '', cancelOne = '', cancelAll = ''] =
      of('Resume, retry and cancel');
    const wait = commandOf(skill, / wait /);
    waitUntilOver(wait);
    // Cut off again: the session goes on, and fails by its check as before.
    rmSync(path.join(home, 'bin/codex.sorted'));
    const session = /^UNIT api queued attempt=2 (session=\S+)$/m.exec(ok(resume))?.[1] ?? 'none';
    waitUntilOver(wait);
    expect(ok(failed)).toMatch(/^RETRY run=items-1 units=1\nUNIT api queued attempt=3$/m);
    waitUntilOver(wait);
    writeFileSync(hold(), '');
    const again = /^UNIT api queued attempt=4 (session=\S+)$/m.exec(ok(remark))?.[1] ?? session;
    expect(again).not.toBe(session);
    expect(ok(forced)).toMatch(/^UNIT docs queued attempt=2$/m);
    expect(ok(cancelOne)).toMatch(/^UNIT docs cancelled /m);
    ok(cancelAll);
    rmSync(hold());
    const [cleanup = '', old = ''] = of('Clean up');
    expect(ok(cleanup)).toMatch(/^REMOVED api /m);
    expect(ok(old)).toBe('CLEANUP runs=0 kept=0\n');

    // What is said of the places.
    const places = [
      ...section(reference('durable-runs.md'), 'Where everything lies').matchAll(/^\| (`.*?) \|/gm),
    ].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace('<unit>', 'api')),
    );
    expect(places.length).toBeGreaterThan(10);
    const rare = ['agent-io/context.md', 'patches/', 'decisions.jsonl', 'validation/', 'held'];
    for (const place of places.filter((name) => !rare.includes(name)))
      expect(existsSync(path.join(runFolder(), place)), place).toBe(true);
  }, 180_000);

  it('durable-runs.md: a foundation in an integration worktree; debug lists what it adds, cleanup takes it away', () => {
    const text = section(reference('durable-runs.md'), 'By hand: init, add, start');
    const [init = '', schema = '', startOne = '', wait = '', lay = '', ...after] = commands(text);
    const [api = '', docs = '', start = '', waitAll = '', reconcile = '', check = ''] = after;
    const worktree = path.join(project, '.worktrees/int-items-2');
    expect(ok(init)).toBe(
      `run=items-2\nstate_dir=${runFolder('items-2')}\nintegration_worktree=${worktree}\n`,
    );
    ok(schema);
    expect(ok(startOne)).toMatch(/^STARTED 1 unit /);
    expect(waitUntilOver(wait).at(-1)?.code).toBe(0);
    expect(ok(lay)).toMatch(/^APPLIED 1 files=1\nA src\/schema\/item\.js$/m);
    writeFileSync(path.join(home, 'bin/codex.sorted'), '');
    const made = /^worktree=(.*)$/m.exec(ok(api))?.[1] ?? '';
    expect(read('src/schema/item.js', made)).toBe('laid\n');
    expect(ok(docs)).toBe('unit=docs\n');
    expect(ok(start)).toMatch(/^STARTED 2 units [\s\S]*^CHANGED jobs=4 /m);
    expect(waitUntilOver(waitAll).at(-1)?.code).toBe(0);
    expect(ok(reconcile)).toMatch(/^RECONCILED run=items-2 units=3 deltas=3$/m);
    // What is in the tree already is passed over.
    expect(ok(check)).toMatch(/^WOULD-APPLY 3 files=2\nM docs\/api\.md\nM src\/api\/items\.js$/m);
    const debug = prun('debug', '--run', 'items-2').stdout;
    for (const line of [
      `INTEGRATION ${worktree} `,
      'BRANCH prun/items-2/int ',
      'BRANCH prun/items-2/api ',
      `EXCLUDE ${project}/.git/info/exclude: /.worktrees/`,
    ])
      expect(debug).toContain(line);
    expect(git('status', '--short')).toBe('?? agent-io/\n');
    prun('cleanup', '--run', 'items-2', '--drop-worktrees', '--force');
    expect(git('branch', '--list', 'prun/*')).toBe('');
    expect(existsSync(worktree)).toBe(false);
    expect(read('.git/info/exclude')).toContain('\n/.worktrees/\n');
  }, 180_000);

  it('executors.md: a command unit takes the linter of the text, and a shell with a pipe', () => {
    const yamls = blocks(reference('executors.md'), 'yaml');
    const [yaml = ''] = yamls.filter((text) => text.includes('argv:'));
    // The others need programs that are not here: they are manifests all the same.
    const others = yamls.filter((text) => text !== yaml);
    expect(others.map((text) => /executor: (\w+)/.exec(text)?.[1])).toEqual(['claude', 'omp']);
    for (const text of others) {
      edit('agent-io/o.yaml', `repo: ${project}\n${text}`);
      expect(prun('run', 'agent-io/o.yaml', '--dry-run')).toMatchObject({ code: 0, stderr: '' });
    }
    edit('agent-io/m.yaml', `repo: ${project}\n${yaml}`);
    edit('agent-io/p-other.md', 'The other task.\n');
    edit('agent.sh', '#!/bin/sh\nwc -c < "$1"; cat\n');
    edit('bin/npx', '#!/bin/sh\necho "$@"\n', home);
    spawnSync('chmod', ['+x', path.join(project, 'agent.sh'), path.join(home, 'bin/npx')]);
    const said = prun('run', 'agent-io/m.yaml', '--run', 'm', '--wait');
    expect([said.code, said.stdout]).toEqual([0, expect.stringContaining('WAIT-EVENT all-done')]);
    expect(read('agent-io/results/lint.md', runFolder('m'))).toBe('biome check .\n');
    expect(read('agent-io/results/other.md', runFolder('m'))).toMatch(/^\d+\n[\s\S]*The other task\./);
  }, 60_000);

  it('every command of a run that a text shows was executed', () => {
    const all = coordinatorTexts.flatMap(([name, text]) =>
      commands(text).filter((command) => isOfRun(name, command) && !isSideCommand(name, command)),
    );
    expect(all.filter((command) => !executed.has(command))).toEqual([]);
    expect(all.length).toBeGreaterThan(30);
  });

  it('README shows a run as it goes', async () => {
    const shown = section(readme, 'A run');
    const [first = ''] = blocks(shown, 'yaml');
    const [script = ''] = blocks(shown, 'sh');
    const outputs = blocks(shown, 'text');
    expect([first, script, outputs.length]).toEqual([
      expect.stringContaining('units:'),
      expect.stringContaining('prun.cjs'),
      expect.any(Number),
    ]);
    edit('README.md', 'one\ntwo\nthree\n');
    edit('run.yaml', first);
    const real = script.replaceAll('.claude/skills/prun/scripts', `"${scriptsDir}"`);
    const child = spawn('sh', ['-ec', real], { cwd: project, env: environment() });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, complaint]).toEqual([0, '']);
    const told = printed.replaceAll(state, '/home/you/.local/state/prun');
    expect(told).toMatch(asPattern(outputs.join('')));
  }, 60_000);

  function only(found: readonly string[]): string {
    expect(found).toHaveLength(1);
    return found[0] ?? '';
  }
});

/** A shown output as a pattern: `…` stands for anything in a line, and numbers are others each time. */
function asPattern(shown: string): RegExp {
  const escaped = shown
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('…', '.*')
    .replace(/(?<=[= ]|\d-)\d+(?:\\\.\d+)?/g, '\\d+(?:\\.\\d+)?');
  return new RegExp(escaped);
}
