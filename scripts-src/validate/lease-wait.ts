import { monotonicMs } from '../platform/clock.ts';
import { removeLeftFolders } from './lease-changes.ts';
import { type LeaseWish, openLeaseDesk } from './lease-desk.ts';
import type { LeasePlace } from './lease-place.ts';
import { readSlots } from './lease-slots.ts';
import { type Lease, type LeaseTable, standingOf } from './lease-table.ts';
import { waitText } from './lease-text.ts';

/** How a wait for slots ended: a text is the signal that ended it. */
export type WaitEnd = { kind: 'held' } | { kind: 'timeout'; text: string } | { kind: 'stopped' };

/** What a wait is told and tells. */
export interface WaitOptions {
  /** 0: no limit. */
  timeoutSeconds: number;
  /** Resolves when somebody wants this process to end. */
  stopped: Promise<unknown>;
  /** Throws where the table leaves the wish no way; then nothing was asked for. */
  refuse(waiter: Lease, table: LeaseTable): void;
  /** Says one line to whoever waits. */
  say(line: string): void;
}

/** A wait that is over sooner is not worth a line, ms. */
const QUIET_MS = 250;
/** At most one line in so long, ms: many short commands before this one are one long wait. */
const CALM_MS = 5000;
/** setTimeout takes 24.8 days at most; more would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Asks for slots and waits until they are held, in turn. Says what it waits for: once, and again when other holders are
 * in the way. However it ends, only `held` leaves anything in the table. Throws a PrunError where the home cannot be
 * used.
 */
export async function waitForLease(
  place: LeasePlace,
  wish: LeaseWish,
  { timeoutSeconds, stopped, refuse, say }: WaitOptions,
): Promise<WaitEnd> {
  const from = monotonicMs();
  let settle = (_: WaitEnd['kind']): void => {};
  const ended = new Promise<WaitEnd['kind']>((resolve) => {
    settle = resolve;
  });
  const sharesName = ({ resources }: Lease): boolean =>
    resources.some((name) => wish.resources.includes(name));
  const desk = openLeaseDesk(place, {
    onChange(table) {
      if (standingOf(table, wish.id) === 'held') settle('held');
      else
        speech.look(
          table.holders
            .filter(sharesName)
            .map(({ id }) => id)
            .join(),
        );
    },
    onTrouble: (text) => say(`it waits, and cannot take what is free: ${text}`),
  });
  const text = (): string => textNow(place, desk.table(), wish.id);
  const speech = calmSpeech(text, (line) => say(`waiting for ${line}`));
  const limitMs = timeoutSeconds > 0 ? Math.min(timeoutSeconds * 1000, LONGEST_MS) : undefined;
  const timer = limitMs === undefined ? undefined : setTimeout(() => settle('timeout'), limitMs);
  void stopped.then(() => settle('stopped'));
  try {
    removeLeftFolders(place);
    desk.ask(wish, refuse);
    const kind = await ended;
    const last = kind === 'timeout' ? text() : '';
    const isHeld = kind === 'held' || desk.withdraw(wish.id);
    if (kind === 'stopped') {
      if (isHeld) desk.giveBack(wish.id);
      return { kind };
    }
    if (!isHeld) return { kind: 'timeout', text: last };
    if (speech.hasSpoken()) {
      say(`has ${wish.resources.join(' and ')} after ${Math.round((monotonicMs() - from) / 1000)} s`);
    }
    return { kind: 'held' };
  } finally {
    clearTimeout(timer);
    speech.end();
    desk.close();
  }
}

function textNow(place: LeasePlace, table: LeaseTable, id: string): string {
  const lease = table.waiters.find((one) => one.id === id);
  if (!lease) return '';
  try {
    return waitText(lease, table, readSlots(place.home).of, Date.now());
  } catch {
    // The settings cannot be read, which the desk says.
    return lease.resources.join(' and ');
  }
}

/**
 * Says what is waited for when other holders are in the way: not at once, and not often. Who stands before it in the
 * queue changes with every one that goes, and is no reason to speak.
 */
function calmSpeech(text: () => string, say: (line: string) => void) {
  const from = monotonicMs();
  let saidKey: string | undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  return {
    look(key: string): void {
      clearTimeout(timer);
      if (key === saidKey) return;
      const dueMs = Math.max(from + QUIET_MS, lastMs + CALM_MS);
      timer = setTimeout(
        () => {
          const line = text();
          if (line === '') return;
          [saidKey, lastMs] = [key, monotonicMs()];
          say(line);
        },
        Math.max(0, dueMs - monotonicMs()),
      );
    },
    hasSpoken: () => saidKey !== undefined,
    end: () => clearTimeout(timer),
  };
}
