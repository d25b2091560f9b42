import { codexAccount } from './codex-account.ts';
import { codexCommand } from './codex-command.ts';
import { codexEventReader } from './codex-events.ts';
import { codexFailureAtEnd } from './codex-failure-at-end.ts';
import { codexLogReset } from './codex-log-reset.ts';
import { codexLogTokens } from './codex-log-tokens.ts';
import { codexSessionLog } from './codex-session-log.ts';
import { classifyStderr } from './codex-trace.ts';
import { isRetryNotice } from './retry-notice.ts';
import type { Executor } from './types.ts';

/**
 * codex's own programs by their short names: the native program, its code mode host, its sandbox helper. Not the
 * npm wrapper: it is called `node`, like many a command, and idles.
 */
const OWN_PROCESS = /^(?:.*[\\/])?codex(?:[-.].*)?$/i;

/** The Codex CLI as a worker, run by `codex exec` (FACTS-codex.md). */
export const codex: Executor = {
  name: 'codex',
  answersOnStdout: false,
  program: { name: 'codex', variable: 'CODEX_BIN' },
  canResume: true,
  account: codexAccount,
  command: codexCommand,
  events: codexEventReader,
  classifyStderr,
  isRetryNotice,
  sessionLog: codexSessionLog,
  tokensInLog: codexLogTokens,
  resetInLog: codexLogReset,
  failureAtEnd: codexFailureAtEnd,
  isOwnProcess: (command) => OWN_PROCESS.test(command),
};
