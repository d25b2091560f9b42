import * as z from 'zod/mini';
import { isConfigSetting, isFlagValue } from '../../executor/codex-wishes.ts';
import { BYTE_COUNT } from './byte-count.ts';

/** Executors that a manifest can name. */
export const EXECUTORS = ['codex', 'claude', 'omp', 'command', 'session'] as const;
/** Modes that a manifest can name. */
export const MODES = ['scratch', 'clone', 'worktree', 'inplace'] as const;
/** Sandboxes of codex. */
export const SANDBOXES = ['read-only', 'workspace-write', 'danger-full-access'] as const;

const NO_TEXT = 'is no text: put it in quotes';

/** Neither a path nor a word of a command line can hold one. */
const noNul = () => z.refine<string>((value) => !value.includes('\0'), 'has a NUL character: take it away');

function text(about: string) {
  return z.string(NO_TEXT).check(z.minLength(1, 'is empty'), noNul(), z.describe(about));
}

function flagValue(about: string) {
  const message = 'begins with - or a space, or has control characters: give the name alone';
  return z
    .string(NO_TEXT)
    .check(z.minLength(1, 'is empty'), z.refine(isFlagValue, message), z.describe(about));
}

function texts(about: string) {
  const item = z.string(NO_TEXT).check(z.minLength(1, 'is empty'), noNul());
  return z.array(item, 'is no list: write it as [a, b]').check(z.describe(about));
}

function whole(about: string, least = 0) {
  const message = `is no whole number from ${least} up`;
  return z
    .number(message)
    .check(z.int(message), z.gte(least, message), z.lte(1_000_000_000, 'is too large'), z.describe(about));
}

function bytes(about: string) {
  const message = 'is no number of bytes such as 500M or 1G';
  const number = z.number(message).check(z.int(message), z.gte(0, message));
  const written = z.string(message).check(z.regex(BYTE_COUNT, message));
  return z.union([number, written], message).check(z.describe(about));
}

function yesNo(about: string) {
  return z.boolean('is neither true nor false').check(z.describe(about));
}

function oneOf<const T extends readonly string[]>(words: T, about: string) {
  return z.enum(words, `is none of ${words.join(', ')}`).check(z.describe(about));
}

const NO_SETTING = 'is no setting: write it as key=value';
const configSetting = z.string(NO_SETTING).check(z.refine(isConfigSetting, NO_SETTING));

const idPattern = /^[A-Za-z0-9_-]{1,100}$/;
const unitId = z
  .string(NO_TEXT)
  .check(
    z.regex(idPattern, 'is no id: use up to 100 letters, digits, - and _'),
    z.describe('Name of the unit: letters, digits, - and _.'),
  );

/** Keys that a unit has and that can also stand above the units, for all that do not have them. */
const shared = {
  prompt: z.optional(
    z
      .string(NO_TEXT)
      .check(
        z.minLength(1, 'is empty'),
        z.describe('The task. It is passed on byte for byte; prun adds rules, place and return contract.'),
      ),
  ),
  promptFile: z.optional(text('A file that holds the task, instead of prompt.')),
  executor: z.optional(
    oneOf(
      EXECUTORS,
      "codex (default), claude (headless claude -p), omp, command (any argv), or session (a subagent of the coordinator's session).",
    ),
  ),
  mode: z.optional(
    oneOf(
      MODES,
      'Where it works: scratch (an empty folder), clone (a throwaway clone), worktree (a branch of its own), inplace. Default: clone in a run with a repo, else scratch; session: scratch.',
    ),
  ),
  owns: z.optional(texts('Globs of what it may change, relative to the top of the repository.')),
  model: z.optional(flagValue('codex, claude, omp: the model.')),
  effort: z.optional(
    flagValue('codex: reasoning effort (default xhigh); claude: its effort; omp: its thinking level.'),
  ),
  reasoningEffort: z.optional(flagValue('The same as effort.')),
  sandbox: z.optional(
    oneOf(SANDBOXES, 'codex: its sandbox. Default: workspace-write for worktree, else danger-full-access.'),
  ),
  network: z.optional(yesNo('codex: network in a workspace-write sandbox (default true).')),
  isolateMcp: z.optional(
    yesNo("codex, claude: leave the user's configuration and MCP servers out (default true)."),
  ),
  codexBin: z.optional(text('codex: the program; a name is looked up in PATH.')),
  bin: z.optional(text('claude, omp: the program; a name is looked up in PATH.')),
  config: z.optional(
    z
      .array(configSetting, 'is no list: write it as ["key=value"]')
      .check(z.describe('codex: further settings, each as key=value with a value in TOML (codex -c).')),
  ),
  images: z.optional(texts('codex: image files that it sees with the task.')),
  outputSchema: z.optional(
    text('codex, claude: a file with a JSON schema (an object) that its last message must satisfy.'),
  ),
  structured: z.optional(
    yesNo(
      "codex, claude: the last message is prun's structured result, which becomes the result file (default false).",
    ),
  ),
  ephemeral: z.optional(
    yesNo('codex, claude: nothing is kept of the session, so it cannot be resumed (default false).'),
  ),
  pnpmStore: z.optional(
    text(
      'codex: an existing folder (absolute) that is the store of pnpm; the sandbox lets the worker write it.',
    ),
  ),
  permissionMode: z.optional(flagValue('claude: its permission mode (default bypassPermissions).')),
  tokenLimit: z.optional(
    whole('codex, claude: tokens, in and out, after which it is ended (default 0: no limit).'),
  ),
  argv: z.optional(
    texts(
      'command: the program and its arguments. {prompt_file}, {result_file}, {unit} and {workdir} are replaced.',
    ),
  ),
  stallThreshold: z.optional(
    whole('Seconds without evidence of progress until it is ended (default 600; 0: never).'),
  ),
  stallNotice: z.optional(
    whole(
      'Seconds without evidence of progress until the coordinator is told (0: never; default 0, and 600 where stallThreshold is 0).',
    ),
  ),
  timeout: z.optional(whole('Seconds until it is ended (default 0: never).')),
  maxOutput: z.optional(bytes('Bytes of output until it is ended (default 1G; 0: no limit).')),
  warm: z.optional(
    texts(
      'Ignored files and folders to bring along, such as node_modules; auto: what the lockfiles suggest.',
    ),
  ),
  setup: z.optional(text('A shell command that runs in a fresh workspace before the worker.')),
  verify: z.optional(
    text(
      'A shell command that runs in the workspace after the worker; the unit fails unless it ends with 0.',
    ),
  ),
  retries: z.optional(whole('Further attempts after one that failed (default 0).')),
  passEnv: z.optional(
    texts(
      "Names of variables that the worker sees although they are hidden, such as the host session's keys.",
    ),
  ),
  wakeOnFinish: z.optional(yesNo('Whether its good end wakes the coordinator, too (default false).')),
};

