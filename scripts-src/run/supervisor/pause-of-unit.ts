import { monotonicMs } from '../../platform/clock.ts';
import type { UnitView } from '../run-view.ts';
import { pauseLeftMs } from './backoff.ts';
import type { Supervision } from './supervision.ts';

/**
 * How long a queued unit still has to wait for its own time, ms; 0 for not at all. It is over by the wall clock, which a
 * suspend does not stop, or by the time that this process has seen pass, which no clock step lengthens.
 */
export function pauseOf({ pauses }: Supervision, { id, notBefore, queuedAt }: UnitView): number {
  if (notBefore === null) return 0;
  const nowMs = monotonicMs();
  const wallMs = pauseLeftMs({ queuedAt: queuedAt ?? notBefore, notBefore }, Date.now());
  const known = pauses.get(id);
  const pause = known?.notBefore === notBefore ? known : { notBefore, endMs: nowMs + wallMs };
  pauses.set(id, pause);
  return Math.max(0, Math.min(wallMs, pause.endMs - nowMs));
}
