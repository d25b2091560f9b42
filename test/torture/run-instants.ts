import path from 'node:path';
import type { UnitRecord } from '../../scripts-src/unit/records.ts';
import { processesOf, type Seen } from '../helpers/process-table.ts';
import { type RunPlace, textOf } from './run-place.ts';
import { namesIn } from './run-victims.ts';

/** How often it is looked for new outcomes, ms. */
const LOOK_MS = 5;

/** Looks at the process table at the instant of every outcome. */
export interface Instants {
  /** What was alive of an attempt when its outcome was there, by state dir; empty lists are good. */
  alive: Map<string, Seen[]>;
  /** First text of each outcome: nobody may write another. */
  texts: Map<string, string>;
  stop(): void;
}

/** Begins to look. */
export function watchOutcomes({ runFolder }: Pick<RunPlace, 'runFolder'>): Instants {
  const attempts = path.join(runFolder, 'attempts');
  const alive = new Map<string, Seen[]>();
  const texts = new Map<string, string>();
  const look = (): void => {
    for (const name of namesIn(attempts)) {
      const stateDir = path.join(attempts, name);
      if (!name.startsWith('prun-task-') || texts.has(stateDir)) continue;
      const text = textOf(path.join(stateDir, 'outcome.json'));
      if (text === '') continue;
      const { marker, rssMark } = JSON.parse(textOf(path.join(stateDir, 'unit.json'))) as UnitRecord;
      alive.set(stateDir, processesOf({ marker, rssMark }));
      texts.set(stateDir, text);
    }
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    alive,
    texts,
    stop() {
      clearInterval(timer);
      look();
    },
  };
}
