import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { executorByName } from '../executor/by-name.ts';
import { scrubEnvironment } from '../executor/scrub-environment.ts';
import { writeAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import type { UnitSpec } from './records.ts';
import { type Run, runFile } from './run-folder.ts';

const ENVIRONMENT_NAME = /^[0-9a-f]+\.json$/;

/**
 * Keeps the caller's environment for the units that it starts, private, until the run is done: a supervisor that runs
 * already has another one, and its successor yet another (PEERS.md, scenario 25). The host session's own variables are
 * left out, but for those that a unit's `passEnv` names or its executor needs. Returns the name for a request.
 */
export function keepEnvironment(
  run: Pick<Run, 'folder'>,
  environment: NodeJS.ProcessEnv,
  specs: readonly Pick<UnitSpec, 'executor' | 'passEnv'>[],
): string {
  const name = `${randomHex(16)}.json`;
  const kept = scrubEnvironment(environment, specs.flatMap(wantedBy), {});
  writeAtomic(path.join(runFile(run, 'environments'), name), JSON.stringify(kept), { sync: false });
  return name;
}

function wantedBy({ executor, passEnv }: Pick<UnitSpec, 'executor' | 'passEnv'>): readonly string[] {
  const needs = executor === 'session' ? undefined : executorByName(executor).needs;
  return [...passEnv, ...(needs ?? [])];
}

/** A kept environment; this process's own where it cannot be read any more. */
export function keptEnvironment(run: Pick<Run, 'folder'>, name: string | null): NodeJS.ProcessEnv {
  if (name === null || !ENVIRONMENT_NAME.test(name)) return process.env;
  try {
    return kept.parse(JSON.parse(readFileSync(path.join(runFile(run, 'environments'), name), 'utf8')));
  } catch {
    // Somebody removed or damaged it: a unit that runs with the supervisor's is better than one that never runs.
    return process.env;
  }
}

/** A command that has kept an environment posts its request at once, or was killed, ms. */
const UNUSED_MS = 600_000;

/** Removes one that was kept for units none of which was started. */
export function forgetEnvironment(run: Pick<Run, 'folder'>, name: string): void {
  if (ENVIRONMENT_NAME.test(name)) rmSync(path.join(runFile(run, 'environments'), name), { force: true });
}

/**
 * Removes environments that no unit needs any more: those that were `used`, and those whose command never came to its
 * request. One that was kept a moment ago belongs to a request that is about to be posted.
 */
export function forgetEnvironments(run: Pick<Run, 'folder'>, used: ReadonlySet<string>): void {
  const folder = runFile(run, 'environments');
  try {
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name);
      if (used.has(name) || Date.now() - statSync(file).mtimeMs > UNUSED_MS) rmSync(file, { force: true });
    }
  } catch {
    // The run's folder is being removed: then they go, too.
  }
}

const kept = z.record(z.string(), z.string());
