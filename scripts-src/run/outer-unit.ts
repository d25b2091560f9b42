import { usageError } from '../platform/errors.ts';

/**
 * Marker of the unit that this process belongs to, null outside of any. Throws a usage error inside one, unless that is
 * allowed: a worker must not fan out again.
 */
export function outerUnit(environment: NodeJS.ProcessEnv, allowed: boolean): string | null {
  const outer = environment.PRUN_UNIT || null;
  if (outer === null || allowed) return outer;
  throw usageError(
    `this is a worker of unit ${outer}, and a worker must not start prun again`,
    'do the work here, or let the coordinator start it; --allow-nested overrides this',
  );
}
