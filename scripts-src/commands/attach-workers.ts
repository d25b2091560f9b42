import { executorByName } from '../executor/by-name.ts';
import { PrunError } from '../platform/errors.ts';
import { pathInRun } from '../run/path-in-run.ts';
import type { Run } from '../run/run-folder.ts';
import type { UnitView } from '../run/run-view.ts';
import { type UnitWatch, watchStateDir } from './unit-view.ts';

/** What the workers on a screen say, read on with each look. */
export interface WorkerWatch {
  /** The last readable thing that each of these units' workers has printed. Others are let go. */
  look(run: Run, units: readonly UnitView[]): Map<string, string>;
}

/** Watches the output of those workers that are on the screen: one open file each. */
export function watchWorkers(): WorkerWatch {
  const watches = new Map<string, UnitWatch>();
  return {
    look(run, units) {
      const running = units.filter(({ state, stateDir }) => state === 'running' && stateDir !== null);
      const dirs = new Map(running.map((unit) => [unit.stateDir ?? '', unit]));
      for (const [dir, watch] of watches) {
        if (dirs.has(dir)) continue;
        watch.close();
        watches.delete(dir);
      }
      const says = new Map<string, string>();
      for (const [dir, { id, spec }] of dirs) {
        if (spec.executor === 'session') continue;
        const watch = watches.get(dir) ?? watchStateDir(pathInRun(run, dir), executorByName(spec.executor));
        watches.set(dir, watch);
        says.set(id, saidBy(watch));
      }
      return says;
    },
  };
}

function saidBy(watch: UnitWatch): string {
  try {
    return watch.look().says;
  } catch (error) {
    // A newer prun's attempt: the events tell of it.
    if (error instanceof PrunError) return '';
    throw error;
  }
}
