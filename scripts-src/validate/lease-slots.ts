import { closeSync, fstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errnoOf, messageOf, usageError } from '../platform/errors.ts';
import { openForReading } from '../platform/files.ts';
import { nearestWord } from '../platform/nearest-word.ts';
import type { SlotsOf } from './lease-grants.ts';

/** Names that every machine has, and how many may use each at once. */
const DEFAULTS: Readonly<Record<string, number>> = { heavy: 1, implementation: 2 };
/** One owner for each simulator or device. */
const SIMULATOR = /^simulator-[A-Za-z0-9._-]+$/;
/** The names by default, without those that have an id in them. */
export const MACHINE_NAMES: readonly string[] = Object.keys(DEFAULTS);
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const MOST = 1000;

/** Name of the settings in the resource home. */
export const SLOTS_FILE = 'slots.json';

/** The machine's slots as they are configured. */
export interface Slots {
  of: SlotsOf;
  /** Names with their numbers, those of the settings and the defaults. */
  named: ReadonlyMap<string, number>;
}

/**
 * The defaults and what `slots.json` in the resource home says otherwise: names with whole numbers from 1. Throws a
 * usage error for a file that says anything else.
 */
export function readSlots(home: string): Slots {
  const named = new Map([...Object.entries(DEFAULTS), ...configured(path.join(home, SLOTS_FILE))]);
  return { named, of: (name) => named.get(name) ?? (SIMULATOR.test(name) ? 1 : undefined) };
}

function configured(file: string): [string, number][] {
  let text: string | undefined;
  try {
    text = textOf(file);
  } catch (error) {
    // Where there is no folder either, whoever wants to write there says so.
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) return [];
    throw usageError(`${file} cannot be read (${errnoOf(error) ?? messageOf(error)})`, 'make it readable');
  }
  if (text === undefined) throw usageError(`${file} is no file`, `remove it, or ${EXAMPLE}`);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw usageError(`${file} is no JSON (${messageOf(error)})`, EXAMPLE);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw usageError(`${file} holds no object of names and numbers`, EXAMPLE);
  }
  return Object.entries(value).map(([name, slots]: [string, unknown]) => [name, slotsIn(file, name, slots)]);
}

/** Undefined for a folder, and for a pipe, whose text might never come. */
function textOf(file: string): string | undefined {
  const fd = openForReading(file);
  try {
    return fstatSync(fd).isFile() ? readFileSync(fd, 'utf8') : undefined;
  } finally {
    closeSync(fd);
  }
}

const EXAMPLE = 'write it as {"heavy": 1, "gpu": 2}';

function slotsIn(file: string, name: string, slots: unknown): number {
  if (!NAME.test(name)) {
    throw usageError(`${file} names ${JSON.stringify(name)}`, 'use letters, digits, dots, - and _ in a name');
  }
  if (typeof slots === 'number' && Number.isInteger(slots) && slots >= 1 && slots <= MOST) return slots;
  throw usageError(
    `${file} gives ${name} ${JSON.stringify(slots)} slots, not a whole number from 1 to ${MOST}`,
    EXAMPLE,
  );
}

/** Whether a name is one of the machine's, whatever `slots.json` says: `heavy`, `implementation`, `simulator-<id>`. */
export function isMachineName(name: string): boolean {
  return Object.hasOwn(DEFAULTS, name) || SIMULATOR.test(name);
}

/** Throws a usage error that lists what there is, where one of the names has no slots. */
export function requireNames(names: readonly string[], slots: Slots, home: string): void {
  const unknown = names.find((name) => slots.of(name) === undefined);
  if (unknown === undefined) return;
  const known = [...slots.named].map(([name, number]) => `${name} (${number})`);
  const near = nearestWord(unknown, [...slots.named.keys()]);
  throw usageError(
    `there is no resource ${JSON.stringify(unknown.slice(0, 80))}${near === undefined ? '' : `: is ${near} meant?`}`,
    `known are ${[...known, 'simulator-<id> (1)'].join(', ')}; more go into ${path.join(home, SLOTS_FILE)}`,
  );
}
