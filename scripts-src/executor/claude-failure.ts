import { calledTool } from './claude-blocks.ts';
import { resetTime } from './claude-reset-time.ts';
import { type Fields, fieldsOf, textField } from './codex-items.ts';
import { evidenceOf, failureMessage } from './failure-evidence.ts';
import { providerFailure } from './provider-failure.ts';
import type { FailureReason, WorkerFacts, WorkerFailure } from './types.ts';

/** What claude's stream has said of a failure so far. */
export interface Trouble {
  /** `error` of a message that claude wrote itself, such as `authentication_failed`. */
  kind?: string | undefined;
  /** Status of the server's answer. */
  status?: number | undefined;
  /** For people. */
  text: string;
  /** When the limit ends, ISO 8601, where the stream said that the account's limit is reached. */
  limitResetAt?: string | undefined;
  isLimitReached: boolean;
  /** Lines that told it, newest last. */
  lines: readonly string[];
}

/** Kinds that mean one thing whatever the text says (measured, 2.1.332). */
const KINDS: ReadonlyMap<string, FailureReason> = new Map([
  ['billing_error', 'quota'],
  ['overloaded', 'overloaded'],
  ['model_not_found', 'model-gone'],
  ['oauth_org_not_allowed', 'auth'],
  ['max_output_tokens', 'model-error'],
]);

/** A session that was to go on. */
const NO_SESSION = /No conversation found with session ID/;

function reasonOf({ kind = '', status, text, isLimitReached }: Trouble): FailureReason {
  if (NO_SESSION.test(text)) return 'session-lost';
  const known = KINDS.get(kind);
  if (known !== undefined) return known;
  const said = providerFailure(text);
  switch (kind) {
    case 'authentication_failed':
      return said === 'login' ? 'login' : 'auth';
    case 'rate_limit':
      return isLimitReached || said === 'usage-limit' ? 'usage-limit' : 'rate-limit';
    case 'invalid_request':
      return said === 'context' || said === 'quota' ? said : 'bad-request';
    case 'server_error':
      return status !== undefined && status >= 500 ? 'overloaded' : (said ?? 'overloaded');
    default:
      return said ?? 'model-error';
  }
}

/**
 * The failure of a turn that claude itself called failed. `saidAt`: epoch ms of when it was said, for a reset that is told
 * as a clock's time.
 */
export function claudeFailure(trouble: Trouble, saidAt: number): WorkerFailure {
  const { text, lines, limitResetAt } = trouble;
  const reason = reasonOf(trouble);
  const resetAt = reason === 'usage-limit' ? (limitResetAt ?? resetTime(text, saidAt)) : undefined;
  return {
    reason,
    message: failureMessage(text),
    evidence: evidenceOf(lines),
    ...(resetAt === undefined ? {} : { resetAt }),
  };
}

/** What a `result` event says of a failed turn that no message of the stream has told. */
export function resultText(result: Fields): string {
  const errors = Array.isArray(result.errors) ? result.errors.filter((each) => typeof each === 'string') : [];
  return (
    textField(result, 'result') ||
    errors.join('; ') ||
    `claude ended with ${textField(result, 'subtype') ?? 'an error'}`
  );
}

/** What the permission mode has refused, a line for each tool; at most 5. */
export function refusedTools(result: Fields): string[] {
  const denials = Array.isArray(result.permission_denials) ? result.permission_denials : [];
  const lines = denials.slice(-100).map((each) => {
    const denial = fieldsOf(each);
    const { name, what } = calledTool({ name: denial.tool_name, input: denial.tool_input });
    return failureMessage(`${name}: ${what}`.slice(0, 300));
  });
  return [...new Set(lines)].slice(-5);
}

/** What claude prints on stderr and then ends with 1, before or instead of any event (measured, 2.1.332). */
const AT_END: readonly (readonly [FailureReason, RegExp, string?])[] = [
  [
    'sandbox-refusal',
    /--dangerously-skip-permissions cannot be used with root/,
    'claude refuses bypassPermissions for root: set IS_SANDBOX=1 where the machine itself is the sandbox, or give the unit permissionMode: acceptEdits',
  ],
  ['session-lost', NO_SESSION],
  ['session-live', /Session ID \S+ is already in use/],
  [
    'bad-flags',
    /^error: (?:unknown option|option .* (?:argument|is invalid)|unknown command)|^Error: --\S+ /m,
  ],
  ['panic', /panic(?:\(|ked| at)|Bun has crashed|Segmentation fault|SIGILL|JavaScript heap out of memory/],
];

/**
 * The failure that claude's stderr tells where its events tell none. After an exit with 0 the only thing is what its
 * permission mode has refused, which counts where the unit fails otherwise.
 */
export function claudeFailureAtEnd(end: {
  exitCode: number | null;
  stderr: string;
  facts: WorkerFacts;
}): WorkerFailure | undefined {
  if (end.exitCode === 0) return refusal(end.facts);
  const lines = end.stderr.split('\n').filter((line) => line.trim() !== '');
  for (const [reason, pattern, advice] of AT_END) {
    const told = lines.find((line) => pattern.test(line));
    if (told !== undefined)
      return { reason, message: failureMessage(advice ?? told), evidence: evidenceOf(lines) };
  }
  return undefined;
}

function refusal({ refusals = [] }: WorkerFacts): WorkerFailure | undefined {
  if (refusals.length === 0) return undefined;
  const message = failureMessage(`its permission mode refused: ${refusals.join('; ')}`);
  return { reason: 'sandbox-refusal', message, evidence: evidenceOf(refusals) };
}
