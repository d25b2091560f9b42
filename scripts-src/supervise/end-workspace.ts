import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { wallTime } from '../platform/clock.ts';
import { messageOf } from '../platform/errors.ts';
import { readStart } from '../platform/files.ts';
import type { ProcessHost } from '../process/types.ts';
import type { ClaimSummary, DeltaSummary, TripwireSummary, UnitRecord } from '../unit/records.ts';
import { stateFile } from '../unit/state-dir.ts';
import {
  type ClaimCheck,
  type ClaimPlace,
  checkClaims,
  type DeltaFacts,
} from '../workspace/claims/claims.ts';
import { compareTripwire, type Tripwire, takeTripwire } from '../workspace/tripwire/tripwire.ts';
import type { WorkspacePlace } from '../workspace/workspace-of.ts';
import { collectDelta } from './collect-delta.ts';
import { bounded, readDelta } from './delta-facts.ts';

// Loaded when a unit in a workspace has ended: hot scripts start without it.

/** A unit that worked in a workspace, after every process of it is gone. */
export interface EndingWorkspace {
  host: ProcessHost;
  place: WorkspacePlace;
  stateDir: string;
  record: Pick<UnitRecord, 'marker' | 'since' | 'resultFile'>;
  /** The compiled `prun`. */
  prun: string;
  /** The user's repository before the worker was started; undefined where nobody could look. */
  before: Tripwire | undefined;
  /** Why nothing is to be collected now, or undefined. */
  notNow: string | undefined;
  /** Resolves when this process is to end. */
  stop?: Promise<unknown>;
}

/** What became of a unit's workspace. */
export interface WorkspaceEnd {
  delta: DeltaSummary;
  tripwire: TripwireSummary | null;
  /** Holds what a result claims against the delta; undefined without one. `text`: the claims, where they are not the file's. */
  claimsOf(resultFile: string, text?: string): { check: ClaimCheck; summary: ClaimSummary } | undefined;
}

/** Entries of each kind in an outcome: the coordinator reads little (promise P7). */
const MAX_ENTRIES = 20;
/** The fields stand at the top of a result. */
const RESULT_BYTES = 1024 * 1024;

/** Compares the user's repository and collects the delta. Never rejects: an outcome is written in any case. */
export async function endWorkspace(ending: EndingWorkspace): Promise<WorkspaceEnd> {
  const tripwire = repositoryNow(ending.before);
  const { delta, facts } = await deltaOf(ending);
  return {
    delta,
    tripwire,
    claimsOf: (resultFile, text = readStart(resultFile, RESULT_BYTES)) =>
      facts ? claimsOf(text, facts, claimPlace(resultFile, ending.place)) : undefined,
  };
}

async function deltaOf(ending: EndingWorkspace): Promise<{ delta: DeltaSummary; facts?: DeltaFacts }> {
  const { host, place, stateDir, record, prun, notNow, stop } = ending;
  const workspace = place.clone;
  const without = (state: 'failed' | 'not-collected', detail: string) => ({
    delta: {
      state,
      workspace,
      detail: bounded(detail),
      next: `node ${shellWord(prun)} collect ${shellWord(workspace)}`,
    },
  });
  if (notNow !== undefined) return without('not-collected', notNow);
  try {
    const { marker, since } = record;
    const collected = await collectDelta({ host, prun, clone: workspace, stateDir, marker, since, stop });
    if (collected.kind === 'stopped') return without('not-collected', 'dispatch-task was stopped meanwhile');
    if (collected.kind === 'failed') return without('failed', collected.detail);
    const delta = readDelta(collected.text, workspace, stateFile(stateDir, 'patch'));
    if (!delta) return without('failed', 'prun collect printed no record of a delta');
    return { delta: delta.summary, facts: delta.facts };
  } catch (error) {
    // The process table, mostly. The worker's own end is not to be lost by it.
    return without('failed', messageOf(error));
  }
}

/** What is different in the user's repository since `before`; null where nothing is, or nobody looked. Never throws. */
export function repositoryNow(before: Tripwire | undefined): TripwireSummary | null {
  if (!before) return null;
  try {
    return differencesSince(before);
  } catch (error) {
    // A fault of this program's own costs no outcome, and is said.
    const seenAt = wallTime();
    return { since: before.at, seenAt, changes: [], more: 0, unread: [bounded(messageOf(error))] };
  }
}

function differencesSince(before: Tripwire): TripwireSummary | null {
  const after = takeTripwire(before.source);
  const changes = compareTripwire(before, after);
  const unread = [
    ...new Set([...before.unread, ...after.unread].map(({ where, why }) => `${where}: ${why}`)),
  ];
  if (changes.length === 0 && unread.length === 0) return null;
  return {
    since: before.at,
    seenAt: after.at,
    changes: changes.slice(0, MAX_ENTRIES).map(({ name, before: from, after: to, ...rest }) => ({
      ...rest,
      name: bounded(name),
      ...(from === undefined ? {} : { before: bounded(from) }),
      ...(to === undefined ? {} : { after: bounded(to) }),
    })),
    more: Math.max(0, changes.length - MAX_ENTRIES),
    unread: unread.slice(0, MAX_ENTRIES).map(bounded),
  };
}

function claimsOf(text: string, facts: DeltaFacts, place: ClaimPlace) {
  const check = checkClaims(text, facts, place);
  const lists = { claimed: check.claimed, unclaimed: check.unclaimed, ignored: check.ignored };
  const { claimed, unclaimed, ignored } = lists;
  const summary: ClaimSummary = {
    claimed: claimed.slice(0, MAX_ENTRIES).map(bounded),
    unclaimed: unclaimed.slice(0, MAX_ENTRIES).map(bounded),
    ignored: ignored.slice(0, MAX_ENTRIES).map(bounded),
    more: Object.values(lists).reduce((sum, list) => sum + Math.max(0, list.length - MAX_ENTRIES), 0),
  };
  return { check, summary };
}

function claimPlace(resultFile: string, { clone }: WorkspacePlace): ClaimPlace {
  const real = realPath(clone);
  const relative = path.relative(
    real,
    path.join(realPath(path.dirname(resultFile)), path.basename(resultFile)),
  );
  const isInside = !relative.startsWith('..') && !path.isAbsolute(relative);
  return {
    roots: [...new Set([clone, real])],
    resultFile: isInside ? relative : undefined,
    exists: (where) => existsSync(path.join(clone, where)),
  };
}

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // It has gone: its written name has to do.
    return folder;
  }
}

/** A path as one word of a command line. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
