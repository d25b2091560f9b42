import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codexPaths, writeCodexBin } from '../helpers/codex-bin.ts';
import { type CodexCase, type CodexServer, startCodexServer } from '../helpers/codex-server.ts';
import { processesOf } from '../helpers/process-table.ts';
import { SCRIPTS, scratch } from '../helpers/unit-run.ts';

const PRUN = path.join(SCRIPTS, 'prun.cjs');
const REPORT = 'printf "# x result\\nConclusion: done by codex\\n" >';

/** What the stand-in has the real codex do for each unit; paths are relative to where the unit works. */
const PARTS: Record<string, [CodexCase, Record<string, string>]> = {
  answer: ['shell', { cmd: `${REPORT} "$(cat ../result-file)"` }],
  change: ['shell', { cmd: `echo '// by codex' >> src/titles.mjs; ${REPORT} ../agent-io/r-change.md` }],
  forget: ['plain', { text: 'The last one wins.' }],
  hang: ['long', { cmd: `"${process.execPath}" ../../../never-ends.cjs` }],
  crash: ['h400', {}],
};

let server: CodexServer;
beforeAll(async () => {
  server = await startCodexServer();
});
afterAll(() => server.close());

/** One program for all units: each goes to the real codex with the case of its own. */
function codexForAll(folder: string): string {
  const cases = Object.entries(PARTS).map(([unit, [name, params]]) => {
    const dir = path.join(folder, unit);
    mkdirSync(dir);
    const file = writeCodexBin(dir, { port: server.port, case: name, params });
    return `${unit}-*) exec "${file}" "$@" ;;`;
  });
  const file = path.join(folder, 'codex');
  const script = `#!/bin/sh
[ "$1" = login ] && exit 0
case $PRUN_UNIT in
${cases.join('\n')}
esac
exit 9
`;
  writeFileSync(file, script, { mode: 0o755 });
  return file;
}

it('runs its five units on the real codex', { timeout: 120_000 }, async () => {
  const folder = scratch();
  const temp = scratch();
  const child = spawn(process.execPath, [PRUN, 'demo', '--codex', '--json'], {
    cwd: temp,
    env: { PATH: process.env.PATH ?? '', TMPDIR: temp, CODEX_BIN: codexForAll(folder) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(processesOf({ word: temp })).toEqual([]);
  const report = JSON.parse(stdout);
  expect(report.differences).toEqual([]);
  expect(code).toBe(0);
  expect(readdirSync(temp)).toEqual([]);
  const reasons = report.units.map(({ reason }: { reason: string }) => reason);
  expect(reasons).toEqual(['ok', 'ok', 'no-result', 'idle-stall', 'bad-request']);
  expect(report.units[0]).toMatchObject({
    conclusion: 'done by codex',
    tokens: { input: expect.any(Number) },
  });
  expect(report.patch).toContain('+// by codex');
});

it('says that the real codex is not signed in', () => {
  const temp = scratch();
  const run = spawnSync(process.execPath, [PRUN, 'demo', '--codex'], {
    env: { PATH: process.env.PATH ?? '', HOME: temp, TMPDIR: temp, CODEX_BIN: codexPaths().native },
    encoding: 'utf8',
  });
  expect(run.status).toBe(2);
  expect(run.stderr).toMatch(
    /^prun demo: codex is not signed in \(Not logged in\): run codex login and try again/,
  );
});
