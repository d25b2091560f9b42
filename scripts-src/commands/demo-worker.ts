import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomHex } from '../platform/random.ts';

/**
 * The embedded worker of `prun demo`: plays `codex exec --json`. It reads its prompt from stdin, really runs its
 * commands and really edits its files, at a pace that people can follow. It reports no token use, for there is none.
 */
export async function playCodex(argv: readonly string[]): Promise<number> {
  const prompt = readFileSync(0, 'utf8');
  const worker: Worker = {
    project: lineOf(prompt, 'Project'),
    resultFile: lineOf(prompt, 'Result file'),
    command: /^"(.+)" "(.+)"$/m.exec(prompt)?.slice(1, 3),
    lastMessageFile: argv[argv.indexOf('-o') + 1],
    items: 0,
  };
  const play = PARTS[lineOf(prompt, 'Unit')];
  if (!play) throw new Error('this worker only knows the units of prun demo');
  emit({ type: 'thread.started', thread_id: uuid() });
  emit({ type: 'turn.started' });
  await pause(200);
  await play(worker);
  emit({ type: 'turn.completed' });
  return 0;
}

interface Worker {
  project: string;
  resultFile: string;
  command: string[] | undefined;
  lastMessageFile: string | undefined;
  items: number;
}

const PARTS: Readonly<Record<string, (worker: Worker) => Promise<void>>> = {
  answer,
  change,
  forget,
  hang,
  crash,
};

async function answer(worker: Worker): Promise<void> {
  await say(worker, 'I look at what the project exports and at what its tests name.', 900);
  const exported = await run(worker, 'git', ['grep', '-hoE', 'export function [a-z]+', '--', 'src']);
  await pause(900);
  const names = [...exported.output.matchAll(/export function (\w+)/g)].map((match) => match[1] ?? '');
  const patterns = names.flatMap((name) => ['-e', name]);
  const tests = await run(worker, 'git', ['grep', '-how', ...patterns, '--', 'test']);
  await pause(900);
  const untested = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(tests.output));
  const conclusion = `${untested.length} of ${names.length} exported functions has no test: ${untested.join(', ')}`;
  writeResult(worker, 'answer', conclusion, 'none (read-only)', 'git grep over src and test');
  await say(worker, `${conclusion}.`, 400);
}

async function change(worker: Worker): Promise<void> {
  await say(worker, 'First I see the test fail.', 700);
  await run(worker, 'node', ['test/titles.test.mjs']);
  await pause(1200);
  const file = path.join(process.cwd(), 'src', 'titles.mjs');
  const source = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    source.replace(".replace(/[^a-z0-9]/g, '-')", ".replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')"),
  );
  item(worker, 'completed', { type: 'file_change', changes: [{ path: 'src/titles.mjs', kind: 'update' }] });
  await pause(1200);
  const test = await run(worker, 'node', ['test/titles.test.mjs']);
  await pause(700);
  const conclusion = 'slug() joins words with one dash and leaves none at the ends';
  writeResult(worker, 'change', conclusion, 'src/titles.mjs', `node test/titles.test.mjs: exit ${test.code}`);
  await say(worker, `${conclusion}.`, 400);
}

async function forget(worker: Worker): Promise<void> {
  await say(worker, 'No command is needed for this.', 2200);
  await say(worker, 'The one that writes last wins, and nobody learns what the other one had written.', 300);
}

/** Deaf to requests, so that it has to be killed, and everything below it with it. */
async function hang(worker: Worker): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  await say(worker, 'I start it and wait until it ends.', 300);
  const [file = '', script = ''] = worker.command ?? [];
  await run(worker, file, [script]);
}

async function crash(worker: Worker): Promise<void> {
  await pause(800);
  await run(worker, 'git', ['ls-files']);
  await pause(600);
  throw new Error('the demo worker crashes here, as it was meant to');
}

interface CommandEnd {
  code: number;
  output: string;
}

/** Runs a command in the project and tells of it as codex does: at its start, and at its end with its output. */
async function run(worker: Worker, file: string, argv: string[]): Promise<CommandEnd> {
  const id = `item_${worker.items++}`;
  const command = [file, ...argv]
    .map((word) => (path.isAbsolute(word) ? path.basename(word) : word))
    .join(' ');
  emit({ type: 'item.started', item: { id, type: 'command_execution', command, status: 'in_progress' } });
  const end = await runToEnd(
    file === 'node' ? process.execPath : file,
    argv,
    worker.project || process.cwd(),
  );
  await pause(400);
  const status = end.code === 0 ? 'completed' : 'failed';
  const said = { aggregated_output: end.output, exit_code: end.code, status };
  emit({ type: 'item.completed', item: { id, type: 'command_execution', command, ...said } });
  return end;
}

function runToEnd(file: string, argv: string[], cwd: string): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, argv, { cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

async function say(worker: Worker, text: string, thenMs: number): Promise<void> {
  item(worker, 'completed', { type: 'agent_message', text });
  // As codex does at its end; here after each message, because the last one cannot be told from the others.
  if (worker.lastMessageFile) writeFileSync(worker.lastMessageFile, text);
  await pause(thenMs);
}

function writeResult(
  worker: Worker,
  unit: string,
  conclusion: string,
  files: string,
  verification: string,
): void {
  const lines = [
    `# ${unit} result`,
    `Conclusion: ${conclusion}`,
    `Files: ${files}`,
    'Open items: none',
    `Verification: ${verification}`,
  ];
  writeFileSync(worker.resultFile, `${lines.join('\n')}\n`);
}

function item(worker: Worker, phase: string, fields: Record<string, unknown>): void {
  emit({ type: `item.${phase}`, item: { id: `item_${worker.items++}`, ...fields } });
}

function emit(event: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

function lineOf(prompt: string, name: string): string {
  return new RegExp(`^${name}: (.+)$`, 'm').exec(prompt)?.[1] ?? '';
}

function uuid(): string {
  const hex = randomHex(32);
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
