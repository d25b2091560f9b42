// The version stands in package.json; here it is written into every file that must repeat it.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Files that repeat the version, each with the one place where it stands. */
const PLACES = {
  'SKILL.md': /^( {2}version: ")[^"\n]*(")$/m,
  '.claude-plugin/marketplace.json': /("version": ")[^"\n]*(")/,
  'skills/prun/.claude-plugin/plugin.json': /("version": ")[^"\n]*(")/,
};

/**
 * The text with this version in the place that `pattern` shows (group 1, version, group 2). Throws unless there is
 * exactly one such place: a second one would keep an old version unseen.
 */
export function withVersion(text, version, pattern, file) {
  const places = [...text.matchAll(new RegExp(pattern, `${pattern.flags.replace('g', '')}g`))];
  if (places.length !== 1) throw new Error(`${file} has ${places.length} places for the version, not one`);
  return text.replace(pattern, `$1${version}$2`);
}

/** Path below `root` -> text with the version of package.json, for each file that repeats it. */
export function versionedFiles(root) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return new Map(
    Object.entries(PLACES).map(([file, pattern]) => [
      file,
      withVersion(readFileSync(path.join(root, file), 'utf8'), version, pattern, file),
    ]),
  );
}
