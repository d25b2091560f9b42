import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { executorByName } from '../../executor/by-name.ts';
import type { Executor } from '../../executor/types.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { errnoOf, messageOf } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { makeFolders } from '../../platform/make-folders.ts';
import { resolveProgram } from '../../platform/resolve-program.ts';
import type { Cancellation } from '../../supervise/interruption.ts';
import { launchAttempt, type RunAttemptRequest } from '../../supervise/launch-attempt.ts';
import { type LiveSession, launchSession } from '../../supervise/session-attempt.ts';
import { stateFile } from '../../unit/state-dir.ts';
import { keptEnvironment } from '../keep-environment.ts';
import { wholePrompt } from '../prompt/whole-prompt.ts';
import { contextFileOf, defaultResultFile, promptFileOf, runFile } from '../run-folder.ts';
import { type KnownUnit, promptOf } from '../unit-specs.ts';
import { clearStateDir } from './dead-temporaries.ts';
import { endWithOutcome, endWithoutAttempt } from './end-of-unit.ts';
import { type ProvidedWorkspace, provideWorkspace } from './provide-workspace.ts';
import { placeQueued, queueUnit } from './queue-units.ts';
import { type ActiveUnit, type LastEnd, type Supervision, unitOf } from './supervision.ts';

const VERIFY_LIMIT_SECONDS = 1800;
/** How often a unit is tried on a full disk, ms. */
const SPACE_LOOK_MS = 10_000;

/**
 * Starts a queued unit and sees it to its end. The unit is active from the call on; the promise ends with the attempt
 * and never rejects.
 */
export async function startUnit(supervision: Supervision, id: string): Promise<void> {
  const known = supervision.known.units.get(id);
  if (!known) return;
  const { attempt } = unitOf(supervision, id);
  const earlier = earlierOf(supervision, id, attempt);
  const stop = new AbortController();
  const preparing: ActiveUnit = {
    attempt,
    takesJob: known.spec.executor !== 'session',
    lastEvidence: () => undefined,
    cancel: () => stop.abort(),
  };
  supervision.ready.delete(id);
  supervision.active.set(id, preparing);
  supervision.emit({ type: 'dispatching', unit: id, attempt });
  faultPoint('run:dispatching', supervision.view.run.folder);
  try {
    await launch(supervision, known, attempt, earlier, stop.signal);
  } catch (error) {
    if (isDiskFull(error)) return holdForSpace(supervision, id, attempt);
    const detail = `it could not be started: ${messageOf(error)}`;
    endWithoutAttempt(supervision, id, { status: 'failed', reason: 'workspace', detail });
  }
}

/** A full disk is no fault of any unit: the queue waits for room, and the coordinator is told once. */
function holdForSpace(supervision: Supervision, id: string, attempt: number): void {
  supervision.active.delete(id);
  if (supervision.heldUntilMs === 0) {
    const text = 'the disk is full: no unit is started before there is room again';
    supervision.emit({ type: 'note', text, wakes: true });
  }
  supervision.heldUntilMs = monotonicMs() + SPACE_LOOK_MS;
  queueUnit(supervision, id, attempt, 'not-started', supervision.environments.get(id) ?? null);
  placeQueued(supervision, [id]);
  supervision.wake();
}

function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '');
}

async function launch(
  supervision: Supervision,
  known: KnownUnit,
  attempt: number,
  earlier: LastEnd | null,
  stop: AbortSignal,
): Promise<void> {
  const { spec } = known;
  const environment = keptEnvironment(supervision.view.run, supervision.environments.get(spec.id) ?? null);
  const provided = await provideWorkspace(supervision, { spec, attempt, environment, stop });
  faultPoint('run:provided', supervision.view.run.folder);
  if (stop.aborted) {
    return endCancelled(supervision, spec.id);
  }
  if (provided.kind === 'clash') return block(supervision, spec.id, provided.detail);
  if (provided.kind === 'failed') {
    const { detail } = provided;
    return endWithoutAttempt(supervision, spec.id, { status: 'failed', reason: 'workspace', detail });
  }
  const request = attemptRequest(supervision, known, attempt, provided.workspace, environment, earlier);
  makeFolders(path.dirname(request.resultFile));
  const live =
    spec.executor === 'session'
      ? launchSession(request, supervision.host)
      : launchAttempt(request, supervision.context);
  supervision.heldUntilMs = 0;
  await follow(supervision, spec.id, attempt, live);
}

/** A unit that was cancelled before its worker ran. */
export function endCancelled(supervision: Supervision, id: string): void {
  const detail = 'it was cancelled before its worker was started';
  endWithoutAttempt(supervision, id, { status: 'cancelled', reason: 'cancelled', detail });
}

/** What both kinds of attempts have in common: they can be cancelled, and they end. */
type Followed = Pick<LiveSession, 'stateDir' | 'record' | 'lastEvidence' | 'cancel' | 'ended'>;

/** Sees an attempt to its outcome and says in the run's log what happens to it. */
export async function follow(
  supervision: Supervision,
  id: string,
  attempt: number,
  live: Followed,
  { isAgain = false, isAdopted = false }: { isAgain?: boolean; isAdopted?: boolean } = {},
): Promise<void> {
  const { stateDir, record } = live;
  const takesJob = record.executor !== 'session';
  let isCancelled = false;
  const cancel = (wish: Cancellation): void => {
    isCancelled = true;
    live.cancel(wish);
  };
  supervision.active.set(id, { attempt, takesJob, lastEvidence: live.lastEvidence, cancel });
  const { state } = unitOf(supervision, id);
  if (state !== 'running') {
    supervision.emit({ type: 'running', unit: id, attempt, stateDir, resultFile: record.resultFile });
  }
  try {
    await live.ended;
  } catch (error) {
    supervision.say(`unit ${id}: ${messageOf(error)}`);
  }
  if (isAdopted) clearStateDir(stateDir);
  faultPoint('run:outcome', supervision.view.run.folder);
  if (isAgain && isCancelled) endCancelled(supervision, id);
  else if (isAgain) queueAgain(supervision, id, attempt);
  else endWithOutcome(supervision, id, stateDir, isCancelled);
  faultPoint('run:told', supervision.view.run.folder);
}

