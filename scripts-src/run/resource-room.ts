import type { IsMachineWide } from './machine-slots.ts';
import type { UnitSpec } from './records.ts';

/** What decides which resources a unit holds. */
export type ResourceUser = Pick<UnitSpec, 'mode' | 'resources' | 'executor' | 'sharesTree'>;

/** Stands for the user's own tree: units that work there go one at a time. */
const WORKING_TREE = '(the working tree)';

/**
 * Why a unit has to wait for a resource that others of its run hold, in a few words, or undefined. `active`: those that
 * run. A slot of the machine is counted here only where the run gives it a number of its own.
 */
export function lackedResource(
  unit: ResourceUser,
  active: Iterable<ResourceUser>,
  limits: Readonly<Record<string, number>>,
  isMachineWide: IsMachineWide,
): string | undefined {
  const wanted = resourcesOf(unit);
  if (wanted.length === 0) return undefined;
  const held = new Map<string, number>();
  for (const user of active) {
    for (const name of resourcesOf(user)) held.set(name, (held.get(name) ?? 0) + 1);
  }
  for (const name of wanted) {
    const [users, most] = [
      held.get(name) ?? 0,
      limits[name] ?? (isMachineWide(name) ? Number.POSITIVE_INFINITY : 1),
    ];
    if (users < most) continue;
    return name === WORKING_TREE
      ? 'another unit is in the working tree'
      : `${users} of ${most} ${name} in use`;
  }
  return undefined;
}

function resourcesOf({ mode, resources, executor, sharesTree }: ResourceUser): readonly string[] {
  const isAlone = mode === 'inplace' && executor !== 'session' && sharesTree !== true;
  return isAlone ? [...resources, WORKING_TREE] : resources;
}
