import { EXIT, usageError } from '../platform/errors.ts';
import { readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import { ensureSupervisor } from '../run/ensure-supervisor.ts';
import { reconcileRun } from '../run/reconcile.ts';
import { viewRun } from '../run/run-view.ts';
import { RECONCILE_HELP } from './reconcile-arguments.ts';
import { reconcileReport } from './reconcile-report.ts';
import { runOfFlags, unitsOfFlag } from './run-of-flags.ts';

/** `prun reconcile`: whether a run is one whole set of results. */
export async function reconcile(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv, {
    values: ['--run', '--accept', '--without', '--state-home'],
    switches: ['--json'],
  });
  if (flags.help) {
    process.stdout.write(RECONCILE_HELP);
    return EXIT.ok;
  }
  const { run, command } = runOfFlags(flags, 'reconcile');
  // What a dead supervisor left open is settled first.
  await ensureSupervisor(await currentHost(), run);
  const view = viewRun(run);
  const accept = new Set(unitsOfFlag(view, flags, '--accept'));
  const without = new Set(unitsOfFlag(view, flags, '--without'));
  const both = [...accept].find((unit) => without.has(unit));
  if (both !== undefined) {
    throw usageError(
      `${both} is named by --accept and by --without`,
      'decide: --accept takes what it did, --without takes it out of the set',
    );
  }
  const result = reconcileRun(view, command, { accept, without });
  const text = flags.switches.has('--json')
    ? `${JSON.stringify(result, null, 2)}\n`
    : reconcileReport(result, command);
  process.stdout.write(text);
  return result.reconciled ? EXIT.ok : EXIT.notReconciled;
}
