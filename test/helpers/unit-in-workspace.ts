import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { DeltaRecord } from '../../scripts-src/workspace/records.ts';
import { type DispatchOptions, dispatchTask, program, ROOT, scratch, testEnvironment } from './unit-run.ts';

/** Plays `prun collect`: what it does stands in the set's file `play`, a word for each call, the last one stays. */
const STAND_IN = `
const fs = require('node:fs'), path = require('node:path');
const [command, clone, ...flags] = process.argv.slice(2);
const set = path.dirname(path.dirname(clone));
const plays = fs.readFileSync(path.join(set, 'play'), 'utf8').trim().split(' ');
if (plays.length > 1) fs.writeFileSync(path.join(set, 'play'), plays.slice(1).join(' '));
fs.appendFileSync(path.join(set, 'calls'), JSON.stringify([command, clone, ...flags]) + '\\n');
const play = plays[0];
if (play === 'rubbish') console.log('{"schema":1');
if (play === 'fail') { console.error('warning: odd\\nprun collect: the clone is gone: nothing can be done'); process.exit(2); }
if (play === 'die') process.kill(process.pid, 'SIGKILL');
if (play === 'hang') {
  const child = require('node:child_process').spawn('sleep', ['300'], { stdio: 'inherit' });
  fs.writeFileSync(path.join(set, 'hung'), process.pid + ' ' + child.pid);
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
if (play === 'leave') require('node:child_process').spawn('sleep', ['300'], { stdio: 'inherit', detached: true }).unref();
if (play === 'record' || play === 'leave') {
  const text = fs.readFileSync(path.join(set, 'delta.json'), 'utf8');
  const stateDir = flags[flags.indexOf('--state-dir') + 1];
  fs.writeFileSync(path.join(stateDir, 'delta.patch'), 'prun delta 1\\n', { mode: 0o600 });
  console.log(text);
}
`;

/** Compiles the hot scripts beside a stand-in for `prun`, into a folder of the caller's. */
export async function buildWithStandIn(name: string): Promise<string> {
  const scripts = path.join(ROOT, '.tmp', name);
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['dispatch-task', 'reap-watch', 'monitor'].map((script) => `scripts-src/${script}.ts`),
    outdir: scripts,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  });
  writeFileSync(path.join(scripts, 'prun.cjs'), STAND_IN);
  return scripts;
}

/** A user's repository and a workspace of it, as `prun clone` leaves them. */
export interface UnitPlace {
  folder: string;
  repository: string;
  set: string;
  clone: string;
  /** Runs git in the user's repository. */
  git(...argv: string[]): string;
  /** What the stand-in is to do, and the record that it prints. */
  play(words: string, delta?: Partial<DeltaRecord>): void;
  /** argv of each call of the stand-in. */
  calls(): string[][];
  /** Dispatches a worker of that shell text into the clone; REPO in it is the user's repository. */
  dispatch(worker: string, wish?: Partial<DispatchOptions>): ReturnType<typeof dispatchTask>;
}

/** Makes the place for one test; it goes with the test. */
export function placeWithWorkspace(
  scripts: string,
  ports: { first: number; last: number } | null = null,
): UnitPlace {
  const folder = scratch();
  const repository = path.join(folder, 'shop');
  const set = path.join(folder, 'state home/workspaces/items-1');
  const clone = path.join(set, 'clones/api');
  mkdirSync(path.join(clone, 'src'), { recursive: true });
  mkdirSync(path.join(set, 'units/api'), { recursive: true });
  mkdirSync(repository);
  const environment = testEnvironment(folder);
  const git = (...argv: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...argv], {
      cwd: repository,
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  const gitDir = path.join(repository, '.git');
  const source = { workTree: repository, gitDir, commonDir: gitDir };
  writeFileSync(path.join(set, 'set.json'), JSON.stringify({ schema: 1, id: 'items-1', source }));
  const workspace = { schema: 1, unit: 'api', set: 'items-1', mode: 'clone', folder: clone, ports };
  writeFileSync(path.join(set, 'units/api/workspace.json'), JSON.stringify(workspace));
  const place: UnitPlace = {
    folder,
    repository,
    set,
    clone,
    git,
    play(words, delta = {}) {
      writeFileSync(path.join(set, 'play'), words);
      writeFileSync(path.join(set, 'delta.json'), JSON.stringify(deltaRecord(set, delta)));
    },
    calls() {
      const file = path.join(set, 'calls');
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
      return lines.map((line) => JSON.parse(line) as string[]);
    },
    dispatch: (worker, wish = {}) =>
      dispatchTask({
        folder,
        unit: 'api',
        codexBin: program(folder, 'codex', worker.replaceAll('REPO', `'${repository}'`)),
        script: path.join(scripts, 'dispatch-task.cjs'),
        ...wish,
        flags: ['--workdir', clone, ...(wish.flags ?? [])],
      }),
  };
  place.play('record');
  return place;
}

function deltaRecord(set: string, change: Partial<DeltaRecord>): DeltaRecord {
  return {
    schema: 1,
    unit: 'api',
    set: 'items-1',
    base: 'a'.repeat(40),
    result: 'b'.repeat(40),
    files: [],
    moves: [],
    commits: [],
    problems: [],
    included: { everything: false, paths: [] },
    ignored: [],
    outside: [],
    patch: { path: path.join(set, 'units/api/delta.patch'), bytes: 13 },
    repository: [],
    collectedAt: '2026-11-30T10:00:00.000Z',
    ...change,
  };
}

/** Files of a delta, one status for all. */
export function filesOf(
  status: DeltaRecord['files'][number]['status'],
  ...paths: string[]
): DeltaRecord['files'] {
  return paths.map((where) => ({ status, path: where, oldMode: null, newMode: '100644' }));
}
