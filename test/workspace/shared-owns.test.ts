import { expect, it } from 'vitest';
import { type Owner, sharedOwns } from '../../scripts-src/workspace/delta/shared-owns.ts';

const owner = (id: string, owns: string[], after: string[] = []): Owner => ({ id, owns, after });

it.each<[string[], string[], [string, string] | undefined]>([
  [['src/**'], ['src/**'], ['src/**', 'src/**']],
  [['src/*.ts'], ['src/*.ts'], ['src/*.ts', 'src/*.ts']],
  [['docs', 'src/**'], ['src/api/items.ts'], ['src/**', 'src/api/items.ts']],
  [['src/api/items.ts'], ['src/**'], ['src/api/items.ts', 'src/**']],
  [['src/api/**'], ['src/**'], ['src/api/**', 'src/**']],
  [['src'], ['./src/api/'], ['src', './src/api/']],
  [['**'], ['README.md'], ['**', 'README.md']],
  [['.'], ['src/*.ts', 'a/**'], ['.', 'a/**']],
  [['src/**/*'], ['src/a.ts'], ['src/**/*', 'src/a.ts']],
  // Not sure, or not so.
  [['src/*.ts'], ['src/a*'], undefined],
  [['src/*'], ['src/api'], undefined],
  [['src/**'], ['srcs/a.ts', 'lib/src/a.ts'], undefined],
  [['src/a'], ['src/ab'], undefined],
  [['src/**', '!src/gen/**'], ['src/gen/**'], undefined],
  [['src/**', '!src/gen/**'], ['src/gen/a.ts'], undefined],
  [['src/**', '!src/gen/**'], ['src/**'], ['src/**', 'src/**']],
  [['!src/**'], ['src/a.ts'], undefined],
  [[], ['src/**'], undefined],
])('%j and %j', (one, other, globs) => {
  const found = sharedOwns([owner('one', one), owner('other', other)], 5);
  expect(found).toEqual(globs === undefined ? [] : [{ units: ['one', 'other'], globs }]);
});

it('units that come after each other work in turn, also through others', () => {
  const units = [owner('a', ['src/**']), owner('b', [], ['a']), owner('c', ['src/x'], ['b'])];
  expect(sharedOwns(units, 5)).toEqual([]);
  expect(sharedOwns([...units, owner('d', ['src/x'])], 5)).toHaveLength(2);
});

it('each pair is told once, as many as are wanted', () => {
  const units = Array.from({ length: 5000 }, (_, n) => owner(`u${n}`, ['src/**', 'docs/**']));
  expect(sharedOwns(units.slice(0, 3), 99).map(({ units: pair }) => pair.join(' '))).toEqual([
    'u0 u1',
    'u0 u2',
    'u1 u2',
  ]);
  expect(sharedOwns(units, 6)).toHaveLength(6);
});
