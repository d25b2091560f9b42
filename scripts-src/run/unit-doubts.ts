import { readableLine } from '../executor/readable-line.ts';
import { tripwireText } from '../supervise/tripwire-text.ts';
import type { CommandText } from './command-text.ts';
import type { UnitState } from './records.ts';
import { isFinalState } from './run-view.ts';
import type { ResultFacts, UnitFacts } from './unit-facts.ts';

/** What can be in doubt about a unit. */
export type DoubtKind =
  | 'running'
  | 'blocked'
  /** It did not succeed. */
  | 'failed'
  /** Its outcome is missing, damaged, or not what the log says. */
  | 'outcome'
  /** Its result is missing or empty. */
  | 'no-result'
  | 'fallback'
  /** It is not the file that the outcome names any more. */
  | 'changed-result'
  /** It lacks fields of its contract. */
  | 'contract'
  /** Its delta was not collected. */
  | 'delta'
  /** Something is missing in the delta. */
  | 'lost'
  | 'tripwire'
  | 'survivors'
  /** A parent got a new result after it had started. */
  | 'stale';

/** One thing that is in doubt about a unit, and what to do about it. */
export interface Doubt {
  kind: DoubtKind;
  /** What is wrong, a few words, one line. */
  what: string;
  /** The path in `what` that must be readable whole; left out where there is none. */
  place?: string;
  /** The command that puts it right, or that shows what is to be judged. */
  next: string;
}

const MAX_LOST = 3;
/** Characters of what is said of a failure. */
const SAID_CHARS = 160;

/** What is in doubt about a unit that was started, the weightiest first; nothing where it is well. Pure. */
export function doubtsOf(facts: UnitFacts, command: CommandText): Doubt[] {
  const of = (...words: readonly string[]) => ['--unit', facts.id, ...words];
  if (!isFinalState(facts.state)) return [unfinished(facts, command)];
  const retry = command('retry', ...of());
  if (facts.state === 'blocked') {
    return [
      { kind: 'blocked', what: facts.detail || 'a parent is not well', next: unblocking(facts, command) },
    ];
  }
  const doubts: Doubt[] = [];
  const doubt = (kind: DoubtKind, what: string, next: string, place?: string) =>
    doubts.push({ kind, what, next, ...(place !== undefined && what.includes(place) ? { place } : {}) });
  if (facts.state !== 'succeeded')
    doubt('failed', failedText(facts), facts.afterFailure ?? retry, facts.result?.path);
  // What could not even be started has no state dir, and its end says so.
  else if (facts.outcomeTrouble !== null) doubt('outcome', facts.outcomeTrouble, retry);
  const { outcome } = facts;
  if (outcome && outcome.unit !== facts.id) {
    doubt('outcome', `the outcome in its state dir is that of ${outcome.unit}`, retry);
  }
  if (outcome && outcome.status !== facts.state) {
    doubt('outcome', `its outcome.json says ${outcome.status}, the log ${facts.state}`, retry);
  }
  if (outcome && facts.state === 'succeeded') {
    const text = resultDoubt(facts);
    if (text) doubt(text.kind, text.what, retry, facts.result?.path);
  }
  const { delta } = facts;
  if (delta && delta.state !== 'collected') {
    // Where there is nothing to collect from, only another attempt helps; --force: it may have succeeded.
    const again = command('retry', ...of('--force'));
    doubt('delta', `no delta: ${delta.detail}`, delta.isGone ? again : command('collect', ...of()));
  }
  if (delta && delta.lost.length > 0) {
    doubt('lost', `not in its delta: ${someOf(delta.lost)}`, command('collect', ...of('--include', 'PATH')));
  }
  if (facts.staleParents.length > 0) {
    doubt('stale', `built on an older result of ${facts.staleParents.join(', ')}`, retry);
  }
  const changes = outcome?.tripwire?.changes.filter(({ name }) => !isFetched(name)) ?? [];
  if (outcome?.tripwire && changes.length > 0) {
    doubt('tripwire', tripwireText({ ...outcome.tripwire, changes }), command('debug', ...of()));
  }
  if (outcome && outcome.survivors.length > 0) {
    const names = outcome.survivors.map(({ pid, command: name }) => `${pid} ${name}`);
    doubt('survivors', `still alive when it ended: ${someOf(names)}`, command('debug', ...of()));
  }
  return doubts;
}

