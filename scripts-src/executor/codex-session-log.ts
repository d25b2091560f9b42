import { opendirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codexHomeOf } from './codex-account.ts';

/** Entries of one day's folder that are looked at: a person's busiest day has far fewer. */
const MOST_ENTRIES = 20_000;
/** The start date, and its neighbours for a start at midnight or a worker in another time zone. */
const DAYS = [0, -1, 1];

/** The name that ends in `suffix` in a folder, or undefined; a folder that is not there is no error. */
function findEntry(folder: string, suffix: string): string | undefined {
  try {
    const directory = opendirSync(folder);
    try {
      for (let count = 0; count < MOST_ENTRIES; count++) {
        const entry = directory.readSync();
        if (entry === null) return undefined;
        if (entry.name.startsWith('rollout-') && entry.name.endsWith(suffix)) return join(folder, entry.name);
      }
    } finally {
      directory.closeSync();
    }
  } catch {
    // Not there yet, or not readable: then there is no such evidence.
  }
  return undefined;
}

/**
 * The rollout file of a codex thread (absolute), or undefined while there is none: below CODEX_HOME, else
 * `~/.codex`, in `sessions/<year>/<month>/<day>` of the local start date or a neighbour of it, or of the day on which
 * the thread began. Reads at most six folders. `startedAtEpochMs` is wall time in milliseconds; `environment` is the
 * worker's.
 *
 * As evidence (measured, 0.171.0): it grows when a response or a tool call ends, also for polls that stdout
 * hides. It does not grow while an answer streams, nor in a refused connection, behind comments only or in a
 * hang. Each retry of a stream that began and was cut adds one `token_count` record: five at most.
 */
export function codexSessionLog(
  sessionId: string,
  environment: NodeJS.ProcessEnv,
  startedAtEpochMs: number,
): string | undefined {
  if (!/^[\w-]+$/.test(sessionId)) return undefined;
  const home = codexHomeOf(environment);
  const days = [startedAtEpochMs, ...begunAt(sessionId)].flatMap(daysAround);
  for (const day of new Set(days)) {
    const folder = resolve(home, 'sessions', ...day.split('-'));
    const found = findEntry(folder, `-${sessionId}.jsonl`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** When the thread itself began, ms: an id of version 7 says so. One that goes on keeps the file of its first day. */
function begunAt(sessionId: string): number[] {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(sessionId) ?? [];
  return high === undefined || low === undefined ? [] : [Number.parseInt(high + low, 16)];
}

/** A local date and its neighbours, `2026-03-01`. */
function daysAround(epochMs: number): string[] {
  const at = new Date(epochMs);
  return DAYS.map((offset) => {
    const date = new Date(at.getFullYear(), at.getMonth(), at.getDate() + offset);
    const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
    return parts.map((part) => String(part).padStart(2, '0')).join('-');
  });
}
