import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Random } from './random.ts';
import type { RunPlace } from './run-place.ts';
import { TREES, type Tree, treeFile } from './trees.ts';

/** What the worker of a unit does. */
export type Doing =
  /** Writes its result and ends well. */
  | 'writes'
  /** Prints its answer and ends well. */
  | 'prints'
  /** Builds a process tree, writes its result and leaves the tree behind. */
  | 'leaves a tree'
  /** Builds a process tree and hangs until its timeout. */
  | 'hangs'
  /** Ends with 3 every time. */
  | 'fails'
  /** Ends with 4 the first time, and well the second. */
  | 'fails once';

/** One unit of a tortured run. */
export interface TorturedUnit {
  id: string;
  doing: Doing;
  /** How long it sleeps first, ms. */
  sleepMs: number;
  tree: Tree | undefined;
  after: string[];
  retries: number;
}

/** How a unit ends when nobody strikes its worker, whatever is done to its supervisors. */
export function expectedEnd({ doing }: TorturedUnit): string {
  return { writes: OK, prints: OK, 'leaves a tree': OK, hangs: LATE, fails: 'failed exit', 'fails once': OK }[
    doing
  ];
}
const OK = 'succeeded ok';
const LATE = 'failed hard-timeout';

/** Seconds until a unit that hangs is ended. */
const TIMEOUT_SECONDS = 2;

const KINDS: readonly Doing[] = ['writes', 'prints', 'leaves a tree', 'hangs', 'fails', 'fails once'];

/** Ten units: each kind, some more, and some that come after others. */
export function drawUnits(random: Random): TorturedUnit[] {
  const kinds: Doing[] = [...KINDS, 'writes', random.pick(KINDS), 'prints', 'writes'];
  const units: TorturedUnit[] = [];
  for (const doing of kinds) {
    const hasTree = doing === 'hangs' || doing === 'leaves a tree';
    const parents = units.length < 6 ? [] : random.shuffled(units).slice(0, random.below(3));
    units.push({
      id: `u${units.length}`,
      doing,
      sleepMs: random.pick([0, 0, 100, 400, 900, 1500]),
      tree: hasTree ? random.pick(TREES) : undefined,
      after: parents.map(({ id }) => id),
      retries: doing === 'fails once' || random.below(4) === 0 ? 1 : 0,
    });
  }
  return units;
}

/**
 * The program of all workers. It writes a line to a file of its attempt when it begins: PRUN_UNIT is the attempt's
 * marker. Each unit has a fifo, whose name stands in the command lines of its trees.
 */
const WORKER = `doing=$1 unit=$2 result=$3 began=$4 sleep=$5 fifo=$6 tree=$7
echo began >>"$began/$PRUN_UNIT"
[ "$sleep" = 0 ] || sleep "$sleep"
case $doing in
  fails) echo "I fail"; exit 3 ;;
  'fails once') [ "$(ls "$began" | grep -c "^$unit-")" -gt 1 ] || exit 4 ;;
esac
[ -z "$tree" ] || sh "$tree" "$fifo" </dev/null >/dev/null 2>&1
[ "$doing" != hangs ] || exec cat "$fifo"
text="# $unit result
Conclusion: written by $PRUN_UNIT
Files: none (read-only)
Open items: none
Verification: none

$(head -c 30000 /dev/zero | tr '\\0' x)
END $PRUN_UNIT
"
if [ "$doing" = prints ]; then printf '%s' "$text"; else printf '%s' "$text" >"$result"; fi
`;

/** Writes the manifest of a run, and the program that its workers are. */
export function writeManifest(place: RunPlace, units: readonly TorturedUnit[]): string {
  const worker = path.join(place.folder, 'worker.sh');
  writeFileSync(worker, WORKER);
  chmodSync(worker, 0o755);
  const manifest = path.join(place.folder, 'manifest.json');
  const facts = { run: place.run, jobs: 6, executor: 'command', mode: 'scratch' };
  const written = units.map(({ id, doing, sleepMs, tree, after, retries }) => ({
    ...{ id, prompt: `Do what ${id} does: {result_file}.`, after, retries },
    argv: [
      ...['/bin/sh', worker, doing, id, '{result_file}', place.began, String(sleepMs / 1000)],
      ...[place.fifoOf(id), tree === undefined ? '' : treeFile(tree)].filter((word) => word !== ''),
    ],
    ...(doing === 'hangs' ? { timeout: TIMEOUT_SECONDS } : {}),
  }));
  writeFileSync(manifest, JSON.stringify({ ...facts, units: written }, null, 2));
  return manifest;
}

/** How often the worker of each attempt began, by the attempt's marker. */
export function beginnings(place: RunPlace, read: (file: string) => string): Map<string, number> {
  return new Map(
    readdirSync(place.began).map((marker) => [
      marker,
      read(path.join(place.began, marker)).split('\n').filter(Boolean).length,
    ]),
  );
}

/** The units' ids that a victim's blow may have changed the end of: struck ones, and whoever comes after them. */
export function touchedBy(units: readonly TorturedUnit[], struck: ReadonlySet<string>): Set<string> {
  const touched = new Set([...struck].map((marker) => marker.replace(/-[0-9a-f]{16}$/, '')));
  for (const { id, after } of units) if (after.some((parent) => touched.has(parent))) touched.add(id);
  return touched;
}
