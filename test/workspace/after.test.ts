import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, gitSays } from '../helpers/plain-git.ts';
import { lines, runRoom } from './run-room.ts';

describe('a clone after other units', () => {
  it('has the merged results of its parents as its base, and its delta is its own work alone', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }), 'new by a': 'a\n' });
    await room.work('b', { f: lines({ 15: 'B' }) });
    const clone = await room.clone('c', '--after', 'a', '--after', 'b');
    expect(room.read(clone, 'f')).toBe(lines({ 3: 'A', 15: 'B' }));
    expect(room.read(clone, 'new by a')).toBe('a\n');
    expect(room.read(clone, 'g')).toBe('g, not committed\n');
    expect(await gitSays(clone, ['status', '--porcelain'])).toBe('');
    expect(await gitSays(clone, ['log', '-1', '--format=%s'])).toBe('prun base: results of a, b');
    room.write(clone, { f: lines({ 3: 'C', 15: 'B' }) });
    const delta = await room.collect('c');
    expect(delta.files.map(({ path: file }) => file)).toEqual(['f']);
    expect(delta.base).toBe(room.record('c').base);
    expect(delta.commits).toEqual([]);
  });

  it.each<[string, string[][]]>([
    ['in one call, the child named first', [['c', 'a', 'b']]],
    ['all of the run', [[]]],
    ['the child after its parents', [['a', 'b'], ['c']]],
    ['one after the other', [['b'], ['a'], ['c']]],
  ])('applies with its parents: %s', async (_, calls) => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    await room.work('b', { f: lines({ 15: 'B' }) });
    await room.work('c', { f: lines({ 3: 'C', 9: 'C', 15: 'C' }) }, '--after', 'a', '--after', 'b');
    for (const units of calls) {
      const named = units.flatMap((unit) => ['--unit', unit]);
      await room.cli.run(['apply', '--run', 'r', ...named, '--to', room.repo]);
    }
    expect(room.read(room.repo, 'f')).toBe(lines({ 3: 'C', 9: 'C', 15: 'C' }));
    expect(room.read(room.repo, 'g')).toBe('g, not committed\n');
  });

  it('keeps what the user edited meanwhile, and names it where the child clashes with it', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    await room.work('c', { f: lines({ 3: 'A', 9: 'C' }) }, '--after', 'a');
    room.write(room.repo, { f: lines({ 18: 'mine' }) });
    await room.cli.run(['apply', '--run', 'r', '--to', room.repo]);
    expect(room.read(room.repo, 'f')).toBe(lines({ 3: 'A', 9: 'C', 18: 'mine' }));
    await room.cli.undo(room.repo);
    room.write(room.repo, { f: lines({ 9: 'mine' }) });
    const { stdout } = await room.cli.run(['apply', '--run', 'r', '--to', room.repo], { code: 35 });
    expect(stdout).toMatch(/f content.*your tree|your tree.*f/);
    expect(stdout).not.toMatch(/ a /);
    expect(room.read(room.repo, 'f')).toBe(lines({ 9: 'mine' }));
  });

  it('a parent that does not go in takes its children with it, and only it is named', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    await room.work('c', { f: lines({ 3: 'C' }) }, '--after', 'a');
    room.write(room.repo, { f: lines({ 3: 'mine' }) });
    const { stdout } = await room.cli.run(['apply', '--run', 'r', '--to', room.repo, '--json'], { code: 35 });
    const { conflicts } = JSON.parse(stdout);
    expect(conflicts.map(({ unit }: { unit: string }) => unit)).toEqual(['a']);
  });

  it('never clashes with what it builds on, at any distance; only with others', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    await room.work('c', { f: lines({ 3: 'C' }) }, '--after', 'a');
    await room.work('d', { f: lines({ 3: 'D' }) }, '--after', 'c');
    const { stdout } = await room.cli.run(['conflicts', '--run', 'r']);
    expect(stdout).toBe('CONFLICTS units=3 pairs=0 outside=0\nORDER a c d\n');
    await room.cli.run(['apply', '--run', 'r', '--to', room.repo]);
    expect(room.read(room.repo, 'f')).toBe(lines({ 3: 'D' }));
  });

  it('says when it goes in without its parent, and not when that is there already', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    await room.work('c', { f: lines({ 3: 'A', 9: 'C' }) }, '--after', 'a');
    const apply = ['apply', '--run', 'r', '--to', room.repo];
    const alone = await room.cli.run([...apply, '--unit', 'c']);
    const note =
      'prun apply: note: unit c builds on the result of a, which is neither given nor in the tree yet\n';
    expect(alone.stderr).toContain(note);
    expect(room.read(room.repo, 'f')).toBe(lines({ 9: 'C' }));
    await room.cli.undo(room.repo);
    expect((await room.cli.run([...apply, '--check'])).stderr).not.toContain('builds on');
    await room.cli.run([...apply, '--unit', 'a']);
    expect((await room.cli.run([...apply, '--unit', 'c'])).stderr).not.toContain('builds on');
  });

  it.each<[string, string[], string[]]>([
    ['a chain', ['a', 'c', 'd'], []],
    ['a part of it', ['a', 'c'], []],
    ['two that build on one', ['a', 'c', 'e'], []],
    ['two parents', ['a', 'b', 'x'], []],
    ['a chain whose end is new', ['a', 'c', 'd'], ['d']],
  ])('a second apply finds that all is there: %s', async (_, units, later) => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }), 'of a': 'a\n' });
    await room.work('b', { f: lines({ 15: 'B' }) });
    await room.work('c', { f: lines({ 3: 'C' }), 'of a': 'a, and c\n' }, '--after', 'a');
    await room.work('d', { f: lines({ 3: 'D' }) }, '--after', 'c');
    await room.work('e', { f: lines({ 3: 'A', 9: 'E' }) }, '--after', 'a');
    await room.work('x', { f: lines({ 3: 'X', 15: 'X' }) }, '--after', 'a', '--after', 'b');
    const named = (names: readonly string[]) => names.flatMap((unit) => ['--unit', unit]);
    const apply = (names: readonly string[], code = 0) =>
      room.cli.run(['apply', '--run', 'r', ...named(names), '--to', room.repo], { code });
    await apply(units.filter((unit) => !later.includes(unit)));
    const before = room.read(room.repo, 'f');
    // The user goes on elsewhere in the same file.
    const mine = before.replace(/.*\n$/, 'mine\n');
    room.write(room.repo, { f: mine });
    const again = await apply(units);
    if (later.length === 0) {
      expect(again.stdout).toMatch(/^EMPTY /);
      expect(room.read(room.repo, 'f')).toBe(mine);
    } else {
      expect(again.stdout).toMatch(/^APPLIED 3 files=1\nM f\n/);
      expect(room.read(room.repo, 'f')).toBe(mine.replace(/^C$/m, 'D'));
    }
  });

  it('what the user made of the end of a chain is a clash, and what a child takes back is taken back', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    await room.work('c', { f: lines({ 3: 'C' }) }, '--after', 'a');
    await room.work('back', { f: lines({}) }, '--after', 'a');
    const apply = (units: string[], code = 0) =>
      room.cli.run(['apply', '--run', 'r', ...units.flatMap((unit) => ['--unit', unit]), '--to', room.repo], {
        code,
      });
    await apply(['a']);
    await apply(['a', 'back']);
    expect(room.read(room.repo, 'f')).toBe(lines({}));
    room.write(room.repo, { f: lines({ 3: 'mine' }) });
    const { stdout } = await apply(['a', 'c'], 35);
    expect(stdout).toContain('your tree');
    expect(room.read(room.repo, 'f')).toBe(lines({ 3: 'mine' }));
  });

  it('is left out of an order with the parent that is left out', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    await room.work('b', { f: lines({ 3: 'B' }), g: 'B\n' });
    await room.work('c', { 'new by c': 'c\n' }, '--after', 'a');
    await room.work('e', { g: 'E\n' });
    // b clashes with a and e: it is b that gives way, and the child of a stays.
    const said = await room.cli.run(['conflicts', '--run', 'r'], { code: 35 });
    expect(said.stdout).toContain('NO-ORDER a c e WITHOUT b');
    // Now a clashes with two, and gives way with its child, although that touches nobody's file.
    await room.work('x', { f: lines({ 3: 'X' }) });
    await room.cli.run(['cleanup', '--run', 'r', '--unit', 'b', '--force']);
    const units = ['a', 'c', 'x'].flatMap((unit) => ['--unit', unit]);
    const two = await room.cli.run(['conflicts', '--run', 'r', ...units, '--unit', 'b'], { code: 35 });
    const [, order = '', rest = ''] = /NO-ORDER (.*) WITHOUT (.*)/.exec(two.stdout) ?? [];
    const isIn = (unit: string) => order.split(' ').includes(unit);
    expect(isIn('c')).toBe(isIn('a'));
    expect([...order.split(' '), ...rest.split(' ')].sort()).toEqual(['a', 'b', 'c', 'x']);
  });

  it('parents that clash: lines as prun conflicts prints them, 35, and nothing is made', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    await room.work('b', { f: lines({ 3: 'B' }) });
    await room.work('e', { f: lines({ 18: 'E' }) });
    const flags = ['--after', 'a', '--after', 'e', '--after', 'b'];
    const { stdout, stderr } = await room.refused('c', flags, 35);
    expect(stdout).toBe(
      'CONFLICTS units=3 pairs=1 outside=0\nCONFLICT a b f content a:3-3 b:3-3\nNO-ORDER a e WITHOUT b\n',
    );
    expect(stderr).toContain('nothing was made');
    const json = await room.refused('c', [...flags, '--json'], 35);
    expect(JSON.parse(json.stdout).conflicts).toMatchObject([{ units: ['a', 'b'], path: 'f' }]);
    expect(readdirSync(path.join(room.set, 'units')).sort()).toEqual(['a', 'b', 'e']);
    expect(readdirSync(path.join(room.set, 'clones')).sort()).toEqual(['a', 'b', 'e']);
    expect(readdirSync(room.set).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it.each<[string, string[], RegExp]>([
    ['a unit that nobody knows', ['--after', 'nobody'], /--after nobody: run r has no collected delta/],
    [
      'a unit that was not collected',
      ['--after', 'open'],
      /collect it first: prun collect --run r --unit open/,
    ],
    ['itself', ['--after', 'c'], /unit c cannot be after itself/],
    ['one unit twice', ['--after', 'a', '--after', 'a'], /--after a is given twice/],
    ['another base too', ['--after', 'a', '--as-it-stands'], /a workspace has one base/],
    ['no name', ['--after', 'a/b'], /--after "a\/b" is no unit id/],
  ])('refuses %s', async (_, flags, said) => {
    const room = await runRoom();
    await room.work('a', { f: 'A\n' });
    await room.clone('open');
    const { stderr } = await room.refused('c', flags);
    expect(stderr).toMatch(said);
    expect(existsSync(path.join(room.set, 'clones/c'))).toBe(false);
  });

  it('needs a run that is there, and makes none', async () => {
    const room = await runRoom();
    expect((await room.refused('c', ['--after', 'a'])).stderr).toContain('there are no workspaces of run');
    expect(existsSync(room.set)).toBe(false);
  });

  it('merges grandchildren from where their histories parted, and knows a change that came both ways', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }), gone: 'x\n' });
    await room.work('b', { f: lines({ 3: 'A, then B' }) }, '--after', 'a');
    await room.work('c', { f: lines({ 3: 'A', 12: 'C' }), g: 'c\n' }, '--after', 'a');
    const clone = await room.clone('d', '--after', 'b', '--after', 'c');
    expect(room.read(clone, 'f')).toBe(lines({ 3: 'A, then B', 12: 'C' }));
    rmSync(path.join(clone, 'gone'));
    const delta = await room.collect('d');
    expect(delta.files).toMatchObject([{ path: 'gone', status: 'deleted' }]);
    // One that is an ancestor of another one adds nothing.
    const more = await room.clone('e', '--after', 'd', '--after', 'a');
    expect(room.read(more, 'f')).toBe(lines({ 3: 'A, then B', 12: 'C' }));
    expect(existsSync(path.join(more, 'gone'))).toBe(false);
    await room.cli.run([
      'apply',
      '--run',
      'r',
      '--unit',
      'd',
      '--unit',
      'c',
      '--unit',
      'b',
      '--unit',
      'a',
      '--to',
      room.repo,
    ]);
    expect(room.read(room.repo, 'f')).toBe(lines({ 3: 'A, then B', 12: 'C' }));
    expect(existsSync(path.join(room.repo, 'gone'))).toBe(false);
  });

  it('a worktree has the results as uncommitted work, and the same delta', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }), 'new by a': 'a\n' });
    const folder = await room.clone('c', '--worktree', '--after', 'a');
    expect(await gitSays(folder, ['status', '--porcelain'])).toBe(' M f\n M g\n?? "new by a"');
    expect(await gitSays(folder, ['log', '--format=%s'])).toBe('first');
    room.write(folder, { g: 'c\n' });
    expect((await room.collect('c')).files).toMatchObject([{ path: 'g' }]);
    await room.cli.run(['cleanup', folder]);
    expect(await gitSays(room.repo, ['branch', '--list', 'prun/*'])).toBe('');
  });

  it('a parent whose clone is gone is one as any other, and so is one that changed nothing', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    await room.work('idle', {});
    await room.cli.run(['cleanup', '--run', 'r']);
    const clone = await room.clone('c', '--after', 'idle', '--after', 'a');
    expect(room.read(clone, 'f')).toBe(lines({ 3: 'A' }));
    room.write(clone, { g: 'c\n' });
    expect((await room.collect('c')).files).toMatchObject([{ path: 'g' }]);
  });

  it('carries submodules along: what a parent changed in one is committed there, and the child’s own work is not', async () => {
    const room = await runRoom();
    const library = path.join(room.folder, 'library');
    room.write(library, { 'lib.txt': lines() });
    for (const argv of [
      ['init', '-q', '-b', 'main'],
      ['add', '-A'],
      ['commit', '-qm', 'lib'],
    ])
      await git(library, argv);
    await git(room.repo, ['submodule', '--quiet', 'add', library, 'lib']);
    await git(room.repo, ['commit', '-qm', 'with lib']);
    await room.work('a', { 'lib/lib.txt': lines({ 3: 'A' }), f: lines({ 3: 'A' }) });
    await room.work('b', { 'lib/lib.txt': lines({ 15: 'B' }) });
    const clone = await room.clone('c', '--after', 'a', '--after', 'b');
    expect(room.read(clone, 'lib/lib.txt')).toBe(lines({ 3: 'A', 15: 'B' }));
    expect(await gitSays(clone, ['status', '--porcelain'])).toBe('');
    expect(await gitSays(path.join(clone, 'lib'), ['status', '--porcelain'])).toBe('');
    room.write(clone, { 'lib/lib.txt': lines({ 3: 'A', 9: 'C', 15: 'B' }) });
    const delta = await room.collect('c');
    expect(delta.files).toMatchObject([{ path: 'lib/lib.txt', status: 'modified' }]);
    expect(delta.moves).toEqual([]);
    expect(delta.commits).toEqual([]);
    await room.cli.run(['apply', '--run', 'r', '--to', room.repo]);
    expect(room.read(room.repo, 'lib/lib.txt')).toBe(lines({ 3: 'A', 9: 'C', 15: 'B' }));
  });

  it('leaves out what the user leaves out of the working tree', async () => {
    const room = await runRoom();
    room.write(room.repo, { 'far/x': 'x\n', 'near/y': 'y\n' });
    await git(room.repo, ['add', '-A']);
    await git(room.repo, ['commit', '-qm', 'more']);
    await git(room.repo, ['sparse-checkout', 'set', 'near']);
    await room.work('a', { 'near/y': 'A\n' });
    const clone = await room.clone('c', '--after', 'a');
    expect(existsSync(path.join(clone, 'far'))).toBe(false);
    expect(await gitSays(clone, ['status', '--porcelain'])).toBe('');
    expect(await gitSays(clone, ['show', 'HEAD:far/x'])).toBe('x');
    room.write(clone, { 'near/z': 'z\n' });
    expect((await room.collect('c')).files).toMatchObject([{ path: 'near/z', status: 'added' }]);
  });

  it('killed while it is made, leaves nothing that counts, and the next call cleans up', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    const argv = ['clone', '--repo', room.repo, '--run', 'r', '--unit', 'c', '--after', 'a'];
    await room.cli.run(argv, { environment: { PRUN_FAULT: 'clone-named' }, code: 137 });
    expect(existsSync(path.join(room.set, 'units/c'))).toBe(false);
    const clone = await room.clone('c', '--after', 'a');
    expect(room.read(clone, 'f')).toBe(lines({ 3: 'A' }));
    const left = ['', 'units', 'clones'].flatMap((name) => readdirSync(path.join(room.set, name)));
    expect(left.filter((name) => name.endsWith('.draft'))).toEqual([]);
  });

  it('works with SHA-256 ids, a detached HEAD, and before the first commit', async () => {
    for (const start of ['sha256', 'detached', 'unborn']) {
      const room = await runRoom();
      const repo = path.join(room.folder, start);
      mkdirSync(repo);
      await git(repo, ['init', '-q', ...(start === 'sha256' ? ['--object-format=sha256'] : [])]);
      room.write(repo, { f: lines() });
      if (start !== 'unborn') {
        await git(repo, ['add', '-A']);
        await git(repo, ['commit', '-qm', 'first']);
      }
      if (start === 'detached') await git(repo, ['checkout', '-q', '--detach']);
      for (const [unit, line] of [
        ['a', 3],
        ['b', 15],
      ] as const) {
        const [clone = ''] = await room.cli.clone(repo, [unit], ['--run', start]);
        room.write(clone, { f: lines({ [line]: unit }) });
        await room.cli.run(['collect', clone]);
      }
      const flags = ['--run', start, '--after', 'a', '--after', 'b'];
      const [clone = ''] = await room.cli.clone(repo, ['c'], flags);
      expect(room.read(clone, 'f'), start).toBe(lines({ 3: 'a', 15: 'b' }));
      expect(await gitSays(clone, ['status', '--porcelain']), start).toBe('');
    }
  });

  it('tells the worker what its base is made of, beside its own records', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    const flags = ['clone', '--repo', room.repo, '--run', 'r', '--unit', 'c', '--after', 'a', '--json'];
    const facts = JSON.parse((await room.cli.run([...flags, '--setup', 'cp "$PRUN_BASE_NOTE" note'])).stdout);
    expect(facts.note).toBe(path.join(room.set, 'units/c/base/PRUN-BASE.md'));
    expect(room.read(room.set, 'clones/c/note')).toBe(room.read(room.set, 'units/c/base/PRUN-BASE.md'));
    expect(room.read(room.set, 'clones/c/note')).toContain('- a: 1 file changed');
    expect(facts.workspaces[0].origin).toMatchObject({ kind: 'after', units: ['a'] });
    expect(facts.base.tree).toBe(facts.workspaces[0].base);
  });
});
