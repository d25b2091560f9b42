import { lineOf, plainError } from '../../platform/errors.ts';
import type { ProcessHost } from '../../process/types.ts';
import { ensureSupervisor } from '../ensure-supervisor.ts';
import type { Run } from '../run-folder.ts';
import { liveSupervisor } from '../supervisor-state.ts';

/** Whether somebody supervises a run, for commands that look at it for longer. */
export interface Supervision {
  isAlive(): boolean;
  /** Sees to it that somebody does where it is needed. Gives why nobody can, as one line, or undefined. */
  ensure(): Promise<string | undefined>;
  /** Time between two looks, ms. */
  roundMs: number;
}

/** On Linux a look reads one small file; elsewhere it starts a program. */
const ROUND_MS = { linux: 3000, darwin: 5000, win32: 15_000 } as const;
/** Supervisors that may be started by one command without anything coming of them: then they die at their start. */
const STARTS = 3;

/** The supervision of a run as this host tells. `news` counts what has come from supervisors so far. */
export function supervisionOf(host: ProcessHost, run: Run, news: () => number): Supervision {
  let starts = 0;
  let newsAtStart = -1;
  return {
    roundMs: ROUND_MS[host.platform],
    isAlive: () => liveSupervisor(host, run) !== undefined,
    async ensure() {
      if (starts >= STARTS && news() === newsAtStart) {
        return `${STARTS} supervisors of run ${run.record.id} ended as soon as they were started: see ${run.folder}/supervisor.log`;
      }
      try {
        if ((await ensureSupervisor(host, run)) !== 'started') return undefined;
        starts = news() === newsAtStart ? starts + 1 : 1;
        newsAtStart = news();
        return undefined;
      } catch (thrown) {
        const error = plainError(thrown);
        if (error === undefined) throw thrown;
        return lineOf(error);
      }
    },
  };
}
