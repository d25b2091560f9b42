import path from 'node:path';
import { printedName } from '../../unit/printed-name.ts';
import { RUN_BREAKER } from '../breaker-of-unit.ts';
import type { Run } from '../run-folder.ts';
import type { RunView, UnitView } from '../run-view.ts';
import { tokensOfRun, tokensText } from '../token-sums.ts';
import { type BreakerFacts, breakerFacts } from './breaker-text.ts';
import { countsText, countUnits } from './counts.ts';
import { evidenceOfRun, evidenceText } from './evidence-of.ts';
import { hasResult, placesIn, type UnitPlaces } from './unit-places.ts';
import { shortLine } from './unit-text.ts';

const COLUMNS = [
  'unit',
  'executor',
  'mode',
  'status',
  'reason',
  'attempt',
  'start',
  'end',
  'tokens',
  'prompt file',
  'result file',
  'state dir',
  'clone',
  'session id',
] as const;
const NONE = '-';

/**
 * The text of `agent-io/ledger.md`: what the run is, and one row for each unit in the order in which they were added.
 * Reads nothing but the evidence of a validation, and is fast enough to be written again every second for 10,000 units.
 */
export function ledgerText(view: RunView): string {
  const { run } = view;
  const { record } = run;
  const counts = countUnits(view.units.values());
  const tokens = tokensOfRun(view);
  const evidence = evidenceOfRun(view);
  const head = [
    `# Run ${record.id}`,
    '',
    `A view of the run's files after event ${view.lastEvent}; they are the truth, and \`prun status --run ${record.id}\` reads them now.`,
    'Paths that do not begin at the root are below the folder.',
    '',
    `- Folder: ${printedName(run.folder)}`,
    `- Made: ${record.createdAt}`,
    ...(record.repository === null ? [] : [`- Repository: ${printedName(record.repository)}`]),
    ...(record.integration === null ? [] : [`- Integration: ${integrationText(record.integration)}`]),
    `- Units: ${counts.total} ${countsText(counts)}${view.isAllDone ? ' (all done)' : ''}`,
    ...(evidence === null ? [] : [`- Validation: ${safe(evidenceText(evidence))}`]),
    ...(tokens === null ? [] : [`- Tokens: ${tokensText(tokens)}`]),
    ...breakerFacts(view).map((breaker) => `- Breaker: ${safe(breakerLine(breaker))}`),
    '',
    row(COLUMNS),
    row(COLUMNS.map(() => '---')),
  ];
  const rows: string[] = [];
  const placesOf = placesIn(run);
  for (const unit of view.units.values()) rows.push(unitRow(run, unit, placesOf(unit)));
  return `${[...head, ...rows].join('\n')}\n`;
}

/** Without a reference to now: the ledger may be read much later. */
function breakerLine({ executor, reason, until, detail }: BreakerFacts): string {
  if (executor === RUN_BREAKER.executor) return detail;
  return `${executor} is open (${reason ?? 'unknown'}) until ${until ?? 'prun resume'}: ${shortLine(detail)}`;
}

function integrationText({ worktree, branch, baseRef, baseCommit }: NonNullable<Integration>): string {
  return `${printedName(worktree)} on ${branch}, from ${printedName(baseRef)} (${baseCommit.slice(0, 12)})`;
}

type Integration = Run['record']['integration'];

function unitRow(run: Run, unit: UnitView, places: UnitPlaces): string {
  const { spec } = unit;
  return row([
    unit.id,
    spec.executor,
    spec.mode,
    statusText(unit),
    unit.reason ?? NONE,
    unit.attempt === 0 ? NONE : String(unit.attempt),
    timeText(unit.startedAt),
    timeText(unit.endedAt),
    unit.tokenSum === null ? NONE : String(unit.tokenSum.total),
    placeText(run, places.promptFile),
    unit.endedAt !== null && !hasResult(unit) ? 'none' : placeText(run, places.resultFile),
    placeText(run, places.stateDir),
    placeText(run, places.workspace),
    unit.sessionId ?? NONE,
  ]);
}

function statusText({ state, stalled, staleParents }: UnitView): string {
  if (stalled) return `${state}, stalled`;
  return staleParents.length > 0 ? `${state}, stale` : state;
}

/** Wall time to the second. */
function timeText(at: string | null): string {
  return at === null ? NONE : at.replace(/\.\d+Z$/, 'Z');
}

/** Most paths lie below the run's folder, whose name would stand in every column. */
function placeText(run: Run, place: string | null): string {
  if (place === null) return NONE;
  const prefix = run.folder + path.sep;
  return place.startsWith(prefix) ? place.slice(prefix.length) : place;
}

function row(cells: readonly string[]): string {
  // One look for a whole row: hardly any holds what is unsafe.
  const shown = UNSAFE.test(cells.join('')) ? cells.map(safe) : cells;
  return `| ${shown.join(' | ')} |`;
}

/** What would end a cell or a line. */
const UNSAFE = /[|\p{Cc}\u2028\u2029]/u;

/** Backslashes stay as they are: coordinators read the text, and Windows paths are full of them. */
function safe(cell: string): string {
  return printedName(cell).replaceAll('|', '\\|');
}
