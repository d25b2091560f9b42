import type { FailureReason } from './types.ts';

/** What is known of a failed unit, for advice that names it. All of it may be left out. */
export interface AdviceFacts {
  /** What ran it (`codex`). */
  executor?: string | undefined;
  unit?: string | undefined;
  /** Its run; a unit of `dispatch-task` has none. */
  run?: string | undefined;
  /** When the account can be used again, ISO 8601. */
  resetAt?: string | null | undefined;
  retryAfterSeconds?: number | null | undefined;
  sessionId?: string | null | undefined;
}

const LOGIN: Readonly<Record<string, string>> = {
  codex: 'run `codex login`',
  claude: 'run `claude` and /login',
  omp: 'log in to omp, or pass its provider key with --pass-env',
};

/** What a coordinator does about a worker's failure: one line, without a full stop, that can follow `what is wrong: `. */
export function adviceFor(reason: FailureReason, facts: AdviceFacts = {}): string {
  const { executor = 'codex', resetAt, retryAfterSeconds, sessionId } = facts;
  const again = againText(facts);
  switch (reason) {
    case 'usage-limit':
      return facts.run === undefined
        ? `start nothing more on this account before ${resetAt ?? 'its limit is reset'}; then ${again}, or log in with another account`
        : `nothing more starts on this account before ${resetAt ?? 'its limit is reset'}; ${again} begins earlier, after a login with another account`;
    case 'quota':
      return `buy credits or raise the spend limit of this account (or log in with another one), then ${again}`;
    case 'rate-limit':
      return `run fewer units at once, and ${retryAfterSeconds ? `after ${retryAfterSeconds} s ` : ''}${again}`;
    case 'auth':
      return `${LOGIN[executor] ?? 'check the key of this account'} again or replace the key, then ${again}`;
    case 'login':
      return `${LOGIN[executor] ?? 'log in'}, then ${again}`;
    case 'overloaded':
      return `the server is busy: wait some minutes, then ${again}, or name another --model`;
    case 'network':
      return `check the network and the proxy${executor === 'codex' ? ' (and `codex login status`)' : ''}, then ${again}`;
    case 'stream-cut':
      return `the answer broke off: ${again}`;
    case 'context':
      return 'split the unit, or give it less to read, and start it in a new session';
    case 'bad-request':
      return 'correct what the message names (prompt, effort, schema, work dir); the same request is refused again';
    case 'model-gone':
      return `name another --model, or update ${executor}`;
    case 'empty-answer':
      return sessionId
        ? `ask for the answer in its session ${sessionId}, or ${again} with a clearer prompt`
        : `${again} with a clearer prompt`;
    case 'sandbox-refusal':
      if (executor === 'claude') {
        return 'give it another --permission-mode; as root, bypassPermissions needs IS_SANDBOX=1 where the machine itself is the sandbox';
      }
      return 'give it a wider --sandbox, or a prompt that keeps to what it may do (codex refuses `rm -rf` in every sandbox)';
    case 'panic':
      return `read the end of its output; make room on the disk or update ${executor}, then ${again}`;
    case 'bad-flags':
      return `update ${executor}, or leave out what it does not know`;
    case 'session-live':
      return 'wait until that session has ended, or end it; then resume again';
    case 'session-lost':
      return 'it cannot be resumed: start the unit again, with what is left to do in its prompt';
    case 'validation':
      return 'read the log of the step that it names; correct that in the unit that made it, and then retry both';
    case 'model-error':
      return `read the message; wait or name another --model, then ${again}`;
  }
}

/** How the unit is done once more. A run takes up by itself what its breaker has parked; `resume` does it at once. */
function againText({ unit, run }: AdviceFacts): string {
  if (run === undefined) return `dispatch ${unit ?? 'the unit'} again`;
  return `prun resume --run ${run}${unit === undefined ? '' : ` --unit ${unit}`}`;
}
