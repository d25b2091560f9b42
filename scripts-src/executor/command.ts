import { fillPlaceholders } from './placeholders.ts';
import { isRetryNotice } from './retry-notice.ts';
import { scrubEnvironment } from './scrub-environment.ts';
import type { CommandRequest, EventReader, Executor, WorkerCommand } from './types.ts';
import { validationFailure } from './validation-failure.ts';

/** Any program as a worker: the prompt on its stdin, and what it prints is its answer unless it writes a result. */
export const command: Executor = {
  name: 'command',
  answersOnStdout: true,
  program: null,
  canResume: false,
  account: () => '',
  command: commandLine,
  events: plainOutput,
  failureAtEnd: ({ stderr }) => validationFailure(stderr),
  classifyStderr: () => 'text',
  isRetryNotice,
  sessionLog: () => undefined,
  // All of its processes are the command: what any of them does is work.
  isOwnProcess: () => false,
};

/**
 * The words as they were given, with their placeholders filled. The program itself takes none: it was looked up
 * before the attempt existed. No shell reads the words.
 */
function commandLine(request: CommandRequest): WorkerCommand {
  const { unit, workdir, promptFile, resultFile } = request;
  const values = { unit, workdir, prompt_file: promptFile, result_file: resultFile };
  const words = (request.args ?? []).map((word) => fillPlaceholders(word, values));
  const environment = scrubEnvironment(request.environment, request.passEnv, {
    ...request.told,
    PRUN_UNIT: request.marker,
  });
  return { argv: [request.binary, ...words], environment, stderr: 'own' };
}

/** Speaks in no events: each line is what it is. */
function plainOutput(): EventReader {
  return { read: () => undefined, facts: () => ({ structured: false, openCommands: 0 }) };
}
