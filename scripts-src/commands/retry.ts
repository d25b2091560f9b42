import { EXIT, usageError } from '../platform/errors.ts';
import { readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import { askSupervisor } from '../run/ask-supervisor.ts';
import { readDecisions } from '../run/decisions.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { keepEnvironment } from '../run/keep-environment.ts';
import type { RequestAnswer } from '../run/records.ts';
import { requireHome } from '../run/require-home.ts';
import { isRetriedUnnamed, whyNotRetried } from '../run/retryable.ts';
import { isFinalState, type RunView, type UnitView, viewRun } from '../run/run-view.ts';
import { doubtsOf } from '../run/unit-doubts.ts';
import { readUnitFacts, setFolderOf } from '../run/unit-facts.ts';
import { readSet } from '../workspace/workspace-set.ts';
import { fewLines } from './few-lines.ts';
import { type NamedRun, runOfFlags, unitsOfFlag } from './run-of-flags.ts';

/** What `prun retry --help` prints. */
export const RETRY_HELP = `usage: prun retry --run ID [--unit UNIT]… [flags]

Gives units a fresh attempt in the same row of the ledger. Earlier attempts stay, with their results, outputs and deltas;
a unit in a clone starts in a new one. Units that were built on an older result of a retried one are named as stale.
Without --unit: all that failed, were interrupted, or have no valid result, but for those that prun reconcile was told to
accept or to leave out. Returns at once.

  --run ID           the run
  --unit UNIT        only this unit, a cancelled or a stale one too (repeat it)
  --all-failed       what is done without --unit
  --force            also a unit that has succeeded
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             what was asked for as JSON

exit: 0 they are queued, or there is nothing to retry; 2 wrong arguments, or a named unit is not to be retried; 30 the
supervisor refused one; 34 no supervisor could be made to do it
`;

const ANSWER_MS = 60_000;
const MAX_REFUSED = 5;

/** `prun retry`: fresh attempts for what did not end well. */
export async function retry(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, {
    values: ['--run', '--unit', '--state-home'],
    switches: ['--all-failed', '--force', '--json'],
  });
  if (flags.help) {
    process.stdout.write(RETRY_HELP);
    return EXIT.ok;
  }
  if (flags.switches.has('--all-failed') && flags.values.has('--unit')) {
    throw usageError('--all-failed and --unit are both given', 'leave one of them out');
  }
  if (flags.switches.has('--force') && !flags.values.has('--unit')) {
    throw usageError('--force needs --unit', 'name the units that have succeeded and are to be run again');
  }
  const named = runOfFlags(flags, 'retry');
  requireHome(named.run);
  const host = await currentHost();
  // What a dead supervisor left open is settled first.
  await ensureSupervisor(host, named.run);
  const view = viewRun(named.run);
  const units = unitsOfFlag(view, flags);
  const wanted =
    units.length > 0
      ? checkedUnits(named, view, units, flags.switches.has('--force'))
      : failedUnits(named, view);
  const answer: Pick<RequestAnswer, 'units' | 'refused'> =
    wanted.length === 0
      ? { units: [], refused: [] }
      : await askSupervisor(
          host,
          named.run,
          { type: 'retry', units: wanted, environment: environmentFor(view, wanted) },
          ANSWER_MS,
        );
  const { units: queued, refused } = answer;
  if (flags.switches.has('--json')) {
    const facts = { run: named.run.record.id, units: queued, refused };
    process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
  } else process.stdout.write(report(named, view, queued, refused));
  return refused.length > 0 ? EXIT.unitFailed : EXIT.ok;
}

/** The caller's of now, with what the units' workers are allowed to see of it. */
function environmentFor(view: RunView, units: readonly string[]): string {
  const names = new Set(units.flatMap((id) => view.units.get(id)?.spec.passEnv ?? []));
  return keepEnvironment(view.run, process.env, [...names]);
}

/** Throws a usage error where one of the named units is not to be retried: then none is. */
function checkedUnits(named: NamedRun, view: RunView, units: readonly string[], force: boolean): string[] {
  const judged = judgeUnits(named, view, units);
  const refused = judged.flatMap(({ id, facts, doubts }) => {
    const why = whyNotRetried(facts, doubts, force);
    return why === undefined ? [] : [`${id}: ${why}`];
  });
  if (refused.length === 0) return [...units];
  const more = refused.length > MAX_REFUSED ? `; and ${refused.length - MAX_REFUSED} more` : '';
  throw usageError(
    `not to be retried: ${refused.slice(0, MAX_REFUSED).join('; ')}${more}`,
    'nothing was retried: leave them out',
  );
}

function failedUnits(named: NamedRun, view: RunView): string[] {
  const { accept, without } = readDecisions(view);
  const open = [...view.units.keys()].filter((id) => !accept.has(id) && !without.has(id));
  const judged = judgeUnits(named, view, open);
  return judged.filter(({ facts, doubts }) => isRetriedUnnamed(facts, doubts)).map(({ id }) => id);
}

function judgeUnits({ run, command }: NamedRun, view: RunView, units: readonly string[]) {
  const set = readSet(setFolderOf(run));
  return units.flatMap((id) => {
    const unit: UnitView | undefined = view.units.get(id);
    if (!unit) return [];
    const facts = readUnitFacts(view, unit, set);
    return [{ id, facts, doubts: doubtsOf(facts, command) }];
  });
}

function report(
  { run, command }: NamedRun,
  view: RunView,
  queued: readonly string[],
  refused: RequestAnswer['refused'],
): string {
  const head = `RETRY run=${run.record.id} units=${queued.length}${refused.length > 0 ? ` refused=${refused.length}` : ''}`;
  const lines = [
    ...refused.map(({ unit, why }) => `REFUSED ${unit} ${why}`),
    ...queued.map((id) => unitLine(view.units.get(id), id)),
  ];
  if (queued.length === 0 && refused.length === 0) lines.push(`NOTE ${nothingText(view)}`);
  return fewLines([head], lines, queued.length > 0 ? [`NEXT ${command('wait')}`] : [], command('status'));
}

function nothingText(view: RunView): string {
  const { accept, without } = readDecisions(view);
  const isDecided = ({ id }: UnitView): boolean => accept.has(id) || without.has(id);
  const units = [...view.units.values()];
  const open = units.filter(({ state }) => state !== 'created' && !isFinalState(state)).length;
  const cancelled = units.filter((unit) => unit.state === 'cancelled' && !isDecided(unit)).length;
  const decided = units.filter(isDecided).length;
  const soFar = open > 0 ? `nothing has failed so far, still open: ${open}` : 'nothing has failed';
  const more = [
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    ...(decided > 0 ? [`${decided} accepted or left out`] : []),
  ];
  if (more.length === 0) return soFar;
  const isOne = cancelled + decided === 1;
  return `${soFar}; ${more.join(' and ')} ${isOne ? 'unit is' : 'units are'} retried by name only: --unit`;
}

function unitLine(unit: UnitView | undefined, id: string): string {
  const isSession = unit?.spec.executor === 'session';
  const todo = isSession ? ': start its subagent again' : '';
  return `UNIT ${id} queued attempt=${(unit?.attempt ?? 0) + 1}${todo}`;
}
