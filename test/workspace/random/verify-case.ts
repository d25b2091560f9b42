import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { pathFromJson } from '../../../scripts-src/platform/byte-path.ts';
import type { DeltaFile } from '../../../scripts-src/workspace/records.ts';
import { git, gitSays, neutralGitDir } from '../../helpers/plain-git.ts';
import type { Collected, PrunCli } from '../../helpers/prun-cli.ts';
import { differencesOf, filesOf, imageAt, imageOf, type TreeImage } from '../../helpers/tree-image.ts';
import type { BuiltRepository } from './build-repository.ts';
import { copyOfUser } from './copy-of-user.ts';
import { diskAt } from './disk.ts';
import type { Plan } from './plan.ts';
import { editElsewhere, type UserEdits } from './user-edits.ts';
import { filesBelow, isWithin, visibleFiles } from './visible-files.ts';

/** A worker's clone and what is known of it. */
export interface Case {
  cli: PrunCli;
  plan: Plan;
  built: BuiltRepository;
  /** Folder for scratch of this case. */
  scratch: string;
  clone: string;
  /** Acts that did something. */
  done: string[];
  /** The base: files that the user sees. */
  base: TreeImage;
  /** The user's whole tree without `.git`. */
  user: TreeImage;
  /** Commits on which the clone and its submodules stood at first, by path (`''`: the clone). */
  heads: Map<string, string>;
}

/** What a fresh clone must be (properties a and g). */
export async function verifyClone({ clone, base, built }: Case, isFirst: boolean): Promise<void> {
  const image = imageOf(clone, { git: 'skip' });
  expect(differencesOf(base, filesOf(image)).join('\n'), "the clone's files are the user's").toBe('');
  const odd = [...image].filter(([, { type }]) => type !== 'file' && type !== 'link' && type !== 'folder');
  expect(odd, 'nothing else is in the clone').toEqual([]);
  // All clones of a call come from one template: git itself looks at the first.
  if (!isFirst) return;
  expect((await git(clone, ['status', '--porcelain'])).stdout.toString(), 'git status is clean').toBe('');
  for (const folder of ['', ...built.modules.map(({ where }) => where)]) {
    const config = (await git(path.join(clone, folder), ['config', '--list', '--local'])).stdout.toString();
    expect(config, `no remote in ${folder || 'the clone'}`).not.toMatch(
      /^(remote|branch)\..*\.?(url|remote)=/m,
    );
    expect(config.match(/^push\.default=.*$/gm)?.at(-1)).toBe('push.default=nothing');
    expect(
      config.match(/^credential\.(?:.*\.)?helper=.*$/gm)?.filter((line) => !line.endsWith('=')) ?? [],
    ).toEqual([]);
  }
}

