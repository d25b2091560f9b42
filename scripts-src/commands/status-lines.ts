import { monotonicMs } from '../platform/clock.ts';
import type { BoardRow } from '../render/board.ts';
import { countOf, durationText } from '../render/figures.ts';
import type { Tone } from '../render/paint.ts';
import type { UnitLine } from '../render/run-lines.ts';
import { pathInRun } from '../run/path-in-run.ts';
import type { UnitState } from '../run/records.ts';
import type { Run } from '../run/run-folder.ts';
import { isFinalState, type UnitView } from '../run/run-view.ts';
import type { QueuedBecause } from '../run/views/queued-because.ts';
import { hasResult, verifyLogOf } from '../run/views/unit-places.ts';
import { conclusionIn, lastEvidence, shortLine, stalledSeconds } from '../run/views/unit-text.ts';

const STALE_NAMED = 5;

/**
 * A unit as it stands now, for a coordinator. Reads its last evidence while it runs, its result when it has ended.
 * `because`: why it waits.
 */
export function unitStatusLine(run: Run, unit: UnitView, because: QueuedBecause): UnitLine {
  const { id, state, reason, stalled, resultFile } = unit;
  return {
    id,
    state: stalled ? `stalled(${stalledSeconds(stalled, Date.now())}s)` : state,
    reason: stalled ? null : reason,
    text: [nowText(run, unit, because), staleText(unit)].filter(Boolean).join(' '),
    result: hasResult(unit) && resultFile !== null ? pathInRun(run, resultFile) : null,
    log: verifyLogOf(run, unit),
  };
}

/** The same for a person's terminal. */
export function unitStatusRow(run: Run, unit: UnitView, because: QueuedBecause): BoardRow {
  const { id, state, stalled, reason, detail } = unit;
  const evidence = state === 'running' ? evidenceText(run, unit) : '';
  const ended = reason === null || reason === 'ok' ? '' : `${reason}: `;
  return {
    unit: id,
    state: stalled ? 'stalled' : state,
    tone: stalled ? 'warn' : TONES[state],
    elapsedMs: elapsedMs(unit),
    evidence,
    now: isFinalState(state)
      ? [
          `${ended}${(state === 'succeeded' && conclusionOf(run, unit)) || shortLine(detail)}`,
          staleText(unit),
        ]
          .join(' ')
          .trim()
      : stalled
        ? `no progress for ${stalledSeconds(stalled, Date.now())}s: ${shortLine(stalled.evidence)}`
        : queuedText(unit, because),
  };
}

const TONES: Record<UnitState, Tone> = {
  created: 'faint',
  queued: 'faint',
  dispatching: 'busy',
  running: 'busy',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'warn',
  interrupted: 'bad',
  blocked: 'warn',
};

/** null where no worker was started. */
function elapsedMs({ durationMs, startedAt }: UnitView): number | null {
  if (startedAt === null) return durationMs || null;
  return durationMs ?? Math.max(0, Date.now() - Date.parse(startedAt));
}

function nowText(run: Run, unit: UnitView, because: QueuedBecause): string {
  const { state, stalled, startedAt, durationMs, detail, tokenSum } = unit;
  if (state === 'running') {
    const time = startedAt === null ? '' : `for ${durationText(Date.now() - Date.parse(startedAt))}`;
    const evidence = stalled ? shortLine(stalled.evidence) : evidenceText(run, unit);
    return [time, evidence === '' ? '' : `last evidence: ${evidence}`].filter(Boolean).join(', ');
  }
  if (state === 'queued' || state === 'dispatching') {
    const why = because(unit);
    return [attemptText(unit), why === '' ? '' : `(${why})`].filter(Boolean).join(' ');
  }
  const said = (state === 'succeeded' && conclusionOf(run, unit)) || shortLine(detail);
  const time = durationMs === null ? '' : `after ${durationText(durationMs)}`;
  const used = tokenSum ? countOf(tokenSum.total, 'token') : '';
  return [[time, used].filter(Boolean).join(', '), said].filter(Boolean).join(': ');
}

function conclusionOf(run: Run, { resultFile, origin }: UnitView): string {
  return conclusionIn({ resultFile: resultFile && pathInRun(run, resultFile), origin });
}

function evidenceText(run: Run, { stateDir }: UnitView): string {
  const evidence = lastEvidence(stateDir === null ? null : pathInRun(run, stateDir), monotonicMs());
  return evidence ? `${evidence.kind} ${durationText(evidence.ageMs)} ago` : '';
}

function queuedText(unit: UnitView, because: QueuedBecause): string {
  if (unit.state !== 'queued' && unit.state !== 'dispatching') return '';
  return [attemptText(unit), because(unit)].filter(Boolean).join(', ');
}

function attemptText({ attempt }: UnitView): string {
  return attempt > 1 ? `attempt ${attempt}` : '';
}

function staleText({ staleParents }: UnitView): string {
  if (staleParents.length === 0) return '';
  return `(stale: ${staleParents.slice(0, STALE_NAMED).join(', ')} changed since)`;
}
