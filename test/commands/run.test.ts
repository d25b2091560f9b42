import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../helpers/plain-git.ts';
import { type RunRoom, runRoom } from '../helpers/run-room.ts';

async function repoIn(room: RunRoom): Promise<string> {
  const repo = path.join(room.folder, 'a repo');
  mkdirSync(repo);
  await git(repo, ['init', '-q', '-b', 'main']);
  writeFileSync(path.join(repo, 'file'), 'one\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-qm', 'first']);
  return repo;
}

function manifestIn(room: RunRoom, text: string, name = 'm.yaml'): string {
  const file = path.join(room.folder, name);
  writeFileSync(file, text);
  return file;
}

const runsOf = (room: RunRoom): string[] => {
  const folder = path.join(room.cli.stateHome, 'runs');
  return existsSync(folder) ? readdirSync(folder) : [];
};

const ONE = 'executor: command\nunits:\n  - {id: a, prompt: hello, argv: [echo, done]}\n';

describe('prun run', () => {
  it('prints the run, its folder and what to call next, and the units come to their ends', async () => {
    const room = runRoom();
    const { stdout, stderr } = await room.cli.run(['run', manifestIn(room, ONE), '--run', 'items-1']);
    const folder = path.join(room.cli.stateHome, 'runs', 'items-1');
    expect(stdout).toBe(
      `RUN items-1\nDIR ${folder}\nNEXT prun wait --run items-1\nNEXT prun status --run items-1\n`,
    );
    expect(stderr).toBe('');
    const run = room.open('items-1');
    expect((await run.done()).get('a')?.status).toBe('succeeded');
    expect(run.result('a')).toBe('done\n');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('gives a run without a name one of its own, and says it as JSON', async () => {
    const room = runRoom();
    const { stdout } = await room.cli.run(['run', manifestIn(room, ONE), '--json']);
    const { run, dir } = JSON.parse(stdout) as { run: string; dir: string };
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(dir).toBe(path.join(room.cli.stateHome, 'runs', run));
    await room.open(run).done();
  });

  it('gives a worker the whole prompt: the task byte for byte, the context, the rules, the contract', async () => {
    const room = runRoom();
    const prompt = '\uFEFFDo it.\r\n\tExactly so.  \n\n';
    writeFileSync(path.join(room.folder, 'p.md'), prompt);
    writeFileSync(path.join(room.folder, 'shared.md'), 'Dates are UTC.\n');
    const text = `context: shared.md\nunits:\n  - {id: a, promptFile: p.md, executor: command, argv: [cat]}\n`;
    await room.cli.run(['run', manifestIn(room, text), '--run', 'x']);
    const run = room.open('x');
    await run.done();
    const told = run.result('a');
    for (const part of [
      prompt,
      'Dates are UTC.\n',
      'Do not commit',
      path.join(run.folder, 'agent-io/results/a.md'),
    ])
      expect(told).toContain(part);
    expect(readFileSync(path.join(run.folder, 'agent-io/prompts/a.md'), 'utf8')).toBe(told);
  });

  it('freezes the base when it is called: what is edited afterwards is in no unit, and the user is only read', async () => {
    const room = runRoom();
    const repo = await repoIn(room);
    writeFileSync(path.join(repo, 'file'), 'not committed\n');
    const before = readdirSync(path.join(repo, '.git')).sort();
    const gate = path.join(room.folder, 'gate');
    const wait = `while [ ! -e '${gate}' ]; do sleep 0.02; done; echo ok`;
    const manifest = {
      repo,
      executor: 'command',
      units: [
        { id: 'first', prompt: 'x', mode: 'scratch', argv: ['/bin/sh', '-c', wait] },
        { id: 'later', prompt: 'x', argv: ['cat', 'file'], after: ['first'] },
      ],
    };
    const file = manifestIn(room, JSON.stringify(manifest), 'm.json');
    await room.cli.run(['run', file, '--run', 'x']);
    writeFileSync(path.join(repo, 'file'), 'edited later\n');
    writeFileSync(gate, '');
    const run = room.open('x');
    await run.done();
    expect(run.result('later')).toBe('not committed\n');
    expect(readdirSync(path.join(repo, '.git')).sort()).toEqual(before);
  });

  it('takes --repo and settings of the command line before those of the manifest', async () => {
    const room = runRoom();
    const repo = await repoIn(room);
    const file = manifestIn(room, `repo: nowhere\njobs: 7\nload: 9\n${ONE}`);
    await room.cli.run(['run', file, '--run', 'x', '--repo', repo, '--jobs', '2', '--memfree', '64M']);
    const run = room.open('x');
    await run.done();
    const record = JSON.parse(readFileSync(path.join(run.folder, 'run.json'), 'utf8'));
    expect(record.repository).toBe(repo);
    expect(record.schedule).toEqual({ jobs: 2, delaySeconds: 0, memfreeBytes: 64 * 1024 ** 2, load: 9 });
  });

  it('stays with --wait until something needs somebody, and ends as prun wait does', async () => {
    const room = runRoom();
    const good = await room.cli.run(['run', manifestIn(room, ONE), '--run', 'good', '--wait']);
    expect(good.stdout).toContain('RUN good\n');
    expect(good.stdout).toContain('WAIT-EVENT all-done run=good');
    const bad = ONE.replace('[echo, done]', '[sh, -c, exit 3]');
    await room.cli.run(['run', manifestIn(room, bad), '--run', 'bad', '--wait'], { code: 30 });
  });

  it('hides the session of its host from workers, but for the names that were passed on', async () => {
    const room = runRoom();
    const environment = { ANTHROPIC_API_KEY: 'key-1', CLAUDE_CODE_X: 'x-1', MINE: 'mine-1' };
    const text = `executor: command\nunits:\n  - {id: a, prompt: x, argv: [env]}\n  - {id: b, prompt: x, argv: [env], passEnv: [ANTHROPIC_API_KEY]}\n`;
    await room.cli.run(['run', manifestIn(room, text), '--run', 'x'], { environment });
    const run = room.open('x');
    await run.done();
    expect(run.result('a')).toContain('MINE=mine-1');
    expect(run.result('a')).not.toMatch(/key-1|x-1/);
    expect(run.result('b')).toContain('ANTHROPIC_API_KEY=key-1');
    expect(run.result('b')).not.toContain('x-1');
  });
});

describe('prun run refuses', () => {
  it('a manifest with mistakes: all of them with file, line and column, and nothing is made', async () => {
    const room = runRoom();
    const file = manifestIn(room, 'jobs: 0\nunits:\n  - {id: a, promt: x}\n  - {id: a, prompt: y}\n');
    const { stdout, stderr } = await room.cli.run(['run', file], { code: 2 });
    expect(stdout).toBe('');
    expect(stderr.split('\n')).toEqual([
      `${file}:1:1: jobs: 0 is no whole number from 1 up`,
      `${file}:3:13: units[0].promt: is no known key: is prompt meant?`,
      `${file}:4:6: units[1].id: "a" is the id of units[0] already: give it another`,
      `prun run: ${file} has 3 mistakes: see the lines above; prun schema prints the keys`,
      '',
    ]);
    expect(runsOf(room)).toEqual([]);
  });

  it('more than twenty mistakes with twenty lines and a number', async () => {
    const room = runRoom();
    const units = Array.from({ length: 50 }, (_, n) => `  - {id: u${n}}`);
    const { stderr } = await room.cli.run(['run', manifestIn(room, `units:\n${units.join('\n')}\n`)], {
      code: 2,
    });
    expect(stderr.trimEnd().split('\n')).toHaveLength(22);
    expect(stderr).toContain('… and 30 more\n');
  });

  it.each([
    [['run'], 'no manifest is given'],
    [['run', 'none.yaml'], 'cannot be read (ENOENT)'],
    [['run', 'm.yaml', 'n.yaml'], 'unexpected argument "n.yaml"'],
    [['run', 'm.yaml', '--jobs', '0'], '--jobs is "0"'],
    [['run', 'm.yaml', '--delay', '1m'], '--delay is "1m"'],
    [['run', 'm.yaml', '--memfree', '1X'], '--memfree is "1X"'],
    [['run', 'm.yaml', '--load', 'high'], '--load is "high"'],
    [['run', 'm.yaml', '--run', '../x'], '--run is "../x"'],
    [['run', 'm.yaml', '--unit', 'a'], '--unit is for --dry-run'],
    [['run', 'm.yaml', '--dry-run', '--unit', 'b'], 'the manifest has no unit "b"'],
    [['run', 'm.yaml', '--repo', '.'], 'is not in a git repository'],
    [['run', 'm.yaml', '--bogus'], 'unknown flag --bogus'],
    [['schema', 'x'], 'unexpected argument "x"'],
  ])('%j in one line', async (argv, message) => {
    const room = runRoom();
    manifestIn(room, ONE);
    const { stdout, stderr } = await room.cli.run(argv, { code: 2, cwd: room.folder });
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(runsOf(room)).toEqual([]);
  });

  it('a repository that is none, and says where it was named', async () => {
    const room = runRoom();
    const file = manifestIn(room, `repo: nowhere\n${ONE}`);
    const { stderr } = await room.cli.run(['run', file], { code: 2 });
    expect(stderr).toContain(`prun run: ${file}: repo ${path.join(room.folder, 'nowhere')} does not exist: `);
  });

  it('to fan out from a worker, unless that is allowed', async () => {
    const room = runRoom();
    const environment = { PRUN_UNIT: 'outer-1' };
    const { stderr } = await room.cli.run(['run', manifestIn(room, ONE)], { environment, code: 2 });
    expect(stderr).toContain('this is a worker of unit outer-1');
    expect(runsOf(room)).toEqual([]);
    await room.cli.run(['run', manifestIn(room, ONE), '--dry-run'], { environment });
    await room.cli.run(['run', manifestIn(room, ONE), '--run', 'x', '--allow-nested'], { environment });
    await room.open('x').done();
  });

  it('a name that is taken: of ten at once one has it, and is whole', async () => {
    const room = runRoom();
    const file = manifestIn(room, ONE);
    const ends = await Promise.all(
      Array.from({ length: 10 }, () => room.cli.run(['run', file, '--run', 'same'], { code: 'any' })),
    );
    expect(ends.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, ...Array(9).fill(2)]);
    for (const { stderr } of ends.filter(({ code }) => code === 2)) {
      expect(stderr).toContain('run same is there already');
    }
    expect((await room.open('same').done()).get('a')?.status).toBe('succeeded');
    expect(runsOf(room)).toEqual(['same']);
  });

  it('workspaces of an older run of that name, whose base it would take', async () => {
    const room = runRoom();
    const repo = await repoIn(room);
    await room.cli.clone(repo, ['old'], ['--run', 'x']);
    const file = manifestIn(room, `repo: ${JSON.stringify(repo)}\n${ONE}`);
    const { stderr } = await room.cli.run(['run', file, '--run', 'x'], { code: 2 });
    expect(stderr).toContain('there are workspaces of a run x already');
    expect(runsOf(room)).toEqual([]);
  });
});

describe('prun run that is killed', () => {
  it('before its run is there leaves nothing that stays: the next one takes its name', async () => {
    const room = runRoom();
    const argv = ['run', manifestIn(room, ONE), '--run', 'x'];
    await room.cli.run(argv, { environment: { PRUN_FAULT: 'run:draft' }, code: 137 });
    expect(runsOf(room)).toHaveLength(1);
    await room.cli.run(argv);
    expect(runsOf(room)).toEqual(['x']);
    await room.open('x').done();
  });

  it('when its run is there loses nothing: the next command for the run goes on with it', async () => {
    const room = runRoom();
    const environment = { PRUN_FAULT: 'run:made' };
    await room.cli.run(['run', manifestIn(room, ONE), '--run', 'x'], { environment, code: 137 });
    const run = room.open('x');
    expect(run.events()).toEqual([]);
    await room.cli.run(['start', '--run', 'x']);
    expect((await run.done()).get('a')?.status).toBe('succeeded');
    expect(run.attempts('a')).toHaveLength(1);
  });
});

describe('prun run with a unit for a subagent', () => {
  it('says where its prompt is, and sees it land when its result is there', async () => {
    const room = runRoom();
    const text = 'units:\n  - {id: mail, prompt: Read the mail., executor: session}\n';
    const { stdout } = await room.cli.run(['run', manifestIn(room, text), '--run', 'x']);
    const run = room.open('x');
    const prompts = path.join(run.folder, 'agent-io/prompts');
    expect(stdout).toContain(`SESSION mail: start a subagent for each, with its prompt from ${prompts}\n`);
    await run.event('running', 'mail');
    const told = readFileSync(path.join(prompts, 'mail.md'), 'utf8');
    expect(told).toContain('Read the mail.');
    const result = path.join(run.folder, 'agent-io/results/mail.md');
    expect(told).toContain(result);
    const fields = 'Conclusion: read\nFiles: none (read-only)\nOpen items: none\nVerification: none\n';
    writeFileSync(result, `# mail result\n${fields}\nThree letters.\n`);
    expect((await run.done()).get('mail')?.status).toBe('succeeded');
  });
});

describe('prun run --dry-run', () => {
  const TEXT = `jobs: 3
executor: command
argv: [cat]
units:
  - {id: b, prompt: second task, after: [a], verify: npm test, retries: 2}
  - {id: a, prompt: first task, owns: [src/**]}
`;

  it('prints the plan in the order of starts and a whole prompt, and leaves nothing', async () => {
    const room = runRoom();
    const before = readdirSync(room.cli.stateHome);
    const { stdout } = await room.cli.run(['run', manifestIn(room, TEXT), '--dry-run', '--run', 'x']);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'PLAN run=x units=2 jobs=3 repo=none',
      'UNIT a command scratch owns=src/**',
      'UNIT b command scratch after=a verify="npm test" retries=2',
    ]);
    for (const part of [
      '\nPROMPT a\n',
      'first task',
      '# a result\nConclusion:',
      '… and 1 more prompt: one whole with --unit ID, all with --json',
    ])
      expect(stdout).toContain(part);
    expect(readdirSync(room.cli.stateHome)).toEqual(before);
  });

  it('prints the very prompt that the worker gets', async () => {
    const room = runRoom();
    const file = manifestIn(room, TEXT);
    const { stdout } = await room.cli.run(['run', file, '--dry-run', '--run', 'x', '--unit', 'a']);
    await room.cli.run(['run', file, '--run', 'x']);
    const run = room.open('x');
    await run.done();
    const told = readFileSync(path.join(run.folder, 'agent-io/prompts/a.md'), 'utf8');
    expect(stdout).toBe(told);
  });

  it('stays short for many units, and gives all of them as JSON', async () => {
    const room = runRoom();
    const units = Array.from({ length: 300 }, (_, n) => `  - {id: u${n}, prompt: task ${n}}`);
    const file = manifestIn(room, `units:\n${units.join('\n')}\n`);
    const { stdout } = await room.cli.run(['run', file, '--dry-run']);
    expect(stdout.split('\n').filter((line) => line.startsWith('UNIT ')).length).toBeLessThan(40);
    expect(stdout).toContain('… and 264 more units');
    expect(stdout.length).toBeLessThan(8000);
    const json = JSON.parse((await room.cli.run(['run', file, '--dry-run', '--json'])).stdout);
    expect(json.run).toBeNull();
    expect(json.units).toHaveLength(300);
    expect(json.units[299].wholePrompt).toContain('task 299');
  });
});

