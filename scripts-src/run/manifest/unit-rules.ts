import { statSync } from 'node:fs';
import path from 'node:path';
import { EXECUTOR_WISHES, knowsWish } from '../../executor/known-wishes.ts';
import { nearestWord } from '../../platform/nearest-word.ts';
import { type Mistake, quoted, type ValuePath } from '../../platform/schema-mistakes.ts';
import { MACHINE_NAMES } from '../../validate/lease-slots.ts';
import type { IsMachineWide } from '../machine-slots.ts';
import { byteCount } from './byte-count.ts';
import type { ManifestUnit } from './manifest-schema.ts';
import type { Wrong } from './mistakes.ts';
import { programFrom, type UnitWish } from './new-spec.ts';
import { readTextFile } from './text-file.ts';
import { checkOptions, optionsOf } from './unit-options.ts';

/** What a unit of a manifest stands among. */
export interface UnitSurroundings {
  /** Keys above the units that hold for every unit. */
  defaults: Partial<ManifestUnit>;
  /** Folder that relative paths are taken from. */
  folder: string;
  /** Whether the run has a repository. */
  hasRepository: boolean;
  /** Ids of all units. */
  ids: ReadonlySet<string>;
  /** Names of the run's resources, undefined where the run does not name any. */
  resources: readonly string[] | undefined;
  /** Names that are slots of the machine, whatever the run names. */
  isMachineWide: IsMachineWide;
  /** Keys of the unit that were wrong were left out: then nothing is said of what is missing. */
  isPartial: boolean;
}

/** A unit that can be made into a line of the run, or what is wrong with it. */
export type CheckedUnit = { kind: 'wish'; wish: UnitWish } | { kind: 'mistakes'; mistakes: Mistake[] };

/** Codex refuses a longer prompt (FACTS-codex.md, Input: 1,048,576); prun adds its own part. */
export const MAX_PROMPT_CHARACTERS = 1_000_000;
/** UTF-8 has at most four bytes a character. */
export const MAX_PROMPT_BYTES = 4 * MAX_PROMPT_CHARACTERS;

/** Among more units nobody looks for the one that was meant. */
const HINT_UNITS = 1000;

/** Puts a unit together from its own keys and the run's, and names everything that is wrong with it. */
export function checkUnit(unit: ManifestUnit, at: ValuePath, around: UnitSurroundings): CheckedUnit {
  const mistakes: Mistake[] = [];
  const wrong = (key: string | (string | number)[], text: string): void => {
    mistakes.push({ path: [...at, ...(typeof key === 'string' ? [key] : key)], text });
  };
  const { defaults } = around;
  const executor = unit.executor ?? defaults.executor ?? 'codex';
  const mode = unit.mode ?? defaults.mode ?? defaultMode(executor, around.hasRepository);
  if (mode !== 'scratch' && !around.hasRepository) {
    wrong(unit.mode ? 'mode' : [], `mode ${mode} needs a repository: give repo, or mode: scratch`);
  }
  const prompt = promptOf(unit, around, wrong);
  if (prompt !== undefined && executor === 'codex' && isTooLong(prompt)) {
    wrong(
      unit.promptFile ? 'promptFile' : 'prompt',
      `the prompt has more than ${MAX_PROMPT_CHARACTERS} characters, which codex refuses: put the bulk into a file and name its path`,
    );
  }
  checkExecutorKeys(unit, executor, around, wrong);
  checkOptions(unit, { executor, ...around }, wrong);
  checkPlaceKeys(unit, executor, mode, wrong);
  checkParents(unit, around.ids, wrong);
  checkNames(unit, around, wrong);
  const resultFile = resultFileOf(unit, around.folder, wrong);
  if (mistakes.length > 0 || prompt === undefined) return { kind: 'mistakes', mistakes };
  const both = { ...defaults, ...unit };
  const codexBin = both.codexBin === undefined ? undefined : programFrom(both.codexBin, around.folder);
  const argv = executor === 'command' ? argvFrom(both.argv ?? [], around.folder) : [];
  return {
    kind: 'wish',
    wish: {
      ...both,
      id: unit.id,
      executor,
      mode,
      prompt,
      model: knowsWish(executor, 'model') ? both.model : undefined,
      effort: knowsWish(executor, 'effort')
        ? (unit.effort ?? unit.reasoningEffort ?? defaults.effort ?? defaults.reasoningEffort)
        : undefined,
      codexBin,
      argv,
      maxOutputBytes: bytesFrom(both.maxOutput),
      resultFile,
      options: optionsOf(unit, executor, around),
    },
  };
}

/** The mode of a unit that does not say one. */
export function defaultMode(executor: UnitWish['executor'], hasRepository: boolean): UnitWish['mode'] {
  return hasRepository && executor !== 'session' ? 'clone' : 'scratch';
}

/** Bytes of a key that is a number or a text such as `64M`. */
export function bytesFrom(value: number | string | undefined): number | undefined {
  return typeof value === 'string' ? byteCount(value) : value;
}

/** A program that is named by a path is taken from `folder`. */
export function argvFrom(argv: readonly string[], folder: string): string[] {
  const [program = '', ...words] = argv;
  return [programFrom(program, folder), ...words];
}

/** Why a glob owns nothing below a repository, undefined where it may. */
export function strangeGlob(glob: string): string | undefined {
  if (/^!?(?:\/|[A-Za-z]:[\\/]|~|\.\.(?:\/|$))/.test(glob)) {
    return `${quoted(glob)} is no path below the repository: write it relative to its top, such as src/api/**`;
  }
  return undefined;
}

/** Whether codex would refuse it. Characters are counted only where there could be too many. */
export function isTooLong(prompt: string): boolean {
  return prompt.length > MAX_PROMPT_CHARACTERS && [...prompt].length > MAX_PROMPT_CHARACTERS;
}

