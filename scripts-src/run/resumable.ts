import { executorByName } from '../executor/by-name.ts';
import { isSessionId } from '../executor/session-id.ts';
import { PrunError } from '../platform/errors.ts';
import { readOutcome, readUnitRecord } from '../unit/read-records.ts';
import type { OutcomeRecord, TokenCounts, UnitRecord } from '../unit/records.ts';
import { lastWorkspace } from './last-workspace.ts';
import { pathInRun } from './path-in-run.ts';
import type { Resumption } from './records.ts';
import type { Run } from './run-folder.ts';
import { isFinalState, type RunView, type UnitView } from './run-view.ts';

/**
 * A session that can go on and the attempt that it comes from, or why there is none: one line, with what to do. `lost`: the
 * same without what to do, where only a fresh attempt helps.
 */
export type Resumable =
  | { kind: 'session'; session: Omit<Resumption, 'promptFile'> }
  | { kind: 'none'; why: string; lost?: string };

const RETRY = 'prun retry begins anew';

/** Whether the session of a unit's worker can go on in a further attempt. Looks at its state dir and its workspace. */
export function resumableOf({ run, units }: Pick<RunView, 'run' | 'units'>, unit: UnitView): Resumable {
  return none(whyNotNow(unit)) ?? never(unit) ?? none(whyNotByParents(units, unit)) ?? sessionOf(run, unit);
}

function none(why: string | undefined): Resumable | undefined {
  return why === undefined ? undefined : { kind: 'none', why };
}

/** Nothing is left that could go on. */
function lost(what: string): Resumable {
  return { kind: 'none', why: `${what}: ${RETRY}`, lost: what };
}

/**
 * The session of an attempt that comes to its end, and after which another one is to go on with it by itself; undefined
 * where that must begin anew.
 */
export function sessionToGoOn(run: Run, unit: UnitView): Omit<Resumption, 'promptFile'> | undefined {
  const found = never(unit) === undefined ? sessionOf(run, unit) : undefined;
  return found?.kind === 'session' ? found.session : undefined;
}

function sessionOf(run: Run, unit: UnitView): Resumable {
  try {
    return lastSession(run, unit);
  } catch (error) {
    // A newer prun has written the attempt's records.
    if (error instanceof PrunError) return { kind: 'none', why: `${error.message}: ${error.next}` };
    throw error;
  }
}

function whyNotNow({ state, queuedWhy, detail }: UnitView): string | undefined {
  if (state === 'created') return 'it was never started: prun start starts it';
  if (state === 'blocked') return `it is blocked (${detail}): resume or retry its parent first`;
  if (isFinalState(state)) return undefined;
  if (state === 'queued' && queuedWhy === 'parked') {
    return 'it is held with its account: prun resume without --unit lets all of them go on';
  }
  return `it is ${state}: wait for it, or cancel it first`;
}

function never({ spec }: UnitView): Resumable | undefined {
  const { executor, options } = spec;
  if (executor === 'session')
    return none('it runs as a subagent of your own session: go on with that subagent');
  if (!executorByName(executor).canResume) return lost(`executor ${executor} keeps no session`);
  return options?.ephemeral ? lost('its session was ephemeral, nothing is kept of it') : undefined;
}

/** Its parents' files are in its workspace already, but nothing starts before they are well. */
function whyNotByParents(units: RunView['units'], { spec }: UnitView): string | undefined {
  for (const parent of spec.after) {
    const state = units.get(parent)?.state ?? 'created';
    if (state !== 'succeeded') return `it comes after ${parent}, which is ${state}: see to that first`;
  }
  return undefined;
}

function lastSession(run: Run, unit: UnitView): Resumable {
  const last = lastAttempt(run, unit);
  if (!last) return lost('its last attempt ended before a session began');
  const { sessionId, stateDir } = last;
  if (!isSessionId(sessionId)) {
    const shown = JSON.stringify(sessionId.slice(0, 80));
    return lost(`its session is called ${shown}, which is no UUID, and a new one would begin`);
  }
  const record = readUnitRecord(stateDir);
  if (!record) return lost(`the record in ${stateDir} cannot be read`);
  const workspace = lastWorkspace(run, unit.spec, { stateDir, record });
  if (workspace.kind === 'gone') return lost(workspace.why);
  return { kind: 'session', session: { sessionId, stateDir } };
}

/**
 * The session of the newest attempt. One that was to go on with a session goes by what it was to go on with: it may have
 * ended before its worker was started, or another session may have begun instead.
 */
function lastAttempt(run: Run, { stateDir, resume }: UnitView): Omit<Resumption, 'promptFile'> | undefined {
  if (stateDir === null) return resume ?? undefined;
  const dir = pathInRun(run, stateDir);
  const sessionId = readUnitRecord(dir)?.resumed?.sessionId ?? readOutcome(dir)?.sessionId;
  return sessionId ? { sessionId, stateDir: dir } : undefined;
}

/**
 * What a thread had used before an attempt that goes on with it; null where nobody has counted. An attempt that was
 * killed says nothing of its own use: then what is known of those before it has to do.
 */
export function tokensBefore(
  record: Pick<UnitRecord, 'resumed'> | undefined,
  outcome: Pick<OutcomeRecord, 'tokens' | 'threadTokens'> | undefined,
): TokenCounts | null {
  const { resumed } = record ?? {};
  // Records of an older prun have the thread's count in `tokens`.
  return outcome?.threadTokens ?? (resumed ? resumed.tokensBefore : (outcome?.tokens ?? null));
}