const unitShape = {
  id: unitId,
  ...shared,
  after: z.optional(texts('Units whose results it builds on: it starts when they have succeeded.')),
  resources: z.optional(
    texts(
      'What it holds while it runs: slots of the machine (heavy, implementation, simulator-<id>), which all runs share, and resources of the run.',
    ),
  ),
  verifyResources: z.optional(
    texts('Slots of the machine that its verify holds (heavy, implementation, simulator-<id>).'),
  ),
  resultFile: z.optional(text('Where its result belongs (default: in the folder of the run).')),
};

const runShape = {
  run: z.optional(
    z
      .string(NO_TEXT)
      .check(
        z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'is no name: use up to 100 letters, digits, - and _'),
        z.describe(
          'Name of the run. It must be new on this machine; without one the run gets a name of its own.',
        ),
      ),
  ),
  repo: z.optional(text('The repository that units start from, or a folder in it.')),
  context: z.optional(text('A file that every worker is to know.')),
  jobs: z.optional(whole('Units that run at once (default: by cores, memory and load).', 1)),
  delay: z.optional(whole('Seconds between two starts (default 0).')),
  memfree: z.optional(bytes('Memory that must be available for another start, such as 1G.')),
  load: z.optional(
    z
      .number('is no number')
      .check(z.gt(0, 'is not above 0'), z.describe('Load average above which nothing is started.')),
  ),
  backoff: z.optional(
    whole(
      'Seconds of the first pause before what failed for a moment is tried again; it doubles (default 10).',
    ),
  ),
  transientRetries: z.optional(
    whole('How often a unit is tried again after a failure that may be over soon (default 4).'),
  ),
  runTokenLimit: z.optional(
    whole('Tokens of all units together after which nothing new starts (default 0: no limit).'),
  ),
  resources: z.optional(
    z
      .record(z.string(), whole('How many units may hold it at once.', 1), 'is no list of names with numbers')
      .check(z.describe('How many units may hold a resource at once, by its name.')),
  ),
  ...shared,
};

const unitsMessage = 'is no list of units: write it as - id: …';

/** One unit as a manifest has it. */
export const manifestUnit = z.strictObject(unitShape, 'is no unit: write it as id: … and prompt: …');
/** Everything above the units. The units are looked at one by one. */
export const manifestHead = z.strictObject({ ...runShape, units: z.array(z.unknown(), unitsMessage) });

/** A unit of a manifest as it is written. */
export type ManifestUnit = z.infer<typeof manifestUnit>;
/** A manifest's own keys as they are written. */
export type ManifestHead = z.infer<typeof manifestHead>;

/** Keys of a unit, and keys above the units. */
export const UNIT_KEYS: readonly string[] = Object.keys(unitShape);
/** Keys that stand above the units. */
export const RUN_KEYS: readonly string[] = [...Object.keys(runShape), 'units'];

/** JSON Schema (draft 2020-12) of a manifest, for editors and for `prun schema`. */
export function manifestJsonSchema(): Record<string, unknown> {
  const whole = z.strictObject({
    ...runShape,
    units: z.array(manifestUnit, unitsMessage).check(z.minLength(1), z.describe('The units of the run.')),
  });
  const about = {
    title: 'prun manifest',
    description:
      'What prun run starts. Keys of a unit that stand above the units hold for all units that do not have them. Relative paths are taken from the folder of the manifest.',
  };
  return { ...about, ...z.toJSONSchema(whole, { io: 'input' }) };
}