function promptOf(
  unit: ManifestUnit,
  { defaults, folder, isPartial }: UnitSurroundings,
  wrong: Wrong,
): string | undefined {
  if (unit.prompt !== undefined && unit.promptFile !== undefined) {
    wrong('promptFile', 'prompt and promptFile are both there: give one of them');
    return undefined;
  }
  const isOwn = unit.prompt !== undefined || unit.promptFile !== undefined;
  const { prompt, promptFile } = isOwn ? unit : defaults;
  if (promptFile !== undefined) {
    const file = path.resolve(folder, promptFile);
    const read = readTextFile(file, MAX_PROMPT_BYTES);
    if (read.kind === 'text') return read.text;
    wrong(isOwn ? 'promptFile' : [], `the prompt file ${file} ${read.why}: ${read.next}`);
    return undefined;
  }
  if (prompt === undefined && isPartial) return undefined;
  if (prompt === undefined) wrong([], 'the unit has neither prompt nor promptFile: give one of them');
  else if (prompt.trim() === '') wrong('prompt', 'is empty: write the task into it');
  else return prompt;
  return undefined;
}

function checkExecutorKeys(
  unit: ManifestUnit,
  executor: UnitWish['executor'],
  { defaults, isPartial }: UnitSurroundings,
  wrong: Wrong,
): void {
  if (executor === 'command') {
    const argv = unit.argv ?? defaults.argv ?? [];
    if (argv.length === 0 && !isPartial) {
      wrong(unit.argv ? 'argv' : [], 'a command unit needs argv: write it as argv: [program, argument]');
    }
  } else if (unit.argv !== undefined) {
    wrong('argv', `does nothing for executor ${executor}: leave it out, or give executor: command`);
  }
  for (const key of EXECUTOR_WISHES) {
    if (key === 'argv' || unit[key] === undefined || knowsWish(executor, key)) continue;
    wrong(key, `does nothing for executor ${executor}: leave it out`);
  }
  if (unit.effort !== undefined && unit.reasoningEffort !== undefined) {
    wrong('reasoningEffort', 'effort and reasoningEffort are the same: give one of them');
  }
}

/** What is made ready or checked in a workspace needs one. */
function checkPlaceKeys(
  unit: ManifestUnit,
  executor: UnitWish['executor'],
  mode: UnitWish['mode'],
  wrong: Wrong,
): void {
  const isMade = mode === 'clone' || mode === 'worktree';
  for (const key of ['setup', 'warm'] as const) {
    if (unit[key] !== undefined && !isMade) wrong(key, `does nothing in mode ${mode}: give mode: clone`);
  }
  if (unit.verify !== undefined && executor === 'session') {
    wrong('verify', 'does nothing for executor session: run it yourself when its result is there');
  }
}

function checkParents(unit: ManifestUnit, ids: ReadonlySet<string>, wrong: Wrong): void {
  for (const [n, parent] of (unit.after ?? []).entries()) {
    if (parent === unit.id) wrong(['after', n], `${parent} cannot come after itself: take it away`);
    else if (!ids.has(parent)) {
      const near = ids.size > HINT_UNITS ? undefined : nearestWord(parent, [...ids]);
      const hint = near === undefined ? 'name a unit of this manifest' : `is ${near} meant?`;
      wrong(['after', n], `there is no unit ${quoted(parent)}: ${hint}`);
    }
  }
}

function checkNames(
  unit: ManifestUnit,
  { resources, isMachineWide, defaults }: UnitSurroundings,
  wrong: Wrong,
): void {
  for (const [n, glob] of (unit.owns ?? []).entries()) {
    const strange = strangeGlob(glob);
    if (strange !== undefined) wrong(['owns', n], strange);
  }
  for (const [n, name] of (unit.passEnv ?? []).entries()) {
    if (/[=\0]/.test(name))
      wrong(['passEnv', n], `${quoted(name)} is no name of a variable: give the name alone`);
  }
  for (const [n, name] of (unit.resources ?? []).entries()) {
    if (resources === undefined || resources.includes(name) || isMachineWide(name)) continue;
    const near = nearestWord(name, [...resources, ...MACHINE_NAMES]);
    wrong(
      ['resources', n],
      `the run has no resource ${quoted(name)}: ${near === undefined ? 'give its number under resources above the units' : `is ${near} meant?`}`,
    );
  }
  for (const [n, name] of (unit.verifyResources ?? []).entries()) {
    if (isMachineWide(name)) continue;
    wrong(
      ['verifyResources', n],
      `the machine has no slot ${quoted(name)}: use ${MACHINE_NAMES.join(', ')}, simulator-<id>, or a name of slots.json (resource-run --list)`,
    );
  }
  if (unit.verifyResources !== undefined && (unit.verify ?? defaults.verify) === undefined) {
    wrong('verifyResources', 'does nothing without verify: give verify, or leave it out');
  }
  const [threshold, notice] = [unit.stallThreshold ?? defaults.stallThreshold, unit.stallNotice];
  if (threshold && notice && notice >= threshold) {
    wrong(
      'stallNotice',
      `${notice} is not below stallThreshold ${threshold}: it would be ended before it is told`,
    );
  }
}

function resultFileOf(unit: ManifestUnit, folder: string, wrong: Wrong): string | undefined {
  if (unit.resultFile === undefined) return undefined;
  const file = path.resolve(folder, unit.resultFile);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) wrong('resultFile', `${file} is no regular file: give the path of a file`);
  if (unit.promptFile !== undefined && path.resolve(folder, unit.promptFile) === file) {
    wrong('resultFile', 'is the prompt file: give the result a path of its own');
  }
  return file;
}
