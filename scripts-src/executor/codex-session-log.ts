import { opendirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readVariable } from './scrub-environment.ts';

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
 * `~/.codex`, in `sessions/<year>/<month>/<day>` of the local start date or a neighbour of it. Reads at most
 * three folders. `startedAtEpochMs` is wall time in milliseconds; `environment` is the worker's.
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
  const home = readVariable(environment, 'CODEX_HOME') || join(userHome(environment), '.codex');
  for (const offset of DAYS) {
    const start = new Date(startedAtEpochMs);
    const date = new Date(start.getFullYear(), start.getMonth(), start.getDate() + offset);
    const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
    const folder = resolve(home, 'sessions', ...parts.map((part) => String(part).padStart(2, '0')));
    const found = findEntry(folder, `-${sessionId}.jsonl`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function userHome(environment: NodeJS.ProcessEnv): string {
  return environment.HOME || environment.USERPROFILE || homedir();
}
