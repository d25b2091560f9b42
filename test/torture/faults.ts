import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { OutcomeRecord, UnitRecord } from '../../scripts-src/unit/records.ts';
import { processesOf, readProcess, type Seen } from '../helpers/process-table.ts';
import { ROOT } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';
import type { Place } from './unit-case.ts';

/** Every fault point that a unit of dispatch-task comes by, so that none is forgotten when one is added. */
export function faultPoints(): string[] {
  const found = new Set<string>();
  for (const file of readdirSync(path.join(ROOT, 'scripts-src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(path.join(ROOT, 'scripts-src', file), 'utf8');
    for (const [, point = ''] of text.matchAll(/faultPoint\(\s*['`]([^'`]+)['`]/g)) {
      // conclude.ts serves both: its points carry the name of who concludes.
      const names = point.startsWith('${') ? ['dispatch', 'guardian'] : [''];
      for (const name of names) found.add(point.replace(/^\$\{\w+\}/, name));
    }
  }
  // The others are met by commands and runs, and have tests of their own.
  return [...found].filter((point) => /^(?:dispatch|guardian):/.test(point)).sort();
}

/** State dirs and drafts below a place, announced or not. */
export function stateDirsOf(place: Place): { dirs: string[]; drafts: string[] } {
  const home = path.join(place.folder, 'state');
  const names = existsSync(home) ? readdirSync(home) : [];
  const whole = (name: string): string => path.join(home, name);
  return {
    dirs: names.filter((name) => name.startsWith('prun-task-')).map(whole),
    drafts: names.filter((name) => name.startsWith('.prun-task-')).map(whole),
  };
}

/** What a look at the outcome's first instant saw. */
export interface AtOutcome {
  outcome: OutcomeRecord;
  record: UnitRecord;
  alive: Seen[];
}

/** Waits for the outcome in a state dir and looks at the process table at that instant. */
export async function outcomeIn(stateDir: string, word: string, limitMs = 20_000): Promise<AtOutcome> {
  const record = readJson<UnitRecord>(path.join(stateDir, 'unit.json'));
  const file = path.join(stateDir, 'outcome.json');
  return waitFor(
    file,
    () => {
      if (!existsSync(file)) return undefined;
      const alive = processesOf({ marker: record.marker, rssMark: record.rssMark, word });
      return { outcome: readJson<OutcomeRecord>(file), record, alive };
    },
    limitMs,
  );
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** Guardians and starters of a place: they name its state dir in their command lines, and are no unit's processes. */
export function guardiansOf(place: Place): Seen[] {
  return processesOf({ word: place.folder }).filter(({ argv }) =>
    /prun-guardian|reap-watch|prun-lifeline/.test(argv),
  );
}

/**
 * The host's whole stop (FACTS-claude-code.md): TERM to the process group and to every descendant that is found by
 * parent, 1.4 s, then KILL to all of these. Returns when it is over.
 */
export async function stopAsTheHostDoes(pid: number): Promise<void> {
  const targets = [pid, ...descendantsOf(pid)];
  const identities = targets.map((target) => ({ pid: target, start: readProcess(target)?.start }));
  send(-pid, 'SIGTERM');
  for (const target of targets) send(target, 'SIGTERM');
  const isLeft = (): boolean => identities.some(({ pid: target, start }) => lives(target, start));
  const until = performance.now() + 1400;
  while (isLeft() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const { pid: target, start } of identities) if (lives(target, start)) send(target, 'SIGKILL');
}

function lives(pid: number, start: string | undefined): boolean {
  const seen = readProcess(pid);
  return seen !== undefined && seen.start === start && seen.state !== 'Z';
}

function descendantsOf(root: number): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((seen): seen is Seen => seen !== undefined);
  const found = [root];
  for (const parent of found) {
    for (const { pid, ppid } of all) if (ppid === parent && !found.includes(pid)) found.push(pid);
  }
  return found.slice(1);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}
