import { expect, it } from 'vitest';
import { bytePath, bytePathOf } from '../../scripts-src/platform/byte-path.ts';
import { outsideOf, ownership } from '../../scripts-src/workspace/delta/owns.ts';

it.each<[string[], string, boolean]>([
  [['src/api/**'], 'src/api/a.ts', true],
  [['src/api/**'], 'src/api/deep/er/a.ts', true],
  [['src/api/**'], 'src/apis/a.ts', false],
  [['src/api'], 'src/api/deep/a.ts', true],
  [['src/api/'], 'src/api/deep/a.ts', true],
  [['./src/api'], 'src/api/a.ts', true],
  [['/src/api'], 'src/api/a.ts', true],
  [['src/api'], 'src/api', true],
  [['src/api'], 'src/api.ts', false],
  [['src/api'], 'other/src/api/a.ts', false],
  [['src/*.ts'], 'src/a.ts', true],
  [['src/*.ts'], 'src/deep/a.ts', false],
  [['**/*.md'], 'README.md', true],
  [['**/*.md'], 'docs/.hidden/x.md', true],
  [['src/**'], 'src/.eslintrc', true],
  [['*'], '.env', true],
  [['.'], 'anything/at all', true],
  [['**'], '.github/workflows/ci.yml', true],
  [['src/{api,ui}/**'], 'src/ui/a.ts', true],
  [['SRC/**'], 'src/a.ts', false],
  [['docs', 'src/**'], 'docs/x', true],
  [['app/[id]'], 'app/[id]/page.tsx', true],
  [['app/(group)/page.tsx'], 'app/(group)/page.tsx', true],
  [['src/**', '!src/gen/**'], 'src/a.ts', true],
  [['src/**', '!src/gen/**'], 'src/gen/a.ts', false],
  [['!src/gen/**'], 'docs/x', false],
  [['a b/**'], 'a b/c d', true],
  [['-x/**'], '-x/y', true],
  [['ü/**'], 'ü/y', true],
  [['src/**'], 'src/new\nline', true],
])('%j and %j: %j', (globs, where, expected) => {
  expect(ownership(globs)(bytePathOf(where))).toBe(expected);
});

it('a name that is no UTF-8 belongs to whoever owns its folder', () => {
  const where = bytePath(Buffer.from([0x73, 0x2f, 0xff]));
  expect(ownership(['s/**'])(where)).toBe(true);
  expect(ownership(['t/**'])(where)).toBe(false);
});

it('where nobody said what is owned, nothing is outside', () => {
  const paths = ['a', 'b/c'].map(bytePathOf);
  expect(outsideOf([], paths)).toEqual([]);
  expect(outsideOf(['b'], paths)).toEqual(['a']);
});
