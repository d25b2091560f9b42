import type { OutcomeReason, TokenCounts } from '../unit/records.ts';
import { readEvents } from './event-log.ts';
import type { Resumption, RunEvent, UnitState } from './records.ts';
import type { Run } from './run-folder.ts';
import { type TokenSum, withAttempt } from './token-sums.ts';
import { type KnownUnit, readUnits } from './unit-specs.ts';

/** A unit as its specification and the events tell. */
export interface UnitView {
  id: string;
  spec: KnownUnit['spec'];
  state: UnitState;
  /** Why it ended so, or why it is blocked; null before. */
  reason: OutcomeReason | null;
  /** One line, empty where there is nothing to say. */
  detail: string;
  /** Number of the newest attempt, 0 before the first. */
  attempt: number;
  /** State dir of the newest attempt that has one. */
  stateDir: string | null;
  /** Its result, or where it is expected while it runs. */
  resultFile: string | null;
  /** Who wrote the result: `worker`, `last-message`, `stdout`, `tail`; null before. */
  origin: string | null;
  startedAt: string | null;
  endedAt: string | null;
  durationMs: number | null;
  /** Of the newest attempt, in and out together, and in four counts. */
  tokens: number | null;
  tokenCounts: TokenCounts | null;
  /** Of all its attempts together. */
  tokenSum: TokenSum | null;
  sessionId: string | null;
  /** Set while it runs and shows no progress. */
  stalled: { quietSeconds: number; evidence: string; since: string } | null;
  /** Seconds of grace, while somebody wants the end of this attempt; null otherwise. */
  cancelling: number | null;
  /** The session that goes on in the newest attempt, null where it begins anew. */
  resume: Resumption | null;
  /** While it is queued: it is not started before then, ISO 8601. */
  notBefore: string | null;
  /** While it is queued: why, in the words of the event. */
  queuedWhy: string | null;
  /** When it was last queued, ISO 8601; null before. */
  queuedAt: string | null;
  /** Name of the caller's environment that it was last queued with (run/keep-environment.ts). */
  environment: string | null;
  /** Parents that got a new result after this unit had started. */
  staleParents: string[];
}

/** Why nothing new of an account is started: the event that said so. */
export type OpenBreaker = Extract<RunEvent, { type: 'breaker' }>;

/** Under which name an account's breaker is kept. */
export function breakerKey(executor: string, account: string): string {
  return `${executor}:${account}`;
}

/** A run as its files tell: the fold of its events over its units. */
export interface RunView {
  run: Run;
  units: Map<string, UnitView>;
  /** Number of the last event, 0 without one. */
  lastEvent: number;
  /** Offset in the log behind it, bytes. */
  offset: number;
  /** Accounts of which nothing new is started, by executor and account. */
  breakers: Map<string, OpenBreaker>;
  /** The supervisor that wrote last, null before the first start. */
  supervisor: string | null;
  /** Whether everything that was started has ended and the supervisor has said so. */
  isAllDone: boolean;
}

/** Reads a run from its files. */
export function viewRun(run: Run): RunView {
  const view = emptyView(run);
  addUnits(view);
  const { events, offset } = readEvents(run);
  for (const event of events) applyEvent(view, event);
  view.offset = offset;
  return view;
}

/** Reads what has been added to the run's files since the view was made, into the view; gives the new events. */
export function refreshView(view: RunView): RunEvent[] {
  addUnits(view);
  const { events, offset } = readEvents(view.run, view.offset, view.lastEvent);
  for (const event of events) applyEvent(view, event);
  view.offset = offset;
  return events;
}

/** A run of which nothing was read yet. */
export function emptyView(run: Run): RunView {
  return {
    run,
    units: new Map(),
    lastEvent: 0,
    offset: 0,
    breakers: new Map(),
    supervisor: null,
    isAllDone: false,
  };
}

