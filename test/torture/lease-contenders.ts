import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { kill, type Leased, openResourceRoom, pidIn } from '../helpers/resource-room.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { seededRandom } from './random.ts';

/**
 * The witness: two locks of the kernel, which die with whoever holds them, and a log that is only appended to. Who gets
 * neither lock is the third inside.
 */
const WITNESS = `exec 8>>"$1/lock-1" 9>>"$1/lock-2"
flock -n 8 || flock -n 9 || echo "third $2" >>"$1/log"
echo "enter $2" >>"$1/log"
sleep "$3"
echo "leave $2" >>"$1/log"`;

/** What is killed: the wrapper; it and its guardian; the guardian alone; the command's shim. */
const VICTIMS = ['wrapper', 'wrapper', 'both', 'guardian', 'shim'] as const;

/** So many ask for `implementation`, which has two slots, while some are killed at random instants. */
export function describeContenders(title: string, seed: number, count: number, kills: number): void {
  const room = openResourceRoom();
  it(title, async () => {
    const random = seededRandom(seed);
    const contenders: Leased[] = [];
    const killed = new Set<number>();
    const start = (): void => {
      const at = contenders.length;
      const seconds = (0.02 + random.next() * 0.1).toFixed(3);
      const words = ['--resource', 'implementation', '--timeout', '0', '--'];
      contenders.push(room.start([...words, 'sh', '-c', WITNESS, 'x', room.folder, String(at), seconds]));
    };
    const killOne = (): void => {
      const at = random.below(contenders.length);
      const contender = contenders[at];
      // Not waited for yet: its pid is nobody else's.
      if (!contender || contender.child.exitCode !== null || contender.child.signalCode !== null) return;
      const guardian = room.guardianOf(contender);
      const victim = random.pick(VICTIMS);
      // Alone it leaves the command to its wrapper: that one must come to its end.
      if (victim !== 'guardian') killed.add(at);
      if (victim !== 'wrapper' && victim !== 'shim') kill(guardian);
      if (victim === 'wrapper' || victim === 'both') kill(contender.pid);
      if (victim === 'shim') kill(shimOf(contender.pid));
    };
    for (let step = 0; step < count; step++) {
      start();
      if (random.next() < kills / count) killOne();
      await pause(random.below(40));
    }
    for (let rest = 0; rest < kills / 2; rest++) {
      await pause(random.below(150));
      killOne();
    }
    await Promise.all(contenders.map(({ end }) => end));
    const lines = readLog(room.folder);
    expect(lines.filter((line) => line.startsWith('third'))).toEqual([]);
    const left = new Set(
      lines.filter((line) => line.startsWith('leave')).map((line) => Number(line.split(' ')[1])),
    );
    const starved = contenders.map((_, at) => at).filter((at) => !left.has(at) && !killed.has(at));
    expect(starved).toEqual([]);
    await noSlotIsLost();
  });

  async function noSlotIsLost(): Promise<void> {
    const gate = path.join(room.folder, 'gate');
    const script = `echo in; while [ ! -e '${gate}' ]; do sleep 0.02; done`;
    const both = [1, 2].map(() => room.start(['--resource', 'implementation', '--', 'sh', '-c', script]));
    await waitFor('two holders', () => both.every(({ stdout }) => stdout() === 'in\n'));
    writeFileSync(gate, '');
    await Promise.all(both.map(({ end }) => end));
    const slots = await room.list();
    expect(slots.flatMap(({ holders, waiters }) => [...holders, ...waiters])).toEqual([]);
    await waitFor('a clean home', () => room.leases().length === 0);
  }
}

/** The first child of a wrapper; undefined where it has none. */
function shimOf(pid: number): number | undefined {
  try {
    return pidIn(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
  } catch {
    // It has ended.
    return undefined;
  }
}

function readLog(folder: string): string[] {
  const log = path.join(folder, 'log');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
