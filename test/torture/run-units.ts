import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { testEnvironment } from '../helpers/unit-run.ts';
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
  /** Sleeps for ten minutes the first time, and writes its result the second. */
  | 'sleeps once'
  /** Waits until the test writes to its fifo, and writes its result. */
  | 'waits'
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
  /** Whether it works in a clone, where it makes a file of its name, or in an empty folder. */
  mode: 'scratch' | 'clone';
}

/** How a unit ends when nobody strikes its worker, whatever is done to its supervisors. */
export function expectedEnd({ doing }: TorturedUnit): string {
  return {
    writes: OK,
    prints: OK,
    'leaves a tree': OK,
    hangs: LATE,
    'sleeps once': 'running',
    waits: OK,
    fails: 'failed exit',
    'fails once': OK,
  }[doing];
}
const OK = 'succeeded ok';
const LATE = 'failed hard-timeout';

/** Seconds until a unit that hangs is ended. */
const TIMEOUT_SECONDS = 2;

const KINDS: readonly Doing[] = ['writes', 'prints', 'leaves a tree', 'hangs', 'fails', 'fails once'];

/** Lets a unit that waits go on. */
export function release(place: RunPlace, unit: string): void {
  writeFileSync(place.fifoOf(unit), 'go\n');
}

/** A unit that does one thing at once, but for what is said. */
export function unitThat(id: string, doing: Doing, wish: Partial<TorturedUnit> = {}): TorturedUnit {
  return { id, doing, sleepMs: 0, tree: undefined, after: [], retries: 0, mode: 'scratch', ...wish };
}

/** Ten units: each kind, some more, and some that come after others; with a repository half of them work in clones. */
export function drawUnits(random: Random, hasRepository = false): TorturedUnit[] {
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
      mode: hasRepository && random.below(2) === 0 ? 'clone' : 'scratch',
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
  waits) cat "$fifo" >/dev/null ;;
  'sleeps once') [ "$(ls "$began" | grep -c "^$unit-")" -gt 1 ] || exec sleep 600 ;;
  'fails once') [ "$(ls "$began" | grep -c "^$unit-")" -gt 1 ] || exit 4 ;;
esac
[ -z "$tree" ] || sh "$tree" "$fifo" </dev/null >/dev/null 2>&1
[ "$doing" != hangs ] || exec cat "$fifo"
files="none (read-only)"
if [ -d .git ]; then
  echo "made by $PRUN_UNIT" >"made-by-$unit"
  files=made-by-$unit
fi
text="# $unit result
Conclusion: written by $PRUN_UNIT
Files: $files
Open items: none
Verification: none

$(head -c 30000 /dev/zero | tr '\\0' x)
Seen: $(echo made-by-*)
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
  const repo = units.some(({ mode }) => mode === 'clone') ? { repo: makeRepository(place) } : {};
  const facts = { run: place.run, jobs: 6, executor: 'command', ...repo };
  const written = units.map(({ id, doing, sleepMs, tree, after, retries, mode }) => ({
    ...{ id, prompt: `Do what ${id} does: {result_file}.`, after, retries, mode },
    argv: [
      ...['/bin/sh', worker, doing, id, '{result_file}', place.began, String(sleepMs / 1000)],
      ...[place.fifoOf(id), tree === undefined ? '' : treeFile(tree)].filter((word) => word !== ''),
    ],
    ...(doing === 'hangs' ? { timeout: TIMEOUT_SECONDS } : {}),
  }));
  writeFileSync(manifest, JSON.stringify({ ...facts, units: written }, null, 2));
  return manifest;
}

/** A small repository of the user's. */
function makeRepository({ repository }: RunPlace): string {
  mkdirSync(repository);
  const settings = [
    '-c',
    'user.name=A User',
    '-c',
    'user.email=user@example.com',
    '-c',
    'commit.gpgsign=false',
  ];
  const git = (...argv: string[]): void => {
    execFileSync('git', [...settings, ...argv], {
      cwd: repository,
      env: testEnvironment(repository),
      stdio: 'pipe',
    });
  };
  git('init', '--quiet');
  for (const name of ['one', 'two']) writeFileSync(path.join(repository, name), `${name}\n`);
  git('add', '.');
  git('commit', '--quiet', '-m', 'A start');
  writeFileSync(path.join(repository, 'two'), 'two, changed\n');
  return repository;
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
