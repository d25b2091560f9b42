import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type BytePath, bytePathOf } from '../../scripts-src/platform/byte-path.ts';
import { PrunError } from '../../scripts-src/platform/errors.ts';
import { currentHost } from '../../scripts-src/process/host.ts';
import { fillFromStore } from '../../scripts-src/workspace/apply/blob-files.ts';
import { listJournals } from '../../scripts-src/workspace/apply/change-journal.ts';
import { blobId } from '../../scripts-src/workspace/apply/path-state.ts';
import { planChange, type WantedPath } from '../../scripts-src/workspace/apply/plan-change.ts';
import { bitsFor, type ContentWish } from '../../scripts-src/workspace/apply/stage-content.ts';
import { changeTree, type HeldTarget, holdTarget } from '../../scripts-src/workspace/apply/tree-change.ts';
import { gitSays, neutralGitDir } from '../helpers/plain-git.ts';
import { imageOf } from '../helpers/tree-image.ts';
import { scratch } from '../helpers/unit-run.ts';

const id = (text: string): string => blobId('sha1', Buffer.from(text));
const file = (text: string, mode = '100644') => ({ mode, id: id(text) });
const wish = (name: string, before: string | null, after: string | null): WantedPath => ({
  path: bytePathOf(name),
  before: before === null ? null : file(before),
  after: after === null ? null : file(after),
});

/** Content of the tests: each text is written by its id. */
const fillWith =
  (...texts: string[]) =>
  async (wishes: readonly ContentWish[]): Promise<void> => {
    for (const { file: to, id: wanted } of wishes) {
      writeFileSync(to, texts.find((text) => id(text) === wanted) ?? '');
    }
  };

async function hold<T>(root: string, stateHome: string, work: (held: HeldTarget) => Promise<T>): Promise<T> {
  const host = await currentHost();
  const intent = { host, stateHome, root, kind: 'apply' as const, of: null, units: ['u'] };
  return holdTarget({ ...intent, objectFormat: 'sha1', onSettled: () => {} }, work);
}

it.each([
  [0o644, '100755', 0o755],
  [0o600, '100755', 0o700],
  [0o664, '100755', 0o775],
  [0o200, '100755', 0o300],
  [0o755, '100755', 0o755],
  [0o700, '100644', 0o600],
  [0o2755, '100644', 0o2644],
  [0o664, '100644', 0o664],
])('bits %o of a file with mode %s become %o', (perm, mode, wanted) => {
  expect(bitsFor(perm, mode)).toBe(wanted);
});

it('changes a tree that is no repository, and keeps what was there', async () => {
  const [root, stateHome] = [scratch(), scratch()];
  writeFileSync(path.join(root, 'a'), 'a');
  const result = await hold(root, stateHome, (held) =>
    changeTree(held, { wanted: [wish('a', 'a', 'A'), wish('d/e/b', null, 'b')], fill: fillWith('A', 'b') }),
  );
  expect(result.kind).toBe('changed');
  expect([...imageOf(root, { git: 'all' }).keys()].sort()).toEqual(['a', 'd', 'd/e', 'd/e/b']);
  const [journal] = listJournals(stateHome, root);
  expect(journal).toMatchObject({ state: 'done', order: 1, units: ['u'] });
  expect(readFileSync(path.join(stateHome, 'applies', journal?.id ?? '', 'before/0'), 'utf8')).toBe('a');
});

