import { PrunError } from '../../platform/errors.ts';
import { readOutcome } from '../../unit/read-records.ts';
import type { OutcomeRecord } from '../../unit/records.ts';
import { totalTokens } from '../../unit/token-counts.ts';
import { pathInRun } from '../path-in-run.ts';
import type { Run } from '../run-folder.ts';
import type { RunView, UnitView } from '../run-view.ts';
import { withAttempt } from '../token-sums.ts';

/**
 * Lets outcomes win over the log, in this view alone: a supervisor that died between the two leaves units that the log
 * calls running. Costs one look at the disk for each unit that is said to run.
 */
export function overlayOutcomes(view: RunView): void {
  for (const unit of view.units.values()) {
    if (unit.stateDir === null || (unit.state !== 'running' && unit.state !== 'dispatching')) continue;
    const outcome = outcomeIn(view.run, unit.stateDir);
    if (outcome) overlay(unit, outcome);
  }
}

function outcomeIn(run: Run, stateDir: string): OutcomeRecord | undefined {
  try {
    return readOutcome(pathInRun(run, stateDir));
  } catch (error) {
    // A newer prun has written it: what the log says has to do.
    if (error instanceof PrunError) return undefined;
    throw error;
  }
}

function overlay(unit: UnitView, outcome: OutcomeRecord): void {
  const { tokens } = outcome;
  unit.state = outcome.status;
  unit.reason = outcome.reason;
  unit.detail = outcome.detail;
  unit.resultFile = outcome.result?.path ?? null;
  unit.origin = outcome.result?.origin ?? null;
  unit.endedAt = outcome.endedAt;
  unit.durationMs = outcome.durationMs;
  unit.tokens = tokens && totalTokens(tokens);
  unit.tokenCounts = tokens;
  unit.tokenSum = withAttempt(unit.tokenSum, unit.tokens, tokens);
  unit.sessionId = outcome.sessionId;
  unit.stalled = null;
}
