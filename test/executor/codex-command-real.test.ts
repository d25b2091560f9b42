import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codexCommand } from '../../scripts-src/executor/codex-command.ts';
import type { CommandRequest } from '../../scripts-src/executor/types.ts';
import { writeCodexBin } from '../helpers/codex-bin.ts';
import { type CodexServer, type RequestBody, startCodexServer } from '../helpers/codex-server.ts';
import { scratch } from '../helpers/unit-run.ts';

// Command lines of prun's, run by the real codex against a loopback stand-in for its API.

let server: CodexServer | undefined;
beforeAll(async () => {
  server = await startCodexServer();
});
afterAll(() => server?.close());

interface Ended {
  code: number | null;
  threadId: string | undefined;
  stderr: string;
  /** What the API was asked for by this call, in order. */
  bodies: RequestBody[];
}

async function run(request: CommandRequest, prompt: string): Promise<Ended> {
  const before = server?.requests.length ?? 0;
  const { argv, environment } = codexCommand(request);
  const [file = '', ...words] = argv;
  const child = spawn(file, words, { cwd: request.workdir, env: environment });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  child.stdin.end(prompt);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    code,
    threadId: /"thread_id":"([^"]+)"/.exec(said.stdout)?.[1],
    stderr: said.stderr,
    bodies: (server?.requests ?? []).slice(before).flatMap(({ body }) => (body?.input ? [body] : [])),
  };
}

function requestIn(folder: string, params: Record<string, string>): CommandRequest {
  const workdir = path.join(folder, 'work');
  const results = path.join(folder, 'results');
  for (const place of [workdir, results]) mkdirSync(place);
  return {
    binary: writeCodexBin(folder, { port: server?.port ?? 0, case: 'turns', params, native: true }),
    marker: 'u-1',
    lastMessageFile: path.join(folder, 'last-message'),
    resultFile: path.join(results, 'u.md'),
    sandbox: 'workspace-write',
    isolate: true,
    environment: { PATH: process.env.PATH, HOME: folder },
    passEnv: [],
    unit: 'u',
    workdir,
    promptFile: '',
    options: {
      // The tests are in the temp folder, where a sandbox may always write otherwise.
      config: [
        'sandbox_workspace_write.exclude_slash_tmp=true',
        'sandbox_workspace_write.exclude_tmpdir_env_var=true',
      ],
    },
  };
}

const format = (body: RequestBody | undefined): unknown =>
  (body as { text?: { format?: { schema?: unknown } } } | undefined)?.text?.format?.schema;

it('a session goes on with the sandbox, folders, model and schema that it is given anew', async () => {
  const folder = scratch('prun codex');
  const write = (name: string): string => `echo x >'${path.join(folder, name)}'`;
  const request = requestIn(folder, {
    mark: 'TASK',
    text1: 'first',
    cmd2: [write('work/inside'), write('results/granted'), write('outside')].join('; '),
    text2: '{}',
  });
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  writeFileSync(path.join(folder, 'schema.json'), JSON.stringify(schema));
  const first = await run(request, 'TASK one');
  expect(first.code, first.stderr).toBe(0);
  const second = await run(
    {
      ...request,
      model: 'gpt-5.5',
      reasoningEffort: 'low',
      resume: first.threadId,
      options: {
        ...request.options,
        outputSchema: path.join(folder, 'schema.json'),
        images: [path.join(folder, 'gone.png')],
      },
    },
    'TASK two',
  );
  expect(second.code, second.stderr).toBe(0);
  expect(second.threadId).toBe(first.threadId);
  // With another model codex first has the old one sum the thread up.
  const asked = second.bodies.at(-1);
  expect(asked).toMatchObject({ model: 'gpt-5.5', reasoning: { effort: 'low' } });
  expect(format(asked)).toEqual(schema);
  const there = ['work/inside', 'results/granted', 'outside'].map((name) =>
    existsSync(path.join(folder, name)),
  );
  expect(there).toEqual([true, true, false]);
});

it("what a unit sets goes before prun's own defaults, but not before its marks", async () => {
  const folder = scratch('prun codex');
  const request = requestIn(folder, {
    mark: 'TASK',
    cmd1: `env >'${path.join(folder, 'results/env')}'`,
  });
  const config = [
    ...(request.options?.config ?? []),
    'model_reasoning_effort="minimal"',
    'shell_environment_policy.set.PRUN_UNIT="mine"',
    'shell_environment_policy.set.OWN="yes"',
    'shell_environment_policy.exclude=["HIDDEN"]',
  ];
  const ended = await run(
    {
      ...request,
      reasoningEffort: 'xhigh',
      environment: { ...request.environment, HIDDEN: '1' },
      options: { config },
    },
    'TASK one',
  );
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.bodies[0]?.reasoning?.effort).toBe('minimal');
  const seen = readFileSync(path.join(folder, 'results/env'), 'utf8').split('\n');
  expect(seen).toEqual(expect.arrayContaining(['PRUN_UNIT=u-1', 'OWN=yes']));
  expect(seen.filter((line) => /^HIDDEN=|codex_app_server/.test(line))).toEqual([]);
});

it('codex takes a comma in the name of an image for two files, and says nothing of one that is not there', async () => {
  const folder = scratch('prun codex');
  const request = requestIn(folder, { mark: 'TASK' });
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  );
  for (const name of ['a,b.png', 'c.png']) writeFileSync(path.join(folder, name), png);
  const images = ['a,b.png', 'c.png'].map((name) => path.join(folder, name));
  const ended = await run({ ...request, options: { images } }, 'TASK one');
  const shown = (ended.bodies[0]?.input ?? []).flatMap((item) => item.content ?? []);
  expect(shown.filter((part) => (part as { type?: string }).type === 'input_image')).toHaveLength(1);
});
