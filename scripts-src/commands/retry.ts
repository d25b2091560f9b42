import { EXIT, usageError } from '../platform/errors.ts';
import { readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import { askSupervisor } from '../run/ask-supervisor.ts';
import { readDecisions } from '../run/decisions.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { requireHome } from '../run/require-home.ts';
import { isRetriedUnnamed, whyNotRetried } from '../run/retryable.ts';
import { isFinalState, type RunView, type UnitView, viewRun } from '../run/run-view.ts';
import { doubtsOf } from '../run/unit-doubts.ts';
import { readUnitFacts, setFolderOf } from '../run/unit-facts.ts';
import { readSet } from '../workspace/workspace-set.ts';
import { ANSWER_MS, environmentFor, NOTHING, type Requeued, refuseNamed, requeueReport } from './requeue.ts';
import { type NamedRun, runOfFlags, unitsOfFlag } from './run-of-flags.ts';

/** What `prun retry --help` prints. */
export const RETRY_HELP = `usage: prun retry --run ID [--unit UNIT]… [flags]

Gives units a fresh attempt in the same row of the ledger. Earlier attempts stay, with their results, outputs and deltas;
a unit in a clone starts in a new one. Units that were built on an older result of a retried one are named as stale.
Without --unit: all that failed, were interrupted, or have no valid result, but for those that prun reconcile was told to
accept or to leave out. Returns at once. prun resume lets the same worker go on instead.

  --run ID           the run
  --unit UNIT        only this unit, a cancelled or a stale one too (repeat it)
  --all-failed       what is done without --unit
  --force            also a unit that has succeeded
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             what was asked for as JSON

exit: 0 they are queued, or there is nothing to retry; 2 wrong arguments, or a named unit is not to be retried; 30 the
supervisor refused one; 34 no supervisor could be made to do it
`;

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
  const answer: Requeued =
    wanted.length === 0
      ? NOTHING
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
  } else {
    const line = (id: string): string => unitLine(view.units.get(id), id);
    process.stdout.write(requeueReport('RETRY', named, answer, line, () => nothingText(view)));
  }
  return refused.length > 0 ? EXIT.unitFailed : EXIT.ok;
}

/** Throws a usage error where one of the named units is not to be retried: then none is. */
function checkedUnits(named: NamedRun, view: RunView, units: readonly string[], force: boolean): string[] {
  const judged = judgeUnits(named, view, units);
  const against = judged.flatMap(({ id, facts, doubts }) => {
    const why = whyNotRetried(facts, doubts, force);
    return why === undefined ? [] : [{ id, why }];
  });
  refuseNamed('retried', against, units.length);
  return [...units];
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
