import { lineOf, messageOf, PrunError } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/fault.ts';
import { forgetEnvironment } from '../keep-environment.ts';
import type { RequestAnswer, Resumption, RunRequest, ScheduleSettings } from '../records.ts';
import { answerRequest, openRequests } from '../requests.ts';
import { resumableOf } from '../resumable.ts';
import { isFinalState } from '../run-view.ts';
import { resumeParked } from './breaker.ts';
import { endWithoutAttempt } from './end-of-unit.ts';
import { keepSchedule } from './kept-schedule.ts';
import { markStale, placeQueued, queueFirst, queueUnit, settleChildren } from './queue-units.ts';
import { readNewUnits, type Supervision, unitOf } from './supervision.ts';

type Answer = Omit<RequestAnswer, 'schema'>;

/** Carries out what commands have asked for, oldest first, and answers them. */
export function handleRequests(supervision: Supervision): void {
  for (const { name, request } of openRequests(supervision.view.run)) {
    if ('environment' in request && request.environment !== null) {
      supervision.usedEnvironments.add(request.environment);
    }
    const answer = supervision.unanswered.get(name) ?? answerTo(supervision, request);
    faultPoint('run:carried-out', supervision.view.run.folder);
    try {
      answerRequest(supervision.view.run, name, answer);
      const kept = 'environment' in request ? request.environment : null;
      if (kept !== null && answer.units.length === 0) forgetEnvironment(supervision.view.run, kept);
      supervision.unanswered.delete(name);
    } catch (error) {
      // A full disk: the units go on, and whoever asked is answered when there is room.
      if (!supervision.unanswered.has(name))
        supervision.say(`a request waits for its answer: ${messageOf(error)}`);
      supervision.unanswered.set(name, answer);
    }
  }
}

function answerTo(supervision: Supervision, request: RunRequest): Answer {
  try {
    readNewUnits(supervision);
  } catch (error) {
    // A newer prun has added a unit: those that this one knows go on.
    const why = error instanceof PrunError ? lineOf(error) : messageOf(error);
    supervision.say(why);
    return { units: [], refused: [{ unit: '*', why }] };
  }
  return carryOut(supervision, request);
}

function carryOut(supervision: Supervision, request: RunRequest): Answer {
  switch (request.type) {
    case 'start':
      return start(supervision, request);
    case 'retry':
      return retry(supervision, request);
    case 'resume':
      return request.units === null
        ? resumeParked(supervision, request.environment)
        : resume(supervision, request.units, request.environment);
    case 'cancel':
      return cancel(supervision, request);
  }
}

function start(supervision: Supervision, request: Extract<RunRequest, { type: 'start' }>): Answer {
  changeSchedule(supervision, request.schedule);
  const all = [...supervision.view.units.keys()];
  const wanted = request.units ?? all.filter((id) => unitOf(supervision, id).state === 'created');
  const answer = sorted(supervision, wanted, (id) => {
    const { state } = unitOf(supervision, id);
    return state === 'created' ? undefined : `it was started already, and is ${state}`;
  });
  queueFirst(supervision, answer.units, request.environment);
  placeQueued(supervision, answer.units);
  // A child that was started before its parent was blocked until now.
  for (const id of answer.units) settleChildren(supervision, id);
  return answer;
}

function changeSchedule({ view, schedule, say }: Supervision, change: Partial<ScheduleSettings>): void {
  if (Object.keys(change).length === 0) return;
  Object.assign(schedule, change);
  try {
    keepSchedule(view.run, schedule);
  } catch (error) {
    // A full disk: it holds as long as this supervisor lives.
    say(`the schedule could not be kept: ${messageOf(error)}`);
  }
}

function retry(supervision: Supervision, request: Extract<RunRequest, { type: 'retry' }>): Answer {
  const answer = sorted(supervision, request.units, (id) => {
    const { state } = unitOf(supervision, id);
    if (state === 'created') return 'it was never started';
    return isFinalState(state) ? undefined : `it is ${state}`;
  });
  for (const id of answer.units) markStale(supervision, id);
  for (const id of answer.units) {
    queueUnit(supervision, id, unitOf(supervision, id).attempt + 1, 'retry', request.environment);
  }
  placeQueued(supervision, answer.units);
  for (const id of answer.units) settleChildren(supervision, id);
  return answer;
}

/** Sessions go on, each in a further attempt of its unit. What can was asked by the command, and is asked again. */
function resume(
  supervision: Supervision,
  wishes: NonNullable<Extract<RunRequest, { type: 'resume' }>['units']>,
  environment: string | null,
): Answer {
  const wishOf = new Map(wishes.map(({ unit, ...wish }) => [unit, wish]));
  const resumptions = new Map<string, Resumption>();
  const answer = sorted(supervision, [...wishOf.keys()], (id) => {
    const resumable = resumableOf(supervision.view, unitOf(supervision, id));
    if (resumable.kind === 'none') return resumable.why;
    resumptions.set(id, { promptFile: null, ...wishOf.get(id), ...resumable.session });
    return undefined;
  });
  for (const id of answer.units) markStale(supervision, id);
  for (const id of answer.units) {
    const { attempt } = unitOf(supervision, id);
    const resumption = resumptions.get(id) ?? null;
    queueUnit(supervision, id, attempt + 1, 'resume', environment, { resume: resumption });
  }
  placeQueued(supervision, answer.units);
  for (const id of answer.units) settleChildren(supervision, id);
  return answer;
}

function cancel(supervision: Supervision, request: Extract<RunRequest, { type: 'cancel' }>): Answer {
  const open = [...supervision.view.units.keys()].filter(
    (id) => !isFinalState(unitOf(supervision, id).state) || unitOf(supervision, id).state === 'blocked',
  );
  const answer = sorted(supervision, request.units ?? open, (id) => {
    const { state } = unitOf(supervision, id);
    return isFinalState(state) && state !== 'blocked' ? `it is ${state} already` : undefined;
  });
  const wish = { by: 'prun cancel', graceMs: request.graceSeconds * 1000 };
  // First those that wait: a running parent's end must not start its child.
  for (const id of answer.units.filter((unit) => !supervision.active.has(unit))) {
    endWithoutAttempt(supervision, id, {
      status: 'cancelled',
      reason: 'cancelled',
      detail: 'it was cancelled before it was started',
    });
  }
  for (const id of answer.units) {
    const active = supervision.active.get(id);
    if (!active) continue;
    // Before anything is done: a successor carries it out where this process dies in between.
    const { attempt } = active;
    supervision.emit({ type: 'cancelling', unit: id, attempt, graceSeconds: request.graceSeconds });
    active.cancel(wish);
  }
  return answer;
}

/** Which of the units it can be done for; for the others why not. */
function sorted(
  { view }: Supervision,
  wanted: readonly string[],
  refusal: (id: string) => string | undefined,
): Answer {
  const answer: Answer = { units: [], refused: [] };
  for (const id of new Set(wanted)) {
    const why = view.units.has(id) ? refusal(id) : 'there is no such unit';
    if (why === undefined) answer.units.push(id);
    else answer.refused.push({ unit: id, why });
  }
  return answer;
}
