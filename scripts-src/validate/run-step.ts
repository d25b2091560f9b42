import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { monotonicMs, wallTime } from '../platform/clock.ts';
import { PrunError, plainError } from '../platform/errors.ts';
import { PRIVATE_FILE } from '../platform/files.ts';
import type { Interruption } from '../supervise/interruption.ts';
import type { OwnedCommands, OwnedProcess } from '../supervise/owned-commands.ts';
import { sha256OfFile } from './fingerprint.ts';
import { type Stage, type StepRecord, VALIDATION_FILES } from './validation-records.ts';

/** A step that is to be run. Paths are absolute. */
export interface StepRequest {
  sequence: number;
  stage: Stage;
  argv: string[];
  worktree: string;
  environment: Readonly<Record<string, string>>;
  output: string;
  /** 0: no limit. */
  timeoutSeconds: number;
}

/** What is left of a step is asked to end, and has so long, ms. */
const ASK_MS = 1000;
/** The same for one that is cancelled or late, ms: shorter than the second that resource-run gives to a validation. */
const CANCEL_MS = 600;
/** setTimeout takes 24.8 days at most; more would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;
const SHOWN_PROCESSES = 20;

/**
 * Runs one step to its end, as a group of its own: stdin empty, stdout and stderr in its log. When this returns, nothing
 * that it started runs on, or `survivors` names it.
 */
export async function runStep(
  commands: OwnedCommands,
  request: StepRequest,
  interruption: Interruption,
): Promise<StepRecord> {
  const from = monotonicMs();
  const startedAt = wallTime();
  const log = logOf(request);
  const file = path.join(request.output, log);
  const end = await runInLog(commands, request, interruption, file);
  const { sha256, bytes } = sha256OfFile(file);
  return {
    sequence: request.sequence,
    stage: request.stage,
    argv: request.argv,
    ...end,
    startedAt,
    seconds: (monotonicMs() - from) / 1000,
    log,
    logBytes: bytes,
    logSha256: sha256,
  };
}

/** `logs/02-verify.log`, with `/` on every system. */
export function logOf({ sequence, stage }: Pick<StepRequest, 'sequence' | 'stage'>): string {
  return `${VALIDATION_FILES.logs}/${String(sequence).padStart(2, '0')}-${stage}.log`;
}

type StepEnd = Pick<StepRecord, 'outcome' | 'exitCode' | 'signal' | 'leftovers' | 'survivors'>;

async function runInLog(
  commands: OwnedCommands,
  { argv, worktree, environment, timeoutSeconds }: StepRequest,
  interruption: Interruption,
  file: string,
): Promise<StepEnd> {
  const log = openSync(file, 'wx', PRIVATE_FILE);
  let step: OwnedProcess;
  try {
    step = commands.start({ argv, cwd: worktree, environment, stdio: ['ignore', log, log] });
  } catch (error) {
    const refused = plainError(error) ?? new PrunError('E_STEP', String(error), 'look at the command', 126);
    writeSync(log, `validate-run: ${refused.message}: ${refused.next}\n`);
    const none = { signal: null, leftovers: [], survivors: [] };
    return { outcome: 'failed', exitCode: refused.exitCode, ...none };
  } finally {
    closeSync(log);
  }
  return seeToEnd(step, interruption, timeoutSeconds);
}

async function seeToEnd(step: OwnedProcess, interruption: Interruption, seconds: number): Promise<StepEnd> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'timeout'>((resolve) => {
    if (seconds > 0) timer = setTimeout(() => resolve('timeout'), Math.min(seconds * 1000, LONGEST_MS));
  });
  const cancelled = interruption.arrived.then(() => 'cancelled' as const);
  const first = await Promise.race([step.ended, late, cancelled]);
  clearTimeout(timer);
  const { reaped, survivors } = await step.end(typeof first === 'string' ? CANCEL_MS : ASK_MS);
  const listed = { survivors: survivors.slice(0, SHOWN_PROCESSES) };
  if (typeof first !== 'string') {
    const outcome = first.code === 0 ? 'ok' : 'failed';
    const leftovers = reaped.filter(({ pid }) => pid !== step.pid).slice(0, SHOWN_PROCESSES);
    return { outcome, exitCode: first.code, signal: first.signal, leftovers, ...listed };
  }
  const { signal } = survivors.some(({ pid }) => pid === step.pid) ? { signal: null } : await step.ended;
  return { outcome: first, exitCode: first === 'timeout' ? 124 : 130, signal, leftovers: [], ...listed };
}
