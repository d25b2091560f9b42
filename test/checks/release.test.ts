import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { git } from '../helpers/plain-git.ts';
import { openReleaseCopy, type ReleaseCopy, runUnder, type Said } from '../helpers/release-copy.ts';

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8')));
const ZIP = `prun-${version}.zip`;
const PACKAGE = `prun-skill-${version}.tgz`;
const LIST = `prun-${version}.files.json`;

const List = z.object({
  schema: z.literal(1),
  version: z.string(),
  commit: z.string(),
  archives: z.array(
    z.object({
      file: z.string(),
      files: z.array(z.object({ file: z.string(), mode: z.string(), bytes: z.number(), sha256: z.string() })),
    }),
  ),
});

let copy: ReleaseCopy;
/** What the release in the copy said. */
let first: Said;
beforeAll(async () => {
  copy = await openReleaseCopy();
  first = release(copy.folder);
});
afterAll(() => copy.remove());

const inDist = (folder: string, file: string): Buffer => readFileSync(path.join(folder, 'dist', file));
const release = (folder: string, ...flags: string[]): Said =>
  runUnder('022', folder, ['release.mjs', ...flags]);

describe('a release', () => {
  it('has the same bytes from the same commit in another folder, under another umask, in another zone', async () => {
    expect(first.status, first.stderr).toBe(0);
    const other = await copy.clone('other place');
    const second = runUnder('077', other, ['release.mjs'], { TZ: 'Pacific/Apia', npm_config_umask: '077' });
    expect(second.status, second.stderr).toBe(0);
    expect(second.stdout).toBe(first.stdout);
    for (const file of [ZIP, PACKAGE, LIST, 'SHA256SUMS']) {
      expect(inDist(other, file).equals(inDist(copy.folder, file)), file).toBe(true);
    }
    const sums = spawnSync('sha256sum', ['-c', 'SHA256SUMS'], {
      cwd: path.join(other, 'dist'),
      encoding: 'utf8',
    });
    expect(sums.stdout).toBe([ZIP, PACKAGE, LIST].map((file) => `${file}: OK\n`).join(''));
  });

  it('lists what is in it, executable bits included', () => {
    const list = List.parse(JSON.parse(inDist(copy.folder, LIST).toString()));
    const [zip, npm] = list.archives;
    expect(list.version).toBe(version);
    expect(Object.keys(unzipSync(inDist(copy.folder, ZIP)))).toEqual(
      zip?.files.map(({ file }) => `prun/${file}`),
    );
    const packed = execFileSync('tar', ['tzf', path.join(copy.folder, 'dist', PACKAGE)], {
      encoding: 'utf8',
    });
    expect(packed.trim().split('\n').sort()).toEqual(npm?.files.map(({ file }) => `package/${file}`));
    for (const { file, mode } of zip?.files ?? []) {
      const executable = (statSync(path.join(copy.folder, 'skills/prun', file)).mode & 0o100) !== 0;
      expect(mode, file).toBe(executable ? '755' : '644');
    }
    expect(packed).toContain('package/skills/prun/THIRD-PARTY-LICENSES.txt\n');
  });

  it('the zip is the folder, and works with nothing beside it', () => {
    const place = path.join(copy.folder, '../unpacked');
    mkdirSync(place);
    const unzip = spawnSync('unzip', ['-q', path.join(copy.folder, 'dist', ZIP), '-d', place]);
    // unzip is no part of a plain Debian: then the modes are those of the list, which were compared above.
    if (unzip.status !== 0) unpack(inDist(copy.folder, ZIP), place);
    const prun = path.join(place, 'prun/scripts/prun.sh');
    if (unzip.status === 0) expect(statSync(prun).mode & 0o777).toBe(0o755);
    else chmodSync(prun, 0o755);
    const bare = { cwd: place, encoding: 'utf8', env: { PATH: process.env.PATH } } as const;
    expect(spawnSync(prun, ['--version'], bare).stdout).toBe(`${version}\n`);
    expect(spawnSync(prun, ['schema'], bare).stdout).toContain('"units"');
  });

  it('the package installs offline, brings nothing else, and npx runs prun', () => {
    const place = path.join(copy.folder, '../installed');
    mkdirSync(path.join(place, 'project'), { recursive: true });
    const tarball = path.join(copy.folder, 'dist', PACKAGE);
    const installed = npm(place, 'install', '--offline', '--prefix', '.', tarball);
    expect(installed.status, installed.stderr).toBe(0);
    expect(installed.stdout).toContain('added 1 package');

    const npx = (...words: string[]) => npm(place, 'exec', '--offline', '--no', '--', ...words);
    expect(npx('prun-skill', '--version').stdout).toBe(`${version}\n`);
    expect(npx('prun-skill', '--help').stdout).toMatch(/^usage: prun <command>/);
    for (const name of ['prun', 'prun-mcp']) {
      const own = spawnSync(path.join(place, 'node_modules/.bin', name), ['--version'], { encoding: 'utf8' });
      expect(own.stdout).toBe(`${version}\n`);
    }
    const wished = npx('prun-skill', 'install', '--project', 'project', '--dry-run');
    expect(wished.status, wished.stderr).toBe(0);
    expect(existsSync(path.join(place, 'project/.claude'))).toBe(false);
    expect(npx('prun-skill', 'install', '--project', 'project').stdout).toMatch(/^INSTALLED /);
    const skill = path.join(place, 'project/.claude/skills/prun/scripts/prun.cjs');
    expect(spawnSync(skill, ['--version'], { encoding: 'utf8' }).stdout).toBe(`${version}\n`);

    const readme = readFileSync(path.join(place, 'node_modules/prun-skill/README.md'), 'utf8');
    for (const [, target = ''] of readme.matchAll(/\]\(([^)#\s:]+)[)#]/g)) {
      expect(existsSync(path.join(place, 'node_modules/prun-skill', target)), target).toBe(true);
    }
  });
});

describe('no release', () => {
  it('is made of what is not committed or not built; a dry run says so, and writes nothing', async () => {
    const folder = await copy.clone('changed');
    appendFileSync(path.join(folder, 'SKILL.md'), 'More.\n');
    writeFileSync(path.join(folder, 'stray.txt'), '');
    const refused = release(folder);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('release: SKILL.md, stray.txt is not committed: commit or remove it\n');
    expect(refused.stderr).toContain('build: skills/prun/SKILL.md differs from a fresh build');
    const dry = release(folder, '--dry-run');
    expect(dry.status).toBe(0);
    expect(dry.stderr).toBe(refused.stderr);
    expect(dry.stdout).toContain(`WOULD-MAKE dist/${ZIP} `);
    expect(existsSync(path.join(folder, 'dist', ZIP))).toBe(false);
  });

  it('has a version of which the changelog says nothing; the build writes a version wherever it is repeated', async () => {
    const folder = await copy.clone('next');
    const file = path.join(folder, 'package.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(`"version": "${version}"`, '"version": "9.8.7"'));
    const check = runUnder('022', folder, ['build.mjs', '--check']);
    expect(check.status).toBe(1);
    const repeats = ['SKILL.md', '.claude-plugin/marketplace.json', 'skills/prun/.claude-plugin/plugin.json'];
    for (const repeat of [...repeats, 'skills/prun/SKILL.md', 'skills/prun/scripts/prun.cjs']) {
      expect(check.stderr).toContain(`build: ${repeat} differs from a fresh build`);
    }
    expect(runUnder('022', folder, ['build.mjs']).status).toBe(0);
    for (const repeat of repeats)
      expect(readFileSync(path.join(folder, repeat), 'utf8')).toContain('"9.8.7"');
    expect(runUnder('022', folder, ['skills/prun/scripts/prun.cjs', '--version']).stdout).toBe('9.8.7\n');
    await git(folder, ['commit', '-q', '-a', '-m', 'next']);
    const refused = release(folder);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toBe(
      `release: package-lock.json has version ${version}, not 9.8.7: run npm install\n` +
        'release: CHANGELOG.md says nothing of 9.8.7: write its section\n',
    );
  });
});

/** npm without anybody's settings, and without a cache to take packages from. */
function npm(cwd: string, ...words: string[]): SpawnSyncReturns<string> {
  const env = { PATH: process.env.PATH, HOME: cwd, npm_config_cache: path.join(cwd, 'cache') };
  return spawnSync('npm', words, { cwd, encoding: 'utf8', env });
}

function unpack(zip: Buffer, place: string): void {
  for (const [file, bytes] of Object.entries(unzipSync(zip))) {
    mkdirSync(path.join(place, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(place, file), bytes);
  }
}
