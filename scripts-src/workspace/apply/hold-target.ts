import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT, errnoOf, messageOf, PrunError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { PRIVATE_DIR, PRIVATE_FILE, readValue, writeOnce } from '../../platform/files.ts';
import { isAlive, parseIdentity } from '../../process/identity.ts';
import type { ProcessHost } from '../../process/types.ts';
import { syncFolder } from './change-journal.ts';
import { lookAt } from './path-state.ts';
import { type ChangePlace, STAGING_NAME, stagingOf } from './staging-folder.ts';

/** Who stands behind a target's staging folder. */
export interface Holding {
  /** Id of the change. */
  id: string;
  stateHome: string;
}

/** Somebody who wants to hold a target. */
export interface Holder extends Holding {
  /** Its identity, `boot:pid:start`. */
  identity: string;
  /** The folder of its journal. */
  folder: string;
}

/**
 * Takes a target: the staging folder is filled under a draft name and then gets its own, which only one can. False
 * when somebody holds it. Throws where the target cannot be written.
 */
export function takeTarget(root: string, holder: Holder): boolean {
  const staging = stagingOf(root);
  refuseForeignName(staging);
  const draft = `${staging}-${holder.id}`;
  try {
    makeDraft(draft, holder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw cannotWrite(root, error);
  }
  faultPoint('apply:draft', holder.folder);
  try {
    renameSync(draft, staging);
    syncFolder(root);
    return true;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (lookAt(staging)?.isDirectory()) return false;
    throw cannotWrite(root, error);
  }
}

function makeDraft(draft: string, holder: Holder): void {
  const write = (name: string, text: string): void =>
    writeFileSync(path.join(draft, name), text, { mode: PRIVATE_FILE });
  mkdirSync(draft, { mode: PRIVATE_DIR });
  for (const name of ['new', 'old']) mkdirSync(path.join(draft, name), { mode: PRIVATE_DIR });
  // It ignores itself: neither the user's `git status` nor a snapshot that is taken meanwhile shows it.
  write('.gitignore', '*\n');
  write('owner.json', JSON.stringify({ id: holder.id, stateHome: holder.stateHome }));
  write('claim-1', holder.identity);
}

/** Lets go of a target, and clears away what was prepared. Only for the holder. */
export function releaseTarget({ staging, folder }: ChangePlace, id: string): void {
  const gone = `${staging}-${id}`;
  // First the name, in one step: a folder that is half removed must not look like one that somebody holds.
  renameSync(staging, gone);
  faultPoint('apply:released', folder);
  rmSync(gone, { recursive: true, force: true, maxRetries: 5 });
}

/** Folders of changes that were killed while they took or let go of the target, by id. */
export function draftsIn(root: string): string[] {
  const prefix = `${STAGING_NAME}-`;
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.name.startsWith(prefix) && entry.isDirectory())
    .map(({ name }) => name.slice(prefix.length));
}

/** The change that holds a target or was killed over it; undefined where nobody does. */
export function holdingOf(root: string): Holding | undefined {
  const staging = stagingOf(root);
  if (!lookAt(staging)) return undefined;
  refuseForeignName(staging);
  return readOwner(staging);
}

/** What stands behind a folder that was made here; undefined where it is being removed or is empty. */
export function readOwner(staging: string): Holding | undefined {
  const text = readValue(path.join(staging, 'owner.json'));
  try {
    const json: unknown = JSON.parse(text ?? '');
    if (typeof json !== 'object' || json === null) return undefined;
    const { id, stateHome } = json as Record<string, unknown>;
    if (typeof id !== 'string' || typeof stateHome !== 'string') return undefined;
    return /^[\w-]+$/.test(id) ? { id, stateHome } : undefined;
  } catch {
    // Not made here, or going away.
    return undefined;
  }
}

/** Identity of the living process that holds a target, or undefined. */
export function livingHolder(host: ProcessHost, root: string): string | undefined {
  const { identity } = newestClaim(stagingOf(root));
  const id = parseIdentity(identity ?? '');
  return id && isAlive(host, id) ? identity : undefined;
}

/**
 * Takes over a target from a dead holder: claims are numbered and never replaced, and n+1 is taken only when holder n
 * is dead. False when somebody was quicker.
 */
export function takeOver(host: ProcessHost, root: string, holding: Holding, identity: string): boolean {
  const staging = stagingOf(root);
  const newest = newestClaim(staging);
  const holder = parseIdentity(newest.identity ?? '');
  if (holder && isAlive(host, holder)) return false;
  const claim = path.join(staging, `claim-${newest.number + 1}`);
  try {
    if (!writeOnce(claim, identity)) return false;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
  // The folder may have been another one by then: that of a change that began in between.
  if (readOwner(staging)?.id === holding.id) return true;
  rmSync(claim, { force: true });
  return false;
}

function newestClaim(staging: string): { number: number; identity?: string } {
  let names: string[];
  try {
    names = readdirSync(staging);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { number: 0 };
    throw error;
  }
  const numbers = names.map((name) => Number(/^claim-(\d+)$/.exec(name)?.[1] ?? 0));
  const number = Math.max(0, ...numbers);
  const identity = readValue(path.join(staging, `claim-${number}`));
  return identity === undefined ? { number } : { number, identity };
}

function refuseForeignName(staging: string): void {
  const stat = lookAt(staging);
  if (!stat || stat.isDirectory()) return;
  throw new PrunError(
    'E_STAGING',
    `${staging} is not a folder, and prun needs that name for a change that is at work`,
    'move it away, and run the command again; nothing was changed',
  );
}

function cannotWrite(root: string, error: unknown): PrunError {
  return new PrunError(
    'E_TARGET',
    `${root} cannot be written (${messageOf(error)})`,
    errnoOf(error) === 'ENOSPC'
      ? 'make room on the disk; nothing was changed'
      : 'see that you may write there; nothing was changed',
    EXIT.usage,
  );
}
