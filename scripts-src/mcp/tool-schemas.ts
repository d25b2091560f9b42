// The library asks a schema for its JSON Schema by a property that zod/mini does not have.
import * as z from 'zod';
import { MAX_PROMPT_CHARACTERS } from '../run/manifest/unit-rules.ts';

/** Longer texts are cut in an answer: its reader pays for each character. */
export const LIMITS = {
  assistantText: 20_000,
  stderrTail: 4000,
  rawOutput: 100_000,
  /** Of a report: its summary, the entries of a list (other than of files), and an entry. */
  summary: 4000,
  entries: 50,
  entry: 500,
  files: 200,
  notes: 20,
} as const;

const taskId = z
  .string()
  .trim()
  .min(1, 'is empty: give the task a name')
  .max(200)
  .describe('Your name for the task. codex_resume finds its session by it, also after a restart.');

const prompt = z
  .string()
  .refine((text) => text.trim() !== '', 'is empty: write the task into it')
  .refine(
    (text) => text.length <= MAX_PROMPT_CHARACTERS,
    `has more than ${MAX_PROMPT_CHARACTERS} characters: put the bulk into a file and name its path`,
  );

const workspaceRoot = z
  .string()
  .optional()
  .describe('Folder to work in: an absolute path or a file URL. Left out: the only root of the client.');

const common = {
  timeoutMs: z
    .number()
    .int()
    .min(1)
    .max(7 * 24 * 3600 * 1000)
    .optional()
    .describe('The task is ended after this long, in whole seconds. Left out: no limit.'),
  includeRawOutput: z
    .boolean()
    .optional()
    .describe(`Also give the end of all that the worker printed, at most ${LIMITS.rawOutput} characters.`),
};

/** It becomes a word of codex's command line, which takes `-c` for a flag of its own. */
const word = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\p{C}\s-][^\p{C}]*$/u, 'is no name: give it without control characters and a dash in front')
    .optional();

const newSession = {
  model: word(200).describe('Model of the worker. Left out: that of codex.'),
  effort: word(40).describe('Reasoning effort: low, medium, high, xhigh, …'),
};

/** Arguments of `codex_implement`. */
export const implementInput = z.strictObject({
  taskId,
  prompt: prompt.describe(
    'The task, with all that the worker must know: it sees nothing of this conversation.',
  ),
  workspaceRoot,
  isolation: z
    .enum(['inplace', 'clone'])
    .default('inplace')
    .describe(
      'inplace: it edits the files of workspaceRoot. clone: it works in a throwaway clone, and you get a patch.',
    ),
  sandbox: z
    .enum(['read-only', 'workspace-write', 'danger-full-access'])
    .optional()
    .describe("codex's sandbox for its commands. Left out: CODEX_DISPATCH_SANDBOX, else danger-full-access."),
  ...newSession,
  ...common,
});

/** Arguments of `codex_resume`. */
export const resumeInput = z.strictObject({
  taskId,
  prompt: prompt.describe('What the worker is told now: a remark, an answer, the next step.'),
  sessionId: z
    .string()
    // As codex writes it.
    .toLowerCase()
    .regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'is no session id: it is a UUID')
    .optional()
    .describe('The session to go on with. Left out: the last one of the task.'),
  workspaceRoot,
  ...common,
});

/** Arguments of `codex_debug`. */
export const debugInput = z.strictObject({
  prompt: prompt.describe('What is wrong, how it shows, and what you know: the worker looks for the cause.'),
  workspaceRoot,
  ...newSession,
  ...common,
});

/** How a task ended. */
export const TASK_STATUS = [
  'DONE',
  'DONE_WITH_CONCERNS',
  'BLOCKED',
  'NEEDS_CONTEXT',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
] as const;

/** What all three tools give. */
export const taskOutput = z.object({
  status: z.enum(TASK_STATUS),
  taskId: z.string(),
  sessionId: z.string().nullable().describe('For codex_resume; null where no session began.'),
  timedOut: z.boolean(),
  reason: z.string().describe('The reason of the outcome in prun: ok, exit, idle-stall, usage-limit, …'),
  detail: z.string().describe('One line for people.'),
  assistantText: z.string().describe("The worker's last message."),
  result: z
    .object({
      status: z.string(),
      summary: z.string(),
      files_changed: z.array(z.string()),
      tests: z.array(z.object({ command: z.string(), result: z.string() })),
      concerns: z.array(z.string()),
    })
    .nullable()
    .describe("The worker's structured report, null where it gave none."),
  stderrTail: z.string(),
  rawOutput: z.string().nullable(),
  delta: z
    .object({
      isolation: z.enum(['inplace', 'clone']),
      files: z.array(
        z.object({
          path: z.string(),
          change: z.enum(['added', 'modified', 'deleted']),
          alsoBy: z.array(z.string()).describe('Tasks that changed the same file at the same time.'),
          isCertain: z.boolean().describe('false: another task at the same time may have done it.'),
        }),
      ),
      added: z.number(),
      modified: z.number(),
      deleted: z.number(),
      more: z.number().describe('Files that are not listed.'),
      patch: z.string().nullable().describe('The patch of a clone, absolute.'),
      apply: z.string().nullable().describe('The command that puts a patch into the workspace.'),
    })
    .nullable(),
  notes: z.array(z.string()),
  run: z.string().nullable().describe('For prun status, logs and apply.'),
  unit: z.string().nullable(),
  stateDir: z.string().nullable().describe('Where all output of the task lies.'),
});

export type ImplementInput = z.infer<typeof implementInput>;
export type ResumeInput = z.infer<typeof resumeInput>;
export type DebugInput = z.infer<typeof debugInput>;
export type TaskStatus = (typeof TASK_STATUS)[number];
export type TaskOutput = z.infer<typeof taskOutput>;
export type TaskDelta = NonNullable<TaskOutput['delta']>;
