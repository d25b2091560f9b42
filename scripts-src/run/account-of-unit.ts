import { executorByName } from '../executor/by-name.ts';
import { keptEnvironment } from './keep-environment.ts';
import type { ExecutorName } from './records.ts';
import type { Run } from './run-folder.ts';
import { breakerKey, type UnitView } from './run-view.ts';

/** The account that a unit's worker uses. */
export interface UnitAccount {
  executor: ExecutorName;
  account: string;
  /** Under which its breaker is kept. */
  key: string;
}

/** The account of a unit by the environment that it was queued with and its wishes; undefined for a unit that uses none. */
export type AccountOfUnit = (unit: Pick<UnitView, 'spec' | 'environment'>) => UnitAccount | undefined;

/** Accounts of a run's units. Each environment is read once: a thousand units share one. */
export function accountsIn(run: Pick<Run, 'folder'>): AccountOfUnit {
  const known = new Map<string, UnitAccount>();
  return ({ spec, environment }) => {
    const { executor } = spec;
    if (executor === 'command' || executor === 'session') return undefined;
    const name = JSON.stringify([executor, environment, spec.options?.config]);
    const found = known.get(name);
    if (found) return found;
    const account = executorByName(executor).account(keptEnvironment(run, environment), spec.options);
    const made = { executor, account, key: breakerKey(executor, account) };
    known.set(name, made);
    return made;
  };
}
