import type { Run } from '../run-folder.ts';
import { createdUnit, type RunView } from '../run-view.ts';
import { readUnits } from '../unit-specs.ts';

/** The units of a run as they were added, without what became of them: for a command that checks names. */
export function viewUnits(run: Run): Pick<RunView, 'run' | 'units'> {
  const units: RunView['units'] = new Map();
  for (const [id, { spec }] of readUnits(run).units) units.set(id, createdUnit(spec));
  return { run, units };
}
