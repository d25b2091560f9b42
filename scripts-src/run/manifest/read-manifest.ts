import path from 'node:path';
import { usageError } from '../../platform/errors.ts';
import { type Mistake, mistakesFrom, quoted } from '../../platform/schema-mistakes.ts';
import { type IsMachineWide, machineWideIn } from '../machine-slots.ts';
import type { ScheduleSettings } from '../records.ts';
import { dependencyOrder } from './dependency-order.ts';
import {
  type ManifestHead,
  type ManifestUnit,
  manifestHead,
  manifestUnit,
  RUN_KEYS,
  UNIT_KEYS,
} from './manifest-schema.ts';
import { isStackOverflow, parseManifest } from './manifest-text.ts';
import { type PlacedMistake, unknownKey } from './mistakes.ts';
import type { UnitWish } from './new-spec.ts';
import { readTextFile } from './text-file.ts';
import { bytesFrom, checkUnit } from './unit-rules.ts';

/** A manifest without mistakes. Paths are absolute. */
export interface Manifest {
  file: string;
  run: string | undefined;
  /** The repository as it was named: whether it is one is for whoever opens it. */
  repository: string | undefined;
  /** The text that all workers are to know. */
  context: string | undefined;
  schedule: ScheduleSettings;
  resources: Record<string, number>;
  /** In the order of the manifest. */
  units: UnitWish[];
}

/** What a command line says that a manifest may say as well: it wins. */
export interface ManifestOverrides {
  repository?: string | undefined;
}

/** A manifest, or everything that is wrong with it. */
export type ReadManifest =
  | { kind: 'manifest'; manifest: Manifest }
  | { kind: 'mistakes'; file: string; mistakes: PlacedMistake[] };

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
const MAX_CONTEXT_BYTES = 1024 * 1024;

/** Reads and checks a manifest, YAML or JSON. Throws a usage error where the file cannot be read at all. */
export function readManifest(file: string, overrides: ManifestOverrides = {}): ReadManifest {
  const read = readTextFile(file, MAX_MANIFEST_BYTES);
  if (read.kind === 'bad') throw usageError(`the manifest ${file} ${read.why}`, read.next);
  try {
    return readText(read.text, file, overrides);
  } catch (error) {
    if (!(error instanceof RangeError && isStackOverflow(error.message))) throw error;
    // Parser and schema go down one call for each bracket. No manifest that can be right comes near the end of the stack.
    throw usageError(
      `the manifest ${file} is nested too deeply to be read`,
      'units is a list of maps of texts, numbers and lists of texts; prun schema prints the keys',
    );
  }
}

function readText(text: string, file: string, overrides: ManifestOverrides): ReadManifest {
  const parsed = parseManifest(text);
  if (Array.isArray(parsed)) return { kind: 'mistakes', file, mistakes: parsed };
  const checked = checkManifest(parsed.value, file, overrides);
  if (!Array.isArray(checked)) return { kind: 'manifest', manifest: checked };
  const mistakes = checked.map(parsed.placed).sort((a, b) => a.line - b.line || a.column - b.column);
  return { kind: 'mistakes', file, mistakes };
}

function checkManifest(value: unknown, file: string, overrides: ManifestOverrides): Manifest | Mistake[] {
  const { head, mistakes } = headOf(value);
  if (!head) return mistakes;
  const folder = path.dirname(file);
  const isMachineWide = machineWideIn(process.env);
  const units = unitsOf(head, mistakes);
  mistakes.push(...doubleIds(units), ...circles(units));
  const around = {
    defaults: defaultsOf(head),
    folder,
    hasRepository: (overrides.repository ?? head.repo) !== undefined,
    ids: new Set(units.map(({ id }) => id)),
    resources: head.resources && Object.keys(head.resources),
    isMachineWide,
  };
  const wishes: UnitWish[] = [];
  for (const { unit, at, isPartial } of units) {
    if (!unit) continue;
    const checked = checkUnit(unit, ['units', at], { ...around, isPartial });
    if (checked.kind === 'wish') wishes.push(checked.wish);
    else mistakes.push(...checked.mistakes);
  }
  mistakes.push(...doubleResults(units, folder));
  const context = contextOf(head, folder, mistakes);
  if (mistakes.length > 0) return mistakes;
  return {
    file,
    run: head.run,
    repository:
      overrides.repository ?? (head.repo === undefined ? undefined : path.resolve(folder, head.repo)),
    context,
    schedule: {
      jobs: head.jobs ?? null,
      delaySeconds: head.delay ?? 0,
      memfreeBytes: bytesFrom(head.memfree) ?? null,
      load: head.load ?? null,
      ...(head.backoff === undefined ? {} : { backoffSeconds: head.backoff }),
      ...(head.transientRetries === undefined ? {} : { transientRetries: head.transientRetries }),
      ...(head.runTokenLimit === undefined ? {} : { tokenLimit: head.runTokenLimit }),
    },
    resources: resourcesOf(head, wishes, isMachineWide),
    units: wishes,
  };
}