/** What a worker's tree must have become (property b); the files that count. */
export async function verifyDelta(it: Case, delta: Collected): Promise<TreeImage> {
  const { clone, base, built } = it;
  const image = imageOf(clone, { git: 'skip' });
  const visible = await visibleFiles(clone, base.keys(), built, it.scratch);
  const problems = delta.record.problems.map(({ path: where }) => pathFromJson(where) as string);
  for (const folder of visible.nested) {
    // A repository of the worker's own: its files are in the delta, or it is named.
    const inside = filesBelow(clone, folder);
    const isNamed = problems.some((where) => isWithin(where, folder) || isWithin(folder, where));
    const isIn = delta.record.files.some(({ path: where }) => isWithin(pathFromJson(where), folder));
    expect(isNamed || isIn || inside.length === 0, `${folder} is in the delta or named`).toBe(true);
    if (isIn) for (const where of inside) visible.files.add(where);
  }
  const worker = filesOf(imageAt(image, visible.files));

  const patch = readFileSync(delta.patch);
  expect(delta.record.patch.bytes).toBe(patch.length);
  const rebuilt = path.join(it.scratch, 'rebuilt');
  writeImage(base, built.source, rebuilt);
  const excluded = delta.record.moves.map(({ path: where }) => `--exclude=${pathFromJson(where)}`);
  const neutral = {
    GIT_DIR: neutralGitDir(path.join(it.scratch, 'neutral'), built.format),
    GIT_WORK_TREE: rebuilt,
  };
  if (excluded.length === 0 && ['none', 'lfs'].includes(it.plan.convert) && isSampled(delta)) {
    const plain = path.join(it.scratch, 'plain');
    neutralGitDir(plain, built.format);
    rmSync(path.join(plain, 'info'), { recursive: true });
    const environment = { GIT_DIR: plain, GIT_WORK_TREE: rebuilt };
    await git(rebuilt, ['apply', '--check', '--allow-empty', delta.patch], { environment });
  }
  await git(rebuilt, ['apply', '--allow-empty', '--whitespace=nowarn', ...excluded, delta.patch], {
    environment: neutral,
  });
  const made = filesOf(imageOf(rebuilt, { git: 'all' }));
  expect(differencesOf(worker, made).join('\n'), "base and patch make the worker's tree").toBe('');

  const wanted = differenceFiles(base, worker);
  const recorded = delta.record.files.map((file) => ({ ...file, path: pathFromJson(file.path) as string }));
  expect(sorted(recorded), "the record's files are the real difference").toEqual(sorted(wanted));
  const count = (status: DeltaFile['status']) => wanted.filter((file) => file.status === status).length;
  expect(delta.counts).toMatchObject({
    files: wanted.length,
    added: count('added'),
    deleted: count('deleted'),
    commits: delta.record.commits.length,
  });
  const isEmpty = wanted.length === 0 && delta.record.moves.length === 0;
  const saysEmpty = delta.lines.some((line) => line.startsWith('EMPTY'));
  if (!delta.isCut || !isEmpty) expect(saysEmpty, delta.lines.join('\n')).toBe(isEmpty);
  if (
    it.done.some((act) => /commit|amend|branch|checkout|reset|stash|git|submodule|orphan|merge/.test(act))
  ) {
    await verifyCommits(it, delta);
  }
  return worker;
}

/** A process costs more than all the looking: every third unit is asked by plain git, too. */
function isSampled({ unit }: Collected): boolean {
  return Number(unit.replace(/\D/g, '')) % 3 === 0;
}

/** Commits and moves that can still be seen in the clone are in the record. */
async function verifyCommits({ clone, heads }: Case, delta: Collected): Promise<void> {
  for (const [where, start] of heads) {
    const folder = path.join(clone, where);
    if (!existsSync(path.join(folder, '.git'))) continue;
    const now = await gitSays(folder, ['rev-parse', '--verify', '-q', 'HEAD'], { mayFail: true });
    const own = await gitSays(folder, ['rev-list', `${start}..HEAD`], { mayFail: true });
    const ids = delta.record.commits.map(({ id }) => id);
    expect(ids, `commits in ${where || 'the clone'}`).toEqual(
      expect.arrayContaining(own.split('\n').filter(Boolean)),
    );
    // A submodule whose git folder went with the clone's has no commit any more.
    if (where === '' || now === '') continue;
    const move = delta.record.moves.find((one) => (pathFromJson(one.path) as string) === where);
    expect(move?.result ?? start, `the commit of ${where}`).toBe(now);
  }
}

/**
 * What apply and undo must do: on the base (property c) or on a base that the user went on editing elsewhere (d), and
 * back (e). Processes cost more than all the looking, so every third case is applied, on either base in turn;
 * PRUN_RANDOM_THOROUGH applies each on both.
 */
export async function verifyApply(
  it: Case,
  delta: Collected,
  worker: TreeImage,
  turn: number,
): Promise<string[]> {
  const outcomes: string[] = [];
  const isThorough = Boolean(process.env.PRUN_RANDOM_THOROUGH);
  const collision = collisionOf(it.user, it.base, worker);
  outcomes.push(collision ? 'apply: refused' : 'apply: clean');
  if (!isThorough && turn % 3 !== 0) return outcomes;
  if (turn === 0 || isThorough) {
    const plain = await copyOfUser(it.built, path.join(it.scratch, 'copy'));
    await applyAndCompare(it, delta, plain, it.user, expectedTree(it.user, it.base, worker), collision);
    outcomes.push('apply: on the base');
  }
  if (turn === 0 && !isThorough) return outcomes;
  const edited = await copyOfUser(it.built, path.join(it.scratch, 'edited'));
  const edits = editElsewhere(edited, it.base, worker, it.plan.random);
  const before = imageOf(edited, { git: 'skip' });
  await applyAndCompare(it, delta, edited, before, expectedTree(before, it.base, worker, edits), collision);
  if (edits.untouched.size > 0) outcomes.push('apply: other files edited');
  if (edits.merged.size > 0) outcomes.push('apply: same file edited elsewhere');
  return outcomes;
}

