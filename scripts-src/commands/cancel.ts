import { EXIT, PrunError } from '../platform/errors.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { wholeSeconds } from '../platform/whole-seconds.ts';
import { currentHost } from '../process/host.ts';
import { durationText } from '../render/figures.ts';
import { askSupervisor } from '../run/ask-supervisor.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { requireHome } from '../run/require-home.ts';
import { isFinalState, type RunView, type UnitView, viewRun } from '../run/run-view.ts';
import { untilEnded } from '../run/until-ended.ts';
import { readOutcome } from '../unit/read-records.ts';
import type { OutcomeRecord } from '../unit/records.ts';
import { fewLines } from './few-lines.ts';
import { type NamedRun, runOfFlags, unitsOfFlag } from './run-of-flags.ts';

/** What `prun cancel --help` prints. */
export const CANCEL_HELP = `usage: prun cancel --run ID [--unit UNIT]… [flags]

Ends units of a run, or all of it: each worker is asked to end, and after the grace ended with everything that it started.
What it has done so far stays: result or FALLBACK, output, delta. Units that were not started yet are never started. Prints
a line for each unit when it is gone; a unit that was over already is left as it is.

  --run ID           the run
  --unit UNIT        only this unit (repeat it)
  --grace S          seconds between the request and the end (default 10)
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             what became of each unit as JSON

exit: 0 they are gone; 2 wrong arguments; 30 a process of one could not be ended; 34 no supervisor could be made to do it
`;

/** An answer takes a look of the supervisor, and its start where there was none, ms. */
const ANSWER_MS = 60_000;
/** Salvage and the collecting of deltas come after the end of the worker, ms. */
const SETTLE_MS = 120_000;

interface Cancelled {
  id: string;
  state: string;
  reason: string | null;
  /** Whether this call ended it. */
  cancelled: boolean;
  detail: string;
  result: string | null;
  survivors: OutcomeRecord['survivors'];
}

/** `prun cancel`: units are gone when it returns. */
export async function cancel(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, {
    values: ['--run', '--unit', '--grace', '--state-home'],
    switches: ['--json'],
  });
  if (flags.help) {
    process.stdout.write(CANCEL_HELP);
    return EXIT.ok;
  }
  const named = runOfFlags(flags, 'cancel');
  requireHome(named.run);
  const view = viewRun(named.run);
  const units = unitsOfFlag(view, flags);
  const graceSeconds = wholeSeconds(lastValue(flags, '--grace') ?? '10', '--grace');
  const wanted = units.length > 0 ? units : [...view.units.keys()];
  const results = await cancelUnits(named, view, wanted, graceSeconds);
  if (flags.switches.has('--json')) {
    process.stdout.write(`${JSON.stringify({ run: named.run.record.id, units: results }, null, 2)}\n`);
  } else process.stdout.write(report(named, results, units.length > 0));
  return results.some(({ survivors }) => survivors.length > 0) ? EXIT.unitFailed : EXIT.ok;
}

/** Ends those of the units that are not over, and waits until they are gone. Throws PrunError (exit 34). */
export async function cancelUnits(
  { run, command }: NamedRun,
  view: RunView,
  wanted: readonly string[],
  graceSeconds: number,
): Promise<Cancelled[]> {
  const host = await currentHost();
  const open = wanted.filter((id) => isOpen(view.units.get(id)));
  const refused = new Map<string, string>();
  if (open.length > 0) {
    // The whole run at once takes in what is queued while this is asked.
    const isWhole = wanted.length === view.units.size;
    const answer = await askSupervisor(
      host,
      run,
      { type: 'cancel', units: isWhole ? null : open, graceSeconds },
      ANSWER_MS,
    );
    for (const { unit, why } of answer.refused) refused.set(unit, why);
    const left = await untilEnded(view, {
      units: open.filter((id) => !refused.has(id)),
      limitMs: graceSeconds * 1000 + SETTLE_MS,
      ensure: () => ensureSupervisor(host, run),
    });
    if (left.length > 0) {
      throw new PrunError(
        'E_NOT_GONE',
        `${left.slice(0, 5).join(', ')} ${left.length === 1 ? 'is' : 'are'} not gone after ${durationText(graceSeconds * 1000 + SETTLE_MS)}`,
        `see ${command('debug')}`,
        EXIT.supervisorLost,
      );
    }
  }
  return wanted.map((id) => cancelledUnit(view.units.get(id), id, open.includes(id), refused.get(id)));
}

/** A blocked unit would go on when its parent is well. */
function isOpen(unit: UnitView | undefined): boolean {
  return unit !== undefined && (!isFinalState(unit.state) || unit.state === 'blocked');
}

function cancelledUnit(
  unit: UnitView | undefined,
  id: string,
  wasOpen: boolean,
  refused: string | undefined,
): Cancelled {
  const outcome = unit?.stateDir ? readOutcome(unit.stateDir) : undefined;
  const state =
    outcome && !isFinalState(unit?.state ?? 'created') ? outcome.status : (unit?.state ?? 'created');
  return {
    id,
    state,
    reason: outcome?.reason ?? unit?.reason ?? null,
    cancelled: wasOpen && state === 'cancelled',
    detail: refused ?? outcome?.detail ?? unit?.detail ?? '',
    result: outcome?.result?.path ?? null,
    survivors: outcome?.survivors ?? [],
  };
}

function report({ run, command }: NamedRun, results: readonly Cancelled[], areNamed: boolean): string {
  const ended = results.filter(({ cancelled }) => cancelled);
  const alive = results.filter(({ survivors }) => survivors.length > 0);
  // Of a whole run those that were over long ago are no news.
  const shown = areNamed ? results : results.filter((one) => one.cancelled || alive.includes(one));
  const head = `CANCELLED run=${run.record.id} units=${ended.length} over-already=${results.length - ended.length}`;
  return fewLines([head], shown.map(unitLine), [], command('status'));
}

function unitLine({ id, state, reason, cancelled, detail, result, survivors }: Cancelled): string {
  const why = reason === null || reason === 'ok' || reason === state ? '' : `(${reason})`;
  const over = cancelled ? '' : ' (over already)';
  const alive = survivors.map(({ pid, command }) => `${pid} ${command}`).join(', ');
  const rest = alive === '' ? detail : `STILL ALIVE: ${alive}`;
  return `UNIT ${id} ${state}${why}${over} ${rest}${result === null ? '' : ` result=${result}`}`;
}
