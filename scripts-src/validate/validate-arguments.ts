import path from 'node:path';
import { usageError } from '../platform/errors.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';

/** What `validate-run` prints for --help. */
export const VALIDATE_HELP = `usage: validate-run --job FILE --output NEWDIR [--reuse-build RESULT]
       validate-run --verify-evidence FILE

Validates one commit in one clean work tree and leaves the evidence in a new folder. FILE is a job (JSON):

  {
    "worktree": "../app",                  from the folder of the job
    "commit": "4f1c…",                     what git rev-parse HEAD prints
    "build":  ["npm", "run", "build"],     commands are lists of words: no shell reads them
    "verify": ["test", "-s", "dist/app.js"],
    "health": ["node", "health.mjs"],
    "smoke":  ["npm", "run", "smoke"],     required
    "test":   ["npm", "test"],             required
    "collect": ["node", "collect.mjs"],
    "recover": ["node", "recover.mjs"],
    "environment": {"CI": "1"},            what steps see besides PATH, HOME, TMPDIR and the like
    "inherit_environment": ["JAVA_HOME"],  names taken from the caller
    "step_timeout": 1800                   seconds a step; 0: no limit
  }

Order: build, verify, health, smoke, health, test, health. A build that fails ends it. When a health check fails, collect,
recover and verify run once, and then everything from the first health check. HEAD, index and all files are compared with
the commit before and after every step; ignored files may change. Each step is a group of its own, gone with everything
that it started before the next one begins, and sees VALIDATE_RUN_OUTPUT, VALIDATE_RUN_STARTED_AT, VALIDATE_RUN_COMMIT,
VALIDATE_RUN_BUILD_FINGERPRINT, VALIDATE_RUN_STAGE and VALIDATE_RUN_SEQUENCE.

  --job FILE              the job
  --output NEWDIR         a folder that does not exist: gets result.json and logs/
  --reuse-build RESULT    take over the build of an earlier result.json with the same commit, build, verify and
                          environment; verify runs again
  --verify-evidence FILE  compare a result.json with its worktree, its job and its logs; run nothing

stdout: one line of JSON. stderr: one line a step, the end of a failed step's log, and the verdict.
exit: 0 passed, passed-after-recovery; 1 build-failed, artifact-verification-failed, test-failed; 2 infrastructure-failed, or
wrong arguments; 3 invalid-evidence (with --verify-evidence: something differs, or it is incomplete); 128+n cancelled
`;

/** The parsed command line of `validate-run`. Paths are absolute. */
export type ValidateArguments =
  | { kind: 'help' }
  | { kind: 'validate'; job: string; output: string; reuse: string | undefined }
  | { kind: 'evidence'; file: string };

/** Reads the command line of `validate-run`. */
export function parseValidate(argv: readonly string[], cwd: string): ValidateArguments {
  const flags = readFlags(argv, { values: ['--job', '--output', '--reuse-build', '--verify-evidence'] });
  if (flags.help) return { kind: 'help' };
  const [more] = flags.operands;
  if (more !== undefined) {
    throw usageError(`unexpected argument ${JSON.stringify(more)}`, 'commands stand in the job; see --help');
  }
  const given = (name: string): string | undefined => {
    const value = lastValue(flags, name);
    if (value === '') throw usageError(`${name} is empty`, 'give a path');
    return value === undefined ? undefined : path.resolve(cwd, value);
  };
  const [job, output, reuse, evidence] = ['--job', '--output', '--reuse-build', '--verify-evidence'].map(
    given,
  );
  if (evidence !== undefined) {
    if (job ?? output ?? reuse) {
      throw usageError('--verify-evidence stands alone', 'call it without --job, --output and --reuse-build');
    }
    return { kind: 'evidence', file: evidence };
  }
  if (job === undefined)
    throw usageError('--job is missing', 'give a job: validate-run --job FILE --output NEWDIR');
  if (output === undefined) throw usageError('--output is missing', 'give a folder that does not exist');
  return { kind: 'validate', job, output, reuse };
}
