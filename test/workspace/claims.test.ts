import { describe, expect, it } from 'vitest';
import { bytePath, bytePathOf } from '../../scripts-src/platform/byte-path.ts';
import { type ClaimCheck, checkClaims } from '../../scripts-src/workspace/claims/claims.ts';
import { readResultFields } from '../../scripts-src/workspace/claims/result-fields.ts';

const CLONE = '/home/ann/.local/state/prun/workspaces/items-1/clones/api';

interface Case {
  /** The text of the field, or lines from it on. */
  files: string;
  /** What the delta has. */
  changed: string[];
  claimed?: string[];
  unclaimed?: string[];
  ignored?: string[];
  saysNone?: boolean;
}

interface Circumstances {
  ignored?: string[];
  lost?: string[];
  there?: string[];
  resultFile?: string;
  roots?: string[];
}

function check(files: string, changed: string[], more: Circumstances = {}): ClaimCheck {
  const result = `# api result\nConclusion: Pagination is stable now.\nFiles: ${files}\nOpen items: none\nVerification: npm test\n\nBody with src/not-a-claim.ts\n`;
  return checkClaims(
    result,
    {
      changed: changed.map(bytePathOf),
      ignored: (more.ignored ?? []).map(bytePathOf),
      lost: (more.lost ?? []).map(bytePathOf),
    },
    {
      roots: more.roots ?? [CLONE],
      resultFile: more.resultFile,
      exists: (path) => (more.there ?? []).includes(path),
    },
  );
}

