import path from 'node:path';
import { ROOT } from '../helpers/unit-run.ts';

/** A process tree that a worker leaves behind (test/fixtures/trees, after FACTS-processes.md). */
export interface Tree {
  name: string;
  /** Processes that it consists of at least, once it stands. */
  processes: number;
}

export const TREES: readonly Tree[] = [
  { name: 'plain-child', processes: 1 },
  { name: 'grandchild', processes: 2 },
  { name: 'setsid-child', processes: 1 },
  { name: 'own-group', processes: 2 },
  { name: 'orphan', processes: 1 },
  { name: 'double-fork', processes: 1 },
  { name: 'double-fork-clean', processes: 1 },
  { name: 'term-ignorer', processes: 2 },
  { name: 'respawners', processes: 2 },
  { name: 'stopped', processes: 1 },
  { name: 'daemon-on-term', processes: 2 },
  { name: 'hopper', processes: 1 },
  { name: 'hopper-clean', processes: 1 },
  { name: 'dead-leader', processes: 2 },
];

/** The program of a tree; it takes the path of a fifo, starts its processes and ends. */
export function treeFile(tree: Tree): string {
  return path.join(ROOT, 'test/fixtures/trees', `${tree.name}.sh`);
}
