import type { LastEvidence } from '../unit/records.ts';

const WORDS: Record<string, string> = {
  start: 'the start',
  event: 'an event',
  output: 'output',
  stream: 'a streaming answer',
  'session-log': 'the session log',
  'result-file': 'a write to the result file',
  'command-cpu': 'CPU use of a command',
  'command-io': 'I/O of a command',
  workspace: 'a write in the workspace',
};

/** The last evidence in words: what it was, when, and how long ago. */
export function evidenceText(evidence: LastEvidence | null): string {
  if (!evidence) return 'none was recorded';
  return `${WORDS[evidence.kind] ?? evidence.kind} at ${evidence.at}, ${evidence.quietSeconds} s before`;
}
