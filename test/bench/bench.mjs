#!/usr/bin/env zx
// What prun costs, as ratios against a yardstick measured in the same run. Run it on a quiet machine:
//   npm run bench              the whole, medians of 20
//   npm run bench -- --short   medians of 5; fails only on gross regressions (three times the budget)
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { argv, chalk } from 'zx';
import { conflictsBench } from './conflicts-bench.mjs';
import { resourceBench } from './resource-bench.mjs';
import { runsBench } from './runs-bench.mjs';
import { workspacesBench } from './workspaces-bench.mjs';

const short = Boolean(argv.short);
const rounds = short ? 5 : 20;
const scripts = path.resolve(import.meta.dirname, '../../skills/prun/scripts');
const folder = mkdtempSync(path.join(os.tmpdir(), 'prun-bench-'));
const environment = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' };
const rows = [];

try {
  await start();
  await startOfHelp();
  await ends();
  await guardianMemory();
  await thousandWaiting();
  rows.push(...(await resourceBench({ short })));
  rows.push(...(await runsBench({ short })));
  rows.push(...(await workspacesBench(short ? { short, rounds: 1 } : {})));
  rows.push(...(await conflictsBench(short ? { rounds: 1, files: 5000 } : {})));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
print();

/** Adds a row; `budget` is an upper bound in the same unit. */
function row(what, value, unit, budget, yardstick = '') {
  rows.push({ what, value, unit, budget, yardstick });
}

/**
 * A dispatcher's start to its worker's first instruction, against a bare script that spawns the same worker: once a
 * shell script, once a Node script, which is what npm's codex is.
 */
async function start() {
  const stamp = path.join(folder, 'first');
  const bare = path.join(folder, 'bare.cjs');
  writeFileSync(
    bare,
    "const { spawn } = require('node:child_process');\nspawn(process.argv[2], { stdio: 'inherit' }).on('exit', process.exit);\n",
  );
  const inNode = `require('node:fs').writeFileSync(${JSON.stringify(stamp)}, String(Date.now()) + '000000')`;
  const workers = {
    'shell worker': executable('worker.sh', `#!/bin/sh\ndate +%s%N >'${stamp}'\n`),
    'Node worker': executable('worker.cjs', `#!${process.execPath}\n${inNode};\n`),
  };
  for (const [kind, worker] of Object.entries(workers)) {
    const first = { bare: [], prun: [] };
    for (let i = 0; i < rounds; i++) {
      for (const [name, args] of [
        ['bare', [bare, worker]],
        ['prun', dispatchArguments(worker, `start-${kind.replace(' ', '-')}-${i}`)],
      ]) {
        const from = epochMs();
        spawnSync(process.execPath, args, { env: environment, stdio: 'ignore' });
        first[name].push(Number(readFileSync(stamp, 'utf8')) / 1e6 - from);
      }
    }
    const [bareMs, prunMs] = [median(first.bare), median(first.prun)];
    const figures = `bare spawner ${bareMs.toFixed(0)} ms, prun ${prunMs.toFixed(0)} ms`;
    row(`dispatch-task: start to the first instruction, ${kind}`, prunMs / bareMs, 'x', 1.5, figures);
  }
}

/** What the scripts themselves cost to start, against Node's own start. */
async function startOfHelp() {
  const time = (args) => {
    const from = performance.now();
    spawnSync(process.execPath, args, { env: environment, stdio: 'ignore' });
    return performance.now() - from;
  };
  const names = ['dispatch-task', 'monitor', 'gather', 'reap-watch', 'prun'];
  const times = Object.fromEntries(['node', ...names].map((name) => [name, []]));
  for (let i = 0; i < rounds; i++) {
    times.node.push(time(['-e', '0']));
    for (const name of names) times[name].push(time([path.join(scripts, `${name}.cjs`), '--help']));
  }
  const node = median(times.node);
  for (const name of names)
    row(`${name} --help`, median(times[name]) / node, 'x', 1.5, `node -e 0 ${node.toFixed(0)} ms`);
}

/** A worker's end to the end of its dispatcher, and to the end of a monitor at default settings. */
async function ends() {
  const stamp = path.join(folder, 'last');
  const dispatcher = [];
  const monitor = [];
  for (let i = 0; i < rounds; i++) {
    const result = path.join(folder, `end${i}.md`);
    const worker = executable(
      'ending.sh',
      `#!/bin/sh\nsleep 0.6\necho ok >'${result}'\ndate +%s%N >'${stamp}'\n`,
    );
    const child = spawn(process.execPath, dispatchArguments(worker, `end${i}`), {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(child.stdout, 'data');
    const watcher = spawn(
      process.execPath,
      [path.join(scripts, 'monitor.cjs'), String(line).trim().slice('STATE-DIR '.length)],
      {
        env: environment,
        stdio: 'ignore',
      },
    );
    const endOf = async (one) => {
      await once(one, 'exit');
      return epochMs();
    };
    const [dispatcherAt, monitorAt] = await Promise.all([endOf(child), endOf(watcher)]);
    const from = Number(readFileSync(stamp, 'utf8')) / 1e6;
    dispatcher.push(dispatcherAt - from);
    monitor.push(monitorAt - from);
  }
  row('worker’s end to dispatch-task’s end', median(dispatcher) / 1000, 's', 0.2);
  row('worker’s end to monitor’s end', median(monitor) / 1000, 's', 0.25);
}

/** Private memory of a guardian that stands by, from the kernel's own account. */
async function guardianMemory() {
  if (process.platform !== 'linux') return;
  const worker = executable('waiting.sh', '#!/bin/sh\nexec sleep 30\n');
  const child = spawn(process.execPath, dispatchArguments(worker, 'guarded'), {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(child.stdout, 'data');
  const stateDir = String(line).trim().slice('STATE-DIR '.length);
  const identity = await eventually(() => readFileSync(path.join(stateDir, 'guardian'), 'utf8').trim());
  const rollup = readFileSync(`/proc/${identity.split(':')[1]}/smaps_rollup`, 'utf8');
  const kib = ['Private_Clean', 'Private_Dirty'].reduce(
    (sum, key) => sum + Number(new RegExp(`${key}: +(\\d+)`).exec(rollup)?.[1]),
    0,
  );
  row('guardian: private memory', kib / 1024, 'MB', 1);
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** A monitor over a thousand units at work: CPU and memory while nothing happens. */
async function thousandWaiting() {
  if (process.platform !== 'linux') return;
  const sleeper = spawn('sleep', ['600'], { stdio: 'ignore' });
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const start = readFileSync(`/proc/${sleeper.pid}/stat`, 'utf8').split(') ')[1].split(' ')[19];
  const now = Number(process.hrtime.bigint() / 1_000_000n);
  const dirs = Array.from({ length: 1000 }, (_, i) => {
    const dir = path.join(folder, 'thousand', `prun-task-00000000-u${i}-1-0000000000000000`);
    mkdirSync(dir, { recursive: true });
    const unit = {
      schema: 1,
      unit: `u${i}`,
      attempt: 1,
      executor: 'codex',
      argv: [],
      cwd: dir,
      promptFile: '',
      resultFile: `${dir}/r`,
      base: null,
      limits: { stallThresholdSeconds: 600, timeoutSeconds: 0, maxOutputBytes: 0 },
      marker: `u${i}`,
      rssMark: null,
      since: 0,
      supervisor: `${boot}:${sleeper.pid}:${start}`,
      worker: null,
      startedAt: new Date().toISOString(),
      startedMonotonicMs: now,
      boot,
    };
    writeFileSync(path.join(dir, 'unit.json'), JSON.stringify(unit));
    writeFileSync(path.join(dir, 'wake'), '');
    writeFileSync(path.join(dir, 'started'), '1\n');
    return dir;
  });
  const monitor = spawn(process.execPath, [path.join(scripts, 'monitor.cjs'), ...dirs], {
    env: environment,
    stdio: 'ignore',
  });
  await pause(3000);
  const before = cpuTicks(monitor.pid);
  const seconds = short ? 5 : 20;
  await pause(seconds * 1000);
  const share = ((cpuTicks(monitor.pid) - before) / 100 / seconds) * 100;
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${monitor.pid}/status`, 'utf8'))?.[1]) / 1024;
  monitor.kill();
  sleeper.kill();
  row('monitor over 1,000 waiting units: CPU', share, '% of a core', 1);
  row('monitor over 1,000 waiting units: memory', rss, 'MB', 90);
}

function dispatchArguments(worker, unit) {
  const prompt = path.join(folder, 'prompt.md');
  writeFileSync(prompt, 'bench\n');
  return [
    path.join(scripts, 'dispatch-task.cjs'),
    '--prompt-file',
    prompt,
    '--result-file',
    path.join(folder, `${unit}.md`),
    '--unit-id',
    unit,
    '--codex-bin',
    worker,
  ];
}

function executable(name, text) {
  const file = path.join(folder, name);
  writeFileSync(file, text, { mode: 0o755 });
  return file;
}

function cpuTicks(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function epochMs() {
  return performance.timeOrigin + performance.now();
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function eventually(look) {
  for (let tries = 0; ; tries++) {
    try {
      const found = look();
      if (found) return found;
    } catch (error) {
      if (tries > 500) throw error;
    }
    await pause(10);
  }
}

function print() {
  const width = Math.max(...rows.map(({ what }) => what.length));
  let failed = false;
  console.log(
    `${rounds} rounds, ${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)}, Node ${process.version}`,
  );
  for (const { what, value, unit, budget, yardstick, isNoRegression } of rows) {
    const isOver = value > budget;
    if (value > budget * 3 && !isNoRegression) failed = true;
    const figure = `${value.toFixed(2)} ${unit}`.padEnd(18);
    console.log(
      `${what.padEnd(width)}  ${isOver ? chalk.red(figure) : chalk.green(figure)}  budget ${budget}  ${yardstick}`,
    );
  }
  if (short ? failed : rows.some(({ value, budget }) => value > budget)) process.exitCode = 1;
}