describe('prun schema', () => {
  it('prints a JSON Schema', async () => {
    const schema = JSON.parse((await runRoom().cli.run(['schema'])).stdout);
    expect(schema.$schema).toContain('json-schema.org');
    expect(schema.properties.units.items.properties.promptFile.type).toBe('string');
  });
});

it.each(['run', 'start', 'add', 'schema'])('prun %s --help tells its flags', async (command) => {
  const { stdout } = await runRoom().cli.run([command, '--help']);
  expect(stdout).toMatch(new RegExp(`^usage: prun ${command}`));
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(122);
});

describe('prun run, before it starts anything', () => {
  it('--dry-run says how many run at once by now, and limits of units that are not the usual ones', async () => {
    const room = runRoom();
    const text = [
      'executor: command',
      'units:',
      '  - {id: a, prompt: x, argv: [echo, a]}',
      '  - {id: b, prompt: x, argv: [echo, b], timeout: 60, stallThreshold: 30, stallNotice: 20, maxOutput: 1M}',
      '  - {id: c, prompt: x, argv: [echo, c], stallThreshold: 0}',
      '  - {id: d, prompt: x, executor: session, timeout: 60}',
    ].join('\n');
    const file = manifestIn(room, text);
    const { stdout, stderr } = await room.cli.run(['run', file, '--dry-run']);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^PLAN run=new units=4 jobs=auto\(\d+\) repo=none$/);
    expect(lines.slice(1, 5)).toEqual([
      'UNIT a command scratch',
      'UNIT b command scratch stallThreshold=30 stallNotice=20 timeout=60 maxOutput=1048576',
      'UNIT c command scratch stallThreshold=0',
      'UNIT d session scratch timeout=60',
    ]);
    expect(stderr).toBe('');
    const environment = { PRUN_STALL_THRESHOLD: '77' };
    const other = await room.cli.run(['run', file, '--dry-run', '--jobs', '3'], { environment });
    expect(other.stdout).toMatch(
      /^PLAN run=new units=4 jobs=3 [\s\S]*^UNIT a command scratch stallThreshold=77$/m,
    );
    const json = JSON.parse((await room.cli.run(['run', file, '--dry-run', '--json'])).stdout);
    expect(json).toMatchObject({ schedule: { jobs: null }, jobsNow: expect.any(Number) });
  });

  it('notes units that own the same, and starts them all the same', async () => {
    const room = runRoom();
    const repo = await repoIn(room);
    const text = [
      `repo: ${JSON.stringify(repo)}`,
      'executor: command',
      'argv: [echo, done]',
      'units:',
      '  - {id: api, prompt: x, owns: [src/**]}',
      '  - {id: items, prompt: x, owns: [docs/**, src/api/items.ts]}',
      '  - {id: late, prompt: x, owns: [src/api/**], after: [api, items]}',
      '  - {id: read, prompt: x, mode: scratch, owns: [src/**]}',
    ].join('\n');
    const file = manifestIn(room, text);
    const note =
      'NOTE units api and items share what they own (src/** and src/api/items.ts): their changes may clash; let each own files of its own\n';
    expect((await room.cli.run(['run', file, '--dry-run'])).stderr).toBe(note);
    expect((await room.cli.run(['run', file, '--run', 'x'])).stderr).toBe(note);
    await room.open('x').done();
    const units = Array.from({ length: 300 }, (_, n) => ({ id: `u${n}`, prompt: 'x', owns: ['**'] }));
    const many = manifestIn(room, JSON.stringify({ repo, units }), 'many.json');
    const notes = (await room.cli.run(['run', many, '--dry-run'])).stderr.trimEnd().split('\n');
    expect(notes).toHaveLength(6);
    expect(notes.at(-1)).toBe('NOTE more units share what they own');
  });

  it.each([
    ['JSON', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['JSON of a unit', `{"units":[{"id":"a","prompt":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`],
    ['brackets that are not closed', '['.repeat(100_000)],
    ['lists in YAML', `${'- '.repeat(30_000)}a`],
  ])('%s, nested too deeply, is refused in one line', async (_, text) => {
    const room = runRoom();
    const file = manifestIn(room, text);
    const { stdout, stderr } = await room.cli.run(['run', file], { code: 2 });
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^prun run: the manifest .* is nested too deeply to be read: .*\n$/);
    expect(runsOf(room)).toEqual([]);
  });
});
