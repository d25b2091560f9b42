import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { RunEvent } from '../../scripts-src/run/records.ts';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';
import { processesOf } from '../helpers/process-table.ts';
import type { Instants } from './run-instants.ts';
import { callPrun, type RunPlace, textOf } from './run-place.ts';
import { beginnings, expectedEnd, type TorturedUnit, touchedBy } from './run-units.ts';
import { type Attempt, attemptsOf, namesIn } from './run-victims.ts';
import { expectOneOutcome, record } from './unit-case.ts';

type Ended = Extract<RunEvent, { type: 'ended' }>;

/** What a case came to, for whoever counts. */
export interface RunStory {
  /** Markers of attempts of which a process was struck. */
  struck: Set<string>;
  /** What all waits have said, those that were killed included. */
  told: string[];
  /** Exit codes of the waits that ended by themselves. */
  exits: number[];
  supervisors: number;
  /** Whether the test has torn the event log itself. */
  isTorn?: boolean;
}

/** Proves of a run that is over what the promises say, from its files, without prun's own readers. */
export async function proveRun(
  place: RunPlace,
  units: readonly TorturedUnit[],
  story: RunStory,
  instants: Instants,
): Promise<void> {
  const events = eventsOf(place, story.isTorn ?? false);
  const attempts = attemptsOf(place);
  const said = `${textOf(path.join(place.runFolder, 'events.jsonl'))}\n${textOf(path.join(place.runFolder, 'supervisor.log'))}`;
  proveNumbers(events, said);
  for (const attempt of attempts) proveAttempt(attempt, instants, events, said);
  proveBeginnings(place, attempts, said);
  const ends = finalEnds(events, units, said);
  proveVerdicts(place, units, ends, story, said);
  proveNothingLeft(place, attempts, said);
  proveTold(events, story, said);
  await proveReconciled(place, units, ends);
  record({
    supervisors: story.supervisors,
    waits: story.told.length,
    struck: story.struck.size,
    events: events.length,
  });
}

/**
 * The log, line by line: every line is whole. Where a test has torn one, that one is passed over, as prun does, and so
 * is an event whose number is not greater than the one before.
 */
function eventsOf({ runFolder }: RunPlace, isTorn: boolean): RunEvent[] {
  const text = textOf(path.join(runFolder, 'events.jsonl'));
  expect(text.endsWith('\n')).toBe(true);
  const lines = text.split('\n').filter(Boolean);
  if (!isTorn) return lines.map((line) => JSON.parse(line) as RunEvent);
  const events: RunEvent[] = [];
  for (const line of lines) {
    const event = wholeEvent(line);
    if (event && event.n > (events.at(-1)?.n ?? 0)) events.push(event);
  }
  return events;
}

function wholeEvent(line: string): RunEvent | undefined {
  try {
    return JSON.parse(line) as RunEvent;
  } catch {
    // The torn one.
    return undefined;
  }
}

function proveNumbers(events: readonly RunEvent[], said: string): void {
  expect(
    events.map(({ n }) => n),
    said,
  ).toEqual(events.map((_, at) => at + 1));
  expect(events.at(-1)?.type === 'all-done' || events.some(({ type }) => type === 'all-done'), said).toBe(
    true,
  );
}

/** One outcome, whole, written once, nobody alive at its instant; the log says the same. */
function proveAttempt(
  { stateDir, record: { unit, attempt } }: Attempt,
  { alive, texts }: Instants,
  events: readonly RunEvent[],
  said: string,
): void {
  expectOneOutcome(stateDir);
  const text = textOf(path.join(stateDir, 'outcome.json'));
  expect(texts.get(stateDir), `${stateDir} has one outcome\n${said}`).toBe(text);
  expect(alive.get(stateDir), `${stateDir}\n${text}\n${said}`).toEqual([]);
  const outcome = JSON.parse(text) as OutcomeRecord;
  expect(outcome.survivors, said).toEqual([]);
  expect({ unit: outcome.unit, attempt: outcome.attempt }).toEqual({ unit, attempt });
  if (outcome.result === null) expect(outcome.resultError).toBeTruthy();
  const ends = events.filter(
    (event): event is Ended => event.type === 'ended' && event.stateDir === stateDir,
  );
  if (wasStarted(stateDir)) {
    expect(
      ends.map(({ status, reason }) => `${status} ${reason}`),
      `the log says of ${stateDir} what its outcome says\n${said}`,
    ).toEqual([`${outcome.status} ${outcome.reason}`]);
  } else {
    // Its worker never ran: no attempt that counts, and the unit was queued again.
    expect(ends, `${stateDir} was never started\n${said}`).toEqual([]);
  }
}

