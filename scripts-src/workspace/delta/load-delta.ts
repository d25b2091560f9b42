import { statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import type { BytePath } from '../../platform/byte-path.ts';
import { PrunError, usageError } from '../../platform/errors.ts';
import { GitError, type GitPlace, gitBytes } from '../../platform/git.ts';
import { readOptional } from '../read-optional.ts';
import { earlierFolders, UNIT_FILES, unitFolder } from '../workspace-set.ts';
import { type PatchHeader, readPatchHeader } from './patch-file.ts';

/** One file that differs between base and result. Null: there is no file. No renames: the old path is deleted. */
export interface ChangedFile {
  path: BytePath;
  oldMode: string | null;
  newMode: string | null;
  oldId: string | null;
  newId: string | null;
}

/** A collected delta, ready for merges: its trees are in its store, and these files differ. */
export interface LoadedDelta {
  unit: string;
  /** Trees in the store. */
  base: string;
  result: string;
  /** Absolute path of the set's store. */
  store: string;
  files: ChangedFile[];
  /** Globs of what the unit owns; empty when nobody said. */
  owns: string[];
  /** The commit of its base in the store (base/lineage.ts) where the base is its own; null: the set's base. */
  lineage: string | null;
  /** Absolute. */
  patchFile: string;
}

/**
 * Loads the delta that a patch stands for. Throws a usage error for a patch that is missing, damaged or of other
 * origin, and a PrunError where the store has gone or does not hold the trees.
 */
export async function loadDelta(patchFile: string): Promise<LoadedDelta> {
  const [delta] = await loadDeltas([patchFile]);
  if (!delta) throw new Error('no delta was loaded');
  return delta;
}

/** Many deltas as `loadDelta` loads one, in the order of the patches, by one git process for each store. */
export async function loadDeltas(patchFiles: readonly string[]): Promise<LoadedDelta[]> {
  const patches = patchFiles.map((name) => {
    const file = path.resolve(name);
    return { file, header: headerOf(file) };
  });
  const byStore = new Map<string, typeof patches>();
  for (const patch of patches) {
    byStore.set(patch.header.store, [...(byStore.get(patch.header.store) ?? []), patch]);
  }
  const deltas = new Map<string, LoadedDelta>();
  for (const inStore of byStore.values()) {
    for (const delta of await loadFromStore(inStore)) deltas.set(delta.patchFile, delta);
  }
  return patches.flatMap(({ file }) => deltas.get(file) ?? []);
}

/** The files that differ between two trees, in git's order. Throws GitError where a tree is missing. */
export async function changedFiles(place: GitPlace, base: string, result: string): Promise<ChangedFile[]> {
  if (base === result) return [];
  const diffs = parseRawDiffs(await gitBytes(place, [...RAW_DIFF, base, result]));
  return diffs.get('') ?? [];
}

const RAW_DIFF = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames'];

/**
 * `:<old mode> <new mode> <old id> <new id> <letter>NUL<path>NUL`, again and again; with --stdin the two trees and a
 * newline before each comparison, which is the key here. Pure.
 */
export function parseRawDiffs(output: Buffer): Map<string, ChangedFile[]> {
  const words = output.toString('latin1').split('\0');
  const diffs = new Map<string, ChangedFile[]>();
  let files: ChangedFile[] | undefined;
  for (let at = 0; at < words.length; at += 2) {
    const headers = (words[at] ?? '').split('\n');
    const change = headers.pop() ?? '';
    for (const trees of headers) {
      files = [];
      diffs.set(trees, files);
    }
    if (change === '') continue;
    if (files === undefined) {
      files = [];
      diffs.set('', files);
    }
    const [oldMode, newMode, oldId, newId] = change.slice(1).split(' ');
    const present = (value: string | undefined) => (value === undefined || /^0+$/.test(value) ? null : value);
    files.push({
      path: (words[at + 1] ?? '') as BytePath,
      oldMode: present(oldMode),
      newMode: present(newMode),
      oldId: present(oldId),
      newId: present(newId),
    });
  }
  return diffs;
}

function headerOf(file: string): PatchHeader {
  const header = readPatchHeader(file);
  if (header !== undefined) return header;
  throw usageError(
    `${file} is no patch of prun collect`,
    'make one with: prun collect <clone> --patch <file>; a patch of other origin goes in with git apply',
  );
}

/** Compares base and result of each patch; all of them have the same store. */
async function loadFromStore(
  patches: readonly { file: string; header: PatchHeader }[],
): Promise<LoadedDelta[]> {
  const [first] = patches;
  if (!first) return [];
  const place = storeOfPatch(first.header, first.file);
  const input = patches.map(({ header }) => `${header.base} ${header.result}\n`).join('');
  const diffs = await readDiffs(place, input, first);
  return patches.map(({ file, header }) => {
    // git passes over a comparison whose trees are not there, or are no trees, and ends with 0.
    const files = diffs.get(`${header.base} ${header.result}`);
    if (files === undefined) {
      throw new PrunError(
        'E_TREE_MISSING',
        `the store of ${file} lacks the trees of its header, ${header.base} and ${header.result} (${header.store})`,
        `collect unit ${header.unit} again: prun collect <clone> --patch ${file}`,
      );
    }
    const { unit, base, result, store } = header;
    const lineage = lineageOf(header);
    return { unit, base, result, store, files, owns: ownedBy(header), lineage, patchFile: file };
  });
}

async function readDiffs(
  place: GitPlace,
  input: string,
  { file, header }: { file: string; header: PatchHeader },
): Promise<Map<string, ChangedFile[]>> {
  try {
    return parseRawDiffs(await gitBytes(place, [...RAW_DIFF, '--stdin'], { input }));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new PrunError(
      'E_STORE_DAMAGED',
      `the store of ${file} cannot be read (${error.message})`,
      `see ${header.store}, and collect its units again`,
    );
  }
}

function storeOfPatch({ store, unit }: PatchHeader, file: string): GitPlace {
  if (statSync(path.join(store, 'objects'), { throwIfNoEntry: false })?.isDirectory()) {
    return { gitDir: store };
  }
  throw new PrunError(
    'E_STORE_GONE',
    `the store of ${file} has gone (${store})`,
    `collect unit ${unit} again; without its clone: git apply --3way ${file} in a clean working tree`,
  );
}

const ownership = z.object({ owns: z.array(z.string()) });

/** What the unit owns, from the record of its workspace beside the store. */
function ownedBy({ store, unit }: PatchHeader): string[] {
  const record = path.join(path.dirname(store), 'units', unit, 'workspace.json');
  const text = readOptional(record).toString('utf8');
  // A unit without a workspace record was promised nothing.
  if (text === '') return [];
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  const parsed = ownership.safeParse(json);
  if (parsed.success) return parsed.data.owns;
  // To take a damaged record for "owns everything" would pass over violations in silence.
  throw new PrunError('E_RECORD', `${record} is damaged`, `make the workspace of unit ${unit} again`);
}

/** The record of the workspace that a delta was taken of: it may have given way to a fresh one since. */
function lineageOf({ store, unit, base }: PatchHeader): string | null {
  const set = path.dirname(store);
  const records = [unitFolder({ folder: set }, unit), ...earlierFolders({ folder: set }, unit)];
  for (const folder of records) {
    const known = readBaseOf(path.join(folder, UNIT_FILES.record));
    if (known?.base === base && known.origin) return known.origin.lineage;
  }
  return null;
}

const originOnly = z.object({
  base: z.string(),
  origin: z.optional(z.nullable(z.object({ lineage: z.string() }))),
});

function readBaseOf(file: string): z.infer<typeof originOnly> | undefined {
  try {
    return originOnly.safeParse(JSON.parse(readOptional(file).toString('utf8'))).data;
  } catch {
    // Missing, or damaged, which `ownedBy` says: a lineage only makes a merge better.
    return undefined;
  }
}
