#!/usr/bin/env node
// Makes a release of the commit that is checked out, in dist/: the folder as a zip, the npm package, the list of their
// files, and checksums. The same commit gives the same bytes. Nothing is published.
//   npm run release                 make it; refuses a tree that is not what was committed and built
//   npm run release -- --dry-run    say what would be made and what speaks against it; write nothing
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { git, releaseDoubts } from './build/release-doubts.mjs';
import { folderFiles, npmTarball, packageFiles, zipOf } from './build/release-files.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));

try {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
  release(values['dry-run']);
} catch (error) {
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}

function release(dryRun) {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const doubts = releaseDoubts(root, version);
  for (const doubt of doubts) console.error(`release: ${doubt}`);
  if (doubts.length > 0 && !dryRun) {
    process.exitCode = 1;
    return;
  }

  const folder = folderFiles(root);
  const npmPackage = packageFiles(root);
  const archives = [
    { file: `prun-${version}.zip`, bytes: zipOf(folder, 'prun', releaseDate()), files: folder },
    { file: `${name}-${version}.tgz`, bytes: npmTarball(npmPackage), files: npmPackage },
  ];
  const list = {
    schema: 1,
    version,
    commit: git(root, ['rev-parse', 'HEAD']),
    archives: archives.map(listed),
  };
  const made = [...archives, { file: `prun-${version}.files.json`, bytes: Buffer.from(json(list)) }];
  const sums = made.map(({ file, bytes }) => `${sha256(bytes)}  ${file}\n`).join('');

  for (const { file, bytes } of [...made, { file: 'SHA256SUMS', bytes: Buffer.from(sums) }]) {
    if (!dryRun) {
      mkdirSync(path.join(root, 'dist'), { recursive: true });
      writeFileSync(path.join(root, 'dist', file), bytes);
    }
    console.log(`${dryRun ? 'WOULD-MAKE' : 'MADE'} dist/${file} ${bytes.length} ${sha256(bytes)}`);
  }
}

/** The date that the files of the zip get: SOURCE_DATE_EPOCH (seconds), else that of the commit. */
function releaseDate() {
  const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? git(root, ['log', '-1', '--format=%ct']));
  // A zip knows no date before 1980.
  if (!(seconds >= 315_619_200)) throw new Error(`SOURCE_DATE_EPOCH is no date after 1980: ${seconds}`);
  return new Date(seconds * 1000);
}

function listed({ file, files }) {
  return {
    file,
    files: files.map(({ file: inside, bytes, mode }) => ({
      file: inside,
      mode: mode.toString(8),
      bytes: bytes.length,
      sha256: sha256(bytes),
    })),
  };
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
