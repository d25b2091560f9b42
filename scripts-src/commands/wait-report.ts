import { EXIT } from '../platform/errors.ts';
import { durationText } from '../render/figures.ts';
import { boundedReport, type UnitLine } from '../render/run-lines.ts';
import { stepsAfterFailures } from '../run/after-failure.ts';
import { stuckIn } from '../run/breaker-of-unit.ts';
import type { CommandText } from '../run/command-text.ts';
import { readDecisions } from '../run/decisions.ts';
import { pathInRun } from '../run/path-in-run.ts';
import type { RunEvent } from '../run/records.ts';
import { ledgerFileOf, nameOfRun } from '../run/run-folder.ts';
import type { RunView, UnitView } from '../run/run-view.ts';
import { tokensJson, tokensOfRun } from '../run/token-sums.ts';
import type { WaitEnd } from '../run/views/await-causes.ts';
import { breakerFacts } from '../run/views/breaker-text.ts';
import { type Cause, gravest, type WakeEvent } from '../run/views/causes.ts';
import { countsText, countUnits, isAnyUnderWay, isUnderWay } from '../run/views/counts.ts';
import { verifyLogOf } from '../run/views/unit-places.ts';
import { conclusionIn, shortLine, stalledSeconds } from '../run/views/unit-text.ts';
import { afterBreaker, breakerLines } from './breaker-lines.ts';

/** What `prun wait` says in the end. */
export interface WaitReport {
  event: WakeEvent | 'timeout' | 'lost';
  lines: string[];
  json: Record<string, unknown>;
  exit: number;
}

/** Notes that have a line of their own; they are rare. */
const NOTES = 5;
/** Units that a command names. */
const NAMED = 5;

/** Puts the end of a wait into words: at most 40 lines. `units`: those that were waited for, empty for all. */
export function waitReport(end: WaitEnd, units: readonly string[], text: CommandText): WaitReport {
  const { view, causes } = end;
  const event = eventOf(end, units);
  const exit = exitOf(end, units);
  const counts = countUnits(view.units.values());
  const next = nextCommand(event, end, units, text);
  const first = causes.at(0)?.event.n;
  const span = first === undefined ? 'none' : `${first}-${causes.at(-1)?.event.n ?? first}`;
  const tokens = tokensOfRun(view);
  const used = event === 'all-done' && tokens ? ` tokens=${tokens.total}` : '';
  const head = `WAIT-EVENT ${event} run=${nameOfRun(view.run)} events=${span} ${countsText(counts)}${used}`;
  const notes = noteTexts(causes, end.why);
  const told = toldUnits(event, end, units).map((line) => ({
    ...line,
    result: line.result === null ? null : pathInRun(view.run, line.result),
    log: logOfUnit(view, line.id),
  }));
  const { lines, left } = boundedReport({
    head: [head, ...breakerLines(view, Date.now()), ...notes.map((note) => `NOTE ${note}`)],
    units: told,
    foot: [`NEXT ${next}`],
    rest: ledgerFileOf(view.run),
  });
  const json = {
    event,
    run: nameOfRun(view.run),
    exit,
    events: first === undefined ? null : { first, last: causes.at(-1)?.event.n },
    counts,
    tokens: tokensJson(tokens),
    units: told.slice(0, told.length - left),
    more: left,
    breakers: breakerFacts(view),
    notes,
    ledger: ledgerFileOf(view.run),
    next,
  };
  return { event, lines, json, exit };
}

function logOfUnit(view: RunView, id: string): string | null {
  const unit = view.units.get(id);
  return unit ? verifyLogOf(view.run, unit) : null;
}

function eventOf({ kind, causes, view }: WaitEnd, units: readonly string[]): WaitReport['event'] {
  if (kind === 'lost' || kind === 'timeout') return kind;
  if (kind === 'parked') return 'breaker';
  if (kind === 'over') return units.length === 0 ? 'all-done' : isAllGood(view, units) ? 'finish' : 'fail';
  return gravest(causes) ?? 'note';
}

/** DESIGN.md §6: of several ends the gravest decides, because a host shows only the code. */
function exitOf({ kind, causes, view }: WaitEnd, units: readonly string[]): number {
  if (kind === 'lost') return EXIT.supervisorLost;
  const has = (what: WakeEvent) => causes.some((cause) => cause.what === what);
  if (kind === 'parked' || has('breaker')) return EXIT.breakerOpen;
  const isOver = kind === 'over' || has('all-done');
  if (has('fail') || has('blocked') || (isOver && !isAllGood(view, units))) return EXIT.unitFailed;
  if (has('stall') || has('note')) return EXIT.stalled;
  return kind === 'timeout' ? EXIT.deadline : EXIT.ok;
}

/** Whether all of these units, or all that were started, have succeeded. */
function isAllGood(view: RunView, units: readonly string[]): boolean {
  const asked = units.length > 0 ? units.flatMap((id) => view.units.get(id) ?? []) : [...view.units.values()];
  return asked.every(({ state }) => state === 'succeeded' || (units.length === 0 && state === 'created'));
}

function noteTexts(causes: readonly Cause[], why: string): string[] {
  const notes = causes.flatMap(({ event }) => (event.type === 'note' ? [shortLine(event.text, 300)] : []));
  const shown = notes.slice(-NOTES);
  const left = notes.length - shown.length;
  return [
    ...(why === '' ? [] : [shortLine(why, 600)]),
    ...shown,
    ...(left > 0 ? [`${left} earlier notes are in the event log`] : []),
  ];
}

