import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainError } from '../../scripts-src/platform/errors.ts';
import { runReport } from '../../scripts-src/render/run-report.ts';
import type { DeltaRecord } from '../../scripts-src/workspace/records.ts';
import { git } from '../helpers/plain-git.ts';
import { openPrun, type PrunCli } from '../helpers/prun-cli.ts';
import { testFolder } from '../workspace/user-and-clone.ts';

interface Room {
  folder: string;
  repo: string;
  clones: string[];
  set: string;
  cli: PrunCli;
  /** Where a unit's records are. */
  unit(name: string, file?: string): string;
}

async function room(...units: string[]): Promise<Room> {
  const folder = testFolder();
  const repo = path.join(folder, 'repo');
  mkdirSync(repo);
  await git(repo, ['init', '-q', '-b', 'main']);
  writeFileSync(path.join(repo, 'file'), 'one\n');
  writeFileSync(path.join(repo, '.gitignore'), 'dist\n');
  await git(repo, ['add', '-A']);
  await git(repo, ['commit', '-qm', 'first']);
  const cli = openPrun(folder);
  const clones = await cli.clone(repo, units, ['--run', 'x']);
  for (const clone of clones) writeFileSync(path.join(clone, `new-${path.basename(clone)}`), 'new\n');
  const set = path.join(cli.stateHome, 'workspaces/x');
  return { folder, repo, clones, set, cli, unit: (name, file = '') => path.join(set, 'units', name, file) };
}

function starts(text: string, word: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(`${word} `));
}

describe('prun collect of several units', () => {
  it('goes on where a clone is gone or an index is damaged, and says which failed', async () => {
    const { cli, clones, unit } = await room('a', 'b', 'c', 'd');
    rmSync(unit('a', 'index-0'));
    rmSync(clones[1] ?? '', { recursive: true });
    writeFileSync(unit('c', 'index-0'), 'rubbish\n');
    const { stdout, stderr } = await cli.run(['collect', '--run', 'x'], { code: 30 });
    const failed = starts(stdout, 'FAILED');
    expect(failed).toHaveLength(3);
    expect(failed[0]).toMatch(/^FAILED a \w+ failed for .*index-0 \(ENOENT\): look at the path/);
    expect(failed[1]).toMatch(/^FAILED b the workspace .* is gone.*: run the unit again/);
    expect(failed[2]).toMatch(/^FAILED c .+: .+/);
    expect(starts(stdout, 'DELTA').map((line) => line.split(' ')[1])).toEqual(['d']);
    expect(starts(stdout, 'A')).toEqual(['A d new-d']);
    expect(stderr).toBe('');
    expect(existsSync(unit('d', 'delta.patch'))).toBe(true);
    const json = JSON.parse((await cli.run(['collect', '--run', 'x', '--json'], { code: 30 })).stdout);
    expect(json.map((one: { unit: string }) => one.unit)).toEqual(['a', 'b', 'c', 'd']);
    expect(Object.keys(json[0])).toEqual(['unit', 'error']);
    expect(json[3].files).toHaveLength(1);
  });

  it('keeps the error of a single clone that is named by its path', async () => {
    const { cli, clones, unit } = await room('a', 'b');
    rmSync(unit('a', 'index-0'));
    rmSync(clones[1] ?? '', { recursive: true });
    for (const clone of clones) {
      const { stdout, stderr } = await cli.run(['collect', clone], { code: 30 });
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^prun collect: [^\n]+\n$/);
    }
    const one = await cli.run(['collect', '--run', 'x', '--unit', 'a', '--json'], { code: 30 });
    expect(Object.keys(JSON.parse(one.stdout))).toEqual(['unit', 'error']);
  });

  it('prints 40 lines of details for all of them, what needs an eye first, and each unit has its share', async () => {
    const { cli, clones } = await room('a', 'b', 'c');
    for (const clone of clones) {
      for (let n = 0; n < 30; n++) writeFileSync(path.join(clone, `f${n}`), 'x\n');
    }
    execFileSync('mkfifo', [path.join(clones[2] ?? '', 'pipe')]);
    const { stdout } = await cli.run(['collect', '--run', 'x']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0]).slice(0, 7)).toEqual([
      'DELTA',
      'PATCH',
      'DELTA',
      'PATCH',
      'DELTA',
      'PATCH',
      'LOST',
    ]);
    expect(lines[6]).toMatch(/^LOST c pipe is a pipe/);
    expect(lines.slice(7, -1)).toHaveLength(39);
    for (const name of ['a', 'b', 'c']) {
      expect(lines.filter((line) => line.startsWith(`A ${name} `))).toHaveLength(13);
    }
    expect(lines.at(-1)).toBe('… and 54 more lines: --json has all');
  });
});