function wasStarted(stateDir: string): boolean {
  return textOf(path.join(stateDir, 'started')).trim() !== '';
}

/** No worker began twice, and none that an outcome says nothing of. */
function proveBeginnings(place: RunPlace, attempts: readonly Attempt[], said: string): void {
  const markers = new Set(
    attempts.filter(({ stateDir }) => wasStarted(stateDir)).map(({ record: { marker } }) => marker),
  );
  for (const [marker, times] of beginnings(place, textOf)) {
    expect(times, `${marker} began once\n${said}`).toBe(1);
    expect(markers.has(marker), `${marker} has a state dir\n${said}`).toBe(true);
  }
}

/** Every unit has one final end, or is blocked. */
function finalEnds(
  events: readonly RunEvent[],
  units: readonly TorturedUnit[],
  said: string,
): Map<string, string> {
  const ends = new Map<string, string>();
  for (const { id } of units) {
    const final = events.filter(
      (event): event is Ended => event.type === 'ended' && event.unit === id && event.isFinal,
    );
    const blocked = events.filter((event) => event.type === 'blocked' && event.unit === id);
    expect(final.length + blocked.length, `${id} ended once\n${said}`).toBe(1);
    const perAttempt = events.flatMap((event) =>
      event.type === 'ended' && event.unit === id ? [event.attempt] : [],
    );
    expect(new Set(perAttempt).size, `each attempt of ${id} ended once\n${said}`).toBe(perAttempt.length);
    ends.set(id, final[0] ? `${final[0].status} ${final[0].reason}` : 'blocked');
  }
  return ends;
}

/** Whatever was done to supervisors, a unit ends as its worker did; a result is whole and by the right attempt. */
function proveVerdicts(
  place: RunPlace,
  units: readonly TorturedUnit[],
  ends: ReadonlyMap<string, string>,
  story: RunStory,
  said: string,
): void {
  const touched = touchedBy(units, story.struck);
  for (const unit of units) {
    const end = ends.get(unit.id);
    const parentsAreWell = unit.after.every((parent) => ends.get(parent) === 'succeeded ok');
    if (!parentsAreWell && !isStruck(unit, story))
      expect(end, `${unit.id} comes after one that is not well\n${said}`).toBe('blocked');
    else if (!touched.has(unit.id)) expect(end, `${unit.id} ${unit.doing}\n${said}`).toBe(expectedEnd(unit));
    if (end === 'blocked') continue;
    const result = textOf(path.join(place.runFolder, 'agent-io', 'results', `${unit.id}.md`));
    const own = lastAttemptOf(place, unit.id);
    // Where none could be written, the outcome says why (proveAttempt).
    if (hasResult(own)) expect(result.trim(), `${unit.id} left something to read\n${said}`).not.toBe('');
    if (end !== 'succeeded ok') continue;
    const marker = /^Conclusion: written by (.+)$/m.exec(result)?.[1];
    expect(
      result.endsWith(`END ${marker}\n`),
      `the result of ${unit.id} is whole: ${result.slice(-200)}`,
    ).toBe(true);
    if (unit.mode === 'clone') proveDelta(units, unit, own, result, said);
    expect(marker, `the result of ${unit.id} is its last attempt's\n${said}`).toBe(own?.record.marker);
  }
}

