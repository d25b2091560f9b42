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
}

/** Proves of a run that is over what the promises say, from its files, without prun's own readers. */
export async function proveRun(
  place: RunPlace,
  units: readonly TorturedUnit[],
  story: RunStory,
  instants: Instants,
): Promise<void> {
  const events = eventsOf(place);
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

/** The log, line by line: every line is whole, and numbers have no gap. */
function eventsOf({ runFolder }: RunPlace): RunEvent[] {
  const text = textOf(path.join(runFolder, 'events.jsonl'));
  expect(text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RunEvent);
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
    if (!parentsAreWell) expect(end, `${unit.id} comes after one that is not well\n${said}`).toBe('blocked');
    else if (!touched.has(unit.id)) expect(end, `${unit.id} ${unit.doing}\n${said}`).toBe(expectedEnd(unit));
    if (end === 'blocked') continue;
    const result = textOf(path.join(place.runFolder, 'agent-io', 'results', `${unit.id}.md`));
    expect(result.trim(), `${unit.id} left something to read`).not.toBe('');
    if (end !== 'succeeded ok') continue;
    const marker = /^Conclusion: written by (.+)$/m.exec(result)?.[1];
    expect(
      result.endsWith(`END ${marker}\n`),
      `the result of ${unit.id} is whole: ${result.slice(-200)}`,
    ).toBe(true);
    const own = attemptsOf(place)
      .filter(({ record: { unit: id } }) => id === unit.id)
      .sort((a, b) => b.record.attempt - a.record.attempt)[0];
    expect(marker, `the result of ${unit.id} is its last attempt's\n${said}`).toBe(own?.record.marker);
  }
}

/** No process, no draft, no half-written file, no kept environment. */
function proveNothingLeft(place: RunPlace, attempts: readonly Attempt[], said: string): void {
  expect(processesOf({ word: place.word }), said).toEqual([]);
  for (const {
    record: { marker, rssMark },
  } of attempts)
    expect(processesOf({ marker, rssMark }), said).toEqual([]);
  const names = readdirSync(place.runFolder, { recursive: true, encoding: 'utf8' });
  expect(
    names.filter((name) => /\.draft$|\.tmp$/.test(name)),
    said,
  ).toEqual([]);
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
    const isNamed = new RegExp(`^UNIT ${id} ${status}${reason === '' ? '' : `\\(${reason}\\)`}`, 'm').test(
      said,
    );
    const isMentioned = new RegExp(`^UNIT ${id} `, 'm').test(said);
    if (status === 'succeeded') expect(isMentioned, `${id} is in no doubt: ${said}`).toBe(false);
    else expect(isNamed, `${id} ${status} ${reason}: ${said}`).toBe(true);
  }
}
