import * as z from 'zod/mini';
import { messageOf } from '../platform/errors.ts';
import { valueAt } from '../platform/value-at.ts';
import { STRUCTURED_STATUSES, type StructuredResult } from './structured-schema.ts';

/** A structured result as it comes from outside: no key is missing, and none is added (structured-schema.ts). */
export const structuredResult = z.strictObject({
  status: z.enum(STRUCTURED_STATUSES),
  summary: z.string(),
  files_changed: z.array(z.string()),
  tests: z.array(z.strictObject({ command: z.string(), result: z.string() })),
  concerns: z.array(z.string()),
});

/** Something that was read, or one line that says what is wrong with it and where. */
export type Read<T> = { value: T; wrong?: undefined } | { value?: undefined; wrong: string };

/** What of a value is shown in a message, characters. */
const SHOWN_CHARS = 80;

/** The JSON in a message, and its text: alone, or in one code fence, with blanks around it. */
export function jsonOf(message: string): Read<{ json: unknown; text: string }> {
  const text = withoutFence(message.replace(/^\uFEFF/, '').trim());
  try {
    return { value: { json: JSON.parse(text), text } };
  } catch (error) {
    return { wrong: `it is no JSON (${messageOf(error).replace(/\s+/g, ' ')})` };
  }
}

function withoutFence(text: string): string {
  const [opening, fence] = /^(```|~~~)[^\n`]*\n/.exec(text) ?? [];
  if (opening === undefined || fence === undefined) return text;
  const inner = text.slice(opening.length);
  return inner.endsWith(fence) ? inner.slice(0, -fence.length).trim() : text;
}

/** The structured result in a last message, or what is wrong with it and at which key. Never throws. */
export function readStructured(message: string): Read<StructuredResult> {
  const { value, wrong } = jsonOf(message);
  if (wrong !== undefined) return { wrong };
  const parsed = structuredResult.safeParse(value.json);
  if (!parsed.success) return { wrong: wrongAt(parsed.error, value.json) };
  // A coordinator reads this line first, and the Markdown form has no empty field.
  if (!hasVisibleText(parsed.data.summary)) return { wrong: 'at summary: it says nothing' };
  return { value: parsed.data };
}

/** Control, format and unpaired characters say nothing to a reader. */
function hasVisibleText(text: string): boolean {
  return /[^\s\p{C}]/u.test(text);
}

function wrongAt(error: z.core.$ZodError, value: unknown): string {
  const [issue] = error.issues;
  if (!issue) return 'it does not hold the schema';
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return `${placeOf([...path, issue.keys[0] ?? ''])}: the schema has no such key`;
  }
  const found = valueAt(value, path);
  const wanted = wantedBy(issue);
  return `${placeOf(path)}: ${found === undefined ? 'it is missing' : `${shown(found)} is not ${wanted}`}`;
}

function wantedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return /^[aeiou]/.test(issue.expected) ? `an ${issue.expected}` : `a ${issue.expected}`;
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`;
  return 'as the schema wants it';
}

function placeOf(path: readonly string[]): string {
  return path.length === 0 ? 'at the top' : `at ${path.join('.').slice(0, SHOWN_CHARS)}`;
}

function shown(value: unknown): string {
  const text = jsonText(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS - 1)}…` : text;
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // It was read without recursion, and is written with it.
    return 'something nested too deep';
  }
}
