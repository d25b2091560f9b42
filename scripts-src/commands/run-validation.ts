import path from 'node:path';
import { VALIDATION_FAILED } from '../executor/validation-failure.ts';
import { EXIT, usageError } from '../platform/errors.ts';
import { writeAtomic } from '../platform/files.ts';
import { gitText } from '../platform/git.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { currentHost } from '../process/host.ts';
import { validationJson, validationTeller } from '../render/validation-lines.ts';
import { attemptOfMarker } from '../run/attempt-of-marker.ts';
import { evidenceFile, folderOfResult, jobOfAttempt, VALIDATION_UNIT } from '../run/validation-unit.ts';
import { listenForInterruption } from '../supervise/interruption.ts';
import { validate } from '../validate/validate.ts';
import { isPassed, type ValidationResult } from '../validate/validation-records.ts';

/**
 * The worker of a run's validation: runs the kept job in the clone that it stands in, at the clone's HEAD. Called by prun
 * alone. Exits with the validation's own code.
 */
export async function runValidation(argv: readonly string[], prun: string): Promise<number> {
  const resultFile = lastValue(readFlags(argv, { values: ['--result'] }), '--result');
  if (!resultFile) throw usageError('--result is missing', 'prun run FILE --validate job.json calls this');
  const run = { folder: folderOfResult(resultFile) };
  const attempt = attemptOfMarker(run, process.env.PRUN_UNIT ?? '');
  const worktree = process.cwd();
  const commit = await gitText({ cwd: worktree }, ['rev-parse', 'HEAD']);
  const teller = validationTeller(process.stderr, process.env);
  const { result, file } = await validate({
    job: jobOfAttempt(run, attempt, { worktree, commit }),
    output: path.dirname(evidenceFile(run, attempt)),
    reused: undefined,
    environment: process.env,
    host: await currentHost(),
    interruption: listenForInterruption(),
    listener: teller.listener,
    script: path.join(path.dirname(prun), 'validate-run.cjs'),
  });
  teller.tellEnd(result, file);
  writeAtomic(resultFile, resultText(result, file));
  process.stdout.write(`${validationJson(result, file)}\n`);
  if (isPassed(result.status)) return EXIT.ok;
  process.stderr.write(`${VALIDATION_FAILED}${result.status}: ${result.reason}\n`);
  return result.exitCode;
}

/** The unit's result, in the form of the contract. */
function resultText({ status, reason, commit, tree, steps }: ValidationResult, file: string): string {
  const rows = steps.map(
    ({ sequence, stage, outcome, exitCode, seconds, log }) =>
      `| ${sequence} | ${stage} | ${outcome} | ${exitCode} | ${seconds.toFixed(1)} | ${path.join(path.dirname(file), log)} |`,
  );
  return `# ${VALIDATION_UNIT} result
Conclusion: ${status}: ${reason} (commit ${commit.slice(0, 12)}, tree ${tree?.slice(0, 12) ?? 'none'})
Files: none (read-only)
Open items: ${isPassed(status) ? 'none' : reason}
Verification: ${file}

| step | stage | outcome | exit | seconds | log |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}
