import path from 'node:path';
import { executorByName } from '../executor/by-name.ts';
import { readProbe } from '../executor/codex-probe-cache.ts';
import { isSessionId } from '../executor/session-id.ts';
import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue, readFlags } from '../platform/read-flags.ts';
import { resolveProgram } from '../platform/resolve-program.ts';
import { stateHome as userStateHome } from '../platform/state-home.ts';
import { secondsFrom } from '../platform/whole-seconds.ts';
import { workFolder, writableStateHome } from './dispatch-folders.ts';
import { optionsFrom, refuseForeign } from './option-flags.ts';
import { readPrompt } from './prompt-file.ts';
import { prepareResultFolder } from './result-place.ts';
import type { DispatchRequest } from './running-unit.ts';

const DEFAULT_MAX_OUTPUT_BYTES = 1024 ** 3;
const SANDBOXES = ['read-only', 'workspace-write', 'danger-full-access'] as const;
const EXECUTORS = ['codex', 'claude', 'omp', 'command'] as const;

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
  refuseWords(executorName, words);
  refuseForeign(flags, executorName);
  const sandbox = sandboxFrom(executorName, flag('--sandbox'), environment);
  const options = optionsFrom(flags, cwd);
  if (options.pnpmStore !== undefined && sandbox === 'read-only') {
    throw usageError(
      '--pnpm-store does nothing in sandbox read-only',
      'give --sandbox workspace-write, or unset CODEX_DISPATCH_SANDBOX',
    );
  }
  const workdir = workFolder(flag('--workdir'), environment.PRUN_SCRATCH_CWD, cwd);
  const session = sessionFrom(flag('--resume'), executorName, workdir);
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
  const effort = flag('--reasoning-effort') ?? usualEffort(executorName, isolate, environment);
  const program = resolveProgram(programName(executorName, flag, words, environment), cwd, environment);
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
    program,
    ...(session === undefined ? {} : { resumed: { sessionId: session, tokensBefore: null } }),
    command: {
      sandbox,
      ...(session === undefined ? {} : { resume: session }),
      ...(flags.switches.has('--no-network') ? { network: false } : {}),
      ...(effort === undefined ? {} : { reasoningEffort: effort }),
      ...(model === undefined ? {} : { model }),
      isolate,
      environment,
      passEnv: flags.values.get('--pass-env') ?? [],
      args: words.slice(1),
      options,
      probe:
        executorName === 'codex' && program.kind === 'found'
          ? readProbe(userStateHome(environment), program.path)
          : undefined,
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
    '--bin',
    '--model',
    '--resume',
    '--sandbox',
    '--reasoning-effort',
    '--config',
    '--image',
    '--output-schema',
    '--pnpm-store',
    '--permission-mode',
    '--timeout',
    '--workdir',
    '--stall-threshold',
    '--max-output',
    '--pass-env',
    '--state-home',
  ],
  switches: [
    '--no-isolate-mcp',
    '--no-network',
    '--structured',
    '--ephemeral',
    '--allow-nested',
    '--contain',
  ],
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

/** The variable is a setting of codex: another executor has a sandbox of its own, or none. */
function sandboxFrom(
  executorName: string,
  flag: string | undefined,
  environment: NodeJS.ProcessEnv,
): (typeof SANDBOXES)[number] {
  const usual = 'danger-full-access';
  if (executorName !== 'codex') return usual;
  const name = flag ? '--sandbox' : 'CODEX_DISPATCH_SANDBOX';
  return oneOf(flag ?? (environment.CODEX_DISPATCH_SANDBOX || usual), SANDBOXES, name);
}

function refuseWords(executor: string, words: readonly string[]): void {
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
}

function programName(
  executorName: string,
  flag: (name: ValueFlag) => string | undefined,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): string {
  const { program } = executorByName(executorName);
  if (program === null) return words[0] ?? '';
  return flag('--codex-bin') ?? flag('--bin') ?? (environment[program.variable] || program.name);
}

/** Without the user's configuration codex has no effort of its own. */
function usualEffort(
  executorName: string,
  isolate: boolean,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  if (executorName !== 'codex') return undefined;
  return environment.CODEX_DISPATCH_REASONING || (isolate ? 'xhigh' : undefined);
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

/** The session that is to go on. In a scratch folder of its own it would find nothing of its work. */
function sessionFrom(
  session: string | undefined,
  executorName: string,
  workdir: string | undefined,
): string | undefined {
  if (session === undefined) return undefined;
  if (!executorByName(executorName).canResume) {
    throw usageError(`--resume does nothing for executor ${executorName}`, 'leave it out');
  }
  if (!isSessionId(session)) {
    throw usageError(
      `--resume is ${JSON.stringify(session.slice(0, 120))}, which is no session id`,
      'give the UUID that outcome.json has as sessionId: by any other name a new session would begin',
    );
  }
  if (workdir !== undefined) return session;
  throw usageError(
    '--resume needs --workdir',
    'give the folder that the session worked in: cwd in its unit.json',
  );
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
