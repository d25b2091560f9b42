import path from 'node:path';
import type { BytePath } from '../../platform/byte-path.ts';
import { usageError } from '../../platform/errors.ts';
import type { LoadedDelta } from '../delta/load-delta.ts';
import { outsideOf } from '../delta/owns.ts';
import { ancestorsOf } from './ancestry.ts';
import { type ApplyOrder, applyOrder } from './apply-order.ts';
import { mergePairs, type NamedDelta } from './merge-pairs.ts';
import { withMergeStore } from './merge-store.ts';
import type { MergeConflict } from './merge-trees.ts';
import { formatOf, type ObjectFormat, withScratchObjects } from './scratch-objects.ts';
import { contactsOf } from './shared-paths.ts';

/** Two units that do not go together; `ours` of each conflict is the first of them. */
export interface ConflictingPair {
  units: [string, string];
  conflicts: MergeConflict[];
}

/** How deltas go together. Units stand by the names that are shown for them. */
export interface ConflictMatrix {
  units: { name: string; delta: LoadedDelta }[];
  pairs: ConflictingPair[];
  /** What units changed outside their `owns` globs. */
  outside: { unit: string; paths: BytePath[] }[];
  order: ApplyOrder;
}

/**
 * Compares every delta with every other one, but for those that it builds on. Nothing is written into their stores. Throws a usage error where one
 * delta is given twice or the stores cannot be read together.
 */
export async function conflictMatrix(deltas: readonly LoadedDelta[]): Promise<ConflictMatrix> {
  const named = withNames(deltas);
  const ancestors = await ancestorsOf(named);
  const contacts = contactsOf(named);
  // What builds on another one goes in after it: there is nothing to merge.
  const apart = contacts.filter(([a, b]) => !ancestors[a]?.has(b) && !ancestors[b]?.has(a));
  const pairs = apart.flatMap(([a, b]) => {
    const [one, other] = [named[a], named[b]];
    return one && other ? [[one, other] as const] : [];
  });
  const stores = [...new Set(named.map(({ store }) => store))];
  const { conflicts, order } = await withMergeStore(stores, commonFormat(named), (place) =>
    withScratchObjects(place, async (scratch) => {
      const conflicts = await mergePairs(scratch, pairs);
      const clashes = apart.filter((_pair, n) => (conflicts[n]?.length ?? 0) > 0);
      return { conflicts, order: await applyOrder(scratch, named, { contacts, clashes, ancestors }) };
    }),
  );
  return {
    units: named.map((delta) => ({ name: delta.name, delta })),
    pairs: pairs.flatMap(([a, b], n) => {
      const found = conflicts[n] ?? [];
      return found.length === 0
        ? []
        : [{ units: [a.name, b.name] satisfies [string, string], conflicts: found }];
    }),
    outside: named.flatMap(({ name, owns, files }) => {
      const paths = outsideOf(
        owns,
        files.map((file) => file.path),
      );
      return paths.length === 0 ? [] : [{ unit: name, paths }];
    }),
    order,
  };
}

/** A unit's own name; the name of its set before it where two sets have a unit of this name. */
function withNames(deltas: readonly LoadedDelta[]): NamedDelta[] {
  const byKey = new Map<string, LoadedDelta>();
  for (const delta of deltas) {
    const key = `${delta.unit} ${delta.store}`;
    const twin = byKey.get(key);
    if (twin) {
      const files =
        twin.patchFile === delta.patchFile ? delta.patchFile : `${twin.patchFile} and ${delta.patchFile}`;
      throw usageError(`unit ${delta.unit} is given twice (${files})`, 'give one patch for each unit');
    }
    byKey.set(key, delta);
  }
  return deltas.map((delta) => {
    const isAlone = deltas.filter(({ unit }) => unit === delta.unit).length === 1;
    const name = isAlone ? delta.unit : `${path.basename(path.dirname(delta.store))}/${delta.unit}`;
    return { ...delta, name };
  });
}

function commonFormat(deltas: readonly LoadedDelta[]): ObjectFormat {
  const format = formatOf(deltas[0]?.base ?? '');
  const other = deltas.find(({ base }) => formatOf(base) !== format);
  if (other === undefined) return format;
  throw usageError(
    `${other.patchFile} is of a ${formatOf(other.base)} repository, ${deltas[0]?.patchFile} of a ${format} one`,
    'compare patches of one repository',
  );
}
