import { usageError } from '../platform/errors.ts';
import { keepEnvironment } from '../run/keep-environment.ts';
import type { RequestAnswer } from '../run/records.ts';
import type { RunView } from '../run/run-view.ts';
import { fewLines } from './few-lines.ts';
import type { NamedRun } from './run-of-flags.ts';

/** How long a supervisor may take to answer, ms. */
export const ANSWER_MS = 60_000;

const MAX_REFUSED = 5;

/** What a supervisor has done about units that somebody wants another attempt of. */
export type Requeued = Pick<RequestAnswer, 'units' | 'refused'>;

/** The answer where there was nothing to ask for. */
export const NOTHING: Requeued = { units: [], refused: [] };

/** Keeps the caller's environment of now, with what the units' workers are allowed to see of it; gives its name. */
export function environmentFor(view: RunView, units: readonly string[]): string {
  const specs = units.flatMap((id) => view.units.get(id)?.spec ?? []);
  return keepEnvironment(view.run, process.env, specs);
}

/** What is said against a unit that was named. Without `next` the command that helps, or what else does, is in `why`. */
export interface Against {
  id: string;
  why: string;
  next?: string;
}

/**
 * Throws a usage error where something is said against units that were named: then nothing is done about any. `what`: the
 * word for it, such as `retried`; `named`: how many units were named.
 */
export function refuseNamed(what: string, against: readonly Against[], named: number): void {
  const [first] = against;
  if (!first) return;
  if (named === 1) {
    const { id, why, next } = first;
    throw next === undefined
      ? usageError(`not to be ${what}: ${id}`, why)
      : usageError(`not to be ${what}: ${id}: ${why}`, next);
  }
  const said = against
    .slice(0, MAX_REFUSED)
    .map(({ id, why, next }) => `${id}: ${why}${next === undefined ? '' : ` (${next})`}`);
  const more = against.length > MAX_REFUSED ? `; and ${against.length - MAX_REFUSED} more` : '';
  const next = against.length < named ? 'leave them out' : 'do what is said of each';
  throw usageError(`not to be ${what}: ${said.join('; ')}${more}`, `nothing was ${what}: ${next}`);
}

/**
 * `RETRY run=… units=N`, what was refused, `UNIT …` for each that is queued, and what to do next. `note`: said where there
 * was nothing to do.
 */
export function requeueReport(
  word: string,
  { run, command }: NamedRun,
  { units, refused }: Requeued,
  unitLine: (id: string) => string,
  note: () => string,
): string {
  const head = `${word} run=${run.record.id} units=${units.length}${refused.length > 0 ? ` refused=${refused.length}` : ''}`;
  const lines = [...refused.map(({ unit, why }) => `REFUSED ${unit} ${why}`), ...units.map(unitLine)];
  if (lines.length === 0) lines.push(`NOTE ${note()}`);
  return fewLines([head], lines, units.length > 0 ? [`NEXT ${command('wait')}`] : [], command('status'));
}
