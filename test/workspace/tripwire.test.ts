import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  compareWithKept,
  keepTripwire,
  readTripwire,
} from '../../scripts-src/workspace/tripwire/kept-tripwire.ts';
import { changeLine } from '../../scripts-src/workspace/tripwire/repository-change.ts';
import { beginLook, lookAtRepository } from '../../scripts-src/workspace/tripwire/repository-look.ts';
import {
  compareTripwire,
  fingerprintOf,
  type Tripwire,
  takeTripwire,
} from '../../scripts-src/workspace/tripwire/tripwire.ts';
import { scratch, testEnvironment } from '../helpers/unit-run.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);

/** A repository of one commit with a branch, and what takes its fingerprint. */
function repository() {
  const folder = scratch();
  const tree = path.join(folder, 'shop');
  mkdirSync(tree);
  const git = (...argv: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...argv], {
      cwd: tree,
      env: testEnvironment(folder),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  git('branch', 'topic');
  const gitDir = path.join(tree, '.git');
  const source = { gitDir, commonDir: gitDir };
  return { folder, tree, git, gitDir, source, head: git('rev-parse', 'HEAD') };
}

/** Lines of the differences that `change` makes. */
function linesAfter(source: { gitDir: string; commonDir: string }, change: () => void): string[] {
  const before = takeTripwire(source);
  change();
  return compareTripwire(before, takeTripwire(source)).map(changeLine);
}

describe('the tripwire of a repository', () => {
  it('is silent about work that changes nothing of it', () => {
    const { git, source, tree } = repository();
    const lines = linesAfter(source, () => {
      writeFileSync(path.join(tree, 'file'), 'x');
      git('add', 'file');
      git('status');
      git('pack-refs', '--all');
      git('gc', '-q');
    });
    expect(lines).toEqual([]);
  });

  it.each<[string, (repo: ReturnType<typeof repository>) => void, RegExp[]]>([
    [
      'a commit',
      ({ git }) => git('commit', '-q', '--allow-empty', '-m', 'two'),
      [/^ref refs\/heads\/main changed \(\w{12} to \w{12}\)$/],
    ],
    [
      'a checkout',
      ({ git }) => git('checkout', '-q', 'topic'),
      [/^HEAD changed \(ref: refs\/heads\/main to ref: refs\/heads\/topic\)$/],
    ],
    [
      'a detached HEAD',
      ({ git }) => git('checkout', '-q', '--detach'),
      [/^HEAD changed \(ref: refs\/heads\/main to \w{12}\)$/],
    ],
    [
      'a deleted branch',
      ({ git }) => git('branch', '-D', 'topic'),
      [/^ref refs\/heads\/topic removed \(was \w{12}\)$/],
    ],
    ['a tag', ({ git }) => git('tag', 'v1'), [/^ref refs\/tags\/v1 added \(\w{12}\)$/]],
    [
      'a stash',
      ({ git, tree }) => {
        writeFileSync(path.join(tree, 'x'), '');
        git('add', 'x');
        git('stash', '-q');
      },
      [/^ref refs\/stash added/],
    ],
    ['a branch of prun', ({ git }) => git('branch', 'prun/items-1/api'), []],
    [
      'a branch that only begins like one',
      ({ git }) => git('branch', 'prunes'),
      [/^ref refs\/heads\/prunes added/],
    ],
    [
      'a config',
      ({ git }) => git('config', 'core.hooksPath', '/tmp/secret'),
      [/^config config \[core\] changed$/],
    ],
    [
      'a remote with a key in its name',
      ({ git }) => git('config', 'url.https://ann:secret@host/.insteadOf', 'x'),
      [/^config config \[url\] added$/],
    ],
    ['config of a branch of prun', ({ git }) => git('config', 'branch.prun/items-1/api.remote', 'x'), []],
    [
      'a hook',
      ({ gitDir }) => writeFileSync(path.join(gitDir, 'hooks/pre-push'), 'exit 0\n', { mode: 0o755 }),
      [/^hook pre-push added$/],
    ],
    ['a sample of a hook', ({ gitDir }) => writeFileSync(path.join(gitDir, 'hooks/x.sample'), ''), []],
    [
      'a worktree',
      ({ git }) => git('worktree', 'add', '-q', '../side', 'topic'),
      [/^worktree side added \(.*\/side\)$/],
    ],
    [
      'a worktree on a branch of prun',
      ({ git }) => git('worktree', 'add', '-q', '../side', '-b', 'prun/items-1/web'),
      [],
    ],
    [
      'a branch whose name is no ASCII',
      ({ git }) => git('branch', 'größe'),
      [/^ref refs\/heads\/größe added/],
    ],
    [
      'a removed repository',
      ({ gitDir }) => rmSync(gitDir, { recursive: true }),
      [/^HEAD removed/, /main removed/, /topic removed/, /^config config \[core\] removed$/],
    ],
  ])('tells of %s', (_, change, expected) => {
    const repo = repository();
    const lines = linesAfter(repo.source, () => change(repo));
    expect(lines.join('\n')).not.toMatch(/secret/);
    expect(lines).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  });

  it('tells of a hook whose mode, text or link has changed', () => {
    const { source, gitDir, folder } = repository();
    const hook = path.join(gitDir, 'hooks/pre-commit');
    const other = path.join(folder, 'other');
    writeFileSync(hook, 'exit 1\n', { mode: 0o755 });
    writeFileSync(other, 'exit 2\n', { mode: 0o755 });
    const changed = ['hook pre-commit changed'];
    expect(linesAfter(source, () => writeFileSync(hook, 'exit 0\n'))).toEqual(changed);
    if (process.platform !== 'win32')
      expect(linesAfter(source, () => chmodSync(hook, 0o644))).toEqual(changed);
    const toLink = () => {
      rmSync(hook);
      symlinkSync(other, hook);
    };
    expect(linesAfter(source, toLink)).toEqual(changed);
    expect(linesAfter(source, () => writeFileSync(other, 'exit 3\n'))).toEqual(changed);
  });

  it('knows a linked worktree: its own HEAD, the refs of all', () => {
    const { git, gitDir } = repository();
    git('worktree', 'add', '-q', '../side', 'topic');
    const side = { gitDir: path.join(gitDir, 'worktrees/side'), commonDir: gitDir };
    const lines = linesAfter(side, () => {
      git('-C', '../side', 'checkout', '-q', '--detach');
      git('commit', '-q', '--allow-empty', '-m', 'two');
      git('-C', '../side', 'update-ref', 'refs/worktree/mark', 'HEAD');
    });
    expect(lines).toEqual([
      expect.stringMatching(/^HEAD changed \(ref: refs\/heads\/topic to/),
      expect.stringMatching(/^ref refs\/heads\/main changed/),
      expect.stringMatching(/^ref refs\/worktree\/mark added/),
    ]);
  });

  it('sees a worktree of prun by its place, whatever stands in it', () => {
    const { folder, git, source } = repository();
    const set = path.join(folder, 'workspaces/items-1');
    mkdirSync(path.join(set, 'units/api'), { recursive: true });
    mkdirSync(path.join(set, 'clones'));
    writeFileSync(path.join(set, 'set.json'), '{}');
    writeFileSync(path.join(set, 'units/api/workspace.json'), '{}');
    const clone = path.join(set, 'clones/api');
    expect(linesAfter(source, () => git('worktree', 'add', '-q', '--detach', clone))).toEqual([]);
  });

  it('sees a worktree of prun that is being made, before it has a record or a branch', () => {
    const { folder, gitDir, source } = repository();
    const set = path.join(folder, 'workspaces/items-1');
    mkdirSync(path.join(set, 'clones/idle'), { recursive: true });
    writeFileSync(path.join(set, 'set.json'), '{}');
    const link = (entry: string, clone: string) => {
      mkdirSync(path.join(gitDir, 'worktrees', entry), { recursive: true });
      writeFileSync(path.join(gitDir, 'worktrees', entry, 'gitdir'), `${path.join(clone, '.git')}\n`);
      writeFileSync(path.join(gitDir, 'worktrees', entry, 'HEAD'), `${'0'.repeat(40)}\n`);
    };
    expect(linesAfter(source, () => link('idle', path.join(set, 'clones/idle')))).toEqual([]);
    expect(linesAfter(source, () => link('side', path.join(folder, 'clones/side')))).toEqual([
      expect.stringMatching(/^worktree side added/),
    ]);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'what cannot be read is said, and is no alarm',
    () => {
      const { git, gitDir, source } = repository();
      git('branch', 'team/a');
      const closed = ['refs/heads/team', 'hooks', 'config'].map((name) => path.join(gitDir, name));
      const before = takeTripwire(source);
      for (const file of closed) chmodSync(file, 0o000);
      const after = takeTripwire(source);
      for (const file of closed) chmodSync(file, 0o755);
      expect(compareTripwire(before, after)).toEqual([]);
      expect(after.unread.map(({ where, why }) => `${where} ${why}`).sort()).toEqual([
        'config EACCES',
        'hooks EACCES',
        'refs/heads/team EACCES',
      ]);
    },
  );

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'a repository that is closed altogether is said, and is no alarm',
    () => {
      const { gitDir, source } = repository();
      const before = takeTripwire(source);
      chmodSync(gitDir, 0o000);
      const after = takeTripwire(source);
      chmodSync(gitDir, 0o755);
      expect(compareTripwire(before, after)).toEqual([]);
      expect(after.unread.map(({ where }) => where)).toEqual(
        expect.arrayContaining(['HEAD', 'refs', 'config']),
      );
    },
  );

  it('a part that one look could not read is left out of the comparison', () => {
    const { source } = repository();
    const before = takeTripwire(source);
    const without = (where: string, change: Partial<Tripwire>): Tripwire => ({
      ...before,
      ...change,
      unread: [{ where, why: 'EACCES' }],
    });
    const { 'refs/heads/topic': topic, ...refs } = before.refs;
    expect(topic).toBeDefined();
    for (const where of ['refs/heads/topic', 'refs/heads', 'packed-refs', 'reftable', 'refs']) {
      expect(compareTripwire(before, without(where, { refs })), where).toEqual([]);
    }
    expect(compareTripwire(before, without('refs/tags', { refs }))).toHaveLength(1);
    expect(compareTripwire(before, without('config', { config: {} }))).toEqual([]);
    expect(compareTripwire(before, without('HEAD', { head: null }))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'a pipe in the place of a ref or a hook keeps nobody waiting',
    () => {
      const { source, gitDir } = repository();
      const lines = linesAfter(source, () => {
        for (const name of ['refs/heads/pipe', 'hooks/pre-push'])
          execFileSync('mkfifo', [path.join(gitDir, name)]);
        symlinkSync(path.join(gitDir, 'hooks/pre-push'), path.join(gitDir, 'hooks/link'));
      });
      expect(lines).toEqual([]);
    },
  );

  it('a fingerprint that was kept is compared later; values of the config are not in it', () => {
    const { source, git, folder } = repository();
    git('config', 'http.extraHeader', 'Authorization: secret');
    const file = path.join(folder, 'fingerprint');
    const taken = takeTripwire(source);
    keepTripwire(file, taken);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain('secret');
    expect(readTripwire(file)).toEqual(taken);
    git('tag', 'v1');
    expect(compareWithKept(file)?.changes.map(changeLine)).toEqual([
      expect.stringMatching(/^ref refs\/tags\/v1 added/),
    ]);
    for (const text of ['', '{', '{"schema":1}', JSON.stringify({ ...taken, schema: 99 })]) {
      writeFileSync(file, text);
      expect(compareWithKept(file)).toBeUndefined();
    }
    expect(compareWithKept(path.join(folder, 'none'))).toBeUndefined();
  });

  it('a look that is begun in no time and finished later is whole, also when git packs its refs meanwhile', () => {
    const { source, git } = repository();
    const whole = takeTripwire(source);
    const begun = beginLook(source, 0);
    git('pack-refs', '--all');
    const later = fingerprintOf(source, begun.finish());
    expect(later.unread).toEqual([]);
    expect(compareTripwire(whole, later)).toEqual([]);
  });

  it('reads no object and changes nothing', () => {
    const { source, gitDir } = repository();
    const stamps = () =>
      readdirSync(gitDir, { recursive: true })
        .map(String)
        .map((name) => [name, statSync(path.join(gitDir, name), { bigint: true }).mtimeNs]);
    const before = stamps();
    lookAtRepository(source);
    expect(stamps()).toEqual(before);
  });
});

type Ref = [name: string, value: string | null | [string, string]];

function varint(value: number): number[] {
  const bytes = [value & 0x7f];
  let rest = value >>> 7;
  while (rest > 0) {
    rest -= 1;
    bytes.unshift(0x80 | (rest & 0x7f));
    rest >>>= 7;
  }
  return bytes;
}

/** A table of refs as git writes one: blocks of `perBlock` refs, names shortened against their predecessors. */
function table(
  refs: Ref[],
  options: { blockSize: number; perBlock: number; log?: boolean; sha256?: boolean },
): Buffer {
  const { blockSize, perBlock, sha256 = false } = options;
  const head = Buffer.alloc(sha256 ? 28 : 24);
  head.write('REFT', 'latin1');
  head.writeUInt8(sha256 ? 2 : 1, 4);
  head.writeUIntBE(blockSize, 5, 3);
  if (sha256) head.write('s256', 24, 'latin1');
  let file = head;
  for (let from = 0; from < refs.length; from += perBlock) {
    const start = from === 0 ? 0 : file.length;
    const records: number[] = [];
    let last = Buffer.alloc(0);
    for (const [name, value] of refs.slice(from, from + perBlock)) {
      const bytes = Buffer.from(name);
      let kept = 0;
      while (kept < last.length && kept < bytes.length && last[kept] === bytes[kept]) kept++;
      const type = value === null ? 0 : Array.isArray(value) ? 2 : value.startsWith('ref: ') ? 3 : 1;
      records.push(...varint(kept), ...varint((bytes.length - kept) * 8 + type), ...bytes.subarray(kept), 0);
      if (typeof value === 'string' && type === 1) records.push(...Buffer.from(value, 'hex'));
      if (Array.isArray(value)) for (const id of value) records.push(...Buffer.from(id, 'hex'));
      if (typeof value === 'string' && type === 3)
        records.push(...varint(value.length - 5), ...Buffer.from(value.slice(5)));
      last = bytes;
    }
    const restarts = [0, 0, 4, 0, 1];
    const length = (from === 0 ? head.length : 0) + 4 + records.length + restarts.length;
    const block = Buffer.from([0x72, 0, 0, 0, ...records, ...restarts]);
    block.writeUIntBE(length, 1, 3);
    file = Buffer.concat([file, block]);
    const isLast = from + perBlock >= refs.length;
    // What follows unaligned (the log) follows the last block without padding.
    if (blockSize > 0 && !isLast) file = Buffer.concat([file, Buffer.alloc(start + blockSize - file.length)]);
  }
  const footer = Buffer.concat([head, Buffer.alloc(44)]);
  if (options.log) {
    footer.writeBigUInt64BE(BigInt(file.length), head.length + 24);
    // A log that looks like a block of refs where the next block would be.
    file = Buffer.concat([file, Buffer.alloc(Math.max(0, blockSize * 4), 0x72)]);
  }
  return Buffer.concat([file, footer]);
}

describe('refs in tables', () => {
  const folderOf = (tables: Buffer[], config = '[core]\n') => {
    const gitDir = path.join(scratch(), '.git');
    mkdirSync(path.join(gitDir, 'reftable'), { recursive: true });
    mkdirSync(path.join(gitDir, 'refs'));
    writeFileSync(path.join(gitDir, 'refs/heads'), 'this repository uses the reftable format\n');
    writeFileSync(path.join(gitDir, 'HEAD'), 'ref: refs/heads/.invalid\n');
    writeFileSync(path.join(gitDir, 'config'), config);
    const write = (list: Buffer[]) => {
      const names = list.map((bytes, number) => {
        const name = `0x00000000000${number}-0x00000000000${number}-${bytes.length}.ref`;
        writeFileSync(path.join(gitDir, 'reftable', name), bytes);
        return name;
      });
      writeFileSync(path.join(gitDir, 'reftable/tables.list'), `${names.join('\n')}\n`);
    };
    write(tables);
    return { source: { gitDir, commonDir: gitDir }, write };
  };
  const many: Ref[] = Array.from({ length: 300 }, (_, number) => [
    `refs/heads/topic-${String(number).padStart(4, '0')}`,
    number % 2 ? A : [A, B],
  ]);
  const first: Ref[] = [
    ['HEAD', 'ref: refs/heads/main'],
    ['refs/heads/main', A],
    ['refs/heads/old', A],
    ...many,
  ];

  it.each([
    { blockSize: 4096, perBlock: 40, log: true },
    { blockSize: 0, perBlock: 500 },
    { blockSize: 0, perBlock: 50, log: true },
    { blockSize: 8192, perBlock: 1000 },
  ])('are read through all blocks, later tables win: %o', (options) => {
    const base = table(first, options);
    const { source, write } = folderOf([base]);
    const before = takeTripwire(source);
    expect(before.unread).toEqual([]);
    expect(before.head).toBe('ref: refs/heads/main');
    expect(Object.keys(before.refs)).toHaveLength(302);
    expect(before.refs['refs/heads/topic-0299']).toBe(A);
    const second = table(
      [
        ['refs/heads/main', B],
        ['refs/heads/old', null],
        ['refs/heads/prun/x', A],
      ],
      options,
    );
    write([base, second]);
    expect(compareTripwire(before, takeTripwire(source))).toEqual([
      { what: 'ref', name: 'refs/heads/main', change: 'changed', before: A, after: B },
      { what: 'ref', name: 'refs/heads/old', change: 'removed', before: A },
    ]);
  });

  it('with SHA-256 ids', () => {
    const id = 'c'.repeat(64);
    const { source } = folderOf([
      table([['refs/heads/main', id]], { blockSize: 4096, perBlock: 9, sha256: true }),
    ]);
    expect(takeTripwire(source).refs).toEqual({ 'refs/heads/main': id });
  });

  it('that are none are said, and are no alarm', () => {
    const { source, write } = folderOf([table(first, { blockSize: 4096, perBlock: 40 })]);
    const before = takeTripwire(source);
    write([Buffer.from('rubbish, and more of it')]);
    const after = takeTripwire(source);
    expect(after.unread).toEqual([{ where: 'reftable', why: 'this is no table of refs' }]);
    expect(compareTripwire(before, after)).toEqual([]);
  });
});
