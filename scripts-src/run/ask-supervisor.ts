import { monotonicMs } from '../platform/clock.ts';
import { EXIT, PrunError } from '../platform/errors.ts';
import type { ProcessHost } from '../process/types.ts';
import { ensureSupervisor } from './ensure-supervisor.ts';
import type { RequestAnswer, RunRequest } from './records.ts';
import { postRequest, takeAnswer } from './requests.ts';
import { type Run, runFile } from './run-folder.ts';
import { supervisorTrouble } from './supervisor-state.ts';

const LOOK_MS = 10;
/** How often it is made sure that somebody is there to answer, ms. */
const ENSURE_MS = 500;

/**
 * Posts a request, sees to it that somebody carries it out, and waits for the answer, at most `limitMs`. Throws
 * PrunError (exit 34) where nobody can be made to answer; the request stays, and the next supervisor carries it out.
 */
export async function askSupervisor(
  host: ProcessHost,
  run: Run,
  request: RunRequest,
  limitMs: number,
): Promise<RequestAnswer> {
  if (!run.isHome) {
    throw new PrunError(
      'E_MOVED_RUN',
      `the run ${run.record.id} was made in ${run.record.folder} and lies in ${run.folder} now`,
      'it is only read here: move it back, or start a new run',
    );
  }
  const name = postRequest(run, request);
  const deadline = monotonicMs() + limitMs;
  let ensuredMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const answer = takeAnswer(run, name);
    if (answer) return answer;
    const now = monotonicMs();
    if (now >= deadline) break;
    if (now - ensuredMs >= ENSURE_MS) {
      ensuredMs = now;
      await ensureSupervisor(host, run);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  const trouble = supervisorTrouble(host, run);
  throw new PrunError(
    'E_NO_ANSWER',
    trouble ??
      `the supervisor of run ${run.record.id} has not answered within ${Math.round(limitMs / 1000)} s`,
    `the request stays and will be carried out; see ${runFile(run, 'supervisorLog')} and prun status --run ${run.record.id}`,
    EXIT.supervisorLost,
  );
}
