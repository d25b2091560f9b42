import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue, readFlags } from '../platform/read-flags.ts';

/** What `prun cleanup` prints for --help. */
export const CLEANUP_HELP = `usage: prun cleanup <clone>… [flags]
       prun cleanup --run ID [--unit UNIT]… [flags]
       prun cleanup --older-than AGE [flags]

Removes clones. First the delta of each is collected and archived: record, patch, and both trees in the run's store, so
that conflicts and apply still work. A clone is left alone while a unit runs in it, and where its delta cannot hold
everything (LOST lines of prun collect). Ignored files are not part of a delta: they go.

Of a run (prun run, prun init) results, prompts, ledger, outputs, outcomes, events and patches stay, whatever goes. Nothing
outside of the run is touched.

  --run ID           all units of the run, or those that --unit names
  --unit UNIT        with --run (repeat it)
  --older-than AGE   all runs and sets of clones in which nothing has happened for so long: 14d, 12h, 2w
  --drop-worktrees   of a run also worktrees, branches prun/<run>/…, the integration worktree, and at the end the store;
                     what holds changes that no prun apply has taken is left alone without --force
  --everything       of a run all that there is, reports, results and patches too; left alone without --force where
                     something is in doubt (prun reconcile), or a delta was not applied; --all is the same
  --force            also where something is lost or holds changes, or where the delta cannot be taken; units that still
                     run are cancelled first. What can be archived is archived first
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             what was done as JSON

exit: 0 removed; 2 wrong arguments; 30 something was left alone; 34 no supervisor could be made to cancel a unit
`;

/** The parsed command line of `prun cleanup`. */
export interface CleanupArguments {
  flags: FlagValues;
  force: boolean;
  dropWorktrees: boolean;
  all: boolean;
  json: boolean;
  /** ms; undefined without --older-than. */
  olderThanMs: number | undefined;
}

/** What is to go of a run. */
export type CleanupWish = Pick<CleanupArguments, 'force' | 'dropWorktrees' | 'all'> & {
  /** Units; empty for the whole run. */
  units: readonly string[];
};

/** Reads the command line of `prun cleanup`; undefined when help was asked for. */
export function parseCleanup(argv: readonly string[]): CleanupArguments | undefined {
  const flags = readFlags(argv, {
    values: ['--run', '--unit', '--older-than', '--state-home'],
    switches: ['--force', '--drop-worktrees', '--all', '--everything', '--json'],
  });
  if (flags.help) return undefined;
  const age = lastValue(flags, '--older-than');
  for (const flag of ['--drop-worktrees', '--all', '--everything']) {
    if (!flags.switches.has(flag) || flags.values.has('--run') || age !== undefined) continue;
    throw usageError(`${flag} needs --run`, 'name the run with --run');
  }
  if (
    age !== undefined &&
    (flags.values.has('--run') || flags.values.has('--unit') || flags.operands.length > 0)
  ) {
    throw usageError('--older-than is given with a run or a clone', 'give one or the other');
  }
  return {
    flags,
    force: flags.switches.has('--force'),
    dropWorktrees: flags.switches.has('--drop-worktrees'),
    all: flags.switches.has('--all') || flags.switches.has('--everything'),
    json: flags.switches.has('--json'),
    olderThanMs: age === undefined ? undefined : ageMs(age),
  };
}

const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function ageMs(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  const factor = UNITS_MS[unit];
  if (factor !== undefined) return Number(count) * factor;
  throw usageError(
    `--older-than is ${JSON.stringify(text.slice(0, 40))}`,
    'give a number with h, d or w, such as 14d',
  );
}
