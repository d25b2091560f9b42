import { pathFromJson } from '../../platform/byte-path.ts';
import { readDelta, type WorkspaceSet } from '../workspace-set.ts';
import type { Included } from './take-workspace.ts';

/** What of ignored paths was taken into a unit's delta when it was last collected: what somebody took in stays in. */
export function includedBefore(set: WorkspaceSet, unit: string): Included {
  const included = readDelta(set, unit)?.included;
  return { everything: included?.everything ?? false, paths: (included?.paths ?? []).map(pathFromJson) };
}
