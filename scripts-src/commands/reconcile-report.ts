import type { CommandText } from '../run/command-text.ts';
import { isWell, type Reconciled, type ReconciledUnit } from '../run/reconcile.ts';
import { isFinalState } from '../run/run-view.ts';
import { evidenceText } from '../run/views/evidence-of.ts';
import { fewLines } from './few-lines.ts';

/** What `prun reconcile` prints: one line for the run, one for each unit in doubt, and what to do next. */
export function reconcileReport(result: Reconciled, notes: readonly string[], command: CommandText): string {
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
    ...nextOf(result, inDoubt, command).map((next) => `NEXT ${next}`),
  ];
  const validation = result.validation ? [`VALIDATION ${evidenceText(result.validation)}`] : [];
  return fewLines([head, ...validation], lines, tail, command('reconcile', '--json'));
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

/** The command stands at the end of the line and must not be cut away. */
const MAX_WHAT = 220;

function whatOf(doubts: ReconciledUnit['doubts']): string {
  const text = doubts.map(({ what }) => what.replace(/\s+/g, ' ')).join('; ');
  return text.length > MAX_WHAT ? `${text.slice(0, MAX_WHAT - 1)}…` : text;
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
function nextOf(result: Reconciled, inDoubt: readonly ReconciledUnit[], command: CommandText): string[] {
  if (result.units.length === 0) return [command('start')];
  if (inDoubt.some(({ state }) => !isFinalState(state))) return [command('wait')];
  // Without a name nobody is retried about whom somebody has decided.
  if (inDoubt.some(({ state }) => state === 'failed' || state === 'interrupted')) return [command('retry')];
  if (inDoubt.length > 0) return [];
  const isThereToApply =
    result.workspaces !== null && result.units.some(({ deltaFiles }) => (deltaFiles ?? 0) > 0);
  return isThereToApply ? [command('conflicts')] : [];
}
