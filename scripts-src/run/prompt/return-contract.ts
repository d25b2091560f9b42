import type { AskedForm } from '../../supervise/asked-schema.ts';
import { stateFile } from '../../unit/state-dir.ts';

/** In which form a unit gives its result back: a file, prun's structured message, or a message in a schema (absolute). */
export type ReturnForm = 'file' | 'structured' | { schema: string };

/** The form that a unit's options ask for, given the state dir of its attempt. */
export function returnForm({ structured, outputSchema }: AskedForm = {}, stateDir: string): ReturnForm {
  if (outputSchema !== undefined) return { schema: stateFile(stateDir, 'outputSchema') };
  return structured ? 'structured' : 'file';
}

/** What every unit is asked to give back, once (DESIGN.md §4). `resultFile` is absolute. */
export function returnContract(unit: string, resultFile: string, form: ReturnForm = 'file'): string {
  if (form === 'structured') return STRUCTURED;
  if (form !== 'file') return inSchema(form.schema);
  return `At the end write this file once, in one write, to
${resultFile}
(nothing of yours is there yet). Without it your work counts as failed.

# ${unit} result
Conclusion: <one line>
Files: <files made or changed, or "none (read-only)">
Open items: <blockers or follow-ups, or "none">
Verification: <what was run or checked, or "none">

<body: what you did and why, new files that git ignores, tests and how they ended, evidence, known gaps>`;
}

const STRUCTURED = `Your last message is your result: one JSON object with these five keys, and no text around it. Write no result file.
Without it your work counts as failed.

{
  "status": "DONE", "DONE_WITH_CONCERNS", "BLOCKED" (it cannot be done) or "NEEDS_CONTEXT" (you must be told something first),
  "summary": "<what came of it, the conclusion in the first line; or what is in the way, or what you must be told>",
  "files_changed": ["<every file made, changed or deleted, relative to the folder where you work>"],
  "tests": [{"command": "<what was run or checked>", "result": "<how it ended>"}],
  "concerns": ["<blockers, doubts, follow-ups, new files that git ignores>"]
}`;

function inSchema(schema: string): string {
  return `Your last message is your result: JSON that holds the schema in
${schema}
and no text around it. Write no result file. Without it your work counts as failed.`;
}
