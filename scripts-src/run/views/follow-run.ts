import { closeSync, fstatSync } from 'node:fs';
import { openForReading, readRange, sizeOf } from '../../platform/files.ts';
import { readEvents } from '../event-log.ts';
import type { RunEvent } from '../records.ts';
import { type Run, runFile } from '../run-folder.ts';
import { applyEvent, createdUnit, emptyView, type RunView } from '../run-view.ts';
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
      for (let tries = 0; ; tries++) {
        addUnits();
        const { events, offset } = readOn();
        const next = seamAt(run, offset);
        // Looked at after the read: a log that is replaced meanwhile was read at a place that means nothing in it.
        if (tries < RESTARTS && !isSameLog(seam, seamAt(run, view.offset), next, offset)) {
          startAgain();
          continue;
        }
        // A unit is added before its first event is written, so an event may tell of one that was not read above.
        if (events.some((event) => 'unit' in event && !view.units.has(event.unit))) addUnits();
        for (const event of events) applyEvent(view, event);
        view.offset = offset;
        seam = next ?? seam;
        return events;
      }
    },
  };

  function readOn(): ReturnType<typeof readEvents> {
    // A look at its size is cheaper than to open and read it.
    if (sizeOf(runFile(run, 'events')) === view.offset) return { events: [], offset: view.offset };
    return readEvents(run, view.offset, view.lastEvent);
  }

  function startAgain(): void {
    restarts += 1;
    seam = undefined;
    view = emptyView(run);
    // Whoever replaced one file of the folder may have replaced the other.
    known = { units: new Map(), offset: 0 };
  }
}

/** A log that is replaced faster than it is read is read on at the next call. */
const RESTARTS = 3;

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
    // Gone, or no descriptor is left.
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

/**
 * Whether the log only grew. `before`: what stood before the place that was read to, `now`: what stands there after the
 * read, `next`: what stands before the new place. One that was cut has less, a new one something else.
 */
function isSameLog(
  before: Seam | undefined,
  now: Seam | undefined,
  next: Seam | undefined,
  offset: number,
): boolean {
  // It has gone: what was read stands until there is a log again.
  if (now === undefined || next === undefined) return true;
  if (next.size < offset || now.size < offset) return false;
  return before === undefined || (now.text === before.text && now.inode === before.inode);
}
