import { EXIT, usageError } from '../platform/errors.ts';
import { type FlagValues, readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import { stepsAfterFailures } from '../run/after-failure.ts';
import type { CommandText } from '../run/command-text.ts';
import {
  type Decision,
  type Decisions,
  type DecisionWord,
  readDecisions,
  recordDecisions,
} from '../run/decisions.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { isWell, type Reconciled, type ReconciledUnit, reconcileRun } from '../run/reconcile.ts';
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
  const { decisions, notes } = decisionsOf(view, command, told);
  if (decisions.length > 0) recordDecisions(run, decisions);
  const result = reconcileRun(view, command, readDecisions(view));
  const text = flags.switches.has('--json')
    ? `${JSON.stringify({ ...result, notes }, null, 2)}\n`
    : reconcileReport(result, notes, command, afterFailures(view, result, command));
  process.stdout.write(text);
  return result.reconciled ? EXIT.ok : EXIT.notReconciled;
}

/** The command that most of what has failed and is in doubt waits for; undefined where nothing has. */
function afterFailures(view: RunView, { units }: Reconciled, command: CommandText): string | undefined {
  const failed = units.filter(
    (unit) => !isWell(unit) && (unit.state === 'failed' || unit.state === 'interrupted'),
  );
  if (failed.length === 0) return undefined;
  const views = failed.flatMap(({ id }) => view.units.get(id) ?? []);
  const first = stepsAfterFailures(view, views, command).at(0)?.command;
  // Without a name nobody is retried about whom somebody has decided.
  return first?.startsWith('prun retry ') ? command('retry') : first;
}

const DECISIONS = [
  { flag: '--accept', decision: 'accept' },
  { flag: '--without', decision: 'without' },
  { flag: '--reopen', decision: 'none' },
] as const;

const NO_DECISIONS: Decisions = { accept: new Set(), without: new Set() };

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
  command: CommandText,
  told: ReadonlyMap<string, DecisionWord>,
): { decisions: Decision[]; notes: string[] } {
  const decisions: Decision[] = [];
  const notes: string[] = [];
  const isAnyAccepted = [...told.values()].includes('accept');
  const units = isAnyAccepted ? reconcileRun(view, command, NO_DECISIONS).units : [];
  for (const [unit, decision] of told) {
    const attempt = view.units.get(unit)?.attempt ?? 0;
    const found = units.find(({ id }) => id === unit);
    if (decision !== 'accept') decisions.push({ unit, attempt, decision });
    else if (found?.acceptable) {
      decisions.push({ unit, attempt, decision, doubts: found.doubts.map(({ kind }) => kind) });
    } else notes.push(`${unit} is not accepted: ${whyNot(found)}`);
  }
  return { decisions, notes };
}

function whyNot(unit: ReconciledUnit | undefined): string {
  if (!unit) return 'it was never started';
  return unit.doubts.length === 0
    ? 'nothing is in doubt about it'
    : 'there is nothing yet that could be taken';
}
