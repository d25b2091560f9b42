import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../helpers/skill-texts.ts';

const folder = path.join(root, 'skills/prun');
const text = readFileSync(path.join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
const listed = [...text.matchAll(/^- (\S+) \((.+)\)$/gm)].map(([, name = '', licence]) => ({
  name,
  licence,
}));

/** Files of packages that the compiled scripts name in their comments: what esbuild took from node_modules. */
function filesInScripts(): string[] {
  const scripts = readdirSync(path.join(folder, 'scripts')).filter((file) => file.endsWith('.cjs'));
  return scripts.flatMap((file) => {
    const script = readFileSync(path.join(folder, 'scripts', file), 'utf8');
    return [...script.matchAll(/^ *\/\/ (?:\S*\/)?(node_modules\/\S+)$/gm)].map(([, named = '']) => named);
  });
}

const packageOf = (file: string): string => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? file;

it('every package in the scripts has its licence beside them, and no other', () => {
  const files = [...new Set(filesInScripts())];
  // What a package has taken in itself stands in the comments of its own bundle.
  const inner = files.flatMap((file) => {
    const source = path.join(root, file);
    if (!existsSync(source)) return [];
    const regions = readFileSync(source, 'utf8').match(/^\/\/#region .*node_modules.*$/gm) ?? [];
    return regions.map((region) => region.slice(region.lastIndexOf('node_modules/')));
  });
  const names = [...new Set([...files, ...inner].map(packageOf))].sort();
  expect(names).toContain('zod');
  expect(names).toContain('ajv');
  expect(listed.map(({ name }) => name)).toEqual(names);
});

it('each has terms that let prun be given away under its own licence, and their text', () => {
  const parts = text.split(/^={80}\n(.*)\n={80}\n/m);
  for (const { name, licence } of listed) {
    expect(licence).toMatch(/^(?:MIT|ISC|BSD-[23]-Clause|Apache-2\.0)$/);
    const terms = parts[parts.indexOf(`${name} (${licence})`) + 1] ?? '';
    expect(terms, name).toMatch(/copyright/i);
    expect(terms.length, name).toBeGreaterThan(600);
  }
});

it("prun's own licence is in the folder", () => {
  const own = readFileSync(path.join(folder, 'LICENSE'), 'utf8');
  expect(own).toBe(readFileSync(path.join(root, 'LICENSE'), 'utf8'));
});
