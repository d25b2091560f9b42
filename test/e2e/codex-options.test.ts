import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { codexHome, codexPaths, signIn, writeCodexBin } from '../helpers/codex-bin.ts';
import { openCodexRoom } from '../helpers/codex-room.ts';
import type { CodexServer, RequestBody } from '../helpers/codex-server.ts';
import { git } from '../helpers/plain-git.ts';
import { processesOf } from '../helpers/process-table.ts';
import { type RunRoom, runRoom } from '../helpers/run-room.ts';
import { program } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// What a unit can ask of codex, as it arrives at the API, and what keeps a codex from being started.

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
};

type Body = RequestBody & { text?: { format?: { schema?: unknown }; verbosity?: string } };
type Content = { type?: string; image_url?: string };

/** What the API was asked for the first time. */
function asked(server: CodexServer): Body {
  const body = server.requests.find((request) => request.body?.input)?.body;
  if (!body) throw new Error('nothing was asked');
  return body;
}

const images = (body: Body): Content[] =>
  (body.input ?? [])
    .flatMap((item): Content[] => (item.content ?? []) as Content[])
    .filter(({ type }) => type === 'input_image');

const sessions = (folder: string): string[] =>
  existsSync(path.join(codexHome(folder), 'sessions'))
    ? readdirSync(path.join(codexHome(folder), 'sessions'), { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('.jsonl'))
    : [];

const dispatching = openCodexRoom();
const port = (): number => dispatching.server().port;

describe('a codex of dispatch-task', () => {
  it('is given model, settings, images and a schema, and leaves no session where none is wanted', async () => {
    const folder = dispatching.folder();
    writeFileSync(path.join(folder, 'a b.png'), PNG);
    writeFileSync(path.join(folder, 'schema.json'), JSON.stringify(SCHEMA));
    const unit = dispatching.codex('plain', {
      folder,
      params: { text: '{"ok":true}' },
      flags: [
        ...['--model', 'gpt-5.5', '--reasoning-effort', 'low', '--config', 'model_verbosity="high"'],
        ...['--image', 'a b.png', '--image', path.join(folder, 'a b.png'), '--output-schema', 'schema.json'],
        '--ephemeral',
      ],
      cwd: folder,
      environment: { PRUN_STATE_HOME: path.join(folder, 'prun') },
    });
    const { outcome } = await unit.end();
    expect(outcome.exitCode).toBe(0);
    const body = asked(dispatching.server());
    expect(body).toMatchObject({ model: 'gpt-5.5', reasoning: { effort: 'low' } });
    expect(body.text).toMatchObject({ verbosity: 'high', format: { schema: SCHEMA } });
    expect(images(body)).toHaveLength(2);
    expect(images(body)[0]?.image_url).toMatch(/^data:image\/png;base64,/);
    expect(sessions(folder)).toEqual([]);
    // It never asks a program anything before its worker starts.
    expect(existsSync(path.join(folder, 'prun/probes'))).toBe(false);
  });
});

/** The real codex as one without `--ephemeral`, `--ignore-user-config` and `--add-dir`: it ends where it is given them. */
function olderCodex(folder: string): string {
  const real = writeCodexBin(folder, { port: port(), case: 'plain', params: { text: RESULT }, name: 'real' });
  const flags = ['-c', '--config', '-m', '--model', '-s', '--sandbox', '--json', '--skip-git-repo-check'];
  return program(
    folder,
    'codex',
    `case "$*" in
--version) echo 'codex-cli 0.60.0'; exit ;;
"exec --help") printf '  %s\\n' ${flags.filter((flag) => flag.startsWith('--')).join(' ')}; exit ;;
esac
case " $* " in *" --ephemeral "*|*" --ignore-user-config "*|*" --add-dir "*|*" -o "*)
  echo "error: unexpected argument found" >&2; exit 2 ;;
esac
exec '${real}' "$@"`,
  );
}

const RESULT =
  '# u result\nConclusion: done\nFiles: none (read-only)\nOpen items: none\nVerification: none\n';

function place(room: RunRoom, name: string): string {
  const folder = path.join(room.folder, name);
  mkdirSync(folder);
  return folder;
}

describe('an older codex', () => {
  it('works in a run without the flags that it lacks, and what cannot do without them says so', async () => {
    const room = runRoom();
    const codexBin = olderCodex(place(room, 'old'));
    const run = await room.start([
      { id: 'plain', prompt: 'x', codexBin, sandbox: 'workspace-write' },
      { id: 'wish', prompt: 'x', codexBin, ephemeral: true },
    ]);
    const ends = await run.done(60_000);
    expect(ends.get('plain')).toMatchObject({ status: 'succeeded', origin: 'last-message' });
    expect(ends.get('wish')).toMatchObject({
      status: 'failed',
      reason: 'bad-flags',
      detail:
        'codex 0.60.0 has no exec --ephemeral, and nothing is to be kept of its session: update codex (0.171.0 has it), or ask for less',
      stateDir: null,
    });
    const notes = run.events().flatMap((event) => (event.type === 'note' ? [event.text] : []));
    expect(notes).toEqual([expect.stringMatching(/^codex 0\.60\.0 has no --ignore-user-config: /)]);

    // dispatch-task asks nobody, and uses what the run has found.
    const prompt = path.join(room.folder, 'p.md');
    writeFileSync(prompt, 'x');
    const argv = ['--prompt-file', prompt, '--result-file', path.join(room.folder, 'r.md'), '--unit-id', 'd'];
    const said = await dispatching.run('dispatch-task', [...argv, '--codex-bin', codexBin, '--ephemeral'], {
      folder: room.folder,
      environment: { PRUN_STATE_HOME: room.cli.stateHome },
    });
    expect([said.code, said.stdout]).toEqual([2, '']);
    expect(said.stderr).toMatch(/^dispatch-task: codex 0\.60\.0 has no exec --ephemeral, .*\n$/);
  });
});

describe('a codex without a login', () => {
  it('is not started by a run, which says what to do, and goes on when somebody has signed in', async () => {
    const room = runRoom();
    const folder = place(room, 'out');
    const wish = { port: port(), case: 'plain', params: { text: RESULT }, isSignedIn: false } as const;
    const codexBin = writeCodexBin(folder, wish);
    const asks = dispatching.server().requests.length;
    const ids = ['a', 'b', 'c', 'd'];
    const run = await room.start(
      ids.map((id) => ({ id, prompt: 'x', codexBin })),
      { jobs: 2 },
    );
    const end = await run.event('ended', 'a', 1, 30_000);
    expect(end).toMatchObject({ status: 'failed', reason: 'login', stateDir: null });
    expect(end.detail).toMatch(/^codex is not signed in \(Not logged in\): run codex login/);
    const { stdout } = await room.cli.run(['wait', '--run', run.id], { code: 32 });
    expect(stdout).toContain('codex is not signed in (Not logged in): run codex login');
    for (const id of ids) expect(run.attempts(id)).toEqual([]);
    expect(dispatching.server().requests.length).toBe(asks);

    signIn(codexHome(folder));
    await room.cli.run(['resume', '--run', run.id]);
    const ends = await run.done(60_000);
    expect(ids.map((id) => ends.get(id)?.status)).toEqual(ids.map(() => 'succeeded'));
    expect(ids.map((id) => run.attempts(id).length)).toEqual([1, 1, 1, 1]);
  });
});

it('a codex that answers nothing holds up neither a cancel nor the end of the run, and is gone then', async () => {
  const room = runRoom();
  const word = `73${process.pid}`;
  const codexBin = program(place(room, 'hung'), 'codex', `setsid sleep ${word} & sleep ${word}`);
  const run = await room.start([{ id: 'a', prompt: 'x', codexBin }]);
  const hung = () => processesOf({ word: `sleep ${word}` });
  await waitFor('the questions', () => hung().length >= 4);
  const began = performance.now();
  await room.cli.run(['cancel', '--run', run.id], { code: 'any' });
  expect((await run.done()).get('a')).toMatchObject({ status: 'cancelled' });
  // Otherwise each question has ten seconds.
  expect(performance.now() - began).toBeLessThan(6000);
  expect(hung()).toEqual([]);
});

it.skipIf(process.getuid?.() !== 0)('a codex that cannot write its home is not started', async () => {
  const room = runRoom();
  const home = place(room, 'read-only home');
  signIn(home);
  chmodSync(path.join(home, 'auth.json'), 0o644);
  for (const folder of [room.folder, room.cli.home, room.cli.stateHome]) chmodSync(folder, 0o777);
  const wish = { uid: 65534, environment: { CODEX_HOME: home } };
  const run = await room.start([{ id: 'a', prompt: 'x', codexBin: codexPaths().native }], {}, wish);
  const end = await run.event('ended', 'a', 1, 30_000);
  expect(end).toMatchObject({ status: 'failed', reason: 'spawn', stateDir: null });
  expect(end.detail).toBe(
    `codex cannot write its home ${home}: make it writable, or set CODEX_HOME to another one that has its login`,
  );
  await run.done();
});

describe('a store of pnpm', () => {
  const PNPM = 'echo "$pnpm_config_store_dir/v10"';
  // In the system's temp folder a sandbox may always write, and there the tests are.
  const config = [
    'sandbox_workspace_write.exclude_slash_tmp=true',
    'sandbox_workspace_write.exclude_tmpdir_env_var=true',
  ];

  it('is granted to the sandbox of a unit, pinned for its commands, setup and check; a wrong one ends its unit', async () => {
    const room = runRoom();
    const { repository, store } = await repositoryAndStore(room);
    const write = `echo "$npm_config_store_dir $pnpm_config_store_dir" >'${store}/by-worker'; echo x >'${room.folder}/escaped'`;
    const codexBin = writeCodexBin(place(room, 'c'), {
      port: port(),
      case: 'shell',
      params: { cmd: write, text: RESULT },
    });
    const check = (name: string): string => `echo "$pnpm_config_store_dir" >'${room.folder}/${name}'`;
    const wish = { prompt: 'x', mode: 'worktree', codexBin, config };
    const run = await room.start(
      [
        { id: 'a', ...wish, pnpmStore: store, setup: check('setup'), verify: check('verify') },
        { id: 'b', ...wish, pnpmStore: repository },
      ],
      { repo: repository },
      { environment: { PATH: `${path.join(room.folder, 'bin')}:${process.env.PATH}` } },
    );
    const ends = await run.done(60_000);
    expect(ends.get('a')).toMatchObject({ status: 'succeeded' });
    expect(readFileSync(path.join(store, 'by-worker'), 'utf8')).toBe(`${store} ${store}\n`);
    expect(existsSync(path.join(room.folder, 'escaped'))).toBe(false);
    for (const name of ['setup', 'verify']) {
      expect(readFileSync(path.join(room.folder, name), 'utf8')).toBe(`${store}\n`);
    }
    expect(readdirSync(store)).toEqual(['by-worker']);
    expect(ends.get('b')).toMatchObject({ status: 'failed', reason: 'workspace', stateDir: null });
    expect(ends.get('b')?.detail).toMatch(/^pnpm store .* cannot be granted: it lies in the repository/);
  });

  it('of dispatch-task is looked at before anything is started', async () => {
    const room = runRoom();
    const { store } = await repositoryAndStore(room);
    const prompt = path.join(room.folder, 'p.md');
    writeFileSync(prompt, 'x');
    const codexBin = writeCodexBin(place(room, 'c'), {
      port: port(),
      case: 'shell',
      params: { cmd: `echo "$pnpm_config_store_dir" >'${store}/by-worker'` },
    });
    const dispatch = (state: string, PATH: string) =>
      dispatching.run(
        'dispatch-task',
        [
          ...['--prompt-file', prompt, '--result-file', path.join(room.folder, 'out/r.md'), '--unit-id', 'd'],
          ...['--codex-bin', codexBin, '--sandbox', 'workspace-write', '--pnpm-store', store],
          ...config.flatMap((setting) => ['--config', setting]),
        ],
        { folder: room.folder, environment: { TMPDIR: place(room, state), PATH: `${PATH}/usr/bin:/bin` } },
      );
    const none = await dispatch('one', '');
    expect([none.code, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toMatch(
      /^dispatch-task: pnpm store .* cannot be granted: pnpm is not in PATH: .*\n$/,
    );
    expect(readdirSync(path.join(room.folder, 'one'))).toEqual([]);
    const there = await dispatch('two', `${path.join(room.folder, 'bin')}:`);
    expect(there.code, there.stderr).toBe(0);
    expect(readFileSync(path.join(store, 'by-worker'), 'utf8')).toBe(`${store}\n`);
  });

  async function repositoryAndStore(room: RunRoom): Promise<{ repository: string; store: string }> {
    const repository = place(room, 'repository');
    writeFileSync(path.join(repository, 'a.txt'), 'a\n');
    await git(repository, ['init', '-q', '-b', 'main']);
    await git(repository, ['add', '-A']);
    await git(repository, ['commit', '-qm', 'first']);
    program(path.join(room.folder, 'bin'), 'pnpm', PNPM);
    return { repository, store: place(room, 'store') };
  }
});
