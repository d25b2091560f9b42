import { monotonicMs } from '../../platform/clock.ts';
import { lackedResource } from '../resource-room.ts';
import type { KnownUnit } from '../unit-specs.ts';
import { heldBecause, machineNow } from './room-for-start.ts';
import { startUnit } from './start-unit.ts';
import { type Supervision, unitOf } from './supervision.ts';

/** How soon units that only lack a resource are tried again, ms. */
const TRY_AGAIN_MS = 1000;

/** When to try again, ms, and why not everything was started that is ready. */
export interface Round {
  retryMs: number;
  held: string | undefined;
}

/** Starts ready units as long as there is room. `onStart` is called for each that takes a job. */
export function startReady(
  supervision: Supervision,
  jobs: number,
  lastStartMs: number,
  onStart: () => void,
): Round {
  let startedMs = lastStartMs;
  const machine = machineNow();
  const heldMs = supervision.heldUntilMs - monotonicMs();
  if (heldMs > 0) {
    return { retryMs: heldMs, held: supervision.ready.size > 0 ? 'the disk was full' : undefined };
  }
  for (const id of [...firstReady(supervision)]) {
    if (!hasResources(supervision, id)) continue;
    if (unitOf(supervision, id).spec.executor !== 'session') {
      const held = heldBecause(supervision.schedule, {
        running: [...supervision.active.values()].filter(({ takesJob }) => takesJob).length,
        sinceStartSeconds: (monotonicMs() - startedMs) / 1000,
        machine,
        defaultJobs: jobs,
      });
      if (held) return { retryMs: held.retryMs, held: held.why };
    }
    startedMs = monotonicMs();
    onStart();
    void startUnit(supervision, id);
  }
  return { retryMs: supervision.ready.size > 0 ? TRY_AGAIN_MS : Number.POSITIVE_INFINITY, held: undefined };
}

/** Enough of the queue for one round: with ten thousand in it nobody wants to copy all of them each time. */
function* firstReady({ ready }: Supervision): Generator<string> {
  let count = 0;
  for (const id of ready) {
    if (count++ >= 200) return;
    yield id;
  }
}

function hasResources(supervision: Supervision, id: string): boolean {
  const limits = supervision.view.run.record.resources;
  return lackedResource(unitOf(supervision, id).spec, activeSpecs(supervision), limits) === undefined;
}

function* activeSpecs(supervision: Supervision): Generator<KnownUnit['spec']> {
  for (const id of supervision.active.keys()) yield unitOf(supervision, id).spec;
}
