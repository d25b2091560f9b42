import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { repositoryFiles } from '../helpers/repository-files.ts';
import { root } from '../helpers/skill-texts.ts';

interface Fault {
  what: string;
  /** Found in a file, this is the fault. */
  pattern: RegExp;
  /** Files in which it is none. */
  allowed: RegExp;
}

const COMPILED = /^skills\/prun\/scripts\/.*\.cjs$/;
const RECORDED = /^test\/fixtures\//;
/** Made-up people of texts and tests. */
const HOME = String.raw`\/home\/(?!(?:you|user|me|ann|somebody)\b)[a-z]`;

const FAULTS: Fault[] = [
  { what: 'a blank at the end of a line', pattern: /[ \t]$/m, allowed: either(COMPILED, RECORDED) },
  { what: 'a carriage return', pattern: /\r$/m, allowed: either(COMPILED, RECORDED) },
  { what: 'no newline, or several, at its end', pattern: /(?:[^\n]|\n\n)$(?![\s\S])/, allowed: RECORDED },
  { what: 'a note to oneself', pattern: /\b(?:TODO|FIXME|XXX)\b/, allowed: either(COMPILED, /^test\//) },
  { what: 'the mark of an unfinished merge', pattern: /^(?:<{7} |>{7} )/m, allowed: /^test\// },
  {
    what: 'a path of a machine',
    pattern: new RegExp(`\\/(?:root|work)\\/|\\/Users\\/(?!me\\b)|${HOME}`),
    allowed: RECORDED,
  },
  {
    what: 'a registry',
    pattern: /https?:\/\/[\w.-]*(?:registry|verdaccio|artifactory|nexus)[\w.-]*|"resolved":\s"http/i,
    allowed: /^$/,
  },
  {
    what: 'a key',
    pattern: /\b(?:ghp_\w{20}|AKIA[0-9A-Z]{16}|sk-(?:ant|proj)-\w{8})|PRIVATE KEY-----/,
    allowed: /^test\//,
  },
];

/** Text files that git keeps; a NUL byte makes a file binary, as git sees it. */
const texts = repositoryFiles()
  .map((file): [string, string] => [file, readFileSync(path.join(root, file), 'utf8')])
  .filter(([, text]) => !text.includes('\0'));

it.each(FAULTS)('no file has $what', ({ pattern, allowed }) => {
  expect(texts.length).toBeGreaterThan(100);
  const found = texts.filter(([file, text]) => !allowed.test(file) && pattern.test(text));
  expect(found.map(([file, text]) => `${file}: ${JSON.stringify(pattern.exec(text)?.[0])}`)).toEqual([]);
});

it('each fault is found where it is', () => {
  const bad: Record<string, string> = {
    'a blank at the end of a line': 'a \nb\n',
    'a carriage return': 'a\r\n',
    'no newline, or several, at its end': 'a\n\n',
    'a note to oneself': 'a // FIX' + 'ME\n',
    'the mark of an unfinished merge': `${'<'.repeat(7)} HEAD\n`,
    'a path of a machine': ['', 'home', 'jo', 'x\n'].join('/'),
    'a registry': ['https:', '', 'registry.example.com\n'].join('/'),
    'a key': `ghp_${'a'.repeat(20)}\n`,
  };
  for (const { what, pattern } of FAULTS) {
    expect(pattern.test(bad[what] ?? ''), what).toBe(true);
    expect(pattern.test('a\nb\n'), what).toBe(false);
  }
});

it("npm's scripts run on the Node that the user has: no package puts its own before it", () => {
  // If it is there: npm install ran without scripts. `node build/after-install.mjs` makes up for it.
  expect(existsSync(path.join(root, 'node_modules/.bin/node'))).toBe(false);
});

function either(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'));
}
