import * as z from 'zod/mini';

/** The shape of a schedule on disk (records.ts, ScheduleSettings). */
export const scheduleShape = {
  jobs: z.nullable(z.number()),
  delaySeconds: z.number(),
  memfreeBytes: z.nullable(z.number()),
  load: z.nullable(z.number()),
  backoffSeconds: z.optional(z.number()),
  transientRetries: z.optional(z.number()),
  tokenLimit: z.optional(z.number()),
};
