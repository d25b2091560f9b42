import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { adoptAttempt, wasNeverStarted } from '../../supervise/adopt-attempt.ts';
import { rewriteUnitRecord } from '../../supervise/attempt.ts';
import { adoptSession } from '../../supervise/session-attempt.ts';
import { readOutcome, readUnitRecord } from '../../unit/read-records.ts';
import { stateFile } from '../../unit/state-dir.ts';
import { readEvents } from '../event-log.ts';
import { keptEnvironment } from '../keep-environment.ts';
import type { RunEvent } from '../records.ts';
import { runFile } from '../run-folder.ts';
import { isFinalState } from '../run-view.ts';
import { wishOf } from './attempt-request.ts';
import { clearStateDir, removeTemporaries } from './dead-temporaries.ts';
import { endWithOutcome, endWithoutAttempt, noteBadEnd } from './end-of-unit.ts';
import { placeQueued, queueOnceMore } from './queue-units.ts';
import { restoredRecord } from './restored-record.ts';
import { endCancelled, follow, queueAgain } from './start-unit.ts';
import { type Supervision, unitOf } from './supervision.ts';

/** State dirs of a run's attempts carry their unit's name. */
/** Number of an attempt whose record cannot be read: it counts as the newest, and must not be passed over. */
const UNREADABLE = Number.MAX_SAFE_INTEGER;
const STATE_DIR = /^prun-task-[0-9a-f]{8}-(.+)-\d+-[0-9a-f]{16}$/;

/**
 * Takes over what an earlier supervisor has left: attempts with an outcome are told, attempts without one go on or are
 * brought to their end, and what was not started is queued again. Returns how many workers go on.
 */
export async function adoptRun(supervision: Supervision): Promise<number> {
  const { run, units } = supervision.view;
  recall(supervision);
  removeDrafts(runFile(run, 'attempts'));
  removeTemporaries(run);
  const open = [...units.values()].filter(({ state }) => state !== 'created' && !isFinalState(state));
  const dirs = open.length > 0 ? stateDirsByUnit(runFile(run, 'attempts')) : new Map<string, string[]>();
  let adopted = 0;
  const queued: string[] = [];
  for (const { id, attempt, state } of open) {
    // A parent whose end was told a moment ago may have blocked it.
    if (isFinalState(state)) continue;
    const newest = newestAttempt(dirs.get(id) ?? []);
    if (newest && newest.attempt >= attempt) {
      if (newest.attempt > attempt && newest.attempt < UNREADABLE) {
        unitOf(supervision, id).attempt = newest.attempt;
      }
      if (await adoptUnit(supervision, id, newest.stateDir)) adopted++;
      cancelAgain(supervision, id);
      continue;
    }
    if (unitOf(supervision, id).cancelling !== null) {
      endCancelled(supervision, id);
      continue;
    }
    if (unitOf(supervision, id).state !== 'queued') {
      queueOnceMore(supervision, id, attempt);
    }
    queued.push(id);
  }
  // What had begun goes on before others begin.
  const hasBegun = (id: string): boolean => unitOf(supervision, id).attempt > 1;
  placeQueued(supervision, [...queued.filter(hasBegun), ...queued.filter((id) => !hasBegun(id))]);
  return adopted;
}

/** Somebody wanted its end, and the supervisor before died over it. */
function cancelAgain(supervision: Supervision, id: string): void {
  const { cancelling } = unitOf(supervision, id);
  if (cancelling === null) return;
  supervision.active.get(id)?.cancel({ by: 'prun cancel', graceMs: cancelling * 1000 });
}