function addUnits(view: RunView): void {
  for (const [id, { spec }] of readUnits(view.run).units) {
    if (!view.units.has(id)) view.units.set(id, createdUnit(spec));
  }
}

/** A unit that nothing has happened to. */
export function createdUnit(spec: KnownUnit['spec']): UnitView {
  return {
    id: spec.id,
    spec,
    state: 'created',
    reason: null,
    detail: '',
    attempt: 0,
    stateDir: null,
    resultFile: null,
    origin: null,
    startedAt: null,
    endedAt: null,
    durationMs: null,
    tokens: null,
    tokenCounts: null,
    tokenSum: null,
    sessionId: null,
    stalled: null,
    cancelling: null,
    resume: null,
    notBefore: null,
    queuedWhy: null,
    queuedAt: null,
    environment: null,
    staleParents: [],
  };
}

/** Carries one event into a view. Events of units that the run does not know are passed over. */
export function applyEvent(view: RunView, event: RunEvent): void {
  view.lastEvent = event.n;
  if (event.type === 'supervisor') view.supervisor = event.identity;
  if (event.type === 'all-done') view.isAllDone = true;
  if (event.type === 'queued') view.isAllDone = false;
  if (event.type === 'breaker') {
    const key = breakerKey(event.executor, event.account);
    if (event.state === 'open') view.breakers.set(key, event);
    else view.breakers.delete(key);
  }
  if (!('unit' in event)) return;
  const unit = view.units.get(event.unit);
  if (unit) applyToUnit(unit, event);
}

function applyToUnit(unit: UnitView, event: Extract<RunEvent, { unit: string }>): void {
  switch (event.type) {
    case 'queued':
      Object.assign(unit, {
        ...createdUnit(unit.spec),
        tokenSum: unit.tokenSum,
        // What was not started is queued again for the reason that it had.
        queuedWhy: event.why === 'not-started' ? (unit.queuedWhy ?? event.why) : event.why,
        ...{ state: 'queued', attempt: event.attempt },
        ...{ resume: event.resume ?? null, notBefore: event.notBefore ?? null },
        ...{ queuedAt: event.at, environment: event.environment },
        // It goes on in its old files, and these still stand on the older results.
        staleParents: event.resume ? unit.staleParents : [],
      });
      return;
    case 'dispatching':
      unit.state = 'dispatching';
      unit.attempt = event.attempt;
      return;
    case 'running':
      unit.state = 'running';
      unit.attempt = event.attempt;
      unit.stateDir = event.stateDir;
      unit.resultFile = event.resultFile;
      unit.startedAt ??= event.at;
      return;
    case 'stalled':
      unit.stalled = { quietSeconds: event.quietSeconds, evidence: event.evidence, since: event.at };
      return;
    case 'moving':
      unit.stalled = null;
      return;
    case 'cancelling':
      unit.cancelling = event.graceSeconds;
      return;
    case 'ended':
      unit.state = event.status;
      unit.attempt = event.attempt;
      unit.reason = event.reason;
      unit.detail = event.detail;
      unit.stateDir = event.stateDir;
      unit.resultFile = event.resultFile;
      unit.origin = event.origin;
      unit.endedAt = event.at;
      unit.durationMs = event.durationMs;
      unit.tokens = event.tokens;
      unit.tokenCounts = event.tokenCounts ?? null;
      unit.tokenSum = withAttempt(unit.tokenSum, event.tokens, event.tokenCounts);
      unit.sessionId = event.sessionId;
      unit.stalled = null;
      unit.cancelling = null;
      return;
    case 'blocked':
      unit.state = 'blocked';
      unit.detail = event.detail;
      return;
    case 'stale':
      unit.staleParents = [...new Set([...unit.staleParents, event.parent])];
      return;
  }
}

/** Whether a state is a unit's last, unless somebody retries it. */
export function isFinalState(state: UnitState): boolean {
  return ['succeeded', 'failed', 'cancelled', 'interrupted', 'blocked'].includes(state);
}
