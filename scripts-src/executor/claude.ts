import { claudeCommand } from './claude-command.ts';
import { SIGN_IN } from './claude-environment.ts';
import { claudeEventReader } from './claude-events.ts';
import { claudeFailureAtEnd } from './claude-failure.ts';
import { claudeAccount, claudeSessionLog } from './claude-home.ts';
import { isRetryNotice } from './retry-notice.ts';
import type { Executor } from './types.ts';

/** claude's own processes by their short names: the native program, on Windows and as npm installs it with `.exe`. */
const OWN_PROCESS = /^(?:.*[\\/])?claude(?:\.exe)?$/i;

/** Claude Code as a worker, run by `claude -p` (FACTS-claude-code.md; measured with 2.1.332). */
export const claude: Executor = {
  name: 'claude',
  answersOnStdout: false,
  program: { name: 'claude', variable: 'CLAUDE_BIN' },
  needs: [...SIGN_IN, 'CLAUDE_BIN'],
  canResume: true,
  countsAttemptOnly: true,
  account: claudeAccount,
  command: claudeCommand,
  events: claudeEventReader,
  classifyStderr: () => 'text',
  isRetryNotice,
  sessionLog: claudeSessionLog,
  failureAtEnd: claudeFailureAtEnd,
  isOwnProcess: (command) => OWN_PROCESS.test(command),
};
