import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gitPaths } from '../../helpers/plain-git.ts';
import type { Building } from './build-repository.ts';
import { bigOf, binaryOf, ODD_NAMES, textOf } from './contents.ts';
import type { Change } from './plan.ts';

/** What a change needs: a file that nobody touched yet, and a way to stage paths. */
interface Changing extends Building {
  /** An untouched tracked regular file, or undefined where there is none left. */
  take(ending?: string): string | undefined;
  /** An untouched folder of tracked files. */
  takeFolder(): string | undefined;
  stage(...paths: string[]): void;
  /** Work for after the staging. */
  later(step: () => void | Promise<void>): void;
  /** A name that is not used yet. */
  fresh(stem: string): string;
}

/** Does what the plan says was done to the working tree; changes that find nothing to change are left out. */
export async function changeTree(building: Building): Promise<void> {
  const { plan, disk, features } = building;
  const tracked = new Set(
    plan.head === 'no commits' || plan.head === 'empty' ? [] : await trackedIn(building),
  );
  const free = disk
    .list()
    .filter(({ where, isLink }) => !isLink && (tracked.has(where) || plan.head === 'unborn'))
    .filter(
      ({ where }) =>
        !/(^|\/)\.git/.test(where) &&
        !building.modules.some((module) => where.startsWith(`${module.where}/`)),
    )
    .map(({ where }) => where);
  const left = plan.random.shuffled(free);
  const staged: string[] = [];
  const steps: (() => void | Promise<void>)[] = [];
  let names = 0;
  const changing: Changing = {
    ...building,
    take(ending = '') {
      const at = left.findIndex((where) => where.endsWith(ending));
      return at < 0 ? undefined : left.splice(at, 1)[0];
    },
    takeFolder() {
      const folder = plan.random.shuffled(['src', 'lib', 'more', 'data', 'bin']).find((name) => {
        const inside = free.filter((where) => where.startsWith(`${name}/`));
        return (
          inside.length > 0 &&
          inside.every((where) => left.includes(where)) &&
          onlyThese(building, name, inside)
        );
      });
      for (const where of folder ? free.filter((file) => file.startsWith(`${folder}/`)) : []) {
        left.splice(left.indexOf(where), 1);
      }
      return folder;
    },
    stage: (...paths) => staged.push(...paths),
    later: (step) => steps.push(step),
    fresh: (stem) => `${stem}${++names}`,
  };
  if (plan.head === 'unborn') staged.push(...left.splice(0, Math.ceil(left.length / 2)));
  // Folders first: a folder of which a file was taken cannot be taken.
  const order = [...plan.changes].sort(
    (one, other) => Number(other.startsWith('folder')) - Number(one.startsWith('folder')),
  );
  for (const change of plan.head === 'empty' ? [] : order) {
    if (await CHANGE[change](changing)) features.add(`user: ${change}`);
  }
  const known = staged.filter((where) => tracked.has(where) || disk.has(where));
  if (known.length > 0 && plan.head !== 'no commits') {
    // No `:(magic)` in a name, and rules of sparse checkouts hold for nobody who names a path.
    await building.git(
      ['--literal-pathspecs', 'add', '-A', '-f', '--sparse', '--pathspec-from-file=-', '--pathspec-file-nul'],
      {
        input: Buffer.from(known.map((where) => `${where}\0`).join(''), 'latin1'),
      },
    );
  }
  for (const step of steps) await step();
}

async function trackedIn({ disk }: Building): Promise<string[]> {
  return gitPaths(disk.root, ['ls-files', '-z'], { config: { 'core.fsmonitor': 'false' } });
}

function onlyThese({ disk }: Building, folder: string, inside: string[]): boolean {
  const there = disk.list(folder);
  return there.every(({ where, isLink }) => isLink || inside.includes(where) || where.endsWith('.gitignore'));
}

type Step = (changing: Changing) => boolean | Promise<boolean>;

const text = ({ plan }: Changing, lines?: number) => textOf(plan.random, lines ?? 2 + plan.random.below(30));
const isStaged = ({ plan }: Changing) => plan.random.below(2) === 0;

/** Runs `act` on an untouched file; false where there is none. */
function onFile(act: (changing: Changing, where: string) => void, ending?: string): Step {
  return (changing) => {
    const where = changing.take(ending);
    if (where === undefined) return false;
    act(changing, where);
    return true;
  };
}

