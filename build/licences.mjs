// The licence texts of the libraries that are in the compiled scripts: whoever passes the scripts on passes them on, too.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;
/** How rolldown names the file of a package that somebody else's bundle has taken in. */
const TAKEN_IN = /^\/\/#region \S*node_modules\/((?:@[^/\s]+\/)?[^/\s.][^/\s]*)\//gm;

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * Packages whose code is in the outputs of an esbuild run, as `name -> folder`, sorted by name: those that esbuild took
 * from node_modules, and those that were already inside one of their files.
 */
export function bundledPackages(root, metafile) {
  const folders = new Map();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      const found = /^(.*node_modules\/)((?:@[^/]+\/)?[^/]+)\//.exec(file);
      if (found === null || bytesInOutput === 0) continue;
      const [, modules, name] = found;
      folders.set(name, path.resolve(root, modules, name));
      for (const inner of packagesInside(readFileSync(path.resolve(root, file), 'utf8'))) {
        if (!folders.has(inner)) folders.set(inner, path.resolve(root, 'node_modules', inner));
      }
    }
  }
  return new Map([...folders].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Names of the packages that were bundled into a file before it was published. */
export function packagesInside(text) {
  return new Set([...text.matchAll(TAKEN_IN)].map(([, name]) => name));
}

/** The whole file for the packages of an esbuild run. Throws for a package whose terms cannot be found. */
export function licencesText(root, metafile) {
  const packages = [...bundledPackages(root, metafile)].map(([name, folder]) => licenceOf(name, folder));
  return [
    'The scripts in this folder hold code of these packages. prun itself is under the licence in LICENSE.\n\n',
    packages.map(({ name, licence }) => `- ${name} (${licence})\n`).join(''),
    ...packages.map(
      ({ name, licence, text }) =>
        `\n${'='.repeat(80)}\n${name} (${licence})\n${'='.repeat(80)}\n\n${text}\n`,
    ),
  ].join('');
}

function licenceOf(name, folder) {
  let about;
  try {
    about = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  } catch {
    // A package inside another's bundle is there only as long as somebody else depends on it.
    throw new Error(`${name} is in the scripts, but its licence is not here: npm install --save-dev ${name}`);
  }
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  const texts = files.sort().map((file) => tidy(readFileSync(path.join(folder, file), 'utf8')));
  if (texts.length > 0) return { name, licence: about.license, text: texts.join('\n\n') };
  if (about.license !== 'MIT') throw new Error(`${name} ships no licence text: add it to build/licences.mjs`);
  const author = (typeof about.author === 'string' ? about.author : about.author?.name)?.replace(
    / *[<(].*/,
    '',
  );
  if (!author)
    throw new Error(`${name} names no author and ships no licence text: add it to build/licences.mjs`);
  return { name, licence: 'MIT', text: `Copyright (c) ${author}\n\n${MIT}` };
}

function tidy(text) {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
