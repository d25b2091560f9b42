// What `prun conflicts` costs: 30 units of 100 changed files each, on a repository of 50,000 files.
//   node test/bench/conflicts-bench.mjs
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = path.resolve(import.meta.dirname, '../../scripts-src');
const UNITS = 30;
const FILES = 100;
/** As scripts-src/workspace/delta/patch-file.ts has it: `prun conflicts` refuses a text that is not its trees' difference. */
const PATCH_DIFF = [
  ...['diff-tree', '-r', '-p', '--binary', '--full-index', '--no-ext-diff', '--no-textconv', '--no-color'],
  ...['-M', '--src-prefix=a/', '--dst-prefix=b/'],
];
/** Seconds for a thousand changed files. */
const BUDGET = 1;

/**
 * Rows for the bench's table: seconds of a whole `prun conflicts`, Node's start included, for a thousand changed
 * files. `disjoint`: no two units share a file. `hot files, clean`: every unit also changes five files of all, each in
 * a place of its own, so that git merges every pair. `hot files, clashing`: all in one place.
 */
export async function conflictsBench({ rounds = 5, files = 50_000 } = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'prun-conflicts-bench-'));
  try {
    const script = path.join(folder, 'conflicts.cjs');
    await build({
      stdin: {
        contents: `import { runMain } from './platform/errors.ts';
          import { conflicts } from './commands/conflicts.ts';
          void runMain('prun conflicts', () => conflicts(process.argv.slice(2)));`,
        resolveDir: source,
      },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      outfile: script,
    });
    const rows = [];
    for (const [what, hot, expected] of [
      ['disjoint', 'none', 0],
      ['hot files, clean', 'apart', 0],
      ['hot files, clashing', 'together', 35],
    ]) {
      const patches = makeSet(path.join(folder, hot), files, hot);
      const times = [];
      for (let i = 0; i < rounds; i++) {
        const from = performance.now();
        const said = spawnSync(process.execPath, [script, ...patches], { encoding: 'utf8' });
        times.push((performance.now() - from) / 1000);
        if (said.status !== expected) throw new Error(`${what}: ${said.status} ${said.stderr}${said.stdout}`);
      }
      const changed = UNITS * (FILES + (hot === 'none' ? 0 : 5));
      const seconds = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
      rows.push({
        what: `conflicts: ${UNITS} units, ${changed} changed files, ${what}`,
        value: seconds / (changed / 1000),
        unit: 's a thousand files',
        budget: BUDGET,
        yardstick: `${seconds.toFixed(2)} s in all, ${files} files in the repository`,
      });
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A set's store with all trees, by one `git fast-import`, and each unit's patch as `prun collect` writes it. */
function makeSet(folder, files, hot) {
  const store = path.join(folder, 'store.git');
  mkdirSync(folder);
  git(folder, ['init', '--quiet', '--bare', '--template=', store]);
  const stream = ['blob\nmark :1\ndata 5\nsame\n\n', blob(2, hotFile(-1, hot))];
  const base = ['commit refs/heads/base\ncommitter b <b@b> 0 +0000\ndata 0\n'];
  for (let n = 0; n < files; n++) base.push(`M 100644 :1 ${fileName(n)}\n`);
  for (let n = 0; n < 5; n++) base.push(`M 100644 :2 hot/h${n}\n`);
  const units = [];
  for (let unit = 0; unit < UNITS; unit++) {
    stream.push(blob(10 + unit * 2, `unit ${unit}\n`), blob(11 + unit * 2, hotFile(unit, hot)));
    units.push(`commit refs/heads/u${unit}\ncommitter b <b@b> 0 +0000\ndata 0\nfrom refs/heads/base\n`);
    for (let n = 0; n < FILES; n++)
      units.push(`M 100644 :${10 + unit * 2} ${fileName((unit * FILES + n) * 16)}\n`);
    if (hot !== 'none') for (let n = 0; n < 5; n++) units.push(`M 100644 :${11 + unit * 2} hot/h${n}\n`);
  }
  git(store, ['fast-import', '--quiet'], [...stream, ...base, '\n', ...units].join(''));
  const tree = (ref) => git(store, ['rev-parse', `${ref}^{tree}`]).trim();
  const baseTree = tree('base');
  return Array.from({ length: UNITS }, (_, unit) => {
    const file = path.join(folder, `u${unit}.patch`);
    const result = tree(`u${unit}`);
    const head = ['prun delta 1', `unit: u${unit}`, 'set: bench', `base: ${baseTree}`, `result: ${result}`];
    const text = git(store, [...PATCH_DIFF, baseTree, result]);
    writeFileSync(file, `${[...head, `store: ${JSON.stringify(store)}`].join('\n')}\n\n${text}`);
    return file;
  });
}

/** 500 files a folder, a hundred folders for 50,000; a unit's changes lie in many of them. */
function fileName(n) {
  return `d${Math.floor(n / 500) % 10}/e${Math.floor(n / 500)}/file-${n}`;
}

/** A file of 400 lines in which a unit has changed one. */
function hotFile(unit, hot) {
  const line = hot === 'together' ? 200 : unit * 12 + 10;
  return Array.from(
    { length: 400 },
    (_, n) => `${unit >= 0 && n === line ? `unit ${unit}` : `line ${n}`}\n`,
  ).join('');
}

function blob(mark, text) {
  return `blob\nmark :${mark}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
}

function git(cwd, argv, input = '') {
  return execFileSync('git', argv, {
    cwd,
    input,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { what, value, unit, budget, yardstick } of await conflictsBench()) {
    process.stdout.write(`${what}: ${value.toFixed(3)} ${unit} (budget ${budget}; ${yardstick})\n`);
  }
}
