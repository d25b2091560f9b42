import { EXIT, PrunError, plainError, runMain } from './platform/errors.ts';
import { currentHost } from './process/host.ts';
import { evidenceLines, validationJson, validationTeller } from './render/validation-lines.ts';
import { END_OWNED, endOwned } from './supervise/end-owned.ts';
import { listenForInterruption } from './supervise/interruption.ts';
import { checkEvidence } from './validate/evidence.ts';
import { readJob } from './validate/job.ts';
import { readReusedBuild } from './validate/reused-build.ts';
import { validate } from './validate/validate.ts';
import { parseValidate, VALIDATE_HELP } from './validate/validate-arguments.ts';
import { STATUS_CODES } from './validate/validation-records.ts';

void runMain('validate-run', async () => {
  const argv = process.argv.slice(2);
  if (argv[0] === END_OWNED) return endOwned(argv.slice(1));
  const asked = parseValidate(argv, process.cwd());
  if (asked.kind === 'help') {
    process.stdout.write(VALIDATE_HELP);
    return EXIT.ok;
  }
  try {
    return await (asked.kind === 'evidence' ? verifyEvidence(asked.file) : validateJob(asked));
  } catch (error) {
    // 1 is a verdict on the tree: what could not be carried out says nothing of it.
    const known = plainError(error);
    throw known ? new PrunError(known.code, known.message, known.next, EXIT.usage) : error;
  }
});

async function validateJob({
  job: file,
  output,
  reuse,
}: {
  job: string;
  output: string;
  reuse: string | undefined;
}) {
  const job = readJob(file);
  const reused = reuse === undefined ? undefined : readReusedBuild(reuse, job);
  const teller = validationTeller(process.stderr, process.env);
  try {
    const { result, file: written } = await validate({
      ...{ job, output, reused, environment: process.env, listener: teller.listener, script: __filename },
      host: await currentHost(),
      interruption: listenForInterruption(),
    });
    teller.tellEnd(result, written);
    process.stdout.write(`${validationJson(result, written)}\n`);
    return result.exitCode;
  } finally {
    teller.clear();
  }
}

async function verifyEvidence(file: string): Promise<number> {
  const check = await checkEvidence(file, await currentHost());
  for (const line of evidenceLines(check)) process.stderr.write(`${line}\n`);
  process.stdout.write(`${JSON.stringify(check)}\n`);
  return check.evidence === 'agrees' ? EXIT.ok : STATUS_CODES['invalid-evidence'];
}
