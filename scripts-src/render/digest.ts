import { adviceFor } from '../executor/failure-advice.ts';
import { FAILURE_REASONS } from '../executor/failure-kinds.ts';
import { evidenceText } from '../supervise/evidence-text.ts';
import { tripwireText } from '../supervise/tripwire-text.ts';
import { isSaved } from '../unit/judge-unit.ts';
import type { OutcomeRecord } from '../unit/records.ts';
import { wrapCells } from './cells.ts';
import { countOf, durationText } from './figures.ts';
import type { Paint, Tone } from './paint.ts';

/** One ended unit as the digest tells of it. */
export interface DigestEntry {
  outcome: OutcomeRecord;
  /** Workspace mode: a clone's success leaves a delta to review. */
  mode: string;
  /** The result's `Conclusion:` line, where it has one. */
  conclusion?: string;
  /** The result's path as it is to be shown. */
  resultPath?: string;
}

/** More units than this are counted, not told: output for the coordinator is bounded (promise P7). */
const MAX_UNITS = 40;
const MAX_TEXT = 300;
const INDENT = '    ';
/** Of what may be named several times over in one entry. */
const BRIEF_TEXT = 160;

type CollectedDelta = Extract<OutcomeRecord['delta'], { state: 'collected' }>;

/**
 * Two lines a unit, more only where a terminal of `width` cells breaks them. Of too many units those that need
 * somebody are told. Pure.
 */
export function digestLines(
  entries: readonly DigestEntry[],
  width: number = Number.POSITIVE_INFINITY,
  paint: Paint = (_, text) => text,
): string[] {
  const urgent = [...entries].sort((a, b) => weightOf(a) - weightOf(b));
  const shown = entries.length > MAX_UNITS ? urgent.slice(0, MAX_UNITS) : entries;
  const lines = shown.flatMap((entry) => entryLines(entry, width, paint));
  const left = entries.length - shown.length;
  return left > 0 ? [...lines, `${countOf(left, 'more unit')}: see the ledger`] : lines;
}

function weightOf({ outcome }: DigestEntry): number {
  return outcome.status === 'succeeded' ? 1 : 0;
}

function entryLines(entry: DigestEntry, width: number, paint: Paint): string[] {
  const { outcome } = entry;
  const head = `${outcome.unit}: ${outcome.status} (${outcome.reason}) after ${durationText(outcome.durationMs)}: ${oneLine(entry.conclusion ?? withoutDates(outcome.detail))}`;
  const [first = '', ...rest] = wrapCells(head, width, INDENT);
  const coloured = first.replace(outcome.status, paint(toneOfStatus(outcome.status), outcome.status));
  const body = wrapCells(bodyText(entry), width - INDENT.length).map((line) => INDENT + line);
  return [coloured, ...rest, ...body];
}

/** The colour of an outcome's status. */
export function toneOfStatus(status: string): Tone {
  if (status === 'succeeded') return 'good';
  return status === 'failed' ? 'bad' : 'warn';
}

function bodyText(entry: DigestEntry): string {
  const { outcome } = entry;
  const parts = [resultText(entry)];
  parts.push(...workspaceTexts(outcome));
  if (outcome.reaped.length > 0) parts.push(`reaped ${processNames(outcome.reaped)}`);
  if (outcome.survivors.length > 0) parts.push(`STILL ALIVE: ${processNames(outcome.survivors)}`);
  const evidence = evidenceAge(outcome);
  if (evidence) parts.push(evidence);
  if (outcome.tokens) parts.push(`${outcome.tokens.input} tokens in, ${outcome.tokens.output} out`);
  // A delta is there to be read, or it is not, whatever the workspace is called.
  const { delta } = outcome;
  const mode = delta?.state === 'collected' ? (isEmpty(delta) ? 'scratch' : 'clone') : entry.mode;
  parts.push(`next: ${nextStep(outcome, mode)}`);
  return parts.join('; ');
}

/** The delta in figures, what of the claims does not hold, and what happened to the user's repository. */
function workspaceTexts({ delta, claims, tripwire, reason }: OutcomeRecord): string[] {
  const texts: string[] = [];
  if (delta?.state === 'collected') texts.push(deltaText(delta));
  else if (delta) texts.push(`delta ${delta.state}: ${brief(delta.detail)}: ${oneLine(delta.next)}`);
  if (delta?.state === 'collected' && delta.lost.length > 0) {
    texts.push(`NOT IN THE DELTA: ${someOf(delta.lost)}`);
  }
  // The detail of a mismatch has named them.
  if (claims && reason !== 'claim-mismatch') {
    if (claims.claimed.length > 0) texts.push(`claimed, not in the delta: ${someOf(claims.claimed)}`);
    if (claims.unclaimed.length > 0) texts.push(`not claimed: ${someOf(claims.unclaimed)}`);
  }
  if (claims && claims.ignored.length > 0) {
    texts.push(`claimed, at ignored paths: ${someOf(claims.ignored)}`);
  }
  if (tripwire && tripwire.changes.length > 0) texts.push(oneLine(tripwireText(tripwire)));
  if (tripwire && tripwire.unread.length > 0) {
    texts.push(`not compared in the user's repository: ${someOf(tripwire.unread)}`);
  }
  return texts;
}

