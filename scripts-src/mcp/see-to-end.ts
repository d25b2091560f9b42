import { executorByName } from '../executor/by-name.ts';
import { monotonicMs } from '../platform/clock.ts';
import { errnoOf, lineOf, messageOf, plainError } from '../platform/errors.ts';
import { durationText } from '../render/figures.ts';
import { askSupervisor } from '../run/ask-supervisor.ts';
import { breakersIn } from '../run/breaker-of-unit.ts';
import type { RunView, UnitView } from '../run/run-view.ts';
import { readOutcome } from '../unit/read-records.ts';
import type { OutcomeRecord } from '../unit/records.ts';
import type { McpContext, ToolCall } from './mcp-context.ts';
import { ANSWER_MS, type StartedTask } from './started-task.ts';
import { type WorkerStream, workerStream } from './worker-stream.ts';

/** Why a call ended its task itself. */
export type StopReason = 'cancelled' | 'account';

/** How a task ended. */
export interface TaskEnd {
  unit: UnitView;
  /** State dir of its last attempt that had one. */
  stateDir: string | null;
  /** Of that attempt; undefined where it never had one. */
  outcome: OutcomeRecord | undefined;
  stopped: StopReason | undefined;
  /** Why nothing of the account is started, where that ended it. */
  held: Held | undefined;
  stream: WorkerStream;
}

/** An account that cannot be used now. */
export interface Held {
  reason: string;
  /** One line, with the time when it can be used again where that is known. */
  text: string;
}

/** What a task is followed with. */
export interface Following {
  task: StartedTask;
  call: ToolCall;
  /** Hears of each file that the worker says it edits, absolute. */
  onFile(file: string): void;
}

/** Seconds that a worker has to end by itself when its call is cancelled. */
const GRACE_SECONDS = 2;
/** When everything is ended a host waits a second or so (FACTS-claude-code.md). */
const CLOSING_GRACE_SECONDS = 1;

/**
 * Follows a task until it is over: all that it started is gone by then, whatever ended it. A call that is cancelled, or
 * whose account cannot be used, ends it.
 */
export async function seeToEnd(context: McpContext, following: Following): Promise<TaskEnd> {
  const { task, call } = following;
  const stream = workerStream(executorByName('codex'), task.workdir, following.onFile);
  const tell = progressTeller(call, stream);
  let stateDir: string | null = null;
  let stopped: StopReason | undefined;
  let held: Held | undefined;
  const stop = (why: StopReason): void => {
    if (stopped !== undefined) return;
    stopped = why;
    void cancelTask(context, task);
  };
  const onAbort = (): void => stop('cancelled');
  call.signal.addEventListener('abort', onAbort, { once: true });
  if (call.signal.aborted) onAbort();
  try {
    const unit = await task.follower.until((view, hasEnded) => {
      const now = view.units.get(task.unit);
      if (!now || now.attempt <= task.after) return undefined;
      if (now.stateDir !== null) {
        stateDir = now.stateDir;
        stream.advance(now.stateDir);
      }
      tell(now);
      const why = heldBy(view, now);
      if (why !== undefined) {
        held = why;
        stop('account');
      }
      return hasEnded(task.unit) ? { ...now } : undefined;
    });
    const outcome = stateDir === null ? undefined : readOutcome(stateDir);
    return { unit, stateDir, outcome, stopped, held, stream };
  } finally {
    call.signal.removeEventListener('abort', onAbort);
    stream.close();
  }
}

/** Why a queued unit is not started before its account can be used again, undefined where that is not so. */
function heldBy(view: RunView, unit: UnitView): Held | undefined {
  const breaker = breakersIn(view)(unit);
  if (!breaker) return undefined;
  const { until, detail } = breaker;
  const reason = breaker.reason ?? 'usage-limit';
  return { reason, text: `${reason}${until === null ? '' : `, until ${until}`}: ${detail}` };
}

/** Has the supervisor end a task. The request is posted at once; what goes wrong with its answer is said on stderr. */
async function cancelTask(context: McpContext, { run, unit, owned }: StartedTask): Promise<void> {
  const graceSeconds = context.closing.aborted ? CLOSING_GRACE_SECONDS : GRACE_SECONDS;
  try {
    await askSupervisor(context.host, run, { type: 'cancel', units: [unit], graceSeconds }, ANSWER_MS);
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined && owned.endNow()) return;
    const error = plainError(thrown);
    context.say(`unit ${unit} of run ${run.record.id}: ${error ? lineOf(error) : messageOf(thrown)}`);
  }
}

/** So often a client is told what is done, ms, and so often that it still is. */
const TELL_MS = 1000;
const STILL_MS = 15_000;
const MESSAGE_LENGTH = 160;

function progressTeller({ progress }: ToolCall, stream: WorkerStream): (unit: UnitView) => void {
  if (!progress) return () => {};
  const beganMs = monotonicMs();
  let toldMs = Number.NEGATIVE_INFINITY;
  let told = '';
  let count = 0;
  return (unit) => {
    const now = monotonicMs();
    if (now - toldMs < TELL_MS) return;
    const text = (stream.now() ?? STATE_TEXT[unit.state] ?? unit.state).slice(0, MESSAGE_LENGTH);
    if (text === told && now - toldMs < STILL_MS) return;
    const isStill = text === told;
    toldMs = now;
    told = text;
    count += 1;
    progress(count, isStill ? `${durationText(now - beganMs)}: ${text}` : text);
  };
}

const STATE_TEXT: Readonly<Record<string, string>> = {
  created: 'it is being started',
  queued: 'it waits for its start',
  dispatching: 'its workspace is made ready',
  running: 'the worker has started',
};
