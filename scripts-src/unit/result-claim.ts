import { accessSync, constants, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { claimName, PRIVATE_DIR, readValue } from '../platform/files.ts';
import { pauseSync } from '../platform/pause.ts';
import { shortHash } from '../platform/random.ts';
import { stateHome } from '../platform/state-home.ts';
import { isAlive, parseIdentity } from '../process/identity.ts';
import type { ProcessHost } from '../process/types.ts';
import { isGuarded } from './guardian.ts';
import { SCHEMA } from './records.ts';
import { stateFile } from './state-dir.ts';

/**
 * Who supervises a result path. Claims are exclusive files numbered by epoch below one folder a path and are never
 * unlinked: n+1 may be taken only when holder n is dead by identity (DESIGN.md §6).
 */
export interface ResultClaim {
  stateDir: string;
  /** Identity of the dispatcher. */
  holder: string;
  resultFile: string;
}

/** Takes the result path for `claim`; returns the live claim that stands in the way, or undefined when taken. */
export function claimResult(host: ProcessHost, claim: ResultClaim): ResultClaim | undefined {
  const folder = writableFolder(claim.resultFile);
  const record = `${JSON.stringify({ schema: SCHEMA, ...claim })}\n`;
  let newest = folder.isNew ? 0 : newestEpoch(folder.path);
  for (;;) {
    const holder = newest > 0 ? readClaim(path.join(folder.path, String(newest))) : undefined;
    if (holder && isHeld(host, holder)) return holder;
    if (claimName(path.join(folder.path, String(newest + 1)), record)) return undefined;
    newest = newestEpoch(folder.path);
  }
}

/** The folder of a path's claims, made where that can be done. Throws the system's error when it can be done nowhere. */
function writableFolder(resultFile: string): { path: string; isNew: boolean } {
  const [inHome, inTemp] = claimFolders(resultFile);
  try {
    return makeFolder(inHome);
  } catch {
    // A home that is missing or may not be written, as in a sandbox.
    return makeFolder(inTemp);
  }
}

function makeFolder(folder: string): { path: string; isNew: boolean } {
  const isNew = mkdirSync(folder, { recursive: true, mode: PRIVATE_DIR }) !== undefined;
  if (!isNew) accessSync(folder, constants.W_OK);
  return { path: folder, isNew };
}

/** The newest claim of a result path, live or not, or undefined when nobody ever supervised it. */
export function findClaim(resultFile: string): ResultClaim | undefined {
  for (const folder of claimFolders(resultFile)) {
    const newest = newestEpoch(folder);
    const claim = newest > 0 ? readClaim(path.join(folder, String(newest))) : undefined;
    if (claim && sameResult(claim.resultFile, resultFile)) return claim;
  }
  return undefined;
}

/**
 * Whether somebody still answers for the result: the dispatcher lives, or it is dead and its guardian has yet to
 * write the outcome.
 */
export function isHeld(host: ProcessHost, claim: ResultClaim): boolean {
  if (readValue(stateFile(claim.stateDir, 'outcome'))) return false;
  const dispatcher = parseIdentity(claim.holder);
  if (dispatcher && isAlive(host, dispatcher)) return true;
  return isGuarded(claim.stateDir, host) || isWorkerAlive(claim.stateDir, host);
}

/** Dispatcher and guardian were both killed: the worker may still write its result. */
function isWorkerAlive(stateDir: string, host: ProcessHost): boolean {
  try {
    const unit: unknown = JSON.parse(readValue(stateFile(stateDir, 'unit')) ?? '');
    const worker = typeof unit === 'object' && unit !== null && 'worker' in unit ? unit.worker : undefined;
    const id = typeof worker === 'string' ? parseIdentity(worker) : undefined;
    return id !== undefined && isAlive(host, id);
  } catch {
    // No record, no worker.
    return false;
  }
}

/**
 * Where the claims of a result path lie: in the user's state home, which is the same for calls with different temp
 * folders, or else in the temp folder. Best first.
 */
function claimFolders(resultFile: string): [string, string] {
  const canonical = canonicalPath(resultFile);
  // Two 32-bit hashes of the name and its reverse: enough to tell paths apart, and the claim names its path.
  const name = shortHash(canonical) + shortHash([...canonical].reverse().join(''));
  const owner = process.getuid?.() ?? shortHash(os.homedir());
  return [
    path.join(stateHome(process.env), 'results', name),
    path.join(path.resolve(os.tmpdir()), `prun-results-${owner}`, name),
  ];
}

/** One file has one name here, whatever links lead to its folder and whatever case the system ignores. */
function canonicalPath(file: string): string {
  const absolute = path.resolve(file);
  let folder = path.dirname(absolute);
  try {
    folder = realpathSync.native(folder);
  } catch {
    // The folder is yet to be made: its written name is all that there is.
  }
  const whole = path.join(folder, path.basename(absolute));
  return process.platform === 'linux' ? whole : whole.toLowerCase();
}

function sameResult(a: string, b: string): boolean {
  return canonicalPath(a) === canonicalPath(b);
}

function newestEpoch(folder: string): number {
  try {
    // Somebody else's folder of that name (a shared /tmp) is no authority over this user's results.
    if (process.getuid && statSync(folder).uid !== process.getuid()) return 0;
    return readdirSync(folder).reduce(
      (newest, name) => (/^\d+$/.test(name) ? Math.max(newest, Number(name)) : newest),
      0,
    );
  } catch {
    return 0;
  }
}

/** How often a claim that is being written is read again, and after which pause, ms: its writer needs microseconds. */
const READ_TRIES = 20;
const READ_PAUSE_MS = 5;

/** A claim; undefined when nobody finished it: a claim that names nobody is held by nobody. */
function readClaim(file: string): ResultClaim | undefined {
  for (let tries = 0; tries < READ_TRIES; tries++) {
    const claim = parseClaim(readValue(file) ?? '');
    if (claim) return claim;
    pauseSync(READ_PAUSE_MS);
  }
  return undefined;
}

function parseClaim(text: string): ResultClaim | undefined {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json !== 'object' || json === null) return undefined;
    const { stateDir, holder, resultFile } = json as Record<string, unknown>;
    if (typeof stateDir !== 'string' || typeof holder !== 'string' || typeof resultFile !== 'string')
      return undefined;
    return { stateDir, holder, resultFile };
  } catch {
    return undefined;
  }
}
