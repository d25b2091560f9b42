import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { readStart, writeAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { type RequestAnswer, RUN_SCHEMA, type RunRequest } from './records.ts';
import { parsedRunFile, type Run, runFile } from './run-folder.ts';
import { scheduleShape } from './schedule-shape.ts';

/** A request that lies in the run's folder. */
export interface PostedRequest {
  /** Name of its file: it sorts by time. */
  name: string;
  request: RunRequest;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** Lays a request down for the run's supervisor; returns its name. The file is there whole or not at all. */
export function postRequest(run: Pick<Run, 'folder'>, request: RunRequest): string {
  const name = nextName();
  writeAtomic(path.join(runFile(run, 'requests'), name), textOf(request));
  return name;
}

function nextName(): string {
  return `${String(Date.now()).padStart(14, '0')}-${randomHex(8)}.json`;
}

function textOf(request: RunRequest): string {
  return `${JSON.stringify({ schema: RUN_SCHEMA, ...request })}\n`;
}

/** A request that is written in advance, so that it can be posted on a full disk. `by`: a name of whoever prepares it. */
export interface Prepared {
  unit: string;
  by: string;
}

function preparedFile(run: Pick<Run, 'folder'>, { unit, by }: Prepared): string {
  return path.join(runFile(run, 'requests'), `.cancel-${unit}-${by}.prepared`);
}

/** Prepares the request that ends a unit. Throws the system's error, as on a full disk. */
export function prepareCancel(run: Pick<Run, 'folder'>, prepared: Prepared): void {
  const request: RunRequest = { type: 'cancel', units: [prepared.unit], graceSeconds: 1 };
  writeAtomic(preparedFile(run, prepared), textOf(request), { sync: false });
}

/** Posts a prepared request; false where there is none (any more). */
export function postPrepared(run: Pick<Run, 'folder'>, prepared: Prepared): boolean {
  try {
    renameSync(preparedFile(run, prepared), path.join(runFile(run, 'requests'), nextName()));
    return true;
  } catch {
    // It was posted before, or the run is being removed, which ends its units, too.
    return false;
  }
}

/** Takes a prepared request away. */
export function dropPrepared(run: Pick<Run, 'folder'>, prepared: Prepared): void {
  rmSync(preparedFile(run, prepared), { force: true });
}

/** Requests that nobody has answered, oldest first. One that cannot be read is passed over and stays. */
export function openRequests(run: Pick<Run, 'folder'>): PostedRequest[] {
  const folder = runFile(run, 'requests');
  // A run that is being removed has lost it before its record: its supervisor must live to end the workers.
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^\d{14}-[0-9a-f]{8}\.json$/.test(name));
  return names.sort().flatMap((name) => {
    const request = readJson(path.join(folder, name), runRequest);
    return request ? [{ name, request: request as RunRequest }] : [];
  });
}

/** Answers a request, and then takes it away: one whose supervisor dies in between is carried out again. */
export function answerRequest(
  run: Pick<Run, 'folder'>,
  name: string,
  answer: Omit<RequestAnswer, 'schema'>,
): void {
  writeAtomic(
    path.join(runFile(run, 'answers'), name),
    `${JSON.stringify({ schema: RUN_SCHEMA, ...answer })}\n`,
    {
      sync: false,
    },
  );
  rmSync(path.join(runFile(run, 'requests'), name), { force: true });
}

/** The answer to a request, undefined while there is none. Reading it takes it away. */
export function takeAnswer(run: Pick<Run, 'folder'>, name: string): RequestAnswer | undefined {
  const file = path.join(runFile(run, 'answers'), name);
  const answer = readJson(file, requestAnswer);
  if (answer) rmSync(file, { force: true });
  return answer;
}

function readJson<T>(file: string, schema: z.ZodMiniType<T>): T | undefined {
  return parsedRunFile(readStart(file, MAX_BYTES), file, schema);
}

const schedule = z.partial(z.object(scheduleShape));

const runRequest = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    units: z.nullable(z.array(z.string())),
    schedule,
    environment: z.nullable(z.string()),
  }),
  z.object({ type: z.literal('retry'), units: z.array(z.string()), environment: z.nullable(z.string()) }),
  z.object({
    type: z.literal('resume'),
    units: z.nullable(
      z.array(
        z.object({
          unit: z.string(),
          promptFile: z.nullable(z.string()),
          timeoutSeconds: z.optional(z.number()),
        }),
      ),
    ),
    environment: z.nullable(z.string()),
  }),
  z.object({ type: z.literal('cancel'), units: z.nullable(z.array(z.string())), graceSeconds: z.number() }),
]);

const requestAnswer = z.object({
  schema: z.number(),
  units: z.array(z.string()),
  refused: z.array(z.object({ unit: z.string(), why: z.string() })),
});
