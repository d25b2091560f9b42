import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import type { BytePath } from '../../platform/byte-path.ts';
import { PRIVATE_DIR, PRIVATE_FILE } from '../../platform/files.ts';
import type { GitPlace } from '../../platform/git.ts';

/** A repository's object format. */
export type ObjectFormat = 'sha1' | 'sha256';

/** What a tree says of a file. */
export interface FileVersion {
  mode: string;
  id: string;
}

/** Objects that live for one command: git reads them as alternates, the store never holds them. */
export interface ScratchObjects {
  /** The folder of this command, for small files of its own. */
  folder: string;
  /** The place with these objects readable. */
  place: GitPlace;
  /** Id of a commit of this tree. The same tree on the same parent is the same commit. */
  commit(tree: string, parent?: string): string;
  /** Id of a tree with these files and no others. */
  tree(files: ReadonlyMap<BytePath, FileVersion>, format: ObjectFormat): string;
  /** Id of a flat tree of regular files that are named `00000000`, `00000001`, … in this order. */
  numberedTree(blobs: readonly string[]): string;
}

/**
 * Opens a scratch for objects beside a place, and removes it when `work` has ended. The objects are written here and
 * not by `git commit-tree`: a process for each commit would cost more than the merge that needs it.
 */
export async function withScratchObjects<T>(
  place: GitPlace,
  work: (scratch: ScratchObjects) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'prun-merge-'));
  const objects = path.join(folder, 'objects');
  mkdirSync(objects, { mode: PRIVATE_DIR });
  const known = new Set<string>();
  const write = (kind: string, body: Buffer, format: string): string => {
    const whole = Buffer.concat([Buffer.from(`${kind} ${body.length}\0`), body]);
    const id = createHash(format).update(whole).digest('hex');
    if (known.has(id)) return id;
    known.add(id);
    mkdirSync(path.join(objects, id.slice(0, 2)), { recursive: true, mode: PRIVATE_DIR });
    writeFileSync(path.join(objects, id.slice(0, 2), id.slice(2)), deflateSync(whole, { level: 1 }), {
      mode: PRIVATE_FILE,
    });
    return id;
  };
  try {
    return await work({
      folder,
      place: { ...place, alternates: [...(place.alternates ?? []), objects] },
      commit: (tree, parent) => write('commit', commitBody(tree, parent), formatOf(tree)),
      tree: (files, format) => writeTree(files, (body) => write('tree', body, format)),
      numberedTree: (blobs) => write('tree', numberedBody(blobs), formatOf(blobs[0] ?? '')),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Name of the entry `n` of a numbered tree. */
export function entryName(n: number): string {
  return String(n).padStart(8, '0');
}

/** A repository's object format, from the length of one of its ids. */
export function formatOf(id: string): ObjectFormat {
  return id.length === 64 ? 'sha256' : 'sha1';
}

function commitBody(tree: string, parent: string | undefined): Buffer {
  const person = 'prun <prun@localhost> 0 +0000';
  const parents = parent === undefined ? '' : `parent ${parent}\n`;
  return Buffer.from(`tree ${tree}\n${parents}author ${person}\ncommitter ${person}\n\nprun\n`);
}

function numberedBody(blobs: readonly string[]): Buffer {
  return treeBody(blobs.map((id, n) => ({ mode: '100644', id, name: entryName(n) })));
}

function treeBody(entries: readonly (FileVersion & { name: string })[]): Buffer {
  return Buffer.concat(
    entries.flatMap(({ mode, id, name }) => [
      Buffer.from(`${mode} ${name}\0`, 'latin1'),
      Buffer.from(id, 'hex'),
    ]),
  );
}

/** Writes a tree from its leaves up; `write` takes a tree's content and gives its id. */
function writeTree(files: ReadonlyMap<BytePath, FileVersion>, write: (body: Buffer) => string): string {
  const here = new Map<string, FileVersion>();
  const folders = new Map<string, Map<BytePath, FileVersion>>();
  for (const [where, version] of files) {
    const cut = where.indexOf('/');
    if (cut < 0) {
      here.set(where, version);
      continue;
    }
    const below = folders.get(where.slice(0, cut)) ?? new Map<BytePath, FileVersion>();
    folders.set(where.slice(0, cut), below.set(where.slice(cut + 1) as BytePath, version));
  }
  const entries = [...here].map(([name, version]) => ({ ...version, name, key: name }));
  for (const [name, below] of folders) {
    // git sorts a folder as if its name ended with a slash.
    entries.push({ mode: '40000', id: writeTree(below, write), name, key: `${name}/` });
  }
  return write(treeBody(entries.sort((a, b) => (a.key < b.key ? -1 : 1))));
}
