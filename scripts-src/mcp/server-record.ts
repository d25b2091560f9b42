import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { PRIVATE_DIR, PRIVATE_FILE, readValue } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { formatIdentity, identify, parseIdentity } from '../process/identity.ts';
import type { ProcessHost, ProcessId } from '../process/types.ts';
import { appendLines, readLines } from '../run/json-lines.ts';
import { dropPrepared, postPrepared, prepareCancel } from '../run/requests.ts';
import { type StandingGuard, standBehind } from '../supervise/stand-behind.ts';
import { mcpFolder } from './task-index.ts';

const FILES = { owner: 'owner', units: 'units.jsonl' } as const;

/** A unit that a call of a server works on. The server must end it when it ends itself. */
export interface OwnedUnit {
  /** The run's folder, absolute. */
  folder: string;
  unit: string;
}

/** A unit that is this server's own. */
export interface Owned {
  /** Has it ended where no request can be written, on a full disk; false where that cannot be done either. */
  endNow(): boolean;
  /**
   * It is over: whoever has it go on later, another server or `prun resume`, is not to lose it with this one. Throws the
   * system's error.
   */
  disown(): void;
}

/** What a server leaves for its guardian: which units are its own. */
export interface ServerRecord {
  /** Value of PRUN_UNIT for what the server itself starts: codex, when it is asked for its login. */
  mark: string;
  /** Puts the guardian behind this server, once: from then on nothing of it outlives it. Throws the system's error. */
  stand(): void;
  /**
   * Notes a unit; from then on it is ended when this process dies. Call it before the unit is started. Throws the system's
   * error, as on a full disk.
   */
  own(unit: OwnedUnit): Owned;
  /** The guardian goes, and so does the record. Without an effect while a unit is owned: the guardian ends it. */
  release(): void;
}

/**
 * The record of this server. It is made with its guardian at the first call: a server that nobody uses costs neither.
 * `program`: the compiled script, which the guardian calls with --reap.
 */
export function serverRecord(host: ProcessHost, stateHome: string, program: string): ServerRecord {
  const folder = path.join(recordsFolder(stateHome), `${process.pid}-${randomHex(16)}`);
  let guard: StandingGuard | undefined;
  let open = 0;

  function stand(): void {
    // Somebody may have removed the state home meanwhile.
    if (guard && existsSync(folder)) return;
    guard?.release();
    guard = begin(host, folder, program);
  }

  return {
    mark: serverMark(folder),
    stand,
    own(unit) {
      stand();
      const file = path.join(folder, FILES.units);
      appendLines(file, [unit]);
      open += 1;
      const prepared = { unit: unit.unit, by: path.basename(folder) };
      prepareCancel(unit, prepared);
      return {
        endNow: () => postPrepared(unit, prepared),
        disown() {
          open -= 1;
          dropPrepared(unit, prepared);
          appendLines(file, [{ ...unit, isOver: true }]);
        },
      };
    },
    release() {
      if (open > 0) return;
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

/** See `ServerRecord.mark`. */
export function serverMark(folder: string): string {
  return `mcp-${path.basename(folder)}`;
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

/** The units of a record that calls were working on, by the folders of their runs. */
export function ownedUnits(folder: string): Map<string, string[]> {
  const runs = new Map<string, Map<string, number>>();
  readLines(path.join(folder, FILES.units), 0, ({ json }) => {
    const line = ownedUnit.safeParse(json);
    if (!line.success) return;
    const { unit, isOver } = line.data;
    const calls = runs.get(line.data.folder) ?? new Map<string, number>();
    calls.set(unit, (calls.get(unit) ?? 0) + (isOver ? -1 : 1));
    runs.set(line.data.folder, calls);
  });
  const owned = [...runs].map(([run, calls]): [string, string[]] => [
    run,
    [...calls].filter(([, count]) => count > 0).map(([unit]) => unit),
  ]);
  return new Map(owned.filter(([, units]) => units.length > 0));
}

const ownedUnit = z.object({ folder: z.string(), unit: z.string(), isOver: z.optional(z.boolean()) });
