import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { wallTime } from '../platform/clock.ts';
import { errnoOf, messageOf, PrunError, usageError } from '../platform/errors.ts';
import { PRIVATE_DIR, PRIVATE_FILE, readValue } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { RUN_SCHEMA, type RunRecord } from './records.ts';
import { scheduleShape } from './schedule-shape.ts';

/** A run on disk. */
export interface Run {
  /** Absolute path of the run's folder. */
  folder: string;
  record: RunRecord;
  /** The state home that it lies in. */
  stateHome: string;
  /** Whether the folder lies where it was made. A moved or copied one is only read. */
  isHome: boolean;
}

/** Names in a run's folder. */
export const RUN_FILES = {
  record: 'run.json',
  units: 'units.jsonl',
  events: 'events.jsonl',
  /** State dirs of the run's attempts. */
  attempts: 'attempts',
  requests: 'requests',
  answers: 'answers',
  /** Environments of callers, private, as long as the run needs them. */
  environments: 'environments',
  /** Who supervises: files numbered by epoch (process/claim.ts). */
  supervisors: 'supervisors',
  supervisorLog: 'supervisor.log',
  /** The schedule as the last `prun start` had it, where one has changed it. */
  schedule: 'schedule.json',
  /** Why the supervisor starts nothing more at the moment; it is there only while that is so. */
  held: 'held',
  /** Number of the last event that `prun wait` has told. */
  delivered: 'delivered',
  /** What somebody has decided about units in doubt (run/decisions.ts); not there before that. */
  decisions: 'decisions.jsonl',
  /** What coordinators read and write (a name that text hooks know to leave alone). */
  agentIo: 'agent-io',
} as const;

/** Absolute path of one file or folder of a run. */
export function runFile(run: Pick<Run, 'folder'>, name: keyof typeof RUN_FILES): string {
  return path.join(run.folder, RUN_FILES[name]);
}

/** Where the result of a unit belongs unless the unit was given a path of its own. */
export function defaultResultFile(run: Pick<Run, 'folder'>, unit: string): string {
  return path.join(runFile(run, 'agentIo'), 'results', `${unit}.md`);
}

/** Where the whole prompt of a unit's newest attempt lies. */
export function promptFileOf(run: Pick<Run, 'folder'>, unit: string): string {
  return path.join(runFile(run, 'agentIo'), 'prompts', `${unit}.md`);
}

/** The context that all workers of the run read; it is there only if one was given. */
export function contextFileOf(run: Pick<Run, 'folder'>): string {
  return path.join(runFile(run, 'agentIo'), 'context.md');
}

/** The table that the coordinator reads. */
export function ledgerFileOf(run: Pick<Run, 'folder'>): string {
  return path.join(runFile(run, 'agentIo'), 'ledger.md');
}

/** Where all runs of a state home lie. */
export function runsFolder(stateHome: string): string {
  return path.join(stateHome, 'runs');
}

/** Checks the name of a run: it is part of folder and branch names. Throws a usage error. */
export function checkedRunName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(name)) return name;
  throw usageError(
    `--run is ${JSON.stringify(name.slice(0, 120))}`,
    'use up to 100 letters, digits, - and _, with a letter or digit first',
  );
}

/** What is known of a run before it is there. */
export type NewRun = Omit<RunRecord, 'schema' | 'id' | 'createdAt' | 'folder'>;

/**
 * Makes a run. `fill` may put files into the draft before it gets its name; they are there from the first moment. Ids
 * are claimed by the rename of a folder: of two processes one gets it. Throws a usage error for a name that is taken.
 */
export async function createRun(
  stateHome: string,
  name: string | undefined,
  wanted: NewRun,
  fill: (draft: string) => void | Promise<void> = () => {},
): Promise<Run> {
  const home = madeRunsFolder(stateHome);
  const id = name ?? ownName(wanted.repository);
  const folder = path.join(home, id);
  if (existsSync(folder)) throw isTaken(id, folder);
  const draft = path.join(home, `.${id}-${process.pid}-${randomHex(8)}.draft`);
  const record: RunRecord = { schema: RUN_SCHEMA, id, createdAt: wallTime(), folder, ...wanted };
  try {
    mkdirSync(draft, { mode: PRIVATE_DIR });
    for (const part of ['attempts', 'requests', 'answers', 'environments', 'supervisors'] as const) {
      mkdirSync(path.join(draft, RUN_FILES[part]), { mode: PRIVATE_DIR });
    }
    for (const part of ['', 'prompts', 'results']) {
      mkdirSync(path.join(draft, RUN_FILES.agentIo, part), { mode: PRIVATE_DIR, recursive: true });
    }
    for (const part of ['units', 'events'] as const) {
      writeFileSync(path.join(draft, RUN_FILES[part]), '', { mode: PRIVATE_FILE });
    }
    writeFileSync(path.join(draft, RUN_FILES.record), `${JSON.stringify(record, null, 2)}\n`, {
      mode: PRIVATE_FILE,
    });
    await fill(draft);
    renameSync(draft, folder);
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(errnoOf(error) ?? '') && existsSync(folder)) {
      throw isTaken(id, folder);
    }
    throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return { folder, record, stateHome, isHome: true };
}

