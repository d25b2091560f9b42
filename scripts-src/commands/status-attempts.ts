import { durationText } from '../render/figures.ts';
import { MOST_LINES } from '../render/run-lines.ts';
import type { Run } from '../run/run-folder.ts';
import type { UnitView } from '../run/run-view.ts';
import { type AttemptFacts, attemptFacts } from '../run/views/attempt-facts.ts';
import { shortLine } from '../run/views/unit-text.ts';
import { printedName } from '../unit/printed-name.ts';

/** Lines of a report that are not about attempts: RUN, LEDGER and what may follow. */
const OTHER_LINES = 6;

/**
 * A line for each attempt of the units that somebody named, oldest first, with its session and its state dir. What has no
 * room in the report is counted.
 */
export function attemptLines(run: Run, units: readonly UnitView[]): string[] {
  const all = units.flatMap(({ id }) => attemptFacts(run, id).map((facts) => attemptLine(id, facts)));
  const room = Math.max(0, MOST_LINES - OTHER_LINES - units.length);
  if (all.length <= room) return all;
  const shown = room > 1 ? all.slice(-(room - 1)) : [];
  return [`… and ${all.length - shown.length} earlier attempts: --json has them`, ...shown];
}

function attemptLine(unit: string, facts: AttemptFacts): string {
  const { attempt, status, reason, detail, sessionId, isResumed, stateDir, durationMs } = facts;
  const time = durationMs ? `after ${durationText(durationMs)}` : '';
  const said = reason === 'ok' ? '' : shortLine(detail);
  return [
    `ATTEMPT ${unit} ${attempt} ${status}${reason === null || reason === 'ok' ? '' : `(${reason})`}`,
    [time, said].filter(Boolean).join(': '),
    ...(sessionId === null ? [] : [`session=${sessionId}${isResumed ? ' (resumed)' : ''}`]),
    ...(stateDir === null ? [] : [`dir=${printedName(stateDir)}`]),
  ]
    .filter(Boolean)
    .join(' ');
}
