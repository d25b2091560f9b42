import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CHECKS } from '../../scripts-src/commands/doctor/finding.ts';
import { resolveProgram } from '../../scripts-src/platform/resolve-program.ts';
import { cellsOf } from '../../scripts-src/render/cells.ts';
import { codexPaths, signIn } from '../helpers/codex-bin.ts';
import { doctorRoom, goodCodex, mountedSmall, snapshot } from '../helpers/doctor-room.ts';
import { git } from '../helpers/plain-git.ts';
import { processesOf } from '../helpers/process-table.ts';
import { scriptsFolder } from '../helpers/prun-cli.ts';
import { runRoom } from '../helpers/run-room.ts';
import { killSupervisors } from '../helpers/supervisor-kill.ts';
import { asTerminal } from '../helpers/terminal.ts';
import { dispatchTask, isRoot, ORDINARY_UID, program, testEnvironment } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

const linux = process.platform === 'linux';

it('where nothing is wrong: exit 0, no step, nothing changed, and no secret told', async () => {
  const room = doctorRoom();
  goodCodex(room.bin);
  rmSync(room.cli.stateHome, { recursive: true });
  const before = snapshot(room.folder);
  const key = 'sk-proj-0123456789abcdef';
  const { code, stdout, stderr } = await room.run([], { environment: { OPENAI_API_KEY: key } });
  expect(stderr).toBe('');
  const lines = stdout.trimEnd().split('\n');
  // What hangs on the machine and on other tests beside this one is not looked at.
  const notes = lines.filter((line) =>
    /^(?!NOTE (?:skill|machine|limits|inotify|processes):)[NP]/.test(line),
  );
  expect(notes, stdout).toEqual([]);
  expect(stdout).toMatch(/^OK node: \d+\.\d+\.\d+, \//m);
  expect(stdout).toMatch(/^OK git: 2\.\d+\S*, \/.*\/bin\/git$/m);
  expect(stdout).toMatch(/^OK codex: 0\.171\.0, \/.*\/bin\/codex$/m);
  expect(stdout).toMatch(/^OK codex-login: signed in$/m);
  expect(stdout).toMatch(/^OK claude: not installed, and only needed for units with executor: claude/m);
  expect(stdout).toMatch(/^OK state-home: \/.*state home \(not there yet: prun makes it\), .* free$/m);
  expect(stdout).toMatch(/^OK repository: \/.* is in none/m);
  expect(stdout).toMatch(/^OK runs: none yet$/m);
  expect(lines.at(-1)).toMatch(/^JOBS [1-9]\d*(?: \(.+\))?$/);
  expect(stdout).not.toMatch(/sk-/);
  expect(code).toBe(0);
  expect(snapshot(room.folder)).toEqual(before);
});

it('--json has every check once and in order, with a step where something is wrong and only there', async () => {
  const room = doctorRoom();
  goodCodex(room.bin);
  const { code, ...json } = await room.json();
  expect(Object.keys(json)).toEqual(['schema', 'ok', 'checks', 'jobs']);
  expect(json).toMatchObject({ schema: 1, ok: true });
  expect(Number.isInteger(json.jobs) && json.jobs > 0).toBe(true);
  expect(json.checks.map(({ id }) => id)).toEqual(CHECKS);
  for (const check of json.checks) {
    expect(Object.keys(check)).toEqual(['id', 'state', 'fact', 'do']);
    expect(check.do === null, JSON.stringify(check)).toBe(check.state === 'ok');
  }
  expect(code).toBe(0);
});

it('no codex, and an old git: problems, and how to get one', async () => {
  const room = doctorRoom();
  const real = resolveProgram('git', room.folder, process.env);
  rmSync(path.join(room.bin, 'git'));
  program(
    room.bin,
    'git',
    `#!/bin/sh\n[ "$1" = --version ] && echo 'git version 2.30.2' && exit\nexec '${'path' in real ? real.path : ''}' "$@"\n`,
  );
  const { code, stdout } = await room.run();
  expect(stdout).toMatch(/^PROBLEM codex: there is none in PATH\n {2}DO npm install -g @openai\/codex$/m);
  expect(stdout).not.toMatch(/codex-login/);
  expect(stdout).toMatch(/^PROBLEM git: 2\.30\.2, \/.*: too old\n {2}DO install git 2\.38 or newer/m);
  expect(code).toBe(30);
});

it('the real codex without a login, and with one', async () => {
  const room = doctorRoom();
  const home = path.join(room.folder, 'codex-home');
  mkdirSync(home);
  const environment = { CODEX_BIN: codexPaths().native };
  const { code, stdout } = await room.run([], { environment });
  expect(stdout).toMatch(/^OK codex: \d+\.\d+\.\d+, \/.*codex$/m);
  expect(stdout).toMatch(/^PROBLEM codex-login: codex is not signed in\n {2}DO codex login$/m);
  expect(code).toBe(30);
  signIn(home);
  expect(await room.json([], { environment })).toMatchObject({ code: 0, ok: true });
  // What other commands keep of a codex, this one does not.
  expect(readdirSync(room.cli.stateHome)).toEqual([]);
});

it('a codex that hangs is waited for so long, and nothing of it stays behind', async () => {
  const room = doctorRoom();
  const word = `hang-${process.pid}`;
  const child = program(room.folder, word, '#!/bin/sh\nsleep 1000\n');
  program(room.bin, 'codex', `#!/bin/sh\n'${child}' & '${child}'\n`);
  const { code, stdout } = await room.run(['--timeout', '1']);
  expect(stdout).toMatch(
    /^PROBLEM codex: \/.*\/codex gives no version \(it did not end within 1 s\)\n {2}DO /m,
  );
  expect(stdout).toMatch(/^NOTE codex-login: codex login status gives no answer/m);
  expect(stdout).toMatch(/^OK git: /m);
  expect(code).toBe(30);
  if (linux) expect(processesOf({ word })).toEqual([]);
});

it.runIf(linux)('who interrupts the doctor leaves nothing behind', async () => {
  const room = doctorRoom();
  const word = `hang-again-${process.pid}`;
  const child = program(room.folder, word, '#!/bin/sh\nsleep 1000\n');
  program(room.bin, 'codex', `#!/bin/sh\n'${child}'\n`);
  const doctor = spawn(process.execPath, [path.join(scriptsFolder(), 'prun.cjs'), 'doctor'], {
    cwd: room.folder,
    env: testEnvironment(room.cli.home, { PATH: room.bin, PRUN_STATE_HOME: room.cli.stateHome }),
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => doctor.once('close', resolve));
  await waitFor('the hanging codex', () => processesOf({ word }).length > 0);
  doctor.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(processesOf({ word: room.folder })).toEqual([]);
});

it.runIf(isRoot)(
  'for an ordinary user: a state home that is read-only, and one that is open to others',
  async () => {
    const room = doctorRoom();
    const { stateHome } = room.cli;
    const wish = { uid: ORDINARY_UID, cwd: '/' };
    chmodSync(room.temp, 0o777);
    chmodSync(stateHome, 0o555);
    expect(await room.check('state-home', wish)).toMatchObject({
      state: 'problem',
      fact: expect.stringMatching(/^\/.*state home may not be written by this user \(EACCES\)$/),
      do: 'give another one with PRUN_STATE_HOME or --state-home',
    });
    chownSync(stateHome, ORDINARY_UID, ORDINARY_UID);
    chmodSync(stateHome, 0o755);
    const before = snapshot(room.folder);
    expect(await room.check('state-home', wish)).toMatchObject({
      state: 'note',
      fact: expect.stringContaining('open to other users (mode 0755)'),
      do: `chmod 700 '${stateHome}'`,
    });
    expect(snapshot(room.folder)).toEqual(before);
  },
);

it.runIf(isRoot)('a full disk below the state home', async ({ skip, onTestFinished }) => {
  const room = doctorRoom();
  if (!mountedSmall(room.cli.stateHome, 128, onTestFinished)) skip();
  writeFileSync(path.join(room.cli.stateHome, 'fill'), Buffer.alloc(120 * 1024));
  expect(await room.check('state-home')).toMatchObject({
    state: 'problem',
    fact: expect.stringMatching(/state home: the disk is full$/),
    do: expect.stringMatching(/^make room on the disk of '/),
  });
});

it.runIf(linux)('a run whose supervisor was killed is told with the command that puts it right', async () => {
  const folder = doctorRoom();
  const room = runRoom(folder.folder);
  const run = await room.start([{ id: 'a', sh: 'sleep 1000' }]);
  await run.event('running', 'a');
  expect((await folder.check('runs')).fact).toBe('1 run, 1 under way, none left behind');
  await killSupervisors(run);
  const { checks } = await folder.json();
  expect(checks.find(({ id }) => id === 'runs')).toEqual({
    id: 'runs',
    state: 'note',
    fact: `1 run has units under way and no supervisor: ${run.id}`,
    do: `prun status --run ${run.id}`,
  });
  // Its worker is the run's affair: the line about runs tells of it.
  const worker = processesOf({ word: 'sleep 1000' }).find(({ argv }) => argv === 'sleep 1000');
  expect(checks.find(({ id }) => id === 'processes')?.fact).not.toContain(String(worker?.pid));
  expect(run.ends().size).toBe(0);
});

it('clones that nobody has used for long, with their size', async () => {
  const room = doctorRoom();
  const repo = path.join(room.folder, 'repo');
  mkdirSync(repo);
  await git(repo, ['init', '--quiet']);
  await git(repo, ['commit', '--quiet', '--allow-empty', '-m', 'first']);
  const [clone = ''] = await room.cli.clone(repo, ['a']);
  // Not among its files: it is no part of a delta.
  writeFileSync(path.join(clone, '.git', 'big'), Buffer.alloc(110e6, 'x'));
  expect(await room.check('runs')).toMatchObject({ state: 'ok' });
  const set = path.dirname(path.dirname(clone));
  const record = path.join(set, 'set.json');
  const long = new Date(Date.now() - 20 * 86_400_000);
  writeFileSync(
    record,
    readFileSync(record, 'utf8').replace(/"createdAt": *"[^"]+"/g, `"createdAt":"${long.toISOString()}"`),
  );
  utimesSync(path.join(set, 'units', 'a'), long, long);
  expect(await room.check('runs')).toMatchObject({
    state: 'note',
    fact: expect.stringMatching(/; clones that nobody has used for 14 days take 11\d MB$/),
    do: 'prun cleanup --older-than 14d',
  });
  const { stdout } = await room.cli.run([
    'cleanup',
    '--older-than',
    '14d',
    '--state-home',
    room.cli.stateHome,
  ]);
  expect(stdout).toMatch(/^CLEANED /m);
  expect(await room.check('runs')).toMatchObject({ state: 'ok' });
});

it.runIf(linux)(
  'a unit whose dispatcher and guardian were killed: the step that is told ends it',
  async () => {
    const room = doctorRoom();
    const unit = dispatchTask({
      folder: room.folder,
      codexBin: program(room.folder, 'worker', 'sleep 1000'),
      unit: 'left',
      environment: { TMPDIR: room.temp },
    });
    const stateDir = await unit.stateDir();
    const { marker } = await unit.unitRecord();
    const guardianFile = path.join(stateDir, 'guardian');
    const guardian = await waitFor(
      'the guardian',
      () => existsSync(guardianFile) && Number(/:(\d+):/.exec(readFileSync(guardianFile, 'utf8'))?.[1]),
    );
    await waitFor('the worker', () => processesOf({ marker }).some(({ argv }) => argv === 'sleep 1000'));
    expect((await room.check('processes')).fact).not.toContain(stateDir);
    const { pid: dispatcher = 0 } = unit.child;
    process.kill(dispatcher, 'SIGSTOP');
    for (const pid of [guardian, dispatcher]) process.kill(pid, 'SIGKILL');
    await unit.exitCode;
    const told = await room.check('processes');
    expect(told).toMatchObject({
      state: 'note',
      fact: expect.stringContaining(
        `1 unit of dispatch-task without an end, whose dispatcher is dead: ${stateDir}`,
      ),
    });
    expect(existsSync(path.join(stateDir, 'outcome.json'))).toBe(false);
    execFileSync('sh', ['-c', told.do ?? ''], { env: testEnvironment(room.cli.home) });
    expect(existsSync(path.join(stateDir, 'outcome.json'))).toBe(true);
    expect(processesOf({ marker })).toEqual([]);
    expect((await room.check('processes')).fact).not.toContain(stateDir);
  },
);

it.runIf(linux)(
  'a marked process that nobody stands behind is named, and lives on',
  async ({ onTestFinished }) => {
    const room = doctorRoom();
    const environment = { PRUN_UNIT: 'ghost-0123456789abcdef' };
    const shell = 'sleep 1000 >/dev/null 2>&1 & echo $!';
    const pid = Number(execFileSync('sh', ['-c', shell], { env: { ...process.env, ...environment } }));
    onTestFinished(() => void process.kill(pid, 'SIGKILL'));
    const { state, fact, do: next } = await room.check('processes');
    expect(state).toBe('note');
    expect(fact).toMatch(new RegExp(`of units that nobody supervises: .*\\b${pid}\\b.*\\(.*sleep`));
    expect(next).toMatch(new RegExp(`^look at them with ps -p .*\\b${pid}\\b`));
    expect(process.kill(pid, 0)).toBe(true);
    // Below a live unit it is that unit's own.
    expect((await room.check('processes', { environment })).fact).not.toContain(String(pid));
  },
);

it('on a narrow terminal nothing is wider than it, and colour is only where it is wanted', async () => {
  const room = doctorRoom();
  const narrow = asTerminal(room.folder, { columns: 40 });
  const { stdout, stderr } = await room.run([], { environment: narrow });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => cellsOf(line) > 39)).toEqual([]);
  expect(stdout).not.toContain('\u001b');
  expect(stderr).toBe('');
  expect(lines).toContain('PROBLEM codex: there is none in PATH');
  const coloured = asTerminal(room.folder, { columns: 200, environment: { NO_COLOR: '' } });
  expect((await room.run([], { environment: coloured })).stdout).toContain(
    '\u001b[31mPROBLEM\u001b[0m codex: there is none in PATH\n  DO npm install -g @openai/codex\n',
  );
});

it('a git configuration that cannot be read, and a state home among the files of the repository', async () => {
  const room = doctorRoom();
  const repo = path.join(room.folder, 'repo');
  mkdirSync(repo);
  await git(repo, ['init', '--quiet', '--initial-branch=main']);
  expect(await room.check('repository', { cwd: repo })).toMatchObject({
    state: 'ok',
    fact: `${repo}, without a commit yet`,
  });
  const broken = path.join(room.folder, 'broken');
  writeFileSync(broken, '[user\n');
  expect(
    await room.check('repository', { cwd: repo, environment: { GIT_CONFIG_GLOBAL: broken } }),
  ).toMatchObject({ state: 'problem', fact: expect.stringContaining('bad config line 1') });
  const { checks } = await room.json(['--state-home', path.join(repo, 'state')], { cwd: repo });
  expect(checks.find(({ id }) => id === 'repository')).toMatchObject({
    state: 'problem',
    fact: expect.stringContaining('lies in the working tree'),
    do: expect.stringContaining('give a folder elsewhere with --state-home'),
  });
});

it.each<[string[], RegExp]>([
  [['--timeout', '0'], /^prun doctor: --timeout is "0": give whole seconds from 1 to 600\n$/],
  [['now'], /^prun doctor: unexpected argument "now": see prun doctor --help\n$/],
  [['--fix'], /^prun doctor: unknown flag --fix: /],
])('refuses %j', async (flags, said) => {
  const { code, stdout, stderr } = await doctorRoom().run(flags);
  expect(stderr).toMatch(said);
  expect(stdout).toBe('');
  expect(code).toBe(2);
});
