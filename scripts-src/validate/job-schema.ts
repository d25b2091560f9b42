import * as z from 'zod/mini';
import { isReservedName } from './step-environment.ts';

const NO_TEXT = 'is no text: put it in quotes';
const noNul = () => z.refine<string>((value) => !value.includes('\0'), 'has a NUL character: take it away');
const text = () => z.string(NO_TEXT).check(z.minLength(1, 'is empty'), noNul());

const NO_ARGV = 'is no list of words: write it as ["program", "argument"]';
/** A command as an argument array: no shell reads it. */
const argv = () =>
  z.optional(
    z.array(z.string(NO_TEXT).check(noNul()), NO_ARGV).check(
      z.minLength(1, 'has no words: give the program first, or leave the key out'),
      z.refine((words) => words[0] !== '', 'begins with an empty word: give the program first'),
    ),
  );

const NO_NAME = 'is no name of a variable: use letters, digits and _';
const RESERVED = 'is given by validate-run itself: take it away';
const NAME = /^[A-Za-z_][A-Za-z0-9_()]*$/;

/** What is wrong with the name of a variable, undefined where nothing is. */
export function nameFault(name: string): string | undefined {
  if (!NAME.test(name)) return NO_NAME;
  return isReservedName(name) ? RESERVED : undefined;
}

const variableName = () =>
  z.string(NO_TEXT).check(
    z.regex(NAME, NO_NAME),
    z.refine((name) => !isReservedName(name), RESERVED),
  );

const NO_SECONDS = 'is no whole number of seconds; 0 is no limit';

/** A job as it is written. */
export const jobSchema = z.strictObject(
  {
    worktree: text(),
    commit: z
      .string(NO_TEXT)
      .check(
        z.regex(
          /^[0-9a-fA-F]{7,64}$/,
          'is no commit id: a name may move, so give what git rev-parse HEAD prints',
        ),
      ),
    environment: z.optional(
      z.record(
        z.string(),
        z.string('has a value that is no text: put it in quotes').check(noNul()),
        'is no list of names with values: write it as {"NAME": "value"}',
      ),
    ),
    inherit_environment: z.optional(z.array(variableName(), 'is no list of names: write it as ["NAME"]')),
    step_timeout: z.optional(
      z.number(NO_SECONDS).check(z.int(NO_SECONDS), z.gte(0, NO_SECONDS), z.lte(2_000_000, 'is too long')),
    ),
    build: argv(),
    verify: argv(),
    health: argv(),
    smoke: argv(),
    test: argv(),
    collect: argv(),
    recover: argv(),
  },
  'is no job: write it as {"worktree": "…", "commit": "…", "smoke": […], "test": […]}',
);

/** A job as it is written. */
export type WrittenJob = z.infer<typeof jobSchema>;

/** Keys of a job. */
export const JOB_KEYS: readonly string[] = Object.keys(jobSchema.def.shape);
