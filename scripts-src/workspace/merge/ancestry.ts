import { gitText } from '../../platform/git.ts';
import { resultSubject, unitOfSubject } from '../base/lineage.ts';
import type { LoadedDelta } from '../delta/load-delta.ts';

/** For each delta of a list, the places in it of those that its base was made of. */
export type Ancestors = readonly ReadonlySet<number>[];

/** A commit of base/lineage.ts. */
interface LineageCommit {
  tree: string;
  parents: string[];
  subject: string;
}

/**
 * Finds which of these deltas build on others of them, at any distance. One whose unit was retried since is not what the
 * other one builds on: its trees are others. One git process for each store that has such units.
 */
export async function ancestorsOf(deltas: readonly LoadedDelta[]): Promise<Ancestors> {
  const found = deltas.map(() => new Set<number>());
  const stores = new Set(deltas.flatMap(({ store, lineage }) => (lineage === null ? [] : [store])));
  for (const store of stores) {
    const here = [...deltas.keys()].filter((at) => deltas[at]?.store === store);
    const commits = await readCommits(
      store,
      here.flatMap((at) => deltas[at]?.lineage ?? []),
    );
    for (const at of here) {
      const results = resultsBehind(commits, deltas[at]?.lineage ?? null);
      for (const other of here) {
        const delta = deltas[other];
        if (
          other !== at &&
          delta &&
          results.has(keyOf(resultSubject(delta.unit), delta.base, delta.result))
        ) {
          found[at]?.add(other);
        }
      }
    }
  }
  return found;
}

/** The places of a list, each behind all that it builds on, else in the given order. Pure. */
export function parentsFirst(ancestors: Ancestors): number[] {
  const order: number[] = [];
  const done = new Set<number>();
  const put = (at: number): void => {
    if (done.has(at)) return;
    done.add(at);
    for (const parent of [...(ancestors[at] ?? [])].sort((a, b) => a - b)) put(parent);
    order.push(at);
  };
  for (const at of ancestors.keys()) put(at);
  return order;
}

/** A unit's result that another delta builds on. */
export interface ParentResult {
  unit: string;
  base: string;
  result: string;
}

/** The results that a delta's base was merged of, none for the set's own base. */
export async function parentsOf({ store, lineage }: LoadedDelta): Promise<ParentResult[]> {
  if (lineage === null) return [];
  const commits = await readCommits(store, [lineage]);
  const parents: ParentResult[] = [];
  const open = [lineage];
  const seen = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const commit = commits.get(id);
    if (!commit || seen.has(id)) continue;
    seen.add(id);
    const unit = unitOfSubject(commit.subject);
    const base = commits.get(commit.parents[0] ?? '')?.tree;
    if (unit !== undefined && base !== undefined) parents.push({ unit, base, result: commit.tree });
    else open.push(...commit.parents);
  }
  return parents;
}

function keyOf(subject: string, base: string, result: string): string {
  return `${subject} ${base} ${result}`;
}

async function readCommits(store: string, tips: readonly string[]): Promise<Map<string, LineageCommit>> {
  // A lineage that is not there tells nothing; the trees themselves are.
  const argv = ['log', '--format=%H %T %P%x09%s', '--no-show-signature', '--ignore-missing', '--stdin'];
  const text = await gitText({ gitDir: store }, argv, { input: `${[...new Set(tips)].join('\n')}\n` });
  const commits = new Map<string, LineageCommit>();
  for (const line of text.split('\n').filter(Boolean)) {
    const tab = line.indexOf('\t');
    const [id = '', tree = '', ...parents] = line.slice(0, tab).split(' ').filter(Boolean);
    commits.set(id, { tree, parents, subject: line.slice(tab + 1) });
  }
  return commits;
}

/** Keys of all results that a commit was made of. */
function resultsBehind(commits: ReadonlyMap<string, LineageCommit>, tip: string | null): Set<string> {
  const keys = new Set<string>();
  const seen = new Set<string>();
  const open = tip === null ? [] : [tip];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const commit = commits.get(id);
    if (!commit) continue;
    for (const parent of commit.parents) {
      const base = commits.get(parent)?.tree;
      if (base !== undefined) keys.add(keyOf(commit.subject, base, commit.tree));
      open.push(parent);
    }
  }
  return keys;
}
