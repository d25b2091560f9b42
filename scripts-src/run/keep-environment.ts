import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { scrubEnvironment } from '../executor/scrub-environment.ts';
import { writeAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { type Run, runFile } from './run-folder.ts';

/**
 * Keeps the caller's environment for the units that it starts, private, until the run is done: a supervisor that runs
 * already has another one, and its successor yet another (PEERS.md, scenario 25). The host session's own variables are
 * left out, but for those that `passEnv` names. Returns the name for a request.
 */
export function keepEnvironment(
  run: Pick<Run, 'folder'>,
  environment: NodeJS.ProcessEnv,
  passEnv: readonly string[],
): string {
  const name = `${randomHex(16)}.json`;
  const kept = scrubEnvironment(environment, passEnv, {});
  writeAtomic(path.join(runFile(run, 'environments'), name), JSON.stringify(kept), { sync: false });
  return name;
}

/** A kept environment; this process's own where it cannot be read any more. */
export function keptEnvironment(run: Pick<Run, 'folder'>, name: string | null): NodeJS.ProcessEnv {
  if (name === null || !/^[0-9a-f]+\.json$/.test(name)) return process.env;
  try {
    return kept.parse(JSON.parse(readFileSync(path.join(runFile(run, 'environments'), name), 'utf8')));
  } catch {
    // Somebody removed or damaged it: a unit that runs with the supervisor's is better than one that never runs.
    return process.env;
  }
}

/** Removes environments that no unit needs any more. */
export function forgetEnvironments(run: Pick<Run, 'folder'>): void {
  const folder = runFile(run, 'environments');
  try {
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { force: true });
  } catch {
    // The run's folder is being removed: then they go, too.
  }
}

const kept = z.record(z.string(), z.string());
