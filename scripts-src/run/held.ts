import { rmSync } from 'node:fs';
import { readStart, writeAtomic } from '../platform/files.ts';
import { type Run, runFile } from './run-folder.ts';

const HELD_BYTES = 4000;
const WHY_CHARS = 400;
/** Begins a line about a slot; accounts begin with the name of an executor. */
const SLOT = 'slot ';

/** Why a supervisor starts nothing more at the moment, in a few words: the whole queue, and accounts by their breaker's key. */
export interface Held {
  all: string | undefined;
  accounts: Map<string, string>;
  /** What is waited for, by the names of the machine's slots; `*`: any, where slots cannot be had at all. */
  slots: Map<string, string>;
}

/**
 * What the supervisor of a run has said of its queue, nothing where it may start. What a dead supervisor has left is not
 * true any more: ask whether one lives.
 */
export function readHeld(run: Pick<Run, 'folder'>): Held {
  const [all = '', ...lines] = readStart(runFile(run, 'held'), HELD_BYTES).split('\n');
  const [accounts, slots] = [new Map<string, string>(), new Map<string, string>()];
  for (const line of lines) {
    const [key = '', why = ''] = line.split('\t');
    if (why === '') continue;
    if (key.startsWith(SLOT)) slots.set(key.slice(SLOT.length), why);
    else accounts.set(key, why);
  }
  return { all: all.trim() || undefined, accounts, slots };
}

/** Says in the run's folder why nothing is started; nothing held takes that away. Writes only when it changes. */
export type KeepHeld = (held: Held) => void;

/** The supervisor's end of it. */
export function keepHeld(run: Pick<Run, 'folder'>): KeepHeld {
  const file = runFile(run, 'held');
  // An earlier supervisor may have left one.
  let written: string | null = null;
  return (held) => {
    const text = textOf(held);
    if (text === written) return;
    try {
      if (text === '') rmSync(file, { force: true });
      else writeAtomic(file, text, { sync: false });
      written = text;
    } catch {
      // A full disk, or a folder that is being removed: without it status says less, and the next round tries again.
    }
  };
}

/** The reason of the whole queue in the first line, then a line for each account and slot. */
function textOf({ all = '', accounts, slots }: Held): string {
  if (all === '' && accounts.size === 0 && slots.size === 0) return '';
  const facts = [...accounts, ...[...slots].map(([name, why]) => [`${SLOT}${name}`, why] as const)];
  const lines = facts.map(([key, why]) => `${key}\t${why.slice(0, WHY_CHARS)}\n`);
  return `${all.slice(0, WHY_CHARS)}\n${lines.join('')}`;
}
