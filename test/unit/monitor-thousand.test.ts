import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { monotonicMs } from '../../scripts-src/platform/clock.ts';
import {
  isWatching,
  leaveClaim,
  openStage,
  type ScriptRun,
  type Stage,
  supervisedDir,
  until,
  writeOutcome,
} from '../helpers/state-dir-fixture.ts';

const COUNT = 1000;
/** Time over which the CPU of a watcher is measured. */
const MEASURED_MS = 5000;

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.clear());

/** CPU time of a process in ms so far (proc(5), 10 ms ticks). */
function cpuMs(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function residentMb(pid: number | undefined): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Waits until the process spends next to nothing for half a second: its first look and its start are over. */
async function untilIdle(run: ScriptRun): Promise<void> {
  await until(() => isWatching(run.child.pid));
  let before = -1;
  let sinceMs = monotonicMs();
  await until(() => {
    if (cpuMs(run.child.pid) - before > 10) {
      before = cpuMs(run.child.pid);
      sinceMs = monotonicMs();
    }
    return monotonicMs() - sinceMs > 500;
  });
}

async function measure(run: ScriptRun): Promise<{ cpuPercent: number; megabytes: number }> {
  const fromMs = monotonicMs();
  const before = cpuMs(run.child.pid);
  await until(() => monotonicMs() - fromMs >= MEASURED_MS, MEASURED_MS * 2);
  const spent = cpuMs(run.child.pid) - before;
  return { cpuPercent: (100 * spent) / (monotonicMs() - fromMs), megabytes: residentMb(run.child.pid) };
}

describe('a thousand state dirs', () => {
  it('cost monitor next to no CPU and little memory, and the last outcome wakes it', async () => {
    const { identity } = await stage.sleeper();
    const wish = { supervisor: identity, guardian: identity, quietForMs: 0 };
    const dirs = Array.from({ length: COUNT }, (_, index) => supervisedDir(stage, `u${index}`, wish));
    const run = stage.start('monitor', dirs);
    await run.said(`units=${COUNT}`);
    await untilIdle(run);
    const cost = await measure(run);
    for (const dir of dirs.slice(1)) writeOutcome(dir);
    await untilIdle(run);
    expect(run.output.stdout).not.toContain('EVENT');
    const atMs = writeOutcome(dirs[0] ?? '');
    const end = await run.ended;
    console.log('monitor', cost, `last outcome to exit ${end.atMs - atMs} ms`);
    expect(end.code).toBe(0);
    expect(end.stdout.split('\n').filter((line) => /^UNIT u\d+ done$/.test(line))).toHaveLength(COUNT);
    expect(end.atMs - atMs).toBeLessThan(1000);
    // Promises are 1% and 90 MB (test/bench holds them on a quiet machine).
    expect(cost.cpuPercent).toBeLessThan(3);
    expect(cost.megabytes).toBeLessThan(95);
  });

  it('cost gather next to no CPU and little memory', async () => {
    const { identity } = await stage.sleeper();
    const files = Array.from({ length: COUNT }, (_, index) => `${stage.dir}/u${index}.md`);
    for (const [index, resultFile] of files.entries()) {
      const stateDir = supervisedDir(stage, `u${index}`, { supervisor: identity, resultFile });
      leaveClaim(stage, { stateDir, holder: identity, resultFile });
      // Half of the workers have written already, and work on.
      if (index % 2) writeFileSync(resultFile, 'text');
    }
    const run = stage.start('gather', files);
    await run.said(`count=${COUNT}`);
    await untilIdle(run);
    const cost = await measure(run);
    console.log('gather', cost);
    expect(run.output.stdout).not.toContain('DONE');
    expect(cost.cpuPercent).toBeLessThan(5);
    expect(cost.megabytes).toBeLessThan(95);
  });
});
