import { failureKind } from '../../executor/failure-kinds.ts';
import type { FailureReason } from '../../executor/types.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { LastEvidence, OutcomeReason, OutcomeRecord } from '../../unit/records.ts';
import type { UnitAccount } from '../account-of-unit.ts';
import { RUN_BREAKER, RUN_BREAKER_KEY } from '../breaker-of-unit.ts';
import type { RequestAnswer, RunEventBody } from '../records.ts';
import type { OpenBreaker, UnitView } from '../run-view.ts';
import { type AccountState, accountState } from './account-state.ts';
import { type Supervision, unitOf } from './supervision.ts';

/** Up to so much is added to a reset, ms: the server's clock is another one, and other runs wait for the same moment. */
const AFTER_RESET_MS = 3000;
/** Where the account fails again after its reset, it is left alone for so long at least, ms. */
const LEAST_AGAIN_MS = 30_000;
/** Evidence from so long after the start on is no part of it, ms: a refused login takes 7 s with all its tries. */
const START_MS = 15_000;
/** After a first unit that could not tell, the next one waits, ms. */
const NEXT_PROBE_MS = 10_000;

/** Ends that only an answer of the server leads to. */
const ANSWERED: readonly OutcomeReason[] = [
  ...(['no-result', 'empty-result', 'nothing-done', 'claim-mismatch', 'verify', 'schema'] as const),
  ...(['worker-blocked', 'needs-context', 'token-limit'] as const),
  ...(['output-limit', 'context', 'bad-request', 'model-gone', 'empty-answer', 'sandbox-refusal'] as const),
];

/** How an attempt ended, as far as its account is concerned. */
export type AccountEnd = Pick<OutcomeRecord, 'status' | 'reason' | 'detail'> &
  Partial<Pick<OutcomeRecord, 'failure'>>;

/** Why a unit of an account is not started now, and when time alone may change that, ms. */
export interface AccountHold {
  why: string;
  retryMs: number;
}

/** Whether the account's breaker keeps its units from being started; one is let through when the reset has passed. */
export function heldByBreaker(supervision: Supervision, account: UnitAccount): AccountHold | undefined {
  const breaker = supervision.view.breakers.get(account.key);
  if (!breaker) return undefined;
  const state = accountState(supervision, account);
  const leftMs = resetLeftMs(breaker, state);
  const why = `the breaker of ${account.executor} is open`;
  if (leftMs > 0) return { why, retryMs: leftMs };
  state.probe ??= probeOfEarlier(supervision, account, breaker);
  if (state.probe && supervision.active.has(state.probe.unit)) {
    return { why, retryMs: Number.POSITIVE_INFINITY };
  }
  state.probe = null;
  const waitMs = state.probeFromMs - monotonicMs();
  return waitMs > 0 ? { why, retryMs: waitMs } : undefined;
}

/** A unit of the account is being started: while the breaker is open it is the one that is tried first. */
export function noteProbe(supervision: Supervision, account: UnitAccount, unit: string): void {
  if (!supervision.view.breakers.has(account.key)) return;
  accountState(supervision, account).probe = { unit, attempt: unitOf(supervision, unit).attempt };
}

/** Whether a unit that is being started must not be any more: its account's breaker, or the run's, has opened since. */
export function isStoppedAtStart(supervision: Supervision, id: string): boolean {
  const { breakers } = supervision.view;
  if (breakers.size === 0) return false;
  const account = supervision.accountOf(unitOf(supervision, id));
  if (breakers.has(RUN_BREAKER_KEY)) return unitOf(supervision, id).spec.executor !== 'session';
  if (!account || !breakers.has(account.key)) return false;
  return accountState(supervision, account).probe?.unit !== id;
}

/** Closes breakers whose first unit moves beyond its start. Looked at now and then. */
export function noticeRecovery(supervision: Supervision): void {
  for (const [key, open] of supervision.view.breakers) {
    if (open.executor === RUN_BREAKER.executor) continue;
    const account = { executor: open.executor, account: open.account, key };
    const state = accountState(supervision, account);
    state.probe ??= probeOfEarlier(supervision, account, open);
    const { probe } = state;
    const active = probe && supervision.active.get(probe.unit);
    if (!probe || !active || active.attempt !== probe.attempt) continue;
    const { startedAt } = unitOf(supervision, probe.unit);
    const evidence = active.lastEvidence();
    if (evidence && startedAt !== null && isBeyondStart(evidence, startedAt)) {
      state.probe = null;
      supervision.emit(...closed(supervision, key, `unit ${probe.unit} works again`));
      supervision.wake();
    }
  }
}

/**
 * What an end means for the breaker of its account, as events. The failure of an account opens it, or moves its reset; the
 * end of the unit that was tried first closes it where the server has answered. Only what is news wakes.
 */
