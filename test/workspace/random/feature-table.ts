/** How many cases had each feature. */
export interface FeatureTable {
  /** One case and what it had. */
  count(features: Iterable<string>): void;
  cases(): number;
  /** Features that fewer than this share of the cases had. */
  rare(known: Iterable<string>, share: number): string[];
  /** The table as text, in columns. */
  text(): string;
}

/** An empty table. */
export function featureTable(): FeatureTable {
  const counts = new Map<string, number>();
  let cases = 0;
  return {
    count(features) {
      cases++;
      for (const feature of new Set(features)) counts.set(feature, (counts.get(feature) ?? 0) + 1);
    },
    cases: () => cases,
    rare(known, share) {
      const names = new Set([...known, ...counts.keys()]);
      return [...names]
        .filter((name) => (counts.get(name) ?? 0) < cases * share)
        .map((name) => `${name}: ${counts.get(name) ?? 0}`);
    },
    text() {
      const rows = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
      return rows.map(([feature, count]) => `${String(count).padStart(5)}  ${feature}`).join('\n');
    },
  };
}
