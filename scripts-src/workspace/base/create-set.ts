import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToJson } from '../../platform/byte-path.ts';
import { wallTime } from '../../platform/clock.ts';
import { errnoOf, messageOf, type PrunError, usageError } from '../../platform/errors.ts';
import { PRIVATE_DIR, PRIVATE_FILE } from '../../platform/files.ts';
import type { GitPlace } from '../../platform/git.ts';
import { randomHex } from '../../platform/random.ts';
import { readOptional } from '../read-optional.ts';
import { type SetRecord, type SubmoduleRecord, WORKSPACE_SCHEMA } from '../records.ts';
import { readSet, SET_FILES, setsFolder, type WorkspaceSet } from '../workspace-set.ts';
import { type BaseFiles, countBaseFiles } from './base-files.ts';
import { baseNote } from './base-note.ts';
import { type BasePart, commitParts } from './base-parts.ts';
import { removeDeadDrafts } from './dead-drafts.ts';
import { createStore, writeAlternates } from './object-store.ts';
import { type SourceSnapshot, snapshotSource } from './snapshot-source.ts';
import type { SourceRepository } from './source-repo.ts';
import { makeTemplates } from './templates.ts';

/** A set, and whether this call froze its base. */
export interface ProvidedSet {
  set: WorkspaceSet;
  isNew: boolean;
}

/**
 * The set of that name: opened where it is there already, else made with a base of the user's tree as it is now. Two
 * processes that make the same set at once get the one that was there first. Without a name it gets one of its own.
 */
export async function provideSet(
  stateHome: string,
  source: SourceRepository,
  name: string | undefined,
): Promise<ProvidedSet> {
  const id = name ?? ownName(source);
  const folder = path.join(setsFolder(stateHome), id);
  const there = readSet(folder);
  if (there) return { set: ofSameRepository(there, source), isNew: false };
  if (existsSync(folder)) throw unreadableSet(folder);
  makeSetsFolder(stateHome);
  removeDeadDrafts(setsFolder(stateHome));
  const draft = path.join(setsFolder(stateHome), `.${id}-${process.pid}-${randomHex(8)}.draft`);
  try {
    mkdirSync(draft, { mode: PRIVATE_DIR });
    await fillSet(draft, folder, id, source);
    return publishSet(draft, folder, source);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function publishSet(draft: string, folder: string, source: SourceRepository): ProvidedSet {
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Somebody else was first: theirs is the base of this run.
    const there = readSet(folder);
    if (!there) throw error;
    return { set: ofSameRepository(there, source), isNew: false };
  }
  const set = readSet(folder);
  if (!set) throw unreadableSet(folder);
  return { set, isNew: true };
}

async function fillSet(draft: string, folder: string, id: string, source: SourceRepository): Promise<void> {
  const store = path.join(draft, SET_FILES.store);
  await createStore(store, source);
  const scratch = path.join(draft, 'scratch');
  mkdirSync(scratch, { mode: PRIVATE_DIR });
  const snapshot = await snapshotSource(source, { gitDir: store }, scratch);
  const parts = await commitParts(source, snapshot, { gitDir: store }, scratch);
  const place = await takeModules(draft, store, parts);
  const finalStore = path.join(folder, SET_FILES.store);
  const [files] = await Promise.all([
    countBaseFiles(place, source.workTree, snapshot.tree),
    makeTemplates(draft, parts, place, finalStore),
  ]);
  rmSync(scratch, { recursive: true });
  const record = describeSet(id, source, snapshot, parts, files);
  const write = (file: string, text: string | Uint8Array): void =>
    writeFileSync(path.join(draft, file), text, { mode: PRIVATE_FILE });
  write(SET_FILES.exclude, readOptional(path.join(source.commonDir, 'info', 'exclude')));
  write(SET_FILES.note, await baseNote(place, record, source, snapshot, files.pointers));
  for (const name of [SET_FILES.clones, SET_FILES.units]) {
    mkdirSync(path.join(draft, name), { mode: PRIVATE_DIR });
  }
  const modules = parts.slice(1).map((_, n) => path.join(folder, moduleFolder(n + 1), 'objects'));
  writeAlternates(store, modules);
  write(SET_FILES.record, `${JSON.stringify(record, null, 2)}\n`);
}

/** Takes the objects of submodules into stores of their own, and gives the place where all objects are readable. */
async function takeModules(draft: string, store: string, parts: readonly BasePart[]): Promise<GitPlace> {
  const alternates: string[] = [];
  for (const [n, { source }] of parts.entries()) {
    if (n === 0) continue;
    const module = path.join(draft, moduleFolder(n));
    await createStore(module, source);
    alternates.push(path.join(module, 'objects'));
  }
  return { gitDir: store, alternates };
}

function moduleFolder(n: number): string {
  return path.join(SET_FILES.modules, `${n}.git`);
}

function describeSet(
  id: string,
  source: SourceRepository,
  snapshot: SourceSnapshot,
  parts: readonly BasePart[],
  files: BaseFiles,
): SetRecord {
  const { workTree, gitDir, commonDir, objectFormat, head, branch, excludesFile } = source;
  const submodules = parts.slice(1).map(
    (part, n): SubmoduleRecord => ({
      path: pathToJson(part.path),
      commit: part.commit,
      store: moduleFolder(n + 1),
    }),
  );
  return {
    schema: WORKSPACE_SCHEMA,
    id,
    createdAt: wallTime(),
    source: { workTree, gitDir, commonDir },
    objectFormat,
    base: {
      tree: snapshot.tree,
      commit: parts[0]?.commit ?? '',
      head,
      branch,
      files: files.count,
      bytes: files.bytes,
      submodules,
    },
    excludesFile,
  };
}

/** `items-20261130-081500-3f9c`: when several sets of one repository are there, a person can tell them apart. */
function ownName({ workTree }: SourceRepository): string {
  const name =
    path
      .basename(workTree)
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .slice(0, 40) || 'repository';
  const time = wallTime().replace(/\..*$/, '').replace(/[-:]/g, '').replace('T', '-');
  return `${name}-${time}-${randomHex(4)}`;
}

/** The set, where its base is of this repository. Throws a usage error for another one. */
export function ofSameRepository(set: WorkspaceSet, source: SourceRepository): WorkspaceSet {
  const { workTree } = set.record.source;
  if (workTree === source.workTree) return set;
  throw usageError(
    `run ${JSON.stringify(set.record.id)} has its base in ${workTree}, not in ${source.workTree}`,
    'give another name with --run',
  );
}

function unreadableSet(folder: string): PrunError {
  return usageError(
    `${folder} is there and holds no readable ${SET_FILES.record}`,
    'give another name with --run, or look at what is in that folder',
  );
}

function makeSetsFolder(stateHome: string): void {
  try {
    mkdirSync(setsFolder(stateHome), { recursive: true, mode: PRIVATE_DIR });
  } catch (error) {
    throw usageError(
      `the state home ${stateHome} cannot be written (${errnoOf(error) ?? messageOf(error)})`,
      'give another folder with --state-home or PRUN_STATE_HOME',
    );
  }
}
