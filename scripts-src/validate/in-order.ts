import type { Stage, ValidationVerdict } from './validation-records.ts';

/** How one stage ended. `stop`: nothing else is run. */
export type StageEnd =
  | { kind: 'ok' }
  | { kind: 'failed'; why: string }
  | { kind: 'stop'; verdict: ValidationVerdict };

/** The stages of one job. */
export interface Stages {
  /** Whether an earlier build is taken over. */
  isReused: boolean;
  /** Whether the job has a command for it. */
  has(stage: Stage): boolean;
  run(stage: Stage): Promise<StageEnd>;
}

/** How one round of checks ended; `unhealthy` is the only end that may be followed by another round. */
type RoundEnd = ValidationVerdict | { status: 'unhealthy'; reason: string };

/**
 * Runs a job's stages: build → verify → health → smoke → health → test → health. A health check that fails may be
 * recovered from, once: collect → recover → verify, and then everything from the first health check.
 */
export async function validateInOrder(stages: Stages): Promise<ValidationVerdict> {
  const artifact = await buildAndVerify(stages);
  if (artifact) return artifact;
  const first = await checkOnce(stages);
  if (first.status !== 'unhealthy') return first;
  const broken = await recover(stages, first.reason);
  if (broken) return broken;
  const second = await checkOnce(stages);
  if (second.status === 'unhealthy') {
    return { status: 'infrastructure-failed', reason: `${second.reason}, also after a recovery` };
  }
  if (second.status !== 'passed') return second;
  return { status: 'passed-after-recovery', reason: `${second.reason}, after a recovery (${first.reason})` };
}

/** A verdict where the artifact is not there or not good. */
async function buildAndVerify(stages: Stages): Promise<ValidationVerdict | undefined> {
  const build = stages.isReused ? OK : await runIfThere(stages, 'build');
  if (build.kind === 'stop') return build.verdict;
  if (build.kind === 'failed') return { status: 'build-failed', reason: build.why };
  return verify(stages);
}

async function verify(stages: Stages): Promise<ValidationVerdict | undefined> {
  const end = await runIfThere(stages, 'verify');
  if (end.kind === 'stop') return end.verdict;
  if (end.kind === 'failed') return { status: 'artifact-verification-failed', reason: end.why };
  return undefined;
}

/** Smoke and test, each between two health checks: these tell whether a failure is the tree's or the environment's. */
async function checkOnce(stages: Stages): Promise<RoundEnd> {
  const before = await health(stages);
  if (before) return before;
  for (const stage of ['smoke', 'test'] as const) {
    const end = await stages.run(stage);
    if (end.kind === 'stop') return end.verdict;
    const after = await health(stages);
    if (after) return after;
    if (end.kind === 'failed') return { status: 'test-failed', reason: end.why };
  }
  return { status: 'passed', reason: 'smoke and test ended well' };
}

async function health(stages: Stages): Promise<RoundEnd | undefined> {
  const end = await runIfThere(stages, 'health');
  if (end.kind === 'stop') return end.verdict;
  return end.kind === 'failed' ? { status: 'unhealthy', reason: end.why } : undefined;
}

/** A verdict where the environment could not be brought back. What `collect` says is no reason to stop. */
async function recover(stages: Stages, why: string): Promise<ValidationVerdict | undefined> {
  const collected = await runIfThere(stages, 'collect');
  if (collected.kind === 'stop') return collected.verdict;
  if (!stages.has('recover')) {
    return { status: 'infrastructure-failed', reason: `${why}, and the job has no recover` };
  }
  const recovered = await stages.run('recover');
  if (recovered.kind === 'stop') return recovered.verdict;
  if (recovered.kind === 'failed') {
    return { status: 'infrastructure-failed', reason: `${why}, and ${recovered.why}` };
  }
  return verify(stages);
}

const OK: StageEnd = { kind: 'ok' };

async function runIfThere(stages: Stages, stage: Stage): Promise<StageEnd> {
  return stages.has(stage) ? stages.run(stage) : OK;
}
