#!/usr/bin/env node
// What workspaces cost beside the plain recipes, on a repository of many small files and on one with a long history:
//   node test/bench/workspaces-bench.mjs            50,000 files, 20 clones, 1 GB of history
//   node test/bench/workspaces-bench.mjs --short    5,000 files, 6 clones, 60 MB
// --prun FILE takes another prun.cjs, --rounds N another number of rounds, --only files|history one of the two.
import { spawnSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import {
  appendFileSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const MIB = 2 ** 20;
const SIZES = {
  short: { files: 5000, clones: 6, historyMiB: 60, rounds: 3 },
  whole: { files: 50_000, clones: 20, historyMiB: 1024, rounds: 3 },
};

/**
 * Measures and gives rows `{ what, value, unit, budget, yardstick }`; `budget` is an upper bound in the same unit.
 * Everything is made below a temporary folder, which goes.
 */
export async function workspacesBench(options = {}) {
  const size = {
    ...(options.short ? SIZES.short : SIZES.whole),
    ...(options.rounds ? { rounds: options.rounds } : {}),
  };
  const prun = options.prun ?? path.resolve(import.meta.dirname, '../../skills/prun/scripts/prun.cjs');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'prun-workspaces-bench-'));
  const place = {
    folder,
    prun,
    size,
    short: Boolean(options.short),
    environment: cleanEnvironment(folder),
    reflinks: hasReflinks(folder),
  };
  const rows = [];
  try {
    if (options.only !== 'history') {
      const repo = manyFiles(place);
      rows.push(...compareClones(place, repo, `${size.files.toLocaleString('en')} files`));
      rows.push(...compareCollect(place, repo));
    }
    if (options.only !== 'files') {
      const repo = longHistory(place);
      rows.push(...compareClones(place, repo, `${size.historyMiB} MiB of history`));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return rows;
}

/** Nothing of the developer: no settings of prun or git, no home, no certificates that slow Node's start. */
function cleanEnvironment(folder) {
  const home = path.join(folder, 'home');
  mkdirSync(home);
  return {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: folder,
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: os.devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'bench',
    GIT_AUTHOR_EMAIL: 'bench@localhost',
    GIT_COMMITTER_NAME: 'bench',
    GIT_COMMITTER_EMAIL: 'bench@localhost',
    PRUN_STATE_HOME: path.join(folder, 'state'),
    PRUN_PORTS_HOME: path.join(folder, 'ports'),
    ...(process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {}),
  };
}

function hasReflinks(folder) {
  const file = path.join(folder, 'probe');
  writeFileSync(file, 'probe');
  try {
    copyFileSync(file, `${file}-2`, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    // This file system, or this system, has none.
    return false;
  }
}

/** Small files, twenty to a folder, a commit. */
function manyFiles(place) {
  const repo = path.join(place.folder, 'files');
  for (let n = 0; n < place.size.files; n++) {
    const sub = Math.floor(n / 20);
    const file = path.join(repo, `area${sub % 50}`, `part${sub}`, `file${n}.ts`);
    if (n % 20 === 0) mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `export const value${n} = ${n};\n${'// text\n'.repeat((n * 37) % 120)}`);
  }
  commitAll(place, repo);
  // As a repository that has been cloned: one pack.
  run(place, repo, 'git', ['repack', '-adq']);
  return repo;
}

/** Blobs that do not compress, over several commits; the tree at the end is small. */
function longHistory(place) {
  const repo = path.join(place.folder, 'history');
  mkdirSync(repo, { recursive: true });
  const block = Buffer.allocUnsafe(4 * MIB);
  const commits = 8;
  for (let n = 0; n < commits; n++) {
    const blob = path.join(repo, 'data.bin');
    writeFileSync(blob, '');
    for (let done = 0; done < place.size.historyMiB / commits; done += 4)
      appendFileSync(blob, randomFillSync(block));
    if (n === 0)
      for (let i = 0; i < 200; i++) writeFileSync(path.join(repo, `file${i}.txt`), `text ${i}\n`.repeat(50));
    commitAll(place, repo);
  }
  rmSync(path.join(repo, 'data.bin'));
  commitAll(place, repo);
  run(place, repo, 'git', ['-c', 'pack.compression=0', '-c', 'pack.window=0', 'repack', '-adq']);
  return repo;
}

function commitAll(place, repo) {
  run(place, repo, 'git', ['init', '-q', '-b', 'main']);
  run(place, repo, 'git', ['-c', 'core.looseCompression=0', 'add', '-A']);
  run(place, repo, 'git', ['commit', '-q', '-m', 'bench']);
}

/** Clones all at once by prun against both recipes one after the other, alternating, medians. */
function compareClones(place, repo, name) {
  const { clones, rounds } = place.size;
  const recipes = { clone: plainClones, worktree: worktrees, prun: prunClones };
  const times = { clone: [], worktree: [], prun: [] };
  const disk = { clone: [], worktree: [], prun: [] };
  const best = (recipe) => Math.min(...times[recipe]);
  // Disks stall: in the short form a ratio that would be a gross regression is measured once more.
  const isOdd = () => place.short && best('prun') > 2 * Math.min(best('clone'), best('worktree'));
  for (let round = 0; round < rounds || (round < rounds + 2 && isOdd()); round++) {
    // Nothing is removed before all recipes have had their turn: files made after many were removed take far longer here.
    const undos = [];
    for (const [recipe, make] of Object.entries(recipes)) {
      const to = path.join(place.folder, `made-${recipe}`);
      mkdirSync(to);
      const before = allocated([repo]);
      // What the one before has written must not slow the next one down when the system writes it out.
      spawnSync('sync', { stdio: 'ignore' });
      const from = performance.now();
      const undo = make(place, repo, to);
      times[recipe].push(performance.now() - from);
      // Hard links to the repository's own objects are nothing new.
      disk[recipe].push(allocated([repo, to]) - before);
      undos.push(() => {
        undo();
        rmSync(to, { recursive: true, force: true, maxRetries: 5 });
      });
    }
    for (const undo of undos) undo();
  }
  // The short form looks for gross regressions on a machine that others may use: the best of its rounds tells.
  const ms = mapValues(times, place.short ? (all) => Math.min(...all) : median);
  const mib = mapValues(mapValues(disk, median), (bytes) => bytes / MIB);
  const budget = place.reflinks ? 0.3 : 0.7;
  const timeOf = (recipe) => `${Math.round(ms[recipe])} ms`;
  const diskOf = (recipe) => `${mib[recipe].toFixed(1)} MiB`;
  // `git worktree add` writes the same files as prun does: where it takes as long, the disk is slow, and not prun.
  const isDiskSlow = ms.prun <= 2 * ms.worktree;
  const row = (what, value, limit, yardstick) => ({
    what: `${clones} clones, ${name}: ${what}`,
    value,
    unit: 'x',
    budget: limit,
    yardstick,
  });
  return [
    {
      ...row(
        'time / git clone --local',
        ms.prun / ms.clone,
        budget,
        `${timeOf('prun')} / ${timeOf('clone')}`,
      ),
      isNoRegression: isDiskSlow,
    },
    row(
      'time / git worktree add',
      ms.prun / ms.worktree,
      budget,
      `${timeOf('prun')} / ${timeOf('worktree')}`,
    ),
    row('disk / git clone --local', mib.prun / mib.clone, 1.1, `${diskOf('prun')} / ${diskOf('clone')}`),
    row('disk / git worktree add', mib.prun / mib.worktree, 1.1, `${diskOf('prun')} / ${diskOf('worktree')}`),
  ];
}

function plainClones(place, repo, to) {
  for (let n = 1; n <= place.size.clones; n++) {
    run(place, to, 'git', ['clone', '-q', '--local', repo, path.join(to, `u${n}`)]);
  }
  return () => {};
}

function worktrees(place, repo, to) {
  for (let n = 1; n <= place.size.clones; n++) {
    run(place, repo, 'git', ['worktree', 'add', '-q', '-b', `bench-u${n}`, path.join(to, `u${n}`)]);
  }
  return () => {
    rmSync(to, { recursive: true, force: true });
    run(place, repo, 'git', ['worktree', 'prune']);
    const branches = Array.from({ length: place.size.clones }, (_, n) => `bench-u${n + 1}`);
    run(place, repo, 'git', ['branch', '-q', '-D', ...branches]);
  };
}

function prunClones(place, repo, to) {
  const units = Array.from({ length: place.size.clones }, (_, n) => ['--unit', `u${n + 1}`]).flat();
  clone(place, repo, to, units);
  return () => {};
}

/** Folders of the clones. */
function clone(place, repo, stateHome, units) {
  const said = run(place, repo, process.execPath, [
    place.prun,
    'clone',
    '--repo',
    repo,
    ...units,
    '--state-home',
    stateHome,
  ]);
  return said.split('\n').flatMap((line) => (line.startsWith('CLONE ') ? [line.slice('CLONE '.length)] : []));
}

/** `prun collect` of three changed files against `git status` in the same clone. */
function compareCollect(place, repo) {
  const to = path.join(place.folder, 'collected');
  const [folder] = clone(place, repo, to, ['--unit', 'collect']);
  if (!folder) throw new Error('prun clone printed no CLONE line');
  // The first status after a checkout writes the index anew: not what is compared.
  run(place, folder, 'git', ['status', '--porcelain']);
  for (const n of [0, 1, 2])
    appendFileSync(path.join(folder, `area${n}`, `part${n}`, `file${n * 20}.ts`), '// changed\n');
  const times = { status: [], node: [], collect: [] };
  for (let round = 0; round < Math.max(5, place.size.rounds); round++) {
    times.status.push(timed(() => run(place, folder, 'git', ['status', '--porcelain'])));
    times.node.push(timed(() => run(place, folder, process.execPath, ['-e', '0'])));
    times.collect.push(
      timed(() => run(place, folder, process.execPath, [place.prun, 'collect', folder, '--state-home', to])),
    );
  }
  rmSync(to, { recursive: true, force: true, maxRetries: 5 });
  const ms = mapValues(times, median);
  const value = ms.collect / ms.status;
  const yardstick = `${Math.round(ms.collect)} ms / ${Math.round(ms.status)} ms (node -e 0: ${Math.round(ms.node)} ms)`;
  // In a small repository Node's start is most of it: the target is for 50,000 files.
  const budget = place.size.files < 50_000 ? 8 : 3;
  return [{ what: 'collect of 3 changed files / git status', value, unit: 'x', budget, yardstick }];
}

function run(place, cwd, file, argv) {
  const ended = spawnSync(file, argv, { cwd, env: place.environment, encoding: 'utf8', maxBuffer: 64 * MIB });
  if (ended.status !== 0) {
    throw new Error(
      `${path.basename(file)} ${argv.join(' ').slice(0, 200)}: ${ended.status}\n${ended.stderr?.slice(-2000)}`,
    );
  }
  return ended.stdout;
}

/** Allocated bytes of trees together, every inode once. */
function allocated(roots) {
  const seen = new Set();
  const open = [...roots];
  let bytes = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const stat = lstatSync(next);
    if (stat.isDirectory()) for (const name of readdirSync(next)) open.push(path.join(next, name));
    else if (stat.nlink > 1) {
      if (seen.has(`${stat.dev}:${stat.ino}`)) continue;
      seen.add(`${stat.dev}:${stat.ino}`);
    }
    bytes += process.platform === 'win32' ? stat.size : stat.blocks * 512;
  }
  return bytes;
}

function timed(act) {
  const from = performance.now();
  act();
  return performance.now() - from;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function mapValues(record, change) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function print(rows) {
  const width = Math.max(...rows.map(({ what }) => what.length));
  console.log(
    `${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)}, Node ${process.version}, ${spawnSync('git', ['--version'], { encoding: 'utf8' }).stdout.trim()}`,
  );
  for (const { what, value, unit, budget, yardstick } of rows) {
    const verdict = value > budget ? 'over  ' : 'within';
    console.log(
      `${what.padEnd(width)}  ${`${value.toFixed(2)} ${unit}`.padEnd(9)} ${verdict} ${budget}  ${yardstick}`,
    );
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean' },
      prun: { type: 'string' },
      rounds: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const rows = await workspacesBench({
    ...values,
    rounds: values.rounds ? Number(values.rounds) : undefined,
  });
  print(rows);
  // The short form says only that something is badly wrong: its repository is small, and Node's start weighs more.
  const slack = values.short ? 3 : 1;
  if (rows.some(({ value, budget }) => value > budget * slack)) process.exitCode = 1;
}