function madeRunsFolder(stateHome: string): string {
  const home = runsFolder(stateHome);
  try {
    mkdirSync(home, { recursive: true, mode: PRIVATE_DIR });
    // The system's own name of it: /tmp is a link on macOS, and a run must know its own folder again.
    return realpathSync.native(home);
  } catch (error) {
    throw usageError(
      `the state home ${stateHome} cannot be written (${errnoOf(error) ?? messageOf(error)})`,
      'give another folder with --state-home or PRUN_STATE_HOME',
    );
  }
}

/** Throws a usage error where a run of that name is there. Only `createRun` decides; this is for saying so early. */
export function refuseTaken(stateHome: string, id: string): void {
  const folder = path.join(runsFolder(stateHome), id);
  if (existsSync(folder)) throw isTaken(id, folder);
}

function isTaken(id: string, folder: string): PrunError {
  return usageError(
    `run ${id} is there already (${folder})`,
    `give another --run, or see prun status --run ${id}`,
  );
}

/** A name for a run that was given none: people can tell runs of one repository apart by it. */
export function ownName(repository: string | null): string {
  const name = path.basename(repository ?? 'run').replace(/[^A-Za-z0-9_-]+/g, '-');
  const time = wallTime().replace(/\..*$/, '').replace(/[-:]/g, '').replace('T', '-');
  return `${name.replace(/^[-_]+/, '').slice(0, 40) || 'run'}-${time}-${randomHex(4)}`;
}

/** The run of that name. Throws a usage error where there is none. */
export function openRun(stateHome: string, name: string): Run {
  const run = readRun(path.join(runsFolder(stateHome), checkedRunName(name)), stateHome);
  if (run) return run;
  throw usageError(
    `there is no run ${JSON.stringify(name)} in ${runsFolder(stateHome)}`,
    `see prun list (${runsText(listRuns(stateHome))}), or give the --state-home that it was started with`,
  );
}

/** The name by which commands find a run: that of its folder, which for a copied or moved one is not its id. */
export function nameOfRun({ folder, record, isHome }: Pick<Run, 'folder' | 'record' | 'isHome'>): string {
  return isHome ? record.id : path.basename(folder);
}

/** Which runs there are, for a message. `runs`: newest first. */
export function runsText(runs: readonly Run[]): string {
  const names = runs.slice(0, 5).map(nameOfRun);
  return names.length > 0 ? `the newest are ${names.join(', ')}` : 'there are none yet';
}

/** All runs of a state home that can be read, newest first. */
export function listRuns(stateHome: string): Run[] {
  const home = runsFolder(stateHome);
  if (!existsSync(home)) return [];
  return readdirSync(home)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => readRun(path.join(home, name), stateHome) ?? [])
    .sort((a, b) => b.record.createdAt.localeCompare(a.record.createdAt));
}

/** The run in a folder, undefined where there is none. Throws PrunError for a newer schema. */
export function readRun(
  folder: string,
  stateHome: string = path.dirname(path.dirname(folder)),
): Run | undefined {
  const file = path.join(folder, RUN_FILES.record);
  const record = parsedRunFile(readValue(file) ?? '', file, runRecord);
  if (!record) return undefined;
  const isHome = realOf(folder) === realOf(record.folder);
  return { folder: path.resolve(folder), record, stateHome, isHome };
}

/**
 * The content of one of a run's JSON files, undefined where it is empty, torn or foreign: files are written whole, so it
 * is nobody's then. Throws PrunError for a newer schema.
 */
export function parsedRunFile<T>(text: string, file: string, schema: z.ZodMiniType<T>): T | undefined {
  if (text === '') return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // See above.
    return undefined;
  }
  refuseNewerRun(json, file);
  const parsed = schema.safeParse(json);
  return parsed.success ? parsed.data : undefined;
}

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // It has gone: its written name has to do.
    return path.resolve(folder);
  }
}

/** Throws PrunError where a file of a run was written by a newer prun. */
export function refuseNewerRun(json: unknown, file: string): void {
  const schema = typeof json === 'object' && json !== null && 'schema' in json ? json.schema : undefined;
  if (typeof schema !== 'number' || schema <= RUN_SCHEMA) return;
  throw new PrunError(
    'E_NEWER_SCHEMA',
    `${file} has schema ${schema}, this prun knows ${RUN_SCHEMA}`,
    'use the newer prun that wrote it',
  );
}

const runRecord = z.object({
  schema: z.number(),
  id: z.string(),
  createdAt: z.string(),
  folder: z.string(),
  repository: z.nullable(z.string()),
  integration: z.nullable(
    z.object({
      repository: z.string(),
      worktree: z.string(),
      branch: z.string(),
      baseRef: z.string(),
      baseCommit: z.string(),
    }),
  ),
  schedule: z.object(scheduleShape),
  resources: z.record(z.string(), z.number()),
  outerMarker: z.nullable(z.string()),
});
