import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAsked } from '../../scripts-src/supervise/asked-answer.ts';
import type { UnitRecord } from '../../scripts-src/unit/records.ts';
import { missingInResult } from '../../scripts-src/unit/result-contract.ts';
import { resultStateOf } from '../../scripts-src/unit/result-file.ts';
import { scratch } from '../helpers/unit-run.ts';

const said = {
  status: 'DONE',
  summary: 'Done.',
  files_changed: ['a.ts'],
  tests: [{ command: 'npm test', result: 'ok' }],
  concerns: [],
};
const CONTRACT =
  '# api result\nConclusion: fine\nFiles: src/a.ts\nOpen items: the docs\nVerification: none\n\nAll of it.\n';

/** An ended unit that was asked for prun's own form, or for a schema. */
function unit({
  message,
  result,
  schema,
  base = null,
  cwd,
}: {
  message?: string;
  result?: string;
  schema?: unknown;
  base?: string | null;
  cwd?: string;
}) {
  const folder = scratch();
  const stateDir = path.join(folder, 'state');
  mkdirSync(stateDir);
  const resultFile = path.join(folder, 'api.md');
  if (result !== undefined) writeFileSync(resultFile, result);
  if (message !== undefined) writeFileSync(path.join(stateDir, 'last-message'), message);
  if (schema !== undefined) writeFileSync(path.join(stateDir, 'output-schema.json'), JSON.stringify(schema));
  const form = schema === undefined ? { structured: true } : { outputSchema: '/schemas/answer.json' };
  const where = { base, cwd: cwd ?? path.join(stateDir, 'work') };
  const record = { unit: 'api', resultFile, ...where, ...form } as unknown as UnitRecord;
  const answer = readAsked({ record, stateDir, written: resultStateOf(resultFile), lastMessage: undefined });
  const kept = path.join(stateDir, 'structured.json');
  return { ...answer, kept: existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : undefined };
}

