import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BytePath, bytePathOf } from '../../scripts-src/platform/byte-path.ts';
import { type GitPlace, gitEnvironment } from '../../scripts-src/platform/git.ts';
import { type SubmoduleMove, writePatch } from '../../scripts-src/workspace/delta/patch-file.ts';

/** A file of a tree: text, or its bytes and mode. Keys are paths as text, or as `BytePath` in a list. */
export type SmallFile = string | { bytes: string | Uint8Array; mode?: string };
export type SmallFiles = Record<string, SmallFile> | readonly (readonly [BytePath, SmallFile])[];

/** A set's folder with a store and as much beside it as a delta needs. */
export interface SmallSet {
  folder: string;
  store: string;
  place: GitPlace;
  /** Id of a tree with these files. */
  tree(files: SmallFiles): string;
  /** Every path of a tree with `<mode> <content>`; paths and content as latin1. */
  filesOf(tree: string): Record<string, string>;
  /** Writes a unit's record and patch; returns the patch's path. */
  delta(unit: string, base: string, result: string, wish?: DeltaWish): Promise<string>;
}

/** What a unit's delta has beside its trees. */
export interface DeltaWish {
  owns?: string[];
  moves?: SubmoduleMove[];
  file?: string;
}

/** Makes a set `name` in a folder by real git, without any `prun` command. */
export function smallSet(parent: string, name = 'items-1', format: 'sha1' | 'sha256' = 'sha1'): SmallSet {
  const folder = path.join(parent, name);
  const store = path.join(folder, 'store.git');
  mkdirSync(folder, { recursive: true });
  run({ cwd: folder }, ['init', '--quiet', '--bare', `--object-format=${format}`, '--template=', store]);
  mkdirSync(path.join(store, 'info'), { recursive: true });
  writeFileSync(path.join(store, 'info/attributes'), '* -text -filter -ident -working-tree-encoding\n');
  const place: GitPlace = { gitDir: store };

  function tree(files: SmallFiles): string {
    const list = Array.isArray(files)
      ? (files as readonly (readonly [BytePath, SmallFile])[])
      : Object.entries(files as Record<string, SmallFile>).map(
          ([where, file]) => [bytePathOf(where), file] as const,
        );
    const indexFile = path.join(folder, 'small.index');
    rmSync(indexFile, { force: true });
    const lines = list.map(([where, file]) => {
      const { bytes, mode = '100644' } = typeof file === 'string' ? { bytes: file } : file;
      const id = run(place, ['hash-object', '-w', '--stdin', '--no-filters'], bytes).toString().trim();
      return `${mode} ${id}\t${where}\0`;
    });
    run(
      { ...place, indexFile },
      ['update-index', '-z', '--index-info'],
      Buffer.from(lines.join(''), 'latin1'),
    );
    return run({ ...place, indexFile }, ['write-tree'])
      .toString()
      .trim();
  }

  function filesOf(id: string): Record<string, string> {
    const entries = run(place, ['ls-tree', '-r', '-z', '--full-tree', id]).toString('latin1').split('\0');
    return Object.fromEntries(
      entries.filter(Boolean).map((entry) => {
        const tab = entry.indexOf('\t');
        const [mode = '', , blob = ''] = entry.slice(0, tab).split(' ');
        return [entry.slice(tab + 1), `${mode} ${run(place, ['cat-file', 'blob', blob]).toString('latin1')}`];
      }),
    );
  }

  async function delta(unit: string, base: string, result: string, wish: DeltaWish = {}): Promise<string> {
    const unitFolder = path.join(folder, 'units', unit);
    mkdirSync(unitFolder, { recursive: true });
    writeFileSync(path.join(unitFolder, 'workspace.json'), JSON.stringify({ owns: wish.owns ?? [] }));
    const file = wish.file ?? path.join(unitFolder, 'delta.patch');
    await writePatch(place, { unit, set: name, base, result, store }, wish.moves ?? [], file);
    return file;
  }

  return { folder, store, place, tree, filesOf, delta };
}

/** Runs git as prun does: no configuration of the user. */
export function run(place: GitPlace, argv: string[], input: string | Uint8Array = ''): Buffer {
  return execFileSync('git', argv, {
    cwd: place.cwd ?? place.gitDir,
    env: gitEnvironment(place, process.env),
    input,
    stdio: 'pipe',
    maxBuffer: 1e9,
  });
}

/** Numbered lines, some of them in other words. */
export function numbered(count: number, changed: Record<number, string> = {}): string {
  return Array.from({ length: count }, (_, n) => `${changed[n + 1] ?? `line ${n + 1}`}\n`).join('');
}
