import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCodexBin } from '../helpers/codex-bin.ts';
import { type CodexCase, type CodexServer, startCodexServer } from '../helpers/codex-server.ts';
import { smallRepository } from '../helpers/plain-git.ts';
import { scriptsFolder } from '../helpers/prun-cli.ts';
import { openRoom } from '../helpers/room.ts';
import { type RunRoom, runRoom } from '../helpers/run-room.ts';

// Units of the real codex whose last message was asked for in a form, against a loopback stand-in for its API.

let server: CodexServer | undefined;
beforeAll(async () => {
  server = await startCodexServer();
});
afterAll(() => server?.close());
const room = openRoom();

const said = (more: Record<string, unknown> = {}) =>
  JSON.stringify({
    status: 'DONE',
    summary: 'It is done.',
    files_changed: [],
    tests: [],
    concerns: [],
    ...more,
  });

function codexUnit(runs: RunRoom, id: string, name: CodexCase, params: Record<string, string>) {
  const folder = path.join(runs.folder, `codex of ${id}`);
  mkdirSync(folder, { recursive: true });
  const codexBin = writeCodexBin(folder, { port: server?.port ?? 0, case: name, params });
  return { id, prompt: `Task of ${id}.\n`, codexBin };
}

/** The format that the last request of a case asked the model for. */
function formatAsked(parameter: string): unknown {
  const request = server?.requests.findLast(({ url }) => decodeURIComponent(url).includes(parameter));
  return (request?.body as { text?: { format?: unknown } } | undefined)?.text?.format;
}

