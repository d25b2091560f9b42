import os from 'node:os';
import path from 'node:path';
import { keepTripwire } from './kept-tripwire.ts';
import { discardDraft, makeDraftClone, publishWorkspace } from './make-clone.ts';
import type { WorkspaceRecord } from './records.ts';
import { takeTripwire } from './tripwire.ts';
import { UNIT_FILES, type WorkspaceSet } from './workspace-set.ts';

/** Workspaces that are wanted in a set. */
export interface WorkspacesRequest {
  units: readonly { unit: string; owns: readonly string[] }[];
  mode: WorkspaceRecord['mode'];
  /** Ports for a unit whose record will lie in that file. */
  claimPorts: (holder: string) => Promise<{ first: number; last: number } | null>;
  /** Called in the order of the units, each as soon as it and all before it are there. */
  onMade?: (workspace: WorkspaceRecord) => void;
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
  const made: WorkspaceRecord[] = [];
  let next = 0;
  let told = 0;
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (next < request.units.length && failures.length === 0) {
      const n = next++;
      const unit = request.units[n];
      if (!unit) return;
      try {
        made[n] = await makeWorkspace(set, request, unit, writers);
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
  return made;
}

async function makeWorkspace(
  set: WorkspaceSet,
  request: WorkspacesRequest,
  { unit, owns }: { unit: string; owns: readonly string[] },
  writers: number,
): Promise<WorkspaceRecord> {
  const draft = await makeDraftClone(set, { unit, owns, writers });
  try {
    keepTripwire(path.join(draft.records, UNIT_FILES.repository), takeTripwire(set.record.source));
    const ports = await request.claimPorts(path.join(set.folder, 'units', unit, UNIT_FILES.record));
    return publishWorkspace(set, draft, { mode: request.mode, owns: [...owns], ports, setup: null });
  } catch (error) {
    discardDraft(draft);
    throw error;
  }
}
