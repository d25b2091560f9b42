import { existsSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, bytePathOf } from '../platform/byte-path.ts';
import { EXIT, lineOf, PrunError, plainError, usageError } from '../platform/errors.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { deltaLines } from '../render/delta-report.ts';
import { runReport } from '../render/run-report.ts';
import { collectDelta } from '../workspace/delta/collect.ts';
import type { Included } from '../workspace/delta/take-workspace.ts';
import type { DeltaRecord } from '../workspace/records.ts';
import { archiveDelta, exportPatch, patchTarget } from './export-patch.ts';
import { runningAttempt } from './running-attempt.ts';
import { targetsFrom, type WorkspaceTarget } from './workspace-targets.ts';

/** What `prun collect` prints for --help. */
export const COLLECT_HELP = `usage: prun collect <clone>… [flags]
       prun collect --run NAME [--unit ID]… [flags]

Takes the delta of each clone: all that the unit changed against its base, whatever it did to the clone's git folder.
Writes a patch and a record beside the workspace's records, and changes nothing in the clone. Run it when the unit has
ended. Prints a DELTA and a PATCH line for each unit, then the files. With several units the lines name their unit: at
most 40 in all, what needs an eye first, and of more than 100 units those without news are only counted (REST). A unit
that cannot be collected is a FAILED line, and the others are collected.

  --patch FILE         also writes the patch there; a folder, or a name that ends in /, takes <unit>.patch. The last
                       folder is made where it is missing
  --include PATH       what is at this ignored path of the clone belongs to the delta as well (repeat it)
  --include-ignored    everything at ignored paths does, also what --warm and --setup brought
  --run NAME           all units of the run, or those that --unit names
  --unit ID            with --run (repeat it)
  --state-dir DIR      also keeps delta.json and delta.patch in that state dir
  --state-home DIR     where prun keeps its state (PRUN_STATE_HOME)
  --json               the whole record; with several units an array of them, {unit, error} for one that failed

exit: 0 collected, also an empty delta; 2 wrong arguments; 30 a unit could not be collected, such as
one whose clone is gone
`;

interface CollectArguments {
  targets: WorkspaceTarget[];
  /** Whether it is one clone that was named by its path: its error is the command's own. */
  isOneClone: boolean;
  patch: string | undefined;
  stateDir: string | undefined;
  ignored: Included;
  json: boolean;
}

/** What became of one unit. */
type Collected = { record: DeltaRecord; patch: string } | { unit: string; error: PrunError };

/** `prun collect`: deltas of units, recorded and exported. One that fails does not keep the others from it. */
export async function collect(argv: readonly string[]): Promise<number> {
  const request = parseCollect(argv);
  if (!request) {
    process.stdout.write(COLLECT_HELP);
    return EXIT.ok;
  }
  const { targets, json } = request;
  const report = runReport(targets.length);
  const results: unknown[] = [];
  let code: number = EXIT.ok;
  for (const target of targets) {
    const one = await collectOne(target, request);
    if ('error' in one) {
      if (request.isOneClone) throw one.error;
      code = EXIT.unitFailed;
      const why = lineOf(one.error);
      if (json) results.push({ unit: one.unit, error: why });
      else print(report.failed(one.unit, why));
    } else if (json) results.push(one.record);
    else print((targets.length === 1 ? deltaLines : report.collected)(one.record, one.patch));
  }
  if (json) print([JSON.stringify(targets.length === 1 ? results[0] : results, null, 2)]);
  else if (targets.length > 1) print(report.end());
  return code;
}

async function collectOne(
  { set, workspace }: WorkspaceTarget,
  request: CollectArguments,
): Promise<Collected> {
  const { unit } = workspace;
  try {
    const record = await collectDelta(set, workspace, { ignored: request.ignored });
    if (request.stateDir !== undefined) archiveDelta(record, request.stateDir);
    const patch = request.patch === undefined ? record.patch.path : exportPatch(record, request.patch);
    const attempt = await runningAttempt(set, unit);
    if (attempt !== undefined && attempt !== request.stateDir) {
      process.stderr.write(
        `prun collect: a unit still runs in ${workspace.folder} (state dir ${attempt}): collect again when it has ended\n`,
      );
    }
    return { record, patch };
  } catch (thrown) {
    const error = plainError(thrown);
    if (error === undefined) throw thrown;
    // A fault of the machine is this unit's failure as a clone that is gone is.
    const code = error.exitCode === 1 ? EXIT.unitFailed : error.exitCode;
    return { unit, error: new PrunError(error.code, error.message, error.next, code) };
  }
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

function parseCollect(argv: readonly string[]): CollectArguments | undefined {
  const flags = readFlags(argv, {
    values: ['--patch', '--include', '--run', '--unit', '--state-dir', '--state-home'],
    switches: ['--include-ignored', '--json'],
  });
  if (flags.help) return undefined;
  const targets = targetsFrom(flags).workspaces;
  const patch = lastValue(flags, '--patch');
  const stateDir = lastValue(flags, '--state-dir');
  return {
    targets,
    isOneClone: targets.length === 1 && !flags.values.has('--run'),
    patch: patch === undefined ? undefined : patchTarget(patch, targets.length),
    stateDir: stateDir === undefined ? undefined : path.resolve(stateDir),
    ignored: {
      everything: flags.switches.has('--include-ignored'),
      paths: includedPaths(flags.values.get('--include') ?? [], targets),
    },
    json: flags.switches.has('--json'),
  };
}

/** Paths in the clones. One that is in none of them is a mistake. */
function includedPaths(given: readonly string[], targets: readonly WorkspaceTarget[]): BytePath[] {
  return given.map((name) => {
    const where = path.normalize(name).split(path.sep).join('/').replace(/\/$/, '');
    const isBelow = !path.isAbsolute(name) && where !== '.' && where !== '' && !/^\.\.(?:\/|$)/.test(where);
    const isThere =
      isBelow && targets.some(({ workspace }) => existsSync(path.join(workspace.folder, where)));
    if (isThere) return bytePathOf(where);
    throw usageError(
      `--include ${name} is at no path of the clone`,
      'give a path relative to its top, such as dist/app.js',
    );
  });
}
