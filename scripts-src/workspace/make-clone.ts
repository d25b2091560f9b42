import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathFromJson } from '../platform/byte-path.ts';
import { wallTime } from '../platform/clock.ts';
import { errnoOf, usageError } from '../platform/errors.ts';
import { PRIVATE_DIR, PRIVATE_FILE, writeAtomic } from '../platform/files.ts';
import { type GitPlace, runGit } from '../platform/git.ts';
import { randomHex } from '../platform/random.ts';
import { gitFolderOf, wayUp } from './git-template.ts';
import { changeEntries, LINK_MODE, nullIdOf, readEntries } from './index-entries.ts';
import { WORKSPACE_SCHEMA, type WorkspaceRecord } from './records.ts';
import { folderAt } from './snapshot-source.ts';
import { readWorkspace, SET_FILES, UNIT_FILES, unitFolder, type WorkspaceSet } from './workspace-set.ts';

/** What a unit's workspace is to be. */
export interface CloneRequest {
  unit: string;
  owns: readonly string[];
  /** Threads that write this clone's files. */
  writers: number;
}

/**
 * Makes a unit's clone under a draft name: git folder, files, private indexes. It becomes the unit's workspace by
 * `publishWorkspace`; until then nothing of it counts.
 */
export interface DraftClone {
  unit: string;
  /** The clone's files, where they are now. */
  folder: string;
  /** prun's own files about it, where they are now. */
  records: string;
}

/** Makes a draft. Throws a usage error where the unit has a workspace already. */
export async function makeDraftClone(set: WorkspaceSet, request: CloneRequest): Promise<DraftClone> {
  const { unit } = request;
  refuseTaken(set, unit);
  const draft = `.${unit}-${process.pid}-${randomHex(8)}.draft`;
  const folder = path.join(set.folder, SET_FILES.clones, draft);
  const records = path.join(set.folder, SET_FILES.units, draft);
  try {
    mkdirSync(folder, { mode: PRIVATE_DIR });
    mkdirSync(records, { mode: PRIVATE_DIR });
    const submodules = set.record.base.submodules.map(({ path: where }) => pathFromJson(where));
    for (const [n, where] of [undefined, ...submodules].entries()) {
      const gitDir = path.join(folder, gitFolderOf(n));
      cpSync(path.join(set.folder, SET_FILES.templates, String(n)), gitDir, { recursive: true });
      const workTree = where === undefined ? folder : folderAt(folder, where);
      if (where !== undefined) {
        mkdirSync(workTree, { recursive: true });
        writeFileSync(path.join(workTree, '.git'), `gitdir: ${wayUp(where)}${gitFolderOf(n)}\n`);
      }
      const place = { gitDir, workTree, indexFile: path.join(gitDir, 'index') };
      await writeFiles(place, request.writers);
      await keepIndex(place, path.join(records, `index-${n}`), set.record.objectFormat);
    }
    return { unit, folder, records };
  } catch (error) {
    discardDraft({ unit, folder, records });
    throw error;
  }
}

/** Removes what there is of a draft. */
export function discardDraft({ folder, records }: DraftClone): void {
  for (const left of [folder, records]) rmSync(left, { recursive: true, force: true });
}

async function writeFiles(place: GitPlace, writers: number): Promise<void> {
  const settings = { 'checkout.workers': String(writers), 'checkout.thresholdForParallelism': '100' };
  await runGit({ ...place, config: settings }, ['checkout-index', '--all', '--force', '--index', '--quiet']);
}

/** The private copy of the clone's index knows the files' times, and submodules are not in it. */
async function keepIndex(
  place: GitPlace & { indexFile: string },
  to: string,
  objectFormat: 'sha1' | 'sha256',
): Promise<void> {
  cpSync(place.indexFile, to, { preserveTimestamps: true });
  const own = { ...place, indexFile: to };
  const links = (await readEntries(own)).filter(({ mode }) => mode === LINK_MODE);
  await changeEntries(
    own,
    links.map(({ path: where }) => ({ path: where })),
    nullIdOf(objectFormat),
  );
}

/** Gives a draft its name: from now on the unit has this workspace. */
export function publishWorkspace(
  set: WorkspaceSet,
  draft: DraftClone,
  facts: Pick<WorkspaceRecord, 'mode' | 'owns' | 'ports' | 'setup'>,
): WorkspaceRecord {
  const { unit } = draft;
  const record: WorkspaceRecord = {
    schema: WORKSPACE_SCHEMA,
    unit,
    set: set.record.id,
    mode: facts.mode,
    folder: path.join(set.folder, SET_FILES.clones, unit),
    base: set.record.base.tree,
    owns: [...facts.owns],
    ports: facts.ports,
    createdAt: wallTime(),
    setup: facts.setup,
  };
  writeFileSync(path.join(draft.records, UNIT_FILES.record), `${JSON.stringify(record, null, 2)}\n`, {
    mode: PRIVATE_FILE,
  });
  // The records' name is the claim: whoever comes second finds a folder that is not empty.
  claimByRename(draft.records, unitFolder(set, unit), set, unit);
  renameSync(draft.folder, record.folder);
  return record;
}

function claimByRename(from: string, to: string, set: WorkspaceSet, unit: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(errnoOf(error) ?? '')) throw error;
    refuseTaken(set, unit);
    throw error;
  }
}

function refuseTaken(set: WorkspaceSet, unit: string): void {
  const folder = unitFolder(set, unit);
  if (!existsSync(folder)) return;
  const there = readWorkspace(set, unit);
  throw usageError(
    `unit ${unit} of run ${set.record.id} has a workspace already: ${there?.folder ?? folder}`,
    'use that one, or give another --unit',
  );
}

/** Rewrites a workspace's record, whole or not at all. */
export function rewriteWorkspace(set: WorkspaceSet, record: WorkspaceRecord): void {
  const file = path.join(unitFolder(set, record.unit), UNIT_FILES.record);
  writeAtomic(file, `${JSON.stringify(record, null, 2)}\n`);
}

/** Drafts in a set whose maker was killed. */
export function draftsOf(set: WorkspaceSet): string[] {
  return [SET_FILES.clones, SET_FILES.units].flatMap((name) =>
    readdirSync(path.join(set.folder, name))
      .filter((entry) => entry.startsWith('.') && entry.endsWith('.draft'))
      .map((entry) => path.join(set.folder, name, entry)),
  );
}
