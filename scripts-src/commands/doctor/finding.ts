/** What the doctor looks at, in the order of its page. */
export const CHECKS = [
  'node',
  'git',
  'codex',
  'codex-login',
  'claude',
  'omp',
  'state-home',
  'temp-folder',
  'machine',
  'limits',
  'inotify',
  'containment',
  'repository',
  'skill',
  'runs',
  'processes',
] as const;

/** Name of a check. */
export type CheckId = (typeof CHECKS)[number];

/** `problem`: units cannot be run on the default executor as it is. `note`: worth knowing, with something to do. */
export type FindingState = 'ok' | 'note' | 'problem';

/** What one check has found. */
export interface Finding {
  id: CheckId;
  state: FindingState;
  /** What was seen: one line, without secrets. */
  fact: string;
  /** The one thing to do; null where nothing is wrong. */
  do: string | null;
}

/** What a group of checks has found. */
export interface LookAnswer {
  findings: Finding[];
  /** How many units at once the limits that were looked at leave room for; null where they do not matter. */
  mostUnits: number | null;
}

/** Nothing is wrong. */
export function fine(id: CheckId, fact: string): Finding {
  return { id, state: 'ok', fact, do: null };
}

/** Worth knowing, but units run. */
export function note(id: CheckId, fact: string, next: string): Finding {
  return { id, state: 'note', fact, do: next };
}

/** Units cannot be run like this. */
export function problem(id: CheckId, fact: string, next: string): Finding {
  return { id, state: 'problem', fact, do: next };
}
