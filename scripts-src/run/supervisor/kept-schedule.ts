import * as z from 'zod/mini';
import { readValue, writeAtomic } from '../../platform/files.ts';
import { RUN_SCHEMA, type ScheduleSettings } from '../records.ts';
import { type Run, refuseNewerRun, runFile } from '../run-folder.ts';
import { scheduleShape } from '../schedule-shape.ts';

/** Keeps what a `start` has changed: it holds for the run from now on, whoever supervises it. Throws the system's error. */
export function keepSchedule(run: Run, schedule: ScheduleSettings): void {
  writeAtomic(runFile(run, 'schedule'), `${JSON.stringify({ schema: RUN_SCHEMA, ...schedule })}\n`);
}

/** The schedule that holds now: the run's own, or the one that was kept. Throws PrunError for a newer schema. */
export function scheduleOf(run: Run): ScheduleSettings {
  const text = readValue(runFile(run, 'schedule'));
  if (!text) return { ...run.record.schedule };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Damaged: written whole, it cannot be torn.
    return { ...run.record.schedule };
  }
  refuseNewerRun(json, runFile(run, 'schedule'));
  const parsed = settings.safeParse(json);
  return parsed.success ? parsed.data : { ...run.record.schedule };
}

const settings = z.object(scheduleShape);