describe('a unit that was asked for a structured result', () => {
  it('that gave one: it is the result in Markdown, and kept as JSON', () => {
    const { text, structured, fault, kept, claims } = unit({ message: JSON.stringify(said) });
    expect(missingInResult(text ?? '')).toEqual([]);
    expect(text).toContain('\nFiles: `a.ts`\n');
    expect({ structured, fault, kept, claims }).toEqual({
      structured: said,
      fault: undefined,
      kept: said,
      claims: text,
    });
  });

  it.each([
    ['BLOCKED', 'worker-blocked'],
    ['NEEDS_CONTEXT', 'needs-context'],
  ])('that says %s has not done its work, and says why', (status, reason) => {
    const summary = 'Which of the two\ndatabases is meant?';
    const { text, structured, fault } = unit({ message: JSON.stringify({ ...said, status, summary }) });
    expect(fault).toEqual({ reason, detail: 'Which of the two databases is meant?' });
    expect(structured).toMatchObject({ status });
    expect(text).toContain(`Status: ${status}`);
  });

  it('that wrote a good result file and said something else: the file is it, and the form follows from it', () => {
    const { fault, structured, kept } = unit({ message: 'I wrote it.', result: CONTRACT });
    expect(fault).toBeUndefined();
    expect(structured).toEqual({
      status: 'DONE_WITH_CONCERNS',
      summary: 'fine',
      files_changed: ['src/a.ts'],
      tests: [],
      concerns: ['the docs'],
    });
    expect(kept).toEqual(structured);
  });

  it('that said the contract in Markdown: that is as good', () => {
    const { text, fault, structured } = unit({ message: CONTRACT });
    expect({ text, fault, summary: structured?.summary }).toEqual({
      text: CONTRACT,
      fault: undefined,
      summary: 'fine',
    });
  });

  it.each<[string, { message?: string; result?: string }, RegExp]>([
    ['chatted', { message: 'All good.' }, /^the last message is no structured result: it is no JSON \(/],
    [
      'missed a key',
      { message: JSON.stringify({ ...said, tests: undefined }) },
      /^the last message is no structured result: at tests: it is missing$/,
    ],
    [
      'wrote half a result',
      { message: 'I wrote it.', result: '# api result\nConclusion: x\n' },
      /; its result file lacks Files, Open items, Verification$/,
    ],
    [
      'wrote half a result and said nothing',
      { result: 'x' },
      /^the last message is no structured result: there is none; its result file lacks heading, /,
    ],
  ])('that %s: a fault of the schema, with what is wrong', (_title, files, detail) => {
    const { text, structured, fault, kept } = unit(files);
    expect(fault?.reason).toBe('schema');
    expect(fault?.detail).toMatch(detail);
    expect([text, structured, kept]).toEqual([undefined, null, undefined]);
  });

  it('that said nothing at all: there is no answer to find fault with', () => {
    expect(unit({})).toEqual({ text: undefined, structured: null, kept: undefined });
  });

  it('that said very much: the outcome is bounded, the JSON is whole', () => {
    const much = {
      ...said,
      summary: 'word '.repeat(1000),
      files_changed: Array.from({ length: 200 }, (_, n) => `src/${'long/'.repeat(60)}${n}.ts`),
      tests: Array.from({ length: 100 }, () => ({ command: 'x'.repeat(500), result: 'y'.repeat(500) })),
      concerns: Array.from({ length: 100 }, () => 'z'.repeat(900)),
    };
    const { structured, kept } = unit({ message: JSON.stringify(much) });
    expect(JSON.stringify(structured).length).toBeLessThan(26_000);
    expect(structured?.files_changed).toHaveLength(50);
    expect(kept).toEqual(much);
  });

  it('that said more than is read: the fault says so', () => {
    const { fault } = unit({ message: JSON.stringify({ ...said, summary: 'x'.repeat(300_000) }) });
    expect(fault?.detail).toMatch(
      /^the last message is no structured result: it is no JSON .*; only its first 262144 bytes were read$/,
    );
  });
});

describe('a unit that was asked for the caller’s own schema', () => {
  const schema = {
    type: 'object',
    properties: { answer: { type: 'integer' }, why: { type: 'array', items: { $ref: '#/$defs/reason' } } },
    required: ['answer', 'why'],
    additionalProperties: false,
    $defs: { reason: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
  };

  it('that holds it: the JSON is kept as it was said, and stands in the result', () => {
    const message = '{"answer": 42, "why": [{"text": "a ``` fence"}]}';
    const { text, fault, kept, structured } = unit({ message, schema });
    expect([fault, structured]).toEqual([undefined, null]);
    expect(kept).toEqual(JSON.parse(message));
    expect(missingInResult(text ?? '')).toEqual([]);
    expect(text).toContain(`\n\`\`\`\`json\n${message}\n\`\`\`\`\n`);
  });

  it.each<[unknown, string]>([
    [
      { verdict: 'accept-with-changes', summary: 'Sums\n a cart.', findings: [] },
      'accept-with-changes: Sums a cart.',
    ],
    [{ verdict: 'accept' }, 'accept'],
    [{ summary: 'later', conclusion: 'It holds.', verdict: 3 }, 'It holds.'],
    [{ summary: ' ', findings: [1] }, 'answer in the schema asked for (2 properties)'],
    [{ summary: { text: 'deep' } }, 'answer in the schema asked for (1 property)'],
    [{ summary: 'x'.repeat(300) }, `${'x'.repeat(199)}…`],
    [[1, 2], 'answer in the schema asked for (2 entries)'],
    [42, '42'],
    ['', 'an empty text, as the schema asked for allows'],
  ])('its conclusion is a line to read: %j', (answer, line) => {
    const { text } = unit({ message: JSON.stringify(answer), schema: {} });
    expect(text).toContain(`\nConclusion: ${line}\n`);
    expect(missingInResult(text ?? '')).toEqual([]);
  });

  it.each([
    ['with a workspace', { base: 'b1' }, 'as the delta shows; the schema is not asked for them'],
    ['in a scratch folder', {}, 'none (read-only)'],
    ['in the user’s own folder', { cwd: '/project' }, 'none told; the schema is not asked for them'],
  ])('its files, %s', (_title, where, line) => {
    expect(unit({ message: '{}', schema: {}, ...where }).text).toContain(`\nFiles: ${line}\n`);
  });

  it.each<[string, string | undefined, unknown, string]>([
    ['no JSON', 'forty-two', schema, 'it is no JSON'],
    ['a wrong type', '{"answer": "42", "why": []}', schema, 'at answer: '],
    ['a missing key deep inside', '{"answer": 1, "why": [{"text": "x"}, {}]}', schema, 'at why.1: '],
    ['a key too many', '{"answer": 1, "why": [], "x": 1}', schema, 'at x: '],
    ['a schema that nobody can use', '{}', { $ref: '#/$defs/none' }, 'the schema cannot be used ('],
    [
      'a pattern that is none',
      '{"a": "x"}',
      { properties: { a: { pattern: '(' } } },
      'the schema cannot be used (',
    ],
  ])('%s: a fault of the schema that says where', (_title, message, form, detail) => {
    const { text, fault } = unit({ ...(message ? { message } : {}), schema: form });
    expect(fault?.reason).toBe('schema');
    expect(fault?.detail).toContain(`the last message does not hold /schemas/answer.json: ${detail}`);
    expect(text).toBeUndefined();
  });

  it('that wrote a file and gave no JSON has not given what was asked for', () => {
    expect(unit({ message: 'See the file.', result: CONTRACT, schema }).fault?.reason).toBe('schema');
  });

  it.each([
    [
      'http://json-schema.org/draft-07/schema#',
      { definitions: { n: { type: 'number' } }, $ref: '#/definitions/n' },
    ],
    ['http://json-schema.org/draft-04/schema#', { type: 'number', maximum: 5, exclusiveMaximum: true }],
    ['https://json-schema.org/draft/2020-12/schema', { type: 'number', exclusiveMaximum: 5 }],
  ])('holds schemas of %s', ($schema, form) => {
    expect(unit({ message: '4', schema: { $schema, ...form } }).fault).toBeUndefined();
    expect(unit({ message: '"x"', schema: { $schema, ...form } }).fault?.reason).toBe('schema');
  });
});
