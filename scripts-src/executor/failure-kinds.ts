import type { FailureReason } from './types.ts';

/** What a failure means for the other units of the same account. */
export type FailureKind =
  /** Nothing of this account works before its reset, or before somebody does something: the breaker opens. */
  | 'account'
  /** The same may work a moment later. */
  | 'transient'
  /** The unit's own. */
  | 'unit';

const KINDS: Record<FailureReason, FailureKind> = {
  'usage-limit': 'account',
  quota: 'account',
  auth: 'account',
  login: 'account',
  'rate-limit': 'transient',
  overloaded: 'transient',
  network: 'transient',
  'stream-cut': 'transient',
  context: 'unit',
  'bad-request': 'unit',
  'model-gone': 'unit',
  'empty-answer': 'unit',
  'sandbox-refusal': 'unit',
  panic: 'unit',
  'bad-flags': 'unit',
  'session-live': 'unit',
  'session-lost': 'unit',
  validation: 'unit',
  'model-error': 'unit',
};

/** All reasons that a worker's failure can have. */
export const FAILURE_REASONS = Object.keys(KINDS) as readonly FailureReason[];

/** What follows from an end; undefined for a reason that is no worker's failure. */
export function failureKind(reason: string): FailureKind | undefined {
  return Object.hasOwn(KINDS, reason) ? KINDS[reason as FailureReason] : undefined;
}
