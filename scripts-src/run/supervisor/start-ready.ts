import { monotonicMs } from '../../platform/clock.ts';
import type { UnitAccount } from '../account-of-unit.ts';
import { RUN_BREAKER_KEY } from '../breaker-of-unit.ts';
import type { Held } from '../held.ts';
import { lackedResource } from '../resource-room.ts';
import type { KnownUnit } from '../unit-specs.ts';
import { heldByAccount, noteStart } from './account-room.ts';
import { pauseOf } from './pause-of-unit.ts';
import { heldBecause, machineNow } from './room-for-start.ts';
import { holdForTokens } from './run-tokens.ts';
import { startUnit } from './start-unit.ts';
import { type Supervision, unitOf } from './supervision.ts';

/** How soon units that only lack a resource are tried again, ms. */
const TRY_AGAIN_MS = 1000;
/** Enough of the queue for one round: with ten thousand that lack a resource nobody wants to look at all of them each time. */
const LOOKED_AT = 200;

/** When to try again, ms, and why not everything was started that is ready. */
export interface Round {
  retryMs: number;
  held: Held;
}

/** Starts ready units as long as there is room. `onStart` is called for each that takes a job. */
export function startReady(supervision: Supervision, lastStartMs: number, onStart: () => void): Round {
  let startedMs = lastStartMs;
  const machine = machineNow();
  holdForTokens(supervision);
  const round = roundOf(supervision);
  const heldMs = supervision.heldUntilMs - monotonicMs();
  dropLeases(supervision, heldMs > 0 || supervision.view.breakers.has(RUN_BREAKER_KEY));
  if (heldMs > 0) return round.heldFor('the disk was full', heldMs);
  const roomForJob = () =>
    heldBecause(supervision.schedule, {
      running: [...supervision.active.values()].filter((unit) => unit.takesJob).length,
      sinceStartSeconds: (monotonicMs() - startedMs) / 1000,
      machine,
      defaultJobs: supervision.defaultJobs,
    });
  for (;;) {
    const next = firstStartable(supervision, round, roomForJob);
    if (next === undefined) return round.over();
    if (typeof next !== 'string') return round.heldFor(next.why, next.retryMs);
    if (takesJob(supervision, next)) {
      startedMs = monotonicMs();
      onStart();
    }
    round.start(next);
  }
}

/** The first ready unit that nothing holds; why the whole queue is held where that comes first. */
function firstStartable(
  supervision: Supervision,
  { mustWait }: Pick<ReturnType<typeof roundOf>, 'mustWait'>,
  roomForJob: () => { why: string; retryMs: number } | undefined,
): string | { why: string; retryMs: number } | undefined {
  const granted = firstGranted(supervision, mustWait);
  if (granted !== undefined) return granted;
  let lacking = 0;
  let isRoomKnown = false;
  for (const id of supervision.ready) {
    if (!isRoomKnown && takesJob(supervision, id)) {
      const held = roomForJob();
      if (held) return held;
      isRoomKnown = true;
    }
    if (mustWait(id)) continue;
    if (hasResources(supervision, id) && hasSlots(supervision, id)) return id;
    if (++lacking >= LOOKED_AT) return undefined;
  }
  return undefined;
}

/**
 * A unit whose turn for the machine's slots has come starts at once, although as many run as may: it holds what others
 * wait for, and a worker that runs may be one of them. What cannot start now gives its slots back.
 */
function firstGranted(supervision: Supervision, mustWait: (id: string) => boolean): string | undefined {
  for (const id of supervision.leases.granted()) {
    if (!supervision.ready.has(id)) continue;
    if (!mustWait(id) && hasResources(supervision, id)) return id;
    supervision.leases.drop(id);
  }
  return undefined;
}

/** Slots of units that are over, were cancelled, or cannot be started now. */
function dropLeases({ leases, ready, active }: Supervision, isAllHeld: boolean): void {
  leases.dropOthers((id) => active.has(id) || (ready.has(id) && !isAllHeld));
}

/** Asks for what it needs of the machine's slots, if nobody has. */
function hasSlots(supervision: Supervision, id: string): boolean {
  return supervision.leases.mayStart(id, unitOf(supervision, id).spec.resources);
}

/** A subagent of the session is started by somebody else. */
function takesJob(supervision: Supervision, id: string): boolean {
  return unitOf(supervision, id).spec.executor !== 'session';
}

/** One round through the queue: what holds an account is worked out once, until one of its units is started. */
function roundOf(supervision: Supervision) {
  const held: Held = { all: undefined, accounts: new Map(), slots: new Map() };
  const open = new Set<string>();
  let retryMs = Number.POSITIVE_INFINITY;

  function isHeld(account: UnitAccount): boolean {
    if (held.accounts.has(account.key)) return true;
    if (open.has(account.key)) return false;
    const hold = heldByAccount(supervision, account);
    if (!hold) {
      open.add(account.key);
      return false;
    }
    held.accounts.set(account.key, hold.why);
    retryMs = Math.min(retryMs, hold.retryMs);
    return true;
  }

  function finished(ms: number): Round {
    return { retryMs: Math.min(retryMs, ms), held: { ...held, slots: supervision.leases.waits() } };
  }

  return {
    heldFor(why: string, ms: number): Round {
      if (supervision.ready.size > 0) held.all = why;
      return finished(ms);
    },
    /** Whether the run's tokens are used up, a unit's own time has not come, or its account has no room. */
    mustWait(id: string): boolean {
      const unit = unitOf(supervision, id);
      if (supervision.view.breakers.has(RUN_BREAKER_KEY) && takesJob(supervision, id)) return true;
      const leftMs = pauseOf(supervision, unit);
      retryMs = leftMs > 0 ? Math.min(retryMs, leftMs) : retryMs;
      const account = supervision.accountOf(unit);
      return leftMs > 0 || (account !== undefined && isHeld(account));
    },
    start(id: string): void {
      const account = supervision.accountOf(unitOf(supervision, id));
      if (account) {
        noteStart(supervision, account, id);
        open.delete(account.key);
      }
      void startUnit(supervision, id);
    },
    over(): Round {
      const again = supervision.ready.size > 0 ? TRY_AGAIN_MS : Number.POSITIVE_INFINITY;
      return finished(again);
    },
  };
}

function hasResources(supervision: Supervision, id: string): boolean {
  const limits = supervision.view.run.record.resources;
  const { isMachineWide } = supervision.leases;
  const { spec } = unitOf(supervision, id);
  return lackedResource(spec, activeSpecs(supervision), limits, isMachineWide) === undefined;
}

function* activeSpecs(supervision: Supervision): Generator<KnownUnit['spec']> {
  for (const id of supervision.active.keys()) yield unitOf(supervision, id).spec;
}