export function breakerEvents(
  supervision: Supervision,
  account: UnitAccount,
  unit: string,
  end: AccountEnd,
): RunEventBody[] {
  const state = accountState(supervision, account);
  const open = supervision.view.breakers.get(account.key);
  const isProbe =
    state.probe?.unit === unit || (open !== undefined && isSince(unitOf(supervision, unit), open));
  if (state.probe?.unit === unit) state.probe = null;
  if (end.status === 'failed' && failureKind(end.reason) === 'account') {
    return opened(account, unit, end, open, open !== undefined && resetLeftMs(open, state) > 0);
  }
  if (!isProbe || !open) return [];
  if (end.status === 'succeeded' || ANSWERED.includes(end.reason)) {
    return closed(supervision, account.key, `unit ${unit} was answered`);
  }
  state.probeFromMs = monotonicMs() + (end.status === 'cancelled' ? 0 : NEXT_PROBE_MS);
  return [];
}

/**
 * `prun resume --run R`: closes all breakers of accounts, and lets their units go on at once, with the caller's environment
 * where it brought one: a new login may be in there. Names the units; none where no breaker is open. May be carried out twice.
 */
export function resumeParked(
  supervision: Supervision,
  environment: string | null,
): Pick<RequestAnswer, 'units' | 'refused'> {
  const { view, environments, accountOf } = supervision;
  const keys = [...view.breakers.keys()].filter((key) => key !== RUN_BREAKER_KEY);
  const held = [...view.units.values()].filter((unit) => {
    const account = unit.state === 'queued' ? accountOf(unit) : undefined;
    if (!account) return false;
    return keys.includes(account.key) || (environment !== null && unit.environment === environment);
  });
  const brought = held.filter((unit) => environment !== null && unit.environment !== environment);
  for (const { id } of brought) environments.set(id, environment);
  supervision.emit(
    ...keys.flatMap((key) => closed(supervision, key, 'prun resume')),
    ...brought.map(({ id, attempt, resume }) => {
      const why = 'parked' as const;
      return { type: 'queued' as const, unit: id, attempt, why, environment, resume };
    }),
  );
  for (const state of supervision.accounts.values()) state.probe = null;
  const units = held.map(({ id }) => id);
  // Without a breaker there is nothing to do: somebody else has asked for the same a moment ago.
  if (units.length > 0 || keys.length > 0 || !view.breakers.has(RUN_BREAKER_KEY))
    return { units, refused: [] };
  const why =
    "no account's breaker is open: the run's tokens are used up, and prun start --token-limit N lets it go on";
  return { units, refused: [{ unit: '*', why }] };
}

function opened(
  account: UnitAccount,
  byUnit: string,
  { reason, detail, failure }: AccountEnd,
  open: OpenBreaker | undefined,
  isBeforeReset: boolean,
): RunEventBody[] {
  const reset = Date.parse(failure?.resetAt ?? '');
  const isKnown = Number.isFinite(reset);
  const isUnknownBefore = open?.until === null;
  if (open && (isBeforeReset || isUnknownBefore)) {
    const isLater = open.until !== null && isKnown && reset > Date.parse(open.until);
    if (!isLater) return [];
  }
  const least = open && !isBeforeReset ? Date.now() + LEAST_AGAIN_MS : 0;
  return [
    {
      type: 'breaker',
      state: 'open',
      executor: account.executor,
      account: account.account,
      // `failureKind` has said so.
      reason: reason as FailureReason,
      detail: detail.slice(0, 400),
      until: isKnown ? new Date(Math.max(reset, least)).toISOString() : null,
      byUnit,
      wakes: !isBeforeReset,
    },
  ];
}

function closed({ view }: Supervision, key: string, detail: string): RunEventBody[] {
  const open = view.breakers.get(key);
  if (!open) return [];
  const { executor, account } = open;
  const nothing = { reason: null, until: null, byUnit: null };
  return [{ type: 'breaker', state: 'closed', executor, account, ...nothing, detail, wakes: false }];
}

/** By the wall clock, as the server means it: a suspend or a clock step brings it nearer or not. */
function resetLeftMs({ until }: OpenBreaker, { chance }: AccountState): number {
  if (until === null) return Number.POSITIVE_INFINITY;
  return Date.parse(until) + AFTER_RESET_MS * chance - Date.now();
}

/** A supervisor before this one has started it after the breaker had opened: only the first unit is. */
function probeOfEarlier(
  supervision: Supervision,
  { key }: UnitAccount,
  open: OpenBreaker,
): AccountState['probe'] {
  for (const [unit, { attempt }] of supervision.active) {
    const view = unitOf(supervision, unit);
    if (isSince(view, open) && supervision.accountOf(view)?.key === key) return { unit, attempt };
  }
  return null;
}

/** Whether a unit runs since the breaker opened. */
function isSince({ startedAt }: Pick<UnitView, 'startedAt'>, { at }: OpenBreaker): boolean {
  return startedAt !== null && Date.parse(startedAt) > Date.parse(at);
}

/** A streamed answer or a result are no part of a start; whatever else moves is none when it moves late enough. */
function isBeyondStart({ kind, at }: LastEvidence, startedAt: string): boolean {
  if (kind === 'stream' || kind === 'result-file') return true;
  return Date.parse(at) - Date.parse(startedAt) >= START_MS;
}