it('a run of structured units: what each last message is worth', async () => {
  const runs = runRoom();
  const repo = await smallRepository(runs.folder);
  const results = path.join(runs.cli.stateHome, 'runs/forms/agent-io/results');
  const contract =
    '# wrote result\nConclusion: by hand\nFiles: none (read-only)\nOpen items: docs\nVerification: none\n';
  const write = `printf '%s' '${contract}' >'${results}/wrote.md'`;
  const inClone = { mode: 'clone' };
  const units = [
    codexUnit(runs, 'good', 'plain', { text: said({ concerns: ['slow'], status: 'DONE_WITH_CONCERNS' }) }),
    codexUnit(runs, 'fenced', 'plain', { text: `\`\`\`json\n${said()}\n\`\`\`` }),
    codexUnit(runs, 'chats', 'plain', { text: 'All good.' }),
    codexUnit(runs, 'wrong', 'plain', { text: said({ tests: [{ command: 'x' }] }) }),
    codexUnit(runs, 'blocked', 'plain', { text: said({ status: 'BLOCKED', summary: 'No database here.' }) }),
    {
      ...codexUnit(runs, 'asks', 'plain', { text: said({ status: 'NEEDS_CONTEXT', summary: 'Which one?' }) }),
      retries: 2,
    },
    codexUnit(runs, 'wrote', 'shell', { cmd: write, text: 'I wrote it.' }),
    { ...codexUnit(runs, 'patches', 'patch', { text: said({ files_changed: ['added.txt'] }) }), ...inClone },
    {
      ...codexUnit(runs, 'lies', 'patch', { text: said({ files_changed: ['added.txt', 'src/more.ts'] }) }),
      ...inClone,
    },
    { ...codexUnit(runs, 'hides', 'patch', { text: said() }), ...inClone },
  ];
  const manifest = path.join(runs.folder, 'forms.json');
  const withForm = units.map((unit) => ({ ...unit, structured: true }));
  writeFileSync(manifest, JSON.stringify({ jobs: 5, repo, units: withForm }));
  await runs.cli.run(['run', manifest, '--run', 'forms']);
  const run = runs.open('forms');
  const ends = await run.done(120_000);

  const ended = Object.fromEntries(
    [...ends].map(([id, { status, reason, attempt }]) => [id, [status, reason, attempt]]),
  );
  expect(ended).toEqual({
    good: ['succeeded', 'ok', 1],
    fenced: ['succeeded', 'ok', 1],
    chats: ['failed', 'schema', 1],
    wrong: ['failed', 'schema', 1],
    blocked: ['failed', 'worker-blocked', 1],
    asks: ['failed', 'needs-context', 1],
    wrote: ['succeeded', 'ok', 1],
    patches: ['succeeded', 'ok', 1],
    lies: ['failed', 'claim-mismatch', 1],
    hides: ['failed', 'claim-mismatch', 1],
  });
  expect(ends.get('wrong')?.detail).toBe(
    'the last message is no structured result: at tests.0.result: it is missing',
  );
  expect(ends.get('asks')?.detail).toBe('Which one?');
  expect(ends.get('lies')?.detail).toContain('src/more.ts');

  expect(run.result('good')).toBe(
    '# good result\nConclusion: It is done.\nFiles: none (read-only)\nOpen items: slow\nVerification: none\n\nStatus: DONE_WITH_CONCERNS\n',
  );
  expect(run.result('blocked')).toContain('\nConclusion: No database here.\n');
  expect(run.result('chats')).toMatch(/^# chats result \(FALLBACK, /);
  expect(run.result('wrote')).toBe(contract);

  const [good] = run.attempts('good');
  expect(good?.record.structured).toBe(true);
  expect(good?.outcome).toMatchObject({
    result: { origin: 'last-message' },
    structured: { status: 'DONE_WITH_CONCERNS', summary: 'It is done.', concerns: ['slow'] },
  });
  const prompt = readFileSync(path.join(good?.stateDir ?? '', 'prompt'), 'utf8');
  expect(prompt).toContain('Your last message is your result: one JSON object');
  expect(prompt).not.toContain(`${results}/good.md`);
  expect(JSON.parse(readFileSync(path.join(good?.stateDir ?? '', 'structured.json'), 'utf8'))).toMatchObject({
    concerns: ['slow'],
  });
  const [wrote] = run.attempts('wrote');
  expect(wrote?.outcome).toMatchObject({
    result: { origin: 'worker' },
    structured: { status: 'DONE_WITH_CONCERNS', summary: 'by hand', concerns: ['docs'] },
  });
  expect(run.attempts('chats')[0]?.outcome?.structured).toBeNull();

  expect(formatAsked('slow')).toMatchObject({
    type: 'json_schema',
    strict: true,
    schema: {
      required: ['status', 'summary', 'files_changed', 'tests', 'concerns'],
      additionalProperties: false,
    },
  });

  const wait = await runs.cli.run(['wait', '--run', 'forms'], { code: 30 });
  expect(wait.stdout).toContain('UNIT asks failed(needs-context) Which one?');
  expect(wait.stdout).toContain('UNIT good succeeded(ok) It is done.');
}, 180_000);

it('units with schemas of their own: the JSON is the result, or the attempt has failed for it', async () => {
  const runs = runRoom();
  const schema = path.join(runs.folder, 'answer.json');
  writeFileSync(
    schema,
    JSON.stringify({
      type: 'object',
      properties: { answer: { type: 'integer' } },
      required: ['answer'],
      additionalProperties: false,
    }),
  );
  const units = [
    codexUnit(runs, 'holds', 'plain', { text: '{"answer": 42}' }),
    codexUnit(runs, 'breaks', 'plain', { text: '{"answer": "42"}' }),
    // Such an answer claims nothing of its files.
    { ...codexUnit(runs, 'edits', 'patch', { text: '{"answer": 1}' }), mode: 'clone' },
  ];
  const repo = await smallRepository(runs.folder);
  const manifest = path.join(runs.folder, 'own.json');
  writeFileSync(
    manifest,
    JSON.stringify({ repo, units: units.map((unit) => ({ ...unit, outputSchema: schema })) }),
  );
  const afar = path.join(runs.folder, 'afar.json');
  writeFileSync(afar, '{"properties": {"a": {"$ref": "https://example.com/a"}}}');
  const refused = path.join(runs.folder, 'refused.json');
  writeFileSync(refused, JSON.stringify({ units: [{ ...units[0], outputSchema: afar }] }));
  expect((await runs.cli.run(['run', refused], { code: 2 })).stderr).toContain(
    `${afar} cannot be used (its $ref "https://example.com/a" is not in the file): put it right`,
  );

  await runs.cli.run(['run', manifest, '--run', 'own']);
  const run = runs.open('own');
  const ends = await run.done(60_000);
  expect(ends.get('holds')).toMatchObject({ status: 'succeeded', origin: 'last-message' });
  expect(ends.get('edits')).toMatchObject({ status: 'succeeded', origin: 'last-message' });
  expect(run.attempts('edits')[0]?.outcome).toMatchObject({ delta: { files: 1 }, claims: null });
  expect(ends.get('breaks')).toMatchObject({ status: 'failed', reason: 'schema' });
  expect(ends.get('breaks')?.detail).toContain(`does not hold ${schema}: at answer: `);
  expect(run.result('holds')).toContain('\n```json\n{"answer": 42}\n```\n');
  const [holds] = run.attempts('holds');
  expect(readFileSync(path.join(holds?.stateDir ?? '', 'structured.json'), 'utf8')).toBe('{"answer": 42}\n');
  expect(holds?.outcome?.structured).toBeNull();
  expect(formatAsked('"answer": 42')).toMatchObject({ schema: JSON.parse(readFileSync(schema, 'utf8')) });
}, 120_000);

describe('dispatch-task with --structured', () => {
  const script = path.join(scriptsFolder(), 'dispatch-task.cjs');
  const dispatched = (text: string) => {
    const folder = room.folder();
    const codexBin = writeCodexBin(folder, { port: server?.port ?? 0, case: 'plain', params: { text } });
    return room.dispatch({ folder, codexBin, script, flags: ['--structured'] }).end(60_000);
  };

  it('takes the structured last message as the result, although it takes no other one', async () => {
    const end = await dispatched(said());
    expect(end.outcome).toMatchObject({
      ...{ status: 'succeeded', reason: 'ok' },
      ...{ result: { origin: 'last-message' }, structured: { status: 'DONE' } },
    });
    expect(end.code).toBe(0);
    expect(end.result).toMatch(/^# unit result\nConclusion: It is done\.\n/);
    expect(existsSync(path.join(end.stateDir, 'output-schema.json'))).toBe(true);
  });

  it('says what is wrong with another one, and keeps it', async () => {
    const end = await dispatched('Nothing to report.');
    expect(end.outcome).toMatchObject({ status: 'failed', reason: 'schema', structured: null });
    expect(end.stderr).toContain('dispatch-task: the last message is no structured result: it is no JSON');
    expect(end.result).toMatch(/FALLBACK[\s\S]*Nothing to report\./);
    expect(end.code).toBe(0);
  });
});
