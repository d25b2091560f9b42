import path from 'node:path';
import { wallTime } from '../../platform/clock.ts';
import { messageOf, plainError } from '../../platform/errors.ts';
import { shortHash } from '../../platform/random.ts';
import { formatIdentity, identify } from '../../process/identity.ts';
import { LEASES, type ProcessHost } from '../../process/types.ts';
import { STATE_FILES } from '../../unit/state-dir.ts';
import { rewriteLease } from '../../validate/lease-changes.ts';
import { type LeaseDesk, type LeaseWish, openLeaseDesk } from '../../validate/lease-desk.ts';
import { type LeasePlace, leasePlace, makeLeasePlace, resourceHome } from '../../validate/lease-place.ts';
import { readSlots } from '../../validate/lease-slots.ts';
import { newestTable } from '../../validate/lease-store.ts';
import { standingOf } from '../../validate/lease-table.ts';
import { waitTexts } from '../../validate/lease-text.ts';
import { type IsMachineWide, machineWideBelow } from '../machine-slots.ts';
import type { Run } from '../run-folder.ts';

/** What a unit is leased for: its whole attempt, or its check. */
type Purpose = 'work' | 'check';

/** Behind the unit's name in the id of its check's lease; no unit's name has a dot. */
const CHECK = '.check';
/** How soon a check asks again where the resource home could not be used, ms. */
const TRY_AGAIN_MS = 2000;

/** The machine's slots that the units of a run hold and wait for, all of them in its one supervisor. */
export interface UnitLeases {
  isMachineWide: IsMachineWide;
  /** Whether a unit may start: it needs no slots, or has them. What it needs is asked for; `wake` tells when it is there. */
  mayStart(unit: string, resources: readonly string[]): boolean;
  /** Units that have their slots. */
  granted(): string[];
  /** What worker and check are told of the slots that are held, so that a `resource-run` below need not wait for them. */
  toldTo(unit: string): Record<string, string>;
  /** Notes who keeps a unit's slots while its worker lives, whatever becomes of this process. */
  keptBy(unit: string, stateDir: string, marker: string): void;
  /** The same for the process of a unit's check. */
  keptByCheck(unit: string, pid: number): void;
  /** Gives a unit's slots back, or takes its wish back. */
  drop(unit: string): void;
  /** Gives back whatever belongs to no unit that is ready or active. */
  dropOthers(isWanted: (unit: string) => boolean): void;
  /** Waits for the slots of a unit's check; false where `stop` came first. */
  holdForCheck(
    unit: string,
    resources: readonly string[],
    stop: Promise<unknown> | undefined,
  ): Promise<boolean>;
  /** Ends the lease of a check. */
  endCheck(unit: string): void;
  /** What each name is waited for, for people, by name. */
  waits(): Map<string, string>;
  close(): void;
}

/** One wish of this run. */
interface Asked {
  unit: string;
  purpose: Purpose;
  resources: readonly string[];
}