/** Its worker never ran: the attempt has its outcome, and the unit another try. */
export function queueAgain(supervision: Supervision, id: string, attempt: number): void {
  supervision.active.delete(id);
  queueUnit(supervision, id, attempt + 1, 'not-started', supervision.environments.get(id) ?? null);
  placeQueued(supervision, [id]);
  supervision.wake();
}

function block(supervision: Supervision, id: string, detail: string): void {
  supervision.active.delete(id);
  supervision.emit({ type: 'blocked', unit: id, detail: `the results that it builds on clash: ${detail}` });
  supervision.wake();
}

/** What became of the attempt before this one, for the worker that tries again. */
function earlierOf(supervision: Supervision, id: string, attempt: number): LastEnd | null {
  const last = supervision.lastEnds.get(id);
  return last && last.attempt < attempt ? last : null;
}

/** What an attempt has left is moved into the state dir of the next one: that is where a worker finds it. */
function whereItIs(earlier: LastEnd, resultFile: string, stateDir: string) {
  const { attempt, reason, detail } = earlier;
  const patch = earlier.stateDir === null ? null : stateFile(earlier.stateDir, 'patch');
  return {
    ...{ attempt, reason, detail },
    resultFile: existsSync(resultFile) ? stateFile(stateDir, 'previousResult') : null,
    patch: patch !== null && existsSync(patch) ? patch : null,
  };
}

function attemptRequest(
  supervision: Supervision,
  known: KnownUnit,
  attempt: number,
  workspace: ProvidedWorkspace,
  environment: NodeJS.ProcessEnv,
  earlier: LastEnd | null,
): RunAttemptRequest {
  const { spec } = known;
  const { run } = supervision.view;
  const resultFile = spec.resultFile ?? defaultResultFile(run, spec.id);
  const promptFile = promptFileOf(run, spec.id);
  const context = contextOf(run.folder);
  const task = promptOf(run, known);
  const promptFor = (stateDir: string): string =>
    wholePrompt({
      run: run.record.id,
      unit: spec.id,
      mode: spec.mode,
      executor: spec.executor,
      resultFile,
      workspace: workspace.folder ?? null,
      baseNote: workspace.baseNote,
      owns: spec.owns,
      context,
      prompt: task,
      ports: workspace.ports,
      verify: spec.verify,
      earlier: earlier && whereItIs(earlier, resultFile, stateDir),
    });
  const executor = executorByName(spec.executor === 'session' ? 'command' : spec.executor);
  const name = programOf(spec, executor, environment);
  const workdir = workspace.folder;
  return {
    unit: spec.id,
    attempt,
    promptFor,
    isResultShared: spec.resultFile !== null,
    watched: workspace.watched,
    promptFile,
    resultFile,
    stateHome: runFile(run, 'attempts'),
    cwd: run.folder,
    workdir,
    limits: spec.limits,
    outerMarker: run.record.outerMarker ?? undefined,
    executorName: spec.executor,
    executor,
    program: resolveProgram(name, run.record.repository ?? run.folder, environment),
    command: {
      sandbox: spec.sandbox ?? (spec.mode === 'worktree' ? 'workspace-write' : 'danger-full-access'),
      ...networkOf(spec),
      ...(spec.reasoningEffort === null ? {} : { reasoningEffort: spec.reasoningEffort }),
      ...(spec.model === null ? {} : { model: spec.model }),
      isolate: spec.isolateMcp,
      environment,
      passEnv: spec.passEnv,
      ...(spec.told ? { told: spec.told } : {}),
      args: spec.argv.slice(1),
      options: spec.options,
    },
    ...wishOf(spec),
  };
}

/** The program that a unit's worker is, as it is looked up. */
function programOf(spec: KnownUnit['spec'], { program }: Executor, environment: NodeJS.ProcessEnv): string {
  if (program === null) return spec.argv[0] ?? '';
  return spec.codexBin ?? spec.options?.bin ?? environment[program.variable] ?? program.name;
}

/** What the supervisor of an attempt must know beyond its record: an adopting one asks again. */
export function wishOf({
  verify,
  passEnv,
  told = {},
  limits,
}: KnownUnit['spec']): Pick<RunAttemptRequest, 'verify' | 'stallNoticeSeconds'> {
  return {
    verify:
      verify === null ? undefined : { command: verify, timeoutSeconds: VERIFY_LIMIT_SECONDS, passEnv, told },
    stallNoticeSeconds: limits.stallNoticeSeconds,
  };
}

/** Units in a worktree have network unless somebody switched it off (DESIGN.md §5). */
function networkOf(spec: KnownUnit['spec']): { network?: boolean } {
  if (spec.network !== null) return { network: spec.network };
  return spec.mode === 'worktree' ? { network: true } : {};
}

function contextOf(folder: string): { file: string; text: string } | null {
  const file = contextFileOf({ folder });
  try {
    return { file, text: readFileSync(file, 'utf8') };
  } catch {
    // The run has none.
    return null;
  }
}
