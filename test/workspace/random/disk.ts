import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';

/** A working folder whose names are bytes: each byte of a path is one character. */
export interface Disk {
  root: string;
  write(where: string, bytes: Uint8Array, mode?: number): void;
  read(where: string): Buffer;
  link(where: string, target: string): void;
  remove(where: string): void;
  move(from: string, to: string): void;
  chmod(where: string, mode: number): void;
  folder(where: string): void;
  has(where: string): boolean;
  /** Regular files and links below a path, without anything called `.git`, sorted. */
  list(below?: string): { where: string; isLink: boolean; isExecutable: boolean }[];
}

/**
 * Opens a folder. What is written to an aged one was last written an hour ago: git then trusts what its index knows of
 * a file, as it does in every repository that is older than a moment.
 */
export function diskAt(root: string, isAged = false): Disk {
  let writes = 0;
  const at = (where: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(where, 'latin1')]);
  const has = (where: string) => {
    try {
      lstatSync(at(where));
      return true;
    } catch {
      return false;
    }
  };
  const parents = (where: string) => {
    const cut = where.lastIndexOf('/');
    if (cut > 0) mkdirSync(at(where.slice(0, cut)), { recursive: true });
  };
  const list: Disk['list'] = (below = '') => {
    const found: ReturnType<Disk['list']> = [];
    for (const name of readdirSync(at(below), { encoding: 'buffer' })) {
      const text = name.toString('latin1');
      if (text === '.git') continue;
      const where = below ? `${below}/${text}` : text;
      const stats = lstatSync(at(where));
      if (stats.isDirectory()) found.push(...list(where));
      else if (stats.isFile() || stats.isSymbolicLink()) {
        found.push({ where, isLink: stats.isSymbolicLink(), isExecutable: (stats.mode & 0o100) !== 0 });
      }
    }
    return found.sort((one, other) => (one.where < other.where ? -1 : 1));
  };
  return {
    root,
    has,
    list,
    write(where, bytes, mode = 0o644) {
      parents(where);
      writeFileSync(at(where), bytes);
      chmodSync(at(where), mode);
      const when = Date.now() / 1000 - 3600 + writes++ / 100;
      if (isAged) utimesSync(at(where), when, when);
    },
    read: (where) => readFileSync(at(where)),
    link(where, target) {
      parents(where);
      symlinkSync(Buffer.from(target, 'latin1'), at(where));
    },
    remove: (where) => rmSync(at(where), { recursive: true, force: true }),
    move(from, to) {
      parents(to);
      renameSync(at(from), at(to));
    },
    chmod: (where, mode) => chmodSync(at(where), mode),
    folder: (where) => mkdirSync(at(where), { recursive: true }),
  };
}
