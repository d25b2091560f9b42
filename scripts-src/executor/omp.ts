import { join } from 'node:path';
import { homeFolder } from '../platform/home-folder.ts';
import { shortHash } from '../platform/random.ts';
import { evidenceOf, failureMessage } from './failure-evidence.ts';
import { providerFailure } from './provider-failure.ts';
import { withoutEscapes } from './readable-line.ts';
import { resetTime, secondsToWait } from './reset-time.ts';
import { isRetryNotice } from './retry-notice.ts';
import { readVariable, scrubEnvironment } from './scrub-environment.ts';
import type { CommandRequest, Executor, FailureReason, WorkerCommand, WorkerFailure } from './types.ts';

/** Keys of providers that omp asks for; which one is in use is its own choice. */
const KEYS = ['GEMINI_API_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'OPENROUTER_API_KEY', 'XAI_API_KEY'];

/**
 * Oh My Pi as a worker, run by `omp -p` (npm `@oh-my-pi/pi-coding-agent`): the prompt in a file that it is given with
 * `@`, and what it prints is its answer unless it writes a result. It has no sandbox of its own, and no session is kept.
 */
export const omp: Executor = {
  name: 'omp',
  answersOnStdout: true,
  program: { name: 'omp', variable: 'OMP_BIN' },
  canResume: false,
  account: ompAccount,
  command: ompCommand,
  events: () => ({ read: () => undefined, facts: () => ({ structured: false, openCommands: 0 }) }),
  classifyStderr: () => 'text',
  isRetryNotice,
  sessionLog: () => undefined,
  failureAtEnd: ompFailure,
  // It prints nothing while it works: what its processes do is the only evidence that there is.
  isOwnProcess: () => false,
};

/** It reads stdin as a part of the prompt where that is no terminal: the prompt would be there twice. */
function ompCommand(request: CommandRequest): WorkerCommand {
  const { model, reasoningEffort } = request;
  const argv = [request.binary, '-p', '--no-session', '--auto-approve'];
  if (model !== undefined) argv.push('--model', model);
  if (reasoningEffort !== undefined) argv.push('--thinking', reasoningEffort);
  argv.push(`@${request.promptFile}`);
  const environment = scrubEnvironment(request.environment, request.passEnv, {
    ...request.told,
    PRUN_UNIT: request.marker,
  });
  return { argv, environment, stderr: 'own', stdin: 'nothing' };
}

function ompAccount(environment: NodeJS.ProcessEnv): string {
  const home = readVariable(environment, 'HOME') || readVariable(environment, 'USERPROFILE') || homeFolder();
  const place = readVariable(environment, 'PI_CODING_AGENT_DIR') || join(home, '.omp');
  return shortHash([place, ...KEYS.map((key) => readVariable(environment, key) ?? '')].join('\0'));
}

/** Lines of other programs that it may have passed on: what git or npm was refused says nothing of its own account. */
const OTHERS = /^(?:fatal|remote|hint): |^npm (?:ERR!|error)(?: |$)|^(?:git|ssh|curl|gh|docker): /;

/** What the end of its stderr says of a failure; it has no events. */
function ompFailure(end: { exitCode: number | null; stderr: string }): WorkerFailure | undefined {
  if (end.exitCode === 0) return undefined;
  const lines = withoutEscapes(end.stderr)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !OTHERS.test(line))
    .slice(-20);
  const told = lines.findLast((line) => failureIn(line) !== undefined);
  const reason = told === undefined ? undefined : failureIn(told);
  if (told === undefined || reason === undefined) return undefined;
  const resetAt = reason === 'usage-limit' ? resetTime(told, Date.now()) : undefined;
  const retryAfterSeconds = reason === 'rate-limit' ? secondsToWait(told) : undefined;
  return {
    reason,
    message: failureMessage(told),
    evidence: evidenceOf(lines),
    ...(resetAt === undefined ? {} : { resetAt }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function failureIn(line: string): FailureReason | undefined {
  return /^Error: unknown flag/i.test(line) ? 'bad-flags' : providerFailure(line);
}
