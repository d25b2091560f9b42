import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { type FlagValues, lastValue, readFlags } from '../platform/read-flags.ts';
import { wholeSeconds } from '../platform/whole-seconds.ts';
import { EXECUTORS, MODES, SANDBOXES } from '../run/manifest/manifest-schema.ts';
import { programFrom, type UnitWish } from '../run/manifest/new-spec.ts';
import { readTextFile } from '../run/manifest/text-file.ts';
import { argvFrom, isTooLong, MAX_PROMPT_BYTES, strangeGlob } from '../run/manifest/unit-rules.ts';
import { optionsFrom, refuseForeign } from '../supervise/option-flags.ts';
import { bytesFrom, countFrom } from './schedule-flags.ts';

/** What `prun add --help` prints. */
export const ADD_HELP = `usage: prun add --run ID --unit UNIT --prompt-file FILE [flags] [-- CMD…]

Adds a unit to a run; prun start starts it. In a run that prun init made, its worktree is made now, from the integration
tree as it stands, uncommitted work included. Prints unit=<id>, and worktree=<path> or workspace=<path> where one was
made. add-lane, --phase, --brief, --runner and --thinking are other names.

  --run ID              the run
  --unit UNIT           letters, digits, - and _
  --prompt-file FILE    the task; it is passed on byte for byte, prun adds place, rules and return contract
  --executor NAME       codex (default), claude, omp, command (its argv comes after --) or session
  --mode MODE           scratch, clone, worktree or inplace; default: worktree in a run that prun init made, clone in
                        another one with a repository, else scratch
  --after UNIT          builds on the result of this unit, and starts when that has succeeded (repeat it)
  --owns GLOB           what it may change (repeat it)
  --model M             codex, claude, omp: the model
  --reasoning-effort E  codex (default xhigh), claude: the effort; omp: its thinking level
  --sandbox S           codex: read-only, workspace-write or danger-full-access
  --no-network          codex: no network in a workspace-write sandbox
  --no-isolate-mcp      codex, claude: with the user's own configuration and MCP servers
  --codex-bin FILE      codex: the program
  --config KEY=VALUE    codex: a further setting, its value in TOML (repeat it)
  --image FILE          codex: an image that it sees with the task (repeat it)
  --output-schema FILE  codex, claude: a JSON schema that its last message must satisfy
  --structured          codex, claude: its last message is prun's structured result, which becomes the result file
  --ephemeral           codex, claude: nothing is kept of the session, so it cannot be resumed
  --pnpm-store DIR      codex: an existing folder (absolute), granted to the sandbox as the store of pnpm
  --bin FILE            claude, omp: the program
  --permission-mode M   claude: its permission mode (default bypassPermissions)
  --token-limit N       codex, claude: tokens, in and out, after which it is ended (default 0: no limit)
  --warm PATH           an ignored file or folder to bring along (repeat it; auto: what the lockfiles suggest)
  --setup CMD           a shell command that runs once in the fresh workspace
  --verify CMD          a shell command that runs after the worker; the unit fails unless it ends with 0
  --retries N           further attempts after one that failed (default 0)
  --timeout S           seconds until it is ended (default 0: never)
  --stall-threshold S   seconds without evidence of progress until it is ended (default 600; 0: never)
  --stall-notice S      seconds without it until you are told (default never; 600 where nothing ends it)
  --max-output BYTES    bytes of output until it is ended (default 1G; 0: no limit)
  --resource NAME       what it holds while it runs: a slot of the machine (heavy, implementation, simulator-<id>) or a
                        resource of the run (repeat it)
  --verify-resource NAME  a slot of the machine that its verify holds (repeat it)
  --pass-env NAME       a variable that it sees although it is hidden (repeat it)
  --result-file FILE    where its result belongs (default: in the run's folder)
  --wake-on-finish      its good end wakes prun wait, too
  --state-home DIR      where prun keeps its state (PRUN_STATE_HOME)
  --json                what was added as JSON

  -- CMD…               argv of a command unit; {prompt_file}, {result_file}, {unit} and {workdir} are replaced, and its
                        stdout is the result where it writes none

exit: 0 added; 2 wrong arguments; 30 its setup failed, and it was not added
`;

