// What a release is made of: the folder and the npm package as lists of files, and their archives.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';

/** @typedef {{file: string, bytes: Buffer, mode: number}} ReleaseFile `file` is its path in the archive, with slashes */

/** The drop-in folder, as its committed manifest names it. The mode follows the name, because not every system has one. */
export function folderFiles(root) {
  const { files } = JSON.parse(readFileSync(path.join(root, 'dist/manifest.json'), 'utf8'));
  return files.map(({ file }) => ({
    file,
    bytes: readFileSync(path.join(root, 'skills/prun', file)),
    mode: /^scripts\/.*\.(cjs|sh)$/.test(file) ? 0o755 : 0o644,
  }));
}

/** The npm package: the folder in its place, what a reader of the package looks for, and a package.json of its own. */
export function packageFiles(root) {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const texts = ['README.md', 'CHANGELOG.md', 'LICENSE', ...linkedFiles(root, readme)];
  const plain = (file) => ({ file, bytes: readFileSync(path.join(root, file)), mode: 0o644 });
  return [
    { file: 'package.json', bytes: Buffer.from(packageJson(root)), mode: 0o644 },
    ...folderFiles(root).map((entry) => ({ ...entry, file: `skills/prun/${entry.file}` })),
    ...[...new Set(texts)].filter((file) => !file.startsWith('skills/prun/')).map(plain),
  ].sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Files of the repository that a Markdown text at its top leads to or shows. */
function linkedFiles(root, text) {
  const targets = [...text.matchAll(/\]\(([^)#\s]+)|\bsrc(?:set)?="([^"#\s]+)"/g)].map(
    (found) => found[1] ?? found[2],
  );
  return targets.filter((target) => {
    const file = path.join(root, target);
    return !/^[a-z]+:/.test(target) && existsSync(file) && statSync(file).isFile();
  });
}

/** The package's own package.json: nothing to install with it, nothing that runs when it is installed. */
function packageJson(root) {
  const about = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  // `npx prun-skill` runs the bin that has the package's name.
  const { name, version, description, keywords, license, engines, bin } = about;
  return `${JSON.stringify({ name, version, description, keywords, license, engines, bin }, null, 2)}\n`;
}

/** A zip of files below one folder. The same files and date give the same bytes, wherever it is made. */
export function zipOf(files, folder, date) {
  // A zip has the local time without its zone: it is that of UTC.
  process.env.TZ = 'UTC';
  const entries = files.map(({ file, bytes, mode }) => [
    `${folder}/${file}`,
    [bytes, { level: 9, mtime: date, os: 3, attrs: (0o100000 | mode) << 16 }],
  ]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}

/** The tarball that `npm pack` makes of the files. It gives each of them the same date itself, but keeps their modes. */
export function npmTarball(files) {
  const room = mkdtempSync(path.join(os.tmpdir(), 'prun-release-'));
  try {
    for (const { file, bytes, mode } of files) {
      const target = path.join(room, 'package', file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, bytes);
      // The umask must not show in the tarball.
      chmodSync(target, mode);
    }
    const words = [
      'pack',
      '--json',
      '--ignore-scripts',
      '--pack-destination',
      room,
      path.join(room, 'package'),
    ];
    const said = runNpm(words, room);
    return readFileSync(path.join(room, JSON.parse(said)[0].filename));
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}

function runNpm(words, cwd) {
  // Below `npm run` its own script is known, and starts without a shell on every system.
  const own = process.env.npm_execpath;
  const [program, first] = own?.endsWith('.js') ? [process.execPath, [own]] : ['npm', []];
  return execFileSync(program, [...first, ...words], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: program === 'npm' && process.platform === 'win32',
  });
}
