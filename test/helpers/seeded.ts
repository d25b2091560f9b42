/** A source of numbers that are the same for a seed on every machine (mulberry32). */
export interface Seeded {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `below`. */
  upTo(below: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  shuffled<T>(list: readonly T[]): T[];
}

/** Makes such a source. */
export function seeded(seed: number): Seeded {
  let state = seed | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  const upTo = (below: number): number => Math.floor(next() * below);
  return {
    next,
    upTo,
    pick: (list) => list[upTo(list.length)] ?? list[0],
    shuffled(list) {
      const left = [...list];
      for (let at = left.length - 1; at > 0; at--) {
        const other = upTo(at + 1);
        [left[at], left[other]] = [left[other] as never, left[at] as never];
      }
      return left;
    },
  };
}
