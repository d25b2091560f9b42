/** What stands at a path of keys and positions in a parsed value; undefined where the path leads nowhere. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const part of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<PropertyKey, unknown>)[part];
  }
  return found;
}
