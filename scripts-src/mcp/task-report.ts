import { readStart } from '../platform/files.ts';
import type { OutcomeRecord } from '../unit/records.ts';
import { stateFile } from '../unit/state-dir.ts';
import { readStructured } from '../unit/structured-result.ts';
import type { StructuredResult } from '../unit/structured-schema.ts';
import { LIMITS } from './tool-schemas.ts';

const REPORT_BYTES = 1024 * 1024;

/**
 * The report of a task: the one that its attempt was judged by, also where the worker wrote it as Markdown; of one that did not
 * end well what its last message is, if that is a report.
 */
export function reportOf(
  stateDir: string | null,
  outcome: Pick<OutcomeRecord, 'structured'> | undefined,
  message: string,
): StructuredResult | undefined {
  if (stateDir === null || !outcome?.structured) return readStructured(message).value;
  // The outcome holds it cut.
  return (
    readStructured(readStart(stateFile(stateDir, 'structured'), REPORT_BYTES)).value ?? outcome.structured
  );
}

/** A report as an answer holds it, and whether something of it is left out. */
export function boundedReport(report: StructuredResult): { report: StructuredResult; isCut: boolean } {
  const cut = (text: string, most: number): string =>
    text.length > most ? `${text.slice(0, most - 1)}…` : text;
  const entry = (text: string): string => cut(text, LIMITS.entry);
  const bounded = {
    status: report.status,
    summary: cut(report.summary, LIMITS.summary),
    files_changed: report.files_changed.slice(0, LIMITS.files).map(entry),
    tests: report.tests
      .slice(0, LIMITS.entries)
      .map(({ command, result }) => ({ command: entry(command), result: entry(result) })),
    concerns: report.concerns.slice(0, LIMITS.entries).map(entry),
  };
  return { report: bounded, isCut: JSON.stringify(bounded) !== JSON.stringify(report) };
}
