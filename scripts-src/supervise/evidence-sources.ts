import { monotonicMs } from '../platform/clock.ts';
import type { Family } from '../process/family.ts';
import { createActivityMeter } from './activity.ts';
import type { LaunchedWorker } from './launch.ts';
import type { EvidenceSources } from './progress.ts';
import type { SupervisedUnit } from './running-unit.ts';
import type { WorkerOutput } from './worker-output.ts';

/** Where the evidence of one running unit comes from. `see` refreshes the members of its family. */
export function evidenceSources(
  {
    host,
    executor,
    record,
    environment,
  }: Pick<SupervisedUnit, 'host' | 'executor' | 'record' | 'environment'>,
  worker: Pick<LaunchedWorker, 'pid'> | undefined,
  output: WorkerOutput,
  family: Family,
  see: (family: Family) => void,
): EvidenceSources {
  const startedAt = Date.parse(record.startedAt);
  const meter = createActivityMeter(
    host,
    executor,
    worker?.pid ?? -1,
    () => output.events.facts().structured,
  );
  let log: string | undefined;
  return {
    output,
    resultFile: record.resultFile,
    workspace: record.cwd,
    activity: () => {
      const { sessionId, structured } = output.events.facts();
      // The header of a plain log may name somebody else's session, whose processes are strangers.
      if (sessionId && structured) family.threadIds.add(sessionId);
      see(family);
      return meter.measure(family, monotonicMs(), output.bytes);
    },
    sessionLog: () => {
      const { sessionId } = output.events.facts();
      if (sessionId) log ??= executor.sessionLog(sessionId, environment, startedAt);
      return log;
    },
  };
}