/** The keys above the units as far as they are right; undefined where there is nothing to go on with. */
function headOf(value: unknown): { head: ManifestHead | undefined; mistakes: Mistake[] } {
  const parsed = manifestHead.safeParse(value);
  const mistakes = parsed.success
    ? []
    : mistakesFrom(parsed.error, value, [], (key) => unknownKey(key, RUN_KEYS, UNIT_KEYS, 'of a unit'));
  if (parsed.success && parsed.data.units.length === 0) {
    mistakes.push({ path: ['units'], text: 'has no unit: write one as - id: …' });
  }
  if (parsed.success) return { head: parsed.data, mistakes };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { head: undefined, mistakes: [{ path: [], text: NO_MANIFEST }] };
  }
  if (!('units' in value) || !Array.isArray(value.units)) return { head: undefined, mistakes };
  // What is wrong above is told; the units are looked at without it.
  const again = manifestHead.safeParse(
    withoutKeys(
      value,
      mistakes.map(({ path: [key] }) => key),
    ),
  );
  return { head: again.success ? again.data : undefined, mistakes };
}

const NO_MANIFEST = 'a manifest is a map with units: prun schema prints its keys';

interface UnitAt {
  at: number;
  id: string;
  /** undefined where it cannot be looked at. */
  unit: ManifestUnit | undefined;
  /** Keys that are wrong were left out of it. */
  isPartial: boolean;
  after: readonly string[];
}

function unitsOf(head: ManifestHead, mistakes: Mistake[]): UnitAt[] {
  return head.units.flatMap((value, at): UnitAt[] => {
    const parsed = manifestUnit.safeParse(value);
    if (parsed.success) return [unitAt(at, parsed.data, false)];
    const found = mistakesFrom(parsed.error, value, ['units', at], (key) =>
      unknownKey(key, UNIT_KEYS, RUN_KEYS, 'of the run, above the units'),
    );
    mistakes.push(...found);
    // What is wrong with the other keys is told as well.
    const again = manifestUnit.safeParse(
      withoutKeys(
        value,
        found.map(({ path: [, , key] }) => key),
      ),
    );
    if (again.success) return [unitAt(at, again.data, true)];
    const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
    // Others may come after it: that it is there is no mistake of theirs.
    return typeof id === 'string' ? [{ at, id, unit: undefined, isPartial: true, after: [] }] : [];
  });
}

function unitAt(at: number, unit: ManifestUnit, isPartial: boolean): UnitAt {
  return { at, id: unit.id, unit, isPartial, after: unit.after ?? [] };
}

function withoutKeys(value: unknown, keys: readonly (string | number | undefined)[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

function defaultsOf(head: ManifestHead): Partial<ManifestUnit> {
  const { run, repo, context, jobs, delay, memfree, load, resources, units, ...rest } = head;
  const { backoff, transientRetries, runTokenLimit, ...shared } = rest;
  return shared;
}

/** Some file systems take `API` and `api` for one name, and each unit has files of its name. */
function doubleIds(units: readonly UnitAt[]): Mistake[] {
  const first = new Map<string, Pick<UnitAt, 'at' | 'id'>>();
  return units.flatMap(({ at, id }) => {
    const other = first.get(id.toLowerCase());
    if (!other) {
      first.set(id.toLowerCase(), { at, id });
      return [];
    }
    const how = other.id === id ? 'is' : `differs only by case from ${quoted(other.id)}, which is`;
    return [
      {
        path: ['units', at, 'id'],
        text: `${quoted(id)} ${how} the id of units[${other.at}] already: give it another`,
      },
    ];
  });
}

function circles(units: readonly UnitAt[]): Mistake[] {
  const unique = [...new Map(units.map((unit) => [unit.id, unit])).values()];
  return dependencyOrder(unique).circles.flatMap((circle) => {
    // A unit that comes after itself is named where it says so.
    if (circle.length < 2) return [];
    const at = units.find(({ id }) => id === circle[0])?.at ?? 0;
    const shown = circle.length > 10 ? [...circle.slice(0, 10), '…'] : [...circle, circle[0]];
    return [
      {
        path: ['units', at, 'after'],
        text: `each of these waits for the next: ${shown.join(' → ')}: take one of them out of after`,
      },
    ];
  });
}

function doubleResults(units: readonly UnitAt[], folder: string): Mistake[] {
  const first = new Map<string, number>();
  return units.flatMap(({ at, unit }) => {
    if (unit?.resultFile === undefined) return [];
    const file = path.resolve(folder, unit.resultFile);
    const other = first.get(file);
    if (other === undefined) {
      first.set(file, at);
      return [];
    }
    const text = `is the result file of units[${other}] already: give each unit its own`;
    return [{ path: ['units', at, 'resultFile'], text }];
  });
}

function contextOf(head: ManifestHead, folder: string, mistakes: Mistake[]): string | undefined {
  if (head.context === undefined) return undefined;
  const file = path.resolve(folder, head.context);
  const read = readTextFile(file, MAX_CONTEXT_BYTES);
  if (read.kind === 'text') return read.text;
  mistakes.push({ path: ['context'], text: `${file} ${read.why}: ${read.next}` });
  return undefined;
}

/**
 * A resource that units name and the run does not count is held by one at a time; how many hold a slot of the machine is
 * for the machine to say.
 */
function resourcesOf(
  head: ManifestHead,
  units: readonly UnitWish[],
  isMachineWide: IsMachineWide,
): Record<string, number> {
  const used = units.flatMap(({ resources }) => resources ?? []).filter((name) => !isMachineWide(name));
  return { ...Object.fromEntries(used.map((name) => [name, 1])), ...head.resources };
}
