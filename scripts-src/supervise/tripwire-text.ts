import type { TripwireSummary } from '../unit/records.ts';
import { changeLine } from '../workspace/tripwire/repository-change.ts';

const SHOWN = 3;

/** What is different in the user's repository, in one line. */
export function tripwireText({ changes, more, since, seenAt }: TripwireSummary): string {
  const shown = changes.slice(0, SHOWN).map(changeLine).join(', ');
  const left = changes.length + more - Math.min(changes.length, SHOWN);
  const rest = left > 0 ? `, and ${left} more` : '';
  return `the user's repository changed between ${since} and ${seenAt}: ${shown}${rest}`;
}
