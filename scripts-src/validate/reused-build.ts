import path from 'node:path';
import { type PrunError, usageError } from '../platform/errors.ts';
import type { Job } from './job.ts';
import { readResult } from './result-file.ts';
import type { Fingerprints, ValidationResult } from './validation-records.ts';

/** An earlier validation whose build is to be taken over. */
export interface ReusedBuild {
  /** Absolute. */
  file: string;
  sha256: string;
  result: ValidationResult;
}

/** Reads it, where its build was good. Throws a usage error otherwise. */
export function readReusedBuild(file: string, job: Job): ReusedBuild {
  const absolute = path.resolve(file);
  const { result, sha256, isWhole } = readResult(absolute, '--reuse-build');
  if (!isWhole) throw notThat(absolute, 'was changed after it was written');
  if (result.status === 'invalid-evidence') throw notThat(absolute, 'is invalid evidence: its tree moved');
  if (!job.commands.verify) {
    throw usageError('--reuse-build needs a verify', 'give the job a command that checks what was built');
  }
  const isBuilt = result.reused !== null || isGood(result, 'build');
  if (!isBuilt || !isGood(result, 'verify')) {
    throw notThat(absolute, `has no build that was verified (${result.status})`);
  }
  return { file: absolute, sha256, result };
}

function isGood({ steps }: ValidationResult, stage: 'build' | 'verify'): boolean {
  return steps.filter((step) => step.stage === stage).at(-1)?.outcome === 'ok';
}

/** Throws a usage error that says what is not equal, where anything is not. */
export function requireEqualBuild(
  { file, result }: ReusedBuild,
  now: { commit: string; commands: Job['commands']; fingerprints: Fingerprints },
): void {
  if (result.fingerprints.build === now.fingerprints.build) return;
  const isOther = (stage: 'build' | 'verify') =>
    JSON.stringify(result.commands[stage] ?? null) !== JSON.stringify(now.commands[stage] ?? null);
  const different = [
    ...(result.commit === now.commit ? [] : [`its commit is ${result.commit}`]),
    ...(isOther('build') ? ['its build command is another one'] : []),
    ...(isOther('verify') ? ['its verify command is another one'] : []),
    ...(result.fingerprints.environment === now.fingerprints.environment
      ? []
      : ['its environment was another one']),
  ];
  throw notThat(file, `was made from something else: ${different.join(', ') || 'its tree is another one'}`);
}

function notThat(file: string, why: string): PrunError {
  return usageError(`--reuse-build ${file} ${why}`, 'leave --reuse-build away, so that it is built');
}
