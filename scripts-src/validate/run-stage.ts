import path from 'node:path';
import { formatIdentity, identify } from '../process/identity.ts';
import type { Interruption } from '../supervise/interruption.ts';
import { sleep } from '../supervise/reap.ts';
import type { StageEnd } from './in-order.ts';
import { noteProgress } from './result-file.ts';
import { logOf, runStep } from './run-step.ts';
import { leaseVariables, toldVariables } from './step-environment.ts';
import type { Validation } from './validation.ts';
import {
  type Stage,
  type StepRecord,
  VALIDATION_SCHEMA,
  type ValidationVerdict,
} from './validation-records.ts';

/** A signal that reaches git and this process at once is told to this process within this time, ms. */
const SIGNAL_MS = 100;

/** The end by a signal, and when it came. */
export function cancelled(signal: NodeJS.Signals, when: string): ValidationVerdict {
  return { status: 'cancelled', reason: `${signal} ${when}`, signal };
}

/** Runs one step between two comparisons of the tree. */
export async function runStage(validation: Validation, stage: Stage): Promise<StageEnd> {
  const { job, interruption, listener, output, worktree, steps } = validation;
  const sequence = steps.length + 1;
  const argv = job.commands[stage] ?? [];
  const name = `step ${sequence} (${stage})`;
  const moved = await compareTree(validation, `before ${name}`);
  if (moved) return moved;
  const early = interruption.signal();
  if (early) return { kind: 'stop', verdict: cancelled(early, `before ${name}`) };
  noteProgressOf(validation, { sequence, stage });
  listener.stepStarted({ sequence, stage, argv, log: path.join(output, logOf({ sequence, stage })) });
  const environment = { ...validation.stepVariables, ...toldTo(validation, stage, sequence) };
  const request = {
    sequence,
    stage,
    argv,
    worktree,
    environment,
    output,
    timeoutSeconds: job.stepTimeoutSeconds,
  };
  const step = await runStep(validation.commands, request, interruption);
  steps.push(step);
  listener.stepEnded(step, path.join(output, step.log));
  const signal = interruption.signal();
  if (signal) return { kind: 'stop', verdict: cancelled(signal, `in ${name}`) };
  const movedNow = await compareTree(validation, `after ${name}`);
  if (movedNow) return movedNow;
  return endOfStep(step, name, job.stepTimeoutSeconds);
}

function endOfStep(step: StepRecord, name: string, timeoutSeconds: number): StageEnd {
  const [left] = step.survivors;
  if (left) {
    const reason = `${name} left process ${left.pid} (${left.command}), which cannot be ended`;
    return { kind: 'stop', verdict: { status: 'infrastructure-failed', reason } };
  }
  if (step.outcome === 'ok') return { kind: 'ok' };
  const how =
    step.outcome === 'timeout'
      ? `did not end within ${timeoutSeconds} s`
      : `ended with ${step.signal ?? step.exitCode}`;
  return { kind: 'failed', why: `${name} ${how}` };
}

async function compareTree(validation: Validation, when: string): Promise<StageEnd | undefined> {
  validation.checks++;
  const difference = await validation.watch?.difference();
  if (!difference) return undefined;
  return { kind: 'stop', verdict: await verdictOnDifference(validation.interruption, when, difference) };
}

/** A terminal's Ctrl-C ends git, too, and a comparison that was broken off says nothing of the tree. */
export async function verdictOnDifference(
  interruption: Interruption,
  when: string,
  difference: string,
): Promise<ValidationVerdict> {
  await Promise.race([interruption.arrived, sleep(SIGNAL_MS)]);
  const signal = interruption.signal();
  if (signal) return cancelled(signal, when);
  return { status: 'invalid-evidence', reason: `${when}: ${difference}` };
}

function toldTo(validation: Validation, stage: Stage, sequence: number): Record<string, string> {
  const { output, startedAt, commit, fingerprints } = validation;
  const told = toldVariables({
    output,
    startedAt,
    commit,
    buildFingerprint: fingerprints.build,
    stage,
    sequence,
  });
  return { ...leaseVariables(validation.environment), ...told };
}

/** Notes how far a validation is, for whoever finds no result. */
export function noteProgressOf(
  { host, output, startedAt }: Pick<Validation, 'host' | 'output' | 'startedAt'>,
  step: { sequence: number; stage: Stage } | null,
): void {
  const id = identify(host, process.pid);
  const validator = id ? formatIdentity(id) : '';
  noteProgress(output, { schema: VALIDATION_SCHEMA, validator, startedAt, step });
}
