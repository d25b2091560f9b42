import { describe, expect, it } from 'vitest';
import { jsonOf, readStructured } from '../../scripts-src/unit/structured-result.ts';
import { STRUCTURED_SCHEMA, type StructuredResult } from '../../scripts-src/unit/structured-schema.ts';

const done: StructuredResult = {
  status: 'DONE',
  summary: 'The pagination is stable.',
  files_changed: ['src/api/items.ts'],
  tests: [{ command: 'npm test -- api', result: '12 passed' }],
  concerns: [],
};
const json = JSON.stringify(done);

describe('a last message as a structured result', () => {
  it.each([
    ['alone', json],
    ['printed over several lines', JSON.stringify(done, null, 2)],
    ['with blanks around it', `\n\n  ${json}\r\n\n`],
    ['with a byte-order mark', `\uFEFF${json}`],
    ['in a code fence', `\`\`\`json\n${json}\n\`\`\``],
    ['in a fence without a language, with blanks', `\n\`\`\`\n${JSON.stringify(done, null, 2)}\n\`\`\`\n\n`],
    ['in a fence of tildes', `~~~json\n${json}\n~~~`],
    ['in a fence on Windows', `\`\`\`json\r\n${json}\r\n\`\`\`\r\n`],
  ])('is read %s', (_title, message) => {
    expect(readStructured(message)).toEqual({ value: done });
  });

  it.each<[string, string, RegExp]>([
    ['no JSON', 'All good, nothing to report.', /^it is no JSON \(.*not valid JSON\)$/],
    ['nothing', '', /^it is no JSON/],
    ['torn JSON', json.slice(0, -5), /^it is no JSON/],
    ['text beside the JSON', `Here it is: ${json}`, /^it is no JSON/],
    ['a list', '[]', /^at the top: \[\] is not an object$/],
    ['null', 'null', /^at the top: null is not an object$/],
    ['a key that is missing', JSON.stringify({ ...done, summary: undefined }), /^at summary: it is missing$/],
    ['a summary of blanks', JSON.stringify({ ...done, summary: ' \n' }), /^at summary: it says nothing$/],
    [
      'a summary of characters that nobody sees',
      JSON.stringify({ ...done, summary: '\u0000\u001b\u200b' }),
      /^at summary: it says nothing$/,
    ],
    [
      'lists in lists without end',
      `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
      /^at the top: something nested too deep is not an object$/,
    ],
    [
      'the same at a key',
      json.replace('"concerns":[]', `"concerns":[${'['.repeat(200_000)}${']'.repeat(200_000)}]`),
      /^at concerns\.0: something nested too deep is not a string$/,
    ],
    [
      'an unknown status',
      JSON.stringify({ ...done, status: 'done' }),
      /^at status: "done" is not one of DONE, DONE_WITH_CONCERNS, BLOCKED, NEEDS_CONTEXT$/,
    ],
    [
      'a wrong entry deep inside',
      JSON.stringify({ ...done, tests: [done.tests[0], { command: 'x', result: 3 }] }),
      /^at tests\.1\.result: 3 is not a string$/,
    ],
    [
      'a text for a list',
      JSON.stringify({ ...done, concerns: 'none' }),
      /^at concerns: "none" is not an array$/,
    ],
    ['a key too many', JSON.stringify({ ...done, note: 1 }), /^at note: the schema has no such key$/],
  ])('is refused for %s, and says where', (_title, message, wrong) => {
    expect(readStructured(message).wrong).toMatch(wrong);
    expect(readStructured(message).value).toBeUndefined();
  });

  it('takes no time for a fence around very many blanks', () => {
    const from = performance.now();
    expect(readStructured(`\`\`\`\n${' '.repeat(250_000)}x`).wrong).toMatch(/^it is no JSON/);
    // Measured: 1 ms.
    expect(performance.now() - from).toBeLessThan(1000);
  });

  it('keeps the text of any other JSON as it was said', () => {
    expect(jsonOf('```json\n{"n": 1.50}\n```').value).toEqual({ json: { n: 1.5 }, text: '{"n": 1.50}' });
  });
});

it('the schema is one that strict mode takes: every key required, and no other allowed, at every depth', () => {
  const objects: unknown[] = [];
  const visit = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if ('properties' in schema) objects.push(schema);
    Object.values(schema).forEach(visit);
  };
  visit(STRUCTURED_SCHEMA);
  expect(objects).toHaveLength(2);
  for (const schema of objects) {
    const { properties, required } = schema as { properties: object; required: string[] };
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect([...required].sort()).toEqual(Object.keys(properties).sort());
  }
});
