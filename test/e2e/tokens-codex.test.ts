import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codexHome, writeCodexBin } from '../helpers/codex-bin.ts';
import { type CodexServer, startCodexServer } from '../helpers/codex-server.ts';
import { scriptsFolder } from '../helpers/prun-cli.ts';
import { openRoom } from '../helpers/room.ts';
import { supervisorGone } from '../helpers/run-over.ts';
import { runRoom } from '../helpers/run-room.ts';
import { killSupervisors, statusOf } from '../helpers/supervisor-kill.ts';
import { program } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

let server: CodexServer | undefined;
beforeAll(async () => {
  server = await startCodexServer();
});
afterAll(() => server?.close());
const room = openRoom();

/** What the stand-in says of each response. */
const ONE = { input: 100, cachedInput: 40, output: 20, reasoningOutput: 5 };
const oneJson = { total: 120, ...ONE };

it.each(['reaped', 'killed with its dispatcher'])(
  'a real codex that is %s before it could tell its tokens has them in its rollout file',
  async (how) => {
    const folder = room.folder();
    const params = { cmd: 'echo started; sleep 600' };
    const codexBin = writeCodexBin(folder, { port: server?.port ?? 0, case: 'long', params });
    const unit = room.dispatch({
      ...{ folder, codexBin, script: path.join(scriptsFolder(), 'dispatch-task.cjs') },
      flags: how === 'reaped' ? ['--timeout', '4'] : [],
      environment: { CODEX_HOME: codexHome(folder) },
    });
    if (how !== 'reaped') {
      const tail = path.join(await unit.stateDir(), 'tail');
      await waitFor('the command', () => readFileSync(tail, 'utf8').includes('"item.started"'), 20_000);
      unit.child.kill('SIGKILL');
    }
    const { outcome } = await unit.outcome(30_000);
    expect(outcome).toMatchObject({
      status: how === 'reaped' ? 'failed' : 'interrupted',
      reason: how === 'reaped' ? 'hard-timeout' : 'dispatch-dead',
      tokens: ONE,
      threadTokens: ONE,
    });
  },
);

it('attempts, units and a run have their tokens in the events, the ledger, status and wait', async () => {
  const runs = runRoom();
  const folder = path.join(runs.folder, 'codex');
  mkdirSync(folder);
  const result =
    '# api result\nConclusion: done\nFiles: none (read-only)\nOpen items: none\nVerification: none\n';
  const params = { cmd1: 'sleep 600', text2: result };
  const codexBin = writeCodexBin(folder, { port: server?.port ?? 0, case: 'turns', params });
  const small = program(
    runs.folder,
    'small',
    `cat >/dev/null
echo '{"type":"thread.started","thread_id":"small"}'
echo '{"type":"item.completed","item":{"type":"agent_message","text":${JSON.stringify(JSON.stringify(result)).slice(1, -1).replaceAll('\\"', '"')}}}'
echo '{"type":"turn.completed","usage":{"input_tokens":7,"cached_input_tokens":1,"output_tokens":3,"reasoning_output_tokens":2}}'`,
  );
  const manifest = path.join(runs.folder, 'used.json');
  const units = [
    { id: 'api', prompt: 'Do it.', codexBin, timeout: 4 },
    { id: 'small', prompt: 'Say it.', codexBin: small },
    { id: 'sh', prompt: 'Run it.', executor: 'command', argv: ['echo', 'fine'] },
  ];
  writeFileSync(manifest, JSON.stringify({ units }));
  const environment = { CODEX_HOME: codexHome(folder) };
  await runs.cli.run(['run', manifest, '--run', 'used'], { environment });
  const run = runs.open('used');
  await run.event('ended', 'api', 1, 60_000);
  await supervisorGone(run);
  await runs.cli.run(['resume', '--run', 'used', '--unit', 'api'], { environment });
  await supervisorGone(run);

  const ends = run.events().flatMap((event) => (event.type === 'ended' ? [event] : []));
  expect(ends.filter(({ unit }) => unit === 'api')).toMatchObject([
    { attempt: 1, reason: 'hard-timeout', tokens: 120, tokenCounts: ONE },
    { attempt: 2, reason: 'ok', tokens: 120, tokenCounts: ONE },
  ]);
  expect(run.attempts('api')[1]?.outcome?.threadTokens).toEqual({
    ...{ input: 200, cachedInput: 80, output: 40, reasoningOutput: 10 },
  });

  const ledger = readFileSync(path.join(run.folder, 'agent-io/ledger.md'), 'utf8');
  expect(ledger).toContain('- Tokens: 250 (207 in, 81 of it cached; 43 out, 12 of it reasoning)\n');
  expect(ledger).toMatch(/^\| api \|.*\| 240 \|/m);

  const { stdout } = await runs.cli.run(['status', '--run', 'used', '--json']);
  const status = JSON.parse(stdout) as { tokens: unknown; units: { id: string; tokens: unknown }[] };
  const sum = { input: 207, cachedInput: 81, output: 43, reasoningOutput: 12 };
  expect(status.tokens).toEqual({ total: 250, ...sum });
  expect(Object.fromEntries(status.units.map(({ id, tokens }) => [id, tokens]))).toMatchObject({
    api: { attempt: oneJson, unit: { total: 240, input: 200, output: 40 } },
    small: { attempt: { total: 10 }, unit: { total: 10 } },
    sh: { attempt: null, unit: null },
  });
  const plain = await runs.cli.run(['status', '--run', 'used']);
  expect(plain.stdout).toMatch(/^RUN used done .* tokens=250$/m);
  expect(plain.stdout).toMatch(/^UNIT api succeeded\(ok\) after [\d.]+ ?\w+, 240 tokens: done /m);
  const wait = await runs.cli.run(['wait', '--run', 'used'], { code: 'any' });
  expect(wait.stdout).toMatch(/^WAIT-EVENT all-done run=used .* tokens=250$/m);
}, 120_000);

it('a supervisor that takes over knows the form that was asked for, and the tokens', async () => {
  const runs = runRoom();
  const go = path.join(runs.folder, 'go');
  const said = { status: 'DONE', summary: 'It is done.', files_changed: [], tests: [], concerns: [] };
  const message = JSON.stringify({
    type: 'item.completed',
    item: { type: 'agent_message', text: JSON.stringify(said) },
  });
  const codexBin = program(
    runs.folder,
    'codex',
    `case " $* " in *' exec '*) ;; *) exit 2 ;; esac
cat >/dev/null
echo '{"type":"thread.started","thread_id":"t"}'
until [ -e '${go}' ]; do sleep 0.05; done
echo '${message}'
echo '{"type":"turn.completed","usage":{"input_tokens":7,"cached_input_tokens":1,"output_tokens":3}}'`,
  );
  const run = await runs.start([{ id: 'api', codexBin, structured: true }]);
  await run.event('running', 'api');
  await killSupervisors(run);
  await statusOf(runs, run);
  writeFileSync(go, '');
  const ends = await run.done();
  expect(ends.get('api')).toMatchObject({ status: 'succeeded', origin: 'last-message', tokens: 10 });
  expect(run.attempts('api')[0]?.outcome).toMatchObject({ structured: said, supervisor: 'run' });
  expect(run.result('api')).toContain('\nConclusion: It is done.\n');
}, 60_000);
