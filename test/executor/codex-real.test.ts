import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codex } from '../../scripts-src/executor/codex.ts';
import type { CommandRequest, StderrLine, WorkerFacts } from '../../scripts-src/executor/types.ts';
import { codexHome, writeCodexBin } from '../helpers/codex-bin.ts';
import { type CodexCase, type CodexServer, startCodexServer } from '../helpers/codex-server.ts';

const root = mkdtempSync(join(tmpdir(), 'prun-codex-real-'));
let server: CodexServer;
beforeAll(async () => {
  server = await startCodexServer();
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  facts: WorkerFacts;
  stderr: { kind: StderrLine; line: string }[];
  home: string;
  work: string;
  lastMessage: string;
}

/** Runs the real codex with the command line and environment that the executor builds. */
async function run(
  name: CodexCase,
  params: Record<string, string>,
  change: Partial<CommandRequest> = {},
): Promise<Ended> {
  const dir = mkdtempSync(join(root, `${name}-`));
  const work = join(dir, 'work');
  mkdirSync(work);
  const lastMessageFile = join(dir, 'last-message');
  const { argv, environment } = codex.command({
    binary: writeCodexBin(dir, { port: server.port, case: name, params }),
    marker: 'outer/inner',
    lastMessageFile,
    resultFile: join(dir, 'result.md'),
    unit: 'inner',
    workdir: work,
    promptFile: join(dir, 'prompt'),
    sandbox: 'danger-full-access',
    reasoningEffort: 'xhigh',
    isolate: true,
    environment: process.env,
    passEnv: [],
    ...change,
  });
  const [binary = '', ...args] = argv;
  // Commands run in a login shell: the profile of whoever runs the tests is none of theirs.
  const env = { ...environment, HOME: dir };
  const worker = spawn(binary, args, { cwd: work, env, stdio: ['pipe', 'pipe', 'pipe'] });
  worker.stdin.end('Prompt, byte for byte: \u00e4 "$HOME" \'\n');
  const output = { stdout: '', stderr: '' };
  worker.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  worker.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => worker.on('close', resolve));
  const reader = codex.events();
  for (const line of output.stdout.split('\n').filter(Boolean)) reader.read(line);
  const lines = output.stderr.split('\n').filter(Boolean);
  const stderr = lines.map((line) => ({ kind: codex.classifyStderr(line), line }));
  return {
    code,
    facts: reader.facts(),
    stderr,
    home: codexHome(dir),
    work,
    lastMessage: readFileSync(lastMessageFile, 'utf8'),
  };
}

describe('the real codex, started as the executor says', () => {
  it('answers, and leaves its answer, its session log and its trace', async () => {
    const before = Date.now();
    const { code, facts, stderr, home, lastMessage } = await run('plain', {
      text: 'All is well; "really" ✓',
    });
    expect(code).toBe(0);
    expect(facts).toMatchObject({
      structured: true,
      ended: 'completed',
      lastMessage: 'All is well; "really" ✓',
    });
    expect(lastMessage).toBe('All is well; "really" ✓');
    expect(stderr.filter(({ kind }) => kind === 'trace-progress').length).toBeGreaterThan(3);
    const log = codex.sessionLog(facts.sessionId ?? '', { CODEX_HOME: home }, before);
    expect(statSync(log ?? '').size).toBeGreaterThan(1000);
    const { body } = server.requests.at(-1) ?? {};
    expect(body?.reasoning?.effort).toBe('xhigh');
    expect(JSON.stringify(body?.input)).toContain(
      JSON.stringify('Prompt, byte for byte: ä "$HOME" \'\n').slice(1, -1),
    );
  });

  it('runs commands that see the marker, and neither the trace nor the host', async () => {
    const cmd = 'env > env.txt; tr "\\0" "\\n" < /proc/$$/environ > environ.txt';
    const environment = {
      ...process.env,
      CLAUDECODE: '1',
      ANTHROPIC_API_KEY: 'sk-secret',
      RUST_LOG: undefined,
    };
    const { code, facts, work } = await run('shell', { cmd }, { environment });
    expect(code).toBe(0);
    expect(facts).toMatchObject({ ended: 'completed', openCommands: 0, lastMessage: 'Wrote it.' });
    for (const file of ['env.txt', 'environ.txt']) {
      const seen = readFileSync(join(work, file), 'utf8');
      expect(seen).toContain('PRUN_UNIT=outer/inner\n');
      expect(seen).not.toMatch(/RUST_LOG|CLAUDECODE|sk-secret/);
    }
  });

  it("gives commands the user's own RUST_LOG, with the user's config, too", async () => {
    const environment = { ...process.env, RUST_LOG: 'mine="x"' };
    const { work } = await run('shell', { cmd: 'env > env.txt' }, { environment, isolate: false });
    expect(readFileSync(join(work, 'env.txt'), 'utf8')).toContain('RUST_LOG=mine="x"\n');
  });

  it('tells a usage limit', async () => {
    const { code, facts, stderr } = await run('usage', {});
    expect(code).toBe(1);
    expect(facts).toMatchObject({ ended: 'failed', failure: { reason: 'usage-limit' } });
    const moved = stderr.filter(({ kind }) => kind === 'trace-progress').map(({ line }) => line);
    expect(moved.every((line) => /item\/(?:started|completed)/.test(line))).toBe(true);
  });

  it('knows every setting that it is given', async () => {
    const { stderr, facts } = await run('plain', {}, { sandbox: 'workspace-write', network: true });
    expect(facts.ended).toBe('completed');
    expect(stderr.filter(({ line }) => /unrecognized|ignored/.test(line))).toEqual([]);
  });
});