async function applyAndCompare(
  { cli }: Case,
  delta: Collected,
  copy: string,
  before: TreeImage,
  wanted: TreeImage,
  collision: string | undefined,
): Promise<void> {
  const repository = imageOf(copy, { git: 'only', identity: true });
  const said = await cli.apply([delta.patch], copy, [], { code: collision ? 35 : 0 });
  const after = imageOf(copy, { git: 'skip' });
  const repositoryNow = imageOf(copy, { git: 'only', identity: true });
  expect(differencesOf(repository, repositoryNow).join('\n'), 'apply leaves .git alone').toBe('');
  if (collision) {
    expect(differencesOf(before, after).join('\n'), `refused (${collision}): ${said.stdout}`).toBe('');
    return;
  }
  const wrong = differencesOf(filesOf(wanted), filesOf(after)).join('\n');
  expect(wrong, `the tree after apply; ${said.stderr}`).toBe('');
  if (delta.record.files.length === 0) return;
  await cli.undo(copy);
  expect(differencesOf(before, imageOf(copy, { git: 'skip' })).join('\n'), 'undo restores').toBe('');
  expect(differencesOf(repositoryNow, imageOf(copy, { git: 'only', identity: true })).join('\n')).toBe('');
}

/** The user's tree with the worker's delta in it. */
function expectedTree(user: TreeImage, base: TreeImage, worker: TreeImage, edits?: UserEdits): TreeImage {
  const wanted: TreeImage = new Map(user);
  const delta = differenceFiles(base, worker);
  for (const { path: where, status } of delta) if (status === 'deleted') wanted.delete(where);
  for (const { path: where, status } of delta) {
    const entry = worker.get(where);
    if (status !== 'deleted' && entry) wanted.set(where, edits?.merged.get(where) ?? entry);
  }
  return wanted;
}

/** Something of the user's that no clone has and that stands where the delta puts a file. */
function collisionOf(user: TreeImage, base: TreeImage, worker: TreeImage): string | undefined {
  const hidden = [...user]
    .filter(([where, { type }]) => type !== 'folder' && !base.has(where))
    .map(([where]) => where);
  const added = differenceFiles(base, worker).filter(({ status }) => status !== 'deleted');
  return hidden.find((where) =>
    added.some(({ path: made }) => isWithin(where, made) || isWithin(made, where)),
  );
}

type Difference = Omit<DeltaFile, 'path'> & { path: string };

/** The difference of two images as the record has it. */
function differenceFiles(base: TreeImage, worker: TreeImage): Difference[] {
  const modeOf = (image: TreeImage, where: string) => {
    const entry = image.get(where);
    if (!entry) return null;
    return entry.type === 'link' ? '120000' : entry.mode & 0o100 ? '100755' : '100644';
  };
  return [...new Set([...base.keys(), ...worker.keys()])].flatMap((where): Difference[] => {
    const oldMode = modeOf(base, where);
    const newMode = modeOf(worker, where);
    const old = base.get(where);
    const now = worker.get(where);
    if (oldMode === newMode && old?.hash === now?.hash && old?.target === now?.target) return [];
    if (oldMode === null) return [{ status: 'added', path: where, oldMode, newMode }];
    if (newMode === null) return [{ status: 'deleted', path: where, oldMode, newMode }];
    const isOtherType = (oldMode === '120000') !== (newMode === '120000');
    return [{ status: isOtherType ? 'type-changed' : 'modified', path: where, oldMode, newMode }];
  });
}

function sorted(files: Difference[]): Difference[] {
  const plain = files.map(({ status, path: where, oldMode, newMode }) => ({
    status,
    path: where,
    oldMode,
    newMode,
  }));
  return plain.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
}

/** Copies the files of an image, and nothing else. */
function writeImage(image: TreeImage, from: string, to: string): void {
  mkdirSync(to);
  const [source, target] = [diskAt(from), diskAt(to)];
  for (const [where, { type, mode, target: pointsAt }] of image) {
    if (type === 'link') target.link(where, pointsAt);
    else target.write(where, source.read(where), mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Marks that the user's hooks and filters left. */
export function marksIn(built: BuiltRepository): string[] {
  return readdirSync(built.marks);
}
