import { existsSync } from 'node:fs';
import { monotonicMs } from '../platform/clock.ts';
import { stateFile } from '../unit/state-dir.ts';
import { readEvents } from './event-log.ts';
import { applyEvent, isFinalState, type RunView } from './run-view.ts';

const LOOK_MS = 50;
const ENSURE_MS = 2000;

/** What waiting for units needs. */
export interface UntilEnded {
  units: readonly string[];
  limitMs: number;
  /** Called now and then: sees to it that somebody supervises the run. */
  ensure: () => Promise<unknown>;
}

/**
 * Waits until units have ended: the log says so, or their outcome is written, and then all their processes are gone
 * (promises P1 and P2). The view is kept up to date meanwhile. Gives those that have not ended when the time is up.
 */
export async function untilEnded(view: RunView, { units, limitMs, ensure }: UntilEnded): Promise<string[]> {
  const deadline = monotonicMs() + limitMs;
  let ensuredMs = monotonicMs();
  for (;;) {
    readOn(view);
    const left = units.filter((unit) => !hasEnded(view, unit));
    if (left.length === 0 || monotonicMs() >= deadline) return left;
    if (monotonicMs() - ensuredMs >= ENSURE_MS) {
      await ensure();
      ensuredMs = monotonicMs();
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Only what was appended: the units are known. */
function readOn(view: RunView): void {
  const { events, offset } = readEvents(view.run, view.offset, view.lastEvent);
  for (const event of events) applyEvent(view, event);
  view.offset = offset;
}

function hasEnded({ units }: RunView, id: string): boolean {
  const unit = units.get(id);
  if (!unit || isFinalState(unit.state)) return true;
  return unit.stateDir !== null && existsSync(stateFile(unit.stateDir, 'outcome'));
}
