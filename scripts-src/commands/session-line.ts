import path from 'node:path';
import type { ExecutorName } from '../run/records.ts';
import { promptFileOf, type Run } from '../run/run-folder.ts';

const MAX_NAMES = 10;

/**
 * What the coordinator does for units that its own session runs: prun starts no worker for them. One line, or none where
 * there are no such units.
 */
export function sessionLine(run: Run, units: readonly { id: string; executor: ExecutorName }[]): string[] {
  const own = units.filter(({ executor }) => executor === 'session').map(({ id }) => id);
  if (own.length === 0) return [];
  const more = own.length > MAX_NAMES ? ` and ${own.length - MAX_NAMES} more` : '';
  const folder = path.dirname(promptFileOf(run, own[0] ?? ''));
  return [
    `SESSION ${own.slice(0, MAX_NAMES).join(',')}${more}: start a subagent for each, with its prompt from ${folder}`,
  ];
}
