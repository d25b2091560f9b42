import type { ExecutorKind } from './types.ts';

/** Wishes of a unit that not every executor knows, by their key in a manifest, and the executors that know them. */
const KNOWN_BY = {
  argv: ['command'],
  model: ['codex', 'claude', 'omp'],
  effort: ['codex', 'claude', 'omp'],
  reasoningEffort: ['codex', 'claude', 'omp'],
  sandbox: ['codex'],
  network: ['codex'],
  isolateMcp: ['codex', 'claude'],
  codexBin: ['codex'],
  bin: ['claude', 'omp'],
  config: ['codex'],
  images: ['codex'],
  outputSchema: ['codex', 'claude'],
  structured: ['codex', 'claude'],
  ephemeral: ['codex', 'claude'],
  pnpmStore: ['codex'],
  permissionMode: ['claude'],
  // omp does not say what it uses.
  tokenLimit: ['codex', 'claude'],
} as const satisfies Record<string, readonly ExecutorKind[]>;

/** A wish that not every executor knows. */
export type ExecutorWish = keyof typeof KNOWN_BY;

/** All of them. */
export const EXECUTOR_WISHES = Object.keys(KNOWN_BY) as readonly ExecutorWish[];

/** Whether a wish means something to an executor; what it does not know is refused where it is asked for. */
export function knowsWish(executor: string, wish: ExecutorWish): boolean {
  const known: readonly string[] = KNOWN_BY[wish];
  return known.includes(executor);
}
