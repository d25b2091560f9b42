import { bytePathOf } from '../../platform/byte-path.ts';
import { ownership } from './owns.ts';

/** A unit, what it owns, and which units it comes after. */
export interface Owner {
  id: string;
  owns: readonly string[];
  after: readonly string[];
}

/** Two units that own the same, and the globs that say so. */
export interface SharedOwns {
  units: [string, string];
  globs: [string, string];
}

/** Pairs that are looked at: of ten thousand units that all own the same not every pair. */
const MOST_LOOKS = 1000;

/**
 * Pairs of units that own a path in common for sure: by equal globs, or because one names a path or folder inside
 * another's folder. What may overlap only with luck (`*.ts` and `a*`) is passed over, as are units that come after each
 * other: they work in turn. At most `most` pairs, each once.
 */
export function sharedOwns(owners: readonly Owner[], most: number): SharedOwns[] {
  const claims = owners.flatMap(claimsOf);
  const byPlace = new Map<string, Claim[]>();
  for (const claim of claims) {
    const there = byPlace.get(claim.place);
    if (there) there.push(claim);
    else byPlace.set(claim.place, [claim]);
  }
  const comesAfter = ancestry(owners);
  const owns = matchers();
  const found = new Map<string, SharedOwns>();
  let looks = 0;
  for (const claim of claims) {
    for (const place of placesAbove(claim)) {
      for (const other of byPlace.get(place) ?? []) {
        if (found.size >= most || looks >= MOST_LOOKS) return [...found.values()];
        const pair = pairOf(claim, other);
        if (pair === undefined || found.has(pair)) continue;
        looks += 1;
        const [one, two] = [claim.owner, other.owner];
        if (comesAfter(one.id, two.id) || comesAfter(two.id, one.id)) continue;
        if (claim.witness !== undefined && !(owns(one, claim.witness) && owns(two, claim.witness))) continue;
        const isFirst = claim.at < other.at;
        found.set(pair, {
          units: isFirst ? [one.id, two.id] : [two.id, one.id],
          globs: isFirst ? [claim.glob, other.glob] : [other.glob, claim.glob],
        });
      }
    }
  }
  return [...found.values()];
}

/** One glob of one unit, and the place that it is about. */
interface Claim {
  owner: Owner;
  /** Position of the unit. */
  at: number;
  glob: string;
  /** A folder or file (`src/api`, empty for everything), or the glob itself where it is another one. */
  place: string;
  /** A path that belongs to it; undefined for globs that are only compared as they stand. */
  witness: string | undefined;
}

/** Stands for any file in a folder. */
const ANY_NAME = '\u0001';

function claimsOf(owner: Owner, at: number): Claim[] {
  return owner.owns
    .filter((glob) => !glob.startsWith('!'))
    .map((glob) => {
      const name = glob.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
      const folder = /^(?:\*\*|\.|)$/.test(name) ? '' : name.replace(/\/\*\*(?:\/\*)?$/, '');
      const isPlain = !/[*?[\]{}()!+@\\]/.test(folder);
      if (!isPlain) return { owner, at, glob, place: `glob ${name}`, witness: undefined };
      const isFolder = folder !== name || folder === '';
      return { owner, at, glob, place: `path ${folder}`, witness: isFolder ? below(folder) : folder };
    });
}

function below(folder: string): string {
  return folder === '' ? ANY_NAME : `${folder}/${ANY_NAME}`;
}

/** Its own place, and those of all folders that it lies in: whoever owns one of them owns it, too. */
function* placesAbove({ place, witness }: Claim): Generator<string> {
  yield place;
  if (witness === undefined) return;
  for (let at = place.lastIndexOf('/'); at > 0; at = place.lastIndexOf('/', at - 1)) yield place.slice(0, at);
  if (place !== 'path ') yield 'path ';
}

function pairOf(one: Claim, other: Claim): string | undefined {
  if (one.at === other.at) return undefined;
  return [one.at, other.at].sort((a, b) => a - b).join(' ');
}

function matchers(): (owner: Owner, where: string) => boolean {
  const known = new Map<string, ReturnType<typeof ownership>>();
  return ({ id, owns }, where) => {
    const matches = known.get(id) ?? ownership(owns);
    known.set(id, matches);
    return matches(bytePathOf(where));
  };
}

/** Whether a unit builds on another, directly or through others. */
function ancestry(owners: readonly Owner[]): (unit: string, ancestor: string) => boolean {
  const parents = new Map(owners.map(({ id, after }) => [id, after]));
  const known = new Map<string, ReadonlySet<string>>();
  const above = (unit: string): ReadonlySet<string> => {
    const found = known.get(unit);
    if (found) return found;
    const seen = new Set<string>(parents.get(unit));
    for (const parent of seen) for (const next of parents.get(parent) ?? []) seen.add(next);
    known.set(unit, seen);
    return seen;
  };
  return (unit, ancestor) => above(unit).has(ancestor);
}
