import { cpSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { JsonPath } from '../../platform/byte-path.ts';
import type { OwnBase } from '../base/own-base.ts';
import type { WorkspaceRecord } from '../records.ts';
import { keepTripwire } from '../tripwire/kept-tripwire.ts';
import { type Tripwire, takeTripwire } from '../tripwire/tripwire.ts';
import { SET_FILES, setBase, UNIT_FILES, type WorkspaceSet } from '../workspace-set.ts';
import { clearLeftovers, removeUnpublished } from './clear-leftovers.ts';
import { cloneFolder, discardDraft, makeDraft, publishWorkspace } from './draft-workspace.ts';
import { fillClone } from './make-clone.ts';
import { addWorktree, fillWorktree } from './make-worktree.ts';

/** Workspaces that are wanted in a set. */
export interface WorkspacesRequest {
  units: readonly { unit: string; owns: readonly string[] }[];
  mode: WorkspaceRecord['mode'];
  /** A base of their own; the set's where it is left out. */
  base?: OwnBase | undefined;
  /** Ignored paths that will be brought along. */
  warm: readonly JsonPath[];
  /** Ports for a unit whose files will lie in that folder. */
  claimPorts: (holder: string) => Promise<{ first: number; last: number } | null>;
  /** Called in the order of the units, each as soon as it and all before it are there. */
  onMade?: (workspace: WorkspaceRecord) => void;
  /** Asks for an end: no further workspace is begun. */
  stop?: AbortSignal;
}

/**
 * Makes the workspaces of several units, as many at a time as there are processors: two at a time take little more
 * than half of the time of one after the other (FACTS-processes.md, Git). In the order of the units. When one cannot be
 * made, those that were made stay, and the error is thrown.
 */
export async function makeWorkspaces(
  set: WorkspaceSet,
  request: WorkspacesRequest,
): Promise<WorkspaceRecord[]> {
  const processors = Math.max(1, os.availableParallelism());
  const atOnce = Math.min(request.units.length, processors, 8);
  const writers = Math.max(1, Math.floor(processors / atOnce));
  const repository = takeTripwire(set.record.source);
  const made: WorkspaceRecord[] = [];
  let next = 0;
  let told = 0;
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (next < request.units.length && failures.length === 0 && !request.stop?.aborted) {
      const n = next++;
      const unit = request.units[n];
      if (!unit) return;
      try {
        made[n] = await makeWorkspace(set, request, unit, { writers, repository });
        for (let record = made[told]; record; record = made[told]) {
          told++;
          request.onMade?.(record);
        }
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
  return made.filter(Boolean);
}

async function makeWorkspace(
  set: WorkspaceSet,
  request: WorkspacesRequest,
  { unit, owns }: { unit: string; owns: readonly string[] },
  { writers, repository }: { writers: number; repository: Tripwire },
): Promise<WorkspaceRecord> {
  const { mode, claimPorts } = request;
  const base = request.base ?? setBase(set);
  const draft = makeDraft(set, unit);
  try {
    await clearLeftovers(set, draft, base.record.head);
    keepTripwire(path.join(draft.records, UNIT_FILES.repository), repository);
    if (request.base) keepBase(request.base, path.join(draft.records, UNIT_FILES.base));
    if (mode === 'clone') await fillClone(set, base, draft, writers);
    const ports = await claimPorts(cloneFolder(set, unit));
    const facts = {
      mode,
      base: base.record.tree,
      origin: request.base?.origin ?? null,
      owns: [...owns],
      ports,
      warm: [...request.warm],
      setup: null,
    };
    if (mode === 'clone') return publishWorkspace(set, draft, facts);
    await addWorktree(set, base, unit);
    try {
      await fillWorktree(set, base, draft, writers);
      return publishWorkspace(set, draft, facts);
    } catch (error) {
      await removeUnpublished(set, unit, [base.record.head]);
      throw error;
    }
  } finally {
    discardDraft(draft);
  }
}

/** A workspace keeps what its base is: all but the indexes, which serve only while it is made. */
function keepBase({ folder }: OwnBase, to: string): void {
  const templates = path.join(folder, SET_FILES.templates);
  cpSync(folder, to, {
    recursive: true,
    filter: (file) => path.basename(file) !== 'index' || path.dirname(path.dirname(file)) !== templates,
  });
}
