import { isUtf8 } from 'node:buffer';
import {
  accessSync,
  type BigIntStats,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { messageOf, usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue, readFlags } from '../platform/read-flags.ts';
import { resolveProgram } from '../platform/resolve-program.ts';
import { secondsFrom } from '../platform/whole-seconds.ts';
import type { DispatchRequest } from './running-unit.ts';

/** Codex refuses a longer prompt after it has started (FACTS-codex.md, Input). */
const MAX_PROMPT_CHARACTERS = 1_048_576;
const DEFAULT_MAX_OUTPUT_BYTES = 1024 ** 3;
const SANDBOXES = ['read-only', 'workspace-write', 'danger-full-access'] as const;
const EXECUTORS = ['codex', 'command'] as const;
/** Settings of codex, without a meaning for any other program. */
const CODEX_FLAGS = [
  '--codex-bin',
  '--model',
  '--sandbox',
  '--reasoning-effort',
  '--no-isolate-mcp',
] as const;

/** Everything of a DispatchRequest that the command line and the environment decide. */
export type ParsedDispatch = Omit<DispatchRequest, 'executor' | 'guardian' | 'prun'> & {
  executorName: string;
};

/**
 * Reads the arguments and settings of `dispatch-task`. Flags win over variables. Relative paths are taken from `cwd`
 * once, here. Returns undefined when help was asked for; throws a usage error that names the flag or variable.
 */
export function parseDispatch(
  argv: string[],
  environment: NodeJS.ProcessEnv,
  cwd: string,
): ParsedDispatch | undefined {
  const { own, words } = atDashes(argv);
  const flags = flagsOf(own);
  if (flags.help) return undefined;
  const flag = (name: ValueFlag) => lastValue(flags, name);
  const outerMarker = outerUnit(environment, flags.switches.has('--allow-nested'));
  const unit = unitId(flag('--unit-id') ?? flag('--unit') ?? flag('--phase'));
  const promptFile = required(
    flag('--prompt-file') ?? flag('--brief'),
    '--prompt-file',
    'the file that holds the prompt',
    cwd,
  );
  const resultFile = required(
    flag('--result-file'),
    '--result-file',
    'the file that the worker is to write',
    cwd,
  );
  const executorName = oneOf(flag('--executor') ?? 'codex', EXECUTORS, '--executor');
  refuseForeign(executorName, flags, words);
  const sandbox = oneOf(
    flag('--sandbox') ?? (environment.CODEX_DISPATCH_SANDBOX || 'danger-full-access'),
    SANDBOXES,
    flag('--sandbox') ? '--sandbox' : 'CODEX_DISPATCH_SANDBOX',
  );
  const workdir = workFolder(flag('--workdir'), environment.PRUN_SCRATCH_CWD, cwd);
  const limits = {
    stallThresholdSeconds: secondsFrom(
      { flag: '--stall-threshold', variable: 'PRUN_STALL_THRESHOLD', fallback: 600 },
      flag('--stall-threshold'),
      environment,
    ),
    timeoutSeconds: secondsFrom(
      { flag: '--timeout', variable: 'CODEX_DISPATCH_TIMEOUT', fallback: 0 },
      flag('--timeout'),
      environment,
    ),
    maxOutputBytes: byteCount(flag('--max-output')),
  };
  const stateHome = writableStateHome(flag('--state-home'), environment, cwd);
  const prompt = readPrompt(promptFile, executorName);
  prepareResultFolder(resultFile, promptFile);
  const isolate = !flags.switches.has('--no-isolate-mcp') && environment.CODEX_DISPATCH_ISOLATE_MCP !== 'off';
  const model = flag('--model');
  const effort =
    flag('--reasoning-effort') ?? (environment.CODEX_DISPATCH_REASONING || (isolate ? 'xhigh' : undefined));
  return {
    unit,
    prompt,
    promptFile,
    resultFile,
    stateHome,
    cwd,
    workdir,
    limits,
    outerMarker,
    executorName,
    contain: flags.switches.has('--contain'),
    program: resolveProgram(programName(flag('--codex-bin'), words, environment), cwd, environment),
    command: {
      sandbox,
      ...(effort === undefined ? {} : { reasoningEffort: effort }),
      ...(model === undefined ? {} : { model }),
      isolate,
      environment,
      passEnv: flags.values.get('--pass-env') ?? [],
      args: words.slice(1),
    },
  };
}

/** `--phase` and `--brief` are other names for people who come from a lane-based controller (DESIGN.md §1). */
const FLAGS = {
  values: [
    '--prompt-file',
    '--brief',
    '--result-file',
    '--unit-id',
    '--unit',
    '--phase',
    '--executor',
    '--codex-bin',
    '--model',
    '--sandbox',
    '--reasoning-effort',
    '--timeout',
    '--workdir',
    '--stall-threshold',
    '--max-output',
    '--pass-env',
    '--state-home',
  ],
  switches: ['--no-isolate-mcp', '--allow-nested', '--contain'],
} as const;

type ValueFlag = (typeof FLAGS.values)[number];

function flagsOf(argv: readonly string[]): FlagValues {
  const flags = readFlags(argv, FLAGS);
  const [operand] = flags.operands;
  if (operand !== undefined) {
    throw usageError(
      `unexpected argument ${JSON.stringify(operand)}`,
      'see dispatch-task --help for the flags',
    );
  }
  // An unset shell variable makes `--workdir=`: that is a mistake, and never the current folder.
  for (const [name, values] of flags.values) {
    if (values.includes('')) throw usageError(`${name} is ""`, 'give it a value, or leave the flag out');
  }
  return flags;
}

/** The flags of dispatch-task itself, and after `--` the words of the command that it is to run. */
function atDashes(argv: readonly string[]): { own: readonly string[]; words: string[] } {
  const at = argv.indexOf('--');
  return at < 0 ? { own: argv, words: [] } : { own: argv.slice(0, at), words: argv.slice(at + 1) };
}

/** A setting that would have no effect is a mistake, and is said. */
function refuseForeign(executor: string, flags: FlagValues, words: readonly string[]): void {
  if (executor !== 'command') {
    if (words[0] === undefined) return;
    throw usageError(
      `unexpected argument ${JSON.stringify(words[0])}`,
      'only --executor command takes words after --',
    );
  }
  if (!words[0]) {
    throw usageError(
      '--executor command has no command',
      'give its words after --, such as -- ./lint.sh {prompt_file} {result_file}',
    );
  }
  const foreign = CODEX_FLAGS.find((name) => flags.values.has(name) || flags.switches.has(name));
  if (foreign) throw usageError(`${foreign} is a setting of codex`, 'leave it out with --executor command');
}

function programName(
  codexBin: string | undefined,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): string {
  return words[0] ?? codexBin ?? (environment.CODEX_BIN || 'codex');
}

function outerUnit(environment: NodeJS.ProcessEnv, allowed: boolean): string | undefined {
  const outer = environment.PRUN_UNIT || undefined;
  if (!outer || allowed) return outer;
  throw usageError(
    `this is a worker of unit ${outer}, and a worker must not start prun again`,
    'do the work here, or let the coordinator dispatch it; --allow-nested overrides this',
  );
}

function unitId(id: string | undefined): string {
  if (id === undefined)
    throw usageError('--unit-id is missing', 'give the unit a name such as --unit-id api');
  // Bounded, because it is part of a folder's name.
  if (/^[A-Za-z0-9_-]{1,100}$/.test(id)) return id;
  throw usageError(
    `--unit-id is ${JSON.stringify(id.slice(0, 120))}`,
    'use up to 100 letters, digits, - and _ only',
  );
}

function required(value: string | undefined, flag: string, what: string, cwd: string): string {
  if (value === undefined || value === '') throw usageError(`${flag} is missing`, `give it ${what}`);
  return path.resolve(cwd, value);
}

function oneOf<T extends string>(value: string, allowed: readonly T[], name: string): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found) return found;
  throw usageError(`${name} is ${JSON.stringify(value)}`, `use ${allowed.join(', ')}`);
}