it('holds a target for one change: a second one of the same process waits', async () => {
  const [root, stateHome] = [scratch(), scratch()];
  const order: string[] = [];
  let goOn = (): void => {};
  const first = hold(root, stateHome, async () => {
    order.push('first begins');
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    order.push('first ends');
  });
  const second = first.then.length && hold(root, stateHome, async () => order.push('second'));
  while (order.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  goOn();
  await Promise.all([first, second]);
  expect(order).toEqual(['first begins', 'first ends', 'second']);
  expect(readdirSync(root)).toEqual([]);
  expect(listJournals(stateHome, root)).toEqual([]);
});

it('gives everything back when something fails after the swap', async () => {
  const [root, stateHome] = [scratch(), scratch()];
  writeFileSync(path.join(root, 'a'), 'a');
  writeFileSync(path.join(root, 'gone'), 'gone');
  const before = imageOf(root, { git: 'all', identity: true });
  const failing = hold(root, stateHome, (held) =>
    changeTree(held, {
      wanted: [wish('a', 'a', 'A'), wish('gone', 'gone', null), wish('gone/now/folder', null, 'x')],
      fill: fillWith('A', 'x'),
      stageIndexes: () => Promise.reject(new PrunError('E_TEST', 'it failed', 'try again', 1)),
    }),
  );
  await expect(failing).rejects.toThrow('it failed');
  expect(imageOf(root, { git: 'all', identity: true })).toEqual(before);
  expect(listJournals(stateHome, root)).toEqual([]);
});

it.each<[string, WantedPath, string]>([
  ['edited', wish('a', 'b', 'c'), 'was changed since'],
  ['gone', wish('nowhere', 'b', 'c'), 'not there any more'],
  ['in the way', wish('a', null, 'c'), 'in the way'],
  ['below a file', wish('a/b', null, 'c'), 'is a file there'],
  ['below a symlink', wish('link/b', null, 'c'), 'is a symlink there'],
  ['a folder', wish('folder', null, 'c'), 'a folder stands there'],
  ['a folder for a file', wish('folder', 'b', 'c'), 'a folder or a special file'],
  ['outside', wish('../x', null, 'c'), 'leads out of the tree'],
  ['absolute', wish('/x', null, 'c'), 'leads out of the tree'],
  ['git', wish('x/.Git/config', null, 'c'), '.git folder'],
  ['git for HFS', wish('.g\u200cit/config', null, 'c'), '.git folder'],
  ['git for NTFS', wish('GIT~1/config', null, 'c'), '.git folder'],
  ['git with a stream', wish('.git::$INDEX_ALLOCATION/config', null, 'c'), '.git folder'],
  ['prun', wish('.PRUN-apply/x', null, 'c'), 'prun works there'],
])('a plan refuses what is %s', (_name, wanted, words) => {
  const root = scratch();
  writeFileSync(path.join(root, 'a'), 'a');
  mkdirSync(path.join(root, 'folder/inner'), { recursive: true });
  symlinkSync('folder', path.join(root, 'link'));
  const plan = planChange(root, 'sha1', [wanted]);
  expect(plan.obstacles.map(({ what }) => what).join()).toContain(words);
});

it('a plan takes what is there already, and a name that differs in case from one that goes', () => {
  const root = scratch();
  writeFileSync(path.join(root, 'same'), 'same');
  chmodSync(path.join(root, 'same'), 0o755);
  writeFileSync(path.join(root, 'A'), 'text');
  const wanted = [
    { path: bytePathOf('same'), before: null, after: file('same', '100755') },
    wish('A', 'text', null),
    wish('a', null, 'text'),
  ];
  const plan = planChange(root, 'sha1', wanted);
  expect(plan.obstacles).toEqual([]);
  expect(plan.already).toEqual(['same']);
  expect(plan.list.changes.map(({ path: where }) => where)).toEqual(['A', 'a']);
  const other = planChange(root, 'sha1', [{ path: bytePathOf('same'), before: null, after: file('same') }]);
  expect(other.obstacles.length).toBe(1);
});

it('a plan removes only folders that the change empties', () => {
  const root = scratch();
  for (const name of ['x/y/z/a', 'x/keep', 'p/q/b']) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), name);
  }
  const plan = planChange(root, 'sha1', [
    wish('x/y/z/a', 'x/y/z/a', null),
    wish('p/q/b', 'p/q/b', null),
    wish('p/new', null, 'n'),
  ]);
  expect(plan.list.foldersRemoved.map(({ path: where }) => where)).toEqual(['x/y/z', 'x/y', 'p/q']);
  expect(plan.list.foldersMade).toEqual([]);
});

it('writes blobs of any size from a store, and names one that is missing', async () => {
  const folder = scratch();
  const store = neutralGitDir(path.join(folder, 'store.git'), 'sha1');
  const contents = [0, 1, 65_535, 65_536, 65_537, 3_000_000, 0, 7].map((size, n) =>
    Buffer.alloc(size, `${n}\n`),
  );
  const wishes: ContentWish[] = [];
  const after = file('');
  for (const [n, content] of contents.entries()) {
    const to = path.join(folder, String(n));
    writeFileSync(to, '');
    const blob = await gitSays(store, ['hash-object', '-w', '--stdin'], { input: content });
    wishes.push({ id: blob, path: String(n) as BytePath, after, file: to });
  }
  const fill = fillFromStore({ gitDir: store }, 'sha1');
  await fill(wishes);
  for (const [n, content] of contents.entries()) {
    expect(readFileSync(path.join(folder, String(n))).equals(content)).toBe(true);
  }
  const [first] = wishes;
  if (!first) throw new Error('no wish');
  await expect(fill([{ ...first, id: '0123456789'.repeat(4) }])).rejects.toThrow('cannot be had');
  expect(existsSync(first.file)).toBe(true);
});
