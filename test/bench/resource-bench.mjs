// What waiting for a slot costs, and how soon a dead holder's slot is taken. Part of bench.mjs; alone: node test/bench/resource-bench.mjs
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const WAITERS = 20;
const TICKS_PER_SECOND = 100;
/** Until those before it have come, and Node has tidied up, ms. */
const SETTLE_MS = 12_000;

const scripts =
  process.env.PRUN_TORTURE_SCRIPTS ?? path.resolve(import.meta.dirname, '../../skills/prun/scripts');

/** Rows for the table of bench.mjs. Linux only: it reads /proc. */
export async function resourceBench({ short = false } = {}) {
  if (process.platform !== 'linux') return [];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'prun-resource-bench-'));
  const started = [];
  const room = { folder, started };
  try {
    return [
      await waitingCost(room, short ? 5 : 20),
      await takeOver(room, 'wrapper and command killed', false, short ? 3 : 10),
      await takeOver(room, 'wrapper, command and guardian killed', true, short ? 3 : 10),
    ];
  } finally {
    for (const child of started) child.kill('SIGTERM');
    await sleep(500);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function waitingCost(room, seconds) {
  const home = path.join(room.folder, 'waiting');
  const holder = run(room, home, 'sleep', '600');
  await sleep(1000);
  const waiters = Array.from({ length: WAITERS }, () => run(room, home, 'true'));
  await sleep(SETTLE_MS);
  const before = waiters.map(ticksOf);
  await sleep(seconds * 1000);
  const ticks = waiters.map(ticksOf).reduce((sum, now, at) => sum + now - before[at], 0);
  for (const waiter of waiters) waiter.kill('SIGKILL');
  holder.kill('SIGTERM');
  await sleep(500);
  const value = (ticks / TICKS_PER_SECOND / seconds) * 100;
  return {
    what: `${WAITERS} waiters for a slot, together`,
    value,
    unit: '% of a core',
    budget: 1,
    yardstick: '',
  };
}

/** From the end of the holder's last process to the start of the waiter's command; the median. */
async function takeOver(room, what, isGuardianKilled, rounds) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const home = path.join(room.folder, `take-${isGuardianKilled}-${round}`);
    const holder = run(room, home, 'sleep', '600');
    await sleep(700);
    // Its own start is not the taking over: the time at which its process began.
    const waiter = run(room, home, process.execPath, '-e', 'console.log(Date.now() - performance.now())');
    await sleep(700);
    const guardian = isGuardianKilled ? [guardianOf(home)] : [];
    for (const pid of [holder.pid, ...descendants(holder.pid), ...guardian]) kill(pid);
    const killedAt = Date.now();
    times.push((await firstLine(waiter)) - killedAt);
  }
  const value = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
  return { what: `${what}: the next command runs`, value, unit: 'ms', budget: 200, yardstick: '' };
}

function run({ started }, home, ...command) {
  const words = ['--resource-home', home, '--resource', 'heavy', '--', ...command];
  const child = spawn(process.execPath, [path.join(scripts, 'resource-run.cjs'), ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  return child;
}

function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function ticksOf({ pid }) {
  const stat = statOf(pid);
  return Number(stat[11]) + Number(stat[12]);
}

function descendants(pid) {
  const below = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  const own = below === '' ? [] : below.split(' ').map(Number);
  return own.flatMap((child) => [child, ...descendants(child)]);
}

function guardianOf(home) {
  const leases = path.join(home, readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), 'leases');
  const [lease] = readdirSync(leases);
  return Number(readFileSync(path.join(leases, lease, '.guardian-pid'), 'utf8'));
}

/** One process; 0, 1 and negative numbers would reach groups or everybody (kill(2)). */
function kill(pid) {
  if (!Number.isSafeInteger(pid) || pid < 2) throw new Error(`${pid} is not the pid of a process to kill`);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went with its parent.
  }
}

function firstLine(child) {
  return new Promise((resolve) => {
    child.stdout.once('data', (chunk) => resolve(Number(String(chunk))));
  });
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { what, value, unit, budget } of await resourceBench()) {
    console.log(`${what}: ${value.toFixed(2)} ${unit} (at most ${budget})`);
  }
}
