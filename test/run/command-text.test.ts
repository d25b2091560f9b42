import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandTextFor, quotedWord } from '../../scripts-src/run/command-text.ts';
import { pathInRun } from '../../scripts-src/run/path-in-run.ts';
import type { Run } from '../../scripts-src/run/run-folder.ts';
import { PLAIN_RUN } from '../helpers/run-fixture.ts';

const made = path.resolve('/state/runs/x');
const runAt = (folder: string): Run => ({
  folder: path.resolve(folder),
  stateHome: path.resolve('/state'),
  isHome: true,
  record: { schema: 1, id: 'x', createdAt: '2026-11-30T10:00:00.000Z', folder: made, ...PLAIN_RUN },
});

describe('a command in a text', () => {
  it('is what a person types', () => {
    const command = commandTextFor(runAt(made), path.resolve('/state'));
    expect(command('retry', '--unit', 'api')).toBe('prun retry --run x --unit api');
  });

  it('names the state home where it is not the usual one', () => {
    const command = commandTextFor(runAt(made), path.resolve('/other'));
    expect(command('wait')).toBe(`prun wait --run x --state-home ${path.resolve('/state')}`);
  });

  it.each([
    ['api', 'api'],
    ['/a/b-c_d.md', '/a/b-c_d.md'],
    ['/a b', "'/a b'"],
    ["it's", "'it'\\''s'"],
    ['$(rm)', "'$(rm)'"],
    ['', "''"],
  ])('quotes %j as %s', (word, text) => {
    expect(quotedWord(word)).toBe(text);
  });
});

describe('a path that a run has recorded', () => {
  it.each([
    [
      'below a run that was moved lies below its new place',
      '/copy/x',
      '/state/runs/x/attempts/a',
      '/copy/x/attempts/a',
    ],
    ['elsewhere is as it is', '/copy/x', '/home/me/r.md', '/home/me/r.md'],
    ['of a neighbour with the same beginning is as it is', '/copy/x', '/state/runs/xy/a', '/state/runs/xy/a'],
    ['of a run at home is as it is', '/state/runs/x', '/state/runs/x/attempts/a', '/state/runs/x/attempts/a'],
    ['with a name of dots is inside', '/copy/x', '/state/runs/x/..a', '/copy/x/..a'],
  ])('%s', (_, now, recorded, found) => {
    expect(pathInRun(runAt(now), path.resolve(recorded))).toBe(path.resolve(found));
  });
});