/** Lines as workers write them, whose claims hold: none of them may raise an alarm. */
const HONEST: Case[] = [
  { files: 'src/api/items.ts', changed: ['src/api/items.ts'] },
  { files: '`src/api/items.ts`, `test/items.test.ts`', changed: ['src/api/items.ts', 'test/items.test.ts'] },
  {
    files: 'src/api/items.ts (new), test/items.test.ts (modified)',
    changed: ['src/api/items.ts', 'test/items.test.ts'],
  },
  { files: 'src/api/items.ts:12, src/api/items.ts:40-52', changed: ['src/api/items.ts'] },
  { files: './src/api/items.ts and ./README.md', changed: ['src/api/items.ts', 'README.md'] },
  { files: `${CLONE}/src/api/items.ts`, changed: ['src/api/items.ts'] },
  { files: `Changed ${CLONE}/src/a.ts; wrote ${CLONE}/src/b.ts.`, changed: ['src/a.ts', 'src/b.ts'] },
  { files: '"src/api/items.ts"', changed: ['src/api/items.ts'] },
  { files: "'src/a.ts' 'src/b.ts'", changed: ['src/a.ts', 'src/b.ts'] },
  { files: 'src/api/', changed: ['src/api/items.ts', 'src/api/users.ts'] },
  { files: 'src/api', changed: ['src/api/items.ts'] },
  { files: 'src/api/*.ts', changed: ['src/api/items.ts'] },
  { files: 'src/**/*.test.ts, src/{a,b}.ts', changed: ['src/api/x.test.ts', 'src/a.ts'] },
  { files: 'items.ts, items.test.ts', changed: ['src/api/items.ts', 'test/items.test.ts'] },
  { files: 'api/items.ts (in packages/server)', changed: ['packages/server/api/items.ts'] },
  { files: '[items.ts](src/api/items.ts)', changed: ['src/api/items.ts'] },
  { files: '**src/api/items.ts**', changed: ['src/api/items.ts'] },
  { files: 'Makefile, Dockerfile, .env.example', changed: ['Makefile', 'Dockerfile', '.env.example'] },
  { files: '.github/workflows/ci.yml', changed: ['.github/workflows/ci.yml'] },
  { files: 'app/(auth)/page.tsx, app/[id]/page.tsx', changed: ['app/(auth)/page.tsx', 'app/[id]/page.tsx'] },
  { files: 'docs/my notes.md', changed: ['docs/my notes.md'] },
  { files: 'src/old.ts -> src/new.ts', changed: ['src/old.ts', 'src/new.ts'] },
  { files: 'src/old.ts → src/new.ts (renamed)', changed: ['src/old.ts', 'src/new.ts'] },
  { files: 'deleted src/old.ts', changed: ['src/old.ts'] },
  { files: 'src\\api\\items.ts', changed: ['src/api/items.ts'] },
  { files: 'SRC/API/Items.ts', changed: ['src/api/items.ts'] },
  { files: 'a/src/x.ts b/src/x.ts', changed: ['src/x.ts'] },
  { files: 'src/x.test.ts::returns 404', changed: ['src/x.test.ts'] },
  { files: 'src/x.ts#L12-L20', changed: ['src/x.ts'] },
  {
    files: 'src/x.ts — adds the cursor, e.g. for and/or v1.2 of the API (see RFC/8288)',
    changed: ['src/x.ts'],
  },
  {
    files: 'src/x.ts; see https://example.com/docs/page.html and www.w3.org/TR/x.html',
    changed: ['src/x.ts'],
  },
  { files: 'src/x.ts (uses Node.js, Next.js and express/router)', changed: ['src/x.ts'] },
  { files: 'src/x.ts; ran `npm test -- src/y.test.ts`', changed: ['src/x.ts'] },
  { files: 'src/x.ts. Read src/y.ts, src/z.ts and docs/a.md for context.', changed: ['src/x.ts'] },
  {
    files: 'src/x.ts, src/y.ts (unchanged), src/z.ts (read only), src/w.ts (not changed)',
    changed: ['src/x.ts'],
  },
  { files: 'src/x.ts; no changes to src/y.ts', changed: ['src/x.ts'] },
  { files: 'src/x.ts; src/y.ts - unchanged', changed: ['src/x.ts'] },
  {
    files: 'src/x.ts, application/json, GET /api/items.json, ../other/y.ts, /etc/hosts, ~/notes.md',
    changed: ['src/x.ts'],
  },
  {
    files: 'src/x.ts, process.env, items.map, foo.bar(), 3/5 tests, 2026/11/30, origin/main',
    changed: ['src/x.ts'],
  },
  { files: 'src/x.ts, src/.../y.ts, src/<name>.ts, src/$NAME.ts, --config=a/b.json', changed: ['src/x.ts'] },
  { files: 'src/x.ts, tmp/try.py (temporary, removed again)', changed: ['src/x.ts'] },
  { files: 'agent-io/r-api.md, src/x.ts', changed: ['src/x.ts', 'agent-io/r-api.md'] },
  {
    files: '3 files changed: src/a.ts, src/b.ts, src/c.ts (+120/-4)',
    changed: ['src/a.ts', 'src/b.ts', 'src/c.ts'],
  },
  { files: '\n- `src/a.ts`: cursor\n- `src/b.ts`: tests for a.ts', changed: ['src/a.ts', 'src/b.ts'] },
  { files: '\n\n* src/a.ts (new)\n* src/b.ts\n', changed: ['src/a.ts', 'src/b.ts'] },
  { files: 'see below\n  1. src/a.ts\n  2. src/b.ts', changed: ['src/a.ts', 'src/b.ts'] },
  { files: 'shop/src/x.ts', changed: ['src/x.ts'] },
  { files: 'src/x.ts only; nothing else was changed, not even src/y.ts', changed: ['src/x.ts'] },
  { files: 'created src/x.ts from src/template.ts', changed: ['src/x.ts'] },
  { files: 'src/x.ts (exports makeX, used by src/y.ts)', changed: ['src/x.ts'] },
  { files: '`src/x.ts`: reads `config/app.json` now', changed: ['src/x.ts'] },
  {
    files: 'src/x.ts - cursor for lists, src/y.ts - tests like z.test.ts',
    changed: ['src/x.ts', 'src/y.ts'],
  },
  { files: '- src/x.ts: added support for config/app.json, see docs/a.md', changed: ['src/x.ts'] },
  { files: 'src/größe.ts', changed: ['src/größe.ts'.normalize('NFD')] },
  { files: 'none (read-only)', changed: [], saysNone: true },
  { files: 'None; findings refer to src/api/items.ts:12', changed: [], saysNone: true },
  { files: 'N/A', changed: [], saysNone: true },
  { files: '-', changed: [], saysNone: true },
  { files: 'no files changed (reviewed src/a.ts, src/b.ts)', changed: [], saysNone: true },
  { files: 'none in src/, added test/x.test.ts', changed: ['test/x.test.ts'] },
];

