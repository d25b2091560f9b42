import { readFileSync, writeFileSync } from 'node:fs';
import { schemaTrouble } from '../executor/codex-wishes.ts';
import type { WorkerOptions } from '../executor/types.ts';
import { usageError } from '../platform/errors.ts';
import { PRIVATE_FILE } from '../platform/files.ts';
import type { UnitRecord } from '../unit/records.ts';
import { stateFile } from '../unit/state-dir.ts';
import { STRUCTURED_SCHEMA } from '../unit/structured-schema.ts';

/** What of a unit's options is about the form of its last message. */
export type AskedForm = Pick<WorkerOptions, 'structured' | 'outputSchema'>;

/** What a record says of the form that is asked for: whoever ends the attempt must know it. */
export function notedForm({
  structured,
  outputSchema,
}: AskedForm = {}): Pick<UnitRecord, 'structured' | 'outputSchema'> {
  if (outputSchema !== undefined) return { outputSchema };
  return structured ? { structured } : {};
}

/** Whether the last message must hold a schema. */
export function hasAskedForm(record: Pick<UnitRecord, 'structured' | 'outputSchema'>): boolean {
  return record.structured === true || record.outputSchema !== undefined;
}

/**
 * The options for the worker's program, which reads the schema in the state dir (no worker changes that one) or is given
 * its text. Throws PrunError where the caller's cannot be used.
 */
export function withSchemaFile(
  options: WorkerOptions | undefined,
  stateDir: string,
): WorkerOptions | undefined {
  if (!options?.structured && options?.outputSchema === undefined) return options;
  const outputSchemaText = schemaText(options);
  return { ...options, outputSchema: stateFile(stateDir, 'outputSchema'), outputSchemaText };
}

function schemaText({ outputSchema }: Pick<AskedForm, 'outputSchema'>): string {
  if (outputSchema === undefined) return `${JSON.stringify(STRUCTURED_SCHEMA, null, 2)}\n`;
  // It was looked at when it was given, and may be another one by now.
  const trouble = schemaTrouble(outputSchema);
  if (trouble) throw usageError(`the output schema ${outputSchema} ${trouble.what}`, trouble.next);
  return readFileSync(outputSchema, 'utf8');
}

/** Writes the schema that the last message is to hold into a state dir. Throws PrunError where the caller's cannot be used. */
export function keepSchema(folder: string, record: UnitRecord): void {
  if (!hasAskedForm(record)) return;
  writeFileSync(stateFile(folder, 'outputSchema'), schemaText(record), { mode: PRIVATE_FILE });
}
