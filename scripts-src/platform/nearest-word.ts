/** Fewer letters begin too many words. */
const LEAST_BEGINNING = 3;

/** The candidate that somebody who wrote `word` has meant, undefined where none is near. */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(word);
  const begun = new Set(candidates.filter((candidate) => plain(candidate).startsWith(wanted)));
  if (wanted.length >= LEAST_BEGINNING && begun.size === 1) return [...begun][0];
  let best: string | undefined;
  // A third of the letters may differ, and never all of them.
  let least = Math.min(Math.max(1, Math.floor(wanted.length / 3)), wanted.length - 1) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plain(candidate), least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** `prompt_file`, `prompt-file` and `promptFile` are one word. */
function plain(word: string): string {
  return word.slice(0, 100).toLowerCase().replace(/[-_ ]/g, '');
}

/** Letters that differ, two that changed places as one; `limit` and more are all the same. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let [before, last] = [
    Array<number>(b.length + 1).fill(0),
    Array.from({ length: b.length + 1 }, (_, n) => n),
  ];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? limit;
}
