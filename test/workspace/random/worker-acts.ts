import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { git } from '../../helpers/plain-git.ts';
import type { Random } from '../../torture/random.ts';
import type { BuiltRepository } from './build-repository.ts';
import { bigOf, binaryOf, ODD_NAMES, textOf } from './contents.ts';
import { type Disk, diskAt } from './disk.ts';
import type { Act } from './plan.ts';

/** What an act works on. */
interface Work {
  disk: Disk;
  random: Random;
  built: BuiltRepository;
  /** A random regular file that is there, or undefined. */
  file(ending?: string): string | undefined;
  /** A folder with files in it, or undefined. */
  folder(): string | undefined;
  fresh(stem: string): string;
  /** Whether git did it. */
  git(argv: readonly string[], below?: string): Promise<boolean>;
}

/** Does a worker's acts in its clone; the names of those that did something. */
export async function actInClone(
  clone: string,
  acts: readonly Act[],
  random: Random,
  built: BuiltRepository,
): Promise<string[]> {
  const disk = diskAt(clone);
  const done: string[] = [];
  let names = 0;
  // Submodules' own marks, and whatever git made of an odd name, are left alone.
  const files = () => disk.list().filter(({ where }) => !/(^|\/)\.git/.test(where));
  const work: Work = {
    disk,
    random,
    built,
    file(ending = '') {
      const found = files().filter(({ where, isLink }) => !isLink && where.endsWith(ending));
      return found.length === 0 ? undefined : random.pick(found).where;
    },
    folder() {
      const tops = new Set(
        files().map(({ where }) => (where.includes('/') ? (where.split('/')[0] ?? '') : '')),
      );
      const free = [...tops].filter(
        (top) => top && !built.modules.some(({ where }) => where.split('/')[0] === top),
      );
      return free.length === 0 ? undefined : random.pick(free);
    },
    fresh: (stem) => `${stem} w${++names}`,
    git: async (argv, below = '') => (await git(path.join(clone, below), argv, { mayFail: true })).code === 0,
  };
  for (const act of acts) if (await ACT[act](work)) done.push(act);
  return done;
}

type Step = (work: Work) => boolean | Promise<boolean>;

function onFile(act: (work: Work, where: string) => void, ending?: string): Step {
  return (work) => {
    const where = work.file(ending);
    if (where === undefined) return false;
    act(work, where);
    return true;
  };
}

function onFolder(act: (work: Work, where: string) => void): Step {
  return (work) => {
    const where = work.folder();
    if (where === undefined) return false;
    act(work, where);
    return true;
  };
}

function making(act: (work: Work) => void): Step {
  return (work) => {
    act(work);
    return true;
  };
}

function inModule(act: (work: Work, where: string) => boolean | Promise<boolean>): Step {
  return (work) => {
    const there = work.built.modules.filter(({ where }) =>
      existsSync(path.join(work.disk.root, where, '.git')),
    );
    return there.length === 0 ? false : act(work, work.random.pick(there).where);
  };
}

const text = ({ random }: Work, lines?: number) => textOf(random, lines ?? 2 + random.below(30));

/** Changes one of the first ten lines, so that there is room for the user's own edits. */
function editLine(work: Work, where: string): void {
  const lines = work.disk.read(where).toString('latin1').split('\n');
  const end = lines[0]?.endsWith('\r') ? '\r' : '';
  lines[work.random.below(Math.min(10, lines.length))] = text(work, 1).toString().trimEnd() + end;
  rewrite(work, where, Buffer.from(lines.join('\n'), 'latin1'));
}

/** In place, with the mode that it has. */
function rewrite({ disk }: Work, where: string, bytes: Uint8Array): void {
  const isExecutable = disk.list().find((file) => file.where === where)?.isExecutable;
  disk.write(where, bytes, isExecutable ? 0o755 : 0o644);
}

async function commitAll(work: Work, message: string, flags: string[] = []): Promise<boolean> {
  await work.git(['add', '-A']);
  return work.git(['commit', '-q', '--no-verify', '--allow-empty', '-m', message, ...flags]);
}

