import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errnoOf, messageOf, type PrunError, usageError } from '../platform/errors.ts';
import { nearestWord } from '../platform/nearest-word.ts';
import { type Mistake, mistakesFrom, placeName } from '../platform/schema-mistakes.ts';
import { sha256 } from './fingerprint.ts';
import { JOB_KEYS, jobSchema, nameFault, type WrittenJob } from './job-schema.ts';
import { STAGES, type Stage } from './validation-records.ts';

/** What is to be validated and how. Paths are absolute. */
export interface Job {
  file: string;
  /** Of what it says, worktree and commit left out; how it is written does not count. */
  sha256: string;
  worktree: string;
  /** At least 7 hex digits of a commit id, in lower case. */
  commit: string;
  environment: Record<string, string>;
  inheritEnvironment: string[];
  /** 0: no limit. */
  stepTimeoutSeconds: number;
  commands: Partial<Record<Stage, string[]>>;
  /** Keys of the file that do not count, because its reader knows better. */
  leftAside: string[];
}

/** What the file of a job leaves to its reader: in a run prun knows worktree and commit. */
export interface JobPlace {
  worktree: string;
  commit: string;
}

const STEP_TIMEOUT_SECONDS = 1800;

/** Words that other tools have for keys of a job. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  repo: 'worktree',
  cwd: 'worktree',
  sha: 'commit',
  ref: 'commit',
  env: 'environment',
  passenv: 'inherit_environment',
  timeout: 'step_timeout',
  tests: 'test',
};

/**
 * Reads a job (JSON). Relative paths are taken from its folder. Throws a usage error that names every mistake with its
 * key and value, never the value of a variable.
 *
 * @param place where the job is run; left out: its own `worktree` and `commit`
 */
export function readJob(file: string, place?: JobPlace): Job {
  const absolute = path.resolve(file);
  const bytes = readBytes(absolute);
  const value = parsedJson(absolute, bytes);
  const filled = place && isObject(value) ? { ...value, ...place } : value;
  const parsed = jobSchema.safeParse(filled);
  const written = parsed.success
    ? []
    : mistakesFrom(parsed.error, hideValues(filled), [], unknownKey).map(plainer);
  const mistakes = [...written, ...ruleMistakes(filled)];
  if (!parsed.success || mistakes.length > 0) throw mistakesError(absolute, mistakes);
  const leftAside = place && isObject(value) ? Object.keys(place).filter((key) => key in value) : [];
  return jobFrom(absolute, parsed.data, leftAside);
}

function jobFrom(file: string, written: WrittenJob, leftAside: string[]): Job {
  const commands: Job['commands'] = {};
  for (const stage of STAGES) {
    const argv = written[stage];
    if (argv) commands[stage] = argv;
  }
  const said = {
    environment: written.environment ?? {},
    inheritEnvironment: written.inherit_environment ?? [],
    stepTimeoutSeconds: written.step_timeout ?? STEP_TIMEOUT_SECONDS,
    commands,
  };
  return {
    file,
    sha256: sha256(JSON.stringify({ ...said, environment: Object.entries(said.environment).sort() })),
    worktree: path.resolve(path.dirname(file), written.worktree),
    commit: written.commit.toLowerCase(),
    ...said,
    leftAside,
  };
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const why = errnoOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    throw usageError(`the job ${file} ${why}`, 'give the path of a JSON file; --help shows one');
  }
}

function parsedJson(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw usageError(`the job ${file} is no JSON (${messageOf(error)})`, 'write it as --help shows it');
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the keys say together. */
function ruleMistakes(value: unknown): Mistake[] {
  if (!isObject(value)) return [];
  const { smoke, test, build, verify, environment } = value;
  const names = Object.keys(isObject(environment) ? environment : {}).flatMap((name) => {
    const text = nameFault(name);
    return text === undefined ? [] : [{ path: ['environment', name], text }];
  });
  const missing = 'is missing: every job has both smoke and test';
  const unchecked = 'is missing: a build needs a command that checks what it made';
  return [
    ...names,
    ...(smoke === undefined ? [{ path: ['smoke'], text: missing }] : []),
    ...(test === undefined ? [{ path: ['test'], text: missing }] : []),
    ...(build !== undefined && verify === undefined ? [{ path: ['verify'], text: unchecked }] : []),
  ];
}

/** A command that is one text gets the form that it should have. */
function plainer({ path: where, text }: Mistake): Mistake {
  if (where[0] === 'environment') {
    return { path: where, text: text.replace(/^"\(\w+\)" /, '') };
  }
  const asText = /^"(.*)" is no list of words/.exec(text);
  if (!asText?.[1]) return { path: where, text };
  const words = asText[1].trim().split(/\s+/);
  return { path: where, text: `is a text, and no shell reads it: write it as ${JSON.stringify(words)}` };
}

/** Values of variables may be secrets: messages show their kind only. */
function hideValues(value: unknown): unknown {
  if (!isObject(value) || value.environment === undefined) return value;
  if (!isObject(value.environment)) return { ...value, environment: `(${typeof value.environment})` };
  const hidden = Object.entries(value.environment).map(([name, one]) => [name, `(${typeof one})`]);
  return { ...value, environment: Object.fromEntries(hidden) };
}

function unknownKey(key: string): string {
  const meant = OTHER_WORDS[key.toLowerCase().replace(/[-_]/g, '')] ?? nearestWord(key, JOB_KEYS);
  return meant === undefined
    ? `is no key of a job: they are ${JOB_KEYS.join(', ')}`
    : `is no key of a job: is ${meant} meant?`;
}

const SHOWN_MISTAKES = 10;

function mistakesError(file: string, mistakes: readonly Mistake[]): PrunError {
  const shown = mistakes.slice(0, SHOWN_MISTAKES).map(({ path: where, text }) => {
    const place = placeName(where);
    return place === '' ? text : `${place} ${text}`;
  });
  const more = mistakes.length - shown.length;
  const all = [...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ');
  return usageError(`the job ${file}: ${all}`, 'put it right; --help shows a job');
}
