/** How a worker says that its work stands. */
export const STRUCTURED_STATUSES = ['DONE', 'DONE_WITH_CONCERNS', 'BLOCKED', 'NEEDS_CONTEXT'] as const;

/** The result contract (DESIGN.md §4) as one JSON object: what a worker's last message is, where that is asked for. */
export interface StructuredResult {
  status: (typeof STRUCTURED_STATUSES)[number];
  summary: string;
  /** Paths, relative to where the unit works. */
  files_changed: string[];
  tests: { command: string; result: string }[];
  concerns: string[];
}

/**
 * The same as a JSON schema for the worker's program. OpenAI's strict mode takes no schema but one that names every key
 * as required and allows no other (FACTS-codex.md, `--output-schema`).
 */
export const STRUCTURED_SCHEMA = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      enum: STRUCTURED_STATUSES,
      description:
        'DONE: all of it is done. DONE_WITH_CONCERNS: done, and somebody must know the concerns. ' +
        'BLOCKED: it cannot be done. NEEDS_CONTEXT: it cannot be done before a question is answered.',
    },
    summary: {
      type: 'string',
      description:
        'What came of it; for BLOCKED and NEEDS_CONTEXT what is in the way or what is to be answered.',
    },
    files_changed: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Every file made, changed or deleted, relative to the workspace; empty where there is none.',
    },
    tests: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          command: { type: 'string', description: 'What was run or checked.' },
          result: { type: 'string', description: 'How it ended.' },
        },
        required: ['command', 'result'],
        additionalProperties: false,
      },
      description: 'What was run to check the work; empty where nothing was.',
    },
    concerns: {
      type: 'array',
      items: { type: 'string' },
      description: 'Blockers, doubts and follow-ups; empty where there is none.',
    },
  },
  required: ['status', 'summary', 'files_changed', 'tests', 'concerns'],
  additionalProperties: false,
} as const;
