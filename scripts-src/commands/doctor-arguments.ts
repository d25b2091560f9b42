import { usageError } from '../platform/errors.ts';
import { lastValue, readFlags } from '../platform/read-flags.ts';
import { refuseOperands, stateHomeFrom } from './clone-arguments.ts';

/** What `prun doctor` prints for --help. */
export const DOCTOR_HELP = `usage: prun doctor [flags]

Whether prun can work here, and what to do where it cannot. It only looks: nothing is changed, repaired or ended.

  OK <check>: <what was seen>
  NOTE <check>: <…>         worth knowing; units run all the same
  PROBLEM <check>: <…>      units cannot be run like this on codex, the default executor
    DO <the one thing to do>, below each NOTE and PROBLEM
  JOBS <n> [(why)]          so many units at once are a good start on this machine (--jobs)

checks: node, git, codex, codex-login, claude, omp, state-home, temp-folder, machine, limits, inotify, containment,
repository (the current folder), skill, runs, processes. codex-login only where there is a codex.

flags
  --timeout SEC      longest wait for one program or one file system (5)
  --state-home DIR   where prun keeps its state (PRUN_STATE_HOME)
  --json             {schema, ok, checks: [{id, state, fact, do}], jobs}
  --help             this text

exit: 0 no PROBLEM; 2 wrong arguments; 30 a PROBLEM
`;

/** The parsed command line of `prun doctor`. */
export interface DoctorArguments {
  /** Absolute. */
  stateHome: string;
  /** Longest wait for an answer, ms. */
  limitMs: number;
  json: boolean;
}

const USUAL_SECONDS = 5;
const MOST_SECONDS = 600;

/** Reads the command line of `prun doctor`; undefined when help was asked for. */
export function parseDoctor(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  cwd: string,
): DoctorArguments | undefined {
  const flags = readFlags(argv, { values: ['--timeout', '--state-home'], switches: ['--json'] });
  if (flags.help) return undefined;
  refuseOperands(flags, 'doctor');
  return {
    stateHome: stateHomeFrom(flags, environment, cwd),
    limitMs: secondsFrom(lastValue(flags, '--timeout')) * 1000,
    json: flags.switches.has('--json'),
  };
}

function secondsFrom(given: string | undefined): number {
  if (given === undefined) return USUAL_SECONDS;
  const seconds = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (seconds >= 1 && seconds <= MOST_SECONDS) return seconds;
  throw usageError(
    `--timeout is ${JSON.stringify(given.slice(0, 40))}`,
    `give whole seconds from 1 to ${MOST_SECONDS}`,
  );
}
