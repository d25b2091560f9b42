import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkerCommand } from '../executor/types.ts';
import { monotonicMs, wallTime } from '../platform/clock.ts';
import { EXIT, PrunError } from '../platform/errors.ts';
import { PRIVATE_DIR, PRIVATE_FILE, stampOf, writeAtomic } from '../platform/files.ts';
import { randomHex, shortHash } from '../platform/random.ts';
import { RSS_MARK_RANGE } from '../process/family.ts';
import { formatIdentity, identityOf } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { SCHEMA, type UnitLimits, type UnitRecord } from '../unit/records.ts';
import { draftOf, stateFile, writeValue } from '../unit/state-dir.ts';
import { type AskedForm, keepSchema, notedForm } from './asked-schema.ts';
import { reserveOutcome } from './publish-outcome.ts';

/** What an attempt is made of. Paths are absolute. */
export interface AttemptRequest {
  unit: string;
  prompt: Uint8Array;
  promptFile: string;
  resultFile: string;
  stateHome: string;
  /** The folder that the caller stood in. */
  cwd: string;
  /** Where the worker is to work; undefined for the state dir's own scratch folder. */
  workdir: string | undefined;
  limits: UnitLimits;
  /** Number of the attempt among those of its unit; 1 where nobody counts. */
  attempt?: number;
  executorName: string;
  /** Marker of the unit that this one is nested in, or undefined. */
  outerMarker: string | undefined;
  /** The session that goes on, as `CommandRequest.resume` says it, and what its thread had used; undefined for a new one. */
  resumed?: UnitRecord['resumed'];
  /** The form that the last message is to have stands among the options of the worker's command. */
  command?: { options?: AskedForm | undefined };
}

/** An attempt that is prepared on disk under a name that nobody looks at yet. */
export interface PreparedAttempt {
  /** Where it is now. */
  draft: string;
  /** Where it will be. */
  stateDir: string;
  workdir: string;
  marker: string;
  rssMarkKib: string;
  record: UnitRecord;
}

/**
 * Prepares an attempt, in memory. The state dir is made under a draft name after its guardian was started, so that
 * somebody removes it whoever dies. It gets its own name by rename: from then on the attempt exists, and from then on
 * it ends in an outcome, whoever dies.
 */
export function prepareAttempt(host: ProcessHost, request: Omit<AttemptRequest, 'prompt'>): PreparedAttempt {
  const { unit } = request;
  const token = randomHex(16);
  const name = `prun-task-${shortHash(request.cwd)}-${unit}-${process.pid}-${token}`;
  const stateDir = path.join(request.stateHome, name);
  const draft = draftOf(stateDir);
  const self = host.entry(process.pid);
  if (!self) throw unreadableTable(host);
  const { marker, rssMarkKib } = marksOf(host, unit, token, request.outerMarker);
  const workdir = request.workdir ?? stateFile(stateDir, 'scratch');
  const record: UnitRecord = {
    schema: SCHEMA,
    unit,
    attempt: request.attempt ?? 1,
    executor: request.executorName,
    argv: [],
    cwd: workdir,
    promptFile: request.promptFile,
    resultFile: request.resultFile,
    base: null,
    limits: request.limits,
    marker,
    rssMark: rssMarkKib === '' ? null : String(Number(rssMarkKib) * 1024),
    since: self.startOrder,
    supervisor: formatIdentity(identityOf(host, self)),
    worker: null,
    startedAt: wallTime(),
    startedMonotonicMs: monotonicMs(),
    boot: host.bootId(),
    ...(request.resumed ? { resumed: request.resumed } : {}),
    ...notedForm(request.command?.options),
  };
  return { draft, stateDir, workdir, marker, rssMarkKib, record };
}

/** What the descendants of an attempt's worker carry: all of it follows from the name of its state dir. */
export function marksOf(
  host: Pick<ProcessHost, 'platform'>,
  unit: string,
  token: string,
  outerMarker: string | undefined,
): { marker: string; rssMarkKib: string } {
  const own = `${unit}-${token}`;
  return {
    marker: outerMarker ? `${outerMarker}/${own}` : own,
    rssMarkKib: host.platform === 'linux' ? rssMarkFrom(token) : '',
  };
}

/** A worker that could not be recognised could not be ended either: it is not started. */
function unreadableTable(host: ProcessHost): PrunError {
  return new PrunError(
    'E_NO_PROCESS_TABLE',
    `the process table cannot be read (${host.trouble?.() ?? 'this process is not in it'})`,
    'make /proc, ps or PowerShell usable for this user and dispatch again',
    EXIT.notExecutable,
  );
}

/** Makes the draft's folder. */
export function makeDraft({ draft }: PreparedAttempt): void {
  mkdirSync(draft, { mode: PRIVATE_DIR });
}

/** Writes what the worker, the guardian and the outcome need; the time to the worker's start is spent here. */
export function fillDraft(
  attempt: PreparedAttempt,
  { prompt }: { prompt: Uint8Array },
  command: WorkerCommand,
): void {
  const { draft, record } = attempt;
  record.argv = command.argv;
  writeFileSync(stateFile(draft, 'prompt'), prompt, { mode: PRIVATE_FILE });
  mkdirSync(stateFile(draft, 'scratch'), { mode: PRIVATE_DIR });
  const empty = ['tail', 'wake', ...(command.stderr === 'own' ? ['stderr' as const] : [])] as const;
  for (const file of empty) closeSync(openSync(stateFile(draft, file), 'wx', PRIVATE_FILE));
  // Before the worker is there: a quick one could fill the disk first.
  reserveOutcome(draft);
  keepSchema(draft, record);
  writeFileSync(stateFile(draft, 'unit'), unitJson(record), { mode: PRIVATE_FILE });
}

/**
 * Writes the plain values for people and shell scripts, after the worker has started. `unit.json` holds them too, so
 * a disk that is full by now is no reason to stop.
 */
export function describeAttempt({ stateDir, record }: PreparedAttempt): void {
  const older = BigInt(stampOf(stateFile(stateDir, 'previousResult'))?.mtimeNs ?? '0');
  try {
    writeValue(stateDir, 'preMtime', String(older / 1_000_000_000n));
    writeValue(stateDir, 'timestamp', Math.floor(Date.now() / 1000));
    writeValue(stateDir, 'resultFile', record.resultFile);
    writeValue(stateDir, 'dispatchPid', process.pid);
  } catch {
    // See above.
  }
}

/** Gives a draft its name: the attempt now exists. */
export function publishAttempt(attempt: PreparedAttempt): void {
  renameSync(attempt.draft, attempt.stateDir);
}

/**
 * Removes a draft, or an attempt whose worker was never started and that was never announced. Call when the
 * guardian's starter has settled: it writes into the same folder.
 */
export function discardAttempt(attempt: PreparedAttempt): void {
  for (const folder of [attempt.draft, attempt.stateDir]) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Why the attempt is given up is the news, not what is left of it.
    }
  }
}

/** Rewrites `unit.json` with what is known since the start. A full disk is no reason to stop: the shim noted its pid. */
export function rewriteUnitRecord(stateDir: string, record: UnitRecord): void {
  try {
    writeAtomic(stateFile(stateDir, 'unit'), unitJson(record), { sync: false });
  } catch {
    // See above.
  }
}

function unitJson(record: UnitRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** A soft RSS limit that no other unit has: 40 bits of the attempt's token within the range of marks, KiB. */
function rssMarkFrom(token: string): string {
  const low = RSS_MARK_RANGE.from / 1024;
  return String(low + (Number.parseInt(token.slice(0, 10), 16) % low));
}