/** The parsed command line of `prun add`. Paths are absolute. */
export interface AddArguments {
  flags: FlagValues;
  /** Everything but the mode, which the run decides where nobody said it. */
  wish: Omit<UnitWish, 'mode'>;
  mode: UnitWish['mode'] | undefined;
  json: boolean;
}

const FLAGS = {
  values: [
    ...['--run', '--state-home', '--unit', '--phase', '--prompt-file', '--brief', '--executor', '--runner'],
    ...[
      '--mode',
      '--after',
      '--owns',
      '--model',
      '--reasoning-effort',
      '--effort',
      '--thinking',
      '--sandbox',
    ],
    ...['--config', '--image', '--output-schema', '--bin', '--permission-mode', '--token-limit'],
    ...['--codex-bin', '--pnpm-store', '--warm', '--setup', '--verify', '--retries', '--timeout'],
    ...['--stall-threshold', '--stall-notice', '--max-output', '--resource', '--verify-resource'],
    ...['--pass-env', '--result-file'],
  ],
  switches: [
    ...['--no-network', '--no-isolate-mcp', '--structured', '--ephemeral'],
    ...['--wake-on-finish', '--json'],
  ],
};

/** Reads the command line of `prun add`; undefined when help was asked for. Throws a usage error for what is wrong. */
export function parseAdd(argv: readonly string[], cwd: string): AddArguments | undefined {
  const end = argv.indexOf('--');
  const flags = readFlags(end < 0 ? argv : argv.slice(0, end), FLAGS);
  if (flags.help) return undefined;
  for (const [name, values] of flags.values) {
    if (values.includes('')) throw usageError(`${name} is ""`, 'give it a value, or leave the flag out');
  }
  const command = end < 0 ? [] : argv.slice(end + 1);
  const executor = executorOf(flags, end >= 0);
  refuseUseless(flags, executor, command);
  const prompt = promptOf(flags, executor, cwd);
  const file = (name: string): string | undefined => {
    const given = lastValue(flags, name);
    return given === undefined ? undefined : path.resolve(cwd, given);
  };
  const [codexBin, bin] = [lastValue(flags, '--codex-bin'), lastValue(flags, '--bin')];
  return {
    flags,
    mode: oneOf(lastValue(flags, '--mode'), MODES, '--mode'),
    json: flags.switches.has('--json'),
    wish: {
      id: unitOf(flags),
      executor,
      prompt,
      owns: globsOf(flags),
      after: flags.values.get('--after'),
      model: lastValue(flags, '--model'),
      effort: firstOf(flags, EFFORT_FLAGS),
      sandbox: oneOf(lastValue(flags, '--sandbox'), SANDBOXES, '--sandbox'),
      network: flags.switches.has('--no-network') ? false : undefined,
      isolateMcp: flags.switches.has('--no-isolate-mcp') ? false : undefined,
      codexBin: codexBin === undefined ? undefined : programFrom(codexBin, cwd),
      argv: executor === 'command' ? argvFrom(command, cwd) : [],
      stallThreshold: secondsOf(flags, '--stall-threshold'),
      stallNotice: secondsOf(flags, '--stall-notice'),
      timeout: secondsOf(flags, '--timeout'),
      maxOutputBytes: numberOf(flags, '--max-output', (value) => bytesFrom(value, '--max-output')),
      resources: flags.values.get('--resource'),
      verifyResources: flags.values.get('--verify-resource'),
      warm: flags.values.get('--warm'),
      setup: lastValue(flags, '--setup'),
      verify: lastValue(flags, '--verify'),
      retries: numberOf(flags, '--retries', (value) => countFrom(value, '--retries', 0)),
      passEnv: flags.values.get('--pass-env'),
      wakeOnFinish: flags.switches.has('--wake-on-finish'),
      resultFile: file('--result-file'),
      options: {
        ...optionsFrom(flags, cwd),
        bin: bin === undefined ? undefined : programFrom(bin, cwd),
        tokenLimit: numberOf(flags, '--token-limit', (value) => countFrom(value, '--token-limit', 0)),
      },
    },
  };
}

