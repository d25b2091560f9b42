import { readdirSync, readFileSync } from 'node:fs';

/** One live process as the test saw it; zombies are not alive. */
export interface Seen {
  pid: number;
  ppid: number;
  state: string;
  start: string;
  command: string;
  argv: string;
}

/**
 * Every live process that belongs to a unit, found without prun's own code: by the marker in its environment, by the
 * RSS mark in its limits, or by a word that the test put into its command line.
 */
export function processesOf(marks: { marker?: string; rssMark?: string | null; word?: string }): Seen[] {
  const found: Seen[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const seen = readProcess(Number(name));
    if (!seen || seen.state === 'Z' || seen.state === 'X') continue;
    const environment = read(`/proc/${name}/environ`).split('\0');
    const byMarker =
      marks.marker !== undefined &&
      environment.some(
        (entry) => entry === `PRUN_UNIT=${marks.marker}` || entry.startsWith(`PRUN_UNIT=${marks.marker}/`),
      );
    const byRss =
      typeof marks.rssMark === 'string' &&
      new RegExp(`^Max resident set +${marks.rssMark} `, 'm').test(read(`/proc/${name}/limits`));
    const byWord = marks.word !== undefined && seen.argv.includes(marks.word);
    if (byMarker || byRss || byWord) found.push(seen);
  }
  return found;
}

/** One process, zombies included, or undefined. */
export function readProcess(pid: number): Seen | undefined {
  const stat = read(`/proc/${pid}/stat`);
  const close = stat.lastIndexOf(')');
  if (close < 0) return undefined;
  const rest = stat.slice(close + 2).split(' ');
  return {
    pid,
    ppid: Number(rest[1]),
    state: rest[0] ?? '?',
    start: rest[19] ?? '',
    command: stat.slice(stat.indexOf('(') + 1, close),
    argv: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
