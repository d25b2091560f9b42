/** Numbers that a seed decides, so that a failing sample can be run again. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(from: readonly T[]): T[];
}

/** The seed of this run: PRUN_TORTURE_SEED, else one that changes every day; printed by whoever uses it. */
export function tortureSeed(): number {
  const given = process.env.PRUN_TORTURE_SEED;
  return given ? Number(given) >>> 0 : Math.floor(Date.now() / 86_400_000);
}

/** mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(from: readonly T[]): T => {
    const found = from[below(from.length)];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  };
  const shuffled = <T>(from: readonly T[]): T[] => {
    const list = [...from];
    for (let at = list.length - 1; at > 0; at--) {
      const other = below(at + 1);
      [list[at], list[other]] = [list[other] as T, list[at] as T];
    }
    return list;
  };
  return { next, below, pick, shuffled };
}