describe('a report on a run', () => {
  const record = (unit: string, change: Partial<DeltaRecord> = {}): DeltaRecord => ({
    schema: 1,
    unit,
    set: 'x',
    base: 'b',
    result: 'r',
    files: [{ status: 'modified', path: 'file', oldMode: '100644', newMode: '100644' }],
    moves: [],
    commits: [],
    problems: [],
    included: { everything: false, paths: [] },
    ignored: [],
    outside: [],
    patch: { path: '/p', bytes: 1 },
    repository: [],
    collectedAt: '',
    ...change,
  });
  const report = (records: readonly DeltaRecord[]): string[] => {
    const { collected, end } = runReport(records.length);
    const heads = records.flatMap((one) => collected(one, '/p'));
    return [...heads, ...end()];
  };

  it('of more than 100 units has lines for those that need an eye, and counts the rest', () => {
    const units = Array.from({ length: 150 }, (_, n) => record(`u${n}`));
    units[149] = record('last', { outside: ['file'] });
    units[120] = record('none', { files: [] });
    const lines = report(units);
    expect(lines.slice(0, 3)).toEqual([
      'DELTA none files=0 added=0 modified=0 deleted=0 commits=0 lost=0',
      'DELTA last files=1 added=0 modified=1 deleted=0 commits=0 lost=0',
      'PATCH /p',
    ]);
    expect(lines[3]).toBe('REST units=148 files=148 added=0 modified=148 deleted=0 commits=0 lost=0');
    expect(lines[4]).toBe('OUTSIDE last file is not what last owns');
    expect(lines[5]).toBe('EMPTY none the unit changed nothing against its base');
    expect(lines).toHaveLength(4 + 40 + 1);
    expect(lines.at(-1)).toBe(`… and ${2 + 149 - 40} more lines: --json has all`);
  });

  it('stays short whatever a thousand units did', () => {
    const problems = Array.from({ length: 100 }, (_, n) => ({
      path: `p${n}`,
      what: 'is a pipe',
      lost: true,
    }));
    const units = Array.from({ length: 1000 }, (_, n) => record(`u${n}`, { problems }));
    const lines = report(units);
    expect(lines).toHaveLength(200 + 1 + 40 + 1);
    expect(
      new Set(lines.filter((line) => line.startsWith('LOST')).map((line) => line.split(' ')[1])).size,
    ).toBe(40);
    expect(lines.at(-1)).toBe(`… and ${101_000 - 40} more lines: --json has all`);
  });

  it('a unit with much to say does not take the lines of another kind', () => {
    const problems = Array.from({ length: 100 }, (_, n) => ({
      path: `p${n}`,
      what: 'is a pipe',
      lost: true,
    }));
    const lines = report([record('a', { problems }), record('b', { repository: ['refs/heads/x is new'] })]);
    expect(lines).toContain('REPOSITORY b refs/heads/x is new');
  });
});