const EFFORT_FLAGS = ['--reasoning-effort', '--thinking', '--effort'];
function unitOf(flags: FlagValues): string {
  const id = firstOf(flags, ['--unit', '--phase']);
  if (id === undefined) throw usageError('--unit is missing', 'name the unit with --unit <id>');
  if (/^[A-Za-z0-9_-]{1,100}$/.test(id)) return id;
  throw usageError(
    `--unit is ${JSON.stringify(id.slice(0, 120))}`,
    'use up to 100 letters, digits, - and _ only',
  );
}

function executorOf(flags: FlagValues, hasCommand: boolean): UnitWish['executor'] {
  const given = firstOf(flags, ['--executor', '--runner']);
  return oneOf(given, EXECUTORS, '--executor') ?? (hasCommand ? 'command' : 'codex');
}

/** What would do nothing is a mistake, and is said. */
function refuseUseless(flags: FlagValues, executor: UnitWish['executor'], command: readonly string[]): void {
  const [operand] = flags.operands;
  if (operand !== undefined) {
    throw usageError(`unexpected argument ${JSON.stringify(operand)}`, 'a command comes after --');
  }
  if (executor === 'command' && command.length === 0) {
    throw usageError(
      'executor command has no command',
      'give it after --, such as -- ./lint.sh {prompt_file}',
    );
  }
  if (executor !== 'command' && command.length > 0) {
    throw usageError(
      `a command was given for executor ${executor}`,
      'leave it out, or give --executor command',
    );
  }
  refuseForeign(flags, executor);
}

function promptOf(flags: FlagValues, executor: UnitWish['executor'], cwd: string): string {
  const given = firstOf(flags, ['--prompt-file', '--brief']);
  if (given === undefined)
    throw usageError('--prompt-file is missing', 'give it the file that holds the task');
  const file = path.resolve(cwd, given);
  const read = readTextFile(file, MAX_PROMPT_BYTES);
  if (read.kind === 'bad') throw usageError(`--prompt-file ${file} ${read.why}`, read.next);
  if (executor === 'codex' && isTooLong(read.text)) {
    throw usageError(
      `--prompt-file ${file} has more characters than codex takes`,
      'put the bulk into another file and name its path in the task',
    );
  }
  return read.text;
}

function globsOf(flags: FlagValues): string[] {
  const globs = flags.values.get('--owns') ?? [];
  const [strange] = globs.flatMap((glob) => strangeGlob(glob) ?? []);
  if (strange === undefined) return globs;
  const [what = '', next = ''] = strange.split(': ');
  throw usageError(`--owns ${what}`, next);
}

function secondsOf(flags: FlagValues, name: string): number | undefined {
  return numberOf(flags, name, (value) => wholeSeconds(value, name));
}

function numberOf(flags: FlagValues, name: string, read: (value: string) => number): number | undefined {
  const value = lastValue(flags, name);
  return value === undefined ? undefined : read(value);
}

function firstOf(flags: FlagValues, names: readonly string[]): string | undefined {
  const given = names.filter((name) => flags.values.has(name));
  const [name, second] = given;
  if (second !== undefined) throw usageError(`${name} and ${second} are the same`, 'give one of them');
  return name === undefined ? undefined : lastValue(flags, name);
}

function oneOf<T extends string>(
  value: string | undefined,
  allowed: readonly T[],
  flag: string,
): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((candidate) => candidate === value);
  if (found) return found;
  throw usageError(`${flag} is ${JSON.stringify(value.slice(0, 120))}`, `use ${allowed.join(', ')}`);
}
