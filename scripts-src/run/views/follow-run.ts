import { closeSync, fstatSync } from 'node:fs';
import { openForReading, readRange, sizeOf } from '../../platform/files.ts';
import { readEvents } from '../event-log.ts';
import type { RunEvent } from '../records.ts';
import { type Run, runFile } from '../run-folder.ts';
import { applyEvent, createdUnit, type RunView } from '../run-view.ts';
import { type KnownUnits, readUnits } from '../unit-specs.ts';

/** So much of the log before the place that was read to tells whether it is still the same log, bytes. */
const SEAM_BYTES = 256;

/** A run that is read on and on. Only what was appended is read. */
export interface FollowedRun {
  /** The fold of everything that was read. The same object until the log is replaced. */
  view(): RunView;
  /** Reads on; gives the new events. After a replaced or cut log it gives all of what the log holds now. */
  advance(): RunEvent[];
  /** How often the log was found replaced or cut, and read from its beginning. */
  restarts(): number;
}

/** Follows a run's files from their beginning. Reads nothing before the first `advance`. */
export function followRun(run: Run): FollowedRun {
  let known: KnownUnits = { units: new Map(), offset: 0 };
  let view = emptyView(run);
  let seam: Seam | undefined;
  let restarts = 0;

  function addUnits(): void {
    // A look at its size is cheaper than to open and read it, and it seldom grows.
    if (sizeOf(runFile(run, 'units')) === known.offset) return;
    readUnits(run, known);
    if (known.units.size === view.units.size) return;
    for (const [id, { spec }] of known.units) if (!view.units.has(id)) view.units.set(id, createdUnit(spec));
  }

  return {
    view: () => view,
    restarts: () => restarts,
    advance() {
      const now = seamAt(run, view.offset);
      if (seam && !isSameLog(seam, now)) {
        restarts += 1;
        view = emptyView(run);
        // Whoever replaced one file of the folder may have replaced the other.
        known = { units: new Map(), offset: 0 };
      }
      addUnits();
      if (now?.size === view.offset) return [];
      const { events, offset } = readEvents(run, view.offset, view.lastEvent);
      // A unit is added before its first event is written, so an event may tell of one that was not read above.
      if (events.some((event) => 'unit' in event && !view.units.has(event.unit))) addUnits();
      for (const event of events) applyEvent(view, event);
      view.offset = offset;
      seam = seamAt(run, offset);
      return events;
    },
  };
}

/** The log at one moment: which file it is, and the bytes before the place that was read to. */
interface Seam {
  inode: bigint;
  /** Bytes. */
  size: number;
  text: string;
}

function seamAt(run: Run, offset: number): Seam | undefined {
  let fd: number;
  try {
    fd = openForReading(runFile(run, 'events'));
  } catch {
    // Gone, or no descriptor is left: what was read stands until there is a log again.
    return undefined;
  }
  try {
    const from = Math.max(0, offset - SEAM_BYTES);
    const { ino, size } = fstatSync(fd, { bigint: true });
    return {
      inode: ino,
      size: Number(size),
      text: readRange(fd, from, offset - from).toString('latin1'),
    };
  } finally {
    closeSync(fd);
  }
}

/** A log that only grew has the same bytes before the place; one that was cut has fewer, a new one others. */
function isSameLog(before: Seam, now: Seam | undefined): boolean {
  return now === undefined || (now.text === before.text && now.inode === before.inode);
}

function emptyView(run: Run): RunView {
  return { run, units: new Map(), lastEvent: 0, offset: 0, supervisor: null, isAllDone: false };
}
