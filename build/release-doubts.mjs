// What speaks against a release from the tree as it stands.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Reasons not to release from `root`, one sentence each with what to do; none when all is well. */
export function releaseDoubts(root, version) {
  const tracked = git(root, ['ls-files', '--', 'skills/prun']).split('\n');
  const { files } = JSON.parse(readFileSync(path.join(root, 'dist/manifest.json'), 'utf8'));
  const stray = files.map(({ file }) => `skills/prun/${file}`).filter((file) => !tracked.includes(file));
  const changed = git(root, ['status', '--porcelain'])
    .split('\n')
    .filter(Boolean)
    .map((line) => line.slice(3));
  const build = spawnSync(process.execPath, ['build.mjs', '--check'], { cwd: root, encoding: 'utf8' });
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return [
    ...(changed.length > 0 ? [`${named(changed)} not committed: commit or remove it`] : []),
    ...(stray.length > 0 ? [`${named(stray)} in the folder, but not in git: add or remove it`] : []),
    ...(build.status === 0 ? [] : [`the build is not that of the sources: ${build.stderr.trim()}`]),
    ...(lock.version === version && lock.packages[''].version === version
      ? []
      : [`package-lock.json has version ${lock.version}, not ${version}: run npm install`]),
    ...(changesOf(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), version) === ''
      ? [`CHANGELOG.md says nothing of ${version}: write its section`]
      : []),
  ];
}

/** What the changelog says of a version, without the heading; empty when it has no such section. */
export function changesOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((section) => section.startsWith(`[${version}]`)) ?? '';
  return own.slice(own.indexOf('\n')).trim();
}

/** What git says in `root`. Throws with its words when it fails. */
export function git(root, words) {
  const said = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  if (said.status !== 0)
    throw new Error(`git ${words[0]} failed: ${said.error?.message ?? said.stderr.trim()}`);
  return said.stdout.trimEnd();
}

function named(lines) {
  const more = lines.length > 5 ? ` and ${lines.length - 5} more` : '';
  return `${lines.slice(0, 5).join(', ')}${more} is`;
}