function deltaText(delta: CollectedDelta): string {
  if (isEmpty(delta)) return 'empty delta';
  const figures = `delta of ${countOf(delta.files, 'file')} (${delta.added} added, ${delta.modified} modified, ${delta.deleted} deleted)`;
  const more = [
    delta.moves > 0 ? `${countOf(delta.moves, 'submodule')} moved` : '',
    delta.commits > 0 ? `${countOf(delta.commits, 'commit')} that it should not have made` : '',
    delta.outside > 0 ? `${countOf(delta.outside, 'file')} outside what it owns` : '',
    delta.problems > 0 ? countOf(delta.problems, 'problem') : '',
  ];
  return [figures, ...more.filter(Boolean)].join(', ');
}

function isEmpty(delta: CollectedDelta): boolean {
  return delta.files === 0 && delta.moves === 0;
}

/** A few paths, and how many more there are. */
function someOf(paths: readonly string[]): string {
  const shown = brief(paths.slice(0, 3).join(', '));
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}

function resultText({ outcome, resultPath }: DigestEntry): string {
  const { result } = outcome;
  if (!result) return `no result: ${oneLine(outcome.resultError ?? 'none was written')}`;
  const path = resultPath ?? result.path;
  const isOwn = outcome.status === 'succeeded' || !isSaved(outcome);
  if (isOwn) return `result ${path} (${result.bytes} bytes)`;
  const source = result.origin === 'last-message' ? 'its last message' : 'the end of its output';
  return `FALLBACK ${path} (${source})`;
}

/** Several processes of one name are counted: `3 node`. */
function processNames(processes: OutcomeRecord['reaped']): string {
  const counts = new Map<string, number>();
  for (const { command } of processes) counts.set(command, (counts.get(command) ?? 0) + 1);
  const names = [...counts].slice(0, 5).map(([name, count]) => oneLine(`${count} ${name}`));
  return counts.size > names.length ? `${names.join(', ')} and others` : names.join(', ');
}

/** Left out where the detail has said it already. */
function evidenceAge({ lastEvidence, detail }: OutcomeRecord): string | undefined {
  if (!lastEvidence || detail.includes('last evidence')) return undefined;
  return `last evidence: ${withoutDates(evidenceText(lastEvidence))}`;
}

/** The records hold whole times; here the age that stands beside them is enough. */
function withoutDates(text: string): string {
  return text.replace(/ at \d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
}

const NEXT: Readonly<Record<string, string>> = {
  'no-result': 'review the FALLBACK, or dispatch again',
  'empty-result': 'review the FALLBACK, or dispatch again',
  'idle-stall': 'see in the tail what it waited for, then dispatch again',
  'hard-timeout': 'dispatch again with a smaller task or a longer --timeout',
  'output-limit': 'see in the tail what flooded, then dispatch again',
  'token-limit': 'split it, or go on in its session',
  exit: 'read the end of the tail, then dispatch again',
  signal: 'find out who ended it, then dispatch again',
  spawn: 'check that the worker is installed (--codex-bin)',
  'dispatch-dead': 'resume its session, or dispatch again',
  disk: 'make room on the disk, then dispatch again',
  'nothing-done': 'read its result, then dispatch again with a clearer prompt',
  schema: 'read its last message, then dispatch again or resume its session with what is wrong',
  'worker-blocked': 'read its result, then dispatch again with what is in the way removed',
  'needs-context': 'read its result, then go on in its session with the answer',
  'claim-mismatch':
    'read the delta and the ignored files for what is claimed, then dispatch again with the finding',
};

type NextFacts = Pick<OutcomeRecord, 'status' | 'reason'> &
  Partial<Pick<OutcomeRecord, 'executor' | 'failure' | 'sessionId'>>;

/** What is to be done about a failure that the worker told; undefined for an end with another reason. */
function failureStep({ reason, executor, failure, sessionId }: NextFacts): string | undefined {
  const named = FAILURE_REASONS.find((each) => each === reason);
  return named && adviceFor(named, { ...failure, executor, sessionId });
}

/** What the coordinator does about an outcome. */
export function nextStep(outcome: NextFacts, mode: string): string {
  if (outcome.status !== 'succeeded') {
    return NEXT[outcome.reason] ?? failureStep(outcome) ?? 'read outcome.json and the tail';
  }
  return mode === 'scratch' ? 'read the result' : 'read every hunk, then apply the patch';
}

/** One bounded line: a record may hold what a worker wrote. */
function oneLine(text: string, limit: number = MAX_TEXT): string {
  const line = text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

function brief(text: string): string {
  return oneLine(text, BRIEF_TEXT);
}
