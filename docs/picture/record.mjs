#!/usr/bin/env node
// Records a fan-out in a real terminal: real runs of the built scripts, with the real Codex as worker against the
// tests' loopback stand-in for its API. Writes fan-out.cast (asciicast, version 2) and draws fan-out.svg from it.
//   npm run picture              record and draw (Linux: it needs `script` of util-linux)
//   npm run picture -- --draw    draw again from the recording that is there
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { COLUMNS, castOf, ROWS } from './cast.mjs';
import { drawCast } from './draw.mjs';
import { COMMANDS, makeProject, sceneScript, WORK } from './scene.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');
const castFile = path.join(here, 'fan-out.cast');

if (!process.argv.includes('--draw')) await record();
writeFileSync(path.join(here, 'fan-out.svg'), await drawCast(readFileSync(castFile, 'utf8')));

async function record() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'prun-picture-'));
  const { startCodexServer, writeCodexBin } = await testHelpers(folder);
  const server = await startCodexServer();
  try {
    const home = path.join(folder, 'you');
    const project = path.join(home, 'shop');
    const bin = path.join(folder, 'bin');
    for (const dir of [project, bin]) mkdirSync(dir, { recursive: true });
    symlinkSync(path.join(root, 'skills/prun/scripts/prun.sh'), path.join(bin, 'prun'));
    writeWorkers(bin, (unit, params) =>
      writeCodexBin(bin, { port: server.port, case: 'turns', params, name: `codex-${unit}` }),
    );
    const environment = {
      PATH: `${bin}${path.delimiter}${process.env.PATH}`,
      HOME: home,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      GIT_CONFIG_GLOBAL: os.devNull,
      PS1: '',
      // Nobody looks at a picture for ten minutes.
      PRUN_STALL_THRESHOLD: '3',
    };
    makeProject(project, environment);
    writeFileSync(path.join(folder, 'scene.sh'), sceneScript(COMMANDS));
    const recorded = await runInTerminal(folder, project, environment);
    writeFileSync(
      castFile,
      castOf(recorded, [
        [home, '/home/you'],
        [folder, '/tmp'],
        [root.replace(/\/$/, ''), '/home/you/prun'],
      ]),
    );
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The tests' stand-in is TypeScript: compiled for this moment only. */
async function testHelpers(folder) {
  const outfile = path.join(folder, 'helpers.mjs');
  await build({
    stdin: {
      contents: `export { startCodexServer } from './test/helpers/codex-server.ts'; export { writeCodexBin } from './test/helpers/codex-bin.ts';`,
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    banner: {
      js: `import.meta.url = ${JSON.stringify(pathToFileURL(path.join(root, 'test/helpers/codex-bin.ts')).href)};`,
    },
  });
  return import(pathToFileURL(outfile).href);
}

/** One codex on the PATH, which becomes the worker of the unit in whose clone it stands. */
function writeWorkers(bin, write) {
  for (const [unit, params] of Object.entries(WORK)) write(unit, params);
  const units = Object.keys(WORK);
  writeFileSync(
    path.join(bin, 'codex'),
    `#!/bin/sh
case $(basename "$PWD") in ${units.join('|')}) unit=$(basename "$PWD") ;; *) unit=${units[0]} ;; esac
exec "${bin}/codex-$unit" "$@"
`,
    { mode: 0o755 },
  );
}

/** Runs the scene under `script`, which gives it a terminal and notes when each byte came. */
async function runInTerminal(folder, cwd, env) {
  const [log, timing] = ['log', 'timing'].map((name) => path.join(folder, name));
  const command = `stty cols ${COLUMNS} rows ${ROWS}; exec bash ${path.join(folder, 'scene.sh')}`;
  const child = spawn('script', ['-qefc', command, '-B', log, '-T', timing], { cwd, env, stdio: 'ignore' });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0) throw new Error(`the scene ended with ${code}:\n${readFileSync(log, 'utf8').slice(-2000)}`);
  spawnSync('prun', ['cleanup', '--run', 'shop', '--everything'], { cwd, env });
  return { log: readFileSync(log), timing: readFileSync(timing, 'utf8') };
}