/** One line a unit: what happened, newest last word; at the end of a run how all of them stand, bad ones first. */
function toldUnits(event: WaitReport['event'], end: WaitEnd, units: readonly string[]): UnitLine[] {
  const { view, causes, kind } = end;
  if (event === 'all-done' || kind === 'over') {
    const asked =
      units.length > 0 ? units.flatMap((id) => view.units.get(id) ?? []) : [...view.units.values()];
    const started = asked.filter(({ state }) => state !== 'created');
    const bad = started.filter(({ state }) => state !== 'succeeded');
    return [...bad, ...started.filter(({ state }) => state === 'succeeded')].map(endedLine);
  }
  const newest = new Map<string, Extract<RunEvent, { unit: string }>>();
  for (const cause of causes) if ('unit' in cause.event) newest.set(cause.event.unit, cause.event);
  const lines = [...newest.values()].flatMap((told) => {
    const unit = view.units.get(told.unit);
    return unit ? [{ weight: WEIGHTS[told.type] ?? 9, line: eventLine(told, unit) }] : [];
  });
  return lines.sort((a, b) => a.weight - b.weight).map(({ line }) => line);
}

const WEIGHTS: Partial<Record<RunEvent['type'], number>> = { ended: 0, blocked: 1, stalled: 2 };

function eventLine(event: Extract<RunEvent, { unit: string }>, unit: UnitView): UnitLine {
  if (event.type !== 'ended') return unit.stalled ? stalledLine(unit) : endedLine(unit);
  const isGood = event.status === 'succeeded';
  const said = (isGood && conclusionIn(event)) || shortLine(event.detail);
  const isNewest = unit.attempt === event.attempt;
  return {
    id: unit.id,
    state: event.status,
    reason: event.reason,
    text: isNewest ? said : `attempt ${event.attempt}: ${said}; attempt ${unit.attempt} is ${unit.state}`,
    result: event.resultFile,
  };
}

function endedLine(unit: UnitView): UnitLine {
  const { id, state, reason, detail, resultFile, staleParents } = unit;
  const said = (state === 'succeeded' && conclusionIn(unit)) || shortLine(detail);
  const stale =
    staleParents.length > 0 ? ` (stale: ${staleParents.slice(0, NAMED).join(', ')} changed since)` : '';
  return { id, state, reason, text: `${said}${stale}`.trim(), result: resultFile };
}

/** Whether all that is under way waits for somebody. */
function isAllStuck(view: RunView): boolean {
  return [...view.units.values()].filter(({ state }) => isUnderWay(state)).every(stuckIn(view));
}

function stalledLine(unit: UnitView): UnitLine {
  const { id, stalled, startedAt } = unit;
  const seconds = stalled ? stalledSeconds(stalled, Date.now()) : 0;
  const since = startedAt ? `running for ${durationText(Date.now() - Date.parse(startedAt))}, ` : '';
  return {
    id,
    state: `stalled(${seconds}s)`,
    reason: null,
    text: `${since}last evidence: ${shortLine(stalled?.evidence ?? 'none')}`,
    result: null,
  };
}

function nextCommand(
  event: WaitReport['event'],
  { view, causes }: WaitEnd,
  units: readonly string[],
  text: CommandText,
): string {
  const wait = text('wait');
  const causedBy = (what: WakeEvent) => [
    ...new Set(
      causes.flatMap((cause) => (cause.what === what && 'unit' in cause.event ? [cause.event.unit] : [])),
    ),
  ];
  switch (event) {
    case 'all-done': {
      const { accept, without } = readDecisions(view);
      const bad = [...view.units.values()].filter(
        ({ id, state }) =>
          (state === 'failed' || state === 'interrupted') && !accept.has(id) && !without.has(id),
      );
      if (bad.length === 0) return text('reconcile');
      return helpAtRest(view, bad, text);
    }
    case 'fail': {
      const isBad = (id: string): boolean => view.units.get(id)?.state !== 'succeeded';
      const failed = causes.length > 0 ? causedBy('fail') : units.filter(isBad);
      const bad = failed.flatMap((id) => view.units.get(id) ?? []);
      if (!isAnyUnderWay(view)) return helpAtRest(view, bad, text);
      const help = stepsAfterFailures(view, bad, text).map(({ label, command }) => `${label}: ${command}`);
      return isAllStuck(view)
        ? `${afterBreaker(view, text)}; ${help.join('; ')}`
        : `${wait} (the others go on; ${help.join('; ')})`;
    }
    case 'blocked':
      return `${wait} (a retry of its parent unblocks it: ${text('retry')})`;
    case 'stall': {
      const [first = ''] = causedBy('stall');
      return `${text('logs', '--unit', first, '--tail', '20')} (then ${wait}, or ${text('cancel', '--unit', first)})`;
    }
    case 'breaker':
      return afterBreaker(view, text);
    case 'lost':
      return text('debug');
    default:
      return wait;
  }
}

/** What helps these units where nothing is under way, the first command as it is to be called. */
function helpAtRest(view: RunView, bad: readonly UnitView[], text: CommandText): string {
  const [first, ...others] = stepsAfterFailures(view, bad, text);
  const then = [
    ...others.map(({ label, command }) => `${label}: ${command}`),
    `then ${text('wait')}`,
    `what is in doubt: ${text('reconcile')}`,
  ];
  return `${first?.command ?? text('retry')} (${then.join('; ')})`;
}
