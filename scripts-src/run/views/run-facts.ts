import { parseIdentity } from '../../process/identity.ts';
import { ledgerFileOf } from '../run-folder.ts';
import type { RunView, UnitView } from '../run-view.ts';
import { type TokensJson, tokensJson, tokensOfRun, withAttempt } from '../token-sums.ts';
import { type AttemptFacts, attemptFacts } from './attempt-facts.ts';
import { type BreakerFacts, breakerFacts } from './breaker-text.ts';
import { countUnits, isAnyUnderWay, type UnitCounts, wasStarted } from './counts.ts';
import { evidenceOf, type RunEvidence } from './evidence-of.ts';
import { type QueuedBecause, queuedBecauseIn } from './queued-because.ts';
import { hasResult, unitPlaces } from './unit-places.ts';

/** How a run as a whole stands. `lost`: something is under way and nobody supervises it. */
export type RunState = 'created' | 'running' | 'done' | 'lost';

/** The state of a run, given whether somebody supervises it. */
export function runState(view: RunView, isSupervised: boolean): RunState {
  if (!wasStarted(view)) return 'created';
  if (!isAnyUnderWay(view)) return 'done';
  return isSupervised ? 'running' : 'lost';
}

/** `prun status --json` (DESIGN.md §6). Paths are absolute. */
export interface RunFacts {
  run: string;
  dir: string;
  state: RunState;
  createdAt: string;
  repository: string | null;
  integration: RunView['run']['record']['integration'];
  /** null before the first start; `alive` false for one that has ended or died. */
  supervisor: { pid: number; identity: string; alive: boolean } | null;
  counts: UnitCounts;
  /** Accounts of which nothing new is started, and why. */
  breakers: BreakerFacts[];
  /** Of all attempts of all units; null where nothing is known. */
  tokens: TokensJson | null;
  lastEvent: number;
  ledger: string;
  units: UnitFactsJson[];
}

/** One unit for programs. */
export interface UnitFactsJson {
  id: string;
  status: UnitView['state'];
  reason: string | null;
  detail: string;
  attempt: number;
  /** The result, null where none was left or it has not ended. */
  result: string | null;
  origin: string | null;
  stateDir: string | null;
  executor: string;
  mode: string;
  promptFile: string | null;
  workspace: string | null;
  /** Where the result is, or belongs. */
  resultFile: string;
  startedAt: string | null;
  endedAt: string | null;
  durationMs: number | null;
  /** Of the newest attempt, and of all attempts of the unit. */
  tokens: { attempt: TokensJson | null; unit: TokensJson | null };
  sessionId: string | null;
  stalled: UnitView['stalled'];
  /** While it is queued: it is not started before then, ISO 8601. */
  notBefore: string | null;
  after: string[];
  /** Why it is queued, in a few words; null for another unit, and where it is about to start. */
  waitsFor: string | null;
  staleParents: string[];
  /** Only of a validation that has evidence. */
  evidence?: RunEvidence;
  /** Oldest first; only of a unit that was asked for by name. */
  attempts?: AttemptFacts[];
}

/**
 * All that is known of a run and of some of its units. `live`: identity of its supervisor, if there is one. `areNamed`:
 * somebody wants to know about these units alone, and reads about each of their attempts.
 */
export function runFacts(
  view: RunView,
  units: readonly UnitView[],
  live: string | undefined,
  areNamed = false,
): RunFacts {
  const { run } = view;
  const identity = live ?? view.supervisor;
  const because = queuedBecauseIn(view, live !== undefined);
  return {
    run: run.record.id,
    dir: run.folder,
    state: runState(view, live !== undefined),
    createdAt: run.record.createdAt,
    repository: run.record.repository,
    integration: run.record.integration,
    supervisor:
      identity === null
        ? null
        : { pid: parseIdentity(identity)?.pid ?? 0, identity, alive: live !== undefined },
    counts: countUnits(view.units.values()),
    breakers: breakerFacts(view),
    tokens: tokensJson(tokensOfRun(view)),
    lastEvent: view.lastEvent,
    ledger: ledgerFileOf(run),
    units: units.map((unit) => {
      const facts = unitJson(view, unit, because);
      return areNamed ? { ...facts, attempts: attemptFacts(run, unit.id) } : facts;
    }),
  };
}

function unitJson(view: RunView, unit: UnitView, because: QueuedBecause): UnitFactsJson {
  const { promptFile, stateDir, workspace, resultFile } = unitPlaces(view.run, unit);
  const evidence = evidenceOf(view.run, unit);
  return {
    id: unit.id,
    status: unit.state,
    reason: unit.reason,
    detail: unit.detail,
    attempt: unit.attempt,
    result: hasResult(unit) ? resultFile : null,
    origin: unit.origin,
    stateDir,
    executor: unit.spec.executor,
    mode: unit.spec.mode,
    promptFile,
    workspace,
    resultFile,
    startedAt: unit.startedAt,
    endedAt: unit.endedAt,
    durationMs: unit.durationMs,
    tokens: {
      attempt: tokensJson(withAttempt(null, unit.tokens, unit.tokenCounts)),
      unit: tokensJson(unit.tokenSum),
    },
    sessionId: unit.sessionId,
    stalled: unit.stalled,
    notBefore: unit.state === 'queued' ? unit.notBefore : null,
    after: unit.spec.after,
    waitsFor: because(unit) || null,
    staleParents: unit.staleParents,
    ...(evidence === null ? {} : { evidence }),
  };
}
