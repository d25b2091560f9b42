#!/usr/bin/env node
// What a run costs: its wake-up, its waiting, its queue. Needs Linux, whose /proc tells CPU and memory.
//   node test/bench/runs-bench.mjs            100 wake-ups, 1,000 units, 10,000 queued units: about ten minutes
//   node test/bench/runs-bench.mjs --short    10 wake-ups, 100 units, 2,000 queued units
// --prun FILE takes another prun.cjs, --only wake|wait|scale|queue one part.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const source = path.resolve(import.meta.dirname, '../../scripts-src');
const SIZES = {
  short: { wakes: 10, waitSeconds: 5, units: 100, queued: 2000, isWhole: false },
  whole: { wakes: 100, waitSeconds: 20, units: 1000, queued: 10_000, isWhole: true },
};

/**
 * Measures and gives rows `{ what, value, unit, budget, yardstick }`; `budget` is an upper bound in the same unit.
 * Everything is made below a temporary folder, which goes.
 */
export async function runsBench(options = {}) {
  if (process.platform !== 'linux') return [];
  const size = options.short ? SIZES.short : SIZES.whole;
  const prun = options.prun ?? path.resolve(import.meta.dirname, '../../skills/prun/scripts/prun.cjs');
  const parts = { wake, wait: waiting, scale, queue };
  const rows = [];
  for (const [name, part] of Object.entries(parts)) {
    if (options.only && options.only !== name) continue;
    const folder = mkdtempSync(path.join(os.tmpdir(), 'prun-runs-bench-'));
    const environment = {
      PATH: process.env.PATH,
      HOME: folder,
      LANG: 'C.UTF-8',
      PRUN_STATE_HOME: path.join(folder, 'state'),
    };
    try {
      rows.push(...(await part({ folder, prun, size, environment })));
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  return rows;
}

/** The outcome of a unit, as its file is written, to the end of a `prun wait` that slept until then. */
async function wake(place) {
  const gates = Array.from({ length: place.size.wakes }, (_, n) => fifo(place, `gate${n}`));
  const units = gates.map((gate, n) => command(`u${n}`, `read x <${gate}; echo ok`, { wakeOnFinish: true }));
  const run = await startRun(place, 'wake', units, { jobs: 1 });
  const delays = [];
  for (const [n, gate] of gates.entries()) {
    const stateDir = await eventually(`unit u${n} to run`, () => run.stateDirs().get(`u${n}`));
    const sleeper = start(place, ['wait', '--run', run.id]);
    const ended = once(sleeper, 'exit').then(() => epochMs());
    await eventually('the wait to watch', () => isWatching(sleeper.pid));
    // The unit may be told as running before its shell has opened the gate.
    await eventually('the gate to be waited for', () => release(gate));
    const endedAt = await ended;
    delays.push((endedAt - statSync(path.join(stateDir, 'outcome.json')).mtimeMs) / 1000);
  }
  await run.over();
  const sorted = delays.sort((a, b) => a - b);
  const [middle, worst] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return [
    row(`outcome written to the end of prun wait, median of ${sorted.length}`, middle, 's', 0.1),
    row(`outcome written to the end of prun wait, worst of ${sorted.length}`, worst, 's', 0.3),
  ];
}

/** A `prun wait` on a thousand running units; now and then an event is written that wakes nobody. */
async function waiting(place) {
  const script = path.join(place.folder, 'thousand.cjs');
  await build({
    stdin: { contents: THOUSAND, resolveDir: source, loader: 'ts' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    outfile: script,
    logLevel: 'warning',
  });
  const supervisor = spawn(process.execPath, [script, place.environment.PRUN_STATE_HOME], {
    env: place.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(supervisor.stdout, 'data');
  const sleeper = start(place, ['wait', '--run', 'thousand']);
  await eventually('the wait to watch', () => isWatching(sleeper.pid));
  await pause(2000);
  const before = cpuSeconds(sleeper.pid).own;
  await pause(place.size.waitSeconds * 1000);
  const share = ((cpuSeconds(sleeper.pid).own - before) / place.size.waitSeconds) * 100;
  const memory = memoryMiB(sleeper.pid);
  if (sleeper.exitCode !== null) throw new Error(`prun wait ended with ${sleeper.exitCode}`);
  sleeper.kill();
  supervisor.kill();
  return [
    row('prun wait on 1,000 running units: CPU', share, '% of a core', 1),
    row('prun wait on 1,000 running units: memory', memory, 'MB', 90),
  ];
}

/** A run on disk, written as a supervisor does it; the process itself is that supervisor. */
const THOUSAND = `
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { takeClaim } from './process/claim.ts';
import { currentHost } from './process/host.ts';
import { formatIdentity, identify } from './process/identity.ts';
import { eventWriter } from './run/event-log.ts';
import { appendLines } from './run/json-lines.ts';
import { createRun, defaultResultFile, runFile } from './run/run-folder.ts';
void (async () => {
  const schedule = { jobs: null, delaySeconds: 0, memfreeBytes: null, load: null };
  const run = await createRun(process.argv[2] ?? '', 'thousand', {
    repository: null, integration: null, schedule, resources: {}, outerMarker: null,
  });
  const host = await currentHost();
  takeClaim(host, runFile(run, 'supervisors'), formatIdentity(identify(host, process.pid)!));
  const ids = Array.from({ length: 1000 }, (_, n) => 'u' + n);
  appendLines(runFile(run, 'units'), ids.map((id) => ({
    schema: 1, id, token: id, addedAt: new Date().toISOString(), executor: 'codex', mode: 'scratch', prompt: 'Work.',
    owns: [], after: [], model: null, reasoningEffort: null, sandbox: null, network: null, isolateMcp: true,
    codexBin: null, argv: [],
    limits: { stallThresholdSeconds: 600, timeoutSeconds: 0, maxOutputBytes: 0, stallNoticeSeconds: 300 },
    resources: [], warm: [], setup: null, verify: null, retries: 0, passEnv: [], wakeOnFinish: false,
    workspace: null, resultFile: null,
  })));
  const log = eventWriter(run, 0, (error) => { throw error; });
  for (const unit of ids) {
    const stateDir = path.join(runFile(run, 'attempts'), 'prun-task-01234567-' + unit + '-1-0123456789abcdef');
    mkdirSync(stateDir, { recursive: true });
    const base = { unit, attempt: 1 };
    log.write(
      { type: 'queued', ...base, why: 'start', environment: null },
      { type: 'dispatching', ...base },
      { type: 'running', ...base, stateDir, resultFile: defaultResultFile(run, unit) },
    );
  }
  process.stdout.write('ready');
  setInterval(() => log.write({ type: 'note', text: 'nothing that wakes anybody', wakes: false }), 1000);
})();
`;

/** Many short units, eight at once, beside \`xargs -P 8\` over the same worker. */
async function scale(place) {
  const { units: count } = place.size;
  const worker = path.join(place.folder, 'worker.sh');
  writeFileSync(worker, '#!/bin/sh\nsleep 0.2\necho ok\n', { mode: 0o755 });
  const from = performance.now();
  const text = `seq ${count} | xargs -P 8 -n 1 '${worker}' >/dev/null; times`;
  const plain = spawnSync('/bin/sh', ['-c', text], { env: place.environment, encoding: 'utf8' });
  const plainSeconds = (performance.now() - from) / 1000;
  const plainCpu = childSeconds(plain.stdout);

  const units = Array.from({ length: count }, (_, n) => ({ ...command(`u${n}`, ''), argv: [worker] }));
  const runFrom = performance.now();
  const run = await startRun(place, 'scale', units, { jobs: 8 });
  const sleeper = start(place, ['wait', '--run', run.id]);
  let cpu = { own: 0, all: 0 };
  const sampler = setInterval(() => {
    cpu = cpuSeconds(run.supervisorPid()) ?? cpu;
  }, 50);
  const [code] = await once(sleeper, 'exit');
  clearInterval(sampler);
  const seconds = (performance.now() - runFrom) / 1000;
  if (code !== 0) throw new Error(`prun wait ended with ${code}: not all of ${count} units succeeded`);
  await run.over();
  const each = (value) => `${((value / count) * 1000).toFixed(1)} ms`;
  const figures =
    `xargs ${plainSeconds.toFixed(1)} s and ${each(plainCpu)} of CPU a unit, ` +
    `prun ${seconds.toFixed(1)} s and ${each(cpu.all)}, ${each(cpu.own)} of it in the supervisor itself`;
  return [
    row(
      `${count.toLocaleString('en')} units of 0.2 s, --jobs 8, against xargs -P 8`,
      seconds / plainSeconds,
      'x',
      1.3,
      figures,
    ),
  ];
}

/** The supervisor's memory with a queue, and with a longer one; the longer one is run to its end in the long form. */
async function queue(place) {
  const gate = fifo(place, 'gate');
  const open = path.join(place.folder, 'open');
  const unit = (n) => command(`unit-${n}`, `[ -e ${open} ] || read x <${gate}; echo ok`);
  const running = 50;
  const rows = [];
  const memory = [];
  const counts = [1000, 1000 + place.size.queued];
  for (const count of counts) {
    const name = `queue${count}`;
    const units = Array.from({ length: count + running }, (_, n) => unit(n));
    const from = performance.now();
    const run = await startRun(place, name, units, { jobs: running });
    const toldMs = performance.now() - from;
    await eventually('50 running units', () => run.stateDirs().size >= running, 120_000);
    memory.push(await settledMemory(run.supervisorPid()));
    if (count === counts[0] || !place.size.isWhole) {
      await finished(start(place, ['cancel', '--run', run.id, '--grace', '0']));
      await run.over();
      continue;
    }
    writeFileSync(open, '');
    const runFrom = performance.now();
    await eventually('the gate to be waited for', () => release(gate));
    const told = await finished(start(place, ['wait', '--run', run.id]));
    const seconds = (performance.now() - runFrom) / 1000;
    const status = await finished(start(place, ['status', '--run', run.id]));
    const succeeded = Number(/ done=(\d+)/.exec(told.stdout)?.[1] ?? 0);
    const lines = Math.max(...[told, status].map(({ stdout }) => stdout.trim().split('\n').length));
    await run.over();
    const figures = `prun run returned after ${(toldMs / 1000).toFixed(1)} s, all were done ${seconds.toFixed(0)} s later`;
    const what = `${count.toLocaleString('en')} queued and 50 running units`;
    rows.push(row(`${what}: those that did not succeed`, units.length - succeeded, 'units', 0, figures));
    rows.push(row(`${what}: lines of the longer of wait and status`, lines, 'lines', 40));
  }
  const [few, many] = memory;
  const further = counts[1] - counts[0];
  return [
    row('supervisor with 1,000 queued and 50 running units: memory', few, 'MB', 90),
    row(
      `supervisor: memory for each of ${further.toLocaleString('en')} further queued units`,
      ((many - few) * 1024) / further,
      'KB',
      20,
      `${many.toFixed(0)} MB in all`,
    ),
    ...rows,
  ];
}

/** Most of what it holds within some seconds, MiB: a young heap has not been collected yet. */
async function settledMemory(pid) {
  let most = 0;
  for (let n = 0; n < 10; n++) {
    await pause(300);
    most = Math.max(most, memoryMiB(pid));
  }
  return most;
}

/** A run that the compiled `prun run` has started. */
async function startRun(place, id, units, settings) {
  const manifest = path.join(place.folder, `${id}.json`);
  writeFileSync(manifest, JSON.stringify({ ...settings, units }));
  await finished(start(place, ['run', manifest, '--run', id]));
  const folder = path.join(place.environment.PRUN_STATE_HOME, 'runs', id);
  const supervisorPid = () => {
    const numbers = readdirSync(path.join(folder, 'supervisors')).map(Number).filter(Number.isFinite);
    const claim = path.join(folder, 'supervisors', String(Math.max(...numbers)));
    return Number(readFileSync(claim, 'utf8').split(':')[1]);
  };
  return {
    id,
    supervisorPid,
    /** State dirs of the units that were told as running. */
    stateDirs() {
      const text = readFileSync(path.join(folder, 'events.jsonl'), 'utf8');
      const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
      const events = lines.filter((line) => line.includes('"running"')).map((line) => JSON.parse(line));
      return new Map(events.filter(({ type }) => type === 'running').map((one) => [one.unit, one.stateDir]));
    },
    over: () =>
      eventually('the end of the supervisor', () => !existsSync(`/proc/${supervisorPid()}`), 60_000),
  };
}

function command(id, text, more = {}) {
  return { id, executor: 'command', prompt: 'bench', argv: ['/bin/sh', '-c', text], ...more };
}

function start({ prun, folder, environment }, argv) {
  return spawn(process.execPath, [prun, ...argv], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Reads all that a command prints; throws where it does not end with 0. */
async function finished(child) {
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${child.spawnargs.slice(2, 5).join(' ')} ended with ${code}: ${stdout}`);
  return { stdout };
}

function fifo({ folder }, name) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  if (spawnSync('mkfifo', [file]).status !== 0) throw new Error(`mkfifo ${file} failed`);
  return file;
}

/** Lets everybody go on who waits at a fifo; false where nobody does yet. */
function release(file) {
  try {
    closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    if (error.code === 'ENXIO') return false;
    throw error;
  }
}

/** Whether a process has asked the kernel to tell it of changes. */
function isWatching(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).some(
      (fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === 'anon_inode:inotify' && watches(pid, fd),
    );
  } catch {
    // It opened or closed a file meanwhile, or has ended.
    return false;
  }
}

function watches(pid, fd) {
  return readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8').includes('inotify wd:');
}

/** Seconds of CPU: its own, and with all descendants that were waited for. Undefined when it is gone. */
function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    const [user, system, children, childrenSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) / 100);
    return { own: user + system, all: user + system + children + childrenSystem };
  } catch {
    // It has ended: what was seen last counts.
    return undefined;
  }
}

/** What `times` of a shell says of its children: the second line, minutes and seconds twice. */
function childSeconds(text) {
  const [line = ''] = text.trim().split('\n').slice(-1);
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + Number(m) * 60 + Number(s),
    0,
  );
}

function memoryMiB(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function row(what, value, unit, budget, yardstick = '') {
  return { what, value, unit, budget, yardstick };
}

function epochMs() {
  return performance.timeOrigin + performance.now();
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function eventually(what, look, limitMs = 30_000) {
  for (const until = performance.now() + limitMs; ; ) {
    const found = look();
    if (found) return found;
    if (performance.now() > until) throw new Error(`waited ${limitMs} ms in vain for ${what}`);
    await pause(5);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: { short: { type: 'boolean' }, prun: { type: 'string' }, only: { type: 'string' } },
  });
  console.log(`${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)}, Node ${process.version}`);
  for (const { what, value, unit, budget, yardstick } of await runsBench(values)) {
    console.log(`${what}: ${value.toFixed(3)} ${unit} (budget ${budget}) ${yardstick}`);
  }
}
