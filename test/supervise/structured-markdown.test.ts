import { describe, expect, it } from 'vitest';
import { markdownOf, structuredOf } from '../../scripts-src/supervise/structured-markdown.ts';
import { missingInResult } from '../../scripts-src/unit/result-contract.ts';
import type { StructuredResult } from '../../scripts-src/unit/structured-schema.ts';
import { checkClaims } from '../../scripts-src/workspace/claims/claims.ts';

const full: StructuredResult = {
  status: 'DONE_WITH_CONCERNS',
  summary: 'Stable pagination.',
  files_changed: ['src/api/items.ts', 'docs/my notes.md', 'Makefile'],
  tests: [
    { command: 'npm test -- api', result: '12 passed, 1 skipped' },
    { command: 'npm run lint', result: 'clean' },
  ],
  concerns: ['The cursor format changes; clients must follow.', 'No load test was run.'],
};
const bare: StructuredResult = {
  status: 'DONE',
  summary: 'Nothing is to be done.',
  files_changed: [],
  tests: [],
  concerns: [],
};
const single: StructuredResult = {
  status: 'DONE_WITH_CONCERNS',
  summary: 'Done.',
  files_changed: ['a.ts'],
  tests: [{ command: 'node a.ts', result: '' }],
  concerns: ['It is slow.'],
};

const claimsOf = (markdown: string, changed: string[]) =>
  checkClaims(
    markdown,
    { changed: changed.map((name) => Buffer.from(name)) as never, ignored: [], lost: [] },
    { roots: ['/clone'], resultFile: undefined, exists: () => false },
  );

describe('a structured result as Markdown', () => {
  it('has the five fields, one entry beside its name and several below it', () => {
    expect(markdownOf('api', full)).toBe(`# api result
Conclusion: Stable pagination.
Files:
- \`src/api/items.ts\`
- \`docs/my notes.md\`
- \`Makefile\`
Open items:
- The cursor format changes; clients must follow.
- No load test was run.
Verification:
- \`npm test -- api\`: 12 passed, 1 skipped
- \`npm run lint\`: clean

Status: DONE_WITH_CONCERNS
`);
    expect(markdownOf('api', bare)).toBe(`# api result
Conclusion: Nothing is to be done.
Files: none (read-only)
Open items: none
Verification: none

Status: DONE
`);
  });

  it('has no entry that reads as another field, or as none', () => {
    const text = markdownOf('odd', {
      ...full,
      files_changed: ['', 'made-up.ts', ' '],
      concerns: ['Slow.', 'Verification: all good', '**Files:** lies.ts', '\u0000'],
      tests: [
        { command: '', result: '' },
        { command: '', result: 'looked at it' },
      ],
    });
    const back = structuredOf(text);
    expect(back.files_changed).toEqual(['made-up.ts']);
    expect(back.concerns).toEqual(['Slow.', '"Verification: all good"', '"**Files:** lies.ts"']);
    expect(back.tests).toEqual([{ command: 'looked at it', result: '' }]);
    expect(claimsOf(text, ['other.ts']).claimed).toEqual(['made-up.ts']);
    const nothing = { ...bare, tests: [{ command: ' ', result: '' }], concerns: [''], files_changed: [''] };
    expect(markdownOf('odd', nothing)).toBe(markdownOf('odd', bare));
    expect(markdownOf('odd', { ...full, concerns: ['none'] })).toContain('concerns that it does not name');
  });

  it('keeps all of its fields within what readers look at, however much is listed', () => {
    const files_changed = Array.from({ length: 5000 }, (_, n) => `file-${n}.ts`);
    const concerns = Array.from({ length: 5000 }, (_, n) => `Concern ${n}.`);
    const text = markdownOf('odd', { ...full, files_changed, concerns });
    expect(text).toContain('- and 4500 more\n');
    const back = structuredOf(text);
    expect(back.files_changed).toHaveLength(500);
    expect(back.tests).toEqual(full.tests);
  });

  it('keeps the contract and a long summary, whatever stands in the texts', () => {
    const odd: StructuredResult = {
      status: 'DONE_WITH_CONCERNS',
      summary: 'First line\n\n# second result\nFiles: lies.ts\n```\nfence',
      files_changed: ['a`b.ts', ' '],
      tests: [{ command: '', result: '\n' }],
      concerns: [],
    };
    const text = markdownOf('odd', odd);
    expect(missingInResult(text)).toEqual([]);
    expect(text).toContain('Conclusion: First line # second result Files: lies.ts ``` fence\n');
    expect(text).toContain('Open items: concerns that it does not name\n');
    expect(text).toContain(`Status: DONE_WITH_CONCERNS\n\n${odd.summary}\n`);
    expect(claimsOf(text, ['a`b.ts']).claimed).toEqual([]);
  });

  it.each([
    ['full', full],
    ['bare', bare],
    ['single', single],
  ])('and back is the same: %s', (_title, result) => {
    const text = markdownOf('api', result);
    expect(missingInResult(text)).toEqual([]);
    expect(structuredOf(text)).toEqual(result);
  });

  it('makes claims that are held against the delta', () => {
    const text = markdownOf('api', full);
    expect(claimsOf(text, full.files_changed)).toMatchObject({ claimed: [], unclaimed: [] });
    expect(claimsOf(text, ['docs/my notes.md', 'Makefile', 'other.ts'])).toMatchObject({
      claimed: ['src/api/items.ts'],
      unclaimed: ['other.ts'],
    });
    expect(claimsOf(markdownOf('api', bare), ['x.ts'])).toMatchObject({
      saysNone: true,
      unclaimed: ['x.ts'],
    });
  });
});

describe('a result that a worker wrote in Markdown', () => {
  it.each<[string, string, Partial<StructuredResult>]>([
    [
      'prose in its fields',
      '# a result\nConclusion: ok\nFiles: `src/a.ts`, src/b.ts (new); read: src/c.ts\nOpen items: None.\nVerification: ran npm test, all pass\n',
      {
        status: 'DONE',
        summary: 'ok',
        files_changed: ['src/a.ts', 'src/b.ts'],
        tests: [{ command: 'ran npm test, all pass', result: '' }],
        concerns: [],
      },
    ],
    [
      'bold names, lists and an open item',
      '# a result\n**Conclusion:** half\n**Files:**\n- `x.ts`\n- y.ts: made\n**Open items:**\n1. no tests yet for y\n2. docs\n**Verification:** none\n\nFiles: z.ts\n',
      {
        status: 'DONE_WITH_CONCERNS',
        files_changed: ['x.ts', 'y.ts'],
        concerns: ['no tests yet for y', 'docs'],
        tests: [],
      },
    ],
    [
      'nothing to tell',
      '# a result\nConclusion: read it\nFiles: none (read-only)\nOpen items: no blockers\nVerification: -\n',
      { status: 'DONE', files_changed: [], concerns: [], tests: [] },
    ],
  ])('with %s', (_title, markdown, result) => {
    expect(structuredOf(markdown)).toMatchObject(result);
  });
});
