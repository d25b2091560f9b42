import { type Random, seededRandom } from '../../torture/random.ts';

/** Weighted options of one side of a repository; the numbers are cards in a deck, so that each comes up in its turn. */
const SIDES = {
  head: { branch: 13, detached: 3, unborn: 2, 'no commits': 1, empty: 1 },
  storage: { loose: 7, packed: 3, alternates: 3, shallow: 2, partial: 2, 'partial sparse': 1 },
  index: {
    plain: 8,
    split: 3,
    'skip-worktree': 2,
    'assume-unchanged': 2,
    'sparse cone': 2,
    'sparse patterns': 2,
  },
  format: { sha1: 4, sha256: 1 },
  convert: {
    none: 7,
    'eol=crlf': 2,
    'autocrlf=true': 2,
    'autocrlf=input': 1,
    'filter attribute': 2,
    ident: 1,
    'info/attributes': 1,
    'attributes gone': 1,
    'UTF-16': 1,
    lfs: 1,
  },
  place: { 'main worktree': 6, 'linked worktree': 1 },
  modules: { none: 6, clean: 1, dirty: 2, 'own commit': 2, uninitialised: 2, nested: 2 },
  state: { quiet: 6, merging: 1, stash: 1 },
  traps: { none: 3, hooks: 2, hooksPath: 1, fsmonitor: 1 },
} as const;

type Sides = { -readonly [Side in keyof typeof SIDES]: keyof (typeof SIDES)[Side] };

/** What the user did to the working tree; each repository gets several. */
export const CHANGES = [
  'staged edit',
  'unstaged edit',
  'staged and unstaged edit',
  'staged new file',
  'untracked file',
  'untracked folder',
  'intent to add',
  'staged deletion',
  'unstaged deletion',
  'removed from the index only',
  'staged rename',
  'unstaged rename',
  'staged mode',
  'unstaged mode',
  'binary',
  'empty file',
  'big file',
  'mixed line ends',
  'link to a file',
  'link to a folder',
  'dangling link',
  'absolute link',
  'file to link',
  'link to file',
  'file to folder',
  'folder to file',
  'folder to link',
  'nested ignore rules',
  'ignored file',
  'ignored folder',
  'forced ignored file',
  'info/exclude',
  'core.excludesFile',
  'nested repository',
  'fifo',
  'empty folder',
  'private mode',
  'deep path',
  'odd name',
  'odd name',
  'odd name',
] as const;
export type Change = (typeof CHANGES)[number];

/** What workers do in their clones. */
export const ACTS = [
  'edit a line',
  'edit a line',
  'append',
  'same-size edit',
  'new file',
  'new file in a new folder',
  'new binary',
  'new empty file',
  'new big file',
  'delete a file',
  'delete a folder',
  'rename a file',
  'rename a folder',
  'rename and edit',
  'chmod +x',
  'chmod -x',
  'new link',
  'new dangling link',
  'file to link',
  'link to file',
  'file to folder',
  'folder to file',
  'folder to link',
  'CRLF edit',
  'ignore rule that hides a new file',
  'ignored new file',
  'odd name',
  'odd name',
  'empty folder',
  'git add -A',
  'commit --no-verify',
  'commit twice',
  'amend',
  'branch and commit',
  'reset --hard HEAD~1',
  'reset --soft HEAD~1',
  'checkout of another commit',
  'orphan branch',
  'stash',
  'clean -fdx',
  'rm -rf .git',
  'rm .git/index',
  'nested repository',
  'edit in a submodule',
  'edit in a submodule',
  'commit in a submodule',
  'commit in a submodule',
  'nothing',
] as const;
export type Act = (typeof ACTS)[number];

/** One random repository and what its workers do; the same for the same seed and number. */
export interface Plan extends Sides {
  number: number;
  random: Random;
  changes: Change[];
  /** A list for each worker. */
  workers: Act[][];
}

/** Workers per repository: a case is one worker in one repository. */
export const WORKERS = 5;

/** Draws repository `number` of a seed. */
export function drawPlan(seed: number, number: number): Plan {
  const random = seededRandom(mixed(seed, 7919 + number));
  const sides = Object.fromEntries(
    Object.entries(SIDES).map(([side, weights], at) => [
      side,
      dealt(deckOf(weights), seed, at, number, 1)[0],
    ]),
  ) as Sides;
  const changes = dealt(CHANGES, seed, 100, number, 8);
  const workers = Array.from({ length: WORKERS }, (_, worker) => {
    const count = 4;
    return dealt(ACTS, seed, 200, number * WORKERS + worker, count);
  });
  return { ...possible(sides), number, random, changes, workers };
}

/** Sides that cannot be had together give way to the rarer one. */
function possible(sides: Sides): Sides {
  const made: Sides = { ...sides };
  if (made.head === 'unborn' || made.head === 'no commits' || made.head === 'empty') {
    made.storage = 'loose';
    made.place = 'main worktree';
    made.modules = 'none';
    made.state = 'quiet';
    if (made.index !== 'split') made.index = 'plain';
  }
  if (made.storage === 'partial sparse') made.index = 'sparse cone';
  return made;
}

function deckOf(weights: Readonly<Record<string, number>>): string[] {
  return Object.entries(weights).flatMap(([option, cards]) => Array<string>(cards).fill(option));
}

/** The `turn`-th hand of `count` cards from a deck that is shuffled anew for each round. */
function dealt<T>(deck: readonly T[], seed: number, salt: number, turn: number, count: number): T[] {
  return Array.from({ length: count }, (_, at) => {
    const card = turn * count + at;
    const round = Math.floor(card / deck.length);
    const shuffled = seededRandom(mixed(seed, salt * 65_537 + round)).shuffled(deck);
    return shuffled[card % deck.length] as T;
  });
}

function mixed(seed: number, salt: number): number {
  return (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(salt + 1, 0xc2b2ae35)) >>> 0;
}
