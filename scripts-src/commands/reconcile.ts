import { EXIT, usageError } from '../platform/errors.ts';
import { type FlagValues, readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { type Decision, type DecisionWord, readDecisions, recordDecisions } from '../run/decisions.ts';
import { type Reconciled, reconcileRun } from '../run/reconcile.ts';
import { requireHome } from '../run/require-home.ts';
import { type RunView, viewRun } from '../run/run-view.ts';
import { RECONCILE_HELP } from './reconcile-arguments.ts';
import { reconcileReport } from './reconcile-report.ts';
import { runOfFlags, unitsOfFlag } from './run-of-flags.ts';

/** `prun reconcile`: whether a run is one whole set of results. */
export async function reconcile(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, {
    values: ['--run', '--accept', '--without', '--reopen', '--state-home'],
    switches: ['--json'],
  });
  if (flags.help) {
    process.stdout.write(RECONCILE_HELP);
    return EXIT.ok;
  }
  const { run, command } = runOfFlags(flags, 'reconcile');
  const isDecided = DECISIONS.some(({ flag }) => flags.values.has(flag));
  if (isDecided) requireHome(run);
  // What a dead supervisor left open is settled first.
  await ensureSupervisor(await currentHost(), run);
  const view = viewRun(run);
  const told = decidedBy(view, flags);
  const before = reconcileRun(view, command, readDecisions(view));
  const { decisions, notes } = decisionsOf(view, before, told);
  if (decisions.length > 0) recordDecisions(run, decisions);
  const result = isDecided ? reconcileRun(view, command, readDecisions(view)) : before;
  const text = flags.switches.has('--json')
    ? `${JSON.stringify({ ...result, notes }, null, 2)}\n`
    : reconcileReport(result, notes, command);
  process.stdout.write(text);
  return result.reconciled ? EXIT.ok : EXIT.notReconciled;
}

const DECISIONS = [
  { flag: '--accept', decision: 'accept' },
  { flag: '--without', decision: 'without' },
  { flag: '--reopen', decision: 'none' },
] as const;

/** What the flags decide, each unit once. Throws a usage error where two of them name the same unit. */
function decidedBy(view: RunView, flags: FlagValues): Map<string, DecisionWord> {
  const told = new Map<string, DecisionWord>();
  for (const { flag, decision } of DECISIONS) {
    for (const unit of unitsOfFlag(view, flags, flag)) {
      const other = DECISIONS.find((one) => one.decision === told.get(unit));
      if (other) {
        throw usageError(
          `${unit} is named by ${other.flag} and by ${flag}`,
          'decide: --accept takes what it did, --without takes it out of the set, --reopen takes either back',
        );
      }
      told.set(unit, decision);
    }
  }
  return told;
}

/**
 * What is to be recorded. An accept holds for what is in doubt now: one of a unit that still runs, or that is well, would
 * accept what nobody has seen.
 */
function decisionsOf(
  view: RunView,
  { units }: Reconciled,
  told: ReadonlyMap<string, DecisionWord>,
): { decisions: Decision[]; notes: string[] } {
  const decisions: Decision[] = [];
  const notes: string[] = [];
  // One that was left out until now has not been looked at.
  const known = new Map(units.map((unit) => [unit.id, unit]));
  for (const [unit, decision] of told) {
    const attempt = view.units.get(unit)?.attempt ?? 0;
    if (decision !== 'accept') decisions.push({ unit, attempt, decision });
    else {
      const found = known.get(unit);
      if (found?.acceptable) {
        decisions.push({ unit, attempt, decision, doubts: found.doubts.map(({ kind }) => kind) });
      } else if (found?.doubts.length === 0) notes.push(`${unit} was not accepted: nothing is in doubt about it`);
      else notes.push(`${unit} was not accepted: ${found?.doubts[0]?.what ?? 'it was never started'}`);
    }
  }
  return { decisions, notes };
}
