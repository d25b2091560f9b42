/** Waits for a condition, looking every few ms, and fails with what was awaited after the limit. */
export async function waitFor<T>(
  what: string,
  look: () => T | undefined | false,
  limitMs = 20_000,
): Promise<T> {
  const until = performance.now() + limitMs;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > until) throw new Error(`waited ${limitMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
