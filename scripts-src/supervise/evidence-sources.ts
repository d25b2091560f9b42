import { monotonicMs } from '../platform/clock.ts';
import type { Family, Observer } from '../process/family.ts';
import { createActivityMeter } from './activity.ts';
import type { LaunchedWorker } from './launch.ts';
import type { EvidenceSources } from './progress.ts';
import { seeMembers } from './reap.ts';
import type { RunningUnit } from './running-unit.ts';
import type { WorkerOutput } from './worker-output.ts';

/** Where the evidence of one running unit comes from. */
export function evidenceSources(
  { request, host, attempt }: RunningUnit,
  worker: LaunchedWorker | undefined,
  output: WorkerOutput,
  family: Family,
  observer: Observer,
): EvidenceSources {
  const startedAt = Date.now();
  const meter = createActivityMeter(
    host,
    request.executor,
    worker?.pid ?? -1,
    () => output.events.facts().structured,
  );
  let log: string | undefined;
  return {
    output,
    resultFile: request.resultFile,
    workspace: attempt.workdir,
    activity: () => {
      const { sessionId, structured } = output.events.facts();
      // The header of a plain log may name somebody else's session, whose processes are strangers.
      if (sessionId && structured) family.threadIds.add(sessionId);
      seeMembers(host, family, observer);
      return meter.measure(family, monotonicMs(), output.bytes);
    },
    sessionLog: () => {
      const { sessionId } = output.events.facts();
      if (sessionId) log ??= request.executor.sessionLog(sessionId, request.command.environment, startedAt);
      return log;
    },
  };
}
