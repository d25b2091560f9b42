import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { PRIVATE_DIR, PRIVATE_FILE, readValue } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { formatIdentity, identify, parseIdentity } from '../process/identity.ts';
import type { ProcessHost, ProcessId } from '../process/types.ts';
import { appendLines, readLines } from '../run/json-lines.ts';
import { type StandingGuard, standBehind } from '../run/stand-behind.ts';
import { mcpFolder } from './task-index.ts';

const FILES = { owner: 'owner', units: 'units.jsonl' } as const;

/** A unit that a server has started or resumed, and must end when it ends. */
export interface OwnedUnit {
  /** The run's folder, absolute. */
  folder: string;
  unit: string;
}

/** What a server leaves for its guardian: which units are its own. */
export interface ServerRecord {
  /** Notes a unit; from then on it is ended when this process dies. Call it before the unit is started. */
  own(unit: OwnedUnit): void;
  /** Nothing is left to end: the guardian goes, and so does the record. */
  release(): void;
}

/**
 * The record of this server. It is made with its guardian at the first unit: a server that nobody uses costs neither.
 * `program`: the compiled script, which the guardian calls with --reap.
 */
export function serverRecord(host: ProcessHost, stateHome: string, program: string): ServerRecord {
  const folder = path.join(recordsFolder(stateHome), `${process.pid}-${randomHex(16)}`);
  let guard: StandingGuard | undefined;
  return {
    own(unit) {
      guard ??= begin(host, folder, program);
      appendLines(path.join(folder, FILES.units), [unit]);
    },
    release() {
      guard?.release();
      if (guard) rmSync(folder, { recursive: true, force: true });
      guard = undefined;
    },
  };
}

function begin(host: ProcessHost, folder: string, program: string): StandingGuard {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_DIR });
  const self = identify(host, process.pid);
  if (!self)
    throw new Error(`this process is not in the process table: ${host.trouble?.() ?? 'it cannot be read'}`);
  writeFileSync(path.join(folder, FILES.owner), `${formatIdentity(self)}\n`, { mode: PRIVATE_FILE });
  return standBehind(host, folder, [process.execPath, program, '--reap', folder]);
}

function recordsFolder(stateHome: string): string {
  return path.join(mcpFolder(stateHome), 'servers');
}

/** The folders of all records: of servers that run, and of those that left something behind. */
export function serverRecords(stateHome: string): string[] {
  const folder = recordsFolder(stateHome);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => path.join(folder, name));
}

/** The server that a record belongs to; undefined where nobody can tell. */
export function ownerOf(folder: string): ProcessId | undefined {
  return parseIdentity(readValue(path.join(folder, FILES.owner)) ?? '');
}

/** The units of a record by the folders of their runs. */
export function ownedUnits(folder: string): Map<string, string[]> {
  const units = new Map<string, string[]>();
  readLines(path.join(folder, FILES.units), 0, ({ json }) => {
    const line = ownedUnit.safeParse(json);
    if (line.success) units.set(line.data.folder, [...(units.get(line.data.folder) ?? []), line.data.unit]);
  });
  return units;
}

const ownedUnit = z.object({ folder: z.string(), unit: z.string() });
