import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openClaudeRoom } from '../helpers/claude-room.ts';
import { writeCodexBin } from '../helpers/codex-bin.ts';
import { openCodexRoom } from '../helpers/codex-room.ts';
import { type CodexServer, startCodexServer } from '../helpers/codex-server.ts';
import { copyFolder, copyRepository, type HostPlace, hostPlaces } from '../helpers/host-room.ts';
import { DESCRIPTION } from '../helpers/host-way.ts';
import { SCRIPTS } from '../helpers/unit-run.ts';

// prun as a skill of Codex: known, never offered, and refused to who is a worker already. The real codex and claude.

const newPlace = hostPlaces();
const codexes = openCodexRoom();
const claudes = openClaudeRoom();
let server: CodexServer;
beforeAll(async () => {
  server = await startCodexServer();
});
afterAll(() => server.close());

const FOLDER = '.agents/skills/prun';

/** All text that codex sends to its model when it is asked this. */
async function sent({ bin, project, run }: HostPlace, prompt: string): Promise<string> {
  mkdirSync(bin, { recursive: true });
  const codex = writeCodexBin(bin, { port: server.port, case: 'plain' });
  const from = server.requests.length;
  const { code, stderr } = await run(codex, ['exec', '--skip-git-repo-check', '-C', project, prompt]);
  expect(code, stderr).toBe(0);
  const items = server.requests.slice(from).flatMap(({ body }) => body?.input ?? []);
  return items
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .map(({ text }) => text ?? '')
    .join('\n');
}

/** How codex begins the line of a skill that it offers to the model. */
const offered = (text: string): string[] =>
  [...text.matchAll(/^- (\S+): (.*)$/gm)]
    .filter(([, , said]) => said?.startsWith(DESCRIPTION.slice(0, 60)))
    .map(([, name]) => name ?? '');

it.each([
  { what: 'the folder', names: ['prun:prun'], install: async (to: string) => copyFolder(to) },
  { what: 'the whole repository', names: ['prun', 'prun:prun'], install: copyRepository },
])('$what in .agents/skills is known to codex and not offered to its model', async ({ names, install }) => {
  const place = await newPlace();
  const folder = path.join(place.project, FOLDER);
  await install(folder);
  expect(offered(await sent(place, 'Split this among many workers.'))).toEqual([]);
  for (const name of names) {
    const text = await sent(place, `Use $${name} for this.`);
    expect(text).toContain(`<skill>\n<name>${name}</name>\n<path>${folder}/`);
    expect(offered(text)).toEqual([]);
  }
  // It is the settings beside each SKILL.md that keep it out.
  for (const inner of ['', 'skills/prun']) {
    rmSync(path.join(folder, inner, 'agents'), { recursive: true, force: true });
  }
  expect(offered(await sent(place, 'Split this among many workers.')).sort()).toEqual(names);
});

/** What a worker that takes itself for a coordinator tries. */
function attempts(out: string): string {
  const unit = 'dispatch-task.cjs --prompt-file p.md --result-file r.md --unit-id u';
  const tries = ['prun.cjs run many.json', 'prun.cjs start --run many', 'prun.cjs demo', unit];
  return tries
    .map((words) => `node '${SCRIPTS}'/${words} </dev/null >>'${out}' 2>&1; echo "$?" >>'${out}'`)
    .join('; ');
}

/** Each was refused with what to do instead. */
function expectRefused(out: string): void {
  const lines = readFileSync(out, 'utf8').trim().split('\n');
  const refusal =
    /^(?:prun \w+|dispatch-task): this is a worker of unit \S+, and a worker must not start prun again: (?:do the work here|run the demo)/;
  expect(lines).toEqual(Array.from({ length: 4 }, () => [expect.stringMatching(refusal), '2']).flat());
}

it.each([
  [
    'codex',
    codexes.folder,
    (folder: string, cmd: string) => codexes.codex('shell', { folder, params: { cmd } }),
  ],
  [
    'claude',
    claudes.folder,
    (folder: string, cmd: string) => claudes.claude('shell', { folder, params: { cmd } }),
  ],
])('a worker on %s that starts prun is refused', async (_, newFolder, work) => {
  const folder = newFolder();
  const out = path.join(folder, 'said');
  const { outcome } = await work(folder, attempts(out)).end();
  expect(outcome.reason).toBe('no-result');
  expectRefused(out);
});