/** A mistyped folder is not made: the unit would run in an empty place (PEERS.md scenario 15). */
function workFolder(flag: string | undefined, variable: string | undefined, cwd: string): string | undefined {
  const given = flag ?? (variable || undefined);
  if (given === undefined) return undefined;
  const name = flag === undefined ? 'PRUN_SCRATCH_CWD' : '--workdir';
  const folder = path.resolve(cwd, given);
  try {
    if (statSync(folder).isDirectory()) return folder;
  } catch (error) {
    throw usageError(
      `${name} ${folder} cannot be used (${messageOf(error)})`,
      'give the path of an existing folder',
    );
  }
  throw usageError(`${name} ${folder} is not a folder`, 'give the path of an existing folder');
}

function byteCount(value: string | undefined): number {
  if (value === undefined) return DEFAULT_MAX_OUTPUT_BYTES;
  const match = /^(\d{1,12})([KMG]?)$/i.exec(value);
  const unit = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[match?.[2]?.toUpperCase() ?? ''];
  if (match && unit) return Number(match[1]) * unit;
  throw usageError(
    `--max-output is ${JSON.stringify(value)}, not a number of bytes`,
    'give a whole number such as 1000000, 500M or 1G; 0 switches the limit off',
  );
}

function writableStateHome(flag: string | undefined, environment: NodeJS.ProcessEnv, cwd: string): string {
  const home = path.resolve(cwd, flag || environment.TMPDIR || os.tmpdir());
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    accessSync(home, constants.W_OK | constants.X_OK);
    return home;
  } catch (error) {
    const name = flag ? '--state-home' : 'the temp folder';
    throw usageError(
      `${name} ${home} cannot be written (${messageOf(error)})`,
      'give a writable folder with --state-home',
    );
  }
}

