import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { git, gitSays } from '../../helpers/plain-git.ts';
import type { Building } from './build-repository.ts';
import { binaryOf, textOf } from './contents.ts';
import { diskAt } from './disk.ts';

/** An initialised submodule. */
export interface Module {
  /** Path in the top repository; each byte is one character. */
  where: string;
  gitDir: string;
}

/** Adds the plan's submodules to the index, as `git submodule add` does, with fewer processes. */
export async function addModules(building: Building): Promise<void> {
  const { plan, disk, container } = building;
  const origin = path.join(container, 'module origin');
  await makeOrigin(building, origin, 'module');
  if (plan.modules === 'nested') {
    const inner = path.join(container, 'inner origin');
    await makeOrigin(building, inner, 'inner');
    const outer = { root: origin, gitDir: path.join(origin, '.git') };
    await addModule(building, outer, inner, 'inner', 'inner', false);
    await git(origin, ['commit', '-q', '-m', 'with an inner module']);
  }
  const top = { root: disk.root, gitDir: building.gitDir };
  await addModule(building, top, origin, 'mod one', 'mod one', true);
  await addModule(building, top, origin, 'libs/mod', 'libs-mod', plan.modules !== 'uninitialised');
  if (plan.modules === 'nested') {
    const outer = building.modules[0];
    if (!outer) throw new Error('a nested submodule needs an outer one');
    const root = path.join(disk.root, outer.where);
    const inner = path.join(container, 'inner origin');
    await checkOut(inner, path.join(root, 'inner'), path.join(outer.gitDir, 'modules/inner'));
    building.modules.push({
      where: `${outer.where}/inner`,
      gitDir: path.join(outer.gitDir, 'modules/inner'),
    });
  }
  if (plan.modules === 'dirty' || plan.modules === 'nested') dirty(building);
  if (plan.modules === 'own commit') await commitInside(building);
}

async function makeOrigin({ plan }: Building, origin: string, name: string): Promise<void> {
  await git(path.dirname(origin), ['init', '-q', `--object-format=${plan.format}`, origin]);
  const disk = diskAt(origin);
  disk.write(`${name}.txt`, textOf(plan.random, 30));
  disk.write('code/part.txt', textOf(plan.random, 10));
  disk.write('code/pic.bin', binaryOf(plan.random, 100));
  disk.write('.gitignore', Buffer.from('*.o\n'));
  await git(origin, ['add', '-A']);
  await git(origin, ['commit', '-q', '-m', name]);
}

async function addModule(
  building: Building,
  outer: { root: string; gitDir: string },
  origin: string,
  where: string,
  name: string,
  isInitialised: boolean,
): Promise<void> {
  const target = path.join(outer.root, where);
  const text = `[submodule "${name}"]\n\tpath = ${where}\n\turl = file://${origin}\n`;
  appendFileSync(path.join(outer.root, '.gitmodules'), text);
  if (isInitialised) {
    const gitDir = path.join(outer.gitDir, 'modules', name);
    await checkOut(origin, target, gitDir);
    building.modules.push({ where, gitDir });
  } else mkdirSync(target, { recursive: true });
  const id = await gitSays(origin, ['rev-parse', 'HEAD']);
  const config = { 'core.fsmonitor': 'false' };
  await git(outer.root, ['update-index', '--add', '--cacheinfo', `160000,${id},${where}`], { config });
  await git(outer.root, ['add', '.gitmodules'], { config });
}

/** A working tree whose git folder lies in that of the outer repository, each pointing at the other by a relative path. */
async function checkOut(origin: string, target: string, gitDir: string): Promise<void> {
  mkdirSync(path.dirname(gitDir), { recursive: true });
  await git(path.dirname(origin), ['clone', '-q', `--separate-git-dir=${gitDir}`, origin, target]);
  writeFileSync(path.join(target, '.git'), `gitdir: ${path.relative(target, gitDir)}\n`);
  appendFileSync(path.join(gitDir, 'config'), `[core]\n\tworktree = "${path.relative(gitDir, target)}"\n`);
}

function dirty({ plan, disk, modules }: Building): void {
  for (const { where } of modules) {
    const inside = disk.list(where).find((file) => file.where.endsWith('part.txt'));
    if (inside) disk.write(inside.where, textOf(plan.random, 11));
    disk.write(`${where}/untracked.txt`, textOf(plan.random, 3));
    disk.write(`${where}/made.o`, textOf(plan.random, 1));
    if (plan.random.below(2) === 0) disk.write(`${where}/seen.log`, textOf(plan.random, 1));
  }
}

async function commitInside({ plan, disk, modules }: Building): Promise<void> {
  const module = modules[0];
  if (!module) return;
  const root = path.join(disk.root, module.where);
  disk.write(`${module.where}/own.txt`, textOf(plan.random, 9));
  await git(root, ['add', '-A']);
  await git(root, ['commit', '-q', '-m', 'own work in the submodule']);
}
