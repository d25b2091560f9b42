import os from 'node:os';
import path from 'node:path';
import { EXIT, PrunError } from '../platform/errors.ts';
import { stateHome as defaultStateHome } from '../platform/state-home.ts';
import { currentHost } from '../process/host.ts';
import { applyJson, applyLines, settledLines, undoJson, undoLines } from '../render/apply-report.ts';
import { readRun, runsFolder } from '../run/run-folder.ts';
import { viewRun } from '../run/run-view.ts';
import { evidenceOfRun, validatedTree } from '../run/views/evidence-of.ts';
import { type Interruption, listenForInterruption } from '../supervise/interruption.ts';
import { isPassed } from '../validate/validation-records.ts';
import { applyDeltas, rootOf } from '../workspace/apply/apply.ts';
import { undoApply } from '../workspace/apply/apply-undo.ts';
import { readSource, type SourceRepository } from '../workspace/base/source-repo.ts';
import { refuseChangedPatches } from '../workspace/delta/verify-patch.ts';
import { APPLY_HELP, type ApplyOptions, parseApply } from './apply-arguments.ts';
import { deltaNotes } from './delta-notes.ts';
import { deltasOfRun, type RunDeltas } from './run-deltas.ts';

export { APPLY_HELP } from './apply-arguments.ts';

/** `prun apply`: puts deltas into a working tree, all or nothing, or takes an apply back. */
export async function apply(argv: readonly string[]): Promise<number> {
  const options = parseApply(argv, process.env);
  if (options.help) {
    process.stdout.write(APPLY_HELP);
    return EXIT.ok;
  }
  const target = await targetOf(options);
  const interruption = listenForInterruption();
  try {
    return options.undo
      ? await undo(options, target, interruption)
      : await put(options, target, interruption);
  } catch (error) {
    if (!(error instanceof PrunError && error.code === 'E_INTERRUPTED')) throw error;
    const code = 128 + (os.constants.signals[interruption.signal() ?? 'SIGINT'] ?? 0);
    throw new PrunError(error.code, error.message, error.next, code);
  }
}

async function put(
  options: ApplyOptions,
  target: SourceRepository,
  interruption: Interruption,
): Promise<number> {
  const { patches, notes: ofRun } = deltasFor(options);
  await refuseChangedPatches(patches);
  const notes = [...ofRun, ...deltaNotes(patches, target.commonDir)];
  warn(notes.map((note) => `prun apply: note: ${note}`));
  const end = await applyDeltas({
    host: await currentHost(),
    stateHome: options.stateHome,
    target,
    patches,
    check: options.check,
    index: options.index,
    signal: interruption.signal,
    onNote: (note) => warn([`prun apply: note: ${note}`]),
    onTree: (tree) => warn(validationNotes(options, tree).map((note) => `prun apply: note: ${note}`)),
  });
  warn(settledLines(end.settled));
  const command = (id: string): string[] => undoCommand(options, end.root, id);
  print(options.json ? asJson(applyJson(end, command)) : applyLines(end, command));
  return end.kind === 'conflict' ? EXIT.conflict : EXIT.ok;
}

async function undo(
  options: ApplyOptions,
  target: SourceRepository,
  interruption: Interruption,
): Promise<number> {
  const end = await undoApply({
    host: await currentHost(),
    stateHome: options.stateHome,
    root: rootOf(target),
    id: options.undo?.id,
    signal: interruption.signal,
  });
  warn(settledLines(end.settled));
  print(options.json ? asJson(undoJson(end)) : undoLines(end));
  return end.kind === 'edited' ? EXIT.conflict : EXIT.ok;
}

/** The repository of --to, in the words of this command. */
async function targetOf({ to }: ApplyOptions): Promise<SourceRepository> {
  try {
    return await readSource(to);
  } catch (error) {
    if (!(error instanceof PrunError)) throw error;
    throw new PrunError(error.code, error.message.replace(/^--repo /, '--to '), error.next, error.exitCode);
  }
}

function deltasFor({ run, units, patches, stateHome }: ApplyOptions): RunDeltas {
  return run === undefined ? { patches, notes: [] } : deltasOfRun({ stateHome, run, units });
}

/** What is applied may be another tree than the one that the run's validation has seen. */
function validationNotes({ run, stateHome }: ApplyOptions, tree: string): string[] {
  const found = run === undefined ? undefined : readRun(path.join(runsFolder(stateHome), run));
  const view = found && viewRun(found);
  const evidence = view ? evidenceOfRun(view) : null;
  if (!view || !evidence) return [];
  const what = `tree ${tree.slice(0, 12)} comes out`;
  if (!isPassed(evidence.status)) return [`${what}; the validation of the run ended with ${evidence.status}`];
  const validated = validatedTree(view);
  if (validated === null || validated === tree) return [];
  const why = 'your tree or the choice of units is another one';
  return [`${what}, and ${validated.slice(0, 12)} was validated: ${why}, so validate what you commit`];
}

/** A command that runs from anywhere, also where no `prun` is on the PATH. */
function undoCommand({ stateHome }: ApplyOptions, root: string, id: string): string[] {
  const script = process.argv[1] ?? 'prun.cjs';
  const isDefault = stateHome === defaultStateHome(process.env);
  const home = isDefault ? [] : ['--state-home', stateHome];
  return ['node', script, 'apply', '--undo', id, '--to', root, ...home];
}

function warn(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line.replace(/\s*[\r\n]+\s*/g, ' ')}\n`);
}

function asJson(value: unknown): string[] {
  return [JSON.stringify(value, null, 2)];
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
