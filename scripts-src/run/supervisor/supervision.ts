import { appendFileSync } from 'node:fs';
import { wallTime } from '../../platform/clock.ts';
import { PRIVATE_FILE } from '../../platform/files.ts';
import type { ProcessHost } from '../../process/types.ts';
import type { Cancellation } from '../../supervise/interruption.ts';
import type { AttemptContext } from '../../supervise/supervised-attempt.ts';
import type { LastEvidence } from '../../unit/records.ts';
import { type AccountOfUnit, accountsIn } from '../account-of-unit.ts';
import { type EventWriter, eventWriter } from '../event-log.ts';
import type { RequestAnswer, RunEventBody, ScheduleSettings } from '../records.ts';
import { runFile } from '../run-folder.ts';
import { applyEvent, createdUnit, type RunView, type UnitView } from '../run-view.ts';
import { type KnownUnits, readUnits } from '../unit-specs.ts';
import type { AccountState } from './account-state.ts';
import { scheduleOf } from './kept-schedule.ts';
import { defaultJobs, machineNow } from './room-for-start.ts';
import { type UnitLeases, unitLeases } from './unit-leases.ts';

/** A unit that takes part in what happens now: its workspace is being made, or its worker runs. */
export interface ActiveUnit {
  attempt: number;
  /** Whether it takes one of the jobs: a subagent of the session does not. */
  takesJob: boolean;
  lastEvidence(): LastEvidence | undefined;
  cancel(wish: Cancellation): void;
}

/** All that a run's supervisor holds in memory. What it must not forget is on disk. */
export interface Supervision {
  host: ProcessHost;
  context: AttemptContext;
  view: RunView;
  known: KnownUnits;
  schedule: ScheduleSettings;
  /** Queued units whose parents are well, in order. */
  ready: Set<string>;
  /** Queued units that wait for parents. */
  waiting: Set<string>;
  active: Map<string, ActiveUnit>;
  /** Units that name a unit in their `after`. */
  children: Map<string, string[]>;
  /** Name of the environment that a unit was started with. */
  environments: Map<string, string | null>;
  /** Names of all environments that a request has brought. */
  usedEnvironments: Set<string>;
  /** How the last bad attempt of a unit ended, for the prompt of the next. */
  lastEnds: Map<string, LastEnd>;
  /** Attempts of a unit that ended badly: they use up its retries. One whose worker never ran is none of them. */
  badEnds: Map<string, number>;
  /** How often a unit was tried again after failures that may be over soon, since somebody last started it. */
  transientTries: Map<string, number>;
  /** Which account a unit's worker uses. */
  accountOf: AccountOfUnit;
  /** What is known of accounts, by the key of their breakers. */
  accounts: Map<string, AccountState>;
  /** When queued units that wait for their time may go on. */
  pauses: Map<string, UnitPause>;
  /** Units that run at once where nobody said, by what the machine offered when this supervision began. */
  defaultJobs: number;
  /** Slots of the machine that its units hold and wait for. */
  leases: UnitLeases;
  /** Requests that were carried out and whose answer could not be written yet. */
  unanswered: Map<string, Omit<RequestAnswer, 'schema'>>;
  /** Nothing is started before then, monotonic ms: the disk was full. 0 while there is room. */
  heldUntilMs: number;
  log: EventWriter;
  /** Writes events and carries them into the view. */
  emit(...bodies: RunEventBody[]): void;
  /** Has the main loop look at everything again, soon. */
  wake(): void;
  /** Says something in the supervisor's own log. */
  say(text: string): void;
}

/** When a queued unit may go on: what its event says, and the monotonic ms at which the pause is over in any case. */
export interface UnitPause {
  notBefore: string;
  endMs: number;
}

/** What a worker is told of the attempt before its own. */
export interface LastEnd {
  attempt: number;
  reason: string;
  detail: string;
  stateDir: string | null;
}

/** The state of a supervision that has just begun; `emit` writes to the run's event log. */
export function beginSupervision(
  host: ProcessHost,
  context: AttemptContext,
  view: RunView,
  wake: () => void,
): Supervision {
  const say = (text: string): void => {
    try {
      // By its name: the stderr of a successor whom a guardian has started goes nowhere.
      appendFileSync(runFile(view.run, 'supervisorLog'), `${wallTime()} ${text}\n`, { mode: PRIVATE_FILE });
    } catch {
      // A full disk, which may be what there is to say, or the run is being removed: no reason to end.
    }
  };
  const log = eventWriter(view.run, view.lastEvent, (error) => {
    say(`an event could not be written and waits: ${error instanceof Error ? error.message : String(error)}`);
  });
  const supervision: Supervision = {
    ...{ host, context, view, log, wake, say },
    known: { units: new Map(), offset: 0 },
    schedule: scheduleOf(view.run),
    ready: new Set(),
    waiting: new Set(),
    active: new Map(),
    heldUntilMs: 0,
    children: new Map(),
    environments: new Map(),
    usedEnvironments: new Set(),
    lastEnds: new Map(),
    badEnds: new Map(),
    transientTries: new Map(),
    accountOf: accountsIn(view.run),
    accounts: new Map(),
    pauses: new Map(),
    // Once: a run's own memory and load must not lower them.
    defaultJobs: defaultJobs(machineNow()),
    leases: unitLeases(host, view.run, process.env, {
      wake,
      // Later: it may be told while this very object is made.
      note: (text) => queueMicrotask(() => supervision.emit({ type: 'note', text, wakes: true })),
    }),
    unanswered: new Map(),
    emit(...bodies) {
      for (const event of log.write(...bodies)) applyEvent(view, event);
    },
  };
  readNewUnits(supervision);
  return supervision;
}

/** Takes up units that were added since the last time. */
export function readNewUnits({ known, view, children }: Supervision): void {
  const before = known.units.size;
  readUnits(view.run, known);
  if (known.units.size === before) return;
  for (const [id, unit] of [...known.units].slice(before)) {
    // Also at the beginning: one may have been added since the view was read.
    if (!view.units.has(id)) view.units.set(id, createdUnit(unit.spec));
    for (const parent of unit.spec.after) children.set(parent, [...(children.get(parent) ?? []), id]);
  }
}

/** The unit's view. Throws for an id that the run does not have: a fault of the program. */
export function unitOf({ view }: Supervision, id: string): UnitView {
  const unit = view.units.get(id);
  if (!unit) throw new Error(`unit ${id} is not in run ${view.run.record.id}`);
  return unit;
}