/** Whether its worker goes on. */
async function adoptUnit(supervision: Supervision, id: string, stateDir: string): Promise<boolean> {
  const { attempt, spec } = unitOf(supervision, id);
  if (existsSync(stateFile(stateDir, 'outcome'))) {
    clearStateDir(stateDir);
    // An earlier supervisor saw to it that it never runs, and died before it could queue the unit again.
    if (wasNeverStarted(stateDir) && unitOf(supervision, id).cancelling !== null)
      endCancelled(supervision, id);
    else if (wasNeverStarted(stateDir)) queueAgain(supervision, id, attempt);
    else endWithOutcome(supervision, id, stateDir, unitOf(supervision, id).cancelling !== null);
    return false;
  }
  if (spec.executor === 'session') {
    const session = adoptSession(stateDir, supervision.host);
    if (session) void follow(supervision, id, attempt, session);
    else unreadable(supervision, id, stateDir);
    return session !== undefined;
  }
  const environment = keptEnvironment(supervision.view.run, supervision.environments.get(id) ?? null);
  const adoption = await adopted(supervision, stateDir, id, environment);
  if (adoption.kind !== 'live') {
    unreadable(supervision, id, stateDir);
    return false;
  }
  const { wasStarted, attempt: live } = adoption;
  // Its outcome says that it never ran: then it is no attempt of its own, and the unit is queued again.
  void follow(supervision, id, attempt, live, { isAdopted: true, isAgain: !wasStarted });
  return wasStarted;
}

/**
 * Adopts an attempt; one whose record is empty or torn by what else is known of it. Throws where a newer prun has written
 * the record, or no process can be seen: then nobody may say that the unit is over, and its worker goes on unwatched.
 */
async function adopted(
  supervision: Supervision,
  stateDir: string,
  id: string,
  environment: NodeJS.ProcessEnv,
) {
  if (!readUnitRecord(stateDir)) {
    const record = restoredRecord(supervision, id, stateDir);
    if (record) rewriteUnitRecord(stateDir, record);
  }
  return adoptAttempt(
    stateDir,
    supervision.context,
    wishOf(unitOf(supervision, id).spec, supervision.leases),
    environment,
  );
}

function unreadable(supervision: Supervision, id: string, stateDir: string): void {
  const detail = `its supervisor died, and its record cannot be read: look at ${stateDir}`;
  endWithoutAttempt(supervision, id, { status: 'interrupted', reason: 'dispatch-dead', detail });
}

/** Which environment each unit was last queued with, and how its attempts have ended. */
function recall(supervision: Supervision): void {
  for (const event of readEvents(supervision.view.run).events) {
    if (event.type === 'queued') {
      supervision.environments.set(event.unit, event.environment);
      countTries(supervision, event);
      if (event.environment !== null) supervision.usedEnvironments.add(event.environment);
    }
    if (event.type === 'ended' && event.status !== 'succeeded') noteBadEnd(supervision, event.unit, event);
  }
}

/** Somebody who starts a unit anew gives it all its tries again. */
function countTries(
  { transientTries }: Supervision,
  { unit, why }: Extract<RunEvent, { type: 'queued' }>,
): void {
  if (why === 'transient') transientTries.set(unit, (transientTries.get(unit) ?? 0) + 1);
  if (why === 'retry' || why === 'resume') transientTries.delete(unit);
}

/** Nobody but a supervisor makes state dirs here, and this is the only one that lives. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith('.')) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

function stateDirsByUnit(folder: string): Map<string, string[]> {
  const dirs = new Map<string, string[]>();
  for (const name of readdirSync(folder)) {
    const unit = STATE_DIR.exec(name)?.[1];
    if (unit !== undefined) dirs.set(unit, [...(dirs.get(unit) ?? []), path.join(folder, name)]);
  }
  return dirs;
}

function newestAttempt(dirs: readonly string[]): { stateDir: string; attempt: number } | undefined {
  const attempts = dirs.map((stateDir) => ({ stateDir, attempt: attemptIn(stateDir) }));
  return attempts.sort((a, b) => b.attempt - a.attempt)[0];
}

/** An attempt whose record cannot be read counts as the newest: it must not be passed over. */
function attemptIn(stateDir: string): number {
  try {
    return readUnitRecord(stateDir)?.attempt ?? readOutcome(stateDir)?.attempt ?? UNREADABLE;
  } catch {
    // Written by a newer prun.
    return UNREADABLE;
  }
}