function onFolder(act: (changing: Changing, where: string) => void): Step {
  return (changing) => {
    const where = changing.takeFolder();
    if (where === undefined) return false;
    act(changing, where);
    return true;
  };
}

/** Makes something at a new path, staged or not by chance. */
function making(stem: string, act: (changing: Changing, where: string) => void): Step {
  return (changing) => {
    const where = changing.fresh(stem);
    act(changing, where);
    if (isStaged(changing)) changing.stage(where);
    return true;
  };
}

const edit = (changing: Changing, where: string) => {
  const lines = changing.disk.read(where).toString('latin1').split('\n');
  lines.splice(
    changing.plan.random.below(Math.max(1, lines.length)),
    0,
    text(changing, 1).toString('latin1').trimEnd(),
  );
  changing.disk.write(where, Buffer.from(lines.join('\n'), 'latin1'), where.endsWith('.sh') ? 0o755 : 0o644);
};

const CHANGE: Record<Change, Step> = {
  'staged edit': onFile((it, where) => {
    edit(it, where);
    it.stage(where);
  }),
  'unstaged edit': onFile((it, where) => it.later(() => edit(it, where))),
  'staged and unstaged edit': onFile((it, where) => {
    edit(it, where);
    it.stage(where);
    it.later(() => edit(it, where));
  }, '.txt'),
  'staged new file': (it) => {
    const where = it.fresh('new/staged');
    it.disk.write(where, text(it));
    it.stage(where);
    return true;
  },
  'untracked file': (it) => {
    it.disk.write(it.fresh('untracked'), text(it), it.plan.random.pick([0o644, 0o755]));
    return true;
  },
  'untracked folder': (it) => {
    const folder = it.fresh('untracked folder');
    it.disk.write(`${folder}/a/one.txt`, text(it));
    it.disk.write(`${folder}/b/two.log`, text(it));
    it.disk.write(`${folder}/b/three`, text(it));
    return true;
  },
  'intent to add': (it) => {
    const where = it.fresh('intended');
    it.disk.write(where, text(it));
    it.later(() => it.git(['add', '-N', '--sparse', '--', where]));
    return true;
  },
  'staged deletion': onFile((it, where) => {
    it.disk.remove(where);
    it.stage(where);
  }),
  'unstaged deletion': onFile((it, where) => it.later(() => it.disk.remove(where))),
  'removed from the index only': onFile((it, where) =>
    it.later(() =>
      it.git(['update-index', '--force-remove', '-z', '--stdin'], {
        input: Buffer.from(`${where}\0`, 'latin1'),
      }),
    ),
  ),
  'staged rename': onFile((it, where) => {
    const to = it.fresh('renamed/staged');
    it.disk.move(where, to);
    it.stage(where, to);
  }),
  'unstaged rename': onFile((it, where) => it.later(() => it.disk.move(where, it.fresh('renamed/unstaged')))),
  'staged mode': onFile((it, where) => {
    it.disk.chmod(where, where.endsWith('.sh') ? 0o644 : 0o755);
    it.stage(where);
  }),
  'unstaged mode': onFile((it, where) =>
    it.later(() => it.disk.chmod(where, where.endsWith('.sh') ? 0o644 : 0o755)),
  ),
  binary: making('binary.bin', (it, where) => it.disk.write(where, binaryOf(it.plan.random, 500))),
  'empty file': making('empty', (it, where) => it.disk.write(where, Buffer.alloc(0))),
  'big file': making('big.dat', (it, where) => it.disk.write(where, bigOf(it.plan.random))),
  'mixed line ends': making('mixed.txt', (it, where) =>
    it.disk.write(where, Buffer.concat([text(it, 12), textOf(it.plan.random, 12, '\r\n'), text(it, 3)])),
  ),
  'link to a file': making('link-file', (it, where) => it.disk.link(where, 'src/main.txt')),
  'link to a folder': making('link-folder', (it, where) => it.disk.link(where, 'src')),
  'dangling link': making('link-nowhere', (it, where) => it.disk.link(where, 'no/such\xff thing')),
  'absolute link': making('link-absolute', (it, where) =>
    it.disk.link(where, path.join(it.disk.root, 'src')),
  ),
  'file to link': onFile((it, where) => {
    it.disk.remove(where);
    it.disk.link(where, '../elsewhere');
    if (isStaged(it)) it.stage(where);
  }),
  'link to file': (it) => {
    if (!it.disk.has('docs/current')) return false;
    it.disk.remove('docs/current');
    it.disk.write('docs/current', text(it));
    if (isStaged(it)) it.stage('docs/current');
    return true;
  },
  'file to folder': onFile((it, where) => {
    it.disk.remove(where);
    it.disk.write(`${where}/inside.txt`, text(it));
    if (isStaged(it)) it.stage(where, `${where}/inside.txt`);
  }),
  'folder to file': onFolder((it, where) => {
    it.disk.remove(where);
    it.disk.write(where, text(it));
    if (isStaged(it)) it.stage(where);
  }),
  'folder to link': onFolder((it, where) => {
    it.disk.remove(where);
    it.disk.link(where, 'docs');
    if (isStaged(it)) it.stage(where);
  }),
  'nested ignore rules': (it) => {
    const folder = it.fresh('rules');
    it.disk.write(`${folder}/.gitignore`, Buffer.from('*.dat\n!yes.dat\nsub/*\n!sub/keep\n!kept.log\n'));
    for (const name of ['no.dat', 'yes.dat', 'sub/lost', 'sub/keep', 'lost.log', 'kept.log']) {
      it.disk.write(`${folder}/${name}`, text(it, 2));
    }
    return true;
  },
  'ignored file': (it) => {
    it.disk.write(it.fresh('ignored').concat('.log'), text(it, 2));
    return true;
  },
  'ignored folder': (it) => {
    it.disk.write(`build/${it.fresh('out')}.o`, text(it, 2));
    return true;
  },
  'forced ignored file': (it) => {
    const where = it.fresh('build/forced');
    it.disk.write(where, text(it, 4));
    it.disk.write(`${where}.not`, text(it, 4));
    it.stage(where);
    return true;
  },
  'info/exclude': (it) => {
    const rule = it.fresh('secret');
    const exclude = path.join(it.container, 'user repo/.git/info');
    mkdirSync(exclude, { recursive: true });
    appendFileSync(path.join(exclude, 'exclude'), `${rule}*\n`);
    it.excludes.push(`${rule}*\n`);
    it.disk.write(`${rule} plan`, text(it, 2));
    return true;
  },
  'core.excludesFile': (it) => {
    const file = path.join(it.container, 'my ignores');
    writeFileSync(file, '*.swp\n');
    appendFileSync(path.join(it.container, 'user repo/.git/config'), `[core]\n\texcludesFile = "${file}"\n`);
    it.excludes.unshift('*.swp\n');
    it.disk.write(`docs/.${it.fresh('edit')}.swp`, text(it, 2));
    return true;
  },
  'nested repository': (it) => {
    const folder = it.fresh('nested repo');
    it.disk.write(`${folder}/inside.txt`, text(it, 2));
    it.later(async () => {
      await it.git(['init', '-q', folder]);
      if (it.plan.random.below(2) === 0) return;
      await it.git(['-C', folder, 'add', '-A']);
      await it.git(['-C', folder, 'commit', '-q', '-m', 'nested']);
    });
    return true;
  },
  fifo: (it) => {
    if (process.platform === 'win32') return false;
    execFileSync('mkfifo', [path.join(it.disk.root, it.fresh('fifo'))]);
    return true;
  },
  'empty folder': (it) => {
    it.disk.folder(it.fresh('hollow/folder'));
    return true;
  },
  'private mode': onFile((it, where) =>
    it.later(() => it.disk.chmod(where, it.plan.random.pick([0o600, 0o664, 0o700]))),
  ),
  'deep path': making(`${'deep/'.repeat(12)}file`, (it, where) => it.disk.write(where, text(it))),
  'odd name': (it) => {
    const name = it.plan.random.pick(ODD_NAMES.filter((odd) => !it.disk.has(odd)));
    const where = it.plan.random.below(3) === 0 ? `${name}/inside ${name}`.slice(0, 240) : name;
    it.disk.write(where, text(it));
    if (isStaged(it)) it.stage(where);
    return true;
  },
};
