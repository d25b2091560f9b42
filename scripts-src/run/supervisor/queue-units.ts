import type { RunEventBody } from '../records.ts';
import { isFinalState } from '../run-view.ts';
import { type Supervision, unitOf } from './supervision.ts';

/** What a unit's parents allow: its start, a wait, or nothing before somebody does something about one of them. */
type ParentsSay = { kind: 'ready' } | { kind: 'waiting' } | { kind: 'blocked'; detail: string };

/** Why units are queued. */
export type QueueReason = Extract<RunEventBody, { type: 'queued' }>['why'];

/** Queues units that were never started, in one write. Call `placeQueued` afterwards. */
export function queueFirst(
  supervision: Supervision,
  ids: readonly string[],
  environment: string | null,
): void {
  for (const id of ids) supervision.environments.set(id, environment);
  const why = 'start' as const;
  supervision.emit(...ids.map((unit) => ({ type: 'queued' as const, unit, attempt: 1, why, environment })));
}

/** What a queued attempt is, beside a fresh one that may start at once. */
export type QueueWish = Pick<Extract<RunEventBody, { type: 'queued' }>, 'resume' | 'notBefore'>;

/** Queues a unit for the attempt with that number. Call `placeQueued` when all of a request are queued. */
export function queueUnit(
  supervision: Supervision,
  id: string,
  attempt: number,
  why: QueueReason,
  environment: string | null,
  wish: QueueWish = {},
): void {
  supervision.environments.set(id, environment);
  // Whoever starts it anew gives it all its tries again.
  if (why === 'retry' || why === 'resume') supervision.transientTries.delete(id);
  supervision.emit({ type: 'queued', unit: id, attempt, why, environment, ...wish });
}

/** The same for an attempt whose worker never ran: what was to go on goes on in this one. */
export function queueOnceMore(supervision: Supervision, id: string, attempt: number): void {
  const { resume } = unitOf(supervision, id);
  const environment = supervision.environments.get(id) ?? null;
  queueUnit(supervision, id, attempt, 'not-started', environment, { resume });
}

/** Puts queued units where their parents allow; one whose parents will not be well is blocked, and so are its children. */
export function placeQueued(supervision: Supervision, ids: readonly string[]): void {
  const { ready, waiting, emit } = supervision;
  for (const id of ids) {
    if (unitOf(supervision, id).state !== 'queued') continue;
    ready.delete(id);
    waiting.delete(id);
    const parents = parentsSay(supervision, id);
    if (parents.kind === 'ready') ready.add(id);
    else if (parents.kind === 'waiting') waiting.add(id);
    else {
      emit({ type: 'blocked', unit: id, detail: parents.detail });
      placeQueued(supervision, supervision.children.get(id) ?? []);
    }
  }
}

/** The same for units that were under way: they go on before others begin. */
export function placeFirst(supervision: Supervision, ids: readonly string[]): void {
  const { ready } = supervision;
  const others = [...ready];
  ready.clear();
  placeQueued(supervision, ids);
  for (const id of others) ready.add(id);
}

/** After a unit's end: its children can be started, are blocked, or are no longer blocked. */
export function settleChildren(supervision: Supervision, id: string): void {
  const children = supervision.children.get(id) ?? [];
  if (children.length === 0) return;
  const unblocked = children.filter(
    (child) =>
      unitOf(supervision, child).state === 'blocked' && parentsSay(supervision, child).kind !== 'blocked',
  );
  for (const child of unblocked) {
    const { attempt } = unitOf(supervision, child);
    // Whoever tries the parent again wants the child, too; the environment of its own start may be gone by now.
    const environment = supervision.environments.get(id) ?? supervision.environments.get(child) ?? null;
    queueUnit(supervision, child, Math.max(1, attempt), 'unblocked', environment);
  }
  placeQueued(supervision, children);
  for (const child of unblocked) settleChildren(supervision, child);
}

/** A unit gets a new result: whatever has started from its old one, and what has started from that, is stale. */
export function markStale(supervision: Supervision, parent: string): void {
  const seen = new Set<string>();
  const visit = (id: string): void => {
    for (const child of supervision.children.get(id) ?? []) {
      if (seen.has(child)) continue;
      seen.add(child);
      const { state } = unitOf(supervision, child);
      const hasStarted = ['dispatching', 'running', 'succeeded', 'failed', 'interrupted'].includes(state);
      if (!hasStarted) continue;
      supervision.emit({ type: 'stale', unit: child, parent });
      visit(child);
    }
  };
  visit(parent);
}

function parentsSay(supervision: Supervision, id: string): ParentsSay {
  let isWaiting = false;
  for (const parent of unitOf(supervision, id).spec.after) {
    const unit = supervision.view.units.get(parent);
    if (!unit) return { kind: 'blocked', detail: `it comes after ${parent}, and there is no such unit` };
    if (unit.state === 'succeeded') continue;
    if (unit.state === 'created') {
      return { kind: 'blocked', detail: `it comes after ${parent}, which was never started` };
    }
    if (isFinalState(unit.state))
      return { kind: 'blocked', detail: `it comes after ${parent}, which is ${unit.state}` };
    isWaiting = true;
  }
  return { kind: isWaiting ? 'waiting' : 'ready' };
}
