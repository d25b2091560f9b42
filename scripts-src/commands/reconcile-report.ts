import type { CommandText } from '../run/command-text.ts';
import { isWell, type Reconciled, type ReconciledUnit } from '../run/reconcile.ts';
import { isFinalState } from '../run/run-view.ts';
import { evidenceText } from '../run/views/evidence-of.ts';
import { fewLines } from './few-lines.ts';

/**
 * What `prun reconcile` prints: one line for the run, one for each unit in doubt, and what to do next. `afterFailures`: the
 * command that helps what has failed.
 */
export function reconcileReport(
  result: Reconciled,
  notes: readonly string[],
  command: CommandText,
  afterFailures: string | undefined,
): string {
  const inDoubt = result.units.filter((unit) => !isWell(unit));
  const accepted = result.units.filter(({ accepted: isAccepted }) => isAccepted);
  const head = `${result.reconciled ? 'RECONCILED' : 'NOT-RECONCILED'} run=${result.run} ${figures(result, inDoubt.length)}`;
  const lines = [
    ...inDoubt.map(doubtLine),
    ...accepted.map(({ id, doubts }) => `ACCEPTED ${id} ${whatOf(doubts)}`),
    ...(result.leftOut.length > 0 ? [`LEFT-OUT ${result.leftOut.join(' ')}`] : []),
    ...(result.neverStarted.length > 0 ? [`NEVER-STARTED ${result.neverStarted.join(' ')}`] : []),
  ];
  const tail = [
    ...few(notes).map((note) => `NOTE ${note}`),
    ...(inDoubt.some(({ state }) => isFinalState(state))
      ? [
          'NOTE what you have read and take as it is: --accept UNIT; what you take out of the set: --without UNIT',
        ]
      : []),
    ...nextOf(result, inDoubt, command, afterFailures).map((next) => `NEXT ${next}`),
  ];
  const validation = result.validation ? [`VALIDATION ${evidenceText(result.validation)}`] : [];
  return fewLines([head, ...validation], lines, tail, command('reconcile', '--json'), LINE_CHARS);
}

function figures({ units, leftOut, neverStarted }: Reconciled, inDoubt: number): string {
  const accepted = units.filter((unit) => unit.accepted).length;
  const rare: [string, number][] = [
    ['in-doubt', inDoubt],
    ['accepted', accepted],
    ['left-out', leftOut.length],
    ['never-started', neverStarted.length],
  ];
  const deltas = units.filter(({ deltaFiles }) => (deltaFiles ?? 0) > 0).length;
  const some = rare.filter(([, count]) => count > 0).map(([name, count]) => `${name}=${count}`);
  return [`units=${units.length}`, `deltas=${deltas}`, ...some].join(' ');
}

function doubtLine({ id, state, reason, doubts }: ReconciledUnit): string {
  const why = reason === null || reason === 'ok' || reason === state ? '' : `(${reason})`;
  return `UNIT ${id} ${state}${why} ${whatOf(doubts)}: ${doubts[0]?.next ?? ''}`;
}

/** The command stands at the end of the line and must not be cut away, nor a path before it. */
const LINE_CHARS = 2000;
/** What is wrong, without the path in it. */
const MAX_WHAT = 220;

/** The first doubt, and as many of the others as there is room for. */
function whatOf(doubts: ReconciledUnit['doubts']): string {
  const [first = '', ...others] = doubts.map(shortWhat);
  let text = first;
  for (const other of others) {
    if (text.length + other.length > MAX_WHAT) return `${text}; …`;
    text = `${text}; ${other}`;
  }
  return text;
}

/** What is wrong, cut where no path is. */
function shortWhat({ what, place }: ReconciledUnit['doubts'][number]): string {
  const at = place === undefined ? -1 : what.indexOf(place);
  if (place === undefined || at < 0) return cut(what, MAX_WHAT);
  return `${cut(what.slice(0, at), MAX_WHAT)}${place}${cut(what.slice(at + place.length), MAX_WHAT)}`;
}

function cut(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

const MAX_NOTES = 5;

function few(notes: readonly string[]): string[] {
  const more = notes.length - MAX_NOTES;
  return [
    ...notes.slice(0, MAX_NOTES),
    ...(more > 0 ? [`${more} more are not accepted either: --json`] : []),
  ];
}

/** One command: the one that most of what is in doubt waits for. */
function nextOf(
  result: Reconciled,
  inDoubt: readonly ReconciledUnit[],
  command: CommandText,
  afterFailures: string | undefined,
): string[] {
  if (result.units.length === 0) return [command('start')];
  if (inDoubt.some(({ state }) => !isFinalState(state))) return [command('wait')];
  if (afterFailures !== undefined) return [afterFailures];
  if (inDoubt.length > 0) return [];
  const isThereToApply =
    result.workspaces !== null && result.units.some(({ deltaFiles }) => (deltaFiles ?? 0) > 0);
  return isThereToApply ? [command('conflicts')] : [];
}
