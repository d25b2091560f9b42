import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue, readFlags } from '../platform/read-flags.ts';
import { stateHome } from '../platform/state-home.ts';

/** What `prun apply` was asked. */
export interface ApplyOptions {
  help: boolean;
  json: boolean;
  check: boolean;
  index: boolean;
  /** Absolute paths in the order given; none with a run. */
  patches: string[];
  run: string | undefined;
  units: string[];
  /** Absolute. */
  to: string;
  /** Absolute. */
  stateHome: string;
  /** Whether an apply is to be undone, and which: the newest one without an id. */
  undo: { id: string | undefined } | undefined;
}

/** Text of `prun apply --help`. */
export const APPLY_HELP = `usage: prun apply [flags] <patch>... --to TREE
       prun apply [flags] --run NAME [--unit U]... --to TREE
       prun apply --undo [ID] --to TREE

Puts collected deltas into the working tree TREE, all of them or nothing: three-way merges on top of what is there now,
also on top of unfinished work. Nothing is added, committed or fetched. What a SIGKILL interrupts is rolled back by the
next prun apply on TREE.

  APPLIED N files=N             N deltas are in, empty ones not counted (WOULD-APPLY with --check; EMPTY: there was nothing
                                to change)
  A|M|D <path>                  added, modified, deleted; at most 40 lines, then MORE files=N
  SUBMODULE <path> ...          a unit left a submodule on another commit: what to run to take that over as well
  UNDO <file>                   a patch that takes it back, for git apply
  UNDO-COMMAND node ...         takes it back byte for byte; refuses where a touched file was edited since
  CONFLICTS N                   nothing was changed; then at most 40 lines, and MORE conflicts=N:
  CONFLICT <unit> <other> <path> <kind> ...   other: an earlier unit, or "your tree"; content: the lines of both

A patch of other origin, or one whose store has gone, goes in by its text, if it fits.

flags
  --to TREE          the working tree: a folder of a git repository, or of a worktree of it
  --check            says what would change, and changes nothing
  --index            stages the touched paths too, as git add and git rm --cached do
  --undo [ID]        takes the newest apply on TREE back, or the one of that id
  --run NAME         deltas of this run, in place of patches: of all units that succeeded or were accepted and were not
                     left out (prun reconcile); stderr names the others. Of prun clone without a run: all
  --unit U           with --run: this unit, however it ended (may be given several times, and is applied in that order)
  --state-home DIR   where runs and applies are kept
  --json             everything as one JSON object
  --help             this text

exit: 0 applied, or nothing to do; 2 wrong call; 35 conflict, or edited since: nothing was changed; 1 the system
refused (full disk, a locked index): nothing was changed.
`;

/** Reads the command line of `prun apply`. Throws a usage error that names the wrong flag or what is missing. */
export function parseApply(argv: readonly string[], environment: NodeJS.ProcessEnv): ApplyOptions {
  const flags = readFlags(argv, {
    values: ['--to', '--run', '--unit', '--state-home'],
    switches: ['--check', '--index', '--json', '--undo'],
  });
  const isUndo = flags.switches.has('--undo');
  if (!flags.help) {
    refuseEmpty(flags);
    if (isUndo) refuseWrongUndo(flags);
    else refuseWrongApply(flags);
  }
  const home = lastValue(flags, '--state-home');
  return {
    help: flags.help,
    json: flags.switches.has('--json'),
    check: flags.switches.has('--check'),
    index: flags.switches.has('--index'),
    patches: isUndo ? [] : flags.operands.map((operand) => path.resolve(operand)),
    run: lastValue(flags, '--run'),
    units: [...new Set(flags.values.get('--unit') ?? [])],
    to: path.resolve(lastValue(flags, '--to') ?? ''),
    stateHome: home ? path.resolve(home) : stateHome(environment),
    undo: isUndo ? { id: flags.operands[0] } : undefined,
  };
}

/** An unset shell variable must not pass for the current folder. */
function refuseEmpty(flags: FlagValues): void {
  for (const [name, values] of flags.values) {
    if (values.includes('')) throw usageError(`${name} is empty`, `give it as ${name} <value>`);
  }
  if (flags.operands.includes(''))
    throw usageError('a patch has an empty name', 'give the path of each patch');
  if (!flags.values.has('--to')) {
    throw usageError('--to is missing', 'give the working tree: --to <folder of a git repository>');
  }
}

function refuseWrongUndo({ operands, switches, values }: FlagValues): void {
  const other = ['--check', '--index'].find((name) => switches.has(name));
  const valued = ['--run', '--unit'].find((name) => values.has(name));
  const wrong = other ?? valued;
  if (wrong) throw usageError(`--undo and ${wrong} were given`, 'leave one of them out');
  if (operands.length > 1) throw usageError('--undo takes one id', 'undo one apply after the other');
  const [id] = operands;
  if (id !== undefined && !/^\d{14}-[0-9a-f]+$/.test(id)) {
    throw usageError(
      `--undo ${JSON.stringify(id.slice(0, 80))} is no id of an apply`,
      'give the id of an UNDO-COMMAND line, or none for the newest apply',
    );
  }
}

function refuseWrongApply({ operands, values }: FlagValues): void {
  const run = values.get('--run')?.at(-1);
  if (run === undefined && values.has('--unit')) {
    throw usageError('--unit was given without --run', 'give --run <name>, or the patch of the unit');
  }
  if (run === undefined && operands.length === 0) {
    throw usageError('no patch given', 'give the path of each PATCH line of prun collect, or --run <name>');
  }
  if (run !== undefined && operands.length > 0) {
    throw usageError('patches and --run were given', 'give one of them');
  }
  if (run !== undefined && !/^\w[\w.-]*$/.test(run)) {
    throw usageError(`--run is ${JSON.stringify(run.slice(0, 80))}`, 'give the name of a run');
  }
}
