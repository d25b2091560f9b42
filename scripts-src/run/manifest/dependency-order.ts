/** Something that comes after others of its kind. */
interface Dependent {
  id: string;
  after: readonly string[];
}

/** Units in an order in which each comes after its parents, and the circles among them. */
export interface DependencyOrder {
  /** Ids, as they were given where nothing else decides; without those that are in a circle or behind one. */
  order: string[];
  /** Circles, each as ids in the order in which they wait for one another. No two have a unit in common. */
  circles: string[][];
}

/** Orders units by what they come after. Names that no unit has are passed over. */
export function dependencyOrder(units: readonly Dependent[]): DependencyOrder {
  const parents = new Map(units.map(({ id, after }) => [id, after] as const));
  const children = new Map<string, string[]>();
  const open = new Map<string, number>();
  for (const { id, after } of units) {
    const known = [...new Set(after)].filter((parent) => parents.has(parent));
    open.set(id, known.length);
    for (const parent of known) {
      const behind = children.get(parent);
      if (behind) behind.push(id);
      else children.set(parent, [id]);
    }
  }
  const order = units.map(({ id }) => id).filter((id) => open.get(id) === 0);
  for (let at = 0; at < order.length; at++) {
    for (const child of children.get(order[at] ?? '') ?? []) {
      const left = (open.get(child) ?? 0) - 1;
      open.set(child, left);
      if (left === 0) order.push(child);
    }
  }
  const done = new Set(order);
  return {
    order,
    circles: circlesAmong(
      units.map(({ id }) => id).filter((id) => !done.has(id)),
      parents,
    ),
  };
}

/** Follows parents that are not done from each unit until one is met again: then there is a circle. */
function circlesAmong(rest: readonly string[], parents: ReadonlyMap<string, readonly string[]>): string[][] {
  const inRest = new Set(rest);
  const seen = new Set<string>();
  const circles: string[][] = [];
  for (const start of rest) {
    const trail: string[] = [];
    const place = new Map<string, number>();
    let id: string | undefined = start;
    while (id !== undefined && !seen.has(id)) {
      seen.add(id);
      place.set(id, trail.length);
      trail.push(id);
      id = parents.get(id)?.find((parent) => inRest.has(parent));
    }
    const from = id === undefined ? undefined : place.get(id);
    if (from !== undefined) circles.push(trail.slice(from));
  }
  return circles;
}