/** Lines that claim what is not there, or keep silent about what is. */
const FALSE: Case[] = [
  { files: 'src/api/items.ts', changed: [], claimed: ['src/api/items.ts'] },
  { files: '`src/a.ts`, `src/b.ts`', changed: ['src/a.ts'], claimed: ['src/b.ts'] },
  { files: 'src/a.ts (new), docs/b.md (new)', changed: ['src/a.ts'], claimed: ['docs/b.md'] },
  { files: `${CLONE}/src/b.ts`, changed: ['src/a.ts'], claimed: ['src/b.ts'], unclaimed: ['src/a.ts'] },
  { files: 'items.ts, README.md', changed: ['src/items.ts'], claimed: ['README.md'] },
  { files: 'src/api/', changed: ['src/web/x.ts'], claimed: ['src/api/'], unclaimed: ['src/web/x.ts'] },
  {
    files: 'src/api/*.ts',
    changed: ['src/web/x.ts'],
    claimed: ['src/api/*.ts'],
    unclaimed: ['src/web/x.ts'],
  },
  { files: 'read src/r.ts; changed src/a.ts, src/b.ts', changed: ['src/a.ts'], claimed: ['src/b.ts'] },
  { files: '\n- `src/a.ts`\n- `src/b.ts`', changed: ['src/a.ts'], claimed: ['src/b.ts'] },
  { files: 'src/a.ts:3, src/b.ts:7-9', changed: [], claimed: ['src/a.ts', 'src/b.ts'] },
  { files: 'src/a.ts - cursor, src/b.ts - tests', changed: ['src/a.ts'], claimed: ['src/b.ts'] },
  { files: 'two files (src/a.ts, src/b.ts)', changed: ['src/a.ts'], claimed: ['src/b.ts'] },
  { files: 'deleted src/old.ts', changed: [], claimed: ['src/old.ts'] },
  { files: 'src/a.ts', changed: ['src/a.ts', 'src/b.ts'], unclaimed: ['src/b.ts'] },
  { files: 'none (read-only)', changed: ['src/a.ts'], unclaimed: ['src/a.ts'], saysNone: true },
  { files: 'cafe.ts', changed: ['src/decafe.ts'], claimed: ['cafe.ts'], unclaimed: ['src/decafe.ts'] },
];

