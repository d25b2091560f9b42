import { type Finding, fine, problem } from './finding.ts';

const LEAST_MAJOR = 20;

/** Whether this Node is new enough. `version` without a `v`; `place`: where it lies. Pure. */
export function nodeFinding(version: string, place: string): Finding {
  if (Number.parseInt(version, 10) >= LEAST_MAJOR) return fine('node', `${version}, ${place}`);
  return problem(
    'node',
    `${version}, ${place}: too old`,
    `install Node ${LEAST_MAJOR} or newer (https://nodejs.org), and put it first in PATH`,
  );
}
