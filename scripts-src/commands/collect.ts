import { copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, bytePathOf } from '../platform/byte-path.ts';
import { EXIT, messageOf, usageError } from '../platform/errors.ts';
import { writeAtomic } from '../platform/files.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { deltaLines } from '../render/delta-report.ts';
import { collectDelta } from '../workspace/delta/collect.ts';
import type { Included } from '../workspace/delta/take-workspace.ts';
import type { DeltaRecord } from '../workspace/records.ts';
import { runningAttempt } from './running-attempt.ts';
import { targetsFrom, type WorkspaceTarget } from './workspace-targets.ts';

/** What `prun collect` prints for --help. */
export const COLLECT_HELP = `usage: prun collect <clone>… [flags]
       prun collect --run NAME [--unit ID]… [flags]

Takes the delta of each clone: all that the unit changed against its base, whatever it did to the clone's git folder.
Writes a patch and a record beside the workspace's records, and changes nothing in the clone. Run it when the unit has
ended. Prints a DELTA and a PATCH line for each unit, then the files.

  --patch FILE         also writes the patch there; a folder, or a name that ends in /, takes <unit>.patch
  --include PATH       what is at this ignored path of the clone belongs to the delta as well (repeat it)
  --include-ignored    everything at ignored paths does, also what --warm and --setup brought
  --run NAME           all units of the run, or those that --unit names
  --unit ID            with --run (repeat it)
  --state-dir DIR      also keeps delta.json and delta.patch in that state dir
  --state-home DIR     where prun keeps its state (PRUN_STATE_HOME)
  --json               the whole record; with several units an array of them

exit: 0 collected, also an empty delta; 2 wrong arguments; 30 a clone is gone
`;

interface CollectArguments {
  targets: WorkspaceTarget[];
  patch: string | undefined;
  stateDir: string | undefined;
  ignored: Included;
  json: boolean;
}

/** `prun collect`: deltas of units, recorded and exported. */
export async function collect(argv: readonly string[]): Promise<number> {
  const request = parseCollect(argv);
  if (!request) {
    process.stdout.write(COLLECT_HELP);
    return EXIT.ok;
  }
  const records: DeltaRecord[] = [];
  for (const { set, workspace } of request.targets) {
    const record = await collectDelta(set, workspace, { ignored: request.ignored });
    if (request.stateDir !== undefined) archiveDelta(record, request.stateDir);
    const patch = request.patch === undefined ? record.patch.path : exportPatch(record, request.patch);
    records.push(record);
    if (!request.json) process.stdout.write(`${deltaLines(record, patch).join('\n')}\n`);
    const attempt = await runningAttempt(set, workspace.unit);
    if (attempt !== undefined && attempt !== request.stateDir) {
      process.stderr.write(
        `prun collect: a unit still runs in ${workspace.folder} (state dir ${attempt}): collect again when it has ended\n`,
      );
    }
  }
  if (request.json) {
    const [only] = records;
    process.stdout.write(`${JSON.stringify(records.length === 1 ? only : records, null, 2)}\n`);
  }
  return EXIT.ok;
}

function parseCollect(argv: readonly string[]): CollectArguments | undefined {
  const flags = readFlags(argv, {
    values: ['--patch', '--include', '--run', '--unit', '--state-dir', '--state-home'],
    switches: ['--include-ignored', '--json'],
  });
  if (flags.help) return undefined;
  const cwd = process.cwd();
  const targets = targetsFrom(flags).workspaces;
  const patch = lastValue(flags, '--patch');
  if (patch === '') throw usageError('--patch is empty', 'give a file or a folder');
  if (patch !== undefined && targets.length > 1 && !isFolderName(path.resolve(cwd, patch), patch)) {
    throw usageError(
      `--patch ${patch} is one file for ${targets.length} units`,
      'give a folder, or a name that ends in /',
    );
  }
  const stateDir = lastValue(flags, '--state-dir');
  return {
    targets,
    patch: patch === undefined ? undefined : withSlash(path.resolve(cwd, patch), patch),
    stateDir: stateDir === undefined ? undefined : path.resolve(cwd, stateDir),
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

/** Path resolution takes a slash at the end away, and it says that a folder is meant. */
function withSlash(absolute: string, given: string): string {
  return isFolderName(absolute, given) ? `${absolute}${path.sep}` : absolute;
}

function isFolderName(absolute: string, given: string): boolean {
  return /[\\/]$/.test(given) || statSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true;
}

function exportPatch(record: DeltaRecord, target: string): string {
  const file = target.endsWith(path.sep) ? path.join(target, `${record.unit}.patch`) : target;
  copyPatch(record, file, '--patch');
  return file;
}

function archiveDelta(record: DeltaRecord, stateDir: string): void {
  const patch = path.join(stateDir, 'delta.patch');
  copyPatch(record, patch, '--state-dir');
  const kept = { ...record, patch: { ...record.patch, path: patch } };
  writeAtomic(path.join(stateDir, 'delta.json'), `${JSON.stringify(kept, null, 2)}\n`);
}

function copyPatch(record: DeltaRecord, file: string, flag: string): void {
  try {
    if (flag === '--patch') mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(record.patch.path, file);
  } catch (error) {
    throw usageError(
      `${flag} ${file} cannot be written (${messageOf(error)})`,
      `the delta is kept in ${record.patch.path}; give a path in a writable folder`,
    );
  }
}