describe('prun collect --patch', () => {
  it('replaces a symlink and never writes through it', async () => {
    const { cli, clones, folder, repo } = await room('a');
    const out = path.join(folder, 'out');
    mkdirSync(out);
    symlinkSync(path.join(repo, 'file'), path.join(out, 'a.patch'));
    await cli.run(['collect', ...clones, '--patch', `${out}/`]);
    expect(readFileSync(path.join(repo, 'file'), 'utf8')).toBe('one\n');
    expect(lstatSync(path.join(out, 'a.patch')).isFile()).toBe(true);
    expect(readFileSync(path.join(out, 'a.patch'), 'utf8')).toMatch(/^prun delta 1\n/);
    expect(readdirSync(out)).toEqual(['a.patch']);
  });

  it('refuses what is no file: a pipe would be replaced, and so would /dev/stdout', async () => {
    const { cli, clones, folder } = await room('a');
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const link = path.join(folder, 'stdout');
    symlinkSync('/dev/stdout', link);
    for (const place of [pipe, link]) {
      const { stderr } = await cli.run(['collect', ...clones, '--patch', place], { code: 2 });
      expect(stderr).toContain(`--patch ${place} is no file`);
    }
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it('makes the last folder and no other', async () => {
    const { cli, clones, folder, unit } = await room('a');
    for (const wrong of ['no/such/', 'no/such/a.patch']) {
      const { stderr } = await cli.run(['collect', ...clones, '--patch', wrong], { code: 2 });
      expect(stderr).toContain(`${path.join(folder, 'no')} does not exist`);
    }
    expect(existsSync(path.join(folder, 'no'))).toBe(false);
    expect(existsSync(unit('a', 'delta.patch'))).toBe(false);
    await cli.run(['collect', ...clones, '--patch', 'made/']);
    await cli.run(['collect', ...clones, '--patch', 'made too/one.patch']);
    expect(existsSync(path.join(folder, 'made/a.patch'))).toBe(true);
    expect(existsSync(path.join(folder, 'made too/one.patch'))).toBe(true);
  });
});

describe('what was collected', () => {
  it('apply and conflicts of a run name the units that were not', async () => {
    const { cli, clones, repo } = await room('a', 'b');
    await cli.run(['collect', clones[0] ?? '']);
    const conflicts = await cli.run(['conflicts', '--run', 'x']);
    expect(conflicts.stderr).toBe('prun conflicts: note: unit b has not been collected\n');
    const apply = await cli.run(['apply', '--run', 'x', '--to', repo, '--check']);
    expect(apply.stderr).toContain('prun apply: note: unit b has not been collected\n');
    const named = await cli.run(['conflicts', '--run', 'x', '--unit', 'a']);
    expect(named.stderr).toBe('');
  });

  it('a patch whose trees are not its text is refused', async () => {
    const { cli, clones, repo, folder } = await room('a', 'b');
    const patches = path.join(folder, 'patches');
    await cli.run(['collect', ...clones, '--patch', `${patches}/`]);
    const [a, b] = ['a', 'b'].map((name) => readFileSync(path.join(patches, `${name}.patch`), 'utf8'));
    const resultOf = (text = ''): string => /^result: (.+)$/m.exec(text)?.[1] ?? '';
    const edited = path.join(folder, 'edited.patch');
    const more = b?.slice(b.indexOf('diff --git')) ?? '';
    const baseOf = /^base: (.+)$/m.exec(a ?? '')?.[1] ?? '';
    const cases = [
      a?.replace(resultOf(a), resultOf(b)),
      a?.replace(resultOf(a), baseOf),
      a?.replace('+new', '+old'),
      a?.slice(0, -3),
      `${a}${more}`,
    ];
    for (const text of cases) {
      writeFileSync(edited, text ?? '');
      for (const call of [
        ['conflicts', edited],
        ['apply', edited, '--to', repo],
      ]) {
        const { stderr, stdout } = await cli.run(call, { code: 2 });
        expect(stderr).toMatch(/was changed since it was collected.*git apply, or collect unit a again\n$/);
        expect(stdout).toBe('');
      }
    }
    expect(readdirSync(repo).sort()).toEqual(['.git', '.gitignore', 'file']);
    await cli.run(['apply', path.join(patches, 'a.patch'), path.join(patches, 'b.patch'), '--to', repo]);
    expect(readdirSync(repo).sort()).toEqual(['.git', '.gitignore', 'file', 'new-a', 'new-b']);
  });
});

describe('an error of the system', () => {
  it('is one line with what to do, and no stack', async () => {
    const { cli, set } = await room('a');
    rmSync(path.join(set, 'set.json'));
    symlinkSync('set.json', path.join(set, 'set.json'));
    const { stderr, stdout } = await cli.run(['collect', '--run', 'x'], { code: 1 });
    expect(stdout).toBe('');
    expect(stderr).toBe(
      `prun collect: open failed for ${path.join(set, 'set.json')} (ELOOP): look at the path, and run the command again\n`,
    );
  });

  it.each([
    ['ENOSPC', /make room/],
    ['EDQUOT', /make room/],
    ['EROFS', /writable/],
    ['EACCES', /writable/],
    ['EMFILE', /ulimit -n/],
    ['ENAMETOOLONG', /look at the path/],
  ])('%s says what to do', (code, step) => {
    const error = Object.assign(new Error('x'), { code, syscall: 'open', path: '/a' });
    expect(plainError(error)).toMatchObject({ message: `open failed for /a (${code})`, exitCode: 1 });
    expect(plainError(error)?.next).toMatch(step);
  });

  it('a mistake in the program is none', () => {
    expect(plainError(new TypeError('x'))).toBeUndefined();
    expect(plainError(Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' }))).toBeUndefined();
  });
});