/** Leases for a run; nothing is touched before a unit needs a slot. */
export function unitLeases(
  host: ProcessHost,
  run: Run,
  environment: NodeJS.ProcessEnv,
  { wake, note }: { wake(): void; note(text: string): void },
): UnitLeases {
  const isMachineWide = machineWideBelow(host, environment);
  const home = resourceHome(environment);
  const asked = new Map<string, Asked>();
  const waitingChecks = new Set<() => void>();
  let opened: { place: LeasePlace; desk: LeaseDesk } | undefined;

  /** undefined where the home cannot be used now: said once for each reason, and tried again. */
  function open(): { place: LeasePlace; desk: LeaseDesk } | undefined {
    return attempt(() => {
      if (opened) return opened;
      const place = makeLeasePlace(host, home);
      opened = { place, desk: openLeaseDesk(place, { onChange, onTrouble: trouble }) };
      return opened;
    });
  }

  function onChange(): void {
    for (const look of waitingChecks) look();
    wake();
  }

  let said = '';
  function trouble(text: string): void {
    if (text !== said) note(`units wait for slots of the machine: ${text}`);
    said = text;
  }

  function attempt<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      const known = plainError(error);
      trouble(known ? `${known.message}: ${known.next}` : messageOf(error));
      return undefined;
    }
  }

  // A successor is on its way as long as the guardian lives.
  const guardianFile = path.join(run.folder, 'guardian', STATE_FILES.guardian);
  const prefix = `run-${shortHash(run.folder)}-${run.record.id}.`;
  const idFor = (unit: string, purpose: Purpose): string =>
    `${prefix}${unit}${purpose === 'check' ? CHECK : ''}`;

  /** What a supervisor before this one has asked for is this one's: its guardian has kept it. */
  function takeOver(): void {
    const { holders, waiters } = newestTable(leasePlace(host, home));
    const left = [...holders, ...waiters].filter(({ id }) => id.startsWith(prefix));
    const place = left.length > 0 ? open()?.place : undefined;
    if (!place) return;
    for (const { id, resources } of left) {
      const name = id.slice(prefix.length);
      const purpose = name.endsWith(CHECK) ? 'check' : 'work';
      const unit = purpose === 'check' ? name.slice(0, -CHECK.length) : name;
      rewriteLease(place, id, { owner: self() });
      opened?.desk.resume(wishFor(unit, purpose, resources));
      asked.set(id, { unit, purpose, resources });
    }
  }

  function self(): string {
    const id = identify(host, process.pid);
    return id ? formatIdentity(id) : '';
  }

  function wishFor(unit: string, purpose: Purpose, resources: readonly string[]): LeaseWish {
    return {
      id: idFor(unit, purpose),
      resources: [...new Set(resources)].sort(),
      kind: 'unit',
      owner: self(),
      keepers: [guardianFile],
      folder: null,
      marker: null,
      what: `unit ${unit} of run ${run.record.id}${purpose === 'check' ? ' (verify)' : ''}`,
      since: wallTime(),
      outer: [],
    };
  }

  function standing(unit: string, purpose: Purpose): 'held' | 'waiting' | 'gone' {
    return opened ? standingOf(opened.desk.table(), idFor(unit, purpose)) : 'gone';
  }

  function ask(unit: string, purpose: Purpose, resources: readonly string[]): void {
    const counter = open();
    if (!counter) return;
    attempt(() => {
      // First: who asks may hold at once, and is told so.
      asked.set(idFor(unit, purpose), { unit, purpose, resources });
      try {
        counter.desk.ask(wishFor(unit, purpose, resources));
      } catch (error) {
        asked.delete(idFor(unit, purpose));
        throw error;
      }
    });
  }

  function end(unit: string, purpose: Purpose): void {
    const id = idFor(unit, purpose);
    if (!asked.delete(id) || !opened) return;
    if (standing(unit, purpose) === 'held' || opened.desk.withdraw(id)) opened.desk.giveBack(id);
  }

  function isHeld(unit: string, purpose: Purpose): boolean {
    return asked.has(idFor(unit, purpose)) && standing(unit, purpose) === 'held';
  }

  function heldOf(unit: string): Purpose | undefined {
    return (['work', 'check'] as const).find((purpose) => isHeld(unit, purpose));
  }

  /** One wish of a run waits for each name: a run of a hundred units must not be a hundred before everybody else. */
  function isAskedByAnother(resources: readonly string[]): boolean {
    return [...asked.values()].some(
      (other) =>
        other.resources.some((name) => resources.includes(name)) &&
        standing(other.unit, other.purpose) !== 'held',
    );
  }

  attempt(takeOver);
  return {
    isMachineWide,
    mayStart(unit, resources) {
      const wanted = resources.filter(isMachineWide);
      if (wanted.length === 0) return true;
      if (!asked.has(idFor(unit, 'work')) && !isAskedByAnother(wanted)) ask(unit, 'work', wanted);
      return isHeld(unit, 'work');
    },
    granted: () =>
      [...asked.values()].flatMap(({ unit, purpose }) =>
        purpose === 'work' && isHeld(unit, 'work') ? [unit] : [],
      ),
    // Prun's own variables are kept from workers: this one must know the home all the same.
    toldTo(unit) {
      const held = heldOf(unit);
      return held === undefined ? {} : { [LEASES]: idFor(unit, held), PRUN_RESOURCE_HOME: home };
    },
    keptBy(unit, stateDir, marker) {
      const counter = opened;
      if (!counter || !isHeld(unit, 'work')) return;
      attempt(() => rewriteLease(counter.place, idFor(unit, 'work'), { folder: stateDir, marker }));
    },
    keptByCheck(unit, pid) {
      const [counter, held, check] = [opened, heldOf(unit), identify(host, pid)];
      if (!counter || held === undefined || !check) return;
      const keepers = [guardianFile, formatIdentity(check)];
      attempt(() => rewriteLease(counter.place, idFor(unit, held), { keepers }));
    },
    drop(unit) {
      end(unit, 'work');
      end(unit, 'check');
    },
    dropOthers(isWanted) {
      for (const { unit, purpose } of [...asked.values()]) if (!isWanted(unit)) end(unit, purpose);
    },
    async holdForCheck(unit, resources, stop) {
      const held = asked.get(idFor(unit, 'work'))?.resources ?? [];
      if (resources.every((name) => held.includes(name))) return true;
      // Not both at once: two who hold one and wait for the other would wait for ever.
      end(unit, 'work');
      ask(unit, 'check', resources);
      return heldOrStopped(unit, resources, stop);
    },
    endCheck: (unit) => end(unit, 'check'),
    waits,
    close() {
      for (const { unit, purpose } of [...asked.values()]) end(unit, purpose);
      opened?.desk.close();
    },
  };

  function heldOrStopped(
    unit: string,
    resources: readonly string[],
    stop: Promise<unknown> | undefined,
  ): Promise<boolean> {
    return new Promise((resolve) => {
      let isOver = false;
      const finish = (isThere: boolean): void => {
        // A stop may come while the check runs: then it is not for this wait.
        if (isOver) return;
        isOver = true;
        waitingChecks.delete(look);
        clearInterval(timer);
        if (!isThere) end(unit, 'check');
        resolve(isThere);
      };
      const look = (): void => {
        if (isHeld(unit, 'check')) finish(true);
      };
      // A home that could not be used is tried again.
      const timer = setInterval(() => {
        if (!asked.has(idFor(unit, 'check'))) ask(unit, 'check', resources);
        look();
      }, TRY_AGAIN_MS);
      waitingChecks.add(look);
      void stop?.then(() => finish(false));
      look();
    });
  }

  function waits(): Map<string, string> {
    if (!opened) return new Map(said === '' ? [] : [['*', said]]);
    const slotsOf = attempt(() => readSlots(home))?.of ?? (() => undefined);
    return waitTexts(opened.desk.table(), new Set(asked.keys()), slotsOf, Date.now());
  }
}
