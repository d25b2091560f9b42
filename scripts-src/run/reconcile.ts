import { readSet } from '../workspace/workspace-set.ts';
import { stepsAfterFailures } from './after-failure.ts';
import type { CommandText } from './command-text.ts';
import type { Decisions } from './decisions.ts';
import { parkedIn } from './parked-unit.ts';
import type { UnitState } from './records.ts';
import { nameOfRun } from './run-folder.ts';
import type { RunView, UnitView } from './run-view.ts';
import { type Doubt, type DoubtKind, doubtsOf } from './unit-doubts.ts';
import { readUnitFacts, setFolderOf } from './unit-facts.ts';
import { evidenceOfRun, type RunEvidence } from './views/evidence-of.ts';

/** One unit that was started, and what is in doubt about it. */
export interface ReconciledUnit {
  id: string;
  state: UnitState;
  reason: string | null;
  attempt: number;
  /** Its result, where one is expected. */
  result: string | null;
  stateDir: string | null;
  /** Files that its delta changes; null for a unit without a workspace. */
  deltaFiles: number | null;
  doubts: Doubt[];
  /** Whether it could be taken as it is by somebody who has looked at its doubts. */
  acceptable: boolean;
  /** Whether somebody has looked at its doubts and takes it as it is. */
  accepted: boolean;
}

/** Whether a run is one whole set of results. */
export interface Reconciled {
  run: string;
  /** Whether something was started and nothing of it is in doubt. */
  reconciled: boolean;
  /** Units that were started, in the order in which they were added. */
  units: ReconciledUnit[];
  /** Units that somebody has taken out, and that so are no part of the set. */
  leftOut: string[];
  /** Units that were never started, or cancelled before that. */
  neverStarted: string[];
  /** Folder of the run's workspaces, from which conflicts and apply read; null where there is none, or none any more. */
  workspaces: string | null;
  /** What the validation of the run has found; null where there is none, or nothing yet. */
  validation: RunEvidence | null;
}

/** Doubts that nobody can accept away: there is nothing yet, or nothing at all, that could be taken as it is. */
const UNACCEPTABLE: readonly DoubtKind[] = ['running', 'blocked', 'no-result'];

/**
 * Holds every unit that was started against its files: log, outcome, result, delta. Reads only. A unit may be accepted
 * only where it has ended and there is something to take; a FALLBACK is.
 */
export function reconcileRun(view: RunView, command: CommandText, decisions: Decisions): Reconciled {
  const set = readSet(setFolderOf(view.run));
  const parkedOf = parkedIn(view, Date.now());
  const units: ReconciledUnit[] = [];
  const leftOut: string[] = [];
  const neverStarted: string[] = [];
  for (const unit of view.units.values()) {
    if (decisions.without.has(unit.id)) leftOut.push(unit.id);
    else if (!wasStarted(unit)) neverStarted.push(unit.id);
    else {
      const read = readUnitFacts(view, unit, set);
      const hasFailed = read.state === 'failed' || read.state === 'interrupted';
      const afterFailure = hasFailed ? stepsAfterFailures(view, [unit], command)[0]?.command : undefined;
      const facts = { ...read, parked: parkedOf(unit), afterFailure };
      const doubts = doubtsOf(facts, command);
      const acceptable = doubts.length > 0 && canBeAccepted(doubts, facts.result);
      units.push({
        id: unit.id,
        state: facts.state,
        reason: facts.reason,
        attempt: facts.attempt,
        result: facts.result?.path ?? null,
        stateDir: facts.stateDir,
        deltaFiles: facts.delta?.state === 'collected' ? facts.delta.files : null,
        doubts,
        acceptable,
        accepted: acceptable && areAccepted(doubts, unit.id, decisions),
      });
    }
  }
  const reconciled = units.length > 0 && units.every(isWell);
  const workspaces = set?.folder ?? null;
  const validation = evidenceOfRun(view);
  return { run: nameOfRun(view.run), reconciled, units, leftOut, neverStarted, workspaces, validation };
}

/** Whether nothing about a unit stands in the way of integrating the set. */
export function isWell({ doubts, accepted }: Pick<ReconciledUnit, 'doubts' | 'accepted'>): boolean {
  return doubts.length === 0 || accepted;
}

/** A unit that was cancelled before its first attempt began was never dispatched. */
function wasStarted({ state, stateDir, attempt }: UnitView): boolean {
  return state !== 'created' && !(state === 'cancelled' && stateDir === null && attempt <= 1);
}

/** A doubt that came up after somebody had looked is not one that they have accepted. */
function areAccepted(doubts: readonly Doubt[], unit: string, { accept, seen }: Decisions): boolean {
  const kinds = seen?.get(unit);
  return accept.has(unit) && doubts.every(({ kind }) => kinds === undefined || kinds.includes(kind));
}

function canBeAccepted(doubts: readonly Doubt[], result: { state: string } | null): boolean {
  return result?.state === 'text' && !doubts.some(({ kind }) => UNACCEPTABLE.includes(kind));
}