/**
 * What a fetch moves: an editor, `prun init` of another run, or the user fetches at any time, and nothing of theirs changes
 * by it. It stays in the outcome, and is no doubt.
 */
function isFetched(ref: string): boolean {
  return /^refs\/remotes\//.test(ref);
}

function unfinished({ id, state, stalled, parked }: UnitFacts, command: CommandText): Doubt {
  if (parked) {
    const words = parked.next === 'start' ? ['--token-limit', 'N'] : [];
    return {
      kind: 'running',
      what: `still ${state}: ${parked.why}`,
      next: command(parked.next, ...words),
    };
  }
  if (stalled) {
    const what = `still ${state}, without progress for ${stalled.quietSeconds}s (${stalled.evidence})`;
    return { kind: 'running', what, next: command('cancel', '--unit', id) };
  }
  return { kind: 'running', what: `still ${state}`, next: command('wait') };
}

/** What is to be done about the parents of a blocked unit: it goes on by itself when they are well. */
function unblocking({ parents }: UnitFacts, command: CommandText): string {
  const named = (states: readonly UnitState[]) =>
    parents.filter(({ state }) => states.includes(state)).flatMap(({ id }) => ['--unit', id]);
  const unstarted = named(['created']);
  if (unstarted.length > 0) return command('start', ...unstarted);
  const ended = named(['failed', 'cancelled', 'interrupted']);
  if (ended.length > 0) return command('retry', ...ended);
  // All are well: their deltas do not go together.
  if (parents.every(({ state }) => state === 'succeeded'))
    return command('conflicts', ...named(['succeeded']));
  return command('status');
}

function failedText({ detail, result, outcome, outcomeTrouble, stateDir }: UnitFacts): string {
  // Whole it is in the outcome: what follows is what somebody goes by.
  const said = readableLine(detail, SAID_CHARS) || 'it did not succeed';
  if (stateDir !== null && outcomeTrouble !== null) return `${said}; ${outcomeTrouble}`;
  if (outcome?.result === null) return `${said}; it left no result`;
  if (result?.state !== 'text') return said;
  return `${said}; ${result.isFallback ? 'a FALLBACK' : 'a text of its own'} is in ${result.path}`;
}

function resultDoubt({ outcome, result }: UnitFacts): { kind: DoubtKind; what: string } | undefined {
  if (!outcome?.result || !result) {
    return { kind: 'no-result', what: `no result${outcome?.resultError ? `: ${outcome.resultError}` : ''}` };
  }
  const missing = absence(result);
  if (missing !== undefined) return { kind: 'no-result', what: missing };
  if (result.isFallback) return { kind: 'fallback', what: `its result is a FALLBACK: ${result.path}` };
  if (result.bytes !== outcome.result.bytes) {
    const what = `its result has ${result.bytes} bytes, its outcome says ${outcome.result.bytes}: somebody changed ${result.path}`;
    return { kind: 'changed-result', what };
  }
  if (result.missing.length === 0) return undefined;
  return { kind: 'contract', what: `its result lacks ${result.missing.join(', ')} (${result.path})` };
}

function absence({ path, state }: ResultFacts): string | undefined {
  if (state === 'missing') return `its result has gone: ${path}`;
  if (state === 'empty') return `its result is empty: ${path}`;
  return state === 'not-a-file' ? `its result cannot be read: ${path}` : undefined;
}

function someOf(texts: readonly string[]): string {
  const more = texts.length - MAX_LOST;
  return `${texts.slice(0, MAX_LOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
