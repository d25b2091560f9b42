import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { currentHost } from '../../scripts-src/process/host.ts';
import { formatIdentity, identify } from '../../scripts-src/process/identity.ts';
import { git, gitSays } from '../helpers/plain-git.ts';
import { lines, runRoom } from './run-room.ts';

describe('a fresh workspace in the place of an earlier one', () => {
  it('the earlier delta is taken and kept, and the fresh one starts from the base again', async () => {
    const room = await runRoom();
    const clone = await room.clone('a');
    room.write(clone, { f: lines({ 3: 'first try' }), build: 'x\n' });
    expect(await room.clone('a', '--renew')).toBe(clone);
    expect(room.read(clone, 'f')).toBe(lines());
    expect(existsSync(path.join(clone, 'build'))).toBe(false);
    const earlier = path.join(room.set, 'earlier/a/1');
    const kept = JSON.parse(room.read(earlier, 'delta.json'));
    expect(kept.patch.path).toBe(path.join(earlier, 'delta.patch'));
    expect(room.read(earlier, 'delta.patch')).toContain('+first try');
    // The unit has no delta any more; that of its earlier attempt can be applied all the same.
    const none = await room.cli.run(['apply', '--run', 'r', '--unit', 'a', '--to', room.repo], { code: 2 });
    expect(none.stderr).toContain('no collected delta of unit "a"');
    await room.cli.apply([kept.patch.path], room.repo);
    expect(room.read(room.repo, 'f')).toBe(lines({ 3: 'first try' }));
    await room.clone('a', '--renew');
    expect(readdirSync(path.join(room.set, 'earlier/a')).sort()).toEqual(['1', '2']);
  });

  it('makes one where the unit has none, and needs a run', async () => {
    const room = await runRoom();
    expect(existsSync(await room.clone('a', '--renew'))).toBe(true);
    expect(existsSync(path.join(room.set, 'earlier'))).toBe(false);
    const argv = ['clone', '--repo', room.repo, '--unit', 'b', '--renew'];
    expect((await room.cli.run(argv, { code: 2 })).stderr).toContain('--renew needs --run');
  });

  it('takes another base, and builds on results of its own earlier attempt’s children', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    await room.work('b', { f: lines({ 3: 'A', 9: 'B' }) }, '--after', 'a');
    await room.work('a', { f: lines({ 3: 'better A' }) }, '--renew');
    // The child was made of the first result, and is what it was; with the second one it clashes nowhere.
    const said = await room.cli.run(['conflicts', '--run', 'r'], { code: 'any' });
    expect(said.stdout).toContain('CONFLICTS units=2 pairs=0');
    await room.cli.run(['apply', '--run', 'r', '--to', room.repo]);
    expect(room.read(room.repo, 'f')).toBe(lines({ 3: 'better A', 9: 'B' }));
    await room.cli.undo(room.repo);
    const clone = await room.clone('b', '--renew', '--after', 'a');
    expect(room.read(clone, 'f')).toBe(lines({ 3: 'better A' }));
  });

  it('keeps the files themselves where no delta can hold them all', async () => {
    const room = await runRoom();
    const clone = await room.clone('a');
    await git(clone, ['init', '-q', 'inner']);
    room.write(path.join(clone, 'inner'), { x: 'x\n' });
    for (const argv of [
      ['add', '-A'],
      ['commit', '-qm', 'inner'],
    ])
      await git(path.join(clone, 'inner'), argv);
    const argv = ['clone', '--repo', room.repo, '--run', 'r', '--unit', 'a', '--renew'];
    const { stderr } = await room.cli.run(argv);
    const files = path.join(room.set, 'earlier/a/1/files');
    expect(stderr).toContain(`a: its earlier files are kept in ${files}`);
    expect(await gitSays(path.join(files, 'inner'), ['log', '--format=%s'])).toBe('inner');
    expect(existsSync(path.join(clone, 'inner'))).toBe(false);
  });

  it('a worktree’s branch is made anew; commits of the earlier attempt keep a branch', async () => {
    const room = await runRoom();
    const folder = await room.clone('w', '--worktree');
    room.write(folder, { f: lines({ 3: 'W' }) });
    await room.clone('w', '--worktree', '--renew');
    expect(await gitSays(room.repo, ['branch', '--list', 'prun/*', '--format=%(refname:short)'])).toBe(
      'prun/r/w',
    );
    room.write(folder, { f: lines({ 3: 'W' }) });
    await git(folder, ['commit', '-aqm', 'by the worker']);
    const argv = ['clone', '--repo', room.repo, '--run', 'r', '--unit', 'w', '--worktree', '--renew'];
    const { stderr } = await room.cli.run(argv);
    expect(stderr).toContain('on the branch prun/r/w.earlier-2');
    expect(await gitSays(room.repo, ['log', '-1', '--format=%s', 'prun/r/w.earlier-2'])).toBe(
      'by the worker',
    );
    expect(await gitSays(folder, ['log', '--format=%s'])).toBe('first');
    expect((await gitSays(room.repo, ['worktree', 'list'])).split('\n')).toHaveLength(2);
  });

  it('killed when the earlier files are gone, it is finished by the next call, and nothing is lost', async () => {
    for (const flags of [[], ['--worktree']]) {
      const room = await runRoom();
      room.write(await room.clone('a', ...flags), { f: lines({ 3: 'first try' }) });
      const argv = ['clone', '--repo', room.repo, '--run', 'r', '--unit', 'a', '--renew', ...flags];
      await room.cli.run(argv, { environment: { PRUN_FAULT: 'workspace-removed' }, code: 137 });
      expect(existsSync(path.join(room.set, 'clones/a'))).toBe(false);
      expect(room.read(await room.clone('a', '--renew', ...flags), 'f')).toBe(lines());
      expect(room.read(room.set, 'earlier/a/1/delta.patch')).toContain('+first try');
      expect(readdirSync(path.join(room.set, 'earlier/a'))).toEqual(['1']);
    }
  });

  it('goes on where somebody deleted the clone, and says that nothing was collected', async () => {
    const room = await runRoom();
    rmSync(await room.clone('a'), { recursive: true });
    const argv = ['clone', '--repo', room.repo, '--run', 'r', '--unit', 'a', '--renew'];
    expect((await room.cli.run(argv)).stderr).toContain('was gone, and no delta of it was ever collected');
    expect(room.read(room.set, 'clones/a/f')).toBe(lines());
  });

  it('refuses while a unit runs in the earlier one', async () => {
    const room = await runRoom();
    const clone = await room.clone('a');
    room.write(clone, { f: 'half done\n' });
    const stateDir = path.join(room.folder, 'prun-task-00000000-a-1-0');
    mkdirSync(stateDir);
    const own = identify(await currentHost(), process.pid);
    writeFileSync(path.join(stateDir, 'guardian'), `${own && formatIdentity(own)}\n`);
    writeFileSync(path.join(room.set, 'units/a/attempts'), `${stateDir}\n`);
    expect((await room.refused('a', ['--renew'])).stderr).toContain(`still runs (state dir ${stateDir})`);
    expect(room.read(clone, 'f')).toBe('half done\n');
    writeFileSync(path.join(stateDir, 'outcome.json'), '{}\n');
    await room.clone('a', '--renew');
  });

  it('four at once: each makes a whole one or is refused, and the first work is archived once', async () => {
    const room = await runRoom();
    const clone = await room.clone('a');
    room.write(clone, { f: lines({ 3: 'first try' }) });
    const argv = ['clone', '--repo', room.repo, '--run', 'r', '--unit', 'a', '--renew'];
    const ends = await Promise.all([1, 2, 3, 4].map(() => room.cli.run(argv, { code: 'any' })));
    expect(ends.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    for (const { code, stderr } of ends.filter((end) => end.code !== 0)) {
      expect([code, stderr]).toEqual([2, expect.stringContaining('by another call now')]);
    }
    expect(room.read(clone, 'f')).toBe(lines());
    const kept = readdirSync(path.join(room.set, 'earlier/a')).map((n) =>
      room.read(room.set, `earlier/a/${n}/delta.patch`),
    );
    expect(kept.filter((patch) => patch.includes('first try'))).toHaveLength(1);
  });

  it('leaves everything as it is where parents clash, where the delta cannot be taken, and behind a symlink', async () => {
    const room = await runRoom();
    await room.work('a', { f: lines({ 3: 'A' }) });
    await room.work('b', { f: lines({ 3: 'B' }) });
    room.write(await room.clone('c'), { f: lines({ 9: 'C' }) });
    await room.refused('c', ['--renew', '--after', 'a', '--after', 'b'], 35);
    expect(room.read(room.set, 'clones/c/f')).toBe(lines({ 9: 'C' }));
    const index = path.join(room.set, 'units/c/index-0');
    renameSync(index, `${index}.away`);
    const damaged = await room.refused('c', ['--renew']);
    expect(damaged.stderr).toContain('the delta of the earlier workspace');
    expect(room.read(room.set, 'clones/c/f')).toBe(lines({ 9: 'C' }));
    const away = path.join(room.folder, 'away');
    mkdirSync(away);
    writeFileSync(path.join(away, 'mine'), 'mine\n');
    renameSync(path.join(room.set, 'clones/c'), path.join(room.folder, 'c'));
    symlinkSync(away, path.join(room.set, 'clones/c'));
    expect((await room.refused('c', ['--renew'])).stderr).toContain('is no folder any more');
    expect(readdirSync(away)).toEqual(['mine']);
  });
});
