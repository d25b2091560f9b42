import { isTreesFault } from '../validate/validation-records.ts';
import type { CommandText } from './command-text.ts';
import { resumableOf } from './resumable.ts';
import type { RunView, UnitView } from './run-view.ts';
import { VALIDATION_UNIT } from './validation-unit.ts';

/** A command that helps after failures, and what it does, in a few words that can stand before it. */
export interface HelpStep {
  label: string;
  command: string;
}

/** Units that a command names. */
const NAMED = 5;

/** After these the same session would only fail again. */
const NOT_IN_SESSION: readonly UnitView['reason'][] = ['context', 'session-lost'];

/**
 * What helps units that did not end well, first what is to be tried first: their sessions go on where they can, else fresh
 * attempts. A validation that found a fault of the tree is only right again after a unit is. Looks at the state dirs and
 * workspaces of at most five of them.
 */
export function stepsAfterFailures(
  view: Pick<RunView, 'run' | 'units'>,
  units: readonly UnitView[],
  command: CommandText,
): HelpStep[] {
  const found = units.find(hasFoundFault);
  const others = units.filter((unit) => unit !== found);
  const goOn = others.length > NAMED ? [] : others.filter((unit) => canGoOn(view, unit));
  const resume = { label: 'its session goes on', command: command('resume', ...named(goOn)) };
  const retry = { label: 'a fresh attempt', command: command('retry', ...named(others)) };
  return [
    ...(goOn.length > 0 ? [resume] : []),
    ...(others.length > 0 || !found ? [retry] : []),
    ...(found ? stepsAfterValidation(view, found, command) : []),
  ];
}

/** Where there are too many to be named, none is: `retry` then takes all that failed. */
function named(units: readonly UnitView[]): string[] {
  return units.length > NAMED ? [] : units.flatMap(({ id }) => ['--unit', id]);
}

function canGoOn(view: Pick<RunView, 'run' | 'units'>, unit: UnitView): boolean {
  if (unit.state !== 'failed' && unit.state !== 'interrupted') return false;
  return !NOT_IN_SESSION.includes(unit.reason) && resumableOf(view, unit).kind === 'session';
}

/** Whether a unit is a validation after which another one of the same tree would end as it did. Pure. */
function hasFoundFault({ id, state, reason, detail }: UnitView): boolean {
  if (id !== VALIDATION_UNIT || state !== 'failed' || reason !== 'validation') return false;
  return isTreesFault(detail.split(':')[0] ?? '');
}

function stepsAfterValidation(
  view: Pick<RunView, 'run' | 'units'>,
  { id, spec }: UnitView,
  command: CommandText,
): HelpStep[] {
  const [only, second] = spec.after;
  const atFault = ['--unit', only !== undefined && second === undefined ? only : 'UNIT'];
  const isAnySession = spec.after.some((parent) => {
    const unit = view.units.get(parent);
    return unit !== undefined && resumableOf(view, unit).kind === 'session';
  });
  return [
    { label: 'what it found', command: command('logs', '--unit', id) },
    {
      label: 'then the unit at fault',
      // It has succeeded.
      command: isAnySession ? command('resume', ...atFault) : command('retry', ...atFault, '--force'),
    },
    { label: 'when that is well', command: command('retry', '--unit', id) },
  ];
}