/** What a unit did in its clone is in its archived delta, and it was built on what its parents did in theirs. */
function proveDelta(
  units: readonly TorturedUnit[],
  unit: TorturedUnit,
  own: Attempt | undefined,
  result: string,
  said: string,
): void {
  const stateDir = own?.stateDir ?? '';
  const outcome = JSON.parse(textOf(path.join(stateDir, 'outcome.json'))) as OutcomeRecord;
  expect(outcome.delta?.state, `${unit.id}: ${JSON.stringify(outcome.delta)}\n${said}`).toBe('collected');
  const patch = textOf(path.join(stateDir, 'delta.patch'));
  expect(patch, `the delta of ${unit.id}`).toContain(`+made by ${own?.record.marker}\n`);
  expect(patch.match(/^diff --git /gm)?.length, `the delta of ${unit.id}: ${patch}`).toBe(1);
  const parents = unit.after.filter((parent) =>
    units.some(({ id, mode }) => id === parent && mode === 'clone'),
  );
  const seen = /^Seen: (.*)$/m.exec(result)?.[1]?.split(' ');
  for (const parent of parents) expect(seen, `${unit.id} builds on ${parent}`).toContain(`made-by-${parent}`);
}

/** Whether a blow was meant for the unit itself: one that was cancelled need not be blocked. */
function isStruck({ id }: TorturedUnit, { struck }: RunStory): boolean {
  return [...struck].some((marker) => marker.startsWith(`${id}-`));
}

function lastAttemptOf(place: RunPlace, unit: string): Attempt | undefined {
  const own = attemptsOf(place).filter(({ record }) => record.unit === unit);
  return own.sort((a, b) => b.record.attempt - a.record.attempt)[0];
}

function hasResult(attempt: Attempt | undefined): boolean {
  const text = attempt && textOf(path.join(attempt.stateDir, 'outcome.json'));
  return !!text && (JSON.parse(text) as OutcomeRecord).result !== null;
}

/** No process, no draft, no half-written file, no kept environment. */
function proveNothingLeft(place: RunPlace, attempts: readonly Attempt[], said: string): void {
  expect(processesOf({ word: place.word }), said).toEqual([]);
  for (const {
    record: { marker, rssMark },
  } of attempts)
    expect(processesOf({ marker, rssMark }), said).toEqual([]);
  // A killed clone's own drafts, in the set of workspaces, are the next one's to remove.
  const names = readdirSync(place.runFolder, { recursive: true, encoding: 'utf8' });
  // As one text: a list's names would not be shown.
  expect(names.filter((name) => /\.draft$|\.tmp$/.test(name)).join('\n'), said).toBe('');
  expect(namesIn(path.join(place.runFolder, 'requests')), said).toEqual([]);
  expect(namesIn(path.join(place.runFolder, 'environments')), said).toEqual([]);
}

/** P7: every failure wakes at least once, whoever was killed meanwhile. */
function proveTold(events: readonly RunEvent[], { told }: RunStory, said: string): void {
  const text = told.join('\n');
  for (const event of events) {
    if (event.type === 'ended' && event.wakes)
      expect(text, `${event.unit} was told\n${said}`).toMatch(line(event.unit, event.status));
    if (event.type === 'blocked')
      expect(text, `${event.unit} was told\n${said}`).toMatch(line(event.unit, 'blocked'));
  }
}

function line(unit: string, state: string): RegExp {
  return new RegExp(`^UNIT ${unit} ${state}`, 'm');
}

/** `reconcile` says what the files say. */
async function proveReconciled(
  place: RunPlace,
  units: readonly TorturedUnit[],
  ends: ReadonlyMap<string, string>,
): Promise<void> {
  const call = callPrun(place, ['reconcile', '--run', place.run]);
  const code = await call.ended;
  const isWhole = units.every(({ id }) => ends.get(id) === 'succeeded ok');
  const said = `${call.stdout()}${call.stderr()}`;
  expect(code, said).toBe(isWhole ? 0 : 36);
  for (const { id } of units) {
    const [status = '', reason = ''] = (ends.get(id) ?? '').split(' ');
    const shown = reason === '' || reason === status ? status : `${status}\\(${reason}\\)`;
    const isNamed = new RegExp(`^(?:UNIT ${id} ${shown}|NEVER-STARTED .*\\b${id}\\b)`, 'm').test(said);
    const isMentioned = new RegExp(`^UNIT ${id} `, 'm').test(said);
    if (status === 'succeeded') expect(isMentioned, `${id} is in no doubt: ${said}`).toBe(false);
    else expect(isNamed, `${id} ${status} ${reason}: ${said}`).toBe(true);
  }
}
