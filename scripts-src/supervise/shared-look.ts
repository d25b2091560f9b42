import { monotonicMs } from '../platform/clock.ts';
import { type Family, lookAtFamilies, type Observer } from '../process/family.ts';
import type { ProcessHost } from '../process/types.ts';

/** One look serves all units that ask within this time, ms: a look at a large table costs as much as many files. */
const FRESH_MS = 500;

/** Looks at the process table for all units of one supervisor together (FACTS-processes.md, What a kill leaves behind). */
export interface SharedLook {
  /** From now on looks are taken for this unit as well. */
  join(family: Family): void;
  leave(family: Family): void;
  /** Sees to it that the members of all families are those of a moment ago. */
  see(): void;
  /**
   * Whether a process of this family lives, by a look that begins after the call: one for all units that ask before the
   * event loop comes round. Where the system shows no marks the answer is always yes: a sweep knows more.
   */
  anybodyLeft(family: Family): Promise<boolean>;
}

/** A look that many units share. */
export function sharedLook(host: ProcessHost, observer: Observer): SharedLook {
  const families = new Set<Family>();
  let lastMs = Number.NEGATIVE_INFINITY;
  let asked: { family: Family; answer(isLeft: boolean): void }[] = [];
  const lookForAsked = (): void => {
    const asking = asked;
    asked = [];
    const hit = new Set<Family>();
    const families = asking.map(({ family }) => family);
    lookAtFamilies(host, families, observer, (family) => hit.add(family));
    for (const { family, answer } of asking) answer(hit.has(family));
  };
  return {
    join(family) {
      families.add(family);
    },
    leave(family) {
      families.delete(family);
    },
    see() {
      const now = monotonicMs();
      if (families.size === 0 || now - lastMs < FRESH_MS) return;
      lastMs = now;
      lookAtFamilies(host, [...families], observer, () => {});
    },
    anybodyLeft(family) {
      if (host.platform !== 'linux') return Promise.resolve(true);
      return new Promise((answer) => {
        asked.push({ family, answer });
        if (asked.length === 1) setImmediate(lookForAsked);
      });
    },
  };
}