function readPrompt(file: string, executor: string): Uint8Array {
  let prompt: Buffer;
  try {
    prompt = readFileSync(file);
  } catch (error) {
    throw usageError(
      `--prompt-file ${file} cannot be read (${messageOf(error)})`,
      'give the path of a readable file',
    );
  }
  if (!isUtf8(prompt)) {
    throw usageError(
      `--prompt-file ${file} is not UTF-8 (first bad byte at offset ${badByteOffset(prompt)})`,
      'save it as UTF-8',
    );
  }
  const text = prompt.toString('utf8');
  if (text.trim() === '') throw usageError(`--prompt-file ${file} is empty`, 'write the task into it');
  // Counting characters is only needed where there could be too many.
  const isLong = executor === 'codex' && prompt.length > MAX_PROMPT_CHARACTERS;
  if (isLong && [...text].length > MAX_PROMPT_CHARACTERS) {
    throw usageError(
      `--prompt-file ${file} has more than ${MAX_PROMPT_CHARACTERS} characters, which codex refuses`,
      'put the bulk into a file and name its path in the prompt',
    );
  }
  return prompt;
}

function badByteOffset(bytes: Buffer): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    // A cut inside a character is not a bad byte: up to three bytes may be missing at the end.
    const whole = [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, Math.max(0, middle - cut))));
    if (whole) low = middle;
    else high = middle - 1;
  }
  const lengths = [low, low - 1, low - 2, low - 3];
  return lengths.find((length) => length >= 0 && isUtf8(bytes.subarray(0, length))) ?? 0;
}

/** Whatever would make the result impossible is said before a worker costs anything. */
function prepareResultFolder(resultFile: string, promptFile: string): void {
  const there = statOf(resultFile);
  if (there?.isDirectory())
    throw usageError(`--result-file ${resultFile} is a directory`, 'give the path of a file');
  // What stands there is moved out of the way later: never a device or a pipe. A link is moved as a link.
  if (there && !there.isFile() && !lstatSync(resultFile).isSymbolicLink())
    throw usageError(`--result-file ${resultFile} is not a regular file`, 'give the path of a file');
  const prompt = statOf(promptFile);
  if (there && prompt && there.ino === prompt.ino && there.dev === prompt.dev)
    throw usageError(`--result-file ${resultFile} is the prompt file`, 'give the result a path of its own');
  const folder = path.dirname(resultFile);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw usageError(
      `the folder of --result-file ${resultFile} cannot be written (${messageOf(error)})`,
      'give a path in a writable folder',
    );
  }
}

function statOf(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
