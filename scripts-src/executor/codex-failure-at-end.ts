import { knownFailure } from './codex-failure.ts';
import { TESTED_CODEX } from './codex-flags.ts';
import { evidenceOf, failureMessage } from './failure-evidence.ts';
import { readableLine, withoutEscapes } from './readable-line.ts';
import type { FailureReason, WorkerFacts, WorkerFailure } from './types.ts';

/** What the process of a codex left behind. `stderr`: the end of it, without the trace. */
export interface CodexEnd {
  exitCode: number | null;
  stderr: string;
  facts: WorkerFacts;
}

/** A line of stderr that names why codex ended; `says` makes it a sentence for people where it is none by itself. */
interface Sign {
  reason: FailureReason;
  line: RegExp;
  says?: (match: RegExpExecArray) => string;
}

/** Measured with 0.171.0 (FACTS-codex.md: Input, Resume, Flags); exit 1 but for clap's 2 and a panic's 101. */
const SIGNS: readonly Sign[] = [
  { reason: 'session-live', line: /already has an active writer/ },
  { reason: 'session-lost', line: /no rollout found for (?:thread|conversation) id/i },
  { reason: 'session-lost', line: /created with a different ChatGPT account/ },
  { reason: 'login', line: /\bNot (?:logged|signed) in\b/i },
  {
    reason: 'bad-flags',
    line: /^error: unexpected argument '([^']+)'/,
    says: ([, flag = '']) => notKnown(`the flag ${flag}`),
  },
  {
    reason: 'bad-flags',
    line: /^error: unrecognized subcommand '([^']+)'/,
    says: ([, word = '']) => notKnown(`the command ${word}`),
  },
  {
    reason: 'bad-flags',
    line: /^error: invalid value '([^']*)' for '([^'\s]+)/,
    says: ([, value = '', flag = '']) => notKnown(`the value ${value} of ${flag}`),
  },
  {
    reason: 'bad-flags',
    line: /Unknown feature flag: (\S+)/,
    says: ([, name = '']) => notKnown(`the feature ${name}`),
  },
  { reason: 'bad-flags', line: /^Error loading config/ },
  { reason: 'bad-request', line: /input is not valid UTF-8/ },
  { reason: 'bad-request', line: /exceeds the maximum length of \d+ characters/ },
  { reason: 'bad-request', line: /^No prompt provided/ },
  { reason: 'bad-request', line: /^Failed to (?:read output schema|read image|open image)/ },
  {
    reason: 'bad-request',
    line: /^Error: No such file or directory \(os error 2\)/,
    says: () => 'codex could not start in its work dir: no such directory',
  },
];

const PANIC = /^thread '.*' (?:\(\d+\) )?panicked at |^The application panicked/;
const PANIC_CODE = 101;

/** What its own rules and its sandbox refuse is told on stderr only. */
const REFUSED = /\brejected: |\brejected by |blocked by (?:read-only sandbox|policy)|sandbox denied/;

/**
 * What stderr and the exit code of a codex tell that its events do not. After an exit with 0 the only thing is what its
 * sandbox or its rules have refused, which counts where the unit fails otherwise.
 */
export function codexFailureAtEnd({ exitCode, stderr, facts }: CodexEnd): WorkerFailure | undefined {
  const lines = stderr
    .split('\n')
    .map((line) => withoutEscapes(line).trimEnd())
    .filter((line) => line !== '');
  if (exitCode === 0) return refusal(lines, facts);
  const isTold = facts.ended !== undefined;
  return panic(exitCode, lines) ?? signOf(lines) ?? (isTold ? undefined : errorLine(lines));
}

/**
 * The failure that a plain `Error: …` tells by its words: the server's, in a codex whose events tell no end. After an end
 * it is somebody else's word, such as that of a tool's server.
 */
function errorLine(lines: readonly string[]): WorkerFailure | undefined {
  const line = lines.findLast((text) => /^(?:ERROR|Error): /.test(text));
  const reason = line === undefined ? undefined : knownFailure(line);
  return line === undefined || reason === undefined ? undefined : failure(reason, line, [line]);
}

function signOf(lines: readonly string[]): WorkerFailure | undefined {
  for (const { reason, line: pattern, says } of SIGNS) {
    const at = lines.findLastIndex((line) => pattern.test(line));
    const line = lines[at];
    const match = line === undefined ? null : pattern.exec(line);
    if (line === undefined || !match) continue;
    return failure(reason, says?.(match) ?? line, lines.slice(at, at + 3));
  }
  return undefined;
}

function panic(exitCode: number | null, lines: readonly string[]): WorkerFailure | undefined {
  const at = lines.findIndex((line) => PANIC.test(line));
  if (at < 0 && exitCode !== PANIC_CODE) return undefined;
  const said = at < 0 ? [] : lines.slice(at, at + 3);
  const place = said[0] === undefined ? '' : `: ${said.slice(0, 2).join(' ')}`;
  return failure('panic', `codex itself broke (exit ${exitCode ?? 'unknown'})${place}`, said);
}

function refusal(lines: readonly string[], { refusals = [] }: WorkerFacts): WorkerFailure | undefined {
  const told = [...lines.filter((line) => REFUSED.test(line)), ...refusals];
  const [first] = told;
  if (first === undefined) return undefined;
  const more = told.length > 1 ? ` (and ${told.length - 1} more)` : '';
  const what = readableLine(withoutStamp(first), 300);
  return failure('sandbox-refusal', `the sandbox or codex's rules refused: ${what}${more}`, told.slice(0, 5));
}

/** Without the time, the level and the module of a log line. */
function withoutStamp(line: string): string {
  return line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z +[A-Z]+ [\w:]+: (?:error=)?/, '');
}

function notKnown(what: string): string {
  return `this codex does not take ${what}: it is older or newer than the one that prun was tested with (${TESTED_CODEX})`;
}

function failure(reason: FailureReason, text: string, lines: readonly string[]): WorkerFailure {
  const message = failureMessage(text.replace(/^(?:Error|ERROR|error): /, ''));
  return { reason, message, evidence: evidenceOf(lines) };
}
