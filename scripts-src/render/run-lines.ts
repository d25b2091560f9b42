import { printedName } from '../unit/printed-name.ts';

/** One unit of a run as it is told to a coordinator. */
export interface UnitLine {
  id: string;
  state: string;
  /** Why it is in that state, null where the state says it all. */
  reason: string | null;
  /** One short line, empty where there is nothing to say. */
  text: string;
  /** Absolute path of its result, null without one. */
  result: string | null;
  /** Absolute path of what explains the end beside the result. */
  log?: string | null;
}

/** Lines of one output for a coordinator, at most (promise P7). */
export const MOST_LINES = 40;

/** `UNIT api failed(exit) its code was 9 result=/…`. Pure. */
export function unitLine({ id, state, reason, text, result, log }: UnitLine): string {
  return [
    `UNIT ${id} ${state}${reason === null ? '' : `(${reason})`}`,
    ...(text === '' ? [] : [text]),
    ...(result === null ? [] : [`result=${printedName(result)}`]),
    ...(log ? [`log=${printedName(log)}`] : []),
  ].join(' ');
}

/** A report that stays within its lines: head and foot always, and of the units as many as there is room for. */
export interface BoundedReport {
  head: readonly string[];
  units: readonly UnitLine[];
  foot: readonly string[];
  /** Where those are that are only counted, absolute. */
  rest: string;
}

/** The lines of a report, and how many units it only counts. Pure. */
export function boundedReport({ head, units, foot, rest }: BoundedReport): { lines: string[]; left: number } {
  const room = MOST_LINES - head.length - foot.length;
  const shown = units.length <= room ? units : units.slice(0, room - 1);
  const left = units.length - shown.length;
  const more = left > 0 ? [`MORE units=${left} ${printedName(rest)}`] : [];
  return { lines: [...head, ...shown.map(unitLine), ...more, ...foot], left };
}