const ACT: Record<Act, Step> = {
  nothing: () => true,
  'edit a line': onFile(editLine, '.txt'),
  append: onFile((it, where) => rewrite(it, where, Buffer.concat([it.disk.read(where), text(it, 2)]))),
  'same-size edit': onFile((it, where) => {
    const bytes = it.disk.read(where);
    if (bytes.length > 0) bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    rewrite(it, where, bytes);
  }),
  'new file': making((it) => it.disk.write(it.fresh('made.txt'), text(it), it.random.pick([0o644, 0o755]))),
  'new file in a new folder': making((it) => it.disk.write(`${it.fresh('made')}/a/b/new.txt`, text(it))),
  'new binary': making((it) => it.disk.write(it.fresh('made.bin'), binaryOf(it.random, 700))),
  'new empty file': making((it) => it.disk.write(it.fresh('nothing in it'), Buffer.alloc(0))),
  'new big file': making((it) => it.disk.write(it.fresh('made.dat'), bigOf(it.random))),
  'delete a file': onFile((it, where) => it.disk.remove(where)),
  'delete a folder': onFolder((it, where) => it.disk.remove(where)),
  'rename a file': onFile((it, where) => it.disk.move(where, it.fresh('moved'))),
  'rename a folder': onFolder((it, where) => it.disk.move(where, it.fresh('moved folder'))),
  'rename and edit': onFile((it, where) => {
    const to = it.fresh('moved and edited.txt');
    it.disk.move(where, to);
    editLine(it, to);
  }, '.txt'),
  'chmod +x': onFile((it, where) => it.disk.chmod(where, 0o755), '.txt'),
  'chmod -x': (it) => {
    const found = it.disk.list().find(({ isExecutable, isLink }) => isExecutable && !isLink);
    if (!found) return false;
    it.disk.chmod(found.where, 0o644);
    return true;
  },
  'new link': making((it) => it.disk.link(it.fresh('made link'), 'src/main.txt')),
  'new dangling link': making((it) => it.disk.link(`${it.fresh('made')}/link`, '../../nowhere \xff')),
  'file to link': onFile((it, where) => {
    it.disk.remove(where);
    it.disk.link(where, 'nowhere');
  }),
  'link to file': (it) => {
    const found = it.disk.list().filter(({ isLink }) => isLink);
    if (found.length === 0) return false;
    const { where } = it.random.pick(found);
    it.disk.remove(where);
    it.disk.write(where, text(it));
    return true;
  },
  'file to folder': onFile((it, where) => {
    it.disk.remove(where);
    it.disk.write(`${where}/now a folder.txt`, text(it));
  }),
  'folder to file': onFolder((it, where) => {
    it.disk.remove(where);
    it.disk.write(where, text(it));
  }),
  'folder to link': onFolder((it, where) => {
    it.disk.remove(where);
    it.disk.link(where, 'docs');
  }),
  'CRLF edit': onFile((it, where) => {
    const lines = it.disk.read(where).toString('latin1').replaceAll('\r', '').split('\n');
    rewrite(it, where, Buffer.from(lines.join('\r\n'), 'latin1'));
  }, '.txt'),
  'ignore rule that hides a new file': making((it) => {
    const before = it.disk.has('.gitignore') ? it.disk.read('.gitignore') : Buffer.alloc(0);
    it.disk.write('.gitignore', Buffer.concat([before, Buffer.from('\nhidden by the worker*\n')]));
    it.disk.write(it.fresh('hidden by the worker'), text(it, 2));
    it.disk.write(it.fresh('not hidden'), text(it, 2));
  }),
  'ignored new file': making((it) => {
    it.disk.write(`${it.fresh('worker')}.log`, text(it, 2));
    it.disk.write(`build/${it.fresh('worker')}`, text(it, 2));
  }),
  'odd name': (it) => {
    const odd = ODD_NAMES.filter((name) => !it.disk.has(name));
    if (odd.length === 0) return false;
    const name = it.random.pick(odd);
    it.disk.write(it.random.below(3) === 0 ? `${name}/in it` : name, text(it));
    return true;
  },
  'empty folder': making((it) => it.disk.folder(it.fresh('hollow'))),
  'git add -A': (it) => it.git(['add', '-A']),
  'commit --no-verify': (it) => commitAll(it, 'a commit that the worker was told not to make'),
  'commit twice': async (it) => {
    it.disk.write(it.fresh('one.txt'), text(it));
    const first = await commitAll(it, 'first "quoted"');
    it.disk.write(it.fresh('two.txt'), text(it));
    return (await commitAll(it, 'second \u00e4')) && first;
  },
  amend: (it) => commitAll(it, 'amended', ['--amend']),
  'branch and commit': async (it) => {
    if (!(await it.git(['checkout', '-q', '-B', 'worker/own']))) return false;
    it.disk.write(it.fresh('branch.txt'), text(it));
    return commitAll(it, 'on a branch of its own');
  },
  'reset --hard HEAD~1': (it) => it.git(['reset', '-q', '--hard', 'HEAD~1']),
  'reset --soft HEAD~1': (it) => it.git(['reset', '-q', '--soft', 'HEAD~1']),
  'checkout of another commit': (it) => it.git(['checkout', '-q', '-f', '--detach', 'HEAD~1']),
  'orphan branch': (it) => it.git(['checkout', '-q', '--orphan', 'nothing-behind']),
  stash: async (it) => {
    it.disk.write(it.fresh('stashed.txt'), text(it));
    return it.git(['stash', '-q', '-u']);
  },
  'clean -fdx': (it) => it.git(['clean', '-q', '-fdx']),
  'rm -rf .git': making((it) => rmSync(path.join(it.disk.root, '.git'), { recursive: true, force: true })),
  'rm .git/index': making((it) => rmSync(path.join(it.disk.root, '.git/index'), { force: true })),
  'nested repository': async (it) => {
    const folder = it.fresh('own repo');
    it.disk.write(`${folder}/inside.txt`, text(it));
    if (!(await it.git(['init', '-q', folder]))) return false;
    if (it.random.below(2) === 0) return true;
    await it.git(['add', '-A'], folder);
    return it.git(['commit', '-q', '-m', 'nested'], folder);
  },
  'edit in a submodule': inModule((it, where) => {
    const inside = it.disk.list(where).filter((file) => !file.isLink && !file.where.includes('.git'));
    if (inside.length > 0) rewrite(it, it.random.pick(inside).where, text(it));
    it.disk.write(`${where}/${it.fresh('made.txt')}`, text(it));
    return true;
  }),
  'commit in a submodule': inModule(async (it, where) => {
    it.disk.write(`${where}/${it.fresh('committed.txt')}`, text(it));
    await it.git(['add', '-A'], where);
    return it.git(['commit', '-q', '--no-verify', '-m', 'inside'], where);
  }),
};