describe('claims of a result', () => {
  it.each(HONEST)('hold: $files', ({ files, changed, saysNone = false }) => {
    expect(check(files, changed)).toEqual({
      claimed: [],
      unclaimed: [],
      ignored: [],
      saysNone,
      isEmpty: changed.length === 0,
      hasConclusion: true,
    });
  });

  it.each(FALSE)(
    'do not hold: $files',
    ({ files, changed, claimed = [], unclaimed = [], saysNone = false }) => {
      const seen = check(files, changed, { there: ['src/old.ts'] });
      expect(seen).toMatchObject({ claimed, unclaimed, ignored: [], saysNone });
    },
  );

  it('a claimed file at an ignored path is said, and is no false claim', () => {
    const seen = check('dist/app.js, build/x/y.js, src/a.ts', ['src/a.ts'], {
      ignored: ['dist', 'build/x/y.js'],
    });
    expect(seen).toMatchObject({ claimed: [], ignored: ['dist/app.js', 'build/x/y.js'] });
  });

  it('nothing is said of a claim where the delta could not hold the file', () => {
    expect(check('vendor/lib/x.ts', [], { lost: ['vendor/lib'] })).toMatchObject({
      claimed: [],
      isEmpty: false,
    });
  });

  it('the result file in the clone is no work', () => {
    const seen = check('none (read-only)', ['result.md'], { resultFile: 'result.md' });
    expect(seen).toMatchObject({ unclaimed: [], isEmpty: true, saysNone: true });
  });

  it('a clone whose path has spaces is left out in front of a file', () => {
    const roots = ['/tmp/prun room 1/clones/api', 'C:\\prun room\\clones\\api'];
    const text = '/tmp/prun room 1/clones/api/src/a.ts and C:\\prun room\\clones\\api\\src\\b.ts';
    expect(check(text, ['src/a.ts', 'src/b.ts'], { roots })).toMatchObject({ claimed: [], unclaimed: [] });
  });

  it('without a Files field nothing is claimed', () => {
    const delta = { changed: [bytePathOf('src/a.ts')], ignored: [], lost: [] };
    const place = { roots: [], resultFile: undefined, exists: () => false };
    expect(checkClaims('All is well: src/b.ts\n', delta, place)).toEqual({
      claimed: [],
      unclaimed: [],
      ignored: [],
      saysNone: false,
      isEmpty: false,
      hasConclusion: false,
    });
  });

  it('names that are no UTF-8 are shown as git quotes them', () => {
    const delta = { changed: [bytePath(Buffer.from('a\xff.ts', 'latin1'))], ignored: [], lost: [] };
    const seen = checkClaims('Files: x.bin\n', delta, {
      roots: [],
      resultFile: undefined,
      exists: () => false,
    });
    expect(seen.unclaimed).toEqual(['"a\\377.ts"']);
  });

  it.each([
    ['parentheses', '('.repeat(1_000_000)],
    ['quotes', '`'.repeat(999_999)],
    ['wildcards', `${'a*'.repeat(300)}/x.ts`],
    ['dots', `${'. '.repeat(500_000)}`],
    ['colons', `${'a: '.repeat(300_000)}`],
    ['slashes', 'a/'.repeat(400_000)],
    ['one word', `${'x'.repeat(1_000_000)}.ts`],
    ['many words', 'src/x.ts '.repeat(100_000)],
  ])('a million %s hold nobody up', (_, files) => {
    const changed = Array.from(
      { length: 2000 },
      (_, number) => `${'a'.repeat(200)} ${number}/${'a'.repeat(200)}.ts`,
    );
    const from = performance.now();
    check(files, changed);
    expect(performance.now() - from).toBeLessThan(5000);
  });

  it('ten thousand claims against ten thousand files take no time', () => {
    const changed = Array.from(
      { length: 10_000 },
      (_, number) => `src/dir-${number % 100}/file-${number}.ts`,
    );
    const from = performance.now();
    const seen = check(`${changed.join(', ')}, ${'*a'.repeat(40)}/x.ts`, changed);
    expect(seen.claimed).toEqual([]);
    expect(performance.now() - from).toBeLessThan(3000);
  });
});

describe('the fields of a result', () => {
  it.each([
    ['Files: a.ts\nOpen items: none', 'a.ts'],
    ['**Files:** a.ts\n**Open items:** b.ts', 'a.ts'],
    ['- Files: a.ts\n- Open items: b.ts', 'a.ts'],
    ['## Files:\n- a.ts\n\n## Verification: b.ts', '- a.ts'],
    ['Files changed: a.ts', 'a.ts'],
    ['files: a.ts\r\nverification: x', 'a.ts'],
    ['Files:\na.ts\n\nBody b.ts', 'a.ts'],
    ['Files: a.ts\n\n- b.ts is in the body', 'a.ts'],
    ['Files: a.ts\nBody: b.ts', 'a.ts'],
    ['```\nFiles: b.ts\n```\nFiles: a.ts', 'a.ts'],
    ['Files: a.ts\nVerification: x\nFiles: b.ts', 'a.ts'],
    ['The Files: b.ts', undefined],
  ])('%j', (text, files) => expect(readResultFields(text).files).toBe(files));
});
